//! Conversion between memories and rows, in one place.

use rusqlite::{CachedStatement, Row, ToSql, types::FromSql};
use saegim_core::{
    Category, ContentType, Coordinate, Emotions, Essence, Fading, Feeling, Invalid, IslandId, Kind, Knowledge, Memory, MemoryId,
    MemoryState, Phrase, Rating, RhythmPhase, Sentiment, SessionId, Source, Strength, Tier, Timestamp, TurnId, Unit, Zone, phrase,
};

use super::super::apply::{Place, broken};
use crate::{IndexRow, StoreError, ZoneRow};

/// Executes a statement with every column of a memory as a named parameter.
pub(super) fn execute(mut statement: CachedStatement<'_>, place: Place, memory: &Memory) -> Result<usize, rusqlite::Error> {
    macro_rules! named {
        ($($name:ident: $value:expr,)*) => { &[$((concat!(":", stringify!($name)), &$value as &dyn ToSql),)*][..] };
    }
    let (feeling, at) = (&memory.feeling, &memory.coordinate);
    statement.execute(named! {
        mind: place.mind,
        stamp: place.sequence,
        id: *memory.id.bytes(),
        external_id: memory.external_id,
        revision: memory.revision,
        standing: match memory.standing { MemoryState::Alive => "alive", MemoryState::OnCliff => "on_cliff" },
        content: memory.content,
        essence_subject: memory.subject(),
        essence_times: memory.essence.as_ref().map(|essence| essence.times),
        original_event: memory.original_event,
        interpretation: memory.interpretation,
        summary: memory.summary,
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
        counted_references: memory.counted_references,
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
        session: at.session.as_ref().map(|session| session.as_str()),
        sequence: at.sequence,
        minutes: at.minutes,
        project: at.project,
        domain: at.domain,
        file_context: list(&at.file_context),
        depth_index: at.depth_index,
        persona_id: at.persona_id,
        persona_name: at.persona_name,
        persona_role: at.persona_role,
        backend: at.backend,
        content_type: at.content_type.map(ContentType::as_str),
        prompt_digest: at.prompt_digest,
        token_count: at.token_count,
        phase_injection_applied: at.phase_injection_applied,
        error_occurred: at.error_occurred,
        rhythm_phase: at.rhythm_phase.map(RhythmPhase::as_str),
        priority: at.priority,
    })
}

fn list(items: &[String]) -> Option<String> {
    (!items.is_empty()).then(|| serde_json::to_string(items).expect("strings are plain data"))
}

/// Columns of `select.sql`, in order.
const COLUMNS: &str = "id external_id revision standing content essence_subject essence_times original_event interpretation summary kind \
    category source knowledge emotions intensity sentiment affect_amplitude emotion_confidence emotion_keywords trust importance stated_importance appraisal \
    counted_references strength strength_turn recalls mentions last_recalled_at created_at edited_at tier expires_at promoted_from pinned \
    remember_this changed_behaviour island zone zone_score rating session sequence minutes project domain file_context \
    depth_index persona_id persona_name persona_role backend content_type prompt_digest token_count phase_injection_applied \
    error_occurred rhythm_phase priority tags turns";

/// Returns the index of a column at compile time: looking up fifty names per row takes longer than reading the values.
const fn place_of(name: &str) -> usize {
    let (columns, name) = (COLUMNS.as_bytes(), name.as_bytes());
    let (mut place, mut start) = (0, 0);
    while start < columns.len() {
        let mut length = 0;
        let mut same = true;
        while start + length < columns.len() && columns[start + length] != b' ' {
            same = same && length < name.len() && columns[start + length] == name[length];
            length += 1;
        }
        if same && length == name.len() {
            return place;
        }
        place += 1;
        start += length + 1;
    }
    panic!("there is no such column")
}

macro_rules! column {
    ($name:literal) => {
        const { place_of($name) }
    };
}

