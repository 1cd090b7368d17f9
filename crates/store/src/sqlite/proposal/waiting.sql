SELECT min(lapses_at), coalesce(max(kind = ?2), 0)
FROM proposal INDEXED BY proposal_pending
WHERE mind = ?1 AND status = 'pending'
