-- How many references a memory's importance was worked out with, so that midnight adds only those that are new.

ALTER TABLE memory ADD COLUMN counted_references INTEGER NOT NULL DEFAULT 0;
UPDATE memory SET counted_references = (SELECT count(*) FROM link WHERE link.to_memory = memory.key);

-- Up to when it was known, when somebody wrote, that the caretaker's rounds had nothing to do.
ALTER TABLE mind ADD COLUMN quiet_until INTEGER;

-- A mind that was looked after in the future is found without reading all of them.
CREATE INDEX mind_by_tick ON mind (ticked_at);
