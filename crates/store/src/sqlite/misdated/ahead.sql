SELECT key FROM memory
WHERE mind = ?1
  AND (
    created_at > ?2 OR last_recalled_at > ?2 OR edited_at > ?2
    OR id IN (
        SELECT ledger_memory.memory FROM ledger
        JOIN ledger_memory ON ledger_memory.mind = ledger.mind AND ledger_memory.sequence = ledger.sequence
        WHERE ledger.mind = ?1 AND ledger.at > ?2
    )
  )
ORDER BY key
