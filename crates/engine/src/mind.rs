//! A handle to one mind, for one principal.

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use saegim_core::{
    Commit, Deed, Hash, LedgerRef, Memory, MemoryId, Mind, MindId, MindKey, Op, Policy, Principal, Timestamp, TurnId, Under, phrase,
};
use saegim_provider::Thinker;
use saegim_store::{Receipt, Store};

use crate::EngineError;
use crate::engine::{Inner, fresh};
use crate::intake::idempotency::Request;
use crate::models::think::Thoughts;

/// One mind, accessed by one principal. Cheap to clone.
#[derive(Clone)]
pub struct MindHandle {
    pub(crate) inner: Arc<Inner>,
    pub(crate) id: MindId,
    key: MindKey,
    salt: [u8; 32],
    principal: Principal,
    /// Thinker for the lifetime of this handle, so that the ledger records the one that was really used.
    pub(crate) thinker: Option<Arc<dyn Thinker>>,
    /// Thinker calls that are not part of a commit yet.
    pub(crate) thoughts: Arc<Mutex<Thoughts>>,
    /// Revisions of a memory that a change may be based on; `None` accepts any revision (optimistic concurrency).
    meant: Option<Arc<[u32]>>,
    /// Idempotent request that all commits belong to, if there is one.
    under: Option<Arc<Under>>,
}

impl MindHandle {
    pub(crate) fn new(inner: Arc<Inner>, mind: &Mind, principal: Principal) -> Self {
        let thinker = inner.thinker();
        Self {
            inner,
            id: mind.id,
            key: mind.key.clone(),
            salt: mind.salt,
            principal,
            thinker,
            thoughts: Arc::default(),
            meant: None,
            under: None,
        }
    }

    /// Returns a handle for another principal. Rights can only be reduced: a handle that is not the owner's keeps its principal.
    pub fn acting_as(mut self, principal: Principal) -> Self {
        if self.principal == Principal::Owner {
            self.principal = principal;
        }
        self
    }

    /// Returns a handle for the worker, which may read everything and decide nothing.
    pub(crate) fn as_worker(&self) -> Self {
        Self { principal: Principal::Worker, thoughts: Arc::default(), ..self.clone() }
    }

    /// Returns a handle whose changes apply only to these revisions of a memory (optimistic concurrency). A change based on
    /// another revision is refused here, and the store refuses one whose memory changed in the meantime.
    pub fn at_revisions(mut self, revisions: impl Into<Arc<[u32]>>) -> Self {
        self.meant = Some(revisions.into());
        self
    }

    /// Returns a handle whose commits are recorded under an idempotent request.
    pub fn under_request(mut self, request: &Request) -> Self {
        self.under = Some(Arc::new(request.under()));
        self
    }

    /// Returns an error if the memory is not in an accepted revision.
    pub(crate) fn check_revision(&self, memory: &Memory) -> Result<(), EngineError> {
        if self.meant.as_ref().is_none_or(|revisions| revisions.contains(&memory.revision)) {
            return Ok(());
        }
        Err(EngineError::Changed(phrase!("engine.mind.memory_changed", id = memory.id)))
    }

    pub(crate) fn salt(&self) -> &[u8; 32] {
        &self.salt
    }

    /// Returns the id of the mind.
    pub fn id(&self) -> MindId {
        self.id
    }

    /// Returns a hash of the mind's id for logs: the same for every request of the mind, without naming anyone.
    pub fn log_id(&self) -> String {
        Hash::of(self.id.to_string().as_bytes()).to_string().chars().take(12).collect()
    }

    /// Returns the key of the mind: user, character and work.
    pub fn key(&self) -> &MindKey {
        &self.key
    }

    /// Returns the principal of this handle.
    pub fn principal(&self) -> Principal {
        self.principal
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.inner.store
    }

    /// Returns the rules this mind follows.
    pub fn policy(&self) -> &Policy {
        &self.inner.config.policy
    }

    /// Returns the time of the engine's clock.
    pub fn now(&self) -> Timestamp {
        self.inner.now()
    }

    /// Returns the current state of the mind. Only the owner receives its salt.
    pub async fn mind(&self) -> Result<Mind, EngineError> {
        self.may(Deed::Read).await?;
        if !self.exists() {
            return Ok(fresh(self.id, self.key.clone(), self.now()));
        }
        let found = self.store().mind_by_id(self.id).await?;
        let mut mind = found.ok_or_else(|| EngineError::NotFound(phrase!("engine.mind.gone", key = self.key)))?;
        if self.principal != Principal::Owner {
            mind.salt = [0; 32];
        }
        Ok(mind)
    }

    /// Checks whether the mind exists. A mind that does not exist reads as empty and rejects writes.
    pub fn exists(&self) -> bool {
        self.id != MindId::UNBEGUN
    }

    /// Checks whether the principal may do this; records a refusal or an access under a grant.
    pub(crate) async fn may(&self, deed: Deed) -> Result<(), EngineError> {
        self.access().may(deed).await
    }

    fn check_writable(&self) -> Result<(), EngineError> {
        if self.exists() {
            return Ok(());
        }
        Err(EngineError::NotFound(phrase!("engine.mind.not_found", key = self.key)))
    }

