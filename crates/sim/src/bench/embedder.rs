use std::path::Path;
use std::sync::Arc;

use saegim_core::{MindKey, word_queries};
use saegim_engine::{Config, Engine, Filter};
use saegim_language::RuleThinker;
use saegim_provider::LocalEmbedder;
use serde_json::{Map, Value};

use super::{fill, recall, timed};
use crate::Outcome;

/// Measures a recall with the built-in embedder, and the cost of embedding, appraisal and tokenization on their own.
pub(super) async fn measure(file: &Path, texts: &[String], questions: &[String], told: &mut Map<String, Value>) -> Outcome {
    let embedder = LocalEmbedder::built_in()?;
    let embed = timed(100, |run| drop(embedder.embed_now(&[questions[run].as_str()])));
    let judge = timed(200, |run| drop((RuleThinker.appraise(&questions[run]), RuleThinker.feel(&questions[run]))));
    let words = timed(200, |run| drop(word_queries(&questions[run])));
    let mut config = Config::local(file);
    config.embedder = Some(Arc::new(embedder));
    let engine = Engine::open(config).await?;
    let mind = engine.mind(MindKey::new("minsu", "luna")?).await?;
    fill(&mind, &texts[..texts.len().min(5000)]).await?;
    let whole = recall::asked(&mind, &questions[..200], &Filter::default()).await?;
    told.insert("recall_with_embedder".into(), whole.json());
    told.insert("embed_one".into(), embed.json());
    told.insert("judge_one".into(), judge.json());
    told.insert("cut_words".into(), words.json());
    Ok(())
}
