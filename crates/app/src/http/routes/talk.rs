//! Turns, context and chat.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt};
use saegim_core::{self as core, MemoryId, Role, SessionId, Timestamp, TurnId, phrase};
use saegim_engine::{ContextQuery, Exchange, MindHandle, NewMessage, TurnPage};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::paging::cursor;
use super::{idempotency, limit, short, something};
use crate::http::access::{Known, Named};
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::streams::live::{Heard, Talk};
use crate::http::{Asked, At, Body, Server};
use crate::shapes::{Context, Face, MOST_PEOPLE, Observed, Turn, id_list, maybe_whole, people_list, roles, texts};

/// Message.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Message {
    #[schema(schema_with = roles)]
    role: Role,
    #[schema(schema_with = texts)]
    content: String,
    /// Time; default: now.
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<Timestamp>,
    /// Name of the speaker.
    #[schema(max_length = 200)]
    speaker: Option<String>,
    /// Memories the answer was based on.
    #[serde(default)]
    #[schema(schema_with = id_list)]
    injected: Vec<String>,
}

/// Messages of one exchange, usually a message and its answer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTurns {
    /// Session; default: the current one, or a new one.
    #[schema(min_length = 1, max_length = 200)]
    session: Option<String>,
    /// Messages in order.
    #[schema(min_items = 1, max_items = 200)]
    messages: Vec<Message>,
    /// Place of the scene.
    #[schema(max_length = 200)]
    place: Option<String>,
    /// Time of the scene within the story.
    #[schema(max_length = 200)]
    story_time: Option<String>,
    /// Who else is there.
    #[serde(default)]
    #[schema(schema_with = people_list)]
    people: Vec<String>,
}

fn said(message: Message) -> Result<NewMessage, Problem> {
    if message.speaker.as_ref().is_some_and(|speaker| speaker.chars().count() > 200) {
        return Err(Problem::bad(phrase!("http.talk.speaker_too_long")));
    }
    core::Turn::said(&message.content)?;
    let injected = message.injected.iter().map(|id| MemoryId::parse(id)).collect::<Result<_, _>>()?;
    Ok(NewMessage { role: message.role, content: message.content, at: message.at, speaker: message.speaker, injected })
}

