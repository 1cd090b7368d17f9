//! Memories and recall.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use saegim_core::{
    self as core, Category, Emotion, Emotions, Kind, MemoryId, Rating, RhythmPhase, SessionId, Tier, Timestamp, Unit, Zone, phrase,
};
use saegim_engine::{Core, Draft, Edit, Filter, MindHandle, Page, Pinned};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::paging::cursor;
use super::{idempotency, limit, short};
use crate::http::access::{Known, Named};
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::revisions::meant;
use crate::http::{Asked, At, Body, Server};
use crate::shapes::{
    Life, MOST_LABELS, Memory, emotion_list, label_list, maybe_categories, maybe_emotions, maybe_kinds, maybe_label_list, maybe_moments,
    maybe_rhythm_phases, maybe_texts, maybe_tiers, maybe_zones, texts,
};

/// New memory.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewMemory {
    /// What is to be remembered.
    #[schema(schema_with = texts)]
    content: String,
    /// Importance, 0..=1.
    #[schema(minimum = 0, maximum = 1)]
    importance: Option<f32>,
    #[schema(schema_with = emotion_list)]
    #[serde(default)]
    emotions: Vec<Emotion>,
    /// Intensity of the emotion, 0..=1.
    #[schema(minimum = 0, maximum = 1)]
    intensity: Option<f32>,
    /// Tags.
    #[serde(default)]
    #[schema(schema_with = label_list)]
    tags: Vec<String>,
    #[schema(schema_with = maybe_tiers)]
    tier: Option<Tier>,
    #[schema(schema_with = maybe_kinds)]
    kind: Option<Kind>,
    #[schema(schema_with = maybe_categories)]
    category: Option<Category>,
    /// Pin it.
    #[serde(default)]
    pinned: bool,
    /// Session it belongs to.
    #[schema(min_length = 1, max_length = 200)]
    session: Option<String>,
    /// Id in another system.
    #[schema(max_length = 200)]
    external_id: Option<String>,
}

fn unit(value: Option<f32>, field: &'static str) -> Result<Option<Unit>, Problem> {
    value.map(|value| Unit::new(value).map_err(|_| Problem::bad(phrase!("http.memories.not_a_share", field)))).transpose()
}

