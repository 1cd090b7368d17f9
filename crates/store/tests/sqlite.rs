//! SQLite against the conformance suite, and guarantees specific to a database file.
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::Connection;
use saegim_core::{
    Change, Commit, Coordinate, Embedding, Feeling, Kind, Knowledge, LedgerRef, Memory, MemoryId, MemoryState, Mind, MindId, MindKey, Mood,
    Op, Principal, Source, Span, Strength, Tier, Timestamp, Unit, Verdict, Zone, word_queries,
};
use saegim_store::{Filter, SqliteSettings, SqliteStore, Store, StoreError, WordSearch, conformance};

struct OneFile(tempfile::TempDir);

#[async_trait]
impl conformance::Backend for OneFile {
    async fn open(&self) -> Arc<dyn Store> {
        Arc::new(SqliteStore::open(SqliteSettings::at(self.0.path().join("mind.db"))).await.unwrap())
    }

    fn at_rest(&self) -> Vec<u8> {
        bytes_in(self.0.path())
    }
}

/// Every byte of every file in a folder.
fn bytes_in(folder: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(folder).unwrap();
    // The WAL is deleted when the last connection closes, which may happen during the read.
    files.flat_map(|file| std::fs::read(file.unwrap().path()).unwrap_or_default()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_keeps_every_promise_of_a_store() {
    conformance::all(|| OneFile(tempfile::tempdir().unwrap())).await;
}

const START: Timestamp = Timestamp::from_millis(1_780_000_000_000);
const EMBEDDER: &str = "test@1";
const TEXTS: [&str; 4] = ["아침마다 커피를 마신다", "회사에서 늦게 왔다", "생일이 3월이다", "I adopted a puppy"];

/// A file with two minds; ledger entries two to five of the first mind store one memory each.
struct Lived {
    folder: tempfile::TempDir,
    mind: Mind,
    memories: Vec<Memory>,
}

impl Lived {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (mind, other) = (mind(1, "minsu"), mind(2, "jiwoo"));
        let memories: Vec<Memory> = TEXTS.iter().enumerate().map(|(number, text)| memory(number as i64, text)).collect();
        let lived = Self { folder, mind, memories };
        let store = lived.open().await;
        for (mind, memories) in [(&lived.mind, &lived.memories[..]), (&other, &[memory(9, "남의 기억")])] {
            let mut commit = Commit::new(mind.id, START, Principal::Owner, Op::Begin);
            commit.changes.push(Change::MindBegan(Box::new(mind.clone())));
            store.commit(commit).await.unwrap();
            for memory in memories {
                let mut commit = Commit::new(mind.id, memory.created_at, Principal::Owner, Op::Remember);
                commit.memories.push(LedgerRef::to(memory, &mind.salt));
                let vector = Embedding::new(vec![0.6, 0.8, memory.created_at.since(START).as_millis() as f32]).unwrap();
                commit.changes.push(Change::MemoryAdded(Box::new(memory.clone())));
                commit.changes.push(Change::Embedded { memory: memory.id, embedder: EMBEDDER.into(), vector });
                store.commit(commit).await.unwrap();
            }
        }
        lived
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("mind.db")
    }

    async fn open(&self) -> SqliteStore {
        SqliteStore::open(SqliteSettings::at(self.path())).await.unwrap()
    }

    /// Tampers with the file: plain SQL without the store's rules and without the vector extension.
    fn meddle(&self, sql: &str) {
        let connection = Connection::open(self.path()).unwrap();
        connection.pragma_update(None, "foreign_keys", false).unwrap();
        connection.execute_batch(sql).unwrap();
    }

    async fn problems(&self) -> Vec<String> {
        self.open().await.check().await.unwrap().problems.iter().map(ToString::to_string).collect()
    }
}

fn mind(number: u8, user: &str) -> Mind {
    Mind {
        id: MindId::new(START, [number; 10]),
        key: MindKey::new(user, "luna").unwrap(),
        made_at: START,
        turns: 0,
        mood: Mood::neutral(START),
        ticked_at: None,
        quiet_until: None,
        consolidated_turn: 0,
        compared_to: None,
        raised: Default::default(),
        pruned_turn: 0,
        care_due_at: None,
        salt: [number; 32],
    }
}

fn memory(number: i64, content: &str) -> Memory {
    let at = START.plus(Span::seconds(number));
    Memory {
        id: MemoryId::new(at, [number as u8; 10]),
        external_id: None,
        revision: 0,
        standing: MemoryState::Alive,
        essence: None,
        content: content.into(),
        original_event: None,
        interpretation: None,
        summary: None,
        kind: Kind::Episodic,
        category: None,
        source: Source::User,
        knowledge: Knowledge::Told,
        turns: Vec::new(),
        feeling: Feeling::default(),
        trust: Unit::ONE,
        importance: Unit::clamped(0.3),
        stated_importance: None,
        appraisal: None,
        counted_references: 0,
        strength: Strength::fresh(0),
        recalls: 0,
        mentions: 0,
        last_recalled_at: None,
        created_at: at,
        edited_at: None,
        tier: Tier::M0,
        expires_at: None,
        promoted_from: None,
        pinned: false,
        remember_this: false,
        changed_behaviour: false,
        island: None,
        zone: Zone::Outer,
        zone_score: 0.125,
        tags: Vec::new(),
        rating: None,
        coordinate: Coordinate::default(),
    }
}

#[tokio::test]
async fn a_file_of_a_newer_saegim_is_refused_and_unchanged() {
    let lived = Lived::new().await;
    lived.meddle("PRAGMA user_version = 9999; PRAGMA wal_checkpoint(TRUNCATE)");
    let before = std::fs::read(lived.path()).unwrap();
    let refused = SqliteStore::open(SqliteSettings::at(lived.path())).await.map(drop);
    assert!(matches!(&refused, Err(StoreError::Foreign(words)) if words.to_string().contains("9999")), "{refused:?}");
    assert!(std::fs::read(lived.path()).unwrap() == before, "the file was changed");
}

#[tokio::test]
async fn another_programs_database_is_refused() {
    for sql in ["CREATE TABLE recipe (name TEXT)", "CREATE TABLE mind (id)", "PRAGMA user_version = 1"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recipes.db");
        let schema = || -> Vec<String> {
            let connection = Connection::open(&path).unwrap();
            let mut select = connection.prepare("SELECT sql FROM sqlite_schema").unwrap();
            select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let before = schema();
        let refused = SqliteStore::open(SqliteSettings::at(&path)).await.map(drop);
        assert!(matches!(refused, Err(StoreError::Foreign(_))), "{sql}: {refused:?}");
        assert_eq!(schema(), before, "{sql}");
    }
}

#[tokio::test]
async fn any_tampering_with_the_ledger_names_the_entry() {
    let whole = Lived::new().await;
    let verdict = whole.open().await.verify_ledger(whole.mind.id).await.unwrap();
    assert!(matches!(verdict, Verdict::Whole { entries: 5, .. }), "{verdict:?}");
    for (sql, first_bad) in [
        ("UPDATE ledger SET entry = replace(entry, '\"owner\"', '\"agent\"') WHERE sequence = 3 AND mind = 1", 3),
        ("UPDATE ledger SET entry = replace(entry, '\"note\":null', '\"note\":\"x\"') WHERE sequence = 2 AND mind = 1", 2),
        ("UPDATE ledger SET entry = '{}' WHERE sequence = 4 AND mind = 1", 4),
        ("UPDATE ledger SET at = at + 1 WHERE sequence = 3 AND mind = 1", 3),
        ("UPDATE ledger SET operation = 'forget' WHERE sequence = 5 AND mind = 1", 5),
        ("UPDATE ledger SET hash = zeroblob(32) WHERE sequence = 3 AND mind = 1", 3),
        ("UPDATE ledger SET hash = x'00' WHERE sequence = 3 AND mind = 1", 3),
        ("DELETE FROM ledger WHERE sequence = 1 AND mind = 1", 1),
        ("DELETE FROM ledger WHERE sequence = 3 AND mind = 1", 3),
        (
            "DELETE FROM ledger WHERE sequence = 3 AND mind = 1; UPDATE ledger SET sequence = sequence - 1 WHERE sequence > 3 AND mind = 1",
            3,
        ),
        (
            "UPDATE ledger SET sequence = 99 WHERE sequence = 3 AND mind = 1;
             UPDATE ledger SET sequence = 3 WHERE sequence = 4 AND mind = 1;
             UPDATE ledger SET sequence = 4 WHERE sequence = 99 AND mind = 1",
            3,
        ),
    ] {
        let lived = Lived::new().await;
        lived.meddle(sql);
        let verdict = lived.open().await.verify_ledger(lived.mind.id).await.unwrap();
        assert!(matches!(verdict, Verdict::Broken { sequence, .. } if sequence == first_bad), "{sql}: {verdict:?}");
        let problems = lived.problems().await;
        assert!(problems.iter().any(|problem| problem.contains(&format!("entry {first_bad}"))), "{sql}: {problems:?}");
    }
}

#[tokio::test]
async fn damage_to_what_can_be_made_anew_is_found_and_healed() {
    for (sql, word, vectors_lost) in [
        ("INSERT INTO memory_words (memory_words) VALUES ('delete-all')", "keyword index", 0),
        ("INSERT INTO memory_words (rowid, terms) VALUES (1, 'stray')", "keyword index", 0),
        ("DELETE FROM memory_words_data WHERE id > 10", "keyword index", 0),
        ("UPDATE memory_vector SET vector = x'01' WHERE memory = 2", "vectors", 1),
        ("UPDATE memory_vector SET mind = 2 WHERE memory = 2", "vectors", 1),
        ("INSERT INTO memory_vector (mind, embedder, memory, vector) VALUES (1, 1, 999, x'010203')", "vectors", 0),
        ("UPDATE mind SET memories = 99 WHERE key = 1", "wrong memory counts", 0),
        ("DELETE FROM ledger_memory", "entry 2", 0),
        ("DELETE FROM ledger_memory WHERE sequence = 3", "entry 3", 0),
        ("UPDATE ledger_memory SET memory = randomblob(16) WHERE sequence = 4", "entry 4", 0),
        ("UPDATE ledger_memory SET sequence = 99 WHERE sequence = 4", "entry 4", 0),
        ("INSERT INTO ledger_memory (memory, mind, sequence) VALUES (randomblob(16), 1, 99)", "entry 99", 0),
        ("INSERT INTO ledger_memory (memory, mind, sequence) SELECT memory, mind, 1 FROM ledger_memory LIMIT 1", "entry 1", 0),
    ] {
        let lived = Lived::new().await;
        assert_eq!(lived.problems().await, [""; 0], "before {sql}");
        lived.meddle(sql);
        let problems = lived.problems().await;
        assert!(problems.iter().any(|problem| problem.contains(word) && problem.contains("--repair")), "{sql}: {problems:?}");
        let store = lived.open().await;
        store.repair().await.unwrap();
        assert_eq!(store.check().await.unwrap().problems, [], "after {sql}");
        for (memory, word) in lived.memories.iter().zip(["커피", "회사", "생일", "puppy"]) {
            let search = WordSearch { mind: lived.mind.id, queries: &word_queries(word), filter: &Filter::default(), limit: 5 };
            let found = store.by_words(search).await.unwrap();
            assert_eq!(found.hits.iter().map(|hit| hit.memory).collect::<Vec<_>>(), [memory.id], "{word} after {sql}");
        }
        let missing = store.without_vector(lived.mind.id, EMBEDDER, 5).await.unwrap();
        assert_eq!(missing.len(), vectors_lost, "what had a wrong vector is to get a new one: {sql}");
    }
}

#[tokio::test]
async fn a_row_that_cannot_be_is_an_error_and_not_a_guess() {
    for sql in [
        "UPDATE memory SET zone = 'moon' WHERE key = 2",
        "UPDATE memory SET tier = 'M7' WHERE key = 2",
        "UPDATE memory SET kind = '' WHERE key = 2",
        "UPDATE memory SET rating = 77 WHERE key = 2",
    ] {
        let lived = Lived::new().await;
        lived.meddle(sql);
        let read = lived.open().await.memories(lived.mind.id, &[lived.memories[1].id]).await;
        assert!(matches!(read, Err(StoreError::Broken(_))), "{sql}: {read:?}");
    }
}

#[tokio::test]
async fn what_a_reader_keeps_from_being_swept_is_known_and_swept_once_it_is_done() {
    let lived = Lived::new().await;
    let store = lived.open().await;
    let find = |text: &str| bytes_in(lived.folder.path()).windows(text.len()).any(|window| window == text.as_bytes());
    // Another process in the middle of a read transaction.
    let reader = Connection::open(lived.path()).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM memory").unwrap();
    let mut commit = Commit::new(lived.mind.id, START.plus(Span::days(1)), Principal::Owner, Op::Erase);
    commit.changes.push(Change::MemoryGone(lived.memories[3].id));
    store.commit(commit).await.unwrap();
    assert!(!store.sweep().await.unwrap() && store.is_unswept(), "the reader still sees it");
    assert!(find(TEXTS[3]), "and so does whoever reads the files");
    reader.execute_batch("COMMIT").unwrap();
    assert!(store.sweep().await.unwrap() && !store.is_unswept());
    assert!(!find(TEXTS[3]) && find(TEXTS[2]));
}

#[tokio::test]
async fn any_sqlite_can_read_the_file() {
    let lived = Lived::new().await;
    let connection = Connection::open(lived.path()).unwrap();
    assert!(connection.query_row("SELECT vec_version()", [], |_| Ok(())).is_err(), "this connection is not plain");
    let sound: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    let mut select = connection.prepare("SELECT content FROM memory WHERE mind = 1 ORDER BY key").unwrap();
    let texts: Vec<String> = select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(texts, TEXTS);
    let puppy = "SELECT content FROM memory WHERE key IN (SELECT rowid FROM memory_words WHERE memory_words MATCH '\"1\u{E000}puppy\"')";
    let found: String = connection.query_row(puppy, [], |row| row.get(0)).unwrap();
    assert_eq!(found, TEXTS[3]);
}
