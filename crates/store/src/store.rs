//! The trait every backend implements.

use std::path::Path;

use async_trait::async_trait;
use saegim_core::{
    AccessKey, Archive, Assertion, Candidate, ClockHistory, Commit, Fact, Hash, Idempotency, LedgerEntry, Link, Memory, MemoryId, Mind,
    MindId, MindKey, Relationship, RelationshipChange, Scene, Session, SessionId, SpeechStyle, Statement, StatementId, Tier, Timestamp,
    Turn, TurnId, Verdict, Webhook, Zone,
};

use crate::{
    CandidatePage, CliffMemory, Counts, DueSearch, EarlierRequest, Erased, Filter, Health, IndexRows, IndexSearch, MaintenanceRecord,
    MindSearch, Misdated, Page, Pending, Receipt, RecordedResponse, RequestKey, SelfStore, StatementPage, StoreError, ThoughtStore,
    TurnPage, VectorHit, VectorSearch, WordHits, WordSearch, ZoneRow,
};

/// Storage of minds. Most calls name a mind and cannot see any other. [`MindId::UNBEGUN`] reads as an empty mind and rejects
/// writes.
#[async_trait]
pub trait Store: SelfStore + ThoughtStore {
    /// Returns the mind with this key, if it exists.
    async fn mind(&self, key: &MindKey) -> Result<Option<Mind>, StoreError>;

    /// Returns the current state of the mind with this id.
    async fn mind_by_id(&self, id: MindId) -> Result<Option<Mind>, StoreError>;

    /// Claims minds that are due for maintenance, longest due first, and leases them: no other worker gets them before the
    /// lease ends. The minds of a crashed worker become available again when its lease expires.
    async fn claim_due(&self, due: DueSearch) -> Result<Vec<Mind>, StoreError>;

    /// Records a maintenance run and its next due time. This is not an event of the mind, so it is not in the ledger; the
    /// changes of the run are.
    async fn record_maintenance(&self, mind: MindId, care: MaintenanceRecord) -> Result<(), StoreError>;

    /// Records that a calendar step found no memory to promote from a tier. A step that promotes records it in its own commit.
    async fn raised(&self, mind: MindId, tier: Tier, at: Timestamp) -> Result<(), StoreError>;

    /// Writes several commits in order, in one transaction.
    async fn commit_all(&self, commits: Vec<Commit>) -> Result<Vec<Receipt>, StoreError>;

    /// Returns memories that may have been dated by a clock that was behind.
    async fn misdated(&self, mind: MindId) -> Result<Vec<Misdated>, StoreError>;

    /// Returns memories, alive or on the cliff, that were written, changed or referenced by a clock ahead of `now`.
    async fn dated_ahead(&self, mind: MindId, now: Timestamp) -> Result<Vec<Memory>, StoreError>;

    /// Returns the recorded clock history of a mind.
    async fn course(&self, mind: MindId) -> Result<ClockHistory, StoreError>;

    /// Records the current clock time without any other write, and returns the clock history.
    async fn showed(&self, mind: MindId, now: Timestamp) -> Result<ClockHistory, StoreError>;

    /// Returns the quantised 8-bit vectors of these memories for an embedder; skips memories without one.
    async fn vectors_of(&self, mind: MindId, embedder: &str, ids: &[MemoryId]) -> Result<Vec<(MemoryId, Vec<i8>)>, StoreError>;

    /// Returns the quantised 8-bit vectors of these turns for an embedder, in the given order; skips turns without one.
    async fn turn_vectors_of(&self, mind: MindId, embedder: &str, ids: &[TurnId]) -> Result<Vec<Vec<i8>>, StoreError>;

    /// Returns the minds whose ledger refers to a memory, i.e. those that can contain it.
    async fn minds_of(&self, memory: MemoryId) -> Result<Vec<Mind>, StoreError>;

    /// Returns all minds, ordered by key.
    async fn minds(&self) -> Result<Vec<Mind>, StoreError>;

    /// Returns the matching minds, ordered by key.
    async fn minds_named(&self, search: MindSearch) -> Result<Vec<Mind>, StoreError>;

    /// Returns every access key, newest first.
    async fn keys(&self) -> Result<Vec<AccessKey>, StoreError>;

    /// Returns the access key with this public id.
    async fn key(&self, id: &str) -> Result<Option<AccessKey>, StoreError>;

    /// Inserts or replaces an access key. Keys belong to no mind, so this is not in any ledger.
    async fn put_key(&self, key: AccessKey) -> Result<(), StoreError>;

