//! Consolidation and pruning: what may be forgotten automatically, within a budget.

use std::collections::HashSet;

use crate::{Kind, Memory, MemoryId, Policy, Span, ThinningPolicy, Tier, Timestamp, Unit};

/// Reason a memory is protected from automatic forgetting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shield {
    /// It is a core memory.
    Core,
    /// The owner pinned it.
    Pinned,
    /// It does not expire: a client stores it under its own name until it deletes it.
    Endless,
    /// It supports a belief or founds an island.
    Founding,
    /// It is younger than seven days, or was restored within them.
    Young,
    /// It is important.
    Important,
    /// The user asked to remember it.
    Remember,
}

/// What a memory is for the self.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelfRole {
    /// It supports a belief or founds an island.
    Founding,
    /// Nothing.
    None,
}

impl SelfRole {
    /// Returns the role of `memory`, where `founding` are the memories that support a belief or found an island.
    pub fn of(memory: &Memory, founding: &HashSet<MemoryId>) -> Self {
        if founding.contains(&memory.id) { Self::Founding } else { Self::None }
    }
}

/// Returns why a memory is protected at `now`; `None` if it may be forgotten.
pub fn shield(memory: &Memory, role: SelfRole, now: Timestamp, policy: &Policy) -> Option<Shield> {
    let began = memory.term_began(&policy.tier).map_or(memory.created_at, |began| began.max(memory.created_at));
    if memory.tier == Tier::M0 {
        Some(Shield::Core)
    } else if memory.pinned {
        Some(Shield::Pinned)
    } else if memory.is_endless() {
        Some(Shield::Endless)
    } else if role == SelfRole::Founding {
        Some(Shield::Founding)
    } else if now.since(began) < Span::days(i64::from(policy.thinning.young_days)) {
        Some(Shield::Young)
    } else if memory.remember_this {
        Some(Shield::Remember)
    } else if memory.importance.get() >= policy.thinning.important_from {
        Some(Shield::Important)
    } else {
        None
    }
}

/// Returns how many memories one cycle may forget in a mind of `size`.
pub fn budget(size: usize, policy: &ThinningPolicy) -> usize {
    let least = if size > policy.budget_from { policy.budget_at_least } else { 0 };
    ((size as f32 * policy.budget_share) as usize).max(least).min(policy.budget_at_most)
}

/// Fields of a memory that pruning depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faded {
    /// The memory.
    pub memory: MemoryId,
    /// Importance.
    pub importance: Unit,
    /// Current strength.
    pub strength: Unit,
    /// Number of repeated mentions.
    pub mentions: u32,
    /// Whether it is in a longer tier; then fading does not end it before its term.
    pub kept_longer: bool,
    /// Whether it may be forgotten automatically.
    pub free: bool,
}

/// Whether a mind of `size` exceeds its capacity. Only then pruning considers memories that have not faded.
pub const fn is_crowded(size: usize, policy: &ThinningPolicy) -> bool {
    size > policy.most_memories
}

/// Returns the memories to forget in a mind of `size`: first those that faded and were never mentioned again, then, if the mind
/// exceeds its capacity, those with the lowest sum of importance and strength. Never more than the budget, or the excess up to
/// `budget_at_most`.
pub fn pruned(memories: &[Faded], size: usize, policy: &ThinningPolicy) -> Vec<MemoryId> {
    let over = size.saturating_sub(policy.most_memories);
    let mut free: Vec<&Faded> = memories.iter().filter(|memory| memory.free).collect();
    let worth = |memory: &Faded| memory.importance.get() + memory.strength.get();
    free.sort_by(|a, b| worth(a).total_cmp(&worth(b)).then(a.memory.cmp(&b.memory)));
    let faded = |memory: &Faded| memory.strength.get() < policy.prune_below && memory.mentions == 0 && !memory.kept_longer;
    let mut chosen: Vec<MemoryId> = free.iter().filter(|memory| faded(memory)).map(|memory| memory.memory).collect();
    let more = over.saturating_sub(chosen.len());
    let rest: Vec<MemoryId> = free.iter().filter(|memory| !faded(memory)).take(more).map(|memory| memory.memory).collect();
    chosen.extend(rest);
    chosen.truncate(budget(size, policy).max(over.min(policy.budget_at_most)));
    chosen
}

