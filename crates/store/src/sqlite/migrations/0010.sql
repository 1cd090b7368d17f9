-- The latest moment any clock has shown in a mind, and the memories that were written by a clock far behind it: they cannot
-- be older than what was there before them.

ALTER TABLE mind ADD COLUMN latest_at INTEGER;
UPDATE mind SET latest_at = (SELECT max(at) FROM ledger WHERE ledger.mind = mind.key);

CREATE TABLE misdated (
    memory    INTEGER PRIMARY KEY REFERENCES memory (key) ON DELETE CASCADE,
    mind      INTEGER NOT NULL REFERENCES mind (key),
    known_at  INTEGER NOT NULL,
    -- When a caretaker last looked by a clock that had not come as far as that again.
    looked_at INTEGER
) STRICT;
CREATE INDEX misdated_by_mind ON misdated (mind);
