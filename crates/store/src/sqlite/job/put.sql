INSERT INTO job (mind, kind, turns, made_at, due_at, attempts, cause)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (mind, kind, turns) DO UPDATE SET due_at = excluded.due_at, attempts = excluded.attempts, cause = excluded.cause