/// Returns the memory as semantic if it is episodic and was mentioned often enough.
pub fn settled(memory: &Memory, policy: &ThinningPolicy) -> Option<Memory> {
    (memory.kind == Kind::Episodic && memory.mentions >= policy.settles_at).then(|| Memory {
        kind: Kind::Semantic,
        importance: memory.importance.max(Unit::clamped(policy.settled_importance)),
        ..memory.clone()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::memories::memory::tests::plain;

    const AT: Timestamp = Timestamp::from_millis(1_780_000_000_000);

    fn faded(number: u8, importance: f32, strength: f32, mentions: u32) -> Faded {
        let memory = MemoryId::new(AT, [number; 10]);
        let (importance, strength) = (Unit::clamped(importance), Unit::clamped(strength));
        Faded { memory, importance, strength, mentions, kept_longer: false, free: true }
    }

    #[test]
    fn each_shield_protects() {
        let (policy, later) = (Policy::default(), AT.plus(Span::days(8)));
        let of = |change: fn(&mut Memory)| {
            let mut memory = plain(AT);
            change(&mut memory);
            shield(&memory, SelfRole::None, later, &policy)
        };
        assert_eq!(of(|_| {}), None);
        assert_eq!(of(|memory| memory.tier = Tier::M0), Some(Shield::Core));
        assert_eq!(of(|memory| memory.pinned = true), Some(Shield::Pinned));
        assert_eq!(of(|memory| memory.expires_at = None), Some(Shield::Endless));
        assert_eq!(of(|memory| memory.remember_this = true), Some(Shield::Remember));
        assert_eq!(of(|memory| memory.importance = Unit::clamped(0.8)), Some(Shield::Important));
        assert_eq!(shield(&plain(AT), SelfRole::Founding, later, &policy), Some(Shield::Founding));
        assert_eq!(shield(&plain(AT), SelfRole::None, AT.plus(Span::days(6)), &policy), Some(Shield::Young));
        assert_eq!(shield(&plain(AT), SelfRole::None, AT.plus(Span::days(7)), &policy), None);
        assert_eq!(
            shield(&plain(AT), SelfRole::None, AT.minus(Span::days(900)), &policy),
            Some(Shield::Young),
            "a clock gone back takes nothing"
        );
    }

    #[test]
    fn the_faintest_that_never_came_up_again_go_first() {
        let policy = ThinningPolicy { budget_share: 1.0, ..ThinningPolicy::default() };
        let memories = [faded(1, 0.3, 0.14, 0), faded(2, 0.3, 0.14, 1), faded(3, 0.3, 0.15, 0), faded(4, 0.1, 0.1, 0)];
        assert_eq!(pruned(&memories, memories.len(), &policy), [memories[3].memory, memories[0].memory]);
        let kept = memories.map(|memory| Faded { kept_longer: true, ..memory });
        assert!(pruned(&kept, kept.len(), &policy).is_empty(), "a longer tier keeps what it promises");
        let small = ThinningPolicy { most_memories: 2, prune_below: 0.0, ..policy };
        assert_eq!(pruned(&memories, memories.len(), &small), [memories[3].memory, memories[0].memory]);
    }

    #[test]
    fn what_was_mentioned_three_times_is_so() {
        let policy = ThinningPolicy::default();
        let mut memory = plain(AT);
        memory.mentions = 2;
        assert_eq!(settled(&memory, &policy), None);
        memory.mentions = 3;
        let so = settled(&memory, &policy).unwrap();
        assert_eq!((so.kind, so.importance), (Kind::Semantic, Unit::clamped(0.8)));
        assert_eq!(settled(&so, &policy), None);
    }

    proptest! {
        #[test]
        fn no_cycle_takes_more_than_its_budget_or_what_is_shielded(
            rows in prop::collection::vec((0.0f32..1.0, 0.0f32..1.0, 0u32..3, any::<bool>()), 0..200), room in 1usize..300
        ) {
            let policy = ThinningPolicy { most_memories: room, ..ThinningPolicy::default() };
            let memories: Vec<Faded> = rows.iter().enumerate().map(|(number, &(importance, strength, mentions, free))| {
                Faded { free, ..faded(number as u8, importance, strength, mentions) }
            }).collect();
            let taken = pruned(&memories, memories.len(), &policy);
            prop_assert!(taken.len() <= policy.budget_at_most);
            for id in &taken {
                prop_assert!(memories.iter().any(|memory| memory.memory == *id && memory.free));
            }
        }
    }
}
