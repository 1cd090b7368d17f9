//! Islands: aspects of the personality founded on memories. An island is active while any founding memory exists, becomes
//! unstable when all are gone, collapses if none is restored in time, and can be rebuilt.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{Invalid, IslandId, IslandPolicy, MemoryId, Phrase, Span, Timestamp, Unit, phrase};

word_enum! {
    /// State of an island.
    IslandStatus "status" {
        /// At least one founding memory exists.
        Active = "active",
        /// All founding memories are gone; the owner is warned.
        Shaking = "shaking",
        /// None was restored in time.
        Collapsed = "collapsed",
        /// New core memories on the same theme are being collected.
        Rebuilding = "rebuilding",
    }
}

impl IslandStatus {
    /// Whether its traits currently belong to the character: while it is active or unstable.
    pub const fn shows(self) -> bool {
        matches!(self, Self::Active | Self::Shaking)
    }
}

/// An aspect of the personality founded on core memories.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Island {
    /// Id of the island.
    pub id: IslandId,
    /// Revision number, incremented by each write. A change names the revision it is based on.
    pub revision: u32,
    /// Name.
    pub name: String,
    /// Emoji.
    pub emoji: String,
    /// Description.
    pub description: String,
    /// Founding memories.
    pub founding: Vec<MemoryId>,
    /// New core memories on its theme, collected while the founding ones are gone.
    pub rebuilding: Vec<MemoryId>,
    /// Current state.
    pub status: IslandStatus,
    /// Time of the last state change.
    pub status_since: Timestamp,
    /// Strength.
    pub strength: Unit,
    /// Time it was created.
    pub made_at: Timestamp,
}

/// State change of an island, for the ledger and the owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IslandEvent {
    /// All founding memories are gone.
    Shook,
    /// None was restored in time; it collapsed.
    Fell,
    /// New core memories on its theme were created.
    Gathers,
    /// It is active again.
    Stands,
}

impl IslandEvent {
    /// Returns the message shown to the owner.
    pub fn words(self, island: &Island, policy: &IslandPolicy) -> Phrase {
        let (name, days) = (&island.name, policy.shaking_days);
        match self {
            Self::Shook => phrase!("core.island.shaking", name, days),
            Self::Fell => phrase!("core.island.collapsed", name),
            Self::Gathers => phrase!("core.island.rebuilding", name),
            Self::Stands => phrase!("core.island.stable", name),
        }
    }
}

/// Memories that support an island.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ground {
    /// Founding and rebuilding memories that can be recalled.
    pub alive: Vec<MemoryId>,
    /// Total recalls of the island's memories.
    pub recalls: u32,
}

impl Island {
    /// Returns the island in its state at `now`, and the state change, if any.
    ///
    /// One founding memory keeps it active. So do enough rebuilding ones, which then become the founding ones. With fewer it is
    /// rebuilding; with none it is shaking, and after `shaking_days` it collapses.
    pub fn settled(&self, ground: &Ground, now: Timestamp, policy: &IslandPolicy) -> (Self, Option<IslandEvent>) {
        use IslandStatus::*;
        let mut next = self.clone();
        next.rebuilding.retain(|memory| ground.alive.contains(memory));
        let event = if self.founding.iter().any(|memory| ground.alive.contains(memory)) {
            next.founding.append(&mut next.rebuilding);
            (self.status != Active).then_some((Active, IslandEvent::Stands))
        } else if next.rebuilding.len() >= policy.rebuilt_by {
            next.founding = std::mem::take(&mut next.rebuilding);
            Some((Active, IslandEvent::Stands))
        } else if !next.rebuilding.is_empty() {
            (self.status != Rebuilding).then_some((Rebuilding, IslandEvent::Gathers))
        } else {
            match self.status {
                Active | Rebuilding => Some((Shaking, IslandEvent::Shook)),
                Shaking if self.collapses_at(policy).is_some_and(|at| now >= at) => Some((Collapsed, IslandEvent::Fell)),
                Shaking | Collapsed => None,
            }
        };
        if let Some((status, _)) = event {
            (next.status, next.status_since) = (status, now);
        }
        next.strength = next.strong(ground, policy);
        (next, event.map(|(_, event)| event))
    }

