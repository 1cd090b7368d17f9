SELECT id, recalls, max(created_at, coalesce(last_recalled_at, created_at)), created_at, appraisal, zone
FROM memory
WHERE mind = ?1 AND standing = 'alive'
