//! Facts about the user, derived from assertions in order.
//!
//! Assertions are stored as they were made; facts are a fold over the assertions that have not been retracted. Retracting a
//! assertion and recomputing the facts therefore restores what it had superseded, without explicit undo.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{AssertionId, Emotions, FactId, Timestamp, TurnId, Unit};

word_enum! {
    /// Category of a fact.
    FactCategory "category" {
        /// Who the user is; always passed to the model.
        Identity = "identity",
        /// Likes and dislikes.
        Preference = "preference",
        /// Current situation.
        Situation = "situation",
        /// Something a person did: a shared experience, not a fact.
        Behaviour = "behaviour",
    }
}

/// An assertion, made at a certain time, that a subject has a value or no longer has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assertion {
    /// Id of the assertion.
    pub id: AssertionId,
    /// Turn it was made in; `None` if the owner entered it directly.
    pub turn: Option<TurnId>,
    /// Time it was made.
    pub at: Timestamp,
    /// Canonical subject, e.g. `residence`.
    pub subject: String,
    /// Value in the user's words.
    pub value: String,
    /// Normal form of the value: equal values have equal text.
    pub canonical: String,
    /// Category.
    pub category: FactCategory,
    /// Whether the subject has one value at a time.
    pub single: bool,
    /// Whether it states that the value is no longer true.
    pub ends: bool,
    /// Emotions attached to it.
    pub emotions: Emotions,
    /// Emotional intensity.
    pub intensity: Unit,
    /// Importance.
    pub importance: Unit,
    /// Confidence.
    pub confidence: Unit,
}

/// A structured fact about the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Id, equal to the id of the first assertion it was derived from.
    pub id: FactId,
    /// Canonical subject, e.g. `residence`.
    pub subject: String,
    /// Value in the user's words.
    pub value: String,
    /// Normal form of the value: equal values have equal text.
    pub canonical: String,
    /// Category.
    pub category: FactCategory,
    /// Whether the subject has one value at a time.
    pub single: bool,
    /// Emotions attached to it.
    pub emotions: Emotions,
    /// Emotional intensity.
    pub intensity: Unit,
    /// Importance.
    pub importance: Unit,
    /// Confidence.
    pub confidence: Unit,
    /// Start of validity.
    pub valid_from: Timestamp,
    /// End of validity; `None` for a current fact.
    pub valid_to: Option<Timestamp>,
    /// Fact that replaced it.
    pub superseded_by: Option<FactId>,
    /// Number of mentions.
    pub mentions: u32,
    /// Turns it was learned from.
    pub turns: Vec<TurnId>,
}

impl Fact {
    /// Returns the position among equally good results: by time, then by text.
    pub fn order(&self) -> (Timestamp, &str, &str, FactId) {
        (self.valid_from, &self.subject, &self.value, self.id)
    }

    /// Whether it is currently valid.
    pub const fn is_current(&self) -> bool {
        self.valid_to.is_none()
    }

    /// Returns an assertion by the owner that ends this fact.
    pub fn ending(&self, id: AssertionId, at: Timestamp) -> Assertion {
        Assertion {
            id,
            turn: None,
            at,
            subject: self.subject.clone(),
            value: self.value.clone(),
            canonical: self.canonical.clone(),
            category: self.category,
            single: self.single,
            ends: true,
            emotions: Emotions::default(),
            intensity: Unit::ZERO,
            importance: self.importance,
            confidence: Unit::ONE,
        }
    }

    fn of(assertion: &Assertion) -> Self {
        Self {
            id: FactId::from_bytes(*assertion.id.bytes()),
            subject: assertion.subject.clone(),
            value: assertion.value.clone(),
            canonical: assertion.canonical.clone(),
            category: assertion.category,
            single: assertion.single,
            emotions: assertion.emotions,
            intensity: assertion.intensity,
            importance: assertion.importance,
            confidence: assertion.confidence,
            valid_from: assertion.at,
            valid_to: None,
            superseded_by: None,
            mentions: 1,
            turns: assertion.turn.into_iter().collect(),
        }
    }

    /// Applies a repeated mention: counts it, never lowers the scores, and keeps the longer wording.
    fn mentioned(&mut self, assertion: &Assertion) {
        self.mentions += 1;
        self.importance = self.importance.max(assertion.importance);
        self.confidence = self.confidence.max(assertion.confidence);
        if assertion.intensity > self.intensity {
            (self.intensity, self.emotions) = (assertion.intensity, assertion.emotions);
        }
        if !self.single && assertion.value.chars().count() > self.value.chars().count() {
            self.value.clone_from(&assertion.value);
        }
        self.turns.extend(assertion.turn.filter(|turn| !self.turns.contains(turn)));
    }
}

/// Comparison of values: whether two are equivalent, and which facts an ending assertion ends.
pub trait Values {
    /// Whether two values of a subject are equivalent.
    fn same(&self, subject: &str, one: &str, other: &str) -> bool;
    /// Whether an assertion that `over` no longer holds ends `known`. Both are pairs of subject and value.
    fn ends(&self, over: (&str, &str), known: (&str, &str)) -> bool;
}

