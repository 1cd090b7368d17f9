//! Single memories, and finding them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use saegim_core::{self as core, Category, Emotion, Emotions, Kind, MemoryId, Rating, SessionId, Tier, Timestamp, Unit, Zone, phrase};
use saegim_engine::{Core, Depth, Draft, Edit, Filter, MindHandle, Page, Pinned, Query};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::paging::cursor;
use super::{idempotency, limit, short, something};
use crate::http::access::{Known, Named};
use crate::http::matching::meant;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Asked, At, Body, Server};
use crate::shapes::{
    FoundMemory, Life, MOST_LABELS, Memory, emotion_list, label_list, maybe_categories, maybe_emotions, maybe_kinds, maybe_label_list,
    maybe_moments, maybe_texts, maybe_tiers, maybe_whole, maybe_zones, texts,
};

/// A memory to keep.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewMemory {
    /// What is to be remembered.
    #[schema(schema_with = texts)]
    content: String,
    /// How much it matters, 0..=1.
    #[schema(minimum = 0, maximum = 1)]
    importance: Option<f32>,
    #[schema(schema_with = emotion_list)]
    #[serde(default)]
    emotions: Vec<Emotion>,
    /// How strong the feeling is, 0..=1.
    #[schema(minimum = 0, maximum = 1)]
    intensity: Option<f32>,
    /// Free labels.
    #[serde(default)]
    #[schema(schema_with = label_list)]
    tags: Vec<String>,
    #[schema(schema_with = maybe_tiers)]
    tier: Option<Tier>,
    #[schema(schema_with = maybe_kinds)]
    kind: Option<Kind>,
    #[schema(schema_with = maybe_categories)]
    category: Option<Category>,
    /// Hold it fast.
    #[serde(default)]
    pinned: bool,
    /// The session it belongs to.
    #[schema(min_length = 1, max_length = 200)]
    session: Option<String>,
    /// Its id elsewhere.
    #[schema(max_length = 200)]
    external_id: Option<String>,
}

fn unit(value: Option<f32>, field: &'static str) -> Result<Option<Unit>, Problem> {
    value
        .map(|value| {
            Unit::new(value)
                .map_err(|_| Problem::bad(phrase!("{field}: must be a number from 0 to 1", "{field}: 0에서 1 사이의 숫자를 입력해 주세요")))
        })
        .transpose()
}

/// Keep a memory
#[utoipa::path(post, path = "/v1/minds/{mind}/memories", tag = "memories",
    params(("mind" = String, Path, description = "Its id or key"), ("Idempotency-Key" = Option<String>, Header, description = "Keep it once under this key", min_length = 1, max_length = 200, pattern = "^[!-~]+$")),
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

/// The revision of a memory as an ETag.
fn tagged(memory: &core::Memory) -> [(header::HeaderName, HeaderValue); 1] {
    let tag = format!("\"{}\"", memory.revision);
    [(header::ETAG, HeaderValue::try_from(tag).expect("digits and quotes are a header"))]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Listed {
    /// How many at most.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Where the page before ended.
    #[param(pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]
    cursor: Option<String>,
}

/// Which memories pass.
#[derive(Clone, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Born at or after.
    #[schema(schema_with = maybe_moments)]
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<Timestamp>,
    /// Born before.
    #[schema(schema_with = maybe_moments)]
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<Timestamp>,
    /// Of this session.
    #[schema(min_length = 1, max_length = 200, pattern = "\\S")]
    #[param(min_length = 1, max_length = 200, pattern = "\\S")]
    session: Option<String>,
    /// Of this persona.
    persona: Option<String>,
    /// Of this project.
    project: Option<String>,
    /// Of this field.
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
    /// Bearing this label.
    tag: Option<String>,
    /// At least this important.
    #[schema(minimum = 0, maximum = 1)]
    #[param(minimum = 0, maximum = 1)]
    least_importance: Option<f32>,
}

impl Wanted {
    fn filter(self) -> Result<Filter, Problem> {
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
        })
    }
}

/// A page of memories, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Memories {
    memories: Vec<Memory>,
    /// Give it back for the next page; none after the last.
    next_cursor: Option<String>,
}

/// Living memories, newest first
#[utoipa::path(get, path = "/v1/minds/{mind}/memories", tag = "memories", params(("mind" = String, Path, description = "Its id or key"), Listed, Wanted), responses(
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

/// A memory's life: what it is, why it is where it is, what awaits it
#[utoipa::path(get, path = "/v1/minds/{mind}/memories/{id}", tag = "memories", params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The memory")), responses(
    (status = 200, body = Life),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn show(Known(mind): Known, At(at): At<OneOf>) -> Result<Response, Problem> {
    let shown = mind.show(named(&mind, &at).await?).await?;
    Ok((tagged(&shown.memory), Json(Life::from(&shown))).into_response())
}

