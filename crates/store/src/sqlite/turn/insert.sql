INSERT INTO turn (mind, id, session, sequence, role, speaker, content, at, face, withdrawn_at, stamp)
VALUES (:mind, :id, :session, :sequence, :role, :speaker, :content, :at, :face, :withdrawn_at, :stamp)
ON CONFLICT (mind, session, sequence) DO NOTHING
