//! The cliff: forgotten memories stay here until they are restored or deleted permanently.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{CliffPolicy, MemoryId, Span, Timestamp};

word_enum! {
    /// Why a memory entered the cliff.
    CliffReason "reason" {
        /// Its term ended, or it stayed in the cloud without a recall.
        Expired = "expired",
        /// Another memory replaced it, or the mind was full.
        Displaced = "displaced",
        /// A person or agent deleted it.
        Manual = "manual",
    }
}

/// Time and reason of entering the cliff.
#[derive(Clone, Debug, PartialEq)]
pub struct Fall {
    /// Time it entered.
    pub at: Timestamp,
    /// Reason.
    pub reason: CliffReason,
    /// Human-readable reason. Never contains the memory's text.
    pub note: String,
}

/// A memory on the cliff.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CliffEntry {
    /// The memory.
    pub memory: MemoryId,
    /// Time it entered.
    pub entered_at: Timestamp,
    /// Time of permanent deletion.
    pub gone_at: Timestamp,
    /// Reason it entered.
    pub reason: CliffReason,
    /// Human-readable reason.
    pub note: String,
}

/// Longest plausible interval between two worker runs. A longer one indicates a wrong clock.
const SEASON: Span = Span::days(100);

/// A worker run over the cliff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Current time.
    pub now: Timestamp,
    /// Time of the previous run.
    pub last: Timestamp,
    /// Whether the clock jumped so far that it may be wrong.
    pub in_doubt: bool,
}

impl CliffPolicy {
    /// Whether a deletion time is further ahead than a correct clock could have set it.
    pub fn is_doubtful(&self, gone_at: Timestamp, now: Timestamp) -> bool {
        gone_at > now.plus(Span::days(i64::from(self.days) + i64::from(self.doubted_after)))
    }
}

/// Outcome of a worker run for one entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    /// It keeps waiting.
    On,
    /// The waiting period restarts because the clock is not trusted.
    Anew(CliffEntry),
    /// The waiting period is granted once more because it ended while the worker was not running.
    Slept(CliffEntry),
    /// The term had not ended: a clock that was ahead expired it by mistake.
    Mistaken,
    /// The waiting period is over.
    Over,
}

impl CliffEntry {
    /// Decides about the entry. A clock may be years off for an hour, and that must not delete anything. So a timestamp that is
    /// impossibly far ahead is attributed to a clock that was ahead, and a waiting period that ended during a long pause of the
    /// worker is granted once more.
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
        // A pause beyond `doubted_after` extends the period only once, so that minds opened rarely still delete entries. A pause
        // of more than 100 days indicates a wrong clock and always extends it.
        let (first, slept) = (self.gone_at == self.entered_at.plus(days), now.since(look.last));
        if look.in_doubt || slept > SEASON || first && slept > far {
            return Wait::Slept(Self { gone_at: anew, ..self.clone() });
        }
        Wait::Over
    }

    /// Creates the entry of a memory. It is deleted `days` full days after it entered, however late that is processed.
    pub fn entered(memory: MemoryId, fall: Fall, policy: &CliffPolicy) -> Self {
        let gone_at = fall.at.plus(Span::days(i64::from(policy.days)));
        Self { memory, entered_at: fall.at, gone_at, reason: fall.reason, note: fall.note }
    }

    /// Returns the time for which it can still be restored.
    pub fn time_left(&self, now: Timestamp) -> Span {
        self.gone_at.since(now)
    }

    /// Whether its waiting period is over.
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
