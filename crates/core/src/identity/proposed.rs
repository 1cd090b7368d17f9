//! The exact change a proposal asks for, and how it is shown to the owner.

use serde::{Deserialize, Serialize};

use crate::{Assertion, BeliefChange, CandidateId, Fact, FactId, Facts, Hash, Island, IslandId, MemoryId, Tier, TurnId};

/// The exact change a proposal asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Proposed {
    /// Keep this memory permanently.
    Core {
        /// The memory.
        memory: MemoryId,
        /// Its content.
        content: String,
        /// Its current tier.
        from: Tier,
    },
    /// Change the content of this core memory.
    CoreEdit {
        /// The memory.
        memory: MemoryId,
        /// Current content.
        before: String,
        /// Proposed content.
        after: String,
    },
    /// Move this memory to the cliff.
    Forget {
        /// The memory.
        memory: MemoryId,
        /// Its content.
        content: String,
        /// Islands that would start shaking.
        shakes: Vec<IslandId>,
    },
    /// Change the self.
    Beliefs {
        /// The changes.
        changes: Vec<BeliefChange>,
    },
    /// Create this island.
    Island {
        /// The island.
        island: Box<Island>,
    },
    /// Store this held message.
    Held {
        /// The candidate with its judgement.
        candidate: CandidateId,
        /// Its content.
        content: String,
    },
    /// End these facts.
    FactEnd {
        /// Facts to end. The first is the doubted one; the others end with it.
        over: Vec<ShownFact>,
        /// Fact that contradicts it and stays.
        beside: Option<ShownFact>,
        /// Turns that serve as evidence; the first is the main one.
        turns: Vec<TurnId>,
        /// Assertion that replaces the first fact, if the turn contains one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead: Option<Box<Assertion>>,
    },
    /// The subject was erased, and with it the text of the proposal.
    Gone,
}

/// A fact as it was shown to the owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownFact {
    /// Id of the fact.
    pub fact: FactId,
    /// Canonical subject.
    pub subject: String,
    /// Value.
    pub value: String,
}

impl ShownFact {
    /// Copies the displayed fields of a fact.
    pub fn of(fact: &Fact) -> Self {
        Self { fact: fact.id, subject: fact.subject.clone(), value: fact.value.clone() }
    }

    /// Whether the fact is still current and unchanged.
    pub fn holds(&self, facts: &Facts) -> bool {
        facts.get(self.fact).is_some_and(|fact| fact.is_current() && Self::of(fact) == *self)
    }
}

/// One line of a diff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    /// `-`, `+` or a space.
    pub sign: char,
    /// Text of the line.
    pub text: String,
}

impl DiffLine {
    fn new(sign: char, text: impl Into<String>) -> Self {
        Self { sign, text: text.into() }
    }
}

impl Proposed {
    /// Returns the change as a diff.
    pub fn diff(&self) -> Vec<DiffLine> {
        self.diff_naming(str::to_owned)
    }

    /// Returns the diff, with subjects of facts translated by `name`.
    pub fn diff_naming(&self, name: impl Fn(&str) -> String) -> Vec<DiffLine> {
        let known = |fact: &ShownFact| format!("{}: {}", name(&fact.subject), fact.value);
        let believed = |belief: &crate::Belief| format!("{} ({:.2})", belief.statement, belief.confidence.get());
        match self {
            Self::Core { content, from, .. } => {
                vec![DiffLine::new('-', format!("{from} {content}")), DiffLine::new('+', format!("M0 {content}"))]
            }
            Self::CoreEdit { before, after, .. } => vec![DiffLine::new('-', before), DiffLine::new('+', after)],
            Self::Forget { content, .. } => vec![DiffLine::new('-', content)],
            Self::Beliefs { changes } => changes
                .iter()
                .flat_map(|change| match change {
                    BeliefChange::Added { belief } => vec![DiffLine::new('+', believed(belief))],
                    BeliefChange::Dropped { belief } => vec![DiffLine::new('-', believed(belief))],
                    BeliefChange::Changed { before, after } => {
                        vec![DiffLine::new('-', believed(before)), DiffLine::new('+', believed(after))]
                    }
                })
                .collect(),
            Self::Island { island } => {
                let mut lines = vec![DiffLine::new('+', format!("{} {}", island.emoji, island.name))];
                if !island.description.is_empty() {
                    lines.push(DiffLine::new('+', format!("  {}", island.description)));
                }
                lines
            }
            Self::Held { content, .. } => vec![DiffLine::new('+', content)],
            Self::FactEnd { over, beside, instead, .. } => {
                let ended = over.iter().map(|fact| DiffLine::new('-', known(fact)));
                let new = |stated: &Assertion| DiffLine::new('+', format!("{}: {}", name(&stated.subject), stated.value));
                ended
                    .chain(instead.iter().map(|stated| new(stated)))
                    .chain(beside.iter().map(|fact| DiffLine::new(' ', known(fact))))
                    .collect()
            }
            Self::Gone => Vec::new(),
        }
    }

    /// Returns the memories whose text it contains, in addition to its evidence.
    pub fn speaks_of(&self) -> Vec<MemoryId> {
        match self {
            Self::Core { memory, .. } | Self::CoreEdit { memory, .. } | Self::Forget { memory, .. } => vec![*memory],
            Self::Beliefs { changes } => changes.iter().flat_map(|change| change.evidence().iter().copied()).collect(),
            Self::Island { island } => island.founding.clone(),
            Self::Held { .. } | Self::FactEnd { .. } | Self::Gone => Vec::new(),
        }
    }

    /// Returns the digest that a decision is bound to; useless without the mind's secret.
    pub fn digest(&self, salt: &[u8; 32]) -> Hash {
        Hash::salted(salt, &serde_json::to_string(self).expect("a change is plain data"))
    }
}
