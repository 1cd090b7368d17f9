-- Nothing changes by itself before the due time, so a mind that is not due yet had nothing to do in the rounds up to now, and a
-- write of today must not count for them. Limited to once a minute to keep frequent writes cheap.
UPDATE mind SET
    quiet_until = iif(care_due_at > :at, :at, quiet_until),
    care_due_at = iif(care_due_at IS NULL OR care_due_at > :at + 86400000, :at, care_due_at)
WHERE key = :mind
  AND (
    care_due_at IS NULL OR care_due_at > :at + 86400000
    OR (care_due_at > :at AND max(coalesce(ticked_at, 0), coalesce(quiet_until, 0)) < :at - 60000)
  )
