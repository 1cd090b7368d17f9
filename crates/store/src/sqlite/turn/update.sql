UPDATE turn SET content = ?2, face = ?3, withdrawn_at = ?4, stamp = ?5 WHERE key = ?1
