//! Formats domain values as JSON and as lines for people.

use std::io::{IsTerminal, Write};

use jiff::tz::TimeZone;
use saegim_core::{
    Axis, Candidate, CliffEntry, DiffLine, Emotion, Face, Fact, IntimacyLevel, Language, LedgerEntry, Memory, MemoryId, MemoryState, Mood,
    Op, Policy, Proposed, Rating, Relationship, Score, Span, SpeechStyle, Timestamp, Turn, Unit, forgotten_at, shortest,
};
use saegim_engine::{CliffMemory, Found, KnownStatement, Person};
use serde_json::{Value, json};

use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::shapes::Statement;
use crate::text::{for_terminal, gist};

/// Prints a line to standard error. Ignores write errors, because there is no other place to report them.
pub(crate) fn tell(words: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", for_terminal(&words.to_string()));
}

/// Prints a line of data to standard output. A closed pipe (`| head`) ends the program without an error.
pub(crate) fn print(line: impl std::fmt::Display) -> Result<(), AppError> {
    writeln!(std::io::stdout().lock(), "{}", for_terminal(&line.to_string())).map_err(AppError::output)
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
        "changed_behaviour": memory.changed_behaviour,
        "on_cliff": memory.standing == MemoryState::OnCliff,
        "zone": memory.zone,
        "zone_score": shortest(memory.zone_score),
        "tags": memory.tags,
        "rating": memory.rating,
        "turns": memory.turns,
        "coordinate": memory.coordinate,
    })
}

/// A search result as JSON, with its score and the score's parts.
pub(crate) fn found(found: &Found) -> Value {
    let mut value = memory(&found.memory, found.strength);
    value["score"] = json!(shortest(found.score.total()));
    value["parts"] = json!(found.score.parts());
    value
}

/// A memory on the cliff as JSON.
pub(crate) fn fallen(fallen: &CliffMemory, now: Timestamp) -> Value {
    let mut value = memory(&fallen.memory, fallen.memory.strength.value);
    value["entered_at"] = json!(fallen.entry.entered_at);
    value["gone_at"] = json!(fallen.entry.gone_at);
    value["seconds_left"] = json!(fallen.entry.time_left(now).as_millis() / 1000);
    value["reason"] = json!(fallen.entry.reason);
    value["note"] = json!(fallen.entry.note);
    value
}

/// Returns the last eight characters of an id. Commands accept them in place of the full id.
pub(crate) fn short(id: impl std::fmt::Display) -> String {
    let id = id.to_string();
    id[id.len() - 8..].to_owned()
}

/// Dims the text if standard output is a terminal and `NO_COLOR` is not set.
pub(crate) fn dim(text: &str) -> String {
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if colour { format!("\x1b[2m{text}\x1b[0m") } else { text.to_owned() }
}

/// Time, language, time zone and policy used to describe memories.
pub(crate) struct Look<'a> {
    pub(crate) now: Timestamp,
    pub(crate) language: Language,
    pub(crate) zone: TimeZone,
    pub(crate) policy: &'a Policy,
}

/// Returns the line shown below a memory: age, tier and time left, zone, emotions, rating, tags, id.
pub(crate) fn about(memory: &Memory, look: &Look<'_>) -> String {
    let (now, language) = (look.now, look.language);
    let mut parts = vec![language.ago(memory.created_at, now), term(memory, look), names::zone(memory.zone, language)];
    let feelings: Vec<&str> =
        memory.feeling.emotions.iter().filter(|emotion| *emotion != Emotion::Neutral).map(|emotion| name(emotion, language)).collect();
    if !feelings.is_empty() {
        parts.push(feelings.join(", "));
    }
    parts.extend(memory.rating.map(stars));
    if memory.pinned {
        parts.push(say!(language, "app.view.pinned"));
    }
    parts.extend(memory.tags.iter().map(|tag| format!("#{}", gist(tag, 60))));
    parts.push(short(memory.id));
    parts.join(" · ")
}

pub(crate) fn name(emotion: Emotion, language: Language) -> &'static str {
    match language {
        Language::English => emotion.as_str(),
        Language::Korean => emotion.korean(),
    }
}

/// Returns the tier and the time left. A memory that is not recalled may be forgotten before its tier expires.
fn term(memory: &Memory, look: &Look<'_>) -> String {
    let (now, language) = (look.now, look.language);
    let sooner = forgotten_at(memory, &look.zone, look.policy).filter(|at| memory.expires_at.is_some_and(|end| now < *at && *at < end));
    match memory.expires_at {
        // The memory was created while the clock was ahead, so its time left cannot be computed.
        _ if memory.created_at > now.plus(Span::days(1)) => {
            say!(language, "app.view.created_ahead_of_clock", tier = memory.tier)
        }
        _ if memory.standing == MemoryState::OnCliff => say!(language, "app.view.on_cliff", tier = memory.tier),
        None => say!(language, "app.view.permanent", tier = memory.tier),
        Some(end) if end <= now => say!(language, "app.view.expired", tier = memory.tier),
        Some(end) => {
            let (tier, left) = (memory.tier, language.left(sooner.unwrap_or(end).since(now)));
            match sooner {
                Some(_) => say!(language, "app.view.left_unless_recalled", tier, left),
                None => say!(language, "app.view.left", tier, left),
            }
        }
    }
}

