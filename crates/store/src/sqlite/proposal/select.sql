SELECT id, revision, kind, subject, change, digest, reasons, recalls, made_by, made_at, lapses_at, status, decided_at, made_memory
FROM proposal
