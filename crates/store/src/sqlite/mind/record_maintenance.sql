-- If something was written during the maintenance run, the mind is due again immediately.
UPDATE mind SET
    ticked_at = iif(:new_day, :at, ticked_at),
    care_due_at = iif((SELECT coalesce(max(sequence), 0) FROM ledger WHERE ledger.mind = :mind) = :head, :due, :at),
    leased_until = NULL
WHERE key = :mind