/// Effect of an assertion.
#[derive(Clone, Debug, PartialEq)]
pub enum Settled {
    /// A new fact was added.
    New(FactId),
    /// A known fact was mentioned again.
    Mentioned(FactId),
    /// A new fact replaced others.
    Superseded {
        /// The new fact.
        by: FactId,
        /// The replaced facts.
        old: Vec<FactId>,
    },
    /// Facts ended.
    Ended(Vec<FactId>),
    /// A fact older than the current one was added to the history.
    Past(FactId),
    /// No effect.
    Nothing,
}

impl Settled {
    /// Returns the affected facts.
    pub fn touched(&self) -> Vec<FactId> {
        match self {
            Self::New(fact) | Self::Mentioned(fact) | Self::Past(fact) => vec![*fact],
            Self::Superseded { by, old } => old.iter().copied().chain([*by]).collect(),
            Self::Ended(facts) => facts.clone(),
            Self::Nothing => Vec::new(),
        }
    }
}

/// All facts about the user, current and past.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts(Vec<Fact>);

impl Facts {
    /// Wraps known facts.
    pub fn known(facts: Vec<Fact>) -> Self {
        Self(facts)
    }

    /// Folds these assertions, in the given order.
    pub fn from_assertions<'a>(assertions: impl IntoIterator<Item = &'a Assertion>, values: &dyn Values) -> Self {
        let mut facts = Self::default();
        for assertion in assertions {
            facts.state(assertion, values);
        }
        facts
    }

    /// Returns all facts.
    pub fn all(&self) -> &[Fact] {
        &self.0
    }

    /// Returns the current facts.
    pub fn current(&self) -> impl Iterator<Item = &Fact> {
        self.0.iter().filter(|fact| fact.is_current())
    }

    /// Returns the fact with this id.
    pub fn get(&self, id: FactId) -> Option<&Fact> {
        self.0.iter().find(|fact| fact.id == id)
    }

    /// Applies one assertion: an ending ends facts, an equivalent value is counted, and another value of a single-valued subject
    /// supersedes the old one.
    pub fn state(&mut self, assertion: &Assertion, values: &dyn Values) -> Settled {
        if assertion.category == FactCategory::Behaviour {
            return Settled::Nothing;
        }
        if assertion.ends {
            return self.end(assertion, values);
        }
        let id = FactId::from_bytes(*assertion.id.bytes());
        let same = |fact: &&mut Fact| {
            fact.is_current() && fact.subject == assertion.subject && values.same(&fact.subject, &fact.value, &assertion.value)
        };
        if let Some(fact) = self.0.iter_mut().find(same) {
            fact.mentioned(assertion);
            return Settled::Mentioned(fact.id);
        }
        let mut fact = Fact::of(assertion);
        let rival = |known: &&mut Fact| assertion.single && known.is_current() && known.subject == assertion.subject;
        // A late assertion about an earlier time does not replace a newer fact.
        if let Some(newer) = self.0.iter_mut().filter(rival).find(|known| known.valid_from > assertion.at) {
            (fact.valid_to, fact.superseded_by) = (Some(newer.valid_from), Some(newer.id));
            self.0.push(fact);
            return Settled::Past(id);
        }
        let mut old = Vec::new();
        for known in self.0.iter_mut().filter(rival) {
            (known.valid_to, known.superseded_by) = (Some(assertion.at), Some(id));
            old.push(known.id);
        }
        self.0.push(fact);
        if old.is_empty() { Settled::New(id) } else { Settled::Superseded { by: id, old } }
    }

    /// Returns the facts an assertion would end, without changing anything. Empty for assertions that are not endings.
    pub fn would_end(&self, assertion: &Assertion, values: &dyn Values) -> Vec<FactId> {
        match self.clone().state(assertion, values) {
            Settled::Ended(facts) => facts,
            _ => Vec::new(),
        }
    }

    fn end(&mut self, assertion: &Assertion, values: &dyn Values) -> Settled {
        let over = (assertion.subject.as_str(), assertion.value.as_str());
        let mut ended = Vec::new();
        for fact in self.0.iter_mut().filter(|fact| fact.is_current() && fact.valid_from <= assertion.at) {
            if values.ends(over, (&fact.subject, &fact.value)) {
                fact.valid_to = Some(assertion.at);
                ended.push(fact.id);
            }
        }
        if ended.is_empty() { Settled::Nothing } else { Settled::Ended(ended) }
    }

    /// Returns the differences to `before`: facts to write and facts to delete.
    pub fn differences(&self, before: &Self) -> (Vec<Fact>, Vec<FactId>) {
        let changed = self.0.iter().filter(|fact| before.get(fact.id) != Some(fact)).cloned().collect();
        let gone = before.0.iter().map(|fact| fact.id).filter(|id| self.get(*id).is_none()).collect();
        (changed, gone)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Plain;

    impl Values for Plain {
        fn same(&self, _: &str, one: &str, other: &str) -> bool {
            one == other
        }

        fn ends(&self, over: (&str, &str), known: (&str, &str)) -> bool {
            over.0 == known.0 && (over.1.is_empty() || over.1 == known.1)
        }
    }

    fn said(at: i64, subject: &str, value: &str, ends: bool) -> Assertion {
        let single = subject == "residence";
        let mut chance = [0; 10];
        chance[..8].copy_from_slice(&(at as u64).to_be_bytes());
        Assertion {
            id: AssertionId::new(Timestamp::from_millis(at), chance),
            turn: Some(TurnId::new(Timestamp::from_millis(at), chance)),
            at: Timestamp::from_millis(at),
            subject: subject.into(),
            value: value.into(),
            canonical: value.into(),
            category: FactCategory::Identity,
            single,
            ends,
            emotions: Emotions::default(),
            intensity: Unit::ZERO,
            importance: Unit::clamped(0.5),
            confidence: Unit::ONE,
        }
    }

    fn current(facts: &Facts) -> Vec<String> {
        facts.current().map(|fact| fact.value.clone()).collect()
    }

    #[test]
    fn moving_supersedes_and_taking_it_back_restores() {
        let assertions = [said(1, "residence", "서울", false), said(2, "pet", "모찌", false), said(3, "residence", "부산", false)];
        let facts = Facts::from_assertions(&assertions, &Plain);
        assert_eq!(current(&facts), ["모찌", "부산"]);
        assert_eq!(facts.all()[0].valid_to, Some(Timestamp::from_millis(3)));
        assert_eq!(facts.all()[0].superseded_by, Some(facts.all()[2].id));
        let without = Facts::from_assertions(&assertions[..2], &Plain);
        assert_eq!(current(&without), ["서울", "모찌"]);
        let (changed, gone) = without.differences(&facts);
        assert_eq!((changed.len(), gone), (1, vec![facts.all()[2].id]));
    }

    #[test]
    fn the_same_value_only_counts_and_many_values_add_up() {
        let assertions = [said(1, "pet", "모찌", false), said(2, "pet", "보리", false), said(3, "pet", "모찌", false)];
        let facts = Facts::from_assertions(&assertions, &Plain);
        assert_eq!(current(&facts), ["모찌", "보리"]);
        assert_eq!((facts.all()[0].mentions, facts.all()[0].turns.len()), (2, 2));
    }

    #[test]
    fn an_ending_ends_only_its_own_subject() {
        let assertions = [said(1, "pet", "모찌", false), said(2, "hobby", "모찌", false), said(3, "pet", "", true)];
        let facts = Facts::from_assertions(&assertions, &Plain);
        assert_eq!(facts.current().map(|fact| fact.subject.as_str()).collect::<Vec<_>>(), ["hobby"]);
    }

    #[test]
    fn what_would_end_is_told_before_anything_ends() {
        let facts = Facts::from_assertions(&[said(1, "pet", "모찌", false), said(2, "pet", "보리", false)], &Plain);
        let ending = facts.all()[0].ending(AssertionId::new(Timestamp::from_millis(9), [9; 10]), Timestamp::from_millis(9));
        assert_eq!(facts.would_end(&ending, &Plain), [facts.all()[0].id]);
        assert_eq!(current(&facts), ["모찌", "보리"]);
        let mut after = facts.clone();
        after.state(&ending, &Plain);
        assert_eq!(current(&after), ["보리"]);
        assert_eq!(after.would_end(&ending, &Plain), []);
        assert_eq!(facts.would_end(&said(3, "pet", "초코", false), &Plain), []);
    }

    #[test]
    fn late_news_of_an_earlier_time_goes_into_history() {
        let facts = Facts::from_assertions(&[said(9, "residence", "부산", false), said(2, "residence", "서울", false)], &Plain);
        assert_eq!(current(&facts), ["부산"]);
        assert_eq!(facts.all()[1].valid_to, Some(Timestamp::from_millis(9)));
    }

    proptest! {
        #[test]
        fn one_valued_subjects_never_have_two_current_values(story in prop::collection::vec((0i64..50, 0usize..2, 0usize..4, prop::bool::weighted(0.2)), 0..40)) {
            let assertions: Vec<_> = story.iter().map(|&(at, subject, value, ends)| said(at, ["residence", "pet"][subject], ["a", "b", "c", "d"][value], ends)).collect();
            let facts = Facts::from_assertions(&assertions, &Plain);
            prop_assert!(facts.current().filter(|fact| fact.subject == "residence").count() <= 1);
            for fact in facts.all() {
                prop_assert!(fact.valid_to.is_none_or(|end| end >= fact.valid_from));
                prop_assert!(fact.superseded_by.is_none_or(|by| facts.get(by).is_some()));
            }
        }
    }
}
