SELECT id, turn, at, subject, value, canonical, category, single, ends, emotions, intensity, importance, confidence
FROM assertion WHERE mind = ?1 ORDER BY at, key
