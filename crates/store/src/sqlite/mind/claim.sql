UPDATE mind SET leased_until = :until
WHERE key IN (
    SELECT key FROM mind
    WHERE (care_due_at <= :now OR care_due_at > :beyond)
      AND (leased_until IS NULL OR leased_until <= :now OR leased_until > :beyond)
    ORDER BY care_due_at, key LIMIT :limit
)
RETURNING id
