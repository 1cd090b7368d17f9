INSERT INTO statement
    (mind, id, turn, at, "group", text, holder, status, probability, sure, valid_until, confirmed, withdrawn_at, repeated_by, ended_by, ended_at,
     said_values, corrects, ends)
VALUES
    (:mind, :id, :turn, :at, :group, :text, :holder, :status, :probability, :sure, :valid_until, :confirmed, :withdrawn_at,
     :repeated_by, :ended_by, :ended_at, :said_values, :corrects, :ends)
ON CONFLICT (mind, id) DO UPDATE SET
    at = excluded.at, "group" = excluded."group", text = excluded.text, holder = excluded.holder, status = excluded.status,
    probability = excluded.probability, sure = excluded.sure, valid_until = excluded.valid_until, confirmed = excluded.confirmed,
    withdrawn_at = excluded.withdrawn_at, repeated_by = excluded.repeated_by, ended_by = excluded.ended_by, ended_at = excluded.ended_at,
    said_values = excluded.said_values, corrects = excluded.corrects, ends = excluded.ends
