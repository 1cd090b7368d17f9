//! The coordinate layout: `sessions/*.jsonl` with one memory per line, `index.json`, `config.json`, and a ledger.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use saegim_core::{
    ContentType, Coordinate, Feeling, Hash, Link, LinkKind, Memory, Op, Rating, RhythmPhase, Sentiment, SessionId, Source, Timestamp, Unit,
    phrase,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::write::{ExportChunk, Leaving};
use super::{ForeignMemory, ImportData, ImportLink, ImportName, moment, not_this};
use crate::exchange::Transfer;
use crate::{Draft, EngineError};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line {
    memory_id: String,
    timestamp: String,
    time: Time,
    space: Space,
    agent: Agent,
    emotion: Emotion,
    content: Content,
    metadata: Metadata,
    relations: Relations,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Time {
    session_id: Option<String>,
    sequence: Option<u32>,
    relative_time_minutes: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Space {
    project: Option<String>,
    domain: Option<String>,
    file_context: Vec<String>,
    depth_index: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Agent {
    persona_id: Option<String>,
    persona_name: Option<String>,
    role: Option<String>,
    backend: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Emotion {
    affect_amplitude: Option<f32>,
    sentiment_score: Option<f32>,
    confidence: Option<f32>,
    keywords: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Content {
    r#type: Option<String>,
    prompt_digest: Option<String>,
    response_full: Option<String>,
    response_summary: Option<String>,
    token_count: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    importance: Option<f32>,
    tags: Vec<String>,
    user_rating: Option<u8>,
    phase_injection_applied: bool,
    error_occurred: bool,
    bqi_snapshot: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Relations {
    parent_memory_id: Option<String>,
    child_memory_ids: Vec<String>,
    related_memory_ids: Vec<String>,
}

pub(super) fn read(path: &Path) -> Result<ImportData, EngineError> {
    let mut parcel = ImportData::default();
    for file in session_files(path)? {
        let text = std::fs::read_to_string(&file).map_err(|error| EngineError::of_file(&file, &error))?;
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match serde_json::from_str::<Line>(line) {
                Ok(line) => take(&mut parcel, line),
                Err(error) => parcel.leave_out(format!("{name}, line {}", number + 1), phrase!("engine.coordinates.not_a_memory", error)),
            }
        }
    }
    parcel.notes.push(phrase!("engine.coordinates.ledger_not_imported"));
    Ok(parcel)
}

/// Returns the session files: in `sessions`, `memory/sessions` or `outputs/memory/sessions`, or the given file itself.
fn session_files(path: &Path) -> Result<Vec<PathBuf>, EngineError> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let folders = [path.join("sessions"), path.join("memory").join("sessions"), path.join("outputs").join("memory").join("sessions")];
    let Some(folder) = folders.iter().find(|folder| folder.is_dir()) else {
        std::fs::metadata(path).map_err(|error| EngineError::of_file(path, &error))?;
        return Err(not_this(&phrase!("engine.coordinates.no_sessions_folder", path = path.display())));
    };
    let entries = std::fs::read_dir(folder).map_err(|error| EngineError::of_file(folder, &error))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "jsonl"));
    files.sort();
    Ok(files)
}

fn take(parcel: &mut ImportData, line: Line) {
    let id = line.memory_id;
    let Some(born) = moment(&line.timestamp) else {
        parcel.leave_out(id, phrase!("engine.coordinates.timestamp_not_valid"));
        return;
    };
    if id.is_empty() {
        parcel.leave_out(line.timestamp, phrase!("engine.coordinates.id_missing"));
        return;
    }
    let Some(text) = line.content.response_full.or_else(|| line.content.prompt_digest.clone()) else {
        parcel.leave_out(id, phrase!("engine.coordinates.text_missing"));
        return;
    };
    let relations = line.relations;
    let bonds = relations.parent_memory_id.into_iter().map(|other| (other, LinkKind::Child));
    let bonds = bonds.chain(relations.child_memory_ids.into_iter().map(|other| (other, LinkKind::Parent)));
    let bonds = bonds.chain(relations.related_memory_ids.into_iter().map(|other| (other, LinkKind::Related)));
    let from = ImportName::External(id.clone());
    parcel.bonds.extend(bonds.map(|(to, kind)| ImportLink { from: from.clone(), to: ImportName::External(to), kind }));
    let phase = line.metadata.bqi_snapshot.get("rhythm_phase").and_then(Value::as_str);
    let priority = line.metadata.bqi_snapshot.get("priority").and_then(Value::as_u64);
    let coordinate = Coordinate {
        session: line.time.session_id.and_then(|name| SessionId::new(name).ok()),
        sequence: line.time.sequence,
        minutes: line.time.relative_time_minutes,
        project: line.space.project,
        domain: line.space.domain,
        file_context: line.space.file_context,
        depth_index: line.space.depth_index,
        persona_id: line.agent.persona_id,
        persona_name: line.agent.persona_name,
        persona_role: line.agent.role,
        backend: line.agent.backend,
        content_type: line.content.r#type.and_then(|word| ContentType::parse(&word).ok()),
        prompt_digest: line.content.prompt_digest.map(|digest| digest.chars().take(500).collect()),
        token_count: line.content.token_count,
        phase_injection_applied: line.metadata.phase_injection_applied,
        error_occurred: line.metadata.error_occurred,
        rhythm_phase: phase.and_then(|word| RhythmPhase::parse(word).ok()),
        priority: priority.and_then(|priority| u8::try_from(priority).ok()).filter(|priority| (1..=4).contains(priority)),
    };
    let feeling = Feeling {
        sentiment: Sentiment::clamped(line.emotion.sentiment_score.unwrap_or(0.0)),
        affect_amplitude: Unit::clamped(line.emotion.affect_amplitude.unwrap_or(0.0)),
        confidence: Unit::clamped(line.emotion.confidence.unwrap_or(0.0)),
        keywords: line.emotion.keywords,
        ..Feeling::default()
    };
    let draft = Draft {
        importance: line.metadata.importance.map(Unit::clamped),
        tags: line.metadata.tags,
        source: Some(Source::Import),
        external_id: Some(id),
        born: Some(born),
        coordinate,
        ..Draft::text(text)
    };
    parcel.take(ForeignMemory {
        draft,
        rating: line.metadata.user_rating.and_then(|stars| Rating::new(stars).ok()),
        summary: line.content.response_summary,
        feeling: Some(feeling),
        ..ForeignMemory::default()
    });
}

/// Returns the files of the layout without the ledger.
pub(super) fn write(leaving: &Leaving) -> Vec<ExportChunk> {
    let names: std::collections::HashMap<_, _> = leaving.memories.iter().map(|memory| (memory.id, leaving.name(memory))).collect();
    let mut sessions: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for memory in leaving.memories.iter().rev() {
        let links = leaving.links.iter().filter(|link| link.from == memory.id);
        let ends = |kind: LinkKind| -> Vec<&String> {
            links.clone().filter(|link: &&Link| link.kind == kind).filter_map(|link| names.get(&link.to)).collect()
        };
        let relations = json!({
            "parent_memory_id": ends(LinkKind::Child).first(), "child_memory_ids": ends(LinkKind::Parent),
            "related_memory_ids": ends(LinkKind::Related),
        });
        let file = sessions.entry(file_name(memory.coordinate.session.as_ref())).or_default();
        file.0.push_str(&line(memory, &names[&memory.id], &relations).to_string());
        file.0.push('\n');
        file.1 += 1;
    }
    let mut pieces: Vec<ExportChunk> = sessions
        .into_iter()
        .map(|(name, (text, memories))| ExportChunk { file: Some(format!("sessions/{name}.jsonl")), text, memories })
        .collect();
    let pretty = |value: &Value| serde_json::to_string_pretty(value).expect("plain data") + "\n";
    pieces.push(ExportChunk { file: Some("index.json".into()), text: pretty(&index(leaving)), memories: 0 });
    let limits = &leaving.retention;
    let config = json!({
        "retention_policy": {
            "max_sessions": limits.sessions, "max_memories_per_session": limits.memories_per_session,
            "max_total_size_mb": limits.megabytes, "archive_after_days": limits.archive_after_days,
            "delete_after_days": limits.delete_after_days,
        },
        "storage": { "format": "jsonl", "compression": "none", "backup_enabled": false, "backup_path": null },
    });
    pieces.push(ExportChunk { file: Some("config.json".into()), text: pretty(&config), memories: 0 });
    pieces
}

/// Returns a file name for a session: its own name if every file system accepts it, otherwise a sanitised prefix and a hash.
fn file_name(session: Option<&SessionId>) -> String {
    let Some(session) = session else { return "no-session".into() };
    let name = session.as_str();
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    if name.chars().all(plain) && name.len() <= 100 && name != "no-session" {
        return name.to_owned();
    }
    let kept: String = name.chars().map(|letter| if plain(letter) { letter } else { '_' }).take(30).collect();
    format!("{kept}-{}", &Hash::of(name.as_bytes()).to_string()[..8])
}

fn line(memory: &Memory, name: &str, relations: &Value) -> Value {
    let (coordinate, feeling) = (&memory.coordinate, &memory.feeling);
    let snapshot = (coordinate.rhythm_phase.is_some() || coordinate.priority.is_some())
        .then(|| json!({ "rhythm_phase": coordinate.rhythm_phase, "priority": coordinate.priority }));
    json!({
        "memory_id": name,
        "timestamp": memory.created_at,
        "time": { "session_id": coordinate.session, "sequence": coordinate.sequence, "relative_time_minutes": coordinate.minutes },
        "space": {
            "project": coordinate.project, "domain": coordinate.domain, "file_context": coordinate.file_context,
            "depth_index": coordinate.depth_index,
        },
        "agent": {
            "persona_id": coordinate.persona_id, "persona_name": coordinate.persona_name, "role": coordinate.persona_role,
            "backend": coordinate.backend,
        },
        "emotion": {
            "affect_amplitude": feeling.affect_amplitude, "sentiment_score": feeling.sentiment, "confidence": feeling.confidence,
            "keywords": feeling.keywords,
        },
        "content": {
            "type": coordinate.content_type, "prompt_digest": coordinate.prompt_digest, "response_full": memory.content,
            "response_summary": memory.summary, "token_count": coordinate.token_count,
        },
        "metadata": {
            "importance": memory.stated_importance.unwrap_or(memory.importance), "tags": memory.tags, "user_rating": memory.rating,
            "phase_injection_applied": coordinate.phase_injection_applied, "error_occurred": coordinate.error_occurred,
            "bqi_snapshot": snapshot,
        },
        "relations": relations,
    })
}

/// Returns the search index: by tag, day, persona and importance.
fn index(leaving: &Leaving) -> Value {
    /// Number of most important memories listed.
    const TOP: usize = 100;
    let mut by: [BTreeMap<String, Vec<String>>; 3] = Default::default();
    for memory in leaving.memories.iter().rev() {
        let name = leaving.name(memory);
        let day = memory.created_at.civil(&jiff::tz::TimeZone::UTC).date().to_string();
        let persona = memory.coordinate.persona_id.iter();
        let keys = memory.tags.iter().map(|tag| (0, tag.clone())).chain([(1, day)]).chain(persona.map(|persona| (2, persona.clone())));
        for (which, key) in keys {
            by[which].entry(key).or_default().push(name.clone());
        }
    }
    let mut important: Vec<&Memory> = leaving.memories.iter().collect();
    important.sort_by(|one, other| other.importance.get().total_cmp(&one.importance.get()).then_with(|| one.id.cmp(&other.id)));
    let top = |memory: &&Memory| json!({ "memory_id": leaving.name(memory), "importance": memory.importance });
    let [keyword_index, time_index, persona_index] = by;
    json!({
        "index_version": "1.0", "last_updated": leaving.at, "total_memories": leaving.memories.len(),
        "keyword_index": keyword_index, "time_index": time_index, "persona_index": persona_index,
        "importance_index": important.iter().take(TOP).map(top).collect::<Vec<_>>(),
    })
}

impl Transfer<'_> {
    /// Returns the ledger in this layout, one file per day.
    pub(super) async fn coordinate_ledger(&self, leaving: &Leaving) -> Result<Vec<ExportChunk>, EngineError> {
        let names: std::collections::HashMap<_, _> = leaving.memories.iter().map(|memory| (memory.id, leaving.name(memory))).collect();
        let mut days: BTreeMap<String, String> = BTreeMap::new();
        let mut after = 0;
        loop {
            let entries = self.mind.reporting().ledger(after, 1000).await?;
            let Some((last, _)) = entries.last() else { break };
            after = last.sequence;
            for (entry, _) in &entries {
                let refs: Vec<String> = entry
                    .memories
                    .iter()
                    .map(|reference| names.get(&reference.memory).cloned().unwrap_or_else(|| reference.memory.to_string()))
                    .collect();
                let mut event = event(entry);
                event.insert("memory_id".into(), json!(refs.first()));
                event.insert("memory_refs".into(), json!(refs));
                let file = days.entry(day(entry.at)).or_default();
                file.push_str(&Value::Object(event).to_string());
                file.push('\n');
            }
        }
        let piece = |(day, text)| ExportChunk { file: Some(format!("resonance_ledger/ledger-{day}.jsonl")), text, memories: 0 };
        Ok(days.into_iter().map(piece).collect())
    }
}

fn day(at: Timestamp) -> String {
    at.civil(&jiff::tz::TimeZone::UTC).strftime("%Y%m%d").to_string()
}

/// Returns the word of the design for an event of personas, and the operation for all others.
fn event_type(entry: &saegim_core::LedgerEntry) -> &'static str {
    match (entry.operation, entry.note.as_deref()) {
        (Op::Orchestrate, Some("answered")) => "persona_response",
        (Op::Orchestrate, _) => "user_input",
        (Op::Evaluate, _) => "evaluation",
        (operation, _) => operation.as_str(),
    }
}

fn event(entry: &saegim_core::LedgerEntry) -> Map<String, Value> {
    let coordinate = &entry.coordinate;
    let mut event = Map::new();
    event.insert("timestamp".into(), json!(entry.at));
    event.insert("session_id".into(), json!(entry.session));
    event.insert("event_type".into(), json!(event_type(entry)));
    event.insert("persona_id".into(), json!(coordinate.persona_id));
    event.insert(
        "bqi_coordinate".into(),
        json!({
            "time": entry.at, "space": coordinate.domain.as_ref().or(coordinate.project.as_ref()), "agent": coordinate.persona_id,
            "emotion": { "affect": coordinate.affect, "keywords": coordinate.emotions }, "rhythm_phase": coordinate.rhythm_phase,
        }),
    );
    if let Some(evaluation) = &entry.evaluation {
        event.insert("impact_score".into(), json!(evaluation.impact));
        event.insert("transparency".into(), json!(evaluation.transparency));
        event.insert("reproducibility".into(), json!(evaluation.reproducibility));
        event.insert("verifiability".into(), json!(evaluation.verifiability));
    }
    event.insert("plan_adjustment".into(), json!(entry.plan_adjustment));
    event
}