/// Returns how long a memory on the cliff can still be restored. After that, the next worker run purges it.
pub(crate) fn left(entry: &saegim_core::CliffEntry, now: Timestamp, language: Language) -> String {
    match entry.is_gone(now) {
        true => say!(language, "app.view.deleted_at_next_check"),
        false => say!(language, "app.view.time_left", left = language.left(entry.time_left(now))),
    }
}

/// Formats a rating as stars.
pub(crate) fn stars(rating: Rating) -> String {
    "★".repeat(usize::from(rating.stars()))
}

/// Formats a time in the given time zone.
pub(crate) fn when(moment: Timestamp, zone: &jiff::tz::TimeZone) -> String {
    moment.civil(zone).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// Formats a number with the given decimals; never prints a negative zero.
pub(crate) fn number(value: f32, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|digit| matches!(digit, '0' | '.')) => rest.to_owned(),
        _ => text,
    }
}

/// Formats a score as the sum of its parts.
pub(crate) fn parts(score: &Score, language: Language) -> String {
    let part =
        |part: &saegim_core::Part| format!("{} {} x {}", names::part(&part.name, language), number(part.weight, 2), number(part.value, 2));
    format!("{} = {}", number(score.total(), 3), score.parts().iter().map(part).collect::<Vec<_>>().join(" + "))
}

/// Returns why a memory is on the cliff, in the reader's language.
pub(crate) fn reason(entry: &CliffEntry, language: Language) -> String {
    names::note(&entry.note, language)
}

/// Formats a ledger entry as part of a memory's history. An operation that used the memory is shown as a recall.
pub(crate) fn entry_of(entry: &LedgerEntry, memory: MemoryId, (zone, language): (&jiff::tz::TimeZone, Language)) -> String {
    let operation = if entry.used.contains(&memory) { Op::Recall } else { entry.operation };
    self::entry(&LedgerEntry { operation, ..entry.clone() }, zone, language)
}

/// Formats a ledger entry as one line.
pub(crate) fn entry(entry: &LedgerEntry, zone: &jiff::tz::TimeZone, language: Language) -> String {
    let ids: Vec<String> = entry.memories.iter().take(3).map(|reference| short(reference.memory)).collect();
    let more = entry.memories.len().saturating_sub(3);
    let more = if more > 0 { format!(" +{more}") } else { String::new() };
    let note = entry.note.as_deref().map(|note| format!(" ({})", names::note(note, language))).unwrap_or_default();
    let judges: String = entry.judges.iter().map(|judge| format!("  {}", self::judge(judge))).collect();
    let times = entry.times.filter(|times| *times > 1).map(|times| format!(" ×{times}")).unwrap_or_default();
    let judged = entry.evaluation.as_ref().map(|evaluation| format!("  {}", scores(evaluation, language))).unwrap_or_default();
    let planned =
        if entry.plan_adjustment.0.is_empty() { String::new() } else { format!("  → {}", plan(&entry.plan_adjustment.0, language)) };
    let things: Vec<String> = entry.things.iter().map(|thing| names::thing(thing, language)).collect();
    let things = if things.is_empty() { String::new() } else { format!(" {}", things.join(" ")) };
    let who = padded(&names::actor(entry.principal, language), 8);
    let what = padded(&names::deed(entry.operation, language), 11);
    let line = format!(
        "{:>5}  {}  {who} {what} {}{more}{things}{times}{judges}{note}{judged}{planned}",
        entry.sequence,
        when(entry.at, zone),
        ids.join(" ")
    );
    line.trim_end().to_owned()
}

/// Formats the four scores of an evaluation.
pub(crate) fn scores(evaluation: &saegim_core::Evaluation, language: Language) -> String {
    let parts = [
        ("impact", evaluation.impact),
        ("transparency", evaluation.transparency),
        ("reproducibility", evaluation.reproducibility),
        ("verifiability", evaluation.verifiability),
    ];
    parts.map(|(name, score)| format!("{} {:.2}", names::name("score", name, language), score.get())).join(" · ")
}

