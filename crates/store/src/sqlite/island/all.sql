SELECT id, revision, name, emoji, description, status, status_since, strength, made_at
FROM island WHERE mind = ?1 ORDER BY made_at, id
