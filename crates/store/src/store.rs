//! The trait every backend implements.

use std::path::Path;

use async_trait::async_trait;
use saegim_core::{
    AccessKey, Archive, Candidate, Commit, Course, Fact, Hash, Idempotency, LedgerEntry, Link, Memory, MemoryId, Mind, MindId, MindKey,
    Relationship, RelationshipChange, Scene, Session, SessionId, SpeechStyle, Statement, Tier, Timestamp, Turn, TurnId, Verdict, Webhook,
    Zone,
};

use crate::{
    Answer, Asking, CandidatePage, Cared, Counts, DueSearch, Earlier, Erased, Fallen, Filter, Health, IndexRows, IndexSearch, MindSearch,
    Misdated, Page, Pending, Receipt, SelfStore, StoreError, ThoughtStore, TurnPage, VectorHit, VectorSearch, WordHits, WordSearch,
    ZoneRow,
};

/// Where minds are kept. Every call but the first few names its mind; none can see another. [`MindId::UNBEGUN`] reads as a
/// mind that holds nothing, and takes nothing.
#[async_trait]
pub trait Store: SelfStore + ThoughtStore {
    /// The mind of this key, if it has begun.
    async fn mind(&self, key: &MindKey) -> Result<Option<Mind>, StoreError>;

    /// The mind of this id, as it is now.
    async fn mind_by_id(&self, id: MindId) -> Result<Option<Mind>, StoreError>;

    /// Minds whose caretaker is due, the longest due first, leased: nobody else is given them before the lease ends, and a
    /// caretaker that is lost gives them back by it.
    async fn claim_due(&self, due: DueSearch) -> Result<Vec<Mind>, StoreError>;

    /// Keeps that a caretaker looked, and when it has to look again. A look is nothing that happened to the mind, so it is in
    /// no ledger; what it changed is.
    async fn looked_after(&self, mind: MindId, care: Cared) -> Result<(), StoreError>;

    /// Keeps that a step of the calendar found nothing to raise from a tier; what it raises says so in its own commit.
    async fn raised(&self, mind: MindId, tier: Tier, at: Timestamp) -> Result<(), StoreError>;

    /// Writes several commits one after another, all or none.
    async fn commit_all(&self, commits: Vec<Commit>) -> Result<Vec<Receipt>, StoreError>;

    /// Memories whose dates a clock that was behind may have set.
    async fn misdated(&self, mind: MindId) -> Result<Vec<Misdated>, StoreError>;

    /// Memories, alive or on the cliff, that a clock which was ahead of `now` has written, changed or spoken of.
    async fn dated_ahead(&self, mind: MindId, now: Timestamp) -> Result<Vec<Memory>, StoreError>;

    /// The course the clock of a mind has taken, as far as it was taken down.
    async fn course(&self, mind: MindId) -> Result<Course, StoreError>;

    /// Takes down what the clock shows where nothing else is written; the course with it.
    async fn showed(&self, mind: MindId, now: Timestamp) -> Result<Course, StoreError>;

    /// The eight-bit vectors of these memories in an embedder's space; those without one are left out.
    async fn vectors_of(&self, mind: MindId, embedder: &str, ids: &[MemoryId]) -> Result<Vec<(MemoryId, Vec<i8>)>, StoreError>;

    /// The eight-bit vectors of these turns in an embedder's space, in the order asked for; those without one are left out.
    async fn turn_vectors_of(&self, mind: MindId, embedder: &str, ids: &[TurnId]) -> Result<Vec<Vec<i8>>, StoreError>;

    /// The minds whose ledger speaks of a memory: those it can be in.
    async fn minds_of(&self, memory: MemoryId) -> Result<Vec<Mind>, StoreError>;

    /// All minds, by key.
    async fn minds(&self) -> Result<Vec<Mind>, StoreError>;

    /// The minds of these names, by key.
    async fn minds_named(&self, search: MindSearch) -> Result<Vec<Mind>, StoreError>;

    /// Every key, the newest first.
    async fn keys(&self) -> Result<Vec<AccessKey>, StoreError>;

    /// The key of this public name.
    async fn key(&self, id: &str) -> Result<Option<AccessKey>, StoreError>;

