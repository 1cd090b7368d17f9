//! Facts: what is known about the user, worked out from what was stated, one statement after another.
//!
//! Statements are kept as they were made; facts follow from those that still stand. Taking a statement back and working
//! the facts out anew therefore brings back whatever it had superseded, and nothing has to be undone by hand.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{Emotions, FactId, StatementId, Timestamp, TurnId, Unit};

word_enum! {
    /// What a fact is about.
    FactCategory "category" {
        /// Who the user is; always given to the model.
        Identity = "identity",
        /// What the user likes and dislikes.
        Preference = "preference",
        /// How things stand.
        Situation = "situation",
        /// What someone did: a shared experience, not a fact.
        Behaviour = "behaviour",
    }
}

/// This subject has this value, or no longer has it, as someone said at some time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Its identity.
    pub id: StatementId,
    /// The turn it was made in; none when the owner made it by hand.
    pub turn: Option<TurnId>,
    /// When it was made.
    pub at: Timestamp,
    /// The canonical subject, e.g. `residence`.
    pub subject: String,
    /// The value in the user's words.
    pub value: String,
    /// The value in a form in which equal values are equal text.
    pub canonical: String,
    /// What it is about.
    pub category: FactCategory,
    /// Whether the subject holds one value at a time.
    pub single: bool,
    /// Whether the value no longer holds.
    pub ends: bool,
    /// What goes with it.
    pub emotions: Emotions,
    /// How strong the feeling is.
    pub intensity: Unit,
    /// How much it matters.
    pub importance: Unit,
    /// How sure it is.
    pub confidence: Unit,
}

/// A structured thing known about the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Its identity: that of the first statement that made it.
    pub id: FactId,
    /// The canonical subject, e.g. `residence`.
    pub subject: String,
    /// The value in the user's words.
    pub value: String,
    /// The value in a form in which equal values are equal text.
    pub canonical: String,
    /// What it is about.
    pub category: FactCategory,
    /// Whether the subject holds one value at a time.
    pub single: bool,
    /// What goes with it.
    pub emotions: Emotions,
    /// How strong the feeling is.
    pub intensity: Unit,
    /// How much it matters.
    pub importance: Unit,
    /// How sure it is.
    pub confidence: Unit,
    /// Since when it holds.
    pub valid_from: Timestamp,
    /// Until when it held; open for a current fact.
    pub valid_to: Option<Timestamp>,
    /// The fact that took its place.
    pub superseded_by: Option<FactId>,
    /// How often it was said.
    pub mentions: u32,
    /// The turns it was learned from.
    pub turns: Vec<TurnId>,
}

impl Fact {
    /// Whether it holds now.
    pub const fn is_current(&self) -> bool {
        self.valid_to.is_none()
    }

