//! Small cache for pure functions: a value must depend only on its key.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// Two-generation cache (approximate LRU). An entry that is not used within two generations is evicted.
pub struct LruCache<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    room: usize,
}

impl<K: Clone + Eq + Hash, V: Clone> LruCache<K, V> {
    /// Creates a cache with room for this many entries per generation.
    pub fn with_room(room: usize) -> Self {
        Self { young: HashMap::new(), old: HashMap::new(), room }
    }

    /// Returns the cached value and marks it as recently used.
    pub fn get<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        if let Some(value) = self.young.get(key) {
            return Some(value.clone());
        }
        let (key, value) = self.old.remove_entry(key)?;
        self.put(key, value.clone());
        Some(value)
    }

    /// Stores a value.
    pub fn put(&mut self, key: K, value: V) {
        if self.young.len() >= self.room {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_what_is_not_goes() {
        let mut cache: LruCache<String, usize> = LruCache::with_room(4);
        cache.put("asked".to_owned(), 0);
        cache.put("left".to_owned(), 1);
        for number in 0..32 {
            cache.put(format!("other {number}"), number);
            assert_eq!(cache.get("asked"), Some(0));
            assert!(cache.young.len() <= 4 && cache.old.len() <= 4);
        }
        assert_eq!(cache.get("left"), None);
    }
}
