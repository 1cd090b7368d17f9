INSERT INTO expense (mind, day, thought, model, requests, read, written)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (mind, day, thought, model) DO UPDATE SET
    requests = min(requests + excluded.requests, 1000000000000000),
    read = min(read + excluded.read, 1000000000000000),
    written = min(written + excluded.written, 1000000000000000)
