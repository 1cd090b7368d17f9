SELECT count(*)
FROM memory_vector
JOIN memory ON memory.key = memory_vector.memory
WHERE memory_vector.mind = ?1 AND memory_vector.embedder = ?2 AND memory.standing = 'alive'
