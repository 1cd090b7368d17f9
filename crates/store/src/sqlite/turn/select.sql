SELECT
    turn.id, turn.session, turn.sequence, turn.role, turn.speaker, turn.content, turn.at, turn.face, turn.withdrawn_at,
    (SELECT group_concat(hex(turn_memory.memory)) FROM turn_memory WHERE turn_memory.turn = turn.key)
FROM turn
