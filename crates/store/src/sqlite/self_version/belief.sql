INSERT INTO belief (mind, version, id, place, statement, confidence, island, formed_at)
VALUES (:mind, :version, :id, :place, :statement, :confidence, :island, :formed_at)
