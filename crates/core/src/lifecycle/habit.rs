//! Habits: an event that is mentioned repeatedly is a habit rather than a single event.

use crate::{CandidatePolicy, CandidateType, SessionId, Span, Timestamp, TurnId};

/// One mention of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventMention {
    /// Turn it was mentioned in.
    pub turn: TurnId,
    /// Session it was mentioned in.
    pub session: SessionId,
    /// Time of the mention.
    pub at: Timestamp,
    /// Midnight at which its day started.
    pub day: Timestamp,
}

/// Returns the earlier mentions that count in addition to `now`, oldest first: one per combination of session and day, none older
/// than `term`. Repeating it five times in a row counts once.
pub fn tellings(now: &EventMention, mut earlier: Vec<EventMention>, term: Option<Span>) -> Vec<TurnId> {
    let occasion = |telling: &EventMention| (telling.session.clone(), telling.day);
    let mut met = vec![occasion(now)];
    earlier.sort_by_key(|telling| (telling.at, telling.turn));
    earlier.retain(|telling| {
        let lately = telling.at <= now.at && term.is_none_or(|term| telling.at.plus(term) >= now.at);
        let counts = lately && telling.turn != now.turn && !met.contains(&occasion(telling));
        if counts {
            met.push(occasion(telling));
        }
        counts
    });
    earlier.into_iter().map(|telling| telling.turn).collect()
}

/// Whether a candidate of this type with so many mentions is a habit: an event at its maximum recurrence.
pub const fn is_habit(kind: CandidateType, times: u32, policy: &CandidatePolicy) -> bool {
    matches!(kind, CandidateType::Event) && times >= policy.seen_fully
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(number: u8, session: &str, hours: i64) -> EventMention {
        let at = Timestamp::from_millis(0).plus(Span::seconds(hours * 3600));
        let day = Timestamp::from_millis(0).plus(Span::seconds(hours / 24 * 24 * 3600));
        EventMention { turn: TurnId::from_bytes([number; 16]), session: SessionId::new(session).unwrap(), at, day }
    }

    fn check(earlier: Vec<EventMention>, counted: &[u8]) {
        let turns: Vec<TurnId> = counted.iter().map(|number| TurnId::from_bytes([*number; 16])).collect();
        assert_eq!(tellings(&told(9, "now", 24 * 40), earlier, Some(Span::seconds(30 * 86_400))), turns);
    }

    #[test]
    fn each_session_and_day_counts_once_and_the_current_one_not_at_all() {
        check(vec![told(1, "now", 24 * 40), told(2, "now", 24 * 40)], &[]);
        check(vec![told(2, "b", 24 * 39), told(1, "a", 24 * 38), told(3, "b", 24 * 39 + 1)], &[1, 2]);
        check(vec![told(1, "now", 24 * 38), told(2, "now", 24 * 39)], &[1, 2]);
    }

    #[test]
    fn what_was_told_before_the_term_or_after_now_does_not_count() {
        check(vec![told(1, "a", 24 * 9), told(2, "b", 24 * 10), told(3, "c", 24 * 41)], &[2]);
    }

    #[test]
    fn only_an_event_becomes_a_habit_and_only_when_told_often_enough() {
        let policy = CandidatePolicy::default();
        assert!(is_habit(CandidateType::Event, 3, &policy) && !is_habit(CandidateType::Event, 2, &policy));
        assert!(!is_habit(CandidateType::SmallTalk, 30, &policy) && !is_habit(CandidateType::Feeling, 3, &policy));
    }
}