    /// Records a request under its idempotency key, or returns the state of the earlier request. Responses are not in the
    /// ledger, and their bodies are erased when data of the mind is purged.
    async fn ask(&self, asking: RequestKey) -> Result<EarlierRequest, StoreError>;

    /// Records the response to a request, or frees its key if the request had no effect.
    async fn answer(&self, asking: RequestKey, answer: Option<RecordedResponse>) -> Result<(), StoreError>;

    /// Returns the ledger sequence of an earlier request under the same key. Fails with a conflict if the key was used for a
    /// different request.
    async fn done_before(&self, mind: MindId, idempotency: &Idempotency) -> Result<Option<u64>, StoreError>;

    /// Returns every webhook of a mind, newest first.
    async fn webhooks(&self, mind: MindId) -> Result<Vec<Webhook>, StoreError>;

    /// Claims webhooks with undelivered entries, each with its mind, and leases them: no other worker delivers them before the
    /// lease ends.
    async fn claim_webhooks(&self, due: DueSearch) -> Result<Vec<(MindId, Webhook)>, StoreError>;

    /// Updates the delivery state of a webhook. This is not an event of the mind, so it is not in the ledger.
    async fn webhook_advanced(&self, mind: MindId, webhook: Webhook) -> Result<(), StoreError>;

    /// Writes a commit atomically. It survives any crash once this returns.
    async fn commit(&self, commit: Commit) -> Result<Receipt, StoreError>;

