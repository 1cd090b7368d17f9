INSERT INTO archive (mind, session, part, made_at, last_at, memories, lines)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
