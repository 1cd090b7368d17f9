INSERT INTO expense (mind, day, thought, model, requests, read, written)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (mind, day, thought, model) DO UPDATE SET
    requests = requests + excluded.requests, read = read + excluded.read, written = written + excluded.written
