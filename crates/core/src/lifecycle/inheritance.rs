//! What an essence takes over from the memories it is made of.

use std::collections::BTreeSet;

use crate::{Category, Emotion, Emotions, Feeling, IslandId, Kind, Memory, Rating, Timestamp, TurnId, Unit};

/// What an essence takes over from the memories it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Inheritance {
    /// What most of them feel like, as strongly as the strongest of those.
    pub feeling: Feeling,
    /// No more than the least trusted of them.
    pub trust: Unit,
    /// The most important one's.
    pub importance: Unit,
    /// The highest importance an owner stated.
    pub stated_importance: Option<Unit>,
    /// The highest appraisal.
    pub appraisal: Option<Unit>,
    /// What kind of remembering it is: what several have in common is no single event.
    pub kind: Kind,
    /// What it is about: the category most of them have.
    pub category: Option<Category>,
    /// The turns all of them were learned from.
    pub turns: Vec<TurnId>,
    /// How often all of it was told.
    pub told: u32,
    /// When it was last told.
    pub told_at: Timestamp,
    /// Whether someone said "remember this" of any.
    pub remember_this: bool,
    /// Whether any changed how the character behaves.
    pub changed_behaviour: bool,
    /// The island one of them belongs to.
    pub island: Option<IslandId>,
    /// The first one's labels.
    pub tags: Vec<String>,
    /// The owner's stars.
    pub rating: Option<Rating>,
}

/// What the essence of `members` takes over from them; there is at least one.
pub fn inherited(members: &[Memory]) -> Inheritance {
    let first = &members[0];
    let turns: BTreeSet<TurnId> = members.iter().flat_map(|memory| memory.turns.iter().copied()).collect();
    Inheritance {
        feeling: common_feeling(members),
        trust: members
            .iter()
            .map(|memory| memory.trust)
            .fold(Unit::ONE, |least, trust| if trust.get() < least.get() { trust } else { least }),
        importance: members.iter().map(|memory| memory.importance).fold(Unit::ZERO, Unit::max),
        stated_importance: members.iter().filter_map(|memory| memory.stated_importance).reduce(Unit::max),
        appraisal: members.iter().filter_map(|memory| memory.appraisal).reduce(Unit::max),
        kind: if members.len() > 1 { Kind::Semantic } else { first.kind },
        category: common_category(members),
        turns: turns.into_iter().collect(),
        told: tellings_of(members),
        told_at: members.iter().map(|memory| memory.created_at).max().unwrap_or(first.created_at),
        remember_this: members.iter().any(|memory| memory.remember_this),
        changed_behaviour: members.iter().any(|memory| memory.changed_behaviour),
        island: members.iter().find_map(|memory| memory.island),
        tags: first.tags.clone(),
        rating: members.iter().find_map(|memory| memory.rating),
    }
}

impl Memory {
    /// Counts the tellings in these turns, each once: what one message says twice was told once.
    pub fn heard_in(&mut self, turns: &[TurnId]) {
        for turn in turns {
            if !self.turns.contains(turn) {
                self.turns.push(*turn);
                self.mentions = self.mentions.saturating_add(1);
            }
        }
    }
}

/// How often what these memories tell was told. A turn that several of them were learned from is one telling; what they
/// count beyond their turns was told without one.
pub fn tellings_of<'a>(memories: impl IntoIterator<Item = &'a Memory>) -> u32 {
    let (mut turns, mut beyond) = (BTreeSet::new(), 0u32);
    for memory in memories {
        turns.extend(memory.turns.iter().copied());
        beyond = beyond.saturating_add(memory.told().saturating_sub(memory.turns.len() as u32));
    }
    beyond.saturating_add(turns.len() as u32).max(1)
}

/// The emotions at least half of those that feel anything have, or else the most common ones, with the strength of the
/// strongest of those that have one of them: three merry walks and one that ended badly are merry.
fn common_feeling(members: &[Memory]) -> Feeling {
    let feels = |memory: &&Memory, emotion: Emotion| memory.feeling.emotions.iter().any(|felt| felt == emotion);
    let counted: Vec<(Emotion, u32)> = Emotion::ALL
        .into_iter()
        .filter(|emotion| *emotion != Emotion::Neutral)
        .map(|emotion| (emotion, members.iter().filter(|memory| feels(memory, emotion)).map(Memory::told).sum()))
        .filter(|(_, count)| *count > 0)
        .collect();
    let moves = |memory: &&Memory| memory.feeling.emotions.iter().any(|emotion| emotion != Emotion::Neutral);
    let moved: u32 = members.iter().filter(moves).map(Memory::told).sum();
    let most = counted.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let least = most.min(moved.div_ceil(2));
    let common = counted.iter().filter(|(_, count)| *count >= least).map(|(emotion, _)| *emotion);
    let emotions = match moved {
        0 => Emotions::mix(members.iter().flat_map(|memory| memory.feeling.emotions.iter())),
        _ => Emotions::mix(common),
    };
    let shares = |memory: &&Memory| emotions.iter().next().is_none() || emotions.iter().any(|emotion| feels(memory, emotion));
    let strongest = members.iter().filter(shares).max_by(|a, b| a.feeling.intensity.get().total_cmp(&b.feeling.intensity.get()));
    Feeling { emotions, ..strongest.map(|memory| memory.feeling.clone()).unwrap_or_default() }
}

