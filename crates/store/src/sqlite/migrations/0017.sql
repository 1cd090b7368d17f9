-- The subject and the count of an essence, which were part of its text until now. `essence.rs` fills them in from the texts.

ALTER TABLE memory ADD COLUMN essence_subject TEXT;
ALTER TABLE memory ADD COLUMN essence_times INTEGER;
