//! The cost of reading a mind, counted in steps of SQLite's virtual machine. It must not grow with the mind: a timing would depend on
//! the machine, a count does not.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use saegim_core::{
    Calibration, Category, Change, Commit, Embedding, Hash, Memory, MemoryId, MindKey, Op, Principal, Role, Session, SessionId, Span, Tier,
    Timestamp, Turn, TurnId, Zone,
};
use saegim_engine::{
    CandidatePage, Config, ContextQuery, Draft, Engine, Exchange, Filter, ImportItem, MindHandle, NewMessage, Page, Query, SeededDice,
    SetClock, StatementHistory, TimelineQuery, TurnPage,
};
use saegim_provider::{Embedder, ProviderError, Purpose};
use saegim_store::{SqliteSettings, SqliteStore, Store};

/// Counts what SQLite does on every connection of this process.
#[allow(unsafe_code, reason = "SQLite reports the work of a statement only through its C interface")]
mod meter {
    use std::collections::BTreeMap;
    use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
    use std::sync::{Mutex, PoisonError};

    use rusqlite::ffi;

    static STEPS: Mutex<BTreeMap<String, (u64, u64)>> = Mutex::new(BTreeMap::new());

    unsafe extern "C" fn finished(_: c_uint, _: *mut c_void, statement: *mut c_void, _: *mut c_void) -> c_int {
        let statement = statement.cast::<ffi::sqlite3_stmt>();
        // SAFETY: SQLite passes the statement that has just finished.
        let (sql, steps, scanned) = unsafe {
            let sql = ffi::sqlite3_sql(statement);
            let count = |what| u64::try_from(ffi::sqlite3_stmt_status(statement, what, 1)).unwrap_or_default();
            let sql = if sql.is_null() { String::new() } else { CStr::from_ptr(sql).to_string_lossy().into_owned() };
            (sql, count(ffi::SQLITE_STMTSTATUS_VM_STEP), count(ffi::SQLITE_STMTSTATUS_FULLSCAN_STEP))
        };
        let mut all = STEPS.lock().unwrap_or_else(PoisonError::into_inner);
        let one = all.entry(sql).or_default();
        *one = (one.0 + steps, one.1 + scanned);
        0
    }

    unsafe extern "C" fn attach(db: *mut ffi::sqlite3, _: *mut *mut c_char, _: *const ffi::sqlite3_api_routines) -> c_int {
        // SAFETY: SQLite passes the connection that is being opened.
        unsafe { ffi::sqlite3_trace_v2(db, ffi::SQLITE_TRACE_PROFILE as c_uint, Some(finished), std::ptr::null_mut()) }
    }

    /// Counts on every connection that is opened from now on.
    pub fn start() {
        // SAFETY: `attach` opens and closes nothing.
        unsafe { rusqlite::auto_extension::register_auto_extension(attach).unwrap() };
    }

