-- Ids of the earlier statements that a statement ends, as a JSON list.

ALTER TABLE statement ADD COLUMN ends TEXT NOT NULL DEFAULT '[]';
