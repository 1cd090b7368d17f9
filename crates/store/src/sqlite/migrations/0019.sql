-- Memories of a category, newest first, are read with every context: found without reading all of them.

CREATE INDEX memory_by_category ON memory (mind, category, id) WHERE standing = 'alive' AND category IS NOT NULL;

-- The memories of one session, newest first, among all sessions.
CREATE INDEX memory_by_session ON memory (mind, session, id) WHERE standing = 'alive' AND session IS NOT NULL;

-- Whether a tier is small enough to be read at once is asked with every memory that is shown.
CREATE INDEX memory_by_tier ON memory (mind, tier) WHERE standing = 'alive';

-- Ids are also found by the last digits that a person types; two bytes leave few others.
CREATE INDEX memory_by_last_digits ON memory (mind, substr(id, 15));
CREATE INDEX turn_by_last_digits ON turn (mind, substr(id, 15));

-- The turns of one session, latest first, among all sessions.
CREATE INDEX turn_by_session_time ON turn (mind, session, at, key);

-- Pages written by an earlier version may hold bytes of deleted rows; the first sweep clears them once.
INSERT INTO meta (name, value) VALUES ('pages_cleared', '0');
