SELECT id, turn, at, subject, value, canonical, category, single, ends, emotions, intensity, importance, confidence
FROM statement WHERE mind = ?1 ORDER BY at, key
