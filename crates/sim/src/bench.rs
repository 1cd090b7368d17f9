//! Speed, as ratios within one run on one machine: ours beside the bare thing it stands on.

use std::time::{Duration, Instant};

use rusqlite::Connection;
use saegim_core::{MindKey, word_queries};
use saegim_engine::{Config, Draft, Engine, Filter, Query};
use saegim_provider::{Embedder, LocalEmbedder, Purpose};
use serde_json::json;

use crate::Outcome;
use crate::made::{HashEmbedder, Numbers, sentence};

/// Times in microseconds: the middle one and the one only a twentieth exceed.
struct Times(Vec<Duration>);

impl Times {
    fn at(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort();
        sorted[((sorted.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6
    }

    fn json(&self) -> serde_json::Value {
        json!({ "p50_us": self.at(0.5), "p95_us": self.at(0.95), "runs": self.0.len() })
    }
}

#[allow(clippy::disallowed_methods, reason = "a benchmark measures")]
fn now() -> Instant {
    Instant::now()
}

fn timed(runs: usize, mut work: impl FnMut(usize)) -> Times {
    Times(
        (0..runs)
            .map(|run| {
                let start = now();
                work(run);
                start.elapsed()
            })
            .collect(),
    )
}

/// Measures and prints everything as one JSON object.
pub(crate) async fn run(memories: usize) -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut numbers = Numbers::new(7);
    let texts: Vec<String> = (0..memories).map(|_| sentence(&mut numbers)).collect();

    let mut config = Config::local(folder.path().join("mind.db"));
    config.embedder = Some(std::sync::Arc::new(HashEmbedder::new()));
    // What is measured is keeping and finding; judging a text is the thinker's and is measured by itself below.
    config.thinker = None;
    let engine = Engine::open(config).await?;
    let mind = engine.mind(MindKey::new("minsu", "luna")?).await?;

    eprintln!("storing {memories} memories, {} at once", 64);
    let start = now();
    let mut waiting = Vec::new();
    for text in &texts {
        let (mind, text) = (mind.clone(), text.clone());
        waiting.push(tokio::spawn(async move { mind.remember(Draft::text(text)).await.map(drop) }));
        if waiting.len() == 64 {
            for task in waiting.drain(..) {
                task.await??;
            }
        }
    }
    for task in waiting {
        task.await??;
    }
    let grouped_per_second = memories as f64 / start.elapsed().as_secs_f64();

    eprintln!("storing one at a time, beside one bare SQLite commit of a row");
    let bare = bare_file(&folder.path().join("bare.db"))?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for run in 0..300 {
        let text = sentence(&mut numbers);
        let start = now();
        mind.remember(Draft::text(text.clone())).await?;
        ours.push(start.elapsed());
        let start = now();
        bare.execute("INSERT INTO memory (content, at) VALUES (?1, ?2)", (&text, run))?;
        theirs.push(start.elapsed());
    }
    let (store, bare_commit) = (Times(ours), Times(theirs));

    eprintln!("recalling, beside sqlite-vec's own brute force");
    let questions: Vec<String> = (0..400).map(|_| sentence(&mut numbers).split(' ').take(4).collect::<Vec<_>>().join(" ")).collect();
    let mut recall = Vec::new();
    for question in &questions {
        let start = now();
        mind.recall(Query { limit: 10, ..Query::text(question.clone()) }).await?;
        recall.push(start.elapsed());
    }
    let recall = Times(recall[20..].to_vec());
    let filter = Filter {
        tags: Vec::new(),
        kind: Some(saegim_core::Kind::Episodic),
        since: Some(saegim_core::Timestamp::from_millis(0)),
        ..Filter::default()
    };
    let mut filtered = Vec::new();
    for question in &questions {
        let start = now();
        mind.recall(Query { limit: 10, filter: filter.clone(), ..Query::text(question.clone()) }).await?;
        filtered.push(start.elapsed());
    }
    let filtered = Times(filtered[20..].to_vec());
    let brute = brute_force(&texts, &questions)?;

    eprintln!("rebalancing");
    mind.rebalance(None).await?;
    let mut rebalance = Vec::new();
    for _ in 0..20 {
        let start = now();
        mind.rebalance(None).await?;
        rebalance.push(start.elapsed());
    }
    let rebalance = Times(rebalance);

    eprintln!("with the built-in embedder");
    let embedder = LocalEmbedder::built_in()?;
    let embed = timed(100, |run| drop(embedder.embed_now(&[questions[run].as_str()])));
    let judge =
        timed(200, |run| drop((saegim_provider::rules::appraise(&questions[run]), saegim_provider::rules::feeling(&questions[run]))));
    let words = timed(200, |run| drop(word_queries(&questions[run])));
    let mut config = Config::local(folder.path().join("real.db"));
    config.embedder = Some(std::sync::Arc::new(embedder.clone()));
    let engine = Engine::open(config).await?;
    let real = engine.mind(MindKey::new("minsu", "luna")?).await?;
    let few: Vec<String> = texts.iter().take(memories.min(5000)).cloned().collect();
    for batch in few.chunks(64) {
        embedder.embed(batch, Purpose::Passage).await?;
        let tasks: Vec<_> = batch
            .iter()
            .map(|text| {
                let (real, text) = (real.clone(), text.clone());
                tokio::spawn(async move { real.remember(Draft::text(text)).await.map(drop) })
            })
            .collect();
        for task in tasks {
            task.await??;
        }
    }
    let mut with_embedder = Vec::new();
    for question in questions.iter().take(200) {
        let start = now();
        real.recall(Query { limit: 10, ..Query::text(question.clone()) }).await?;
        with_embedder.push(start.elapsed());
    }
    let with_embedder = Times(with_embedder[10..].to_vec());

    let ratio = |ours: &Times, theirs: &Times| ours.at(0.5) / theirs.at(0.5);
    println!(
        "{}",
        serde_json::to_string_pretty(&json!({
            "memories": memories,
            "store_one_durable": store.json(),
            "bare_sqlite_commit": bare_commit.json(),
            "store_over_bare_commit": ratio(&store, &bare_commit),
            "grouped_per_second": grouped_per_second,
            "recall_embedded": recall.json(),
            "recall_filtered": filtered.json(),
            "sqlite_vec_brute_force": brute.json(),
            "recall_over_brute_force": ratio(&recall, &brute),
            "recall_with_embedder": with_embedder.json(),
            "embed_one": embed.json(),
            "judge_one": judge.json(),
            "cut_words": words.json(),
            "rebalance": rebalance.json(),
        }))?
    );
    Ok(())
}

/// A file with the same promises and nothing but a row in it.
fn bare_file(path: &std::path::Path) -> Result<Connection, rusqlite::Error> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch("CREATE TABLE memory (key INTEGER PRIMARY KEY, content TEXT, at INTEGER)")?;
    Ok(connection)
}

/// sqlite-vec's own table of the same vectors, asked for the same number of neighbours.
fn brute_force(texts: &[String], questions: &[String]) -> Result<Times, Box<dyn std::error::Error>> {
    register();
    let connection = Connection::open_in_memory()?;
    connection.execute_batch("CREATE VIRTUAL TABLE vectors USING vec0 (embedding float[512] distance_metric=cosine)")?;
    let bytes = |text: &str| -> Vec<u8> {
        HashEmbedder::vector(text, 512).components().iter().flat_map(|component| component.to_le_bytes()).collect()
    };
    for (row, text) in texts.iter().enumerate() {
        connection.execute("INSERT INTO vectors (rowid, embedding) VALUES (?1, ?2)", (row as i64, bytes(text)))?;
    }
    let mut search = connection.prepare("SELECT rowid, distance FROM vectors WHERE embedding MATCH ?1 AND k = 10")?;
    let vectors: Vec<Vec<u8>> = questions.iter().map(|question| bytes(question)).collect();
    Ok(timed(vectors.len(), |run| {
        let rows = search.query_map([&vectors[run]], |row| row.get::<_, i64>(0)).expect("it answers");
        assert_eq!(rows.count(), 10);
    }))
}

#[allow(unsafe_code)]
fn register() {
    // SAFETY: the entry point has the signature of every SQLite extension; see the store's `open.rs`.
    unsafe {
        rusqlite::ffi::sqlite3_auto_extension(Some(std::mem::transmute::<
            *const (),
            unsafe extern "C" fn(
                *mut rusqlite::ffi::sqlite3,
                *mut *mut std::ffi::c_char,
                *const rusqlite::ffi::sqlite3_api_routines,
            ) -> i32,
        >(sqlite_vec::sqlite3_vec_init as *const ())));
    }
}