    /// Returns these memories, alive or on the cliff, in the given order; skips unknown ids.
    async fn memories(&self, mind: MindId, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError>;

    /// Returns the memories written after a mark, for an in-memory index, with vectors of an embedder.
    async fn index_rows(&self, search: IndexSearch<'_>) -> Result<IndexRows, StoreError>;

    /// Returns a number that changes with every write to the store by any process, or `None` if that is unknown. Does not
    /// block.
    fn version(&self) -> Option<u64>;

    /// Returns ids that start or end with these hexadecimal digits, at most ten.
    async fn ids_like(&self, mind: MindId, digits: &str) -> Result<Vec<MemoryId>, StoreError>;

    /// Returns matching alive memories, newest first.
    async fn list(&self, mind: MindId, filter: &Filter, page: Page) -> Result<Vec<Memory>, StoreError>;

    /// Returns matching alive memories that contain any of the words.
    async fn by_words(&self, search: WordSearch<'_>) -> Result<WordHits, StoreError>;

    /// Returns the matching alive memories nearest to the vector of the embedder, nearest first.
    async fn by_vector(&self, search: VectorSearch<'_>) -> Result<Vec<VectorHit>, StoreError>;

    /// Returns alive memories without a vector of this embedder, oldest first.
    async fn without_vector(&self, mind: MindId, embedder: &str, limit: usize) -> Result<Vec<Memory>, StoreError>;

    /// Returns the data of every alive memory that a rebalance needs.
    async fn zone_rows(&self, mind: MindId) -> Result<Vec<ZoneRow>, StoreError>;

    /// Counts the alive memories of a zone, up to `most`.
    async fn zone_holds(&self, mind: MindId, zone: Zone, most: usize) -> Result<usize, StoreError>;

    /// Counts the alive memories of a tier, up to `most`.
    async fn tier_holds(&self, mind: MindId, tier: Tier, most: usize) -> Result<usize, StoreError>;

    /// Returns unpinned alive memories that have expired by `now`, earliest first.
    async fn expired(&self, mind: MindId, now: Timestamp, limit: usize) -> Result<Vec<Memory>, StoreError>;

    /// Returns the next scheduled events of a mind, without reading any memory.
    async fn pending(&self, mind: MindId) -> Result<Pending, StoreError>;

    /// Returns alive memories with more incoming links than their importance accounts for, with the number of links.
    async fn referenced(&self, mind: MindId) -> Result<Vec<(Memory, u32)>, StoreError>;

    /// Returns the memories on the cliff, earliest purge first.
    async fn cliff(&self, mind: MindId) -> Result<Vec<CliffMemory>, StoreError>;

    /// Returns the archives by session, most recently active first.
    async fn archives(&self, mind: MindId) -> Result<Vec<Archive>, StoreError>;

    /// Returns every link of a mind, in a fixed order.
    async fn all_links(&self, mind: MindId) -> Result<Vec<Link>, StoreError>;

    /// Resolves external ids to memories, alive or on the cliff; skips unknown ids.
    async fn by_external_id(&self, mind: MindId, external: &[String]) -> Result<Vec<(String, MemoryId)>, StoreError>;

    /// Returns the links from and to a memory.
    async fn links(&self, mind: MindId, memory: MemoryId) -> Result<Vec<Link>, StoreError>;

    /// Returns the newest ledger sequence of a mind. While it does not change, the mind has not changed.
    async fn head(&self, mind: MindId) -> Result<u64, StoreError>;

    /// Returns turns, oldest first.
    async fn turns(&self, mind: MindId, page: TurnPage) -> Result<Vec<Turn>, StoreError>;

    /// Returns these turns in the given order; skips unknown ids.
    async fn turns_by_id(&self, mind: MindId, ids: &[TurnId]) -> Result<Vec<Turn>, StoreError>;

    /// Returns turn ids that start or end with these hexadecimal digits, at most ten.
    async fn turn_ids_like(&self, mind: MindId, digits: &str) -> Result<Vec<TurnId>, StoreError>;

    /// Returns the turns written after a mark, for an in-memory index, with vectors of an embedder.
    async fn turn_index_rows(&self, search: IndexSearch<'_>) -> Result<IndexRows, StoreError>;

    /// Returns the session with this name.
    async fn session(&self, mind: MindId, name: &SessionId) -> Result<Option<Session>, StoreError>;

    /// Returns all sessions, most recent first.
    async fn sessions(&self, mind: MindId) -> Result<Vec<Session>, StoreError>;

    /// Returns candidates with their verdicts, newest first.
    async fn candidates(&self, mind: MindId, page: CandidatePage) -> Result<Vec<Candidate>, StoreError>;

    /// Returns all assertions about the user, in order of time.
    async fn assertions(&self, mind: MindId) -> Result<Vec<Assertion>, StoreError>;

    /// Returns statements that match the page, newest first.
    async fn statements(&self, mind: MindId, page: StatementPage) -> Result<Vec<Statement>, StoreError>;

    /// Returns the statement with this id.
    async fn statement(&self, mind: MindId, id: StatementId) -> Result<Option<Statement>, StoreError>;

    /// Returns the people that statements are about, by name or relation, without the user.
    async fn holders(&self, mind: MindId) -> Result<Vec<String>, StoreError>;

    /// Returns every fact, current and past.
    async fn facts(&self, mind: MindId) -> Result<Vec<Fact>, StoreError>;

    /// Returns the relationship of character and user, and the speech style set by the owner.
    async fn relationship(&self, mind: MindId) -> Result<(Relationship, Option<SpeechStyle>), StoreError>;

    /// Returns the changes of the relationship, newest first.
    async fn relationship_changes(&self, mind: MindId, turn: Option<TurnId>, limit: usize) -> Result<Vec<RelationshipChange>, StoreError>;

    /// Returns the latest scene.
    async fn latest_scene(&self, mind: MindId) -> Result<Option<Scene>, StoreError>;

    /// Returns scenes, newest first.
    async fn scenes(&self, mind: MindId, limit: usize) -> Result<Vec<Scene>, StoreError>;

    /// Returns the memories learned from a turn, alive or on the cliff.
    async fn learned_from(&self, mind: MindId, turn: TurnId) -> Result<Vec<Memory>, StoreError>;

    /// Returns the counts of a mind, with the vectors of `embedder`.
    async fn counts(&self, mind: MindId, embedder: &str) -> Result<Counts, StoreError>;

    /// Returns ledger entries after a sequence number, in order.
    async fn ledger(&self, mind: MindId, after: u64, limit: usize) -> Result<Vec<(LedgerEntry, Hash)>, StoreError>;

    /// Returns the ledger entries that refer to a memory, in order.
    async fn ledger_of(&self, mind: MindId, memory: MemoryId) -> Result<Vec<LedgerEntry>, StoreError>;

    /// Verifies the complete hash chain of a ledger.
    async fn verify_ledger(&self, mind: MindId) -> Result<Verdict, StoreError>;

    /// Removes every trace of purged text from the file. Returns false while an old reader still holds a page of it.
    async fn sweep(&self) -> Result<bool, StoreError>;

    /// Checks whether a sweep is still needed, because the last one (possibly of an earlier process) was not completed.
    fn is_unswept(&self) -> bool;

    /// Erases everything of a mind except its ledger, at once.
    async fn erase(&self, commit: Commit) -> Result<Erased, StoreError>;

    /// Copies the whole store to a new file while it is in use.
    async fn backup(&self, to: &Path) -> Result<(), StoreError>;

    /// Fails if the file was deleted, replaced or cut off while it was open. Takes a few microseconds.
    fn check_file(&self) -> Result<(), StoreError>;

    /// Checks the integrity of the whole store.
    async fn check(&self) -> Result<Health, StoreError>;

    /// Rebuilds derived data from the memories: the word index, counts, and vectors of the wrong size.
    async fn repair(&self) -> Result<(), StoreError>;
}