/// Formats adjustments of a plan with their reasons.
pub(crate) fn plan(adjustments: &[saegim_core::PlanAdjustment], language: Language) -> String {
    let one = |adjustment: &saegim_core::PlanAdjustment| {
        let action = names::name("plan_action", adjustment.action.as_str(), language);
        let trigger = names::name("plan_trigger", adjustment.trigger.as_str(), language);
        let order = &adjustment.details.new_order;
        let order = if order.is_empty() { String::new() } else { format!(" {}", order.join(" → ")) };
        format!("{action}{order} ({trigger})")
    };
    adjustments.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Formats which thinker made a judgement, and which model it replaced.
fn judge(judge: &saegim_core::Judge) -> String {
    let times = if judge.times > 1 { format!(" ×{}", judge.times) } else { String::new() };
    match (&judge.instead_of, judge.cause) {
        (Some(model), Some(cause)) => format!("[{}: {} for {model}, {cause}{times}]", judge.thought, judge.by),
        // The model's answer was cut off, but the received part was used.
        (None, Some(cause)) => format!("[{}: {}, {cause}{times}]", judge.thought, judge.by),
        _ => format!("[{}: {}{times}]", judge.thought, judge.by),
    }
}

/// A turn as JSON.
pub(crate) fn turn(turn: &Turn) -> Value {
    json!({
        "id": turn.id, "session": turn.session, "sequence": turn.sequence, "role": turn.role, "speaker": turn.speaker,
        "content": turn.content, "at": turn.at, "face": turn.face.map(Face::as_str), "injected": turn.injected, "withdrawn_at": turn.withdrawn_at,
    })
}

/// A candidate as JSON, with its six factors.
pub(crate) fn candidate(candidate: &Candidate) -> Value {
    json!({
        "id": candidate.id, "turn": candidate.turn, "content": candidate.content, "type": candidate.candidate_type,
        "factors": candidate.factors, "score": candidate.score, "verdict": candidate.verdict, "reason": candidate.reason,
        "memory_id": candidate.memory,
    })
}

/// A fact as JSON.
pub(crate) fn fact(fact: &Fact) -> Value {
    json!({
        "id": fact.id, "subject": fact.subject, "value": fact.value, "canonical": fact.canonical, "category": fact.category,
        "current": fact.is_current(), "single": fact.single, "emotions": fact.emotions, "importance": fact.importance,
        "confidence": fact.confidence, "valid_from": fact.valid_from, "valid_to": fact.valid_to, "superseded_by": fact.superseded_by,
        "mentions": fact.mentions, "turns": fact.turns,
    })
}

/// Statements as JSON.
pub(crate) fn statements(statements: &[KnownStatement]) -> Vec<Statement> {
    statements.iter().map(Statement::from).collect()
}

/// A person as JSON.
pub(crate) fn person(person: &Person) -> Value {
    let facts: Vec<Value> = person.facts.iter().map(fact).collect();
    json!({ "id": person.id, "name": person.name, "relation": person.relation, "facts": facts, "statements": statements(&person.statements) })
}

/// The relationship as JSON, with the derived intimacy, level and speech style.
pub(crate) fn relationship(relationship: &Relationship, style: SpeechStyle) -> Value {
    let mut value = json!(relationship);
    value["intimacy"] = json!(relationship.intimacy());
    value["level"] = json!(relationship.level());
    value["speech_style"] = json!(style);
    value
}

/// A mood as JSON.
pub(crate) fn mood(mood: &Mood) -> Value {
    let levels = Emotion::ALL.into_iter().map(|emotion| (emotion, mood.level(emotion).get())).filter(|(_, level)| *level > 0.0);
    let levels: serde_json::Map<String, Value> = levels.map(|(emotion, level)| (emotion.to_string(), json!(level))).collect();
    json!({ "levels": levels, "as_of": mood.as_of() })
}

/// Returns the display name of a fact subject.
pub(crate) fn subject_name(key: &str, language: Language) -> String {
    let named = saegim_language::fact_subject(key).and_then(|subject| match language {
        Language::Korean => subject.korean.first(),
        Language::English => subject.english.first(),
    });
    named.map_or_else(|| key.replace('_', " "), |name| (*name).to_owned())
}

/// Returns the diff of a proposed change, with subject names in `language`.
pub(crate) fn diff(change: &Proposed, language: Language) -> Vec<DiffLine> {
    change.diff_naming(|subject| subject_name(subject, language))
}

/// Finds a subject by its key or by one of its names.
pub(crate) fn subject_key(named: &str) -> Option<String> {
    let wanted = named.trim().to_lowercase();
    let fits = |subject: &&saegim_language::FactSubject| {
        subject.key == wanted.replace([' ', '-'], "_")
            || subject.korean.iter().chain(&subject.english).any(|name| name.to_lowercase() == wanted)
    };
    saegim_language::fact_subjects().iter().find(fits).map(|subject| subject.key.to_owned())
}

/// Returns the display name of a relationship axis.
pub(crate) fn axis(axis: Axis, language: Language) -> String {
    names::name("axis", axis.as_str(), language)
}

/// Returns the display name of an intimacy level.
pub(crate) fn level(level: IntimacyLevel, language: Language) -> String {
    names::name("intimacy_level", level.as_str(), language)
}

/// Returns the display name of a speech style.
pub(crate) fn style(style: SpeechStyle, language: Language) -> String {
    names::name("speech_style", style.as_str(), language)
}

/// Pads the text with spaces to a display width. Every non-ASCII character counts as two columns.
pub(crate) fn padded(text: &str, width: usize) -> String {
    let wide: usize = text.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum();
    format!("{text}{}", " ".repeat(width.saturating_sub(wide)))
}
