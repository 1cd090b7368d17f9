-- The latest scene is asked for with every turn: found without reading all there ever were.

CREATE INDEX scene_by_time ON scene (mind, began_at, id);
