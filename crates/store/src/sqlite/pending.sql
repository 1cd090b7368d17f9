SELECT
    EXISTS (SELECT 1 FROM memory WHERE mind = ?1 AND standing = 'alive' AND expires_at IS NOT NULL),
    (
        SELECT expires_at FROM memory
        WHERE mind = ?1 AND standing = 'alive' AND expires_at IS NOT NULL AND pinned = 0
        ORDER BY expires_at LIMIT 1
    ),
    (SELECT min(gone_at) FROM cliff WHERE mind = ?1),
    (SELECT max(gone_at) FROM cliff WHERE mind = ?1)
