//! Statements: clauses in the user's own words that say something lasting about the user or a person of theirs.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{Fact, StatementId, Timestamp, TurnId, Unit};

word_enum! {
    /// What a statement is about.
    StatementGroup "group" {
        /// Name, age, birthday, nationality, height.
        Name = "name",
        /// Where somebody lives, comes from or moves to.
        Place = "place",
        /// Job, workplace, school, exam, income.
        Work = "work",
        /// Family, friends, colleagues: who they are.
        People = "people",
        /// Pets.
        Pet = "pet",
        /// Illness, injury, medication, sleep, pregnancy, addiction.
        Health = "health",
        /// Diet, allergies to food, what somebody eats or drinks.
        Food = "food",
        /// Likes and favourites.
        Like = "like",
        /// Dislikes, fears, phobias.
        Dislike = "dislike",
        /// Hobbies, sport, instruments, routines, habits.
        Hobby = "hobby",
        /// Possessions, car, house, debts, savings.
        Thing = "thing",
        /// Character, beliefs, religion, languages, skills, looks.
        Trait = "trait",
        /// Relationship status, dating, marriage, divorce.
        Love = "love",
        /// Intentions with a time, appointments, anniversaries.
        Plan = "plan",
        /// Long-term goals and dreams.
        Goal = "goal",
        /// Death, break-up, failure, theft, layoff.
        Loss = "loss",
        /// Success, birth, prize, recovery.
        Win = "win",
        /// How somebody wants to be treated.
        Limit = "limit",
        /// Promises of the user or the character.
        Promise = "promise",
        /// Lasting, but none of these.
        Other = "other",
    }
}

word_enum! {
    /// When a statement holds.
    StatementStatus "status" {
        /// True at the time it was made.
        Now = "now",
        /// Denied: is not, does not.
        Not = "not",
        /// No longer true.
        Ended = "ended",
        /// Was true once, or happened.
        Past = "past",
        /// Arranged or decided.
        Planned = "planned",
        /// Wanted, not decided.
        Wished = "wished",
    }
}

word_enum! {
    /// Why a statement that was not sure counts as sure.
    Confirmation "confirmation" {
        /// It was said again in another turn.
        Repeated = "repeated",
        /// The owner confirmed it.
        Owner = "owner",
    }
}

/// A value marked in a statement: the residence "부산".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedValue {
    /// What it is the value of: `residence`, `age`.
    pub subject: String,
    /// The value as it was said.
    pub value: String,
}

/// A clause that says something lasting about the user or a person of theirs, as it was said in a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Id of the statement.
    pub id: StatementId,
    /// Turn it was said in.
    pub turn: TurnId,
    /// Time it was said.
    pub at: Timestamp,
    /// What it is about.
    pub group: StatementGroup,
    /// The clause, verbatim.
    pub text: String,
    /// Values marked in it.
    #[serde(default)]
    pub values: Vec<StatedValue>,
    /// Whether it corrects an earlier statement.
    #[serde(default)]
    pub corrects: bool,
    /// Name or relation of the person it is about; `None` if it is about the user.
    pub holder: Option<String>,
    /// When it holds.
    pub status: StatementStatus,
    /// Calibrated probability that group, holder and status are right and that it is lasting, 0..=1.
    pub probability: Unit,
    /// Whether the probability was high enough to count without confirmation.
    pub sure: bool,
    /// End of the last day that a planned statement names.
    pub valid_until: Option<Timestamp>,
    /// Why it counts although it was not sure.
    pub confirmed: Option<Confirmation>,
    /// Time its turn was taken back.
    pub withdrawn_at: Option<Timestamp>,
    /// Statement that says the same, or says it more fully.
    pub repeated_by: Option<StatementId>,
    /// Earlier statements that its message ends in other words.
    #[serde(default)]
    pub ends: Vec<StatementId>,
    /// Later statement that ended it.
    pub ended_by: Option<StatementId>,
    /// Time at which a later statement ended it.
    pub ended_at: Option<Timestamp>,
}

/// What a statement counts for at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementStanding {
    /// It holds.
    Current,
    /// It is not sure: it supersedes and ends nothing until it is confirmed.
    Unconfirmed,
    /// It does not hold any more, or another statement stands for it.
    Over,
}

impl Statement {
    /// Whether it counts: sure, or confirmed since.
    pub const fn counts(&self) -> bool {
        self.sure || self.confirmed.is_some()
    }

    /// Whether its turn stands, and no other statement stands for it or ended it.
    pub const fn is_open(&self) -> bool {
        self.withdrawn_at.is_none() && self.repeated_by.is_none() && self.ended_at.is_none()
    }

    /// Returns when it stopped holding: by a later statement, or because a fact derived from it ended.
    pub fn valid_to(&self, facts: &[Fact]) -> Option<Timestamp> {
        let by_fact = || facts.iter().filter(|fact| self.states(fact)).map(|fact| fact.valid_to).collect::<Option<Vec<_>>>();
        let holds = matches!(self.status, StatementStatus::Now | StatementStatus::Planned | StatementStatus::Wished);
        self.ended_at.or_else(|| by_fact().filter(|_| holds)?.into_iter().max())
    }

    /// Returns what it counts for at `now`, given all facts about the user.
    pub fn standing(&self, facts: &[Fact], now: Timestamp) -> StatementStanding {
        let is_passed = self.status == StatementStatus::Planned && self.valid_until.is_some_and(|end| end < now);
        if !self.is_open() || is_passed || self.status == StatementStatus::Ended || self.valid_to(facts).is_some() {
            return StatementStanding::Over;
        }
        if self.counts() { StatementStanding::Current } else { StatementStanding::Unconfirmed }
    }

    /// Whether a current fact already says it: it was derived from the same turn, and the clause contains its value.
    pub fn is_covered(&self, facts: &[Fact]) -> bool {
        facts.iter().any(|fact| fact.is_current() && self.states(fact))
    }

    /// Whether a fact about the user was derived from it.
    pub fn states(&self, fact: &Fact) -> bool {
        let folded = |text: &str| text.to_lowercase().split_whitespace().collect::<String>();
        self.holder.is_none() && fact.turns.contains(&self.turn) && folded(&self.text).contains(&folded(&fact.value))
    }
}