    /// Creates a commit by this principal that refers to these memories.
    pub(crate) fn commit(&self, operation: Op, about: &[&Memory]) -> Commit {
        self.commit_as(self.principal, operation, about)
    }

    pub(crate) fn commit_as(&self, principal: Principal, operation: Op, about: &[&Memory]) -> Commit {
        let mut commit = Commit::new(self.id, self.now(), principal, operation);
        commit.memories = about.iter().map(|memory| LedgerRef::to(memory, &self.salt)).collect();
        commit
    }

    pub(crate) async fn write(&self, mut commit: Commit) -> Result<Receipt, EngineError> {
        self.check_writable()?;
        // Observe and remember do not move memories between zones, and they update the cached zone counts themselves.
        if !matches!(commit.operation, Op::Remember | Op::Observe) {
            self.inner.occupancy.unknown(self.id);
        }
        commit.under = self.under.as_deref().cloned();
        let thoughts = self.models().take_thoughts();
        thoughts.write_into(&mut commit);
        let (operation, changes) = (commit.operation.as_str(), commit.changes.len());
        let receipt = self.store().commit(commit).await;
        tracing::debug!(target: "saegim::store", mind = self.log_id(), operation, changes, written = receipt.is_ok(), "commit");
        // Thoughts that were not written now are written with the next commit.
        if receipt.as_ref().map_or(true, |receipt| receipt.repeated) {
            self.models().put_back(thoughts);
        }
        Ok(receipt?)
    }

    /// Writes related commits of the worker atomically.
    pub(crate) async fn write_all(&self, mut commits: Vec<Commit>) -> Result<(), EngineError> {
        let Some(first) = commits.first_mut() else { return Ok(()) };
        self.check_writable()?;
        self.inner.occupancy.unknown(self.id);
        let thoughts = self.models().take_thoughts();
        thoughts.write_into(first);
        let written = self.store().commit_all(commits).await;
        if written.is_err() {
            self.models().put_back(thoughts);
        }
        written?;
        Ok(())
    }

    /// Returns the memory with this id, alive or on the cliff.
    pub async fn get(&self, id: MemoryId) -> Result<Memory, EngineError> {
        self.may(Deed::Read).await?;
        self.fetch(id).await
    }

    /// Returns the memory with this id, or an error if it is not in an accepted revision.
    pub async fn get_meant(&self, id: MemoryId) -> Result<Memory, EngineError> {
        let memory = self.get(id).await?;
        self.check_revision(&memory)?;
        Ok(memory)
    }

    /// Like [`get`](Self::get), without the permission check.
    pub(crate) async fn fetch(&self, id: MemoryId) -> Result<Memory, EngineError> {
        let found = self.store().memories(self.id, &[id]).await?.pop();
        found.ok_or_else(|| EngineError::NotFound(phrase!("engine.mind.memory_not_found", id)))
    }

    /// Resolves a memory id: a whole id, or at least four hexadecimal digits of its start or end.
    pub async fn resolve(&self, text: &str) -> Result<MemoryId, EngineError> {
        let text = text.trim();
        if let Ok(id) = MemoryId::parse(text) {
            return Ok(id);
        }
        let digits: String = text.chars().filter(|letter| *letter != '-').collect();
        if digits.len() < 4 || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(EngineError::NotFound(phrase!("engine.mind.not_an_id", text)));
        }
        match self.store().ids_like(self.id, &digits).await?.as_slice() {
            [one] => Ok(*one),
            [] if !self.archived_like(&digits).await?.is_empty() => match self.archived_like(&digits).await?.as_slice() {
                [one] => Ok(*one),
                several => Err(ambiguous(several.len(), &digits)),
            },
            [] => Err(EngineError::NotFound(phrase!("engine.mind.no_match", digits))),
            several => Err(ambiguous(several.len(), &digits)),
        }
    }

    /// Returns the archived memories whose id starts or ends with these digits.
    async fn archived_like(&self, digits: &str) -> Result<Vec<MemoryId>, EngineError> {
        let like = |id: &MemoryId| {
            let plain = id.to_string().replace('-', "");
            plain.starts_with(digits) || plain.ends_with(digits)
        };
        Ok(self.removal().archived().await?.into_iter().map(|memory| memory.id).filter(like).collect())
    }

    /// Resolves a turn id: a whole id, or at least four hexadecimal digits of its start or end.
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
            several => Err(ambiguous(several.len(), &digits)),
        }
    }
}

/// Error for digits that match several ids.
pub(crate) fn ambiguous(count: usize, digits: &str) -> EngineError {
    EngineError::Conflict(phrase!("engine.mind.ambiguous_id", count, digits))
}

/// Boxes a call of a service. Its state machine is then compiled once, in this crate, and not again into every caller: this makes
/// the binary smaller and its build faster, for one allocation per call.
pub(crate) fn boxed<'a, T>(call: impl Future<Output = T> + Send + 'a) -> Pin<Box<dyn Future<Output = T> + Send + 'a>> {
    Box::pin(call)
}
