INSERT INTO memory_vector (mind, embedder, memory, alive, stamp, vector)
VALUES (?1, ?2, ?3, (SELECT standing = 'alive' FROM memory WHERE key = ?3), ?4, ?5)
ON CONFLICT (mind, embedder, memory) DO UPDATE SET alive = excluded.alive, stamp = excluded.stamp, vector = excluded.vector
