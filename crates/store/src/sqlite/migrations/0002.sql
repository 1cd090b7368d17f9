-- Turns are indexed in memory like memories, so they carry stamps; what is known of the user follows from statements.

ALTER TABLE turn ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;
CREATE INDEX turn_by_stamp ON turn (mind, stamp);
CREATE INDEX turn_by_time ON turn (mind, at, key);

ALTER TABLE mind ADD COLUMN turn_purges INTEGER NOT NULL DEFAULT 0;

ALTER TABLE session ADD COLUMN last_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN last_sequence INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN parent_sequence INTEGER;

CREATE TABLE statement (
    key        INTEGER PRIMARY KEY,
    mind       INTEGER NOT NULL REFERENCES mind (key),
    id         BLOB NOT NULL,
    turn       BLOB,
    at         INTEGER NOT NULL,
    subject    TEXT NOT NULL,
    value      TEXT NOT NULL,
    canonical  TEXT NOT NULL,
    category   TEXT NOT NULL,
    single     INTEGER NOT NULL,
    ends       INTEGER NOT NULL,
    emotions   INTEGER NOT NULL,
    intensity  REAL NOT NULL,
    importance REAL NOT NULL,
    confidence REAL NOT NULL,
    UNIQUE (mind, id)
) STRICT;
CREATE INDEX statement_by_turn ON statement (mind, turn);

CREATE INDEX candidate_by_memory ON candidate (mind, memory) WHERE memory IS NOT NULL;
CREATE INDEX relationship_change_by_time ON relationship_change (mind, at);

DROP TABLE turn_words;

-- Which turns the caretaker has thinned memories at, and when it has to look again. A lease keeps two caretakers from the
-- same mind; one that is lost runs out.
ALTER TABLE mind ADD COLUMN consolidated_turn INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mind ADD COLUMN pruned_turn INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mind ADD COLUMN care_due_at INTEGER;
ALTER TABLE mind ADD COLUMN leased_until INTEGER;
CREATE INDEX mind_by_care ON mind (care_due_at) WHERE care_due_at IS NOT NULL;
UPDATE mind SET care_due_at = made_at;
