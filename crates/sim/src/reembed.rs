//! Changes the embedder of a large mind while it is queried: no recall may fail, and in the end the mind must equal one that was
//! built with the new embedder.

use std::path::Path;
use std::sync::Arc;

use saegim_core::MindKey;
use saegim_engine::{Config, Draft, Engine, MindHandle, Query, SeededDice, SetClock};
use saegim_provider::{Embedder, LocalEmbedder};
use serde_json::json;

use crate::Outcome;
use crate::made::{HashEmbedder, Numbers, sentence};

async fn open(path: &Path, embedder: Arc<dyn Embedder>) -> Result<MindHandle, Box<dyn std::error::Error>> {
    let mut config = Config::local(path);
    config.embedder = Some(embedder);
    config.thinker = None;
    config.clock = Arc::new(SetClock::at(saegim_core::Timestamp::parse("2026-03-02T09:00:00Z")?));
    config.dice = Arc::new(SeededDice::new(3));
    Ok(Engine::open(config).await?.mind(MindKey::new("minsu", "luna")?).await?)
}

async fn built(mind: &MindHandle, memories: usize) -> Outcome {
    let mut numbers = Numbers::new(5);
    for _ in 0..memories {
        mind.remember(Draft::text(sentence(&mut numbers))).await?;
    }
    Ok(())
}

async fn answers(mind: &MindHandle, questions: &[String]) -> Result<Vec<Vec<String>>, Box<dyn std::error::Error>> {
    let mut answers = Vec::new();
    for question in questions {
        let recalled = mind.recall(Query::text(question)).await?;
        answers.push(recalled.results.iter().map(|found| format!("{} {:.3}", found.memory.id, found.relevance.get())).collect());
    }
    Ok(answers)
}

/// Changes the embedder of a mind with `memories` memories from the hash embedder to the built-in one.
pub(crate) async fn run(memories: usize) -> Outcome {
    let folder = tempfile::tempdir()?;
    let new: Arc<dyn Embedder> = Arc::new(LocalEmbedder::built_in()?);
    built(&open(&folder.path().join("old.db"), Arc::new(HashEmbedder::new())).await?, memories).await?;
    let mut numbers = Numbers::new(9);
    let questions: Vec<String> = (0..50).map(|_| sentence(&mut numbers)).collect();
    let changed = open(&folder.path().join("old.db"), Arc::clone(&new)).await?;
    let embedding = changed.clone();
    let making = tokio::spawn(async move { embedding.embed_missing(|_| ()).await.map_err(|error| error.to_string()) });
    let (mut asked, mut failed, mut progress) = (0usize, 0usize, Vec::new());
    while !making.is_finished() {
        match changed.recall(Query::text(&questions[asked % questions.len()])).await {
            Ok(recalled) => progress.extend(recalled.degraded.filter(|_| asked.is_multiple_of(200)).map(|words| words.to_string())),
            Err(_) => failed += 1,
        }
        asked += 1;
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let made = making.await??;
    let fresh = open(&folder.path().join("new.db"), new).await?;
    built(&fresh, memories).await?;
    let (once, again) = (answers(&changed, &questions).await?, answers(&fresh, &questions).await?);
    let differ = once.iter().zip(&again).filter(|(one, other)| one != other).count();
    progress.truncate(5);
    println!(
        "{}",
        json!({ "memories": memories, "embedded": made, "recalls_meanwhile": asked, "failed_recalls": failed,
            "questions": questions.len(), "answers_that_differ_from_a_fresh_build": differ, "progress_shown": progress })
    );
    if failed + differ == 0 && made == memories { Ok(()) } else { Err("something was lost or mixed".into()) }
}
