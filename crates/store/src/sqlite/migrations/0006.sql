-- Who is told what changes in a mind, and how far they have heard.

CREATE TABLE webhook (
    mind          INTEGER NOT NULL REFERENCES mind (key),
    id            BLOB NOT NULL,
    url           TEXT NOT NULL,
    everywhere    INTEGER NOT NULL,
    secret        BLOB NOT NULL,
    made_at       INTEGER NOT NULL,
    after         INTEGER NOT NULL,
    attempts      INTEGER NOT NULL,
    due_at        INTEGER NOT NULL,
    failing_since INTEGER,
    problem       TEXT,
    ended_at      INTEGER,
    PRIMARY KEY (mind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_by_due ON webhook (due_at) WHERE ended_at IS NULL;
