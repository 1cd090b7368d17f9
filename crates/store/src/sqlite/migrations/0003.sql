-- Memories of old sessions, put away where a mind keeps no more than some sessions at hand: lines of JSON, compressed.

CREATE TABLE archive (
    mind     INTEGER NOT NULL REFERENCES mind (key),
    session  TEXT NOT NULL,
    part     INTEGER NOT NULL,
    made_at  INTEGER NOT NULL,
    last_at  INTEGER NOT NULL,
    memories INTEGER NOT NULL,
    lines    BLOB NOT NULL,
    PRIMARY KEY (mind, session, part)
) STRICT;
