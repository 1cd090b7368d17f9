INSERT INTO relationship_change (mind, turn, axis, at, scene, delta, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (mind, turn, axis) DO UPDATE SET delta = delta + excluded.delta, reason = reason || '; ' || excluded.reason
