//! A handle to one mind, for one principal.

use std::sync::Arc;

use saegim_core::{Commit, LedgerRef, Memory, MemoryId, Mind, MindId, MindKey, Op, Policy, Principal, Tier, Timestamp, TurnId};
use saegim_store::{Receipt, Store};

use crate::EngineError;
use crate::engine::Inner;

/// One mind, seen by one principal. Cheap to clone.
#[derive(Clone)]
pub struct MindHandle {
    pub(crate) inner: Arc<Inner>,
    pub(crate) id: MindId,
    key: MindKey,
    salt: [u8; 32],
    principal: Principal,
}

impl MindHandle {
    pub(crate) fn new(inner: Arc<Inner>, mind: &Mind, principal: Principal) -> Self {
        Self { inner, id: mind.id, key: mind.key.clone(), salt: mind.salt, principal }
    }

    /// The same mind as `principal` may touch it.
    pub fn acting_as(mut self, principal: Principal) -> Self {
        self.principal = principal;
        self
    }

    /// The mind's identity.
    pub fn id(&self) -> MindId {
        self.id
    }

    /// Who remembers whom.
    pub fn key(&self) -> &MindKey {
        &self.key
    }

    /// Who acts through this handle.
    pub fn principal(&self) -> Principal {
        self.principal
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.inner.store
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.inner.config.policy
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.inner.now()
    }

    /// The mind as it is now.
    pub async fn mind(&self) -> Result<Mind, EngineError> {
        let found = self.store().mind_by_id(self.id).await?;
        found.ok_or_else(|| EngineError::NotFound(format!("the mind {} is not there any more", self.key)))
    }

    /// A commit by this principal that speaks of these memories.
    pub(crate) fn commit(&self, operation: Op, about: &[&Memory]) -> Commit {
        self.commit_as(self.principal, operation, about)
    }

    pub(crate) fn commit_as(&self, principal: Principal, operation: Op, about: &[&Memory]) -> Commit {
        let mut commit = Commit::new(self.id, self.now(), principal, operation);
        commit.memories = about.iter().map(|memory| LedgerRef::to(memory, &self.salt)).collect();
        commit
    }

    pub(crate) async fn write(&self, commit: Commit) -> Result<Receipt, EngineError> {
        if commit.operation != Op::Remember {
            self.inner.births.unknown(self.id);
        }
        Ok(self.store().commit(commit).await?)
    }

    /// The memory of this id, alive or on the cliff.
    pub async fn get(&self, id: MemoryId) -> Result<Memory, EngineError> {
        let found = self.store().memories(self.id, &[id]).await?.pop();
        found.ok_or_else(|| EngineError::NotFound(format!("there is no memory {id} in this mind")))
    }

    /// The id a person meant: a whole one, or at least four hexadecimal digits of its beginning or end.
    pub async fn resolve(&self, text: &str) -> Result<MemoryId, EngineError> {
        let text = text.trim();
        if let Ok(id) = MemoryId::parse(text) {
            return Ok(id);
        }
        let digits: String = text.chars().filter(|letter| *letter != '-').collect();
        if digits.len() < 4 || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(EngineError::NotFound(format!("\"{text}\" is not an id; take one from `saegim recall` or `saegim cliff`")));
        }
        match self.store().ids_like(self.id, &digits).await?.as_slice() {
            [one] => Ok(*one),
            [] => Err(EngineError::NotFound(format!("no memory's id begins or ends with {digits}"))),
            several => Err(EngineError::Conflict(format!("{} ids begin or end with {digits}; give more of it", several.len()))),
        }
    }

    /// The turn a person meant: a whole id, or at least four hexadecimal digits of its beginning or end.
    pub async fn resolve_turn(&self, text: &str) -> Result<Option<TurnId>, EngineError> {
        let text = text.trim();
        if let Ok(id) = TurnId::parse(text) {
            return Ok(self.store().turns_by_id(self.id, &[id]).await?.pop().map(|turn| turn.id));
        }
        let digits: String = text.chars().filter(|letter| *letter != '-').collect();
        if digits.len() < 4 || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Ok(None);
        }
        match self.store().turn_ids_like(self.id, &digits).await?.as_slice() {
            [one] => Ok(Some(*one)),
            [] => Ok(None),
            several => Err(EngineError::Conflict(format!("{} ids begin or end with {digits}; give more of it", several.len()))),
        }
    }

    /// Refuses an agent's hand on what only the owner may touch.
    pub(crate) fn may_touch(&self, memory: &Memory, what: &str) -> Result<(), EngineError> {
        if (memory.tier == Tier::M0 || memory.pinned) && self.principal == Principal::Agent {
            return Err(EngineError::Forbidden(format!(
                "an agent may not {what} a core or pinned memory; it can only be proposed to the owner"
            )));
        }
        self.may_write(what)
    }

    /// Refuses an operator's hand on content.
    pub(crate) fn may_write(&self, what: &str) -> Result<(), EngineError> {
        match self.principal {
            Principal::Admin => Err(EngineError::Forbidden(format!("an operator may not {what} memories"))),
            Principal::Owner | Principal::Agent | Principal::Worker => Ok(()),
        }
    }

    /// Refuses everyone but the owner.
    pub(crate) fn owner_only(&self, what: &str) -> Result<(), EngineError> {
        if self.principal == Principal::Owner {
            return Ok(());
        }
        Err(EngineError::Forbidden(format!("only the owner may {what}")))
    }
}
