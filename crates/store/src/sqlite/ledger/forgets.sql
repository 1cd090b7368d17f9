SELECT
    (SELECT coalesce(sum(max(1, json_array_length(entry, '$.memories'))), 0) FROM ledger
     WHERE mind = ?1 AND operation = 'forget' AND at >= ?2 AND json_extract(entry, '$.principal') = ?3)
  + (SELECT coalesce(sum(json_extract(entry, '$.times')), 0) FROM ledger
     WHERE mind = ?1 AND operation IN ('withdraw', 'reword') AND at >= ?2 AND json_extract(entry, '$.principal') = ?3)
