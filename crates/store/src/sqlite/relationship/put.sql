INSERT INTO relationship (mind, trust, affection, respect, rivalry, familiarity) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (mind) DO UPDATE SET
    trust = excluded.trust, affection = excluded.affection, respect = excluded.respect, rivalry = excluded.rivalry,
    familiarity = excluded.familiarity
