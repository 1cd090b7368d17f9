-- Until it was due nothing could change by itself, so in a mind that was not due yet all rounds up to now had nothing to do: what
-- is done today must not count in them. Once a minute is enough for whoever writes much.
UPDATE mind SET
    quiet_until = iif(care_due_at > :at, :at, quiet_until),
    care_due_at = iif(care_due_at IS NULL OR care_due_at > :at + 86400000, :at, care_due_at)
WHERE key = :mind
  AND (
    care_due_at IS NULL OR care_due_at > :at + 86400000
    OR (care_due_at > :at AND max(coalesce(ticked_at, 0), coalesce(quiet_until, 0)) < :at - 60000)
  )
