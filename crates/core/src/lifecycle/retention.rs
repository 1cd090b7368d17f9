//! Optional retention limits per session: how many sessions, memories and bytes a mind keeps, when memories are archived and when
//! they are forgotten. Memories beyond a limit enter the cliff.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{MemoryId, RetentionPolicy, Session, SessionId, Span, Timestamp, Unit};

word_enum! {
    /// Limit that a memory exceeds.
    Limit "limit" {
        /// Its session is not among the latest ones, and it is unimportant.
        Sessions = "sessions",
        /// Its session has too many memories.
        PerSession = "per_session",
        /// The mind is too large.
        Size = "size",
    }
}

/// Fields of a memory that retention depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct RetainedMemory {
    /// The memory.
    pub memory: MemoryId,
    /// Session it was created in.
    pub session: Option<SessionId>,
    /// Importance.
    pub importance: Unit,
    /// Size in bytes.
    pub bytes: u64,
    /// Whether it may be forgotten automatically.
    pub free: bool,
}

/// Returns the memories that exceed a limit, each once. `sessions` must be sorted with the latest first.
pub fn beyond(kept: &[RetainedMemory], sessions: &[Session], policy: &RetentionPolicy) -> Vec<(MemoryId, Limit)> {
    let mut over: HashMap<MemoryId, Limit> = HashMap::new();
    // Least important first, ties resolved by id so that the result is deterministic.
    let mut order: Vec<&RetainedMemory> = kept.iter().collect();
    order.sort_by(|a, b| a.importance.get().total_cmp(&b.importance.get()).then(a.memory.cmp(&b.memory)));
    for session in sessions.iter().skip(policy.sessions) {
        let of_it = order.iter().filter(|kept| kept.session.as_ref() == Some(&session.name));
        let little = of_it.filter(|kept| kept.free && kept.importance.get() < policy.unimportant_below);
        over.extend(little.map(|kept| (kept.memory, Limit::Sessions)));
    }
    let mut in_session: HashMap<&SessionId, usize> = HashMap::new();
    for session in order.iter().filter_map(|kept| kept.session.as_ref()) {
        *in_session.entry(session).or_default() += 1;
    }
    for kept in &order {
        let Some(count) = kept.session.as_ref().and_then(|session| in_session.get_mut(session)) else { continue };
        let full = *count > policy.memories_per_session && kept.free;
        if full {
            over.entry(kept.memory).or_insert(Limit::PerSession);
        }
        *count -= usize::from(over.contains_key(&kept.memory));
    }
    let mut bytes: u64 = kept.iter().filter(|kept| !over.contains_key(&kept.memory)).map(|kept| kept.bytes).sum();
    for kept in &order {
        if bytes <= policy.megabytes << 20 {
            break;
        }
        if kept.free && !over.contains_key(&kept.memory) {
            bytes -= kept.bytes;
            over.insert(kept.memory, Limit::Size);
        }
    }
    let mut over: Vec<(MemoryId, Limit)> = over.into_iter().collect();
    over.sort_by_key(|(memory, _)| *memory);
    over
}

/// Whether a session ended long enough ago to archive its memories.
pub fn is_to_archive(session: &Session, now: Timestamp, policy: &RetentionPolicy) -> bool {
    now.since(session.last_at) >= Span::days(i64::from(policy.archive_after_days))
}

/// Archived memories of one session, as compressed JSON lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Archive {
    /// The session.
    pub session: SessionId,
    /// Number of the archive within the session, starting at 1.
    pub part: u32,
    /// Time it was created.
    pub made_at: Timestamp,
    /// Time of the session's last message.
    pub last_at: Timestamp,
    /// Number of memories in it.
    pub memories: u32,
    /// JSON lines, compressed with zstd.
    #[serde(skip)]
    pub lines: Vec<u8>,
}

