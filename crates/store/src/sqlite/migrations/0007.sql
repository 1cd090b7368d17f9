-- What was answered to whom under which key, so that the same request again is answered and not done again. Belongs to a
-- mind where the request did (0 otherwise), and is gone with it; a row without a status is being answered.

CREATE TABLE answer (
    mind    INTEGER NOT NULL,
    who     TEXT NOT NULL,
    key     TEXT NOT NULL,
    request BLOB NOT NULL,
    at      INTEGER NOT NULL,
    status  INTEGER,
    tag     TEXT,
    body    BLOB,
    PRIMARY KEY (mind, who, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_by_time ON answer (at);

-- What an agent took back or reworded counts with what it let go; other entries cost nothing.
CREATE INDEX ledger_of_taking_back ON ledger (mind, at) WHERE operation IN ('withdraw', 'reword');
