SELECT memory_vector.memory, memory.id, memory_vector.alive, memory_vector.vector
FROM memory_vector
JOIN memory ON memory.key = memory_vector.memory
WHERE memory_vector.mind = ?1 AND memory_vector.embedder = ?2 AND memory_vector.stamp > ?3
