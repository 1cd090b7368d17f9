SELECT
    turn.id, turn.withdrawn_at IS NULL, turn.content, turn.at, turn.session, turn.sequence, turn.role, turn.speaker, turn_vector.vector,
    turn.stamp, turn.key
FROM turn
LEFT JOIN turn_vector ON turn_vector.mind = turn.mind AND turn_vector.embedder IS ?2 AND turn_vector.turn = turn.key
WHERE turn.mind = ?1 AND (turn.stamp, turn.key) > (?3, ?4)
ORDER BY turn.stamp, turn.key
LIMIT ?5
