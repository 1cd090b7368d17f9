//! The cliff: where forgotten memories wait, and from where they come back or go for good.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
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

/// Nobody who looks at a mind at all looks this seldom.
const SEASON: Span = Span::days(100);

/// A caretaker's look at the cliff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// When it is.
    pub now: Timestamp,
    /// When somebody looked before.
    pub last: Timestamp,
    /// Whether the clock has leapt so far that it may be wrong.
    pub in_doubt: bool,
}

impl CliffPolicy {
    /// Whether a date on the cliff lies further ahead than any right clock would have set it.
    pub fn is_doubtful(&self, gone_at: Timestamp, now: Timestamp) -> bool {
        gone_at > now.plus(Span::days(i64::from(self.days) + i64::from(self.doubted_after)))
    }
}

/// What a look makes of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    /// It waits on.
    On,
    /// It waits anew, because the clock cannot be believed.
    Anew(CliffEntry),
    /// It waits once more, because its days ran out while nobody was there to look.
    Slept(CliffEntry),
    /// Its term had not run out: a clock that was ahead had let it fall.
    Mistaken,
    /// Its time is up.
    Over,
}

impl CliffEntry {
    /// What becomes of the entry at a look. A clock may be years wrong for an hour; nothing may end because of that. So a date
    /// that lies impossibly far ahead was made by a clock that was ahead, and a time that ran out while nobody looked for long is
    /// given once more.
    pub fn looked_at(&self, look: Look, policy: &CliffPolicy) -> Wait {
        let (days, far) = (Span::days(i64::from(policy.days)), Span::days(i64::from(policy.doubted_after)));
        let (now, anew) = (look.now, look.now.plus(days));
        if self.entered_at > now.plus(far) && self.reason == CliffReason::Expired {
            return Wait::Mistaken;
        }
        if policy.is_doubtful(self.gone_at, now) {
            return Wait::Anew(Self { entered_at: now, gone_at: anew, ..self.clone() });
        }
        if !self.is_gone(now) {
            return Wait::On;
        }
        // Once is enough: whoever looks only now and then must still see things go. Whole seasons are more likely a wrong clock.
        let (first, slept) = (self.gone_at == self.entered_at.plus(days), now.since(look.last));
        if look.in_doubt || slept > SEASON || first && slept > far {
            return Wait::Slept(Self { gone_at: anew, ..self.clone() });
        }
        Wait::Over
    }

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

    fn day(number: i64) -> Timestamp {
        Timestamp::from_millis(1_780_000_000_000 + number * 86_400_000)
    }

    #[test]
    fn a_clock_that_jumps_ends_nothing() {
        let policy = CliffPolicy::default();
        let entry = |reason| CliffEntry::entered(MemoryId::new(day(0), [0; 10]), Fall { at: day(0), reason, note: String::new() }, &policy);
        let manual = entry(CliffReason::Manual);
        let look = |last: i64, now: i64| Look { last: day(last), now: day(now), in_doubt: false };
        assert_eq!(manual.looked_at(look(6, 6), &policy), Wait::On);
        assert_eq!(manual.looked_at(look(6, 7), &policy), Wait::Over);
        assert_eq!(manual.looked_at(look(0, 21), &policy), Wait::Over, "three weeks of sleep are no jump");
        let leapt = Look { in_doubt: true, ..look(3651, 3658) };
        assert!(matches!(manual.looked_at(leapt, &policy), Wait::Slept(_)), "nothing goes by a clock that may come back");
        let Wait::Slept(ahead) = manual.looked_at(look(1, 3651), &policy) else { panic!("a jump is not believed") };
        assert_eq!((ahead.entered_at, ahead.gone_at), (day(0), day(3658)));
        assert_eq!(ahead.looked_at(look(3651, 3700), &policy), Wait::Over, "whoever looks every other month sees it go");
        let Wait::Anew(back) = ahead.looked_at(look(3651, 2), &policy) else { panic!("no date lies ten years ahead") };
        assert_eq!((back.entered_at, back.gone_at), (day(2), day(9)));
        assert_eq!(entry(CliffReason::Expired).looked_at(look(3650, -3650), &policy), Wait::Mistaken);
    }

    proptest! {
        #[test]
        fn no_clock_that_is_far_wrong_for_a_while_ends_anything(wrong in 31i64..5000, ahead in any::<bool>(), at in 0i64..7) {
            let policy = CliffPolicy::default();
            let fall = Fall { at: day(0), reason: CliffReason::Manual, note: String::new() };
            let mut entry = CliffEntry::entered(MemoryId::new(day(0), [0; 10]), fall, &policy);
            let wrong = if ahead { at + wrong } else { at - wrong };
            for look in [Look { last: day(at), now: day(wrong), in_doubt: false }, Look { last: day(wrong), now: day(at), in_doubt: false }] {
                match entry.looked_at(look, &policy) {
                    Wait::On => {}
                    Wait::Anew(anew) | Wait::Slept(anew) => entry = anew,
                    Wait::Mistaken | Wait::Over => prop_assert!(false, "it ended"),
                }
            }
            prop_assert!(entry.gone_at >= day(7) && entry.gone_at <= day(at + 7 + 30));
        }

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
