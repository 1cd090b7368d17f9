//! Memories as rows, and rows as memories: the one place that knows both.

use rusqlite::{Row, ToSql, types::FromSql};
use saegim_core::{
    Category, ContentType, Coordinate, Emotions, Fading, Feeling, Invalid, IslandId, Kind, Knowledge, Memory, MemoryId, Phrase, Rating,
    RhythmPhase, Sentiment, SessionId, Source, Standing, Strength, Tier, Timestamp, TurnId, Unit, Zone, phrase,
};

use super::super::apply::{Place, broken};
use crate::{IndexRow, StoreError, ZoneRow};

type Params = Vec<(&'static str, Box<dyn ToSql>)>;

/// Parameters as SQLite's binding takes them.
pub(super) fn borrowed(params: &Params) -> Vec<(&str, &dyn ToSql)> {
    params.iter().map(|(name, value)| (*name, &**value)).collect()
}

/// Every column of a memory, by name.
pub(super) fn params(place: Place, memory: &Memory) -> Params {
    macro_rules! named {
        ($($name:ident: $value:expr,)*) => { vec![$((concat!(":", stringify!($name)), Box::new($value) as Box<dyn ToSql>),)*] };
    }
    let (feeling, at) = (&memory.feeling, &memory.coordinate);
    named! {
        mind: place.mind,
        stamp: place.sequence,
        id: *memory.id.bytes(),
        external_id: memory.external_id.clone(),
        revision: memory.revision,
        standing: match memory.standing { Standing::Alive => "alive", Standing::OnCliff => "on_cliff" },
        content: memory.content.clone(),
        original_event: memory.original_event.clone(),
        interpretation: memory.interpretation.clone(),
        summary: memory.summary.clone(),
        kind: memory.kind.as_str(),
        category: memory.category.map(Category::as_str),
        source: memory.source.as_str(),
        knowledge: memory.knowledge.as_str(),
        emotions: feeling.emotions.bits(),
        intensity: feeling.intensity.get(),
        sentiment: feeling.sentiment.get(),
        affect_amplitude: feeling.affect_amplitude.get(),
        emotion_confidence: feeling.confidence.get(),
        emotion_keywords: list(&feeling.keywords),
        trust: memory.trust.get(),
        importance: memory.importance.get(),
        stated_importance: memory.stated_importance.map(Unit::get),
        appraisal: memory.appraisal.map(Unit::get),
        strength: memory.strength.value.get(),
        strength_turn: memory.strength.as_of_turn,
        recalls: memory.recalls,
        mentions: memory.mentions,
        last_recalled_at: memory.last_recalled_at.map(Timestamp::millis),
        created_at: memory.created_at.millis(),
        edited_at: memory.edited_at.map(Timestamp::millis),
        tier: memory.tier.as_str(),
        expires_at: memory.expires_at.map(Timestamp::millis),
        promoted_from: memory.promoted_from.map(|id| *id.bytes()),
        pinned: memory.pinned,
        remember_this: memory.remember_this,
        changed_behaviour: memory.changed_behaviour,
        island: memory.island.map(|id| *id.bytes()),
        zone: memory.zone.as_str(),
        zone_score: memory.zone_score,
        rating: memory.rating.map(Rating::stars),
        session: at.session.as_ref().map(|session| session.as_str().to_owned()),
        sequence: at.sequence,
        minutes: at.minutes,
        project: at.project.clone(),
        domain: at.domain.clone(),
        file_context: list(&at.file_context),
        depth_index: at.depth_index,
        persona_id: at.persona_id.clone(),
        persona_name: at.persona_name.clone(),
        persona_role: at.persona_role.clone(),
        backend: at.backend.clone(),
        content_type: at.content_type.map(ContentType::as_str),
        prompt_digest: at.prompt_digest.clone(),
        token_count: at.token_count,
        phase_injection_applied: at.phase_injection_applied,
        error_occurred: at.error_occurred,
        rhythm_phase: at.rhythm_phase.map(RhythmPhase::as_str),
        priority: at.priority,
    }
}

fn list(items: &[String]) -> Option<String> {
    (!items.is_empty()).then(|| serde_json::to_string(items).expect("strings are plain data"))
}

/// A memory from a row of `select.sql`.
pub(in super::super) fn memory(row: &Row<'_>) -> Result<Memory, StoreError> {
    let standing: String = row.get("standing")?;
    let hex_turns: Vec<String> = json(row, "turns")?;
    Ok(Memory {
        id: MemoryId::from_bytes(row.get("id")?),
        external_id: row.get("external_id")?,
        revision: row.get("revision")?,
        standing: if standing == "alive" { Standing::Alive } else { Standing::OnCliff },
        content: row.get("content")?,
        original_event: row.get("original_event")?,
        interpretation: row.get("interpretation")?,
        summary: row.get("summary")?,
        kind: word(row, "kind", Kind::parse)?,
        category: maybe(row, "category", Category::parse)?,
        source: word(row, "source", Source::parse)?,
        knowledge: word(row, "knowledge", Knowledge::parse)?,
        turns: hex_turns
            .iter()
            .map(|turn| TurnId::parse(turn).map_err(|_| broken(phrase!("a memory's turn has no id", "기억의 발화에 아이디가 없습니다"))))
            .collect::<Result<_, _>>()?,
        feeling: Feeling {
            emotions: Emotions::from_bits(row.get("emotions")?),
            intensity: unit(row, "intensity")?,
            sentiment: Sentiment::clamped(row.get("sentiment")?),
            affect_amplitude: unit(row, "affect_amplitude")?,
            confidence: unit(row, "emotion_confidence")?,
            keywords: json(row, "emotion_keywords")?,
        },
        trust: unit(row, "trust")?,
        importance: unit(row, "importance")?,
        stated_importance: row.get::<_, Option<f32>>("stated_importance")?.map(Unit::clamped),
        appraisal: row.get::<_, Option<f32>>("appraisal")?.map(Unit::clamped),
        strength: Strength { value: unit(row, "strength")?, as_of_turn: row.get("strength_turn")? },
        recalls: row.get("recalls")?,
        mentions: row.get("mentions")?,
        last_recalled_at: time(row, "last_recalled_at")?,
        created_at: Timestamp::from_millis(row.get("created_at")?),
        edited_at: time(row, "edited_at")?,
        tier: word(row, "tier", Tier::parse)?,
        expires_at: time(row, "expires_at")?,
        promoted_from: row.get::<_, Option<[u8; 16]>>("promoted_from")?.map(MemoryId::from_bytes),
        pinned: row.get("pinned")?,
        remember_this: row.get("remember_this")?,
        changed_behaviour: row.get("changed_behaviour")?,
        island: row.get::<_, Option<[u8; 16]>>("island")?.map(IslandId::from_bytes),
        zone: word(row, "zone", Zone::parse)?,
        zone_score: row.get("zone_score")?,
        tags: json(row, "tags")?,
        rating: row
            .get::<_, Option<u8>>("rating")?
            .map(Rating::new)
            .transpose()
            .map_err(|_| broken(phrase!("a memory has an impossible rating", "별점이 잘못된 기억이 있습니다")))?,
        coordinate: coordinate(row)?,
    })
}

fn coordinate(row: &Row<'_>) -> Result<Coordinate, StoreError> {
    let session: Option<String> = row.get("session")?;
    Ok(Coordinate {
        session: session
            .map(SessionId::new)
            .transpose()
            .map_err(|_| broken(phrase!("a memory's session has no name", "기억의 세션에 이름이 없습니다")))?,
        sequence: row.get("sequence")?,
        minutes: row.get("minutes")?,
        project: row.get("project")?,
        domain: row.get("domain")?,
        file_context: json(row, "file_context")?,
        depth_index: row.get("depth_index")?,
        persona_id: row.get("persona_id")?,
        persona_name: row.get("persona_name")?,
        persona_role: row.get("persona_role")?,
        backend: row.get("backend")?,
        content_type: maybe(row, "content_type", ContentType::parse)?,
        prompt_digest: row.get("prompt_digest")?,
        token_count: row.get("token_count")?,
        phase_injection_applied: row.get("phase_injection_applied")?,
        error_occurred: row.get("error_occurred")?,
        rhythm_phase: maybe(row, "rhythm_phase", RhythmPhase::parse)?,
        priority: row.get("priority")?,
    })
}

/// A row of `zones.sql`.
pub(in super::super) fn zone_row(row: &Row<'_>) -> Result<ZoneRow, StoreError> {
    Ok(ZoneRow {
        memory: MemoryId::from_bytes(row.get(0)?),
        recalls: row.get(1)?,
        freshened: Timestamp::from_millis(row.get(2)?),
        created_at: Timestamp::from_millis(row.get(3)?),
        appraisal: row.get::<_, Option<f32>>(4)?.map(Unit::clamped),
        zone: at(row, 5, Zone::parse)?,
    })
}

/// A row of `index.sql`.
pub(in super::super) fn index_row(row: &Row<'_>) -> Result<IndexRow, StoreError> {
    let importance = Unit::clamped(row.get(8)?);
    let content_type: Option<String> = row.get(7)?;
    let session: Option<String> = row.get(4)?;
    let text = |column: usize| -> Result<Option<String>, StoreError> { Ok(row.get(column)?) };
    Ok(IndexRow {
        memory: MemoryId::from_bytes(row.get(0)?),
        alive: row.get(1)?,
        content: row.get(2)?,
        created_at: Timestamp::from_millis(row.get(3)?),
        session,
        sequence: row.get(5)?,
        speaker: row.get(6)?,
        content_type: content_type.map(|word| ContentType::parse(&word)).transpose().map_err(|_| broken(impossible("content_type")))?,
        importance,
        strength: Strength { value: Unit::clamped(row.get(9)?), as_of_turn: row.get(10)? },
        fading: Fading {
            kind: at(row, 11, Kind::parse)?,
            intensity: Unit::clamped(row.get(12)?),
            importance,
            tier: at(row, 13, Tier::parse)?,
            pinned: row.get(14)?,
        },
        category: text(15)?.map(|word| Category::parse(&word)).transpose().map_err(|_| broken(impossible("category")))?,
        zone: at(row, 16, Zone::parse)?,
        emotions: Emotions::from_bits(row.get(17)?),
        persona: row.get(18)?,
        project: row.get(19)?,
        domain: row.get(20)?,
        tags: text(21)?.map_or(Ok(Vec::new()), |tags| serde_json::from_str(&tags)).map_err(|_| broken(impossible("tags")))?,
        vector: row.get(22)?,
    })
}

fn unit(row: &Row<'_>, column: &str) -> Result<Unit, StoreError> {
    Ok(Unit::clamped(row.get(column)?))
}

fn time(row: &Row<'_>, column: &str) -> Result<Option<Timestamp>, StoreError> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Timestamp::from_millis))
}

fn json(row: &Row<'_>, column: &str) -> Result<Vec<String>, StoreError> {
    let text: Option<String> = row.get(column)?;
    text.map_or(Ok(Vec::new()), |text| serde_json::from_str(&text))
        .map_err(|_| broken(phrase!("a list in a memory cannot be read", "읽을 수 없는 목록이 기억에 있습니다")))
}

fn word<T>(row: &Row<'_>, column: &str, parse: impl Fn(&str) -> Result<T, Invalid>) -> Result<T, StoreError> {
    maybe(row, column, parse)?.ok_or_else(|| broken(phrase!("a memory lacks a word it must have", "있어야 할 값이 없는 기억이 있습니다")))
}

fn maybe<T>(row: &Row<'_>, column: &str, parse: impl Fn(&str) -> Result<T, Invalid>) -> Result<Option<T>, StoreError> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| parse(&text)).transpose().map_err(|invalid| broken(invalid.phrase()))
}

fn at<T>(row: &Row<'_>, index: usize, parse: impl Fn(&str) -> Result<T, Invalid>) -> Result<T, StoreError> {
    let text = row.get_ref(index)?;
    let text = <String as FromSql>::column_result(text)
        .map_err(|_| broken(phrase!("a memory lacks a word it must have", "있어야 할 값이 없는 기억이 있습니다")))?;
    parse(&text).map_err(|invalid| broken(invalid.phrase()))
}

/// A value no memory can have.
fn impossible(what: &str) -> Phrase {
    phrase!("a memory has an impossible {what}", "{what} 값이 잘못된 기억이 있습니다")
}
