SELECT id, statement, confidence, island, formed_at
FROM belief WHERE mind = ?1 AND version = ?2 AND statement <> '' ORDER BY place, id
