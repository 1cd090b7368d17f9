INSERT INTO fact
    (mind, id, subject, value, canonical, category, single, emotions, intensity, importance, confidence, valid_from, valid_to, superseded_by, mentions)
VALUES
    (:mind, :id, :subject, :value, :canonical, :category, :single, :emotions, :intensity, :importance, :confidence, :valid_from, :valid_to,
     :superseded_by, :mentions)
ON CONFLICT (mind, id) DO UPDATE SET
    value = excluded.value, canonical = excluded.canonical, category = excluded.category, single = excluded.single, emotions = excluded.emotions,
    intensity = excluded.intensity, importance = excluded.importance, confidence = excluded.confidence, valid_from = excluded.valid_from,
    valid_to = excluded.valid_to, superseded_by = excluded.superseded_by, mentions = excluded.mentions
