-- Clauses in the user's own words about the user (no holder) or a person of theirs. `repeated_by` and `ended_by` are the effect
-- of later statements; they are computed again when a statement is taken back.

CREATE TABLE statement (
    key          INTEGER PRIMARY KEY,
    mind         INTEGER NOT NULL REFERENCES mind (key),
    id           BLOB NOT NULL,
    turn         BLOB NOT NULL,
    at           INTEGER NOT NULL,
    "group"      TEXT NOT NULL,
    text         TEXT NOT NULL,
    holder       TEXT,
    status       TEXT NOT NULL,
    probability  REAL NOT NULL,
    sure         INTEGER NOT NULL,
    valid_until  INTEGER,
    confirmed    TEXT,
    withdrawn_at INTEGER,
    repeated_by  BLOB,
    ended_by     BLOB,
    ended_at     INTEGER,
    said_values  TEXT NOT NULL DEFAULT '[]',
    corrects     INTEGER NOT NULL DEFAULT 0,
    UNIQUE (mind, id)
) STRICT;
CREATE INDEX statement_by_turn ON statement (mind, turn);
CREATE INDEX statement_open ON statement (mind, at, key)
    WHERE withdrawn_at IS NULL AND repeated_by IS NULL AND ended_at IS NULL;
CREATE INDEX statement_by_holder ON statement (mind, holder, "group");