    /// The owner's statement that it no longer holds.
    pub fn ending(&self, id: StatementId, at: Timestamp) -> Statement {
        Statement {
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

    fn of(statement: &Statement) -> Self {
        Self {
            id: FactId::from_bytes(*statement.id.bytes()),
            subject: statement.subject.clone(),
            value: statement.value.clone(),
            canonical: statement.canonical.clone(),
            category: statement.category,
            single: statement.single,
            emotions: statement.emotions,
            intensity: statement.intensity,
            importance: statement.importance,
            confidence: statement.confidence,
            valid_from: statement.at,
            valid_to: None,
            superseded_by: None,
            mentions: 1,
            turns: statement.turn.into_iter().collect(),
        }
    }

    /// The fact after it was said again: counted, never less sure, and in the fuller words.
    fn mentioned(&mut self, statement: &Statement) {
        self.mentions += 1;
        self.importance = self.importance.max(statement.importance);
        self.confidence = self.confidence.max(statement.confidence);
        if statement.intensity > self.intensity {
            (self.intensity, self.emotions) = (statement.intensity, statement.emotions);
        }
        if !self.single && statement.value.chars().count() > self.value.chars().count() {
            self.value.clone_from(&statement.value);
        }
        self.turns.extend(statement.turn.filter(|turn| !self.turns.contains(turn)));
    }
}

/// What knows about values: whether two are the same in other words, and what an ending ends.
pub trait Values {
    /// Whether two values of a subject are the same.
    fn same(&self, subject: &str, one: &str, other: &str) -> bool;
    /// Whether saying that `over` is over ends `known`; both are a subject and a value.
    fn ends(&self, over: (&str, &str), known: (&str, &str)) -> bool;
}

/// What a statement did.
#[derive(Clone, Debug, PartialEq)]
pub enum Settled {
    /// A new fact.
    New(FactId),
    /// A known fact was said again.
    Mentioned(FactId),
    /// A new fact took the place of others.
    Superseded {
        /// The new one.
        by: FactId,
        /// Those it took the place of.
        old: Vec<FactId>,
    },
    /// Facts no longer hold.
    Ended(Vec<FactId>),
    /// Something that was so before what is known now: it went into history.
    Past(FactId),
    /// Nothing.
    Nothing,
}

impl Settled {
    /// The facts it touched.
    pub fn touched(&self) -> Vec<FactId> {
        match self {
            Self::New(fact) | Self::Mentioned(fact) | Self::Past(fact) => vec![*fact],
            Self::Superseded { by, old } => old.iter().copied().chain([*by]).collect(),
            Self::Ended(facts) => facts.clone(),
            Self::Nothing => Vec::new(),
        }
    }
}

/// Everything known about the user, current and past.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts(Vec<Fact>);

impl Facts {
    /// What was known before.
    pub fn known(facts: Vec<Fact>) -> Self {
        Self(facts)
    }

    /// What follows from these statements, in the order given.
    pub fn from_statements<'a>(statements: impl IntoIterator<Item = &'a Statement>, values: &dyn Values) -> Self {
        let mut facts = Self::default();
        for statement in statements {
            facts.state(statement, values);
        }
        facts
    }

    /// All of them.
    pub fn all(&self) -> &[Fact] {
        &self.0
    }

    /// Those that hold now.
    pub fn current(&self) -> impl Iterator<Item = &Fact> {
        self.0.iter().filter(|fact| fact.is_current())
    }

    /// The fact of this id.
    pub fn get(&self, id: FactId) -> Option<&Fact> {
        self.0.iter().find(|fact| fact.id == id)
    }

    /// One statement more: an ending ends, the same value counts, another value of a one-valued subject supersedes.
    pub fn state(&mut self, statement: &Statement, values: &dyn Values) -> Settled {
        if statement.category == FactCategory::Behaviour {
            return Settled::Nothing;
        }
        if statement.ends {
            return self.end(statement, values);
        }
        let id = FactId::from_bytes(*statement.id.bytes());
        let same = |fact: &&mut Fact| {
            fact.is_current() && fact.subject == statement.subject && values.same(&fact.subject, &fact.value, &statement.value)
        };
        if let Some(fact) = self.0.iter_mut().find(same) {
            fact.mentioned(statement);
            return Settled::Mentioned(fact.id);
        }
        let mut fact = Fact::of(statement);
        let rival = |known: &&mut Fact| statement.single && known.is_current() && known.subject == statement.subject;
        // What is heard late but was so earlier does not replace what is newer.
        if let Some(newer) = self.0.iter_mut().filter(rival).find(|known| known.valid_from > statement.at) {
            (fact.valid_to, fact.superseded_by) = (Some(newer.valid_from), Some(newer.id));
            self.0.push(fact);
            return Settled::Past(id);
        }
        let mut old = Vec::new();
        for known in self.0.iter_mut().filter(rival) {
            (known.valid_to, known.superseded_by) = (Some(statement.at), Some(id));
            old.push(known.id);
        }
        self.0.push(fact);
        if old.is_empty() { Settled::New(id) } else { Settled::Superseded { by: id, old } }
    }

    /// What a statement would end, the rest being as it is. Nothing for a statement that ends nothing.
    pub fn would_end(&self, statement: &Statement, values: &dyn Values) -> Vec<FactId> {
        match self.clone().state(statement, values) {
            Settled::Ended(facts) => facts,
            _ => Vec::new(),
        }
    }

    fn end(&mut self, statement: &Statement, values: &dyn Values) -> Settled {
        let over = (statement.subject.as_str(), statement.value.as_str());
        let mut ended = Vec::new();
        for fact in self.0.iter_mut().filter(|fact| fact.is_current() && fact.valid_from <= statement.at) {
            if values.ends(over, (&fact.subject, &fact.value)) {
                fact.valid_to = Some(statement.at);
                ended.push(fact.id);
            }
        }
        if ended.is_empty() { Settled::Nothing } else { Settled::Ended(ended) }
    }

    /// What differs from `before`: facts to write, and facts to take out.
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

    fn said(at: i64, subject: &str, value: &str, ends: bool) -> Statement {
        let single = subject == "residence";
        let mut chance = [0; 10];
        chance[..8].copy_from_slice(&(at as u64).to_be_bytes());
        Statement {
            id: StatementId::new(Timestamp::from_millis(at), chance),
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
        let statements = [said(1, "residence", "서울", false), said(2, "pet", "모찌", false), said(3, "residence", "부산", false)];
        let facts = Facts::from_statements(&statements, &Plain);
        assert_eq!(current(&facts), ["모찌", "부산"]);
        assert_eq!(facts.all()[0].valid_to, Some(Timestamp::from_millis(3)));
        assert_eq!(facts.all()[0].superseded_by, Some(facts.all()[2].id));
        let without = Facts::from_statements(&statements[..2], &Plain);
        assert_eq!(current(&without), ["서울", "모찌"]);
        let (changed, gone) = without.differences(&facts);
        assert_eq!((changed.len(), gone), (1, vec![facts.all()[2].id]));
    }

    #[test]
    fn the_same_value_only_counts_and_many_values_add_up() {
        let statements = [said(1, "pet", "모찌", false), said(2, "pet", "보리", false), said(3, "pet", "모찌", false)];
        let facts = Facts::from_statements(&statements, &Plain);
        assert_eq!(current(&facts), ["모찌", "보리"]);
        assert_eq!((facts.all()[0].mentions, facts.all()[0].turns.len()), (2, 2));
    }

    #[test]
    fn an_ending_ends_only_its_own_subject() {
        let statements = [said(1, "pet", "모찌", false), said(2, "hobby", "모찌", false), said(3, "pet", "", true)];
        let facts = Facts::from_statements(&statements, &Plain);
        assert_eq!(facts.current().map(|fact| fact.subject.as_str()).collect::<Vec<_>>(), ["hobby"]);
    }

    #[test]
    fn what_would_end_is_told_before_anything_ends() {
        let facts = Facts::from_statements(&[said(1, "pet", "모찌", false), said(2, "pet", "보리", false)], &Plain);
        let ending = facts.all()[0].ending(StatementId::new(Timestamp::from_millis(9), [9; 10]), Timestamp::from_millis(9));
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
        let facts = Facts::from_statements(&[said(9, "residence", "부산", false), said(2, "residence", "서울", false)], &Plain);
        assert_eq!(current(&facts), ["부산"]);
        assert_eq!(facts.all()[1].valid_to, Some(Timestamp::from_millis(9)));
    }

    proptest! {
        #[test]
        fn one_valued_subjects_never_have_two_current_values(story in prop::collection::vec((0i64..50, 0usize..2, 0usize..4, prop::bool::weighted(0.2)), 0..40)) {
            let statements: Vec<_> = story.iter().map(|&(at, subject, value, ends)| said(at, ["residence", "pet"][subject], ["a", "b", "c", "d"][value], ends)).collect();
            let facts = Facts::from_statements(&statements, &Plain);
            prop_assert!(facts.current().filter(|fact| fact.subject == "residence").count() <= 1);
            for fact in facts.all() {
                prop_assert!(fact.valid_to.is_none_or(|end| end >= fact.valid_from));
                prop_assert!(fact.superseded_by.is_none_or(|by| facts.get(by).is_some()));
            }
        }
    }
}
