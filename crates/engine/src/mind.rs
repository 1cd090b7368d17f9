//! A handle to one mind, for one principal.

use std::sync::{Arc, Mutex};

use saegim_core::{
    Commit, Deed, LedgerRef, Memory, MemoryId, Mind, MindId, MindKey, Op, Policy, Principal, Timestamp, TurnId, Under, phrase,
};
use saegim_provider::Thinker;
use saegim_store::{Receipt, Store};

use crate::EngineError;
use crate::engine::{Inner, fresh};
use crate::once::Request;
use crate::think::Thoughts;

/// One mind, seen by one principal. Cheap to clone.
#[derive(Clone)]
pub struct MindHandle {
    pub(crate) inner: Arc<Inner>,
    pub(crate) id: MindId,
    key: MindKey,
    salt: [u8; 32],
    principal: Principal,
    /// What judges text as long as this handle lives, so that the ledger names who it really was.
    pub(crate) thinker: Option<Arc<dyn Thinker>>,
    /// What was thought and is in no commit yet.
    pub(crate) thoughts: Arc<Mutex<Thoughts>>,
    /// Which revisions of a memory a change is meant for; any otherwise.
    meant: Option<Arc<[u32]>>,
    /// The request everything is written under, where it is to be answered once.
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

    /// The same mind as `principal` may touch it. Rights are only ever given away: whoever is not the owner stays who
    /// they are.
    pub fn acting_as(mut self, principal: Principal) -> Self {
        if self.principal == Principal::Owner {
            self.principal = principal;
        }
        self
    }

    /// The same mind in the caretaker's hands, which look at everything and decide nothing.
    pub(crate) fn as_worker(&self) -> Self {
        Self { principal: Principal::Worker, thoughts: Arc::default(), ..self.clone() }
    }

    /// The same mind for a change that is meant for these revisions of a memory alone. Whoever changed it first is not
    /// overruled: what is decided on another revision is refused, and the store refuses what was decided too late.
    pub fn meaning(mut self, revisions: impl Into<Arc<[u32]>>) -> Self {
        self.meant = Some(revisions.into());
        self
    }

    /// The same mind for a request that is to be answered once: whatever is written is known to be its work.
    pub fn asked_by(mut self, request: &Request) -> Self {
        self.under = Some(Arc::new(request.under()));
        self
    }

    /// Refuses a memory in another state than the one that was meant.
    pub(crate) fn is_meant(&self, memory: &Memory) -> Result<(), EngineError> {
        if self.meant.as_ref().is_none_or(|revisions| revisions.contains(&memory.revision)) {
            return Ok(());
        }
        Err(EngineError::Changed(phrase!(
            "memory {} was changed meanwhile; read it again and retry",
            "그사이에 {} 기억이 바뀌었어요. 다시 조회한 뒤 시도해 주세요",
            memory.id
        )))
    }

