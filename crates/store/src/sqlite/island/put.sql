INSERT INTO island (mind, id, revision, name, emoji, description, status, status_since, strength, made_at)
VALUES (:mind, :id, 0, :name, :emoji, :description, :status, :status_since, :strength, :made_at)
ON CONFLICT (mind, id) DO UPDATE SET
    revision = revision + 1, name = excluded.name, emoji = excluded.emoji, description = excluded.description, status = excluded.status,
    status_since = excluded.status_since, strength = excluded.strength
WHERE island.revision = :revision