/// Ingest conversation messages and extract memories
#[utoipa::path(post, path = "/v1/minds/{mind}/turns", tag = "talk",
    params(("mind" = String, Path, description = "Id or key of the mind"), ("Idempotency-Key" = Option<String>, Header, description = "Idempotency key: the messages are processed once", min_length = 1, max_length = 200, pattern = "^[!-~]+$")),
    request_body = NewTurns, responses(
    (status = 201, body = Observed),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn observe(
    State(server): State<Arc<Server>>,
    named: Named,
    headers: HeaderMap,
    Body(body): Body<NewTurns>,
) -> Result<(StatusCode, Json<Observed>), Problem> {
    if body.messages.is_empty() || body.messages.len() > 200 {
        return Err(Problem::bad(phrase!("http.talk.message_count")));
    }
    short(body.place.as_slice(), ("place", 1))?;
    short(body.story_time.as_slice(), ("story_time", 1))?;
    short(&body.people, ("people", MOST_PEOPLE))?;
    let exchange = Exchange {
        session: body.session.map(SessionId::new).transpose()?,
        said: body.messages.into_iter().map(said).collect::<Result<_, _>>()?,
        place: body.place,
        story_time: body.story_time,
        people: body.people,
        idempotency: idempotency(&headers)?,
        asked: None,
    };
    let observed = named.begun(&server).await?.observe(exchange).await?;
    Ok((StatusCode::CREATED, Json(Observed::from(&observed))))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TurnsAsked {
    /// Maximum number of items.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Cursor: `next_cursor` of the previous page.
    #[param(pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]
    cursor: Option<String>,
    /// Only messages of this session.
    #[param(min_length = 1, max_length = 200, pattern = "\\S")]
    session: Option<String>,
    /// Include retracted messages.
    #[serde(default)]
    withdrawn: bool,
}

/// Page of messages, in order.
#[derive(Serialize, ToSchema)]
pub(crate) struct Turns {
    turns: Vec<Turn>,
    /// Cursor for earlier messages; null on the last page.
    next_cursor: Option<String>,
}

/// List messages; the first page has the latest messages
#[utoipa::path(get, path = "/v1/minds/{mind}/turns", tag = "talk", params(("mind" = String, Path, description = "Id or key of the mind"), TurnsAsked), responses(
    (status = 200, body = Turns),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn turns(Known(mind): Known, Asked(asked): Asked<TurnsAsked>) -> Result<Json<Turns>, Problem> {
    let limit = limit(asked.limit, 50, 1..=1000)?;
    let page = TurnPage {
        limit,
        session: asked.session.map(SessionId::new).transpose()?,
        before: cursor(asked.cursor.as_deref(), TurnId::parse)?,
        until: None,
        withdrawn: asked.withdrawn,
    };
    let said = mind.turns(page).await?;
    let next_cursor = said.first().filter(|_| said.len() == limit).map(|first| first.id.to_string());
    Ok(Json(Turns { turns: said.iter().map(Turn::from).collect(), next_cursor }))
}

#[derive(Deserialize)]
pub(crate) struct OneOf {
    id: String,
}

async fn named(mind: &MindHandle, at: &OneOf) -> Result<TurnId, Problem> {
    let found = mind.resolve_turn(&at.id).await?;
    found.ok_or_else(|| Problem::not_found(phrase!("http.talk.message_not_found", id = at.id)))
}

/// Get a message
#[utoipa::path(get, path = "/v1/minds/{mind}/turns/{id}", tag = "talk", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the message")), responses(
    (status = 200, body = Turn),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn turn(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<Turn>, Problem> {
    Ok(Json(Turn::from(&mind.turn(named(&mind, &at).await?).await?)))
}

/// New text of a message.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reworded {
    #[schema(schema_with = texts)]
    content: String,
}

/// Effects of changing or retracting a message.
#[derive(Serialize, ToSchema)]
pub(crate) struct Followed {
    turns: Vec<String>,
    /// Number of memories moved to or restored from the cliff.
    memories: usize,
    /// Number of changed facts.
    facts: usize,
}

impl From<saegim_engine::Withdrawn> for Followed {
    fn from(withdrawn: saegim_engine::Withdrawn) -> Self {
        Self { turns: withdrawn.turns.iter().map(ToString::to_string).collect(), memories: withdrawn.memories, facts: withdrawn.facts }
    }
}

/// Edit a message; what was learned from it is extracted again
#[utoipa::path(patch, path = "/v1/minds/{mind}/turns/{id}", tag = "talk", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the message")), request_body = Reworded, responses(
    (status = 200, body = Followed),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn reword(Known(mind): Known, At(at): At<OneOf>, Body(body): Body<Reworded>) -> Result<Json<Followed>, Problem> {
    Ok(Json(mind.reword(named(&mind, &at).await?, &body.content).await?.into()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Taking {
    /// Erase immediately, together with everything learned only from it; cannot be undone.
    #[serde(default)]
    erase: bool,
}

/// Retract a message; memories learned only from it move to the cliff
#[utoipa::path(delete, path = "/v1/minds/{mind}/turns/{id}", tag = "talk", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the message"), Taking), responses(
    (status = 200, body = Followed),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn withdraw(Known(mind): Known, At(at): At<OneOf>, Asked(taking): Asked<Taking>) -> Result<Json<Followed>, Problem> {
    let id = named(&mind, &at).await?;
    if taking.erase {
        let gone = mind.erase_turn(id).await?;
        return Ok(Json(Followed { turns: vec![id.to_string()], memories: gone.memories, facts: gone.facts }));
    }
    Ok(Json(mind.withdraw(&[id]).await?.into()))
}

/// Request for a context.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContextFor {
    /// The message that is about to be answered.
    #[schema(schema_with = texts)]
    query: String,
    /// Token budget.
    #[schema(minimum = 1, maximum = 1000000)]
    #[serde(default, deserialize_with = "maybe_whole")]
    budget: Option<usize>,
}

/// Get the context a model needs to answer a message
#[utoipa::path(post, path = "/v1/minds/{mind}/context", tag = "talk", params(("mind" = String, Path, description = "Id or key of the mind")), request_body = ContextFor, responses(
    (status = 200, body = Context),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn context(Known(mind): Known, Body(body): Body<ContextFor>) -> Result<Json<Context>, Problem> {
    let query = ContextQuery { text: something(body.query, "query")?, budget: budget(body.budget)? };
    Ok(Json(Context::from(&mind.context(query).await?)))
}

fn budget(asked: Option<usize>) -> Result<Option<usize>, Problem> {
    asked.map(|budget| limit(Some(budget), 0, 1..=1_000_000)).transpose()
}

/// Message to the character.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChatMessage {
    #[schema(schema_with = texts)]
    message: String,
    /// Session; default: the current one, or a new one.
    #[schema(min_length = 1, max_length = 200)]
    session: Option<String>,
    /// Token budget for the context of the answer.
    #[schema(minimum = 1, maximum = 1000000)]
    #[serde(default, deserialize_with = "maybe_whole")]
    budget: Option<usize>,
}

/// Chat with the character: streams `context`, `token` ..., `memory_update`, `face`, `done` as server-sent events
#[utoipa::path(post, path = "/v1/minds/{mind}/chat", tag = "talk",
    params(("mind" = String, Path, description = "Id or key of the mind"), ("Idempotency-Key" = Option<String>, Header, description = "Idempotency key: the message is processed once", min_length = 1, max_length = 200, pattern = "^[!-~]+$")),
    request_body = ChatMessage, responses(
    (status = 200, body = String, content_type = "text/event-stream"),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn chat(
    State(server): State<Arc<Server>>,
    named: Named,
    headers: HeaderMap,
    Body(body): Body<ChatMessage>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let session = body.session.map(SessionId::new).transpose()?;
    let key = idempotency(&headers)?;
    let query = ContextQuery { text: body.message.clone(), budget: budget(body.budget)? };
    core::Turn::said(&body.message)?;
    let mind = named.begun(&server).await?;
    let context = mind.context(query).await?;
    let first = event("context", &Context::from(&context));
    let injected = context.sections.iter().flat_map(|section| section.memories.iter().copied()).collect();
    let talk = Talk {
        text: body.message,
        context: context.text,
        before: Vec::new(),
        injected,
        session,
        idempotency: key,
        absent: None,
        sampling: None,
    };
    // If the client disconnects, the answer is still completed and stored.
    let told = talk.begin(mind).await?.flat_map(|heard| futures_util::stream::iter(told(heard)));
    Ok(Sse::new(futures_util::stream::iter([first]).chain(told).map(Ok)).keep_alive(KeepAlive::default()))
}

/// Converts an event of an answer to server-sent events.
fn told(heard: Heard) -> Vec<Event> {
    match heard {
        Heard::Word(word) => vec![event("token", &serde_json::json!({ "text": word }))],
        Heard::Learned(observed, answer) => vec![
            event("memory_update", &Observed::from(&*observed)),
            event("face", &Face::from(observed.face)),
            event(
                "done",
                &serde_json::json!({ "answer": answer.text, "session": observed.turns.first().map(|turn| turn.session.as_str()) }),
            ),
        ],
        Heard::Failed(problem) => vec![event("error", &serde_json::json!({ "title": problem.title(), "detail": problem.detail() }))],
    }
}

pub(crate) fn event(name: &str, data: &impl Serialize) -> Event {
    Event::default().event(name).data(serde_json::to_string(data).expect("it is plain data"))
}

/// Splits a text into words, each with its trailing whitespace. Joined, they are the original text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(char::is_whitespace)
}
