SELECT id FROM turn WHERE mind = ?1 AND id BETWEEN ?2 AND ?3
UNION ALL
SELECT id FROM turn INDEXED BY turn_by_last_digits
WHERE mind = ?1 AND substr(id, 15) = ?4 AND hex(id) LIKE '%' || ?5 AND id NOT BETWEEN ?2 AND ?3
LIMIT 10
