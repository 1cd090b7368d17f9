INSERT INTO mind (id, user, character, work, made_at, turns, mood, ticked_at, salt)
VALUES (:id, :user, :character, :work, :made_at, :turns, :mood, :ticked_at, :salt)
ON CONFLICT (user, character, work) DO NOTHING
