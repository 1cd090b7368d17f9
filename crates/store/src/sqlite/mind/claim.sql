-- Ignores due dates, run times and leases that no correct clock could have set.
UPDATE mind SET leased_until = :until
WHERE key IN (
    SELECT key FROM mind
    WHERE (care_due_at <= :now OR care_due_at > :beyond OR ticked_at > :ahead)
      AND (leased_until IS NULL OR leased_until <= :now OR leased_until > :ahead)
    ORDER BY care_due_at, key LIMIT :limit
)
RETURNING id