    /// Returns the time a shaking island collapses.
    pub fn collapses_at(&self, policy: &IslandPolicy) -> Option<Timestamp> {
        (self.status == IslandStatus::Shaking).then(|| self.status_since.plus(Span::days(i64::from(policy.shaking_days))))
    }

    /// Computes `standing_share * (share of founding memories that exist) + (1 - standing_share) * ln(1 + recalls) / ln(1 +
    /// full_recalls)`; 0 if none exists.
    fn strong(&self, ground: &Ground, policy: &IslandPolicy) -> Unit {
        let there = self.founding.iter().chain(&self.rebuilding).filter(|memory| ground.alive.contains(memory)).count();
        let all = if self.status == IslandStatus::Rebuilding { policy.rebuilt_by } else { self.founding.len() };
        if there == 0 {
            return Unit::ZERO;
        }
        let share = there as f32 / all.max(1) as f32;
        let recalled = (ground.recalls as f32).ln_1p() / (policy.full_recalls as f32).ln_1p();
        let strength = policy.standing_share * share.min(1.0) + (1.0 - policy.standing_share) * recalled.min(1.0);
        // Rounded to the two decimals shown in the UI; otherwise every recall would rewrite the row.
        Unit::clamped((strength * 100.0).round() / 100.0)
    }
}

/// Validates an island's name: one line of 1 to 40 characters.
pub fn island_name(text: &str) -> Result<String, Invalid> {
    named("island", text, 40)
}

/// Validates an island's description: one line of up to 300 characters, may be empty.
pub fn island_description(text: &str) -> Result<String, Invalid> {
    if text.trim().is_empty() { Ok(String::new()) } else { named("description", text, 300) }
}

/// Validates an island's emoji: 1 to 8 characters, no letters, digits or markup.
pub fn island_emoji(text: &str) -> Result<String, Invalid> {
    let text = text.trim();
    let fits = !text.is_empty()
        && text.chars().count() <= 8
        && !text.chars().any(|letter| letter.is_control() || letter.is_alphanumeric() || "<>#*`".contains(letter));
    fits.then(|| text.to_owned()).ok_or_else(|| Invalid::new("emoji", phrase!("core.island.emoji_form")))
}

