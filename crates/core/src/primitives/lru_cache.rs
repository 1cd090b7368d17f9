//! What was worked out lately, so that it need not be again. Only what depends on nothing but its key belongs here.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// Values by what they were worked out from, in two generations: what was asked for in neither goes.
pub struct Lately<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    room: usize,
}

impl<K: Clone + Eq + Hash, V: Clone> Lately<K, V> {
    /// Room for so many in each generation.
    pub fn with_room(room: usize) -> Self {
        Self { young: HashMap::new(), old: HashMap::new(), room }
    }

    /// What was worked out from this, if that is not too long ago.
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

    /// Takes down what was worked out.
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
        let mut lately: Lately<String, usize> = Lately::with_room(4);
        lately.put("asked".to_owned(), 0);
        lately.put("left".to_owned(), 1);
        for number in 0..32 {
            lately.put(format!("other {number}"), number);
            assert_eq!(lately.get("asked"), Some(0));
            assert!(lately.young.len() <= 4 && lately.old.len() <= 4);
        }
        assert_eq!(lately.get("left"), None);
    }
}
