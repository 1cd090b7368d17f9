INSERT INTO assertion (mind, id, turn, at, subject, value, canonical, category, single, ends, emotions, intensity, importance, confidence)
VALUES (:mind, :id, :turn, :at, :subject, :value, :canonical, :category, :single, :ends, :emotions, :intensity, :importance, :confidence)