/// Store a memory
#[utoipa::path(post, path = "/v1/minds/{mind}/memories", tag = "memories",
    params(("mind" = String, Path, description = "Id or key of the mind"), ("Idempotency-Key" = Option<String>, Header, description = "Idempotency key: the memory is stored once", min_length = 1, max_length = 200, pattern = "^[!-~]+$")),
    request_body = NewMemory, responses(
    (status = 201, body = Memory),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn remember(
    State(server): State<Arc<Server>>,
    named: Named,
    headers: HeaderMap,
    Body(body): Body<NewMemory>,
) -> Result<Response, Problem> {
    core::content(&body.content)?;
    short(&body.tags, ("tags", MOST_LABELS))?;
    short(body.external_id.as_slice(), ("external_id", 1))?;
    let draft = Draft {
        importance: unit(body.importance, "importance")?,
        emotions: (!body.emotions.is_empty()).then(|| Emotions::mix(body.emotions)),
        intensity: unit(body.intensity, "intensity")?,
        tags: body.tags,
        tier: body.tier,
        kind: body.kind,
        category: body.category,
        pinned: body.pinned,
        external_id: body.external_id,
        idempotency: idempotency(&headers)?,
        coordinate: core::Coordinate { session: body.session.map(SessionId::new).transpose()?, ..core::Coordinate::default() },
        ..Draft::text(body.content)
    };
    let kept = named.begun(&server).await?.remember(draft).await?;
    Ok((StatusCode::CREATED, tagged(&kept.memory), Json(Memory::from(&kept.memory))).into_response())
}

/// Returns the memory's revision as an ETag header.
fn tagged(memory: &core::Memory) -> [(header::HeaderName, HeaderValue); 1] {
    let tag = format!("\"{}\"", memory.revision);
    [(header::ETAG, HeaderValue::try_from(tag).expect("digits and quotes are a header"))]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Listed {
    /// Maximum number of items.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Cursor: `next_cursor` of the previous page.
    #[param(pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]
    cursor: Option<String>,
}

/// Filter of memories.
#[derive(Clone, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Created at or after this time.
    #[schema(schema_with = maybe_moments)]
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<Timestamp>,
    /// Created before this time.
    #[schema(schema_with = maybe_moments)]
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<Timestamp>,
    /// Session.
    #[schema(min_length = 1, max_length = 200, pattern = "\\S")]
    #[param(min_length = 1, max_length = 200, pattern = "\\S")]
    session: Option<String>,
    /// Persona.
    persona: Option<String>,
    /// Project.
    project: Option<String>,
    /// Domain.
    domain: Option<String>,
    #[schema(schema_with = maybe_kinds)]
    #[param(schema_with = maybe_kinds)]
    kind: Option<Kind>,
    #[schema(schema_with = maybe_categories)]
    #[param(schema_with = maybe_categories)]
    category: Option<Category>,
    #[schema(schema_with = maybe_tiers)]
    #[param(schema_with = maybe_tiers)]
    tier: Option<Tier>,
    #[schema(schema_with = maybe_zones)]
    #[param(schema_with = maybe_zones)]
    zone: Option<Zone>,
    #[schema(schema_with = maybe_emotions)]
    #[param(schema_with = maybe_emotions)]
    emotion: Option<Emotion>,
    /// Tag.
    tag: Option<String>,
    /// Minimum importance.
    #[schema(minimum = 0, maximum = 1)]
    #[param(minimum = 0, maximum = 1)]
    least_importance: Option<f32>,
    /// Rhythm phase of the dialogue.
    #[schema(schema_with = maybe_rhythm_phases)]
    #[param(schema_with = maybe_rhythm_phases)]
    rhythm_phase: Option<RhythmPhase>,
    /// Emotion keyword.
    emotion_keyword: Option<String>,
}

impl Wanted {
    pub(super) fn filter(self) -> Result<Filter, Problem> {
        Ok(Filter {
            since: self.since,
            until: self.until,
            session: self.session.map(SessionId::new).transpose()?,
            persona: self.persona,
            project: self.project,
            domain: self.domain,
            kind: self.kind,
            category: self.category,
            tier: self.tier,
            zone: self.zone,
            emotion: self.emotion,
            tags: self.tag.into_iter().collect(),
            least_importance: unit(self.least_importance, "least_importance")?,
            rhythm_phase: self.rhythm_phase,
            emotion_keywords: self.emotion_keyword.into_iter().collect(),
        })
    }
}

/// Page of memories, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Memories {
    memories: Vec<Memory>,
    /// Cursor for the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List memories, newest first
#[utoipa::path(get, path = "/v1/minds/{mind}/memories", tag = "memories", params(("mind" = String, Path, description = "Id or key of the mind"), Listed, Wanted), responses(
    (status = 200, body = Memories),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn list(Known(mind): Known, Asked(asked): Asked<Listed>, Asked(wanted): Asked<Wanted>) -> Result<Json<Memories>, Problem> {
    let limit = limit(asked.limit, 50, 1..=1000)?;
    let before = cursor(asked.cursor.as_deref(), MemoryId::parse)?;
    let memories = mind.list(&wanted.filter()?, Page { limit, before }).await?;
    let next_cursor = memories.last().filter(|_| memories.len() == limit).map(|last| last.id.to_string());
    Ok(Json(Memories { memories: memories.iter().map(Memory::from).collect(), next_cursor }))
}

#[derive(Deserialize)]
pub(crate) struct OneOf {
    id: String,
}

async fn named(mind: &MindHandle, at: &OneOf) -> Result<MemoryId, Problem> {
    Ok(mind.resolve(&at.id).await?)
}

/// Get a memory with its scores, links, history and forecast
#[utoipa::path(get, path = "/v1/minds/{mind}/memories/{id}", tag = "memories", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the memory")), responses(
    (status = 200, body = Life),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn show(Known(mind): Known, At(at): At<OneOf>) -> Result<Response, Problem> {
    let shown = mind.show(named(&mind, &at).await?).await?;
    Ok((tagged(&shown.memory), Json(Life::from(&shown))).into_response())
}

/// Changes of a memory; omitted fields stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemoryEdit {
    #[schema(schema_with = maybe_texts)]
    content: Option<String>,
    #[schema(minimum = 0, maximum = 1)]
    importance: Option<f32>,
    #[schema(schema_with = emotion_list)]
    emotions: Option<Vec<Emotion>>,
    #[schema(schema_with = maybe_label_list)]
    tags: Option<Vec<String>>,
    #[schema(schema_with = maybe_tiers)]
    tier: Option<Tier>,
    /// Rating, 1 to 5 stars.
    #[schema(minimum = 1, maximum = 5)]
    rating: Option<u8>,
    /// Pin or unpin it.
    pinned: Option<bool>,
    /// Whether it changed the character's behaviour; if so, it is kept longer.
    changed_behaviour: Option<bool>,
}

