SELECT session, part, made_at, last_at, memories, lines FROM archive
WHERE mind = ?1 ORDER BY last_at DESC, session, part