/// Parses the concatenated turn ids of a `select.sql` row. A habit of several years has thousands.
fn turns(row: &Row<'_>) -> Result<Vec<TurnId>, StoreError> {
    let no_id = || broken(phrase!("store.row.message_without_id"));
    let Some(bytes) = row.get_ref(column!("turns"))?.as_blob_or_null().map_err(|_| no_id())? else { return Ok(Vec::new()) };
    let (ids, rest) = bytes.as_chunks();
    if rest.is_empty() { Ok(ids.iter().copied().map(TurnId::from_bytes).collect()) } else { Err(no_id()) }
}

/// Returns what an essence counts; `None` for other memories.
fn essence(row: &Row<'_>) -> Result<Option<Essence>, StoreError> {
    let times: Option<u32> = row.get(column!("essence_times"))?;
    let subject = row.get(column!("essence_subject"))?;
    Ok(times.map(|times| Essence { subject, times }))
}

/// Converts a `select.sql` row to a memory.
pub(in super::super) fn memory(row: &Row<'_>) -> Result<Memory, StoreError> {
    let standing: String = row.get(column!("standing"))?;
    Ok(Memory {
        id: MemoryId::from_bytes(row.get(column!("id"))?),
        external_id: row.get(column!("external_id"))?,
        revision: row.get(column!("revision"))?,
        standing: if standing == "alive" { MemoryState::Alive } else { MemoryState::OnCliff },
        content: row.get(column!("content"))?,
        essence: essence(row)?,
        original_event: row.get(column!("original_event"))?,
        interpretation: row.get(column!("interpretation"))?,
        summary: row.get(column!("summary"))?,
        kind: word(row, column!("kind"), Kind::parse)?,
        category: maybe(row, column!("category"), Category::parse)?,
        source: word(row, column!("source"), Source::parse)?,
        knowledge: word(row, column!("knowledge"), Knowledge::parse)?,
        turns: turns(row)?,
        feeling: Feeling {
            emotions: Emotions::from_bits(row.get(column!("emotions"))?),
            intensity: unit(row, column!("intensity"))?,
            sentiment: Sentiment::clamped(row.get(column!("sentiment"))?),
            affect_amplitude: unit(row, column!("affect_amplitude"))?,
            confidence: unit(row, column!("emotion_confidence"))?,
            keywords: json(row, column!("emotion_keywords"))?,
        },
        trust: unit(row, column!("trust"))?,
        importance: unit(row, column!("importance"))?,
        stated_importance: row.get::<_, Option<f32>>(column!("stated_importance"))?.map(Unit::clamped),
        appraisal: row.get::<_, Option<f32>>(column!("appraisal"))?.map(Unit::clamped),
        counted_references: row.get(column!("counted_references"))?,
        strength: Strength { value: unit(row, column!("strength"))?, as_of_turn: row.get(column!("strength_turn"))? },
        recalls: row.get(column!("recalls"))?,
        mentions: row.get(column!("mentions"))?,
        last_recalled_at: time(row, column!("last_recalled_at"))?,
        created_at: Timestamp::from_millis(row.get(column!("created_at"))?),
        edited_at: time(row, column!("edited_at"))?,
        tier: word(row, column!("tier"), Tier::parse)?,
        expires_at: time(row, column!("expires_at"))?,
        promoted_from: row.get::<_, Option<[u8; 16]>>(column!("promoted_from"))?.map(MemoryId::from_bytes),
        pinned: row.get(column!("pinned"))?,
        remember_this: row.get(column!("remember_this"))?,
        changed_behaviour: row.get(column!("changed_behaviour"))?,
        island: row.get::<_, Option<[u8; 16]>>(column!("island"))?.map(IslandId::from_bytes),
        zone: word(row, column!("zone"), Zone::parse)?,
        zone_score: row.get(column!("zone_score"))?,
        tags: json(row, column!("tags"))?,
        rating: row
            .get::<_, Option<u8>>(column!("rating"))?
            .map(Rating::new)
            .transpose()
            .map_err(|_| broken(phrase!("store.row.rating_not_valid")))?,
        coordinate: coordinate(row)?,
    })
}

