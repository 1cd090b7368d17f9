SELECT (SELECT coalesce(max(sequence), 0) FROM ledger WHERE ledger.mind = ?1), mind.purges
FROM mind
WHERE mind.key = ?1
