INSERT INTO scene (mind, id, session, place, time, people, tone, topic, began_at, ended_at)
VALUES (:mind, :id, :session, :place, :time, :people, :tone, :topic, :began_at, :ended_at)
ON CONFLICT (mind, id) DO UPDATE SET
    place = excluded.place, time = excluded.time, people = excluded.people, tone = excluded.tone, topic = excluded.topic,
    ended_at = excluded.ended_at