/// Edit, rate or pin a memory
#[utoipa::path(patch, path = "/v1/minds/{mind}/memories/{id}", tag = "memories",
    params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the memory"), ("If-Match" = Option<String>, Header, description = "ETag the memory was read with",
        pattern = r#"^(\*|[0-9]+|(W/)?"[^",]*"(, *(W/)?"[^",]*")*)$"#)),
    request_body = MemoryEdit, responses(
    (status = 200, body = Memory),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn edit(
    Known(mind): Known,
    At(at): At<OneOf>,
    headers: HeaderMap,
    Body(body): Body<MemoryEdit>,
) -> Result<Response, Problem> {
    let id = named(&mind, &at).await?;
    short(body.tags.as_deref().unwrap_or_default(), ("tags", MOST_LABELS))?;
    let edit = Edit {
        content: body.content,
        importance: unit(body.importance, "importance")?,
        emotions: body.emotions.map(Emotions::mix),
        tags: body.tags,
        tier: body.tier,
        changed_behaviour: body.changed_behaviour,
        rating: body.rating.map(Rating::new).transpose()?,
        pinned: body.pinned.map(|pinned| if pinned { Pinned::Fast } else { Pinned::Loose }),
        ..Edit::default()
    };
    let mind = meant(mind, &headers)?;
    // An empty edit only reads, but still checks `If-Match`.
    let memory = if edit == Edit::default() { mind.get_meant(id).await? } else { mind.edit(id, edit).await? };
    Ok((tagged(&memory), Json(Memory::from(&memory))).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Letting {
    /// Also forget a core memory.
    #[serde(default)]
    core: bool,
    /// Erase immediately, together with the messages it was learned from; cannot be undone.
    #[serde(default)]
    erase: bool,
}

/// Result of forgetting a memory.
#[derive(Serialize, ToSchema)]
pub(crate) struct LetGo {
    memory: String,
    /// Time of permanent deletion; now, if it was erased.
    #[schema(value_type = Option<String>, format = DateTime)]
    gone_at: Option<Timestamp>,
    /// Counts of data erased with it, if it was erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    erased: Option<WentAlong>,
}

/// Counts of data erased with a memory, the memory included.
#[derive(Serialize, ToSchema)]
pub(crate) struct WentAlong {
    memories: usize,
    /// Number of essences that were rewritten because they also have other sources.
    reworded: usize,
    turns: usize,
    facts: usize,
    assertions: usize,
    statements: usize,
    candidates: usize,
    /// Whether all bytes are removed from the file; false while another process still reads an old page.
    swept: bool,
}

impl From<saegim_engine::ErasedItems> for WentAlong {
    fn from(gone: saegim_engine::ErasedItems) -> Self {
        let saegim_engine::ErasedItems { memories, reworded, turns, facts, assertions, statements, candidates, swept } = gone;
        Self { memories, reworded, turns, facts, assertions, statements, candidates, swept }
    }
}

/// Move a memory to the cliff, or erase it
#[utoipa::path(delete, path = "/v1/minds/{mind}/memories/{id}", tag = "memories",
    params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the memory"), ("If-Match" = Option<String>, Header, description = "ETag the memory was read with",
        pattern = r#"^(\*|[0-9]+|(W/)?"[^",]*"(, *(W/)?"[^",]*")*)$"#), Letting), responses(
    (status = 200, body = LetGo),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn forget(
    Known(mind): Known,
    At(at): At<OneOf>,
    headers: HeaderMap,
    Asked(letting): Asked<Letting>,
) -> Result<Json<LetGo>, Problem> {
    let id = named(&mind, &at).await?;
    let mind = meant(mind, &headers)?;
    if letting.erase {
        let gone = mind.erase_memory(id).await?;
        return Ok(Json(LetGo { memory: id.to_string(), gone_at: None, erased: Some(gone.into()) }));
    }
    let entry = mind.forget(id, if letting.core { Core::Too } else { Core::Kept }).await?;
    Ok(Json(LetGo { memory: id.to_string(), gone_at: Some(entry.gone_at), erased: None }))
}

/// History of a memory.
#[derive(Serialize, ToSchema)]
pub(crate) struct History {
    entries: Vec<crate::shapes::Entry>,
}

/// Get the history of a memory
#[utoipa::path(get, path = "/v1/minds/{mind}/memories/{id}/history", tag = "memories", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the memory")), responses(
    (status = 200, body = History),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn history(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<History>, Problem> {
    let shown = mind.show(named(&mind, &at).await?).await?;
    Ok(Json(History { entries: shown.history.iter().map(Into::into).collect() }))
}

/// Restore a memory from the cliff; its retention period restarts
#[utoipa::path(post, path = "/v1/minds/{mind}/memories/{id}/restore", tag = "memories", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the memory")), responses(
    (status = 200, body = Memory),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn restore(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<Memory>, Problem> {
    let memory = mind.restore(named(&mind, &at).await?).await?;
    Ok(Json(Memory::from(&memory)))
}
