SELECT link.to_memory, count(*)
FROM link
JOIN memory ON memory.key = link.to_memory
WHERE link.mind = ?1 AND memory.standing = 'alive'
GROUP BY link.to_memory
HAVING count(*) > memory.counted_references
