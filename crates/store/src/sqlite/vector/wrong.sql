SELECT count(*)
FROM memory_vector
JOIN embedder ON embedder.key = memory_vector.embedder
JOIN memory ON memory.key = memory_vector.memory
WHERE length(memory_vector.vector) <> embedder.dims OR memory_vector.mind <> memory.mind
