//! Turns, context and chat.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt};
use saegim_core::{self as core, MemoryId, Role, SessionId, Timestamp, TurnId, phrase};
use saegim_engine::{ContextQuery, Exchange, MindHandle, Said, TurnPage};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::paging::cursor;
use super::{idempotency, limit, short, something};
use crate::http::access::{Known, Named};
use crate::http::live::{Heard, Talk};
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Asked, At, Body, Server};
use crate::shapes::{Context, Face, MOST_PEOPLE, Observed, Turn, id_list, maybe_whole, people_list, roles, texts};

/// One message.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Message {
    #[schema(schema_with = roles)]
    role: Role,
    #[schema(schema_with = texts)]
    content: String,
    /// When; now otherwise.
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<Timestamp>,
    /// The speaker's name.
    #[schema(max_length = 200)]
    speaker: Option<String>,
    /// The memories the answer was built on.
    #[serde(default)]
    #[schema(schema_with = id_list)]
    injected: Vec<String>,
}

/// What belongs to one turn of a conversation: usually a message and its answer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTurns {
    /// The sitting; the one that is going on otherwise, or a new one.
    #[schema(min_length = 1, max_length = 200)]
    session: Option<String>,
    /// The messages, in order.
    #[schema(min_items = 1, max_items = 200)]
    messages: Vec<Message>,
    /// Where it plays.
    #[schema(max_length = 200)]
    place: Option<String>,
    /// When it plays in the story.
    #[schema(max_length = 200)]
    story_time: Option<String>,
    /// Who else is there.
    #[serde(default)]
    #[schema(schema_with = people_list)]
    people: Vec<String>,
}

fn said(message: Message) -> Result<Said, Problem> {
    if message.speaker.as_ref().is_some_and(|speaker| speaker.chars().count() > 200) {
        return Err(Problem::bad(phrase!("speaker: must have at most 200 characters", "speaker: 200자까지 입력할 수 있어요")));
    }
    core::Turn::said(&message.content)?;
    let injected = message.injected.iter().map(|id| MemoryId::parse(id)).collect::<Result<_, _>>()?;
    Ok(Said { role: message.role, content: message.content, at: message.at, speaker: message.speaker, injected })
}

/// Take turns: keep them, judge them, learn from them
#[utoipa::path(post, path = "/v1/minds/{mind}/turns", tag = "talk",
    params(("mind" = String, Path, description = "Its id or key"), ("Idempotency-Key" = Option<String>, Header, description = "Take them once under this key", min_length = 1, max_length = 200, pattern = "^[!-~]+$")),
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
        return Err(Problem::bad(phrase!("send 1 to 200 messages per request", "한 번에 메시지 1~200개를 보내 주세요")));
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
    /// How many at most.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Where the page after this one began.
    #[param(pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]
    cursor: Option<String>,
    /// Only of this session.
    #[param(min_length = 1, max_length = 200, pattern = "\\S")]
    session: Option<String>,
    /// Those that were taken back too.
    #[serde(default)]
    withdrawn: bool,
}

/// A page of turns, in the order they were said.
#[derive(Serialize, ToSchema)]
pub(crate) struct Turns {
    turns: Vec<Turn>,
    /// Give it back for what was said before; none before the first.
    next_cursor: Option<String>,
}

/// What was said, the latest page first
#[utoipa::path(get, path = "/v1/minds/{mind}/turns", tag = "talk", params(("mind" = String, Path, description = "Its id or key"), TurnsAsked), responses(
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
    found.ok_or_else(|| Problem::not_found(phrase!("message {} does not exist", "{} 메시지가 없어요", at.id)))
}

/// One thing that was said
#[utoipa::path(get, path = "/v1/minds/{mind}/turns/{id}", tag = "talk", params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The turn")), responses(
    (status = 200, body = Turn),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn turn(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<Turn>, Problem> {
    Ok(Json(Turn::from(&mind.turn(named(&mind, &at).await?).await?)))
}

/// What a turn says now.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reworded {
    #[schema(schema_with = texts)]
    content: String,
}

/// What followed from changing what was said.
#[derive(Serialize, ToSchema)]
pub(crate) struct Followed {
    turns: Vec<String>,
    /// Memories that went to the cliff, or came back.
    memories: usize,
    /// Facts that are different now.
    facts: usize,
}

impl From<saegim_engine::Withdrawn> for Followed {
    fn from(withdrawn: saegim_engine::Withdrawn) -> Self {
        Self { turns: withdrawn.turns.iter().map(ToString::to_string).collect(), memories: withdrawn.memories, facts: withdrawn.facts }
    }
}

/// Put a turn in other words; what was learned from it is learned anew
#[utoipa::path(patch, path = "/v1/minds/{mind}/turns/{id}", tag = "talk", params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The turn")), request_body = Reworded, responses(
    (status = 200, body = Followed),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn reword(Known(mind): Known, At(at): At<OneOf>, Body(body): Body<Reworded>) -> Result<Json<Followed>, Problem> {
    Ok(Json(mind.reword(named(&mind, &at).await?, &body.content).await?.into()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Taking {
    /// Erase it at once with all that rests on it alone; there is no way back.
    #[serde(default)]
    erase: bool,
}

/// Take a turn back; what was learned from it alone goes to the cliff
#[utoipa::path(delete, path = "/v1/minds/{mind}/turns/{id}", tag = "talk", params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The turn"), Taking), responses(
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

/// What a context is wanted for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContextFor {
    /// The message that is about to be answered.
    #[schema(schema_with = texts)]
    query: String,
    /// How many tokens there are.
    #[schema(minimum = 1, maximum = 1000000)]
    #[serde(default, deserialize_with = "maybe_whole")]
    budget: Option<usize>,
}

/// What would be given to a model that answers this
#[utoipa::path(post, path = "/v1/minds/{mind}/context", tag = "talk", params(("mind" = String, Path, description = "Its id or key")), request_body = ContextFor, responses(
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

/// A message to the character.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChatMessage {
    #[schema(schema_with = texts)]
    message: String,
    /// The sitting; the one that is going on otherwise, or a new one.
    #[schema(min_length = 1, max_length = 200)]
    session: Option<String>,
    /// How many tokens of memory the answer may be given.
    #[schema(minimum = 1, maximum = 1000000)]
    #[serde(default, deserialize_with = "maybe_whole")]
    budget: Option<usize>,
}

/// Talk to the character: `context`, `token` ..., `memory_update`, `face`, `done` as server-sent events
#[utoipa::path(post, path = "/v1/minds/{mind}/chat", tag = "talk",
    params(("mind" = String, Path, description = "Its id or key"), ("Idempotency-Key" = Option<String>, Header, description = "Take it once under this key", min_length = 1, max_length = 200, pattern = "^[!-~]+$")),
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
    // Whatever becomes of the client, the answer is finished and the turn is kept whole.
    let told = talk.begin(mind).await?.flat_map(|heard| futures_util::stream::iter(told(heard)));
    Ok(Sse::new(futures_util::stream::iter([first]).chain(told).map(Ok)).keep_alive(KeepAlive::default()))
}

/// What a client is told of an answer on its way.
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

/// A text word by word, each with the blank after it, so that put together they are the text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(char::is_whitespace)
}
