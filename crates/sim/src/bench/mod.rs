//! Speed as ratios within one run on one machine: saegim compared with the bare library it builds on.

/// The built-in embedder: a whole recall and its parts.
mod embedder;
/// Rebalancing.
pub(crate) mod rebalance;
/// Recall, compared with sqlite-vec's brute-force search.
mod recall;
/// Storing, compared with a bare SQLite commit.
mod store;
/// A whole turn.
mod turn;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use saegim_core::MindKey;
use saegim_engine::{Config, Draft, Engine, MindHandle};
use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::made::{HashEmbedder, Numbers, sentence};

/// One part of the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Storing.
    Store,
    /// Recall.
    Recall,
    /// Rebalancing.
    Rebalance,
    /// The embedder and the thinker.
    Embedder,
    /// A whole turn.
    Turn,
}

/// Measured durations. Reported in microseconds as median and 95th percentile.
pub(crate) struct Times(pub(crate) Vec<Duration>);

impl Times {
    pub(crate) fn at(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort();
        sorted[((sorted.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6
    }

    pub(crate) fn json(&self) -> Value {
        json!({ "p50_us": self.at(0.5), "p95_us": self.at(0.95), "runs": self.0.len() })
    }

    /// Returns the ratio of the medians.
    pub(crate) fn over(&self, others: &Self) -> f64 {
        self.at(0.5) / others.at(0.5)
    }
}

#[allow(clippy::disallowed_methods, reason = "a benchmark measures")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

pub(crate) fn timed(runs: usize, mut work: impl FnMut(usize)) -> Times {
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

/// Opens a mind with a free embedder and no thinker, so that only storing and recall are measured.
pub(crate) async fn mind(file: &Path) -> Result<(Engine, MindHandle), Box<dyn std::error::Error>> {
    let mut config = Config::local(file);
    config.embedder = Some(Arc::new(HashEmbedder::new()));
    config.thinker = None;
    let engine = Engine::open(config).await?;
    let mind = engine.mind(MindKey::new("minsu", "luna")?).await?;
    Ok((engine, mind))
}

/// Generates questions: the first words of sentences like the stored ones.
pub(crate) fn questions(numbers: &mut Numbers, count: usize) -> Vec<String> {
    (0..count).map(|_| sentence(numbers).split(' ').take(4).collect::<Vec<_>>().join(" ")).collect()
}

/// Number of concurrent writers.
const WRITERS: usize = 64;

/// Stores texts with many concurrent writers. Returns the memories per second.
pub(crate) async fn fill(mind: &MindHandle, texts: &[String]) -> Result<f64, Box<dyn std::error::Error>> {
    let start = now();
    let share = texts.len().div_ceil(WRITERS).max(1);
    let writers: Vec<_> = texts
        .chunks(share)
        .map(|texts| {
            let (mind, texts) = (mind.clone(), texts.to_vec());
            tokio::spawn(async move {
                for text in texts {
                    mind.remember(Draft::text(text)).await?;
                }
                Ok::<_, saegim_engine::EngineError>(())
            })
        })
        .collect();
    for writer in writers {
        writer.await??;
    }
    Ok(texts.len() as f64 / start.elapsed().as_secs_f64())
}

/// Runs all measurements, or one part, and prints them as one JSON object.
pub(crate) async fn run(memories: usize, only: Option<Part>) -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut numbers = Numbers::new(7);
    let texts: Vec<String> = (0..memories).map(|_| sentence(&mut numbers)).collect();
    let wanted = |part: Part| only.is_none_or(|only| only == part);
    let (engine, mind) = mind(&folder.path().join("mind.db")).await?;
    eprintln!("storing {memories} memories, {WRITERS} at once");
    let grouped_per_second = fill(&mind, &texts).await?;
    let mut told: Map<String, Value> = Map::new();
    told.insert("memories".into(), memories.into());
    told.insert("grouped_per_second".into(), grouped_per_second.into());
    if wanted(Part::Store) {
        eprintln!("storing one at a time, beside one bare SQLite commit of a row");
        store::measure(&mind, folder.path(), &mut numbers, &mut told).await?;
    }
    let questions = questions(&mut numbers, 400);
    if wanted(Part::Recall) {
        eprintln!("recalling, beside sqlite-vec's own brute force");
        recall::measure(&mind, &texts, &questions, &mut told).await?;
    }
    if wanted(Part::Rebalance) {
        eprintln!("rebalancing");
        told.insert("rebalance".into(), rebalance::measure(&mind, None).await?.json());
    }
    drop((mind, engine));
    if wanted(Part::Embedder) {
        eprintln!("with the built-in embedder");
        embedder::measure(&folder.path().join("real.db"), &texts, &questions, &mut told).await?;
    }
    if wanted(Part::Turn) {
        eprintln!("taking turns");
        turn::measure(&folder.path().join("turn.db"), &texts, &mut told).await?;
    }
    println!("{}", serde_json::to_string_pretty(&told)?);
    Ok(())
}
