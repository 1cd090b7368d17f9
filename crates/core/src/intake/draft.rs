//! Pending changes of a decision. Later findings of an exchange see the changes of earlier ones.

use std::collections::HashMap;

use crate::intake::context::IntakeContext;
use crate::intake::decide::CreatedMemory;
use crate::intake::ids::DecisionIds;
use crate::{Candidate, Embedding, Memory, MemoryId, Policy, RelationshipChange};

/// State of an exchange while it is decided.
pub(crate) struct DecisionDraft<'a> {
    /// The mind with the pending changes of mood and relationship.
    pub(crate) context: IntakeContext,
    pub(crate) policy: &'a Policy,
    pub(crate) ids: DecisionIds,
    pub(crate) moved: Vec<RelationshipChange>,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) created: Vec<Created>,
    /// Changed memories in their latest state.
    pub(crate) changed: HashMap<MemoryId, Memory>,
    pub(crate) used: Vec<MemoryId>,
    pub(crate) unappraised: Vec<String>,
    /// Number of findings decided so far.
    pub(crate) decided: usize,
}

/// A memory created in this exchange.
pub(crate) struct Created {
    pub(crate) memory: Memory,
    pub(crate) vector: Option<Embedding>,
    /// Number of its finding in the exchange.
    pub(crate) finding: usize,
}

impl<'a> DecisionDraft<'a> {
    pub(crate) fn new(context: IntakeContext, policy: &'a Policy, ids: DecisionIds) -> Self {
        Self {
            context,
            policy,
            ids,
            moved: Vec::new(),
            candidates: Vec::new(),
            created: Vec::new(),
            changed: HashMap::new(),
            used: Vec::new(),
            unappraised: Vec::new(),
            decided: 0,
        }
    }

    /// Returns the latest state of a stored memory.
    pub(crate) fn latest(&self, stored: &Memory) -> Memory {
        self.changed.get(&stored.id).unwrap_or(stored).clone()
    }

    /// Replaces the latest state of a stored memory.
    pub(crate) fn change(&mut self, stored: &Memory, change: impl FnOnce(Memory) -> Memory) {
        let latest = self.changed.remove(&stored.id).unwrap_or_else(|| stored.clone());
        self.changed.insert(stored.id, change(latest));
    }
}

impl From<Created> for CreatedMemory {
    fn from(created: Created) -> Self {
        Self { memory: created.memory, vector: created.vector }
    }
}
