//! The store trait on a SQLite file.

use std::path::Path;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use rusqlite::TransactionBehavior;
use saegim_core::{
    AccessKey, Archive, Assertion, Candidate, ClockHistory, Commit, Fact, Hash, Idempotency, LedgerEntry, Link, Memory, MemoryId, Mind,
    MindId, MindKey, Relationship, RelationshipChange, Scene, Session, SessionId, SpeechStyle, Statement, StatementId, Tier, Timestamp,
    Turn, TurnId, Verdict, Webhook, Zone, phrase,
};

use super::connection::{Writer, commit_all};
use super::database::FEW;
use super::filter::Selection;
use super::settings::VectorSupport;
use super::vector::VectorSpace;
use super::{IndexPage, SqliteStore};
use super::{
    access_key, answer, apply, archive, backup, candidate, cliff, counts, fact, health, ledger, link, memory, mind, misdated, relationship,
    scene, statement, sweep, turn, vector, webhook, words,
};
use crate::{
    CandidatePage, CliffMemory, Counts, DueSearch, EarlierRequest, Erased, Filter, Health, IndexMark, IndexRows, IndexSearch,
    MaintenanceRecord, MindSearch, Misdated, Page, Pending, Receipt, RecordedResponse, RequestKey, StatementPage, Store, StoreError,
    TurnPage, VectorHit, VectorSearch, WordHits, WordSearch, ZoneRow,
};

/// Estimates the number of rows of an index read: few for an incremental read, unknown for a full one.
fn expected(search: &IndexSearch<'_>) -> usize {
    if search.after == IndexMark::default() && search.limit > 0 { usize::MAX } else { 0 }
}

#[async_trait]
impl Store for SqliteStore {
    async fn mind(&self, key: &MindKey) -> Result<Option<Mind>, StoreError> {
        self.readers.read_now(|connection| mind::by_name(connection, key))
    }

    async fn mind_by_id(&self, id: MindId) -> Result<Option<Mind>, StoreError> {
        self.readers.read_now(|connection| mind::by_id(connection, id))
    }

    async fn claim_due(&self, due: DueSearch) -> Result<Vec<Mind>, StoreError> {
        self.writer.note(move |connection| mind::claim(connection, due)).await
    }

    async fn record_maintenance(&self, mind: MindId, care: MaintenanceRecord) -> Result<(), StoreError> {
        self.writer
            .note(move |connection| {
                let mind = mind::key(connection, mind)?;
                mind::record_maintenance(connection, mind, care)
            })
            .await
    }

    async fn raised(&self, mind: MindId, tier: Tier, at: Timestamp) -> Result<(), StoreError> {
        self.writer.note(move |connection| mind::set_raised(connection, mind::key(connection, mind)?, tier, at)).await
    }

    async fn vectors_of(&self, mind: MindId, embedder: &str, ids: &[MemoryId]) -> Result<Vec<(MemoryId, Vec<i8>)>, StoreError> {
        let (embedder, ids) = (embedder.to_owned(), ids.to_vec());
        self.some_of_mind(mind, ids.len(), move |connection, mind| match vector::embedder(connection, &embedder)? {
            Some(embedder) => vector::of(connection, VectorSpace { mind, embedder }, &ids),
            None => Ok(Vec::new()),
        })
        .await
    }

    async fn turn_vectors_of(&self, mind: MindId, embedder: &str, ids: &[TurnId]) -> Result<Vec<Vec<i8>>, StoreError> {
        let (embedder, ids) = (embedder.to_owned(), ids.to_vec());
        self.some_of_mind(mind, ids.len(), move |connection, mind| match vector::embedder(connection, &embedder)? {
            Some(embedder) => turn::vectors(connection, VectorSpace { mind, embedder }, &ids),
            None => Ok(Vec::new()),
        })
        .await
    }

    async fn minds_of(&self, memory: MemoryId) -> Result<Vec<Mind>, StoreError> {
        self.readers.read(move |connection| mind::of_memory(connection, memory)).await
    }

    async fn minds(&self) -> Result<Vec<Mind>, StoreError> {
        self.readers.read(|connection| mind::named(connection, &MindSearch::default())).await
    }

    async fn minds_named(&self, search: MindSearch) -> Result<Vec<Mind>, StoreError> {
        self.readers.read(move |connection| mind::named(connection, &search)).await
    }

    async fn keys(&self) -> Result<Vec<AccessKey>, StoreError> {
        // There are few keys, and while there are none every request checks for them.
        self.readers.read_now(access_key::all)
    }

    async fn key(&self, id: &str) -> Result<Option<AccessKey>, StoreError> {
        self.readers.read_now(|connection| access_key::by_id(connection, id))
    }

