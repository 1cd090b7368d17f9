//! Memories as people and programs see them.

use std::io::{IsTerminal, Write};

use saegim_core::{CliffEntry, CliffReason, Emotion, Language, LedgerEntry, Memory, Score, Standing, Timestamp, Unit};
use saegim_engine::{Fallen, Found};
use serde_json::{Value, json};

use crate::error::AppError;
use crate::say::say;

/// Prints a line of data. A reader that went away (`| head`) ends the program quietly.
pub(crate) fn print(line: impl std::fmt::Display) -> Result<(), AppError> {
    writeln!(std::io::stdout().lock(), "{line}").map_err(|error| {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return AppError::Said;
        }
        AppError::File { path: "standard output".into(), error }
    })
}

/// A memory as JSON.
pub(crate) fn memory(memory: &Memory, strength: Unit) -> Value {
    json!({
        "id": memory.id,
        "external_id": memory.external_id,
        "content": memory.content,
        "original_event": memory.original_event,
        "interpretation": memory.interpretation,
        "summary": memory.summary,
        "kind": memory.kind,
        "category": memory.category,
        "source": memory.source,
        "knowledge": memory.knowledge,
        "emotions": memory.feeling.emotions,
        "intensity": memory.feeling.intensity,
        "sentiment": memory.feeling.sentiment,
        "emotion_keywords": memory.feeling.keywords,
        "trust": memory.trust,
        "importance": memory.importance,
        "appraisal": memory.appraisal,
        "strength": strength,
        "recalls": memory.recalls,
        "mentions": memory.mentions,
        "last_recalled_at": memory.last_recalled_at,
        "created_at": memory.created_at,
        "edited_at": memory.edited_at,
        "tier": memory.tier,
        "expires_at": memory.expires_at,
        "promoted_from": memory.promoted_from,
        "pinned": memory.pinned,
        "remember_this": memory.remember_this,
        "on_cliff": memory.standing == Standing::OnCliff,
        "zone": memory.zone,
        "zone_score": memory.zone_score,
        "tags": memory.tags,
        "rating": memory.rating,
        "turns": memory.turns,
        "coordinate": memory.coordinate,
    })
}

/// A found memory as JSON, with its score and the parts of it.
pub(crate) fn found(found: &Found) -> Value {
    let mut value = memory(&found.memory, found.strength);
    value["score"] = json!(found.score.total());
    value["parts"] = json!(found.score.parts());
    value
}

/// A memory on the cliff as JSON.
pub(crate) fn fallen(fallen: &Fallen, now: Timestamp) -> Value {
    let mut value = memory(&fallen.memory, fallen.memory.strength.value);
    value["entered_at"] = json!(fallen.entry.entered_at);
    value["gone_at"] = json!(fallen.entry.gone_at);
    value["seconds_left"] = json!(fallen.entry.time_left(now).as_millis() / 1000);
    value["reason"] = json!(fallen.entry.reason);
    value["note"] = json!(fallen.entry.note);
    value
}

/// The last digits of an id, enough to name it again.
pub(crate) fn short(id: impl std::fmt::Display) -> String {
    let id = id.to_string();
    id[id.len() - 8..].to_owned()
}

/// Words for the eye: dim where the terminal can.
pub(crate) fn dim(text: &str) -> String {
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if colour { format!("\x1b[2m{text}\x1b[0m") } else { text.to_owned() }
}

/// The line under a memory: age, tier and time left, zone, feelings, tags, id.
pub(crate) fn about(memory: &Memory, now: Timestamp, language: Language) -> String {
    let mut parts = vec![language.ago(memory.created_at, now), term(memory, now, language), memory.zone.to_string()];
    let feelings: Vec<&str> =
        memory.feeling.emotions.iter().filter(|emotion| *emotion != Emotion::Neutral).map(|emotion| name(emotion, language)).collect();
    if !feelings.is_empty() {
        parts.push(feelings.join(", "));
    }
    if memory.pinned {
        parts.push(say!(language, "pinned", "고정"));
    }
    parts.extend(memory.tags.iter().map(|tag| format!("#{tag}")));
    parts.push(short(memory.id));
    parts.join(" · ")
}

pub(crate) fn name(emotion: Emotion, language: Language) -> &'static str {
    match language {
        Language::English => emotion.as_str(),
        Language::Korean => emotion.korean(),
    }
}

/// The tier, and how long the memory is still kept.
fn term(memory: &Memory, now: Timestamp, language: Language) -> String {
    match memory.expires_at {
        None => say!(language, "{}, for ever", "{}, 영원히", memory.tier),
        Some(end) if end <= now => say!(language, "{}, term over", "{}, 기한 지남", memory.tier),
        Some(end) => say!(language, "{}, {} left", "{}, {} 남음", memory.tier, language.left(end.since(now))),
    }
}

/// A score, part by part.
pub(crate) fn parts(score: &Score) -> String {
    let part = |part: &saegim_core::Part| format!("{} {:.2} x {:.2}", part.name, part.weight, part.value);
    format!("{:.3} = {}", score.total(), score.parts().iter().map(part).collect::<Vec<_>>().join(" + "))
}

/// Why a memory fell, in the reader's language.
pub(crate) fn reason(entry: &CliffEntry, language: Language) -> String {
    match (language, entry.reason) {
        (Language::English, _) => entry.note.clone(),
        (Language::Korean, CliffReason::Expired) => "기한이 다함".into(),
        (Language::Korean, CliffReason::Displaced) => "다른 기억에 자리를 내줌".into(),
        (Language::Korean, CliffReason::Manual) => "직접 놓아줌".into(),
    }
}

/// A ledger entry in one line.
pub(crate) fn entry(entry: &LedgerEntry) -> String {
    let ids: Vec<String> = entry.memories.iter().take(3).map(|reference| short(reference.memory)).collect();
    let more = entry.memories.len().saturating_sub(3);
    let more = if more > 0 { format!(" +{more}") } else { String::new() };
    let note = entry.note.as_deref().map(|note| format!(" ({note})")).unwrap_or_default();
    format!("{:>5}  {}  {:<6} {:<9} {}{more}{note}", entry.sequence, entry.at, entry.principal, entry.operation, ids.join(" "))
}
