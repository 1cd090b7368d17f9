WHERE turn.mind = ?1
  AND (?2 IS NULL OR turn.session = ?2)
  AND (?3 IS NULL OR (turn.at, turn.key) < (SELECT edge.at, edge.key FROM turn AS edge WHERE edge.mind = ?1 AND edge.id = ?3))
  AND (?4 IS NULL OR turn.at <= ?4)
  AND (?5 OR turn.withdrawn_at IS NULL)
ORDER BY turn.at DESC, turn.key DESC LIMIT ?6