    async fn put_key(&self, key: AccessKey) -> Result<(), StoreError> {
        self.writer.run(move |connection| access_key::put(connection, &key)).await
    }

    async fn ask(&self, asking: RequestKey) -> Result<EarlierRequest, StoreError> {
        self.writer
            .run(move |connection| {
                let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let earlier = answer::ask(&transaction, &asking)?;
                transaction.commit()?;
                Ok(earlier)
            })
            .await
    }

    async fn answer(&self, asking: RequestKey, answer: Option<RecordedResponse>) -> Result<(), StoreError> {
        self.writer
            .run(move |connection| match answer {
                Some(answer) => answer::keep(connection, &asking, &answer),
                None => answer::leave(connection, &asking),
            })
            .await
    }

    async fn done_before(&self, mind: MindId, idempotency: &Idempotency) -> Result<Option<u64>, StoreError> {
        self.few_of_mind(mind, |connection, mind| apply::done_before(connection, mind, idempotency))
    }

    async fn webhooks(&self, mind: MindId) -> Result<Vec<Webhook>, StoreError> {
        self.few_of_mind(mind, webhook::all)
    }

    async fn claim_webhooks(&self, due: DueSearch) -> Result<Vec<(MindId, Webhook)>, StoreError> {
        if !self.readers.read_now(|connection| webhook::any_due(connection, due))? {
            return Ok(Vec::new());
        }
        self.writer.run(move |connection| webhook::claim(connection, due)).await
    }

    async fn webhook_advanced(&self, mind: MindId, webhook: Webhook) -> Result<(), StoreError> {
        self.writer.run(move |connection| webhook::go_on(connection, mind::key(connection, mind)?, &webhook)).await
    }

    async fn commit(&self, commit: Commit) -> Result<Receipt, StoreError> {
        self.writer.commit(commit).await
    }

    async fn commit_all(&self, commits: Vec<Commit>) -> Result<Vec<Receipt>, StoreError> {
        self.writer.run(move |connection| commit_all(connection, &commits)).await
    }

