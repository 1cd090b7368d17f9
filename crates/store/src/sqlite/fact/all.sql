SELECT
    key, id, subject, value, canonical, category, single, emotions, intensity, importance, confidence, valid_from, valid_to, superseded_by, mentions
FROM fact WHERE mind = ?1 ORDER BY valid_from, key
