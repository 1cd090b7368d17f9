//! Importance of a memory at creation, and its updates.

use crate::memories::importance::weight;
use crate::{ImportanceGrounds, ImportancePolicy, Memory, Unit, importance};

impl Memory {
    fn grounds(&self, references: u32) -> ImportanceGrounds {
        ImportanceGrounds {
            appraisal: self.appraisal,
            stated: self.stated_importance,
            rating: self.rating,
            references,
            sentiment: self.feeling.sentiment,
        }
    }

    /// Returns the importance computed from its inputs alone, with `references` links to it; used for new memories.
    pub fn weighed(&self, references: u32, policy: &ImportancePolicy) -> Unit {
        importance(&self.grounds(references), policy)
    }

    /// Returns the memory after a change in the number of links to it. Importance only grows: fewer links do not lower it,
    /// because the linking memory may just have expired.
    pub fn referred(self, references: u32, policy: &ImportancePolicy) -> Self {
        let before = self.clone();
        Self { counted_references: references.max(self.counted_references), ..self }.reweighed(&before, policy)
    }

    /// Returns the memory with its importance updated for the changes since `before`. It moves by the difference of the inputs,
    /// so that earlier adjustments for surprise, repetition or predictability remain. A newly stated importance replaces them.
    pub fn reweighed(mut self, before: &Self, policy: &ImportancePolicy) -> Self {
        let (old, new) = (before.grounds(before.counted_references), self.grounds(self.counted_references));
        if new.stated != old.stated {
            self.importance = importance(&new, policy);
        } else if new != old {
            self.importance = Unit::clamped(before.importance.get() + weight(&new, policy) - weight(&old, policy));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memories::memory::tests::plain;
    use crate::{Rating, Timestamp};

    #[test]
    fn midnight_only_ever_adds_what_refers_to_a_memory() {
        let policy = ImportancePolicy::default();
        let of = |importance: f32| Memory { importance: Unit::clamped(importance), ..plain(Timestamp::from_millis(1)) };
        for (given, why) in [(0.8, "it settled"), (0.54, "it was a surprise"), (0.21, "it was predictable"), (0.3, "nothing was given")] {
            let mut memory = of(given);
            for (references, expected) in [(1, 0.05), (1, 0.05), (3, 0.15), (2, 0.15), (0, 0.15), (90, 0.2)] {
                memory = memory.referred(references, &policy);
                let found = memory.importance.get();
                assert!((found - given - expected).abs() < 1e-6, "{why}: {found} with {references} references");
            }
        }
        assert_eq!(of(0.95).referred(4, &policy).importance, Unit::ONE);
    }

    #[test]
    fn a_hand_moves_importance_by_what_it_changed_and_a_stated_one_stands() {
        let policy = ImportancePolicy::default();
        let settled = Memory { importance: Unit::clamped(0.6), ..plain(Timestamp::from_millis(1)) };
        let rated = Memory { rating: Some(Rating::new(5).unwrap()), ..settled.clone() }.reweighed(&settled, &policy);
        assert!((rated.importance.get() - 0.9).abs() < 1e-6, "{:?}", rated.importance);
        let fewer = Memory { rating: Some(Rating::new(1).unwrap()), ..rated.clone() }.reweighed(&rated, &policy);
        assert!((fewer.importance.get() - 0.66).abs() < 1e-6, "{:?}", fewer.importance);
        let stated = Memory { stated_importance: Some(Unit::clamped(0.2)), ..settled.clone() }.reweighed(&settled, &policy);
        assert_eq!(stated.importance, Unit::clamped(0.2));
        assert_eq!(Memory { pinned: true, ..settled.clone() }.reweighed(&settled, &policy).importance, settled.importance);
    }
}
