-- What waits for a model, what models wrote for the character to mind, and what they used. Nothing wrote the table of jobs
-- before, so it is made as it has to be.

DROP TABLE job;

CREATE TABLE job (
    mind     INTEGER NOT NULL REFERENCES mind (key),
    kind     TEXT NOT NULL,
    turns    TEXT NOT NULL,
    made_at  INTEGER NOT NULL,
    due_at   INTEGER,
    attempts INTEGER NOT NULL,
    cause    TEXT,
    PRIMARY KEY (mind, kind, turns)
) STRICT, WITHOUT ROWID;

CREATE TABLE note (
    mind    INTEGER NOT NULL REFERENCES mind (key),
    kind    TEXT NOT NULL,
    text    TEXT NOT NULL,
    by      TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    turn    INTEGER NOT NULL,
    PRIMARY KEY (mind, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE expense (
    mind     INTEGER NOT NULL REFERENCES mind (key),
    day      TEXT NOT NULL,
    thought  TEXT NOT NULL,
    model    TEXT NOT NULL,
    requests INTEGER NOT NULL,
    read     INTEGER NOT NULL,
    written  INTEGER NOT NULL,
    PRIMARY KEY (mind, day, thought, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX expense_by_day ON expense (day);
