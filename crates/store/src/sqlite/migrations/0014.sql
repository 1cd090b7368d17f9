-- The course of a mind's clock, where it is anything but plain: leaps that may have been a wrong clock's, how far one that is
-- behind has walked, and what is to be set right. Its latest moment stays in a column of its own.

ALTER TABLE mind ADD COLUMN course TEXT;
