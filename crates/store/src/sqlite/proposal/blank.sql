UPDATE proposal SET
    revision = revision + 1, subject = '', change = '{"what":"gone"}', reasons = '[]',
    status = CASE status WHEN 'pending' THEN 'lapsed' ELSE status END
WHERE mind = ?1 AND change <> '{"what":"gone"}' AND id IN (SELECT proposal FROM proposal_memory WHERE mind = ?1 AND memory = ?2)
