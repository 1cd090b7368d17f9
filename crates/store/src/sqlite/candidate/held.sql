SELECT id, turn, content, type, type_weight, confidence, future_impact, emotion_intensity, recurrence, novelty, score, verdict, reason, memory
FROM candidate WHERE mind = ?1 AND verdict = 'held' ORDER BY key DESC LIMIT ?2