    async fn memories(&self, mind: MindId, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError> {
        let ids = ids.to_vec();
        self.some_of_mind(mind, ids.len(), move |connection, mind| memory::by_ids(connection, mind, &ids)).await
    }

    async fn index_rows(&self, search: IndexSearch<'_>) -> Result<IndexRows, StoreError> {
        let (embedder, page) = (search.embedder.to_owned(), IndexPage { after: search.after, limit: search.limit });
        self.some_of_mind(search.mind, expected(&search), move |connection, mind| {
            let embedder = vector::embedder(connection, &embedder)?;
            memory::index_rows(connection, mind, embedder, page)
        })
        .await
    }

    fn version(&self) -> Option<u64> {
        self.readers.version()
    }

    async fn ids_like(&self, mind: MindId, digits: &str) -> Result<Vec<MemoryId>, StoreError> {
        let digits = digits.to_owned();
        self.of_mind(mind, move |connection, mind| memory::ids_like(connection, mind, &digits)).await
    }

    async fn list(&self, mind: MindId, filter: &Filter, page: Page) -> Result<Vec<Memory>, StoreError> {
        let filter = filter.clone();
        self.of_mind(mind, move |connection, mind| memory::list(connection, mind, &filter, &page)).await
    }

    async fn by_words(&self, search: WordSearch<'_>) -> Result<WordHits, StoreError> {
        let (queries, filter, limit) = (search.queries.to_vec(), search.filter.clone(), search.limit);
        self.of_mind(search.mind, move |connection, mind| words::search(connection, mind, &queries, Selection { filter: &filter, limit }))
            .await
    }

    async fn by_vector(&self, search: VectorSearch<'_>) -> Result<Vec<VectorHit>, StoreError> {
        if self.settings.vectors == VectorSupport::Disabled {
            return Err(StoreError::NoVectors(phrase!("store.open.vectors_disabled")));
        }
        let vector = search.vector.quantised();
        let (embedder, filter, limit) = (search.embedder.to_owned(), search.filter.clone(), search.limit);
        self.of_mind(search.mind, move |connection, mind| match vector::embedder(connection, &embedder)? {
            Some(embedder) => vector::search(connection, VectorSpace { mind, embedder }, &vector, Selection { filter: &filter, limit }),
            None => Ok(Vec::new()),
        })
        .await
    }

    async fn without_vector(&self, mind: MindId, embedder: &str, limit: usize) -> Result<Vec<Memory>, StoreError> {
        let embedder = embedder.to_owned();
        self.of_mind(mind, move |connection, mind| vector::missing(connection, mind, &embedder, limit)).await
    }

    async fn zone_rows(&self, mind: MindId) -> Result<Vec<ZoneRow>, StoreError> {
        self.of_mind(mind, memory::zone_rows).await
    }

    async fn zone_holds(&self, mind: MindId, zone: Zone, most: usize) -> Result<usize, StoreError> {
        self.few_of_mind(mind, |connection, mind| memory::zone_holds(connection, mind, zone, most))
    }

    async fn tier_holds(&self, mind: MindId, tier: Tier, most: usize) -> Result<usize, StoreError> {
        self.few_of_mind(mind, |connection, mind| memory::tier_holds(connection, mind, tier, most))
    }

    async fn expired(&self, mind: MindId, now: Timestamp, limit: usize) -> Result<Vec<Memory>, StoreError> {
        self.of_mind(mind, move |connection, mind| memory::expired(connection, mind, now, limit)).await
    }

    async fn pending(&self, mind: MindId) -> Result<Pending, StoreError> {
        self.few_of_mind(mind, counts::pending)
    }

    async fn referenced(&self, mind: MindId) -> Result<Vec<(Memory, u32)>, StoreError> {
        self.of_mind(mind, memory::referenced).await
    }

    async fn misdated(&self, mind: MindId) -> Result<Vec<Misdated>, StoreError> {
        self.few_of_mind(mind, misdated::of)
    }

    async fn dated_ahead(&self, mind: MindId, now: Timestamp) -> Result<Vec<Memory>, StoreError> {
        self.of_mind(mind, move |connection, mind| misdated::ahead(connection, mind, now)).await
    }

    async fn course(&self, mind: MindId) -> Result<ClockHistory, StoreError> {
        self.few_of_mind(mind, mind::course)
    }

    async fn showed(&self, mind: MindId, now: Timestamp) -> Result<ClockHistory, StoreError> {
        self.writer
            .note(move |connection| {
                let mind = mind::key(connection, mind)?;
                let before = mind::course(connection, mind)?;
                let after = before.seen(now);
                mind::put_course(connection, mind, &before, &after)?;
                Ok(after)
            })
            .await
    }

    async fn cliff(&self, mind: MindId) -> Result<Vec<CliffMemory>, StoreError> {
        self.of_mind(mind, cliff::all).await
    }

    async fn archives(&self, mind: MindId) -> Result<Vec<Archive>, StoreError> {
        self.few_of_mind(mind, archive::all)
    }

    async fn all_links(&self, mind: MindId) -> Result<Vec<Link>, StoreError> {
        self.of_mind(mind, link::all).await
    }

    async fn by_external_id(&self, mind: MindId, external: &[String]) -> Result<Vec<(String, MemoryId)>, StoreError> {
        let external = external.to_vec();
        self.of_mind(mind, move |connection, mind| memory::by_external_id(connection, mind, &external)).await
    }

    async fn links(&self, mind: MindId, memory: MemoryId) -> Result<Vec<Link>, StoreError> {
        self.few_of_mind(mind, |connection, mind| link::of(connection, mind, memory))
    }

    async fn head(&self, mind: MindId) -> Result<u64, StoreError> {
        self.few_of_mind(mind, fact::head)
    }

    async fn turns(&self, mind: MindId, page: TurnPage) -> Result<Vec<Turn>, StoreError> {
        if page.limit <= FEW {
            return self.few_of_mind(mind, |connection, mind| turn::page(connection, mind, &page));
        }
        self.of_mind(mind, move |connection, mind| turn::page(connection, mind, &page)).await
    }

    async fn turns_by_id(&self, mind: MindId, ids: &[TurnId]) -> Result<Vec<Turn>, StoreError> {
        let ids = ids.to_vec();
        self.some_of_mind(mind, ids.len(), move |connection, mind| turn::by_ids(connection, mind, &ids)).await
    }

    async fn turn_ids_like(&self, mind: MindId, digits: &str) -> Result<Vec<TurnId>, StoreError> {
        let digits = digits.to_owned();
        self.of_mind(mind, move |connection, mind| turn::ids_like(connection, mind, &digits)).await
    }

    async fn turn_index_rows(&self, search: IndexSearch<'_>) -> Result<IndexRows, StoreError> {
        let (embedder, page) = (search.embedder.to_owned(), IndexPage { after: search.after, limit: search.limit });
        self.some_of_mind(search.mind, expected(&search), move |connection, mind| {
            let embedder = vector::embedder(connection, &embedder)?;
            turn::index_rows(connection, mind, embedder, page)
        })
        .await
    }

    async fn session(&self, mind: MindId, name: &SessionId) -> Result<Option<Session>, StoreError> {
        self.few_of_mind(mind, |connection, mind| turn::session(connection, mind, name))
    }

    async fn sessions(&self, mind: MindId) -> Result<Vec<Session>, StoreError> {
        self.of_mind(mind, turn::sessions).await
    }

    async fn candidates(&self, mind: MindId, page: CandidatePage) -> Result<Vec<Candidate>, StoreError> {
        self.some_of_mind(mind, page.limit, move |connection, mind| candidate::page(connection, mind, &page)).await
    }

    async fn assertions(&self, mind: MindId) -> Result<Vec<Assertion>, StoreError> {
        self.of_mind(mind, fact::assertions).await
    }

    async fn statements(&self, mind: MindId, page: StatementPage) -> Result<Vec<Statement>, StoreError> {
        self.some_of_mind(mind, page.limit, move |connection, mind| statement::page(connection, mind, &page)).await
    }

    async fn statement(&self, mind: MindId, id: StatementId) -> Result<Option<Statement>, StoreError> {
        self.few_of_mind(mind, |connection, mind| statement::by_id(connection, mind, id))
    }

    async fn holders(&self, mind: MindId) -> Result<Vec<String>, StoreError> {
        self.few_of_mind(mind, statement::holders)
    }

    async fn facts(&self, mind: MindId) -> Result<Vec<Fact>, StoreError> {
        self.few_of_mind(mind, fact::all)
    }

    async fn relationship(&self, mind: MindId) -> Result<(Relationship, Option<SpeechStyle>), StoreError> {
        self.few_of_mind(mind, relationship::of)
    }

    async fn relationship_changes(&self, mind: MindId, turn: Option<TurnId>, limit: usize) -> Result<Vec<RelationshipChange>, StoreError> {
        self.of_mind(mind, move |connection, mind| relationship::changes(connection, mind, turn, limit)).await
    }

    async fn latest_scene(&self, mind: MindId) -> Result<Option<Scene>, StoreError> {
        self.few_of_mind(mind, scene::latest)
    }

    async fn scenes(&self, mind: MindId, limit: usize) -> Result<Vec<Scene>, StoreError> {
        self.of_mind(mind, move |connection, mind| scene::all(connection, mind, limit)).await
    }

    async fn learned_from(&self, mind: MindId, turn: TurnId) -> Result<Vec<Memory>, StoreError> {
        self.few_of_mind(mind, |connection, mind| memory::learned_from(connection, mind, turn))
    }

    async fn counts(&self, mind: MindId, embedder: &str) -> Result<Counts, StoreError> {
        let embedder = embedder.to_owned();
        self.of_mind(mind, move |connection, mind| counts::of(connection, mind, &embedder)).await
    }

    async fn ledger(&self, mind: MindId, after: u64, limit: usize) -> Result<Vec<(LedgerEntry, Hash)>, StoreError> {
        self.of_mind(mind, move |connection, mind| ledger::after(connection, mind, after, limit)).await
    }

    async fn ledger_of(&self, mind: MindId, memory: MemoryId) -> Result<Vec<LedgerEntry>, StoreError> {
        self.of_mind(mind, move |connection, mind| ledger::of(connection, mind, memory)).await
    }

    async fn verify_ledger(&self, mind: MindId) -> Result<Verdict, StoreError> {
        self.of_mind(mind, ledger::verify).await
    }

    async fn sweep(&self) -> Result<bool, StoreError> {
        // Batched writes have not reached the file yet, and no other process opens it, so there is nothing to sweep.
        if matches!(&self.writer, Writer::Caller(alone) if alone.gathers()) {
            return Ok(true);
        }
        let swept = self.writer.run(sweep::sweep).await?;
        self.unswept.store(!swept, Ordering::Release);
        Ok(swept)
    }

    fn is_unswept(&self) -> bool {
        self.unswept.load(Ordering::Acquire)
    }

    async fn erase(&self, commit: Commit) -> Result<Erased, StoreError> {
        let erased = self.writer.run(move |connection| sweep::erase(connection, &commit)).await?;
        self.unswept.store(!erased.swept, Ordering::Release);
        Ok(erased)
    }

    async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        let to = to.to_owned();
        if let Writer::Caller(alone) = &self.writer {
            return alone.write(|connection| backup::backup(connection, &to));
        }
        self.readers.read(move |connection| backup::backup(connection, &to)).await
    }

    fn check_file(&self) -> Result<(), StoreError> {
        self.writer.check_file()
    }

    async fn check(&self) -> Result<Health, StoreError> {
        let vectors = self.settings.vectors;
        self.writer.run(move |connection| health::check(connection, vectors)).await
    }

    async fn repair(&self) -> Result<(), StoreError> {
        self.writer.run(health::repair).await
    }
}
