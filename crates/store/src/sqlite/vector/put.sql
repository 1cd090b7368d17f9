INSERT INTO memory_vector (mind, embedder, memory, vector)
VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (mind, embedder, memory) DO UPDATE SET vector = excluded.vector
