-- A date, a look or a lease that no right clock would have set holds nobody up.
UPDATE mind SET leased_until = :until
WHERE key IN (
    SELECT key FROM mind
    WHERE (care_due_at <= :now OR care_due_at > :beyond OR ticked_at > :ahead)
      AND (leased_until IS NULL OR leased_until <= :now OR leased_until > :ahead)
    ORDER BY care_due_at, key LIMIT :limit
)
RETURNING id
