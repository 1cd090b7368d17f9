SELECT
    turn.id, turn.withdrawn_at IS NULL, turn.content, turn.at, turn.session, turn.sequence, turn.role, turn.speaker, turn_vector.vector
FROM turn
LEFT JOIN turn_vector ON turn_vector.mind = turn.mind AND turn_vector.embedder IS ?2 AND turn_vector.turn = turn.key
WHERE turn.mind = ?1 AND turn.stamp > ?3
ORDER BY turn.key
