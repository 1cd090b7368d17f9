-- What a request wrote, from its first to its last entry in the ledger, known before it is answered.

ALTER TABLE answer ADD COLUMN first_entry INTEGER;
ALTER TABLE answer ADD COLUMN last_entry INTEGER;