fn named(field: &'static str, text: &str, most: usize) -> Result<String, Invalid> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.chars().count() > most || text.chars().any(char::is_control) {
        return Err(Invalid::new(field, phrase!("core.island.name_form", most)));
    }
    Ok(text)
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    const AT: Timestamp = Timestamp::from_millis(1_780_000_000_000);

    fn memory(number: u8) -> MemoryId {
        MemoryId::new(AT, [number; 10])
    }

    pub(crate) fn island(founding: &[u8]) -> Island {
        Island {
            id: IslandId::new(AT, [1; 10]),
            revision: 0,
            name: "주인과의 유대".into(),
            emoji: "🏠".into(),
            description: "함께한 시간에서 자란 마음".into(),
            founding: founding.iter().copied().map(memory).collect(),
            rebuilding: Vec::new(),
            status: IslandStatus::Active,
            status_since: AT,
            strength: Unit::clamped(0.5),
            made_at: AT,
        }
    }

    fn ground(alive: &[u8]) -> Ground {
        Ground { alive: alive.iter().copied().map(memory).collect(), recalls: 0 }
    }

    #[test]
    fn the_story_of_an_island() {
        use IslandEvent::*;
        use IslandStatus::*;
        let policy = IslandPolicy::default();
        let day = |day: i64| AT.plus(Span::days(day));
        let mut now = island(&[1, 2]);
        // Day, existing founders (1 and 2) and new memories, resulting state, and reported event.
        for (at, founders, newcomers, status, told) in [
            (0, &[1u8, 2][..], &[][..], Active, None),
            (1, &[2], &[], Active, None),
            (2, &[], &[], Shaking, Some(Shook)),
            (8, &[], &[], Shaking, None),
            (9, &[], &[], Collapsed, Some(Fell)),
            (10, &[], &[], Collapsed, None),
            (20, &[], &[7], Rebuilding, Some(Gathers)),
            (21, &[], &[7, 8], Rebuilding, None),
            (22, &[], &[7, 8, 9], Active, Some(Stands)),
        ] {
            for newcomer in newcomers.iter().copied().map(memory) {
                if !now.rebuilding.contains(&newcomer) && !now.founding.contains(&newcomer) {
                    now.rebuilding.push(newcomer);
                }
            }
            let (next, event) = now.settled(&ground(&[founders, newcomers].concat()), day(at), &policy);
            assert_eq!((next.status, event), (status, told), "day {at}");
            now = next;
        }
        assert_eq!(now.founding, [memory(7), memory(8), memory(9)], "it stands on what rebuilt it");
        assert_eq!(now.status_since, day(22));
    }

    #[test]
    fn one_restored_founder_calms_it_at_any_time() {
        let policy = IslandPolicy::default();
        for status in [IslandStatus::Shaking, IslandStatus::Collapsed, IslandStatus::Rebuilding] {
            let shaken = Island { status, rebuilding: vec![memory(9)], ..island(&[1, 2]) };
            let (calm, event) = shaken.settled(&ground(&[2, 9]), AT, &policy);
            assert_eq!((calm.status, event), (IslandStatus::Active, Some(IslandEvent::Stands)), "{status}");
            assert_eq!(calm.founding, [memory(1), memory(2), memory(9)]);
        }
    }

    #[test]
    fn the_last_moment_before_the_fall_is_still_shaking() {
        let policy = IslandPolicy::default();
        let shaking = Island { status: IslandStatus::Shaking, ..island(&[1]) };
        let ends = shaking.collapses_at(&policy).unwrap();
        assert_eq!(ends, AT.plus(Span::days(7)));
        assert_eq!(shaking.settled(&ground(&[]), ends.minus(Span::millis(1)), &policy).0.status, IslandStatus::Shaking);
        assert_eq!(shaking.settled(&ground(&[]), ends, &policy).0.status, IslandStatus::Collapsed);
    }

    #[test]
    fn strength_follows_recalls_and_ground() {
        let policy = IslandPolicy::default();
        let strength = |founders: &[u8], recalls: u32| {
            let ground = Ground { recalls, ..ground(founders) };
            island(&[1, 2]).settled(&ground, AT, &policy).0.strength.get()
        };
        assert_eq!(strength(&[1, 2], 0), 0.5);
        assert_eq!(strength(&[1, 2], 30), 1.0);
        assert_eq!(strength(&[1, 2], 9999), 1.0);
        assert_eq!(strength(&[1], 0), 0.25);
        assert_eq!(strength(&[], 30), 0.0);
        assert!((strength(&[1, 2], 5) - 0.76).abs() < 1e-6, "{}", strength(&[1, 2], 5));
    }

    #[test]
    fn names_are_short_lines_and_signs_are_signs() {
        assert_eq!(island_name("  주인과의  유대 ").unwrap(), "주인과의 유대");
        assert!(island_name("").is_err() && island_name(&"가".repeat(41)).is_err());
        assert!(island_emoji("🏝️").is_ok() && island_emoji("abc").is_err() && island_emoji("<!--").is_err() && island_emoji("").is_err());
        assert_eq!(island_description(" ").unwrap(), "");
    }

    proptest! {
        #[test]
        fn an_island_with_a_founder_stands_and_nothing_falls_before_its_days(
            steps in prop::collection::vec((0i64..5 * 86_400_000, prop::bool::ANY, 0usize..4), 1..30)
        ) {
            let policy = IslandPolicy::default();
            let (mut now, mut clock, mut shook) = (island(&[1]), AT, None);
            for (later, founder, newcomers) in steps {
                clock = clock.plus(Span::millis(later));
                let mut there: Vec<u8> = (10..10 + newcomers as u8).collect();
                now.rebuilding = there.iter().copied().map(memory).filter(|id| !now.founding.contains(id)).collect();
                there.extend(founder.then_some(1));
                let there = ground(&there);
                let (next, event) = now.settled(&there, clock, &policy);
                let founded = now.founding.iter().any(|id| there.alive.contains(id));
                prop_assert!(!founded || next.status == IslandStatus::Active);
                if event == Some(IslandEvent::Shook) { shook = Some(clock); }
                if event == Some(IslandEvent::Fell) {
                    prop_assert!(clock.since(shook.unwrap()) >= Span::days(7));
                }
                let (again, nothing) = next.settled(&there, clock, &policy);
                prop_assert_eq!((&again, nothing), (&next, None), "settling twice changes nothing");
                now = next;
            }
        }
    }
}