    pub(crate) fn salt(&self) -> &[u8; 32] {
        &self.salt
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

    /// The mind as it is now; its secret is the owner's alone.
    pub async fn mind(&self) -> Result<Mind, EngineError> {
        self.may(Deed::Read).await?;
        if !self.has_begun() {
            return Ok(fresh(self.id, self.key.clone(), self.now()));
        }
        let found = self.store().mind_by_id(self.id).await?;
        let mut mind =
            found.ok_or_else(|| EngineError::NotFound(phrase!("mind {} no longer exists", "{} 마음은 이제 없어요", self.key)))?;
        if self.principal != Principal::Owner {
            mind.salt = [0; 32];
        }
        Ok(mind)
    }

    /// Whether the mind has begun; one that has not can be looked at, and takes nothing.
    pub fn has_begun(&self) -> bool {
        self.id != MindId::UNBEGUN
    }

    fn can_be_written(&self) -> Result<(), EngineError> {
        if self.has_begun() {
            return Ok(());
        }
        Err(EngineError::NotFound(phrase!(
            "mind {} does not exist; `remember` or `observe` creates it",
            "{} 마음이 없어요. `remember`나 `observe`를 실행하면 만들어져요",
            self.key
        )))
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

    pub(crate) async fn write(&self, mut commit: Commit) -> Result<Receipt, EngineError> {
        self.can_be_written()?;
        // A turn moves nothing between zones, and tells of its own births.
        if !matches!(commit.operation, Op::Remember | Op::Observe) {
            self.inner.births.unknown(self.id);
        }
        commit.under = self.under.as_deref().cloned();
        let thoughts = self.take_thoughts();
        thoughts.write_into(&mut commit);
        let receipt = self.store().commit(commit).await;
        // What was not written now is written with the next commit.
        if receipt.as_ref().map_or(true, |receipt| receipt.repeated) {
            self.put_back(thoughts);
        }
        Ok(receipt?)
    }

    /// Writes commits of the caretaker that belong together, all or none.
    pub(crate) async fn write_all(&self, mut commits: Vec<Commit>) -> Result<(), EngineError> {
        let Some(first) = commits.first_mut() else { return Ok(()) };
        self.can_be_written()?;
        self.inner.births.unknown(self.id);
        let thoughts = self.take_thoughts();
        thoughts.write_into(first);
        let written = self.store().commit_all(commits).await;
        if written.is_err() {
            self.put_back(thoughts);
        }
        written?;
        Ok(())
    }

    /// The memory of this id, alive or on the cliff.
    pub async fn get(&self, id: MemoryId) -> Result<Memory, EngineError> {
        self.may(Deed::Read).await?;
        self.fetch(id).await
    }

    /// The memory of this id, refused where it is not in a revision that is meant.
    pub async fn get_meant(&self, id: MemoryId) -> Result<Memory, EngineError> {
        let memory = self.get(id).await?;
        self.is_meant(&memory)?;
        Ok(memory)
    }

    /// The same for whoever was let in already.
    pub(crate) async fn fetch(&self, id: MemoryId) -> Result<Memory, EngineError> {
        let found = self.store().memories(self.id, &[id]).await?.pop();
        found.ok_or_else(|| {
            EngineError::NotFound(phrase!(
                "memory {id} does not exist in this mind; find its id with `saegim recall` or `saegim cliff`",
                "이 마음에 {id} 기억이 없어요. `saegim recall`이나 `saegim cliff`에서 ID를 확인해 주세요"
            ))
        })
    }

    /// The id a person meant: a whole one, or at least four hexadecimal digits of its beginning or end.
    pub async fn resolve(&self, text: &str) -> Result<MemoryId, EngineError> {
        let text = text.trim();
        if let Ok(id) = MemoryId::parse(text) {
            return Ok(id);
        }
        let digits: String = text.chars().filter(|letter| *letter != '-').collect();
        if digits.len() < 4 || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(EngineError::NotFound(phrase!(
                "\"{text}\" is not an id; find one with `saegim recall` or `saegim cliff`",
                "\"{text}\"은(는) 올바른 ID가 아니에요. `saegim recall`이나 `saegim cliff`에서 확인해 주세요"
            )));
        }
        match self.store().ids_like(self.id, &digits).await?.as_slice() {
            [one] => Ok(*one),
            [] if !self.put_away_like(&digits).await?.is_empty() => match self.put_away_like(&digits).await?.as_slice() {
                [one] => Ok(*one),
                several => Err(ambiguous(several.len(), &digits)),
            },
            [] => Err(EngineError::NotFound(phrase!(
                "no memory id starts or ends with {digits}; find it with `saegim recall` or `saegim cliff`",
                "{digits}(으)로 시작하거나 끝나는 기억 ID가 없어요. `saegim recall`이나 `saegim cliff`에서 확인해 주세요"
            ))),
            several => Err(ambiguous(several.len(), &digits)),
        }
    }

    /// The memories among what was put away whose id begins or ends with these digits.
    async fn put_away_like(&self, digits: &str) -> Result<Vec<MemoryId>, EngineError> {
        let like = |id: &MemoryId| {
            let plain = id.to_string().replace('-', "");
            plain.starts_with(digits) || plain.ends_with(digits)
        };
        Ok(self.archived().await?.into_iter().map(|memory| memory.id).filter(like).collect())
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
            several => Err(ambiguous(several.len(), &digits)),
        }
    }
}

/// Digits that several ids begin or end with.
pub(crate) fn ambiguous(count: usize, digits: &str) -> EngineError {
    EngineError::Conflict(phrase!(
        "{count} ids start or end with {digits}; give more digits",
        "{digits}(으)로 시작하거나 끝나는 ID가 {count}개예요. 더 길게 입력해 주세요"
    ))
}
