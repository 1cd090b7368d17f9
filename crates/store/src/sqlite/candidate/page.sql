SELECT id, turn, content, type, type_weight, confidence, future_impact, emotion_intensity, recurrence, novelty, score, verdict, reason, memory
FROM candidate
WHERE mind = ?1 AND (?2 IS NULL OR turn = ?2) AND (?3 IS NULL OR verdict = ?3)
ORDER BY key DESC LIMIT ?4
