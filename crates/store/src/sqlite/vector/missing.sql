SELECT memory.key
FROM memory
WHERE memory.mind = ?1 AND memory.standing = 'alive'
  AND NOT EXISTS (
      SELECT 1 FROM memory_vector
      WHERE memory_vector.mind = memory.mind AND memory_vector.embedder = ?2 AND memory_vector.memory = memory.key
  )
ORDER BY memory.key
LIMIT ?3