fn coordinate(row: &Row<'_>) -> Result<Coordinate, StoreError> {
    let session: Option<String> = row.get(column!("session"))?;
    Ok(Coordinate {
        session: session.map(SessionId::new).transpose().map_err(|_| broken(phrase!("store.row.session_without_name")))?,
        sequence: row.get(column!("sequence"))?,
        minutes: row.get(column!("minutes"))?,
        project: row.get(column!("project"))?,
        domain: row.get(column!("domain"))?,
        file_context: json(row, column!("file_context"))?,
        depth_index: row.get(column!("depth_index"))?,
        persona_id: row.get(column!("persona_id"))?,
        persona_name: row.get(column!("persona_name"))?,
        persona_role: row.get(column!("persona_role"))?,
        backend: row.get(column!("backend"))?,
        content_type: maybe(row, column!("content_type"), ContentType::parse)?,
        prompt_digest: row.get(column!("prompt_digest"))?,
        token_count: row.get(column!("token_count"))?,
        phase_injection_applied: row.get(column!("phase_injection_applied"))?,
        error_occurred: row.get(column!("error_occurred"))?,
        rhythm_phase: maybe(row, column!("rhythm_phase"), RhythmPhase::parse)?,
        priority: row.get(column!("priority"))?,
    })
}

/// Converts a `zones.sql` row.
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

/// Index of the stamp column in an `index.sql` row; the row key follows it.
pub(in super::super) const INDEX_STAMP: usize = 28;

/// Converts an `index.sql` row.
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
        recalls: row.get(23)?,
        freshened: Timestamp::from_millis(row.get(24)?),
        appraisal: row.get::<_, Option<f32>>(25)?.map(Unit::clamped),
        rhythm_phase: text(26)?.map(|word| RhythmPhase::parse(&word)).transpose().map_err(|_| broken(impossible("rhythm_phase")))?,
        emotion_keywords: text(27)?
            .map_or(Ok(Vec::new()), |words| serde_json::from_str(&words))
            .map_err(|_| broken(impossible("emotion_keywords")))?,
    })
}

fn unit(row: &Row<'_>, column: usize) -> Result<Unit, StoreError> {
    Ok(Unit::clamped(row.get(column)?))
}

fn time(row: &Row<'_>, column: usize) -> Result<Option<Timestamp>, StoreError> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Timestamp::from_millis))
}

fn json(row: &Row<'_>, column: usize) -> Result<Vec<String>, StoreError> {
    let text: Option<String> = row.get(column)?;
    text.map_or(Ok(Vec::new()), |text| serde_json::from_str(&text)).map_err(|_| broken(phrase!("store.row.list_not_readable")))
}

fn word<T>(row: &Row<'_>, column: usize, parse: impl Fn(&str) -> Result<T, Invalid>) -> Result<T, StoreError> {
    maybe(row, column, parse)?.ok_or_else(|| broken(phrase!("store.row.value_missing")))
}

fn maybe<T>(row: &Row<'_>, column: usize, parse: impl Fn(&str) -> Result<T, Invalid>) -> Result<Option<T>, StoreError> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| parse(&text)).transpose().map_err(|invalid| broken(invalid.phrase()))
}

fn at<T>(row: &Row<'_>, index: usize, parse: impl Fn(&str) -> Result<T, Invalid>) -> Result<T, StoreError> {
    let text = row.get_ref(index)?;
    let text = <String as FromSql>::column_result(text).map_err(|_| broken(phrase!("store.row.value_missing")))?;
    parse(&text).map_err(|invalid| broken(invalid.phrase()))
}

/// Returns the message for an invalid column value.
fn impossible(what: &str) -> Phrase {
    phrase!("store.row.not_valid", what)
}

#[cfg(test)]
mod tests {
    use super::COLUMNS;

    #[test]
    fn columns_are_read_from_where_they_stand() {
        let file = rusqlite::Connection::open_in_memory().unwrap();
        for migration in crate::sqlite::open::MIGRATIONS {
            file.execute_batch(migration).unwrap();
        }
        let select = file.prepare(super::super::SELECT).unwrap();
        assert!(select.column_names().eq(COLUMNS.split(' ')));
    }
}
