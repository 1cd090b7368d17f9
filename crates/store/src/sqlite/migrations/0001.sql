-- The first schema. Every row belongs to one mind. Times are UTC milliseconds; ids are sixteen bytes of UUIDv7;
-- `key` columns are this file's own small numbers, never shown outside.

CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mind (
    key       INTEGER PRIMARY KEY,
    id        BLOB NOT NULL UNIQUE,
    user      TEXT NOT NULL,
    character TEXT NOT NULL,
    work      TEXT NOT NULL,
    made_at   INTEGER NOT NULL,
    turns     INTEGER NOT NULL,
    mood      TEXT NOT NULL,
    ticked_at INTEGER,
    salt      BLOB NOT NULL,
    memories  INTEGER NOT NULL DEFAULT 0,
    purges    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (user, character, work)
) STRICT;

CREATE TABLE session (
    mind     INTEGER NOT NULL REFERENCES mind (key),
    name     TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    ended_at INTEGER,
    parent   TEXT,
    PRIMARY KEY (mind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE turn (
    key             INTEGER PRIMARY KEY,
    mind            INTEGER NOT NULL REFERENCES mind (key),
    id              BLOB NOT NULL,
    session         TEXT NOT NULL,
    sequence        INTEGER NOT NULL,
    role            TEXT NOT NULL,
    speaker         TEXT,
    content         TEXT NOT NULL,
    at              INTEGER NOT NULL,
    face            TEXT,
    withdrawn_at    INTEGER,
    UNIQUE (mind, id),
    UNIQUE (mind, session, sequence)
) STRICT;

CREATE TABLE memory (
    key                     INTEGER PRIMARY KEY,
    mind                    INTEGER NOT NULL REFERENCES mind (key),
    stamp                   INTEGER NOT NULL,
    id                      BLOB NOT NULL,
    external_id             TEXT,
    revision                INTEGER NOT NULL,
    standing                TEXT NOT NULL CHECK (standing IN ('alive', 'on_cliff')),
    content                 TEXT NOT NULL,
    original_event          TEXT,
    interpretation          TEXT,
    summary                 TEXT,
    kind                    TEXT NOT NULL,
    category                TEXT,
    source                  TEXT NOT NULL,
    knowledge               TEXT NOT NULL,
    emotions                INTEGER NOT NULL,
    intensity               REAL NOT NULL,
    sentiment               REAL NOT NULL,
    affect_amplitude        REAL NOT NULL,
    emotion_confidence      REAL NOT NULL,
    emotion_keywords        TEXT,
    trust                   REAL NOT NULL,
    importance              REAL NOT NULL,
    stated_importance       REAL,
    appraisal               REAL,
    strength                REAL NOT NULL,
    strength_turn           INTEGER NOT NULL,
    recalls                 INTEGER NOT NULL,
    mentions                INTEGER NOT NULL,
    last_recalled_at        INTEGER,
    created_at              INTEGER NOT NULL,
    edited_at               INTEGER,
    tier                    TEXT NOT NULL,
    expires_at              INTEGER,
    promoted_from           BLOB,
    pinned                  INTEGER NOT NULL,
    remember_this           INTEGER NOT NULL,
    changed_behaviour       INTEGER NOT NULL,
    island                  BLOB,
    zone                    TEXT NOT NULL,
    zone_score              REAL NOT NULL,
    rating                  INTEGER,
    session                 TEXT,
    sequence                INTEGER,
    minutes                 REAL,
    project                 TEXT,
    domain                  TEXT,
    file_context            TEXT,
    depth_index             INTEGER,
    persona_id              TEXT,
    persona_name            TEXT,
    persona_role            TEXT,
    backend                 TEXT,
    content_type            TEXT,
    prompt_digest           TEXT,
    token_count             INTEGER,
    phase_injection_applied INTEGER NOT NULL,
    error_occurred          INTEGER NOT NULL,
    rhythm_phase            TEXT,
    priority                INTEGER,
    UNIQUE (mind, id)
) STRICT;

-- `stamp` is the ledger sequence that last wrote the row: copies in memory catch up by it.
CREATE INDEX memory_by_stamp ON memory (mind, stamp);
CREATE INDEX memory_by_zone ON memory (mind, standing, zone, created_at);
CREATE INDEX memory_by_end ON memory (mind, expires_at) WHERE standing = 'alive' AND expires_at IS NOT NULL;
CREATE INDEX memory_by_external_id ON memory (mind, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE memory_tag (
    memory INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    tag    TEXT NOT NULL,
    PRIMARY KEY (memory, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_turn (
    memory INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    turn   BLOB NOT NULL,
    PRIMARY KEY (memory, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_turn_by_turn ON memory_turn (turn);

CREATE TABLE turn_memory (
    turn   INTEGER NOT NULL REFERENCES turn (key) ON DELETE CASCADE,
    memory BLOB NOT NULL,
    PRIMARY KEY (turn, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE cliff (
    memory     INTEGER NOT NULL PRIMARY KEY REFERENCES memory (key) ON DELETE CASCADE,
    mind       INTEGER NOT NULL REFERENCES mind (key),
    entered_at INTEGER NOT NULL,
    gone_at    INTEGER NOT NULL,
    reason     TEXT NOT NULL,
    note       TEXT NOT NULL
) STRICT;
CREATE INDEX cliff_by_end ON cliff (mind, gone_at);

CREATE TABLE link (
    mind INTEGER NOT NULL REFERENCES mind (key),
    from_memory INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    to_memory   INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    PRIMARY KEY (from_memory, to_memory, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_by_target ON link (to_memory, kind);
CREATE INDEX link_by_mind ON link (mind);

CREATE TABLE candidate (
    key               INTEGER PRIMARY KEY,
    mind              INTEGER NOT NULL REFERENCES mind (key),
    id                BLOB NOT NULL,
    turn              BLOB NOT NULL,
    content           TEXT NOT NULL,
    type              TEXT NOT NULL,
    type_weight       REAL NOT NULL,
    confidence        REAL NOT NULL,
    future_impact     REAL NOT NULL,
    emotion_intensity REAL NOT NULL,
    recurrence        REAL NOT NULL,
    novelty           REAL NOT NULL,
    score             REAL NOT NULL,
    verdict           TEXT NOT NULL,
    reason            TEXT NOT NULL,
    memory            BLOB,
    UNIQUE (mind, id)
) STRICT;
CREATE INDEX candidate_by_turn ON candidate (turn);

CREATE TABLE fact (
    key           INTEGER PRIMARY KEY,
    mind          INTEGER NOT NULL REFERENCES mind (key),
    id            BLOB NOT NULL,
    subject       TEXT NOT NULL,
    value         TEXT NOT NULL,
    canonical     TEXT NOT NULL,
    category      TEXT NOT NULL,
    single        INTEGER NOT NULL,
    emotions      INTEGER NOT NULL,
    intensity     REAL NOT NULL,
    importance    REAL NOT NULL,
    confidence    REAL NOT NULL,
    valid_from    INTEGER NOT NULL,
    valid_to      INTEGER,
    superseded_by BLOB,
    mentions      INTEGER NOT NULL,
    UNIQUE (mind, id)
) STRICT;
CREATE INDEX fact_by_subject ON fact (mind, subject, valid_to);

CREATE TABLE fact_turn (
    fact INTEGER NOT NULL REFERENCES fact (key) ON DELETE CASCADE,
    turn BLOB NOT NULL,
    PRIMARY KEY (fact, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_turn_by_turn ON fact_turn (turn);

CREATE TABLE relationship (
    mind         INTEGER NOT NULL PRIMARY KEY REFERENCES mind (key),
    trust        REAL NOT NULL,
    affection    REAL NOT NULL,
    respect      REAL NOT NULL,
    rivalry      REAL NOT NULL,
    familiarity  REAL NOT NULL,
    speech_style TEXT
) STRICT;

CREATE TABLE relationship_change (
    mind   INTEGER NOT NULL REFERENCES mind (key),
    turn   BLOB NOT NULL,
    axis   TEXT NOT NULL,
    at     INTEGER NOT NULL,
    scene  BLOB,
    delta  REAL NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (mind, turn, axis)
) STRICT, WITHOUT ROWID;

CREATE TABLE scene (
    mind     INTEGER NOT NULL REFERENCES mind (key),
    id       BLOB NOT NULL,
    session  TEXT NOT NULL,
    place    TEXT,
    time     TEXT,
    people   TEXT,
    tone     TEXT,
    topic    TEXT,
    began_at INTEGER NOT NULL,
    ended_at INTEGER,
    PRIMARY KEY (mind, id)
) STRICT;
CREATE INDEX scene_by_session ON scene (mind, session, began_at);

CREATE TABLE island (
    mind         INTEGER NOT NULL REFERENCES mind (key),
    id           BLOB NOT NULL PRIMARY KEY,
    name         TEXT NOT NULL,
    emoji        TEXT NOT NULL,
    description  TEXT NOT NULL,
    status       TEXT NOT NULL,
    status_since INTEGER NOT NULL,
    strength     REAL NOT NULL
) STRICT;
CREATE INDEX island_by_mind ON island (mind);

CREATE TABLE island_memory (
    island BLOB NOT NULL REFERENCES island (id) ON DELETE CASCADE,
    memory BLOB NOT NULL,
    PRIMARY KEY (island, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE self_version (
    mind    INTEGER NOT NULL REFERENCES mind (key),
    version INTEGER NOT NULL,
    made_at INTEGER NOT NULL,
    reason  TEXT NOT NULL,
    PRIMARY KEY (mind, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE belief (
    mind       INTEGER NOT NULL REFERENCES mind (key),
    version    INTEGER NOT NULL,
    id         BLOB NOT NULL,
    statement  TEXT NOT NULL,
    confidence REAL NOT NULL,
    island     BLOB,
    formed_at  INTEGER NOT NULL,
    PRIMARY KEY (mind, version, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE belief_memory (
    mind   INTEGER NOT NULL REFERENCES mind (key),
    belief BLOB NOT NULL,
    memory BLOB NOT NULL,
    PRIMARY KEY (mind, belief, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE proposal (
    mind      INTEGER NOT NULL REFERENCES mind (key),
    id        BLOB NOT NULL PRIMARY KEY,
    kind      TEXT NOT NULL,
    diff      TEXT NOT NULL,
    digest    BLOB NOT NULL,
    reasons   TEXT NOT NULL,
    evidence  TEXT NOT NULL,
    status    TEXT NOT NULL,
    made_at   INTEGER NOT NULL,
    lapses_at INTEGER NOT NULL
) STRICT;
CREATE INDEX proposal_by_status ON proposal (mind, status, made_at);

CREATE TABLE imagination (
    mind       INTEGER NOT NULL REFERENCES mind (key),
    id         BLOB NOT NULL PRIMARY KEY,
    origin     TEXT NOT NULL,
    theme      TEXT NOT NULL,
    scenario   TEXT NOT NULL,
    action     TEXT,
    emotions   INTEGER NOT NULL,
    memory     BLOB,
    at         INTEGER NOT NULL,
    liked      INTEGER
) STRICT;
CREATE INDEX imagination_by_time ON imagination (mind, at);

CREATE TABLE imagination_weight (
    mind   INTEGER NOT NULL REFERENCES mind (key),
    origin TEXT NOT NULL,
    theme  TEXT NOT NULL,
    weight REAL NOT NULL,
    PRIMARY KEY (mind, origin, theme)
) STRICT, WITHOUT ROWID;

CREATE TABLE job (
    id           BLOB NOT NULL PRIMARY KEY,
    mind         INTEGER NOT NULL REFERENCES mind (key),
    kind         TEXT NOT NULL,
    due_at       INTEGER NOT NULL,
    leased_until INTEGER,
    attempts     INTEGER NOT NULL,
    problem      TEXT
) STRICT;
CREATE INDEX job_by_due ON job (due_at);
CREATE UNIQUE INDEX job_by_kind ON job (mind, kind, due_at);

CREATE TABLE access_key (
    id         TEXT NOT NULL PRIMARY KEY,
    principal  TEXT NOT NULL,
    minds      TEXT NOT NULL,
    digest     BLOB NOT NULL,
    made_at    INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE TABLE appraisal (
    digest     BLOB NOT NULL,
    thinker    TEXT NOT NULL,
    factual    REAL NOT NULL,
    emotional  REAL NOT NULL,
    actionable REAL NOT NULL,
    explicit   REAL NOT NULL,
    PRIMARY KEY (digest, thinker)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger (
    mind      INTEGER NOT NULL REFERENCES mind (key),
    sequence  INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    operation TEXT NOT NULL,
    entry     TEXT NOT NULL,
    hash      BLOB NOT NULL,
    PRIMARY KEY (mind, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger_memory (
    memory   BLOB NOT NULL,
    mind     INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (memory, mind, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
    mind     INTEGER NOT NULL REFERENCES mind (key),
    key      TEXT NOT NULL,
    request  BLOB NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (mind, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE embedder (
    key  INTEGER PRIMARY KEY,
    id   TEXT NOT NULL UNIQUE,
    dims INTEGER NOT NULL
) STRICT;

-- Vectors are eight-bit directions, clustered by mind, so that one mind's vectors lie together and a thousand
-- small minds waste nothing.
CREATE TABLE memory_vector (
    mind     INTEGER NOT NULL REFERENCES mind (key),
    embedder INTEGER NOT NULL REFERENCES embedder (key),
    memory   INTEGER NOT NULL,
    vector   BLOB NOT NULL,
    PRIMARY KEY (mind, embedder, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE turn_vector (
    mind     INTEGER NOT NULL REFERENCES mind (key),
    embedder INTEGER NOT NULL REFERENCES embedder (key),
    turn     INTEGER NOT NULL REFERENCES turn (key) ON DELETE CASCADE,
    vector   BLOB NOT NULL,
    PRIMARY KEY (mind, embedder, turn)
) STRICT, WITHOUT ROWID;

-- The words of memories, cut by us (see words.rs) and marked with their mind, so that each mind has its own
-- dictionary and no search touches another's. `ascii` leaves every letter of every script alone.
CREATE VIRTUAL TABLE memory_words USING fts5 (terms, content = '', detail = none, columnsize = 0, tokenize = 'ascii');
INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);

CREATE VIRTUAL TABLE turn_words USING fts5 (terms, content = '', detail = none, columnsize = 0, tokenize = 'ascii');
INSERT INTO turn_words (turn_words, rank) VALUES ('secure-delete', 1);