    /// Returns the steps, and those of scans without an index, by statement since the last call.
    pub fn take() -> BTreeMap<String, (u64, u64)> {
        std::mem::take(&mut *STEPS.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// An embedder without cost.
struct Directions(Calibration);

#[async_trait]
impl Embedder for Directions {
    fn id(&self) -> &str {
        "directions@1"
    }

    fn dims(&self) -> usize {
        16
    }

    fn calibration(&self) -> &Calibration {
        &self.0
    }

    fn knows(&self, _: &str) -> bool {
        true
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        let one = |text: &String| {
            let hash = Hash::of(text.as_bytes());
            Embedding::new(hash.bytes()[..16].iter().map(|byte| f32::from(*byte) - 127.5).collect()).unwrap()
        };
        Ok(texts.iter().map(one).collect())
    }
}

const NOW: Timestamp = Timestamp::from_millis(1_780_000_000_000);

/// A memory as it is in a mind of any size: every twentieth is a shared experience, every fiftieth a caution.
fn like(pattern: &Memory, number: usize) -> Memory {
    let mut chance = [7; 10];
    chance[..8].copy_from_slice(&(number as u64).to_be_bytes());
    let born = NOW.minus(Span::seconds(60 * (number as i64 + 1)));
    let mut memory = Memory {
        id: MemoryId::new(born, chance),
        content: format!("기억 {number}: at place {} with person {}", number % 97, number % 31),
        created_at: born,
        category: match number {
            number if number % 20 == 3 => Some(Category::SharedEvents),
            number if number % 50 == 7 => Some(Category::Caution),
            _ => None,
        },
        zone: [Zone::Inner, Zone::Outer, Zone::Belt, Zone::Cloud][number % 4],
        tier: [Tier::M30, Tier::M90, Tier::M365][number % 3],
        external_id: Some(format!("name {number}")),
        tags: vec![format!("tag {}", number % 40)],
        ..pattern.clone()
    };
    memory.coordinate.session = Some(SessionId::new(format!("session {}", number % 8)).unwrap());
    memory
}

async fn engine(path: &std::path::Path) -> Engine {
    let mut config = Config::local(path);
    config.embedder = Some(Arc::new(Directions(Calibration::new(vec![(0.0, 0.0), (1.0, 1.0)]).unwrap())));
    config.clock = Arc::new(SetClock::at(NOW));
    config.dice = Arc::new(SeededDice::new(3));
    Engine::open(config).await.unwrap()
}

/// Writes a mind with this many memories and half as many turns.
async fn filled(path: &std::path::Path, memories: usize) -> (Engine, MindHandle) {
    let engine = engine(path).await;
    let mind = engine.mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    let said = |text: &str| vec![NewMessage::user(text), NewMessage::assistant("응, 기억할게")];
    for text in ["내 고양이 이름은 나비야", "나는 땅콩 알레르기가 있어", "우리 언니는 서울에 살아"] {
        mind.observe(Exchange { said: said(text), ..Exchange::default() }).await.unwrap();
    }
    let pattern = mind.remember(Draft::text("첫 기억")).await.unwrap().memory;
    for start in (0..memories).step_by(1000) {
        let batch = (start..(start + 1000).min(memories)).map(|number| ImportItem::Whole(Box::new(like(&pattern, number))));
        mind.import_memories(batch.collect(), Tier::M30).await.unwrap();
    }
    let store = SqliteStore::open(SqliteSettings::at(path)).await.unwrap();
    let sessions: Vec<SessionId> = (0..8).map(|number| SessionId::new(format!("session {number}")).unwrap()).collect();
    let mut commit = Commit::new(mind.id(), NOW, Principal::Owner, Op::Observe);
    let began = NOW.minus(Span::days(300));
    let turns: Vec<usize> = (0..memories / 2).collect();
    for name in &sessions {
        let session = Session {
            name: name.clone(),
            began_at: began,
            last_at: NOW.minus(Span::days(1)),
            last_sequence: 1_000_000,
            branched_from: None,
        };
        commit.changes.push(Change::SessionSet(session));
    }
    store.commit(commit).await.unwrap();
    for batch in turns.chunks(100) {
        let mut commit = Commit::new(mind.id(), NOW, Principal::Owner, Op::Observe);
        for &number in batch {
            let mut chance = [9; 10];
            chance[..8].copy_from_slice(&(number as u64).to_be_bytes());
            let at = began.plus(Span::seconds(60 * number as i64));
            let turn = Turn {
                id: TurnId::new(at, chance),
                session: sessions[number % 8].clone(),
                sequence: 1 + (number / 8) as u32,
                role: if number % 2 == 0 { Role::User } else { Role::Assistant },
                speaker: None,
                content: format!("message {number} about place {}", number % 89),
                at,
                face: None,
                injected: Vec::new(),
                withdrawn_at: None,
            };
            commit.changes.push(Change::TurnAdded(Box::new(turn)));
        }
        store.commit(commit).await.unwrap();
    }
    (engine, mind)
}

type Run<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Id of the newest memory.
async fn newest(mind: &MindHandle) -> MemoryId {
    mind.list(&Filter::default(), Page { limit: 1, before: None }).await.unwrap().remove(0).id
}

/// Every way to read a mind that does not return all of it, and one exchange. Left out: the counts of a mind, which count its rows, the
/// list of a zone, which reads up to 2,000 memories to sort them by score, and ids by a few digits, which are looked for among all ids.
fn routes(mind: &MindHandle) -> Vec<(&'static str, Run<'_>)> {
    fn run<'a>(work: impl Future<Output = ()> + Send + 'a) -> Run<'a> {
        Box::pin(work)
    }
    let listed = |filter: Filter| async move { drop(mind.list(&filter, Page { limit: 20, before: None }).await.unwrap()) };
    vec![
        ("context", run(async { drop(mind.context(ContextQuery { text: "who is person 7?".into(), budget: None }).await.unwrap()) })),
        ("recall", run(async { drop(mind.recall(Query::text("place 12 with person 3")).await.unwrap()) })),
        ("list", run(listed(Filter::default()))),
        ("list of a category", run(listed(Filter { category: Some(Category::SharedEvents), ..Filter::default() }))),
        ("list of a zone", run(listed(Filter { zone: Some(Zone::Belt), ..Filter::default() }))),
        ("list since", run(listed(Filter { since: Some(NOW.minus(Span::hours(2))), ..Filter::default() }))),
        ("list of a session", run(listed(Filter { session: Some(SessionId::new("session 3").unwrap()), ..Filter::default() }))),
        ("show", run(async { drop(mind.show(newest(mind).await).await.unwrap()) })),
        ("by external id", run(async { assert!(mind.by_external_id("name 5").await.unwrap().is_some()) })),
        ("resolve", run(async { assert!(mind.resolve(&newest(mind).await.to_string()).await.is_ok()) })),
        ("turns", run(async { drop(mind.turns(TurnPage { limit: 20, ..TurnPage::default() }).await.unwrap()) })),
        (
            "turns of a session",
            run(async {
                let session = Some(SessionId::new("session 3").unwrap());
                drop(mind.turns(TurnPage { limit: 20, session, ..TurnPage::default() }).await.unwrap());
            }),
        ),
        ("sessions", run(async { drop(mind.sessions().await.unwrap()) })),
        ("facts", run(async { drop(mind.facts().await.unwrap()) })),
        ("statements", run(async { drop(mind.statements(StatementHistory::Open).await.unwrap()) })),
        ("people", run(async { drop(mind.people().await.unwrap()) })),
        ("relationship", run(async { drop(mind.standing(20).await.unwrap()) })),
        (
            "timeline",
            run(async {
                let query = TimelineQuery { since: None, until: None, limit: 50, turns: true };
                drop(mind.timeline(query).await.unwrap());
            }),
        ),
        ("candidates", run(async { drop(mind.candidates(CandidatePage { limit: 20, ..CandidatePage::default() }).await.unwrap()) })),
        ("cliff", run(async { drop(mind.cliff().await.unwrap()) })),
        ("archives", run(async { drop(mind.archives().await.unwrap()) })),
        ("mood", run(async { mind.mood().await.map(|_| ()).unwrap() })),
        ("scene", run(async { drop(mind.scene().await.unwrap()) })),
        ("notes", run(async { drop(mind.notes().await.unwrap()) })),
        ("jobs", run(async { drop(mind.jobs().await.unwrap()) })),
        ("proposals", run(async { drop(mind.proposals(None).await.unwrap()) })),
        ("islands", run(async { drop(mind.islands().await.unwrap()) })),
        ("self", run(async { drop(mind.current_self().await.unwrap()) })),
        ("soul", run(async { drop(mind.soul().await.unwrap()) })),
        ("imaginations", run(async { drop(mind.imaginations(20).await.unwrap()) })),
        ("grants", run(async { drop(mind.grants().await.unwrap()) })),
        ("webhooks", run(async { drop(mind.webhooks().await.unwrap()) })),
        ("ledger", run(async { drop(mind.ledger(0, 20).await.unwrap()) })),
        ("news", run(async { drop(mind.news(mind.head().await.unwrap(), 20).await.unwrap()) })),
        (
            "a turn",
            run(async {
                let said = vec![NewMessage::user("오늘은 공원에서 산책했어"), NewMessage::assistant("좋았겠다")];
                drop(mind.observe(Exchange { said, ..Exchange::default() }).await.unwrap());
            }),
        ),
    ]
}

/// Returns the steps of each route, with its costliest statement.
async fn measured(memories: usize) -> BTreeMap<&'static str, (u64, String)> {
    let folder = tempfile::tempdir().unwrap();
    let (_engine, mind) = filled(&folder.path().join("mind.db"), memories).await;
    // The first round fills the caches of the mind.
    for (_, run) in routes(&mind) {
        run.await;
    }
    // The index is loaded in the background: it is complete when a question costs the same twice.
    let mut before = u64::MAX;
    loop {
        meter::take();
        mind.context(ContextQuery { text: "place 12".into(), budget: None }).await.unwrap();
        let steps = meter::take().values().map(|(steps, _)| steps).sum();
        if steps == before && mind.is_loaded().await {
            break;
        }
        before = steps;
    }
    let mut measured = BTreeMap::new();
    for (name, run) in routes(&mind) {
        meter::take();
        run.await;
        let statements = meter::take();
        let steps = statements.values().map(|(steps, _)| steps).sum();
        let worst = statements.iter().max_by_key(|(_, (steps, _))| *steps);
        let told = worst.map(|(sql, (steps, scanned))| format!("{steps} steps, {scanned} of them scanning: {}", short(sql)));
        measured.insert(name, (steps, told.unwrap_or_default()));
    }
    measured
}

fn short(sql: &str) -> String {
    let words: Vec<&str> = sql.split_whitespace().collect();
    let text = words.join(" ");
    text.char_indices().rev().nth(160).map_or(text.clone(), |(at, _)| format!("...{}", &text[at..]))
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_a_mind_costs_the_same_at_twenty_times_its_size() {
    meter::start();
    let (small, large) = (measured(1_000).await, measured(20_000).await);
    let mut grown = Vec::new();
    for (name, (steps, worst)) in &large {
        let before = small[name].0;
        // A little more is allowed for deeper trees and rows that lie further apart.
        if *steps > before + before / 4 + 500 {
            grown.push(format!("{name}: {before} -> {steps} ({worst})"));
        }
    }
    assert!(small["context"].0 > 100 && small["list"].0 > 20, "the meter counts: {small:?}");
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}
