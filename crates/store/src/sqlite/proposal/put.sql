INSERT INTO proposal (mind, id, revision, kind, subject, change, digest, reasons, recalls, made_by, made_at, lapses_at, status, decided_at, made_memory)
VALUES (:mind, :id, 0, :kind, :subject, :change, :digest, :reasons, :recalls, :made_by, :made_at, :lapses_at, :status, :decided_at, :made_memory)
ON CONFLICT (mind, id) DO UPDATE SET
    revision = revision + 1, change = excluded.change, digest = excluded.digest, reasons = excluded.reasons, recalls = excluded.recalls,
    lapses_at = excluded.lapses_at, status = excluded.status, decided_at = excluded.decided_at, made_memory = excluded.made_memory
WHERE proposal.revision = :revision
