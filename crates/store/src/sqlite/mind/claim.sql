UPDATE mind SET leased_until = ?2
WHERE key IN (
    SELECT key FROM mind
    WHERE care_due_at <= ?1 AND (leased_until IS NULL OR leased_until <= ?1)
    ORDER BY care_due_at, key LIMIT ?3
)
RETURNING id
