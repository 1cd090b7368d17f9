//! How much a memory matters, from what speaks for it: at birth, and as that changes.

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

    /// Its importance from its grounds alone, with `references` memories linking to it: what a newborn has.
    pub fn weighed(&self, references: u32, policy: &ImportancePolicy) -> Unit {
        importance(&self.grounds(references), policy)
    }

    /// The memory once `references` memories link to it: importance grows by what they add. Being linked to less is no reason
    /// to matter less, since what referred to it may only have run out its time.
    pub fn referred(self, references: u32, policy: &ImportancePolicy) -> Self {
        let before = self.clone();
        Self { counted_references: references.max(self.counted_references), ..self }.reweighed(&before, policy)
    }

    /// The memory with the importance that follows from what is different since `before`: it moves by as much as its grounds
    /// did, so that whatever surprise, repetition or predictability had made of it stays. What the owner states now stands
    /// in place of all that.
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
