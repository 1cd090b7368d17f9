-- The last steps of the calendar that raised memories: a caretaker lost later in the same tick does not raise again.

ALTER TABLE mind ADD COLUMN raised_m30_at INTEGER;
ALTER TABLE mind ADD COLUMN raised_m90_at INTEGER;
