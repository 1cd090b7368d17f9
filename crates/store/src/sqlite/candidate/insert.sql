INSERT INTO candidate
    (mind, id, turn, content, type, type_weight, confidence, future_impact, emotion_intensity, recurrence, novelty, score, verdict, reason, memory)
VALUES
    (:mind, :id, :turn, :content, :type, :type_weight, :confidence, :future_impact, :emotion_intensity, :recurrence, :novelty, :score, :verdict,
     :reason, :memory)
