INSERT INTO session (mind, name, began_at, last_at, last_sequence, parent, parent_sequence) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (mind, name) DO UPDATE SET last_at = max(last_at, excluded.last_at), last_sequence = max(last_sequence, excluded.last_sequence)
