SELECT ledger.entry, ledger.hash
FROM ledger_memory
JOIN ledger ON ledger.mind = ledger_memory.mind AND ledger.sequence = ledger_memory.sequence
WHERE ledger_memory.memory = ?1 AND ledger_memory.mind = ?2
ORDER BY ledger.sequence
