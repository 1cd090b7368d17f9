WHERE turn.mind = ?1 AND turn.withdrawn_at IS NULL
  AND NOT EXISTS (
      SELECT 1 FROM turn_vector
      WHERE turn_vector.mind = turn.mind AND turn_vector.embedder = ?2 AND turn_vector.turn = turn.key
  )
ORDER BY turn.key
LIMIT ?3
