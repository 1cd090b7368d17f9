-- A record that a subject has a value is an assertion; a statement is a clause in the user's own words.

ALTER TABLE statement RENAME TO assertion;
DROP INDEX statement_by_turn;
CREATE INDEX assertion_by_turn ON assertion (mind, turn);
