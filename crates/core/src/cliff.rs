//! The cliff: where forgotten memories wait, and from where they come back or go for good.

use serde::{Deserialize, Serialize};

use crate::word_enum::word_enum;
use crate::{CliffPolicy, MemoryId, Span, Timestamp};

word_enum! {
    /// Why a memory fell.
    CliffReason "reason" {
        /// Its term ran out, or it lay unrecalled in the cloud.
        Expired = "expired",
        /// Something took its place, or there was no room.
        Displaced = "displaced",
        /// Someone let it go.
        Manual = "manual",
    }
}

/// A fall: when, why, and the reason in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Fall {
    /// When it fell.
    pub at: Timestamp,
    /// Why.
    pub reason: CliffReason,
    /// Why, in words a person reads; never the memory's own text.
    pub note: String,
}

/// A memory on the cliff.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CliffEntry {
    /// Which memory.
    pub memory: MemoryId,
    /// When it entered.
    pub entered_at: Timestamp,
    /// When it will be gone.
    pub gone_at: Timestamp,
    /// Why it fell.
    pub reason: CliffReason,
    /// Why, in words.
    pub note: String,
}

impl CliffEntry {
    /// The entry of a memory that fell: gone seven full days after it entered, however late that was noticed.
    pub fn entered(memory: MemoryId, fall: Fall, policy: &CliffPolicy) -> Self {
        let gone_at = fall.at.plus(Span::days(i64::from(policy.days)));
        Self { memory, entered_at: fall.at, gone_at, reason: fall.reason, note: fall.note }
    }

    /// How long it can still be restored.
    pub fn time_left(&self, now: Timestamp) -> Span {
        self.gone_at.since(now)
    }

    /// Whether its time is up.
    pub fn is_gone(&self, now: Timestamp) -> bool {
        now >= self.gone_at
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_last_moment_is_still_there_and_the_next_is_not() {
        let at = Timestamp::from_millis(1_000);
        let fall = Fall { at, reason: CliffReason::Manual, note: String::new() };
        let entry = CliffEntry::entered(MemoryId::new(at, [0; 10]), fall, &CliffPolicy::default());
        assert!(!entry.is_gone(entry.gone_at.minus(Span::millis(1))));
        assert!(entry.is_gone(entry.gone_at));
    }

    proptest! {
        #[test]
        fn nothing_goes_before_seven_full_days(entered in 0i64..4_000_000_000_000, waited in -400_000_000_000i64..400_000_000_000) {
            let at = Timestamp::from_millis(entered);
            let fall = Fall { at, reason: CliffReason::Expired, note: String::new() };
            let entry = CliffEntry::entered(MemoryId::new(at, [0; 10]), fall, &CliffPolicy::default());
            let now = Timestamp::from_millis(entered + waited);
            prop_assert_eq!(entry.is_gone(now), waited >= 7 * 86_400_000);
            prop_assert_eq!(entry.time_left(now) == Span::ZERO, entry.is_gone(now));
        }
    }
}