    /// Keeps a key, over what was there under its name. Keys belong to no mind, so this is in no mind's ledger.
    async fn put_key(&self, key: AccessKey) -> Result<(), StoreError>;

    /// Takes down that a request is made under a key, if none was; what became of it otherwise. What was answered is no part
    /// of a mind's story, so it is in no ledger, and it goes with whatever of the mind goes for good.
    async fn ask(&self, asking: Asking) -> Result<Earlier, StoreError>;

    /// Keeps what was answered to a request, or frees its key where nothing came of it.
    async fn answer(&self, asking: Asking, answer: Option<Answer>) -> Result<(), StoreError>;

    /// The entry in which a request was done before under its key; a conflict where the key was another request's.
    async fn done_before(&self, mind: MindId, idempotency: &Idempotency) -> Result<Option<u64>, StoreError>;

    /// Every webhook of a mind, the newest first.
    async fn webhooks(&self, mind: MindId) -> Result<Vec<Webhook>, StoreError>;

    /// Takes webhooks that have something to hear, each with its mind, so that nobody else tells them before the lease ends.
    async fn claim_webhooks(&self, due: DueSearch) -> Result<Vec<(MindId, Webhook)>, StoreError>;

    /// Keeps how far a webhook has heard. It is nothing that happened to the mind, so it is in no ledger.
    async fn webhook_went_on(&self, mind: MindId, webhook: Webhook) -> Result<(), StoreError>;

    /// Writes a commit whole or not at all. It survives any crash once this returns.
    async fn commit(&self, commit: Commit) -> Result<Receipt, StoreError>;

