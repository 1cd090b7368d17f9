INSERT INTO orchestration (mind, id, revision, session, status, prompt, began_at, changed_at, state)
VALUES (:mind, :id, 0, :session, :status, :prompt, :began_at, :changed_at, :state)
ON CONFLICT (mind, id) DO UPDATE SET
    revision = revision + 1, status = excluded.status, changed_at = excluded.changed_at, state = excluded.state
WHERE orchestration.revision = :revision
