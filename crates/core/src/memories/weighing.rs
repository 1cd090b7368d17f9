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