    /// These memories, alive or on the cliff, in the order asked for; unknown ones are left out.
    async fn memories(&self, mind: MindId, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError>;

    /// What an index in memory needs of the memories written beyond a mark, with vectors of an embedder.
    async fn index_rows(&self, search: IndexSearch<'_>) -> Result<IndexRows, StoreError>;

    /// A number that differs once anything in the store was changed by anyone, told without waiting; nothing where
    /// that cannot be told.
    fn version(&self) -> Option<u64>;

    /// Ids that begin or end with these hexadecimal digits, at most ten.
    async fn ids_like(&self, mind: MindId, digits: &str) -> Result<Vec<MemoryId>, StoreError>;

    /// Alive memories that pass, newest first.
    async fn list(&self, mind: MindId, filter: &Filter, page: Page) -> Result<Vec<Memory>, StoreError>;

    /// Alive memories that pass and hold any of the words.
    async fn by_words(&self, search: WordSearch<'_>) -> Result<WordHits, StoreError>;

    /// Alive memories that pass and are nearest to the vector in the embedder's space, nearest first.
    async fn by_vector(&self, search: VectorSearch<'_>) -> Result<Vec<VectorHit>, StoreError>;

    /// Alive memories without a vector of this embedder, oldest first.
    async fn without_vector(&self, mind: MindId, embedder: &str, limit: usize) -> Result<Vec<Memory>, StoreError>;

    /// What a rebalance needs to know of every alive memory.
    async fn zone_rows(&self, mind: MindId) -> Result<Vec<ZoneRow>, StoreError>;

    /// How many alive memories a zone holds, counted up to `most`.
    async fn zone_holds(&self, mind: MindId, zone: Zone, most: usize) -> Result<usize, StoreError>;

    /// Alive memories, pinned ones aside, whose term has run out by `now`, earliest first.
    async fn expired(&self, mind: MindId, now: Timestamp, limit: usize) -> Result<Vec<Memory>, StoreError>;

    /// What of a mind can end by itself, and when; told without reading any memory.
    async fn pending(&self, mind: MindId) -> Result<Pending, StoreError>;

    /// Alive memories that more links lead to than their importance has counted, with how many.
    async fn referenced(&self, mind: MindId) -> Result<Vec<(Memory, u32)>, StoreError>;

    /// What waits on the cliff, soonest gone first.
    async fn cliff(&self, mind: MindId) -> Result<Vec<Fallen>, StoreError>;

    /// Memories that were put away by session, the latest spoken in first.
    async fn archives(&self, mind: MindId) -> Result<Vec<Archive>, StoreError>;

    /// Every link of a mind, in a fixed order.
    async fn all_links(&self, mind: MindId) -> Result<Vec<Link>, StoreError>;

    /// Which of these ids from elsewhere belong to memories that are here, alive or on the cliff.
    async fn by_external_id(&self, mind: MindId, external: &[String]) -> Result<Vec<(String, MemoryId)>, StoreError>;

    /// Links from and to a memory.
    async fn links(&self, mind: MindId, memory: MemoryId) -> Result<Vec<Link>, StoreError>;

    /// The newest number in a mind's ledger: while it stays, nothing of the mind has changed.
    async fn head(&self, mind: MindId) -> Result<u64, StoreError>;

    /// Turns, in the order they were said.
    async fn turns(&self, mind: MindId, page: TurnPage) -> Result<Vec<Turn>, StoreError>;

    /// These turns in the order asked for; unknown ones are left out.
    async fn turns_by_id(&self, mind: MindId, ids: &[TurnId]) -> Result<Vec<Turn>, StoreError>;

    /// Turns' ids that begin or end with these hexadecimal digits, at most ten.
    async fn turn_ids_like(&self, mind: MindId, digits: &str) -> Result<Vec<TurnId>, StoreError>;

    /// What an index in memory needs of the turns written beyond a mark, with vectors of an embedder.
    async fn turn_index_rows(&self, search: IndexSearch<'_>) -> Result<IndexRows, StoreError>;

    /// The session of this name.
    async fn session(&self, mind: MindId, name: &SessionId) -> Result<Option<Session>, StoreError>;

    /// All sessions, the latest first.
    async fn sessions(&self, mind: MindId) -> Result<Vec<Session>, StoreError>;

    /// How things were judged, newest first.
    async fn candidates(&self, mind: MindId, page: CandidatePage) -> Result<Vec<Candidate>, StoreError>;

    /// Everything stated about the user, in the order of its time.
    async fn statements(&self, mind: MindId) -> Result<Vec<Statement>, StoreError>;

    /// Every fact, current and past.
    async fn facts(&self, mind: MindId) -> Result<Vec<Fact>, StoreError>;

    /// How character and user stand to each other, and the speech style the owner set.
    async fn relationship(&self, mind: MindId) -> Result<(Relationship, Option<SpeechStyle>), StoreError>;

    /// What moved that, newest first.
    async fn relationship_changes(&self, mind: MindId, turn: Option<TurnId>, limit: usize) -> Result<Vec<RelationshipChange>, StoreError>;

    /// The latest scene.
    async fn latest_scene(&self, mind: MindId) -> Result<Option<Scene>, StoreError>;

    /// Scenes, newest first.
    async fn scenes(&self, mind: MindId, limit: usize) -> Result<Vec<Scene>, StoreError>;

    /// Memories learned from a turn, alive or on the cliff.
    async fn learned_from(&self, mind: MindId, turn: TurnId) -> Result<Vec<Memory>, StoreError>;

    /// How much there is; vectors of `embedder` are counted.
    async fn counts(&self, mind: MindId, embedder: &str) -> Result<Counts, StoreError>;

    /// Ledger entries after `sequence`, in order.
    async fn ledger(&self, mind: MindId, after: u64, limit: usize) -> Result<Vec<(LedgerEntry, Hash)>, StoreError>;

    /// Ledger entries that speak of a memory, in order.
    async fn ledger_of(&self, mind: MindId, memory: MemoryId) -> Result<Vec<LedgerEntry>, StoreError>;

    /// Reads the whole chain and says whether it is whole.
    async fn verify_ledger(&self, mind: MindId) -> Result<Verdict, StoreError>;

    /// Removes every trace of purged text from the file; false while an old reader still holds a page of it.
    async fn sweep(&self) -> Result<bool, StoreError>;

    /// Whether a sweep could not be finished, here or by whoever had the file before, so that it has to be done again.
    fn is_unswept(&self) -> bool;

    /// Erases everything of a mind but its ledger, at once.
    async fn erase(&self, commit: Commit) -> Result<Erased, StoreError>;

    /// Copies the whole store to a new file while it is in use.
    async fn backup(&self, to: &Path) -> Result<(), StoreError>;

    /// Looks the whole store over.
    async fn check(&self) -> Result<Health, StoreError>;

    /// Makes anew what can be made anew from the memories: the index of words, counts, vectors of the wrong size.
    async fn repair(&self) -> Result<(), StoreError>;
}
