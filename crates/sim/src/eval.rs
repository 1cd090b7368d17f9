//! Retrieval quality: stores conversations as memories, asks questions and writes the rankings for an external scorer.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use saegim_core::{ContentType, Coordinate, MindKey, SessionId, Span, Timestamp};
use saegim_engine::{Config, Depth, Draft, Engine, Filter, MindHandle, Query, SetClock};
use saegim_provider::{Embedder, LargerEmbedder, LocalEmbedder};
use serde_json::{Value, json};

use crate::Outcome;

/// Lines of each space, in order.
type Spaces = BTreeMap<String, Vec<Value>>;

fn lines(path: &Path) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn text<'a>(line: &'a Value, field: &str) -> Option<&'a str> {
    line[field].as_str().filter(|text| !text.is_empty())
}

/// Parses a time; one without a time zone is read as UTC.
fn moment(line: &Value) -> Option<Timestamp> {
    let time = text(line, "time")?;
    Timestamp::parse(time).or_else(|_| Timestamp::parse(&format!("{time}Z"))).ok()
}

/// Converts a line of a conversation into a draft with speaker, position and time. A photo is stored as its caption.
fn draft(line: &Value, order: i64) -> Result<Draft, Box<dyn std::error::Error>> {
    // A memory holds at most 32,768 characters; a longer message is truncated.
    let said: String = text(line, "text").unwrap_or("…").chars().take(32_000).collect();
    let content = match text(line, "caption") {
        Some(caption) => format!("{said} [photo: {caption}]"),
        None => said,
    };
    let speaker = text(line, "speaker");
    let content_type = match speaker {
        Some("user") => Some(ContentType::UserInput),
        Some("assistant") => Some(ContentType::PersonaResponse),
        _ => None,
    };
    let born = moment(line).unwrap_or(Timestamp::from_millis(0));
    Ok(Draft {
        coordinate: Coordinate {
            session: text(line, "session").map(SessionId::new).transpose()?,
            sequence: line["seq"].as_u64().map(|sequence| sequence as u32),
            persona_name: if content_type.is_none() { speaker.map(str::to_owned) } else { None },
            content_type,
            ..Coordinate::default()
        },
        external_id: text(line, "id").map(str::to_owned),
        // Lines with the same time keep their order.
        born: Some(born.plus(Span::millis(order))),
        ..Draft::text(content)
    })
}

async fn keep(mind: &MindHandle, lines: &[Value]) -> Outcome {
    for (chunk_number, chunk) in lines.chunks(64).enumerate() {
        let mut tasks = Vec::new();
        for (number, line) in chunk.iter().enumerate() {
            let (mind, draft) = (mind.clone(), draft(line, (chunk_number * 64 + number) as i64)?);
            tasks.push(tokio::spawn(async move { mind.remember(draft).await }));
        }
        for task in tasks {
            task.await??;
        }
    }
    Ok(())
}

/// Returns the embedder with this name. The path of the larger one comes from `SAEGIM_E5`.
pub(crate) fn embedder(name: &str) -> Result<Option<Arc<dyn Embedder>>, Box<dyn std::error::Error>> {
    match name {
        "none" => Ok(None),
        "built-in" => Ok(Some(Arc::new(LocalEmbedder::built_in()?))),
        "larger" => {
            let path = std::env::var_os("SAEGIM_E5").ok_or("SAEGIM_E5 does not name the larger model's file")?;
            Ok(Some(Arc::new(LargerEmbedder::open(Path::new(&path))?)))
        }
        other => Err(format!("{other} is not an embedder; name built-in, larger or none").into()),
    }
}

/// Parameters of an evaluation.
pub(crate) struct Evaluation<'a> {
    /// Folder of the data sets.
    pub(crate) data: &'a Path,
    /// Name of the data set.
    pub(crate) set: &'a str,
    /// Name of the embedder.
    pub(crate) embedder: &'a str,
    /// Folder in which the database stays for another run; temporary if absent.
    pub(crate) kept: Option<&'a Path>,
    /// JSON file with policy fields that differ from their defaults.
    pub(crate) policy: Option<&'a Path>,
}

/// Stores the corpus of a set, asks its questions and writes one ranking per line.
pub(crate) async fn run(evaluation: Evaluation<'_>) -> Outcome {
    let Evaluation { data, set, embedder: name, kept, policy } = evaluation;
    let folder = tempfile::tempdir()?;
    let mut spaces = Spaces::new();
    for line in lines(&data.join(set).join("corpus.jsonl"))? {
        spaces.entry(line["space"].as_str().unwrap_or_default().to_owned()).or_default().push(line);
    }
    let clock = Arc::new(SetClock::at(Timestamp::from_millis(0)));
    let mut config = Config::local(kept.unwrap_or(folder.path()).join(format!("{set}-{name}.db")));
    config.embedder = embedder(name)?;
    config.clock = clock.clone();
    if let Some(policy) = policy {
        config.policy = serde_json::from_str(&std::fs::read_to_string(policy)?)?;
    }
    let engine = Engine::open(config).await?;
    let mut minds = BTreeMap::new();
    for (space, lines) in &spaces {
        let mind = engine.mind(MindKey::new(space, "eval")?).await?;
        if mind.counts().await?.zones.iter().sum::<u64>() == 0 {
            keep(&mind, lines).await?;
            eprintln!("{set}: {space}: {} memories kept", lines.len());
        }
        let end = lines.iter().filter_map(moment).max().unwrap_or(Timestamp::from_millis(0));
        minds.insert(space.as_str(), (mind, end));
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    for question in lines(&data.join(set).join("queries.jsonl"))? {
        let Some((mind, end)) = question["space"].as_str().and_then(|space| minds.get(space)) else { continue };
        let asked = moment(&question);
        // A question with a date is asked on that date, one without at the end of the conversation.
        clock.set(asked.unwrap_or(*end));
        // Memories from after the question's date must not be found.
        let until = asked.map(|moment| moment.plus(Span::days(2)).midnight(&jiff::tz::TimeZone::UTC));
        let query = Query {
            limit: 100,
            depth: Depth::Everything,
            filter: Filter { until, ..Filter::default() },
            ..Query::text(text(&question, "query").unwrap_or_default())
        };
        let start = now();
        let recalled = mind.recall(query).await?;
        let elapsed = start.elapsed().as_secs_f64() * 1000.0;
        let ranked: Vec<&str> = recalled.results.iter().filter_map(|found| found.memory.external_id.as_deref()).collect();
        let best = recalled.results.first().map_or(1.0, |found| found.score.total()).max(1e-6);
        let scores: Vec<f32> = recalled.results.iter().map(|found| recalled.confidence.get() * found.score.total() / best).collect();
        writeln!(out, "{}", json!({ "qid": question["qid"], "ranked": ranked, "scores": scores, "ms": elapsed }))?;
    }
    out.flush()?;
    Ok(())
}

#[allow(clippy::disallowed_methods, reason = "an evaluation measures")]
fn now() -> Instant {
    Instant::now()
}
