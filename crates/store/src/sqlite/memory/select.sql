SELECT
    id, external_id, revision, standing, content, essence_subject, essence_times, original_event, interpretation, summary, kind, category, source, knowledge,
    emotions, intensity, sentiment, affect_amplitude, emotion_confidence, emotion_keywords, trust, importance,
    stated_importance, appraisal, counted_references, strength, strength_turn, recalls, mentions, last_recalled_at, created_at, edited_at,
    tier, expires_at, promoted_from, pinned, remember_this, changed_behaviour, island, zone, zone_score, rating, session,
    sequence, minutes, project, domain, file_context, depth_index, persona_id, persona_name, persona_role, backend,
    content_type, prompt_digest, token_count, phase_injection_applied, error_occurred, rhythm_phase, priority,
    (SELECT json_group_array(tag) FROM memory_tag WHERE memory = memory.key) AS tags,
    (SELECT CAST(group_concat(CAST(turn AS TEXT), '') AS BLOB) FROM memory_turn WHERE memory = memory.key) AS turns
FROM memory
