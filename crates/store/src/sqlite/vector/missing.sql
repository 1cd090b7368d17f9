SELECT memory.key
FROM memory
WHERE memory.mind = ?1 AND memory.standing = 'alive'
  AND NOT EXISTS (SELECT 1 FROM memory_vector WHERE memory_vector.memory = memory.key AND memory_vector.embedder IS ?2)
ORDER BY memory.key
LIMIT ?3
