SELECT mind.id, webhook.mind, webhook.id, url, everywhere, secret, webhook.made_at, after, attempts, due_at, failing_since, problem, ended_at
FROM webhook JOIN mind ON mind.key = webhook.mind
WHERE ended_at IS NULL
  AND (due_at <= :now OR due_at > :beyond)
  AND after < (SELECT coalesce(max(sequence), 0) FROM ledger WHERE ledger.mind = webhook.mind)
ORDER BY due_at, webhook.id
LIMIT :limit
