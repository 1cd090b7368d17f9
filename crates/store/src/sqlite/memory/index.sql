SELECT
    memory.id, memory.standing = 'alive', memory.content, memory.created_at, memory.session, memory.sequence, memory.persona_name,
    memory.content_type, memory.importance, memory.strength, memory.strength_turn, memory.kind, memory.intensity, memory.tier,
    memory.pinned, memory.category, memory.zone, memory.emotions, memory.persona_id, memory.project, memory.domain,
    (SELECT json_group_array(tag) FROM memory_tag WHERE memory_tag.memory = memory.key HAVING count(*) > 0),
    memory_vector.vector, memory.recalls, max(memory.created_at, coalesce(memory.last_recalled_at, memory.created_at)), memory.appraisal,
    memory.rhythm_phase, memory.emotion_keywords, memory.stamp, memory.key
FROM memory
LEFT JOIN memory_vector ON memory_vector.mind = memory.mind AND memory_vector.embedder IS ?2 AND memory_vector.memory = memory.key
WHERE memory.mind = ?1 AND (memory.stamp, memory.key) > (?3, ?4)
ORDER BY memory.stamp, memory.key
LIMIT ?5
