SELECT created_at, importance, strength, strength_turn, kind, intensity, tier, pinned, terms
FROM memory
WHERE id = ?1 AND mind = ?2 AND standing = 'alive'
