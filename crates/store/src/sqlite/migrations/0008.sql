-- Up to whose birth memories have been held against each other, so that no pair is passed over when a cycle comes late.

ALTER TABLE mind ADD COLUMN compared_to INTEGER;
