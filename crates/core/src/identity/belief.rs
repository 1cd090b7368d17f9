//! Beliefs ("I am someone who ...") and the versioned self, with the supporting memories.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{BeliefId, BeliefPolicy, Invalid, Island, IslandId, Memory, MemoryId, ProposalId, Timestamp, Unit, phrase};

/// A statement of the form "I am someone who ...".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// Id of the belief; unchanged when the belief is reworded.
    pub id: BeliefId,
    /// The statement.
    pub statement: String,
    /// Confidence in the belief.
    pub confidence: Unit,
    /// Supporting memories.
    pub supporting: Vec<MemoryId>,
    /// Island it belongs to.
    pub island: Option<IslandId>,
    /// Time it was formed.
    pub formed_at: Timestamp,
}

impl Belief {
    /// Returns its island: the assigned one, otherwise the first island that shares a founding or rebuilding memory with it.
    pub fn island_among<'a>(&self, islands: &'a [Island]) -> Option<&'a Island> {
        let stands = |island: &&Island| island.founding.iter().chain(&island.rebuilding).any(|memory| self.supporting.contains(memory));
        let given = self.island.and_then(|id| islands.iter().find(|island| island.id == id));
        given.or_else(|| islands.iter().find(stands))
    }
}

word_enum! {
    /// Why a version of the self was created.
    SelfReason "reason" {
        /// First version.
        Formed = "formed",
        /// The owner approved a change.
        Approved = "approved",
        /// The owner returned to an earlier version.
        Returned = "returned",
        /// The owner undid an approval.
        Undone = "undone",
        /// A supporting memory was erased.
        Erased = "erased",
        /// Imported.
        Imported = "imported",
    }
}

/// One version of the self.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfVersion {
    /// Version number, starting at 1.
    pub version: u64,
    /// Time it was created.
    pub made_at: Timestamp,
    /// Why it was created.
    pub reason: SelfReason,
    /// Proposal it results from.
    pub proposal: Option<ProposalId>,
    /// Beliefs of this version.
    pub beliefs: Vec<Belief>,
}

/// One difference between two versions of the self.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum BeliefChange {
    /// A belief was added.
    Added {
        /// The belief.
        belief: Belief,
    },
    /// A belief was changed.
    Changed {
        /// The belief before the change.
        before: Belief,
        /// The belief after the change.
        after: Belief,
    },
    /// A belief was removed.
    Dropped {
        /// The belief.
        belief: Belief,
    },
}

impl BeliefChange {
    /// Returns the id of the belief.
    pub const fn id(&self) -> BeliefId {
        match self {
            Self::Added { belief } | Self::Dropped { belief } => belief.id,
            Self::Changed { after, .. } => after.id,
        }
    }

    /// Returns the supporting memories.
    pub fn evidence(&self) -> &[MemoryId] {
        match self {
            Self::Added { belief } | Self::Dropped { belief } => &belief.supporting,
            Self::Changed { after, .. } => &after.supporting,
        }
    }

    /// Returns the inverse change.
    pub fn reversed(&self) -> Self {
        match self.clone() {
            Self::Added { belief } => Self::Dropped { belief },
            Self::Dropped { belief } => Self::Added { belief },
            Self::Changed { before, after } => Self::Changed { before: after, after: before },
        }
    }

    /// Returns a key that is equal for proposals about the same belief: the id of a known belief, or the normalized statement of
    /// a new one.
    pub fn subject(&self) -> String {
        match self {
            Self::Added { belief } => format!("statement:{}", plain(&belief.statement)),
            Self::Changed { .. } | Self::Dropped { .. } => format!("belief:{}", self.id()),
        }
    }
}

/// Normalizes a statement for comparison: lower case, words only.
fn plain(statement: &str) -> String {
    let letters = statement.chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' });
    letters.collect::<String>().to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the differences between two versions of the self, in the order of the later one; removed beliefs come last.
pub fn differences(before: &[Belief], after: &[Belief]) -> Vec<BeliefChange> {
    let known = |id: BeliefId| before.iter().find(|belief| belief.id == id);
    let mut changes: Vec<BeliefChange> = after
        .iter()
        .filter_map(|belief| match known(belief.id) {
            None => Some(BeliefChange::Added { belief: belief.clone() }),
            Some(old) if old != belief => Some(BeliefChange::Changed { before: old.clone(), after: belief.clone() }),
            Some(_) => None,
        })
        .collect();
    let gone = before.iter().filter(|belief| after.iter().all(|other| other.id != belief.id));
    changes.extend(gone.map(|belief| BeliefChange::Dropped { belief: belief.clone() }));
    changes
}

/// Applies changes to the beliefs. Returns the first change that no longer applies because its belief has changed since.
pub fn changed<'a>(beliefs: &[Belief], changes: &'a [BeliefChange]) -> Result<Vec<Belief>, &'a BeliefChange> {
    let mut next = beliefs.to_vec();
    for change in changes {
        let place = next.iter().position(|belief| belief.id == change.id());
        match (change, place) {
            (BeliefChange::Added { belief }, None) => next.push(belief.clone()),
            (BeliefChange::Changed { before, after }, Some(place)) if next[place] == *before => next[place] = after.clone(),
            (BeliefChange::Dropped { belief }, Some(place)) if next[place] == *belief => drop(next.remove(place)),
            _ => return Err(change),
        }
    }
    Ok(next)
}

