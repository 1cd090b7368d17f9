UPDATE memory
SET revision = :revision + 1, stamp = :stamp,
    external_id = :external_id, standing = :standing, content = :content, essence_subject = :essence_subject,
    essence_times = :essence_times, original_event = :original_event,
    interpretation = :interpretation, summary = :summary, kind = :kind, category = :category, source = :source,
    knowledge = :knowledge, emotions = :emotions, intensity = :intensity, sentiment = :sentiment,
    affect_amplitude = :affect_amplitude, emotion_confidence = :emotion_confidence, emotion_keywords = :emotion_keywords,
    trust = :trust, importance = :importance, stated_importance = :stated_importance, appraisal = :appraisal,
    counted_references = :counted_references,
    strength = :strength, strength_turn = :strength_turn, recalls = :recalls, mentions = :mentions,
    last_recalled_at = :last_recalled_at, created_at = :created_at, edited_at = :edited_at, tier = :tier, expires_at = :expires_at,
    promoted_from = :promoted_from, pinned = :pinned, remember_this = :remember_this,
    changed_behaviour = :changed_behaviour, island = :island, zone = :zone, zone_score = :zone_score,
    rating = :rating, session = :session, sequence = :sequence, minutes = :minutes, project = :project, domain = :domain,
    file_context = :file_context, depth_index = :depth_index, persona_id = :persona_id, persona_name = :persona_name,
    persona_role = :persona_role, backend = :backend, content_type = :content_type, prompt_digest = :prompt_digest,
    token_count = :token_count, phase_injection_applied = :phase_injection_applied, error_occurred = :error_occurred,
    rhythm_phase = :rhythm_phase, priority = :priority
WHERE id = :id AND mind = :mind AND revision = :revision