/// What is to be different; what is left out stays.
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
    /// One to five stars.
    #[schema(minimum = 1, maximum = 5)]
    rating: Option<u8>,
    /// Hold it fast, or let it loose.
    pinned: Option<bool>,
    /// Whether it changed how the character behaves: then it is kept longer.
    changed_behaviour: Option<bool>,
}

/// Rewrite, rate or pin a memory
#[utoipa::path(patch, path = "/v1/minds/{mind}/memories/{id}", tag = "memories",
    params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The memory"), ("If-Match" = Option<String>, Header, description = "The ETag it was read with")),
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
    // Whoever changes nothing only looks, at just what they mean.
    let memory = if edit == Edit::default() { mind.get_meant(id).await? } else { mind.edit(id, edit).await? };
    Ok((tagged(&memory), Json(Memory::from(&memory))).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Letting {
    /// A core memory too.
    #[serde(default)]
    core: bool,
    /// Erase it at once, with the turns it was learned from; there is no way back.
    #[serde(default)]
    erase: bool,
}

/// What became of a memory that was let go.
#[derive(Serialize, ToSchema)]
pub(crate) struct LetGo {
    memory: String,
    /// When it is gone for good; it is gone now where it was erased.
    #[schema(value_type = Option<String>, format = DateTime)]
    gone_at: Option<Timestamp>,
    /// What went with it, where it was erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    erased: Option<WentAlong>,
}

/// What was erased with a memory, itself included.
#[derive(Serialize, ToSchema)]
pub(crate) struct WentAlong {
    memories: usize,
    /// Essences that stand on others too, and are put differently now.
    reworded: usize,
    turns: usize,
    facts: usize,
    statements: usize,
    candidates: usize,
    /// Whether no byte of it is left in the file; false while an old reader still holds a page.
    swept: bool,
}

impl From<saegim_engine::Gone> for WentAlong {
    fn from(gone: saegim_engine::Gone) -> Self {
        let saegim_engine::Gone { memories, reworded, turns, facts, statements, candidates, swept } = gone;
        Self { memories, reworded, turns, facts, statements, candidates, swept }
    }
}

/// Let a memory go to the cliff, or erase it
#[utoipa::path(delete, path = "/v1/minds/{mind}/memories/{id}", tag = "memories",
    params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The memory"), ("If-Match" = Option<String>, Header, description = "The ETag it was read with"), Letting), responses(
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

/// Everything that happened to a memory.
#[derive(Serialize, ToSchema)]
pub(crate) struct History {
    entries: Vec<crate::shapes::Entry>,
}

/// What happened to a memory
#[utoipa::path(get, path = "/v1/minds/{mind}/memories/{id}/history", tag = "memories", params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The memory")), responses(
    (status = 200, body = History),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn history(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<History>, Problem> {
    let shown = mind.show(named(&mind, &at).await?).await?;
    Ok(Json(History { entries: shown.history.iter().map(Into::into).collect() }))
}

/// Bring a memory back from the cliff, with a new term
#[utoipa::path(post, path = "/v1/minds/{mind}/memories/{id}/restore", tag = "memories", params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The memory")), responses(
    (status = 200, body = Memory),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn restore(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<Memory>, Problem> {
    let memory = mind.restore(named(&mind, &at).await?).await?;
    Ok(Json(Memory::from(&memory)))
}

/// A question.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// The question, or any words.
    #[schema(schema_with = texts)]
    query: String,
    /// How many memories at most.
    #[schema(minimum = 1, maximum = 1000)]
    #[serde(default, deserialize_with = "maybe_whole")]
    limit: Option<usize>,
    /// What passes.
    #[serde(default)]
    filter: Wanted,
    /// Count what is found as used.
    #[serde(default)]
    used: bool,
    /// A whole ranking instead of only what fits.
    #[serde(default)]
    everything: bool,
}

/// What fits a question.
#[derive(Serialize, ToSchema)]
pub(crate) struct Recalled {
    /// Best first; empty when nothing fits.
    results: Vec<FoundMemory>,
    /// How sure it is that the mind can answer at all, 0..=1.
    confidence: f32,
    /// Why only words were searched, when they were.
    degraded: Option<String>,
}

/// Bring back what fits a question
#[utoipa::path(post, path = "/v1/minds/{mind}/recall", tag = "memories", params(("mind" = String, Path, description = "Its id or key")), request_body = Question, responses(
    (status = 200, body = Recalled),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn recall(Known(mind): Known, Body(body): Body<Question>) -> Result<Json<Recalled>, Problem> {
    let query = Query {
        limit: limit(body.limit, 5, 1..=1000)?,
        filter: body.filter.filter()?,
        depth: if body.everything { Depth::Everything } else { Depth::Fitting },
        used: body.used,
        ..Query::text(something(body.query, "query")?)
    };
    let found = mind.recall(query).await?;
    Ok(Json(Recalled {
        results: found.results.iter().map(FoundMemory::from).collect(),
        confidence: found.confidence.get(),
        degraded: found.degraded.map(|why| why.in_language(crate::http::spoken()).to_owned()),
    }))
}
