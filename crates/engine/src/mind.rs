//! A handle to one mind, for one principal.

use std::sync::Arc;

use saegim_core::{
    Commit, LedgerRef, Memory, MemoryId, Mind, MindId, MindKey, Op, Phrase, Policy, Principal, Tier, Timestamp, TurnId, phrase,
};
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
        found.ok_or_else(|| EngineError::NotFound(phrase!("the mind {} is not there any more", "{}: 이제 없는 마음입니다", self.key)))
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
        // A turn moves nothing between zones, and tells of its own births.
        if !matches!(commit.operation, Op::Remember | Op::Observe) {
            self.inner.births.unknown(self.id);
        }
        Ok(self.store().commit(commit).await?)
    }

    /// The memory of this id, alive or on the cliff.
    pub async fn get(&self, id: MemoryId) -> Result<Memory, EngineError> {
        let found = self.store().memories(self.id, &[id]).await?.pop();
        found.ok_or_else(|| EngineError::NotFound(phrase!("there is no memory {id} in this mind", "{id}: 이 마음에 그런 기억이 없습니다")))
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
                "\"{text}\" is not an id; take one from `saegim recall` or `saegim cliff`",
                "\"{text}\": 아이디가 아닙니다. `saegim recall`이나 `saegim cliff`에서 찾아 주세요"
            )));
        }
        match self.store().ids_like(self.id, &digits).await?.as_slice() {
            [one] => Ok(*one),
            [] => Err(EngineError::NotFound(phrase!(
                "no memory's id begins or ends with {digits}",
                "{digits}: 이렇게 시작하거나 끝나는 아이디의 기억이 없습니다"
            ))),
            several => Err(ambiguous(several.len(), &digits)),
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
            several => Err(ambiguous(several.len(), &digits)),
        }
    }

    /// Refuses an agent's hand on what only the owner may touch.
    pub(crate) fn may_touch(&self, memory: &Memory, deed: Deed) -> Result<(), EngineError> {
        if (memory.tier == Tier::M0 || memory.pinned) && self.principal == Principal::Agent {
            let (what, korean) = deed.words();
            return Err(EngineError::Forbidden(Phrase::new(
                format!("an agent may not {what} when it is core or pinned; it can only be proposed to the owner"),
                format!("에이전트는 핵심 기억이나 고정된 기억에 대해 {korean} 수 없습니다. 소유자에게 제안할 수만 있습니다"),
            )));
        }
        self.may_write(deed)
    }

    /// Refuses an operator's hand on content.
    pub(crate) fn may_write(&self, deed: Deed) -> Result<(), EngineError> {
        let (what, korean) = deed.words();
        match self.principal {
            Principal::Admin => Err(EngineError::Forbidden(phrase!("an operator may not {what}", "운영자는 {korean} 수 없습니다"))),
            Principal::Owner | Principal::Agent | Principal::Worker => Ok(()),
        }
    }

    /// Refuses everyone but the owner.
    pub(crate) fn owner_only(&self, deed: Deed) -> Result<(), EngineError> {
        deed.by_owner_only(self.principal)
    }
}

/// Digits that several ids begin or end with.
fn ambiguous(count: usize, digits: &str) -> EngineError {
    EngineError::Conflict(phrase!(
        "{count} ids begin or end with {digits}; give more of it",
        "이렇게 시작하거나 끝나는 아이디가 {count}개입니다: {digits}. 더 길게 적어 주세요"
    ))
}

/// What someone wants to do, for telling them that they may not.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    Remember,
    Edit,
    Rate,
    Link,
    Pin,
    MakeCore,
    Forget,
    Erase,
    Import,
    Archive,
    Observe,
    Withdraw,
    Branch,
    StateFacts,
    SetStyle,
}

impl Deed {
    /// Refuses everyone but the owner.
    pub(crate) fn by_owner_only(self, principal: Principal) -> Result<(), EngineError> {
        if principal == Principal::Owner {
            return Ok(());
        }
        let (what, korean) = self.words();
        Err(EngineError::Forbidden(phrase!("only the owner may {what}", "소유자만 {korean} 수 있습니다")))
    }

    /// The deed after "may", and in Korean before "수 있습니다".
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Remember => ("add a memory", "기억을 더할"),
            Self::Edit => ("edit a memory", "기억을 고칠"),
            Self::Rate => ("rate a memory", "별점을 줄"),
            Self::Link => ("link or unlink memories", "기억을 잇거나 끊을"),
            Self::Pin => ("pin a memory", "기억을 고정할"),
            Self::MakeCore => ("make a memory core", "핵심 기억으로 만들"),
            Self::Forget => ("forget a memory", "기억을 놓아줄"),
            Self::Erase => ("erase", "지울"),
            Self::Import => ("import memories", "기억을 들여올"),
            Self::Archive => ("put memories away or bring them out", "기억을 보관하거나 꺼낼"),
            Self::Observe => ("observe a conversation", "대화를 지켜볼"),
            Self::Withdraw => ("change what was said", "오간 말을 바꿀"),
            Self::Branch => ("choose another line of the conversation", "대화의 갈래를 고를"),
            Self::StateFacts => ("state or end facts by hand", "사실을 직접 적거나 끝낼"),
            Self::SetStyle => ("set the speech style", "말투를 정할"),
        }
    }
}
