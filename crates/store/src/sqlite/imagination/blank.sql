UPDATE imagination SET scenario = '', action = NULL
WHERE mind = ?1 AND scenario <> '' AND (memory = ?2 OR id IN (SELECT imagination FROM imagination_memory WHERE mind = ?1 AND memory = ?2))
