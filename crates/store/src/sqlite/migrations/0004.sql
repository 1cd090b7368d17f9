-- The self and what it grows from. Nothing wrote these tables before, so they are made as they have to be: keyed by mind
-- first, versions of the self whole, proposals with the exact change.

DROP TABLE island_memory;
DROP TABLE island;
DROP TABLE belief_memory;
DROP TABLE belief;
DROP TABLE self_version;
DROP TABLE proposal;
DROP TABLE imagination;
DROP TABLE imagination_weight;

CREATE TABLE island (
    mind         INTEGER NOT NULL REFERENCES mind (key),
    id           BLOB NOT NULL,
    revision     INTEGER NOT NULL,
    name         TEXT NOT NULL,
    emoji        TEXT NOT NULL,
    description  TEXT NOT NULL,
    status       TEXT NOT NULL,
    status_since INTEGER NOT NULL,
    strength     REAL NOT NULL,
    made_at      INTEGER NOT NULL,
    PRIMARY KEY (mind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE island_memory (
    mind       INTEGER NOT NULL REFERENCES mind (key),
    island     BLOB NOT NULL,
    memory     BLOB NOT NULL,
    rebuilding INTEGER NOT NULL,
    place      INTEGER NOT NULL,
    PRIMARY KEY (mind, island, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE self_version (
    mind     INTEGER NOT NULL REFERENCES mind (key),
    version  INTEGER NOT NULL,
    made_at  INTEGER NOT NULL,
    reason   TEXT NOT NULL,
    proposal BLOB,
    PRIMARY KEY (mind, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE belief (
    mind       INTEGER NOT NULL REFERENCES mind (key),
    version    INTEGER NOT NULL,
    id         BLOB NOT NULL,
    place      INTEGER NOT NULL,
    statement  TEXT NOT NULL,
    confidence REAL NOT NULL,
    island     BLOB,
    formed_at  INTEGER NOT NULL,
    PRIMARY KEY (mind, version, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE belief_memory (
    mind    INTEGER NOT NULL REFERENCES mind (key),
    version INTEGER NOT NULL,
    belief  BLOB NOT NULL,
    memory  BLOB NOT NULL,
    place   INTEGER NOT NULL,
    PRIMARY KEY (mind, version, belief, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE belief_rejection (
    mind    INTEGER NOT NULL REFERENCES mind (key),
    subject TEXT NOT NULL,
    times   INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (mind, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE belief_rejection_memory (
    mind    INTEGER NOT NULL REFERENCES mind (key),
    subject TEXT NOT NULL,
    memory  BLOB NOT NULL,
    PRIMARY KEY (mind, subject, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE proposal (
    mind        INTEGER NOT NULL REFERENCES mind (key),
    id          BLOB NOT NULL,
    revision    INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    subject     TEXT NOT NULL,
    change      TEXT NOT NULL,
    digest      BLOB NOT NULL,
    reasons     TEXT NOT NULL,
    recalls     INTEGER NOT NULL,
    made_by     TEXT NOT NULL,
    made_at     INTEGER NOT NULL,
    lapses_at   INTEGER NOT NULL,
    status      TEXT NOT NULL,
    decided_at  INTEGER,
    made_memory BLOB,
    PRIMARY KEY (mind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX proposal_by_time ON proposal (mind, made_at);
-- Two proposals about the same are one, whoever makes them at the same moment.
CREATE UNIQUE INDEX proposal_pending ON proposal (mind, kind, subject) WHERE status = 'pending';

CREATE TABLE proposal_memory (
    mind     INTEGER NOT NULL REFERENCES mind (key),
    proposal BLOB NOT NULL,
    memory   BLOB NOT NULL,
    evidence INTEGER NOT NULL,
    place    INTEGER NOT NULL,
    PRIMARY KEY (mind, proposal, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX proposal_memory_by_memory ON proposal_memory (mind, memory);

CREATE TABLE access_grant (
    mind       INTEGER NOT NULL REFERENCES mind (key),
    id         BLOB NOT NULL,
    scope      TEXT NOT NULL,
    reason     TEXT NOT NULL,
    made_at    INTEGER NOT NULL,
    ends_at    INTEGER NOT NULL,
    revoked_at INTEGER,
    PRIMARY KEY (mind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE imagination (
    mind     INTEGER NOT NULL REFERENCES mind (key),
    id       BLOB NOT NULL,
    origin   TEXT NOT NULL,
    theme    TEXT NOT NULL,
    scenario TEXT NOT NULL,
    action   TEXT,
    emotions INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    memory   BLOB,
    liked    INTEGER,
    ignored  INTEGER NOT NULL,
    PRIMARY KEY (mind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX imagination_by_time ON imagination (mind, at);

CREATE TABLE imagination_memory (
    mind        INTEGER NOT NULL REFERENCES mind (key),
    imagination BLOB NOT NULL,
    memory      BLOB NOT NULL,
    place       INTEGER NOT NULL,
    PRIMARY KEY (mind, imagination, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX imagination_memory_by_memory ON imagination_memory (mind, memory);

-- A trigger's weight has no theme and a theme's no trigger: the blank stands for that.
CREATE TABLE imagination_weight (
    mind   INTEGER NOT NULL REFERENCES mind (key),
    origin TEXT NOT NULL,
    theme  TEXT NOT NULL,
    weight REAL NOT NULL,
    PRIMARY KEY (mind, origin, theme)
) STRICT, WITHOUT ROWID;

-- What is held is looked for every day, among all that was ever judged.
CREATE INDEX candidate_held ON candidate (mind, key) WHERE verdict = 'held';

-- How much an agent has let go today is counted here; other entries cost nothing.
CREATE INDEX ledger_of_forgetting ON ledger (mind, at) WHERE operation = 'forget';
