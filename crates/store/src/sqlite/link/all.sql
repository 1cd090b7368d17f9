SELECT source.id, target.id, link.kind
FROM link
JOIN memory AS source ON source.key = link.from_memory
JOIN memory AS target ON target.key = link.to_memory
WHERE link.mind = ?1
ORDER BY source.id, target.id, link.kind
