-- Runs of personas. The answers are memories; `state` holds their ids, the plan and the phase, so that an interrupted run continues
-- where it stopped. The prompt is deleted with the first answer that is deleted permanently.

CREATE TABLE orchestration (
    key        INTEGER PRIMARY KEY,
    mind       INTEGER NOT NULL REFERENCES mind (key),
    id         BLOB NOT NULL,
    revision   INTEGER NOT NULL DEFAULT 0,
    session    TEXT NOT NULL,
    status     TEXT NOT NULL,
    prompt     TEXT,
    began_at   INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    state      TEXT NOT NULL,
    UNIQUE (mind, id)
) STRICT;
CREATE INDEX orchestration_by_time ON orchestration (mind, changed_at);

CREATE TABLE orchestration_memory (
    mind          INTEGER NOT NULL REFERENCES mind (key),
    memory        BLOB NOT NULL,
    orchestration BLOB NOT NULL,
    PRIMARY KEY (mind, memory, orchestration)
) STRICT, WITHOUT ROWID;