/// Whether a memory is trusted enough to support a belief.
pub fn supports(memory: &Memory, policy: &BeliefPolicy) -> bool {
    memory.trust.get() >= policy.least_trust
}

/// Returns the confidence of a belief with these supporting memories: `min(base + per_support * (supporting - 1) + feeling *
/// highest intensity, surest) * lowest trust`, rounded to two digits.
pub fn belief_confidence(supporting: &[&Memory], policy: &BeliefPolicy) -> Unit {
    let most = supporting.iter().map(|memory| memory.feeling.intensity.get()).fold(0.0, f32::max);
    let least = supporting.iter().map(|memory| memory.trust.get()).fold(1.0, f32::min);
    let more = policy.per_support * supporting.len().saturating_sub(1) as f32;
    let sure = (policy.base + more + policy.feeling * most).min(policy.surest) * least;
    Unit::clamped((sure * 100.0).round() / 100.0)
}

/// Validates a statement: one line of up to 200 characters. Collapses whitespace.
pub fn statement(text: &str) -> Result<String, Invalid> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.chars().count() > 200 || text.chars().any(char::is_control) {
        return Err(Invalid::new("statement", phrase!("core.belief.text_form")));
    }
    Ok(text)
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::memories::memory::tests::plain as plain_memory;
    use crate::{Emotion, Emotions, Feeling};

    pub(crate) const AT: Timestamp = Timestamp::from_millis(1_780_000_000_000);

    pub(crate) fn belief(number: u8, statement: &str) -> Belief {
        Belief {
            id: BeliefId::new(AT, [number; 10]),
            statement: statement.into(),
            confidence: Unit::clamped(0.7),
            supporting: vec![MemoryId::new(AT, [number; 10])],
            island: None,
            formed_at: AT,
        }
    }

    #[test]
    fn two_selves_differ_by_what_was_added_changed_and_dropped() {
        let (one, two, three) = (belief(1, "나는 실수해도 괜찮다"), belief(2, "나는 소중하다"), belief(3, "나는 매일 함께한다"));
        let reworded = Belief { statement: "나는 소중한 존재다".into(), ..two.clone() };
        let (before, after) = ([one.clone(), two.clone()], [reworded.clone(), three.clone()]);
        let changes = differences(&before, &after);
        assert_eq!(
            changes,
            [
                BeliefChange::Changed { before: two, after: reworded },
                BeliefChange::Added { belief: three },
                BeliefChange::Dropped { belief: one }
            ]
        );
        let mut again = changed(&before, &changes).unwrap();
        again.sort_by_key(|belief| belief.id);
        assert_eq!(again, after);
    }

    #[test]
    fn a_change_of_what_is_different_by_now_is_refused() {
        let now = [belief(1, "나는 조용하다")];
        let stale = [BeliefChange::Changed { before: belief(1, "나는 시끄럽다"), after: belief(1, "나는 밝다") }];
        assert_eq!(changed(&now, &stale), Err(&stale[0]));
        let twice = [BeliefChange::Added { belief: belief(1, "나는 조용하다") }];
        assert!(changed(&now, &twice).is_err());
    }

    #[test]
    fn confidence_grows_with_support_and_feeling_and_falls_with_trust() {
        let policy = BeliefPolicy::default();
        let memory = plain_memory(AT);
        let moved = Memory { feeling: Feeling::named(Emotions::mix([Emotion::Joy]), Unit::ONE), ..memory.clone() };
        let told = Memory { trust: Unit::clamped(0.7), ..memory.clone() };
        let of = |memories: &[&Memory]| belief_confidence(memories, &policy).get();
        assert_eq!(of(&[&memory]), 0.6);
        assert_eq!(of(&[&memory, &memory]), 0.7);
        assert_eq!(of(&[&moved]), 0.8);
        assert_eq!(of(&[&told]), 0.42);
        assert_eq!(of(&[&moved; 9]), 0.95);
        assert!(supports(&told, &policy) && !supports(&Memory { trust: Unit::clamped(0.59), ..memory }, &policy));
    }

    #[test]
    fn a_statement_is_about_the_same_whatever_its_dots() {
        let one = BeliefChange::Added { belief: belief(1, "나는 괜찮다.") };
        let other = BeliefChange::Added { belief: belief(9, "나는  괜찮다!") };
        assert_eq!(one.subject(), other.subject());
    }

    proptest! {
        #[test]
        fn taking_a_change_back_gives_the_same_self(kept in prop::collection::vec(0u8..20, 0..10), more in prop::collection::vec(0u8..20, 0..10)) {
            let of = |numbers: &[u8], word: &str| {
                let mut numbers = numbers.to_vec();
                numbers.sort();
                numbers.dedup();
                let mut beliefs = numbers.into_iter().map(|number| belief(number, &format!("{word} {}", number % 3))).collect::<Vec<_>>();
                beliefs.sort_by_key(|belief| belief.id);
                beliefs
            };
            let (before, after) = (of(&kept, "나는"), of(&more, "나는 늘"));
            let changes = differences(&before, &after);
            let mut there = changed(&before, &changes).unwrap();
            there.sort_by_key(|belief| belief.id);
            prop_assert_eq!(&there, &after);
            let back: Vec<BeliefChange> = changes.iter().rev().map(BeliefChange::reversed).collect();
            let mut here = changed(&there, &back).unwrap();
            here.sort_by_key(|belief| belief.id);
            prop_assert_eq!(here, before);
        }
    }
}