impl Archive {
    /// Returns the time from which its memories may enter the cliff, if their own term has ended.
    pub fn goes_at(&self, policy: &RetentionPolicy) -> Timestamp {
        self.last_at.plus(Span::days(i64::from(policy.delete_after_days)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_780_000_000_000);

    fn session(name: &str, days_ago: i64) -> Session {
        let at = NOW.minus(Span::days(days_ago));
        Session { name: SessionId::new(name).unwrap(), began_at: at, last_at: at, last_sequence: 1, branched_from: None }
    }

    fn kept(number: u8, session: &str, importance: f32) -> RetainedMemory {
        RetainedMemory {
            memory: MemoryId::new(NOW, [number; 10]),
            session: Some(SessionId::new(session).unwrap()),
            importance: Unit::clamped(importance),
            bytes: 1 << 20,
            free: true,
        }
    }

    fn check(kept: &[RetainedMemory], policy: &RetentionPolicy, expected: &[(usize, Limit)]) {
        let sessions = [session("c", 1), session("b", 10), session("a", 20)];
        let expected: Vec<_> = expected.iter().map(|&(place, limit)| (kept[place].memory, limit)).collect();
        assert_eq!(beyond(kept, &sessions, policy), expected);
    }

    #[test]
    fn the_oldest_sessions_lose_what_mattered_little() {
        let all = [kept(1, "a", 0.29), kept(2, "a", 0.3), kept(3, "b", 0.1), kept(4, "c", 0.1)];
        let policy = RetentionPolicy { sessions: 2, ..RetentionPolicy::default() };
        check(&all, &policy, &[(0, Limit::Sessions)]);
        check(&all, &RetentionPolicy { sessions: 3, ..policy.clone() }, &[]);
        let mut kept = all;
        kept[0].free = false;
        check(&kept, &policy, &[]);
    }

    #[test]
    fn a_full_session_and_a_full_mind_lose_the_least_important() {
        let all = [kept(1, "c", 0.9), kept(2, "c", 0.4), kept(3, "c", 0.6), kept(4, "b", 0.5)];
        check(&all, &RetentionPolicy { memories_per_session: 2, ..RetentionPolicy::default() }, &[(1, Limit::PerSession)]);
        check(&all, &RetentionPolicy { megabytes: 2, ..RetentionPolicy::default() }, &[(1, Limit::Size), (3, Limit::Size)]);
        check(&all, &RetentionPolicy { megabytes: 4, ..RetentionPolicy::default() }, &[]);
    }

    #[test]
    fn a_session_is_archived_after_thirty_days_and_goes_after_a_hundred_and_eighty() {
        let policy = RetentionPolicy::default();
        assert!(is_to_archive(&session("a", 30), NOW, &policy) && !is_to_archive(&session("a", 29), NOW, &policy));
        let last_at = NOW.minus(Span::days(31));
        let session = SessionId::new("a").unwrap();
        let archive = Archive { session, part: 1, made_at: NOW, last_at, memories: 0, lines: Vec::new() };
        assert_eq!(archive.goes_at(&policy), last_at.plus(Span::days(180)));
    }

    proptest! {
        #[test]
        fn nothing_is_taken_twice_or_against_its_will_and_limits_hold_where_they_can(
            rows in prop::collection::vec((0u8..3, 0.0f32..1.0, any::<bool>()), 0..40), most in 1usize..20, room in 1u64..30
        ) {
            let all: Vec<RetainedMemory> = rows.iter().enumerate().map(|(number, &(session, importance, free))| {
                RetainedMemory { free, ..kept(number as u8, ["a", "b", "c"][session as usize], importance) }
            }).collect();
            let policy = RetentionPolicy { sessions: 1, memories_per_session: most, megabytes: room, ..RetentionPolicy::default() };
            let sessions = [session("c", 1), session("b", 10), session("a", 20)];
            let over = beyond(&all, &sessions, &policy);
            let gone = |kept: &&RetainedMemory| over.iter().any(|(memory, _)| *memory == kept.memory);
            prop_assert!(all.iter().filter(gone).all(|kept| kept.free));
            let left: Vec<&RetainedMemory> = all.iter().filter(|kept| !gone(kept)).collect();
            let free_left = left.iter().filter(|kept| kept.free).count();
            prop_assert!(free_left == 0 || left.len() as u64 <= room);
            for name in ["a", "b", "c"] {
                let of_it: Vec<_> = left.iter().filter(|kept| kept.session.as_ref().unwrap().as_str() == name).collect();
                prop_assert!(of_it.len() <= most || of_it.iter().all(|kept| !kept.free));
            }
        }
    }
}
