INSERT INTO imagination (mind, id, origin, theme, scenario, action, emotions, at, memory, liked, ignored)
VALUES (:mind, :id, :origin, :theme, :scenario, :action, :emotions, :at, :memory, :liked, :ignored)
ON CONFLICT (mind, id) DO UPDATE SET liked = excluded.liked, ignored = excluded.ignored