/// The category more than half of them have, or else the first one's.
fn common_category(members: &[Memory]) -> Option<Category> {
    let share = |category: Option<Category>| members.iter().filter(|memory| memory.category == category).count() * 2;
    members.iter().map(|memory| memory.category).find(|category| share(*category) > members.len()).unwrap_or(members[0].category)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memories::memory::tests::plain;
    use Emotion::*;

    const AT: Timestamp = Timestamp::from_millis(1_780_000_000_000);

    fn felt(emotions: &[Emotion], intensity: f32) -> Memory {
        Memory { feeling: Feeling::named(Emotions::mix(emotions.iter().copied()), Unit::clamped(intensity)), ..plain(AT) }
    }

    #[test]
    fn an_essence_feels_what_most_of_its_originals_do() {
        let check = |members: &[Memory], emotions: &[Emotion], intensity: f32| {
            let feeling = inherited(members).feeling;
            assert_eq!(feeling.emotions.iter().collect::<Vec<_>>(), emotions);
            assert!((feeling.intensity.get() - intensity).abs() < 1e-6, "{feeling:?}");
        };
        check(&[felt(&[Joy], 0.4), felt(&[Joy], 0.6), felt(&[Joy], 0.5), felt(&[Sadness], 0.95)], &[Joy], 0.6);
        check(&[felt(&[Joy], 0.4), felt(&[Neutral], 0.1), felt(&[Neutral], 0.1)], &[Joy], 0.4);
        check(&[felt(&[Joy], 0.4), felt(&[Sadness], 0.7)], &[Joy, Sadness, Nostalgia], 0.7);
        check(&[felt(&[Joy], 0.4), felt(&[Fear], 0.3), felt(&[Anger], 0.2)], &[Joy, Anger, Fear], 0.4);
        check(&[felt(&[Fear], 0.9)], &[Fear], 0.9);
    }

    #[test]
    fn an_essence_is_trusted_least_counted_whole_and_dated_by_the_last_telling() {
        let early = Memory { trust: Unit::clamped(0.5), importance: Unit::clamped(0.3), mentions: 4, ..plain(AT) };
        let late = Memory { importance: Unit::clamped(0.8), created_at: AT.plus(crate::Span::days(3)), ..plain(AT) };
        let taken = inherited(&[early.clone(), late.clone()]);
        assert_eq!((taken.trust, taken.importance), (Unit::clamped(0.5), Unit::clamped(0.8)));
        assert_eq!((taken.told, taken.told_at, taken.kind), (6, late.created_at, Kind::Semantic));
        assert_eq!(inherited(std::slice::from_ref(&early)).kind, early.kind);
    }

    #[test]
    fn a_telling_is_counted_once_whichever_memories_were_learned_from_it() {
        let learned = |turns: &[u8], mentions: u32| Memory {
            turns: turns.iter().map(|turn| TurnId::from_bytes([*turn; 16])).collect(),
            mentions,
            ..plain(AT)
        };
        for (members, told) in [
            (vec![learned(&[1, 2, 3], 2), learned(&[2, 3, 4], 2)], 4),
            (vec![learned(&[1], 0), learned(&[2], 0)], 2),
            // Told twice without a turn, and once with one.
            (vec![learned(&[], 1), learned(&[7], 0)], 3),
            (vec![learned(&[1], 2), learned(&[1, 2], 1)], 4),
            (vec![learned(&[], 0)], 1),
        ] {
            assert_eq!((tellings_of(&members), inherited(&members).told), (told, told));
        }
        let mut twice = learned(&[1], 0);
        twice.heard_in(&learned(&[1, 2, 2], 0).turns);
        assert_eq!((twice.told(), twice.turns.len()), (2, 2));
    }
}
