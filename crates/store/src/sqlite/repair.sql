BEGIN IMMEDIATE;
DELETE FROM memory_vector
WHERE EXISTS (
    SELECT 1 FROM embedder, memory
    WHERE embedder.key = memory_vector.embedder AND memory.key = memory_vector.memory
      AND (length(memory_vector.vector) <> embedder.dims OR memory_vector.mind <> memory.mind)
);
DELETE FROM memory_vector WHERE memory NOT IN (SELECT key FROM memory);
UPDATE mind SET memories = (SELECT count(*) FROM memory WHERE memory.mind = mind.key AND standing = 'alive'), purges = purges + 1;
COMMIT;
