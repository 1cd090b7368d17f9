SELECT
    coalesce(sum(mind.memories), 0),
    coalesce(sum((SELECT count(*) FROM memory_vector WHERE memory_vector.mind = mind.key AND memory_vector.embedder = ?1)), 0)
        - (SELECT count(*) FROM cliff JOIN memory_vector
           ON memory_vector.mind = cliff.mind AND memory_vector.embedder = ?1 AND memory_vector.memory = cliff.memory)
FROM mind
