//! OpenAI's chat completions: any client gets a memory by changing its base URL.
//!
//! If the model is served by an OpenAI-compatible server, this is a proxy: the request is passed on unchanged, with the
//! memory context next to the last user message. A model with another protocol is asked as in a chat, with the client's
//! sampling options; unsupported options are refused. Rules ignore sampling options.

/// Sampling options of a request.
mod options;
/// Requests passed on to an OpenAI-compatible server.
mod relay;

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::{Stream, StreamExt};
use saegim_core::{Cause, Hash, LONGEST_CONTENT, MindKey, Role, SessionId, Turn, is_blank, phrase, tokens};
use saegim_engine::{ContextQuery, ModelReply};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::access::Access;
use crate::http::problem::Problem;
use crate::http::routes::idempotency;
use crate::http::streams::live::{Heard, Talk};
use crate::http::{At, Body, Server};
use relay::{Passed, Passing};

/// Name of the model that is always available.
const MODEL: &str = "saegim";

pub(super) fn router() -> Router<Arc<Server>> {
    Router::new().route("/v1/chat/completions", post(complete)).route("/v1/models", get(models)).route("/v1/models/{model}", get(model))
}

/// The parts of a request that are read here. Everything else is honoured only by a model that gets the whole request.
#[derive(Deserialize)]
struct Asked {
    model: Option<String>,
    messages: Vec<Message>,
    stream: Option<bool>,
    user: Option<String>,
    stream_options: Option<StreamOptions>,
    n: Option<u32>,
    tool_choice: Option<Value>,
    response_format: Option<Value>,
}

impl Asked {
    /// Returns the first field that only an OpenAI-compatible server can honour.
    fn beyond(&self) -> Option<&'static str> {
        let forced = |choice: &Value| !matches!(choice.as_str(), Some("auto" | "none"));
        let shaped = |format: &Value| format["type"] != "text";
        match () {
            () if self.n.is_some_and(|n| n > 1) => Some("n"),
            () if self.tool_choice.as_ref().is_some_and(forced) => Some("tool_choice"),
            () if self.response_format.as_ref().is_some_and(shaped) => Some("response_format"),
            () => None,
        }
    }
}

#[derive(Deserialize)]
struct StreamOptions {
    include_usage: Option<bool>,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Option<Value>,
}

impl Message {
    /// Returns the role of the message. A tool result is an event, not an instruction.
    fn speaker(&self) -> Role {
        match self.role.as_str() {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "system" | "developer" => Role::System,
            _ => Role::Event,
        }
    }

    /// Returns the text, which may be a string or a list of parts.
    fn text(&self) -> String {
        match &self.content {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => {
                let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
                texts.collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        }
    }
}

/// Returns the problem in OpenAI's error format.
fn refused(problem: Problem) -> Response {
    let status = problem.status();
    let body = json!({ "error": { "message": problem.detail(), "type": problem.title(), "param": null, "code": null } });
    (status, Json(body)).into_response()
}

async fn complete(State(server): State<Arc<Server>>, access: Access, headers: HeaderMap, body: Result<Body<Value>, Problem>) -> Response {
    let answered = match body {
        Ok(Body(request)) => answer(&server, &access, &headers, request).await,
        Err(problem) => Err(problem),
    };
    answered.unwrap_or_else(refused)
}

async fn answer(server: &Server, access: &Access, headers: &HeaderMap, request: Value) -> Result<Response, Problem> {
    let asked: Asked =
        serde_json::from_value(request.clone()).map_err(|error| Problem::bad(phrase!("http.openai.request_not_valid", error)))?;
    let named = |name: &str| super::named::written(headers, name);
    let user = asked.user.clone().filter(|user| !user.trim().is_empty()).unwrap_or_else(|| "me".into());
    let character = named("x-saegim-character")?.unwrap_or_else(|| "assistant".into());
    let work = named("x-saegim-work")?.unwrap_or_else(|| MindKey::DEFAULT_WORK.into());
    let key = MindKey::in_work(&user, &character, &work)?;
    // A refused request must not create the mind.
    let mind = access.mind_to_read(server, key.clone()).await?;
    let last = asked.messages.iter().rposition(|message| message.role == "user");
    let text = last.map(|place| asked.messages[place].text()).filter(|text| !is_blank(text));
    if text.is_none() && mind.relays() {
        // An image only, or no user message: there is nothing to store or to recall.
        let passing = Passing { request: relay::beside(request, 0, ""), ..Passing::default() };
        return match passing.begin(mind).await? {
            Passed::Answered(response) => Ok(response),
            Passed::Absent(cause) => Err(relay::absent(cause)),
        };
    }
    let mut sampling = None;
    if mind.speaks() && !mind.relays() {
        match options::wishes(&request, &mind) {
            Ok(wished) => sampling = wished,
            Err(beyond) => return Ok(beyond.response()),
        }
    }
    let text = text.ok_or_else(|| Problem::bad(phrase!("http.openai.no_user_message")))?;
    if let Some(field) = asked.beyond().filter(|_| !mind.relays()) {
        return Err(Problem::bad(phrase!("http.openai.option_needs_model", field)));
    }
    // A proxied model gets the whole message; the stored turn is truncated.
    let text = if mind.relays() { relay::kept(&text, LONGEST_CONTENT) } else { text };
    Turn::said(&text)?;
    let (session, idempotency) = (named("x-saegim-session")?.map(SessionId::new).transpose()?, idempotency(headers)?);
    let mind = if mind.exists() { mind } else { access.mind(server, key).await? };
    let context = mind.context(ContextQuery { text: text.clone(), budget: None }).await?;
    let injected: Vec<_> = context.sections.iter().flat_map(|section| section.memories.iter().copied()).collect();
    let created = server.engine.now().millis();
    let told = Told {
        id: format!("chatcmpl-{}", &Hash::of(format!("{created} {} {text}", mind.id()).as_bytes()).to_string()[..24]),
        created: created / 1000,
        model: asked.model.clone().filter(|model| !model.is_empty()).unwrap_or_else(|| MODEL.into()),
        prompt: tokens(&context.text) + asked.messages.iter().map(|message| tokens(&message.text())).sum::<usize>(),
    };
    let last = last.unwrap_or(0);
    let counted = asked.stream_options.as_ref().and_then(|options| options.include_usage);
    let said = |messages: &[Message]| messages.iter().map(|message| (message.speaker(), message.text())).collect::<Vec<_>>();
    let mut before = said(&asked.messages[..last]);
    // Messages after the user message, such as tool results, belong to it.
    if last + 1 < asked.messages.len() {
        before.extend(said(&asked.messages[last..]));
    }
    let mut talk = Talk { text, context: context.text, before, injected, session, idempotency, absent: None, sampling };
    if mind.relays() && !talk.was_answered(&mind).await? {
        let request = relay::beside(request, last, &talk.context);
        let passing = Passing { request, talk: Some(talk.clone()), beyond: asked.beyond().is_some() };
        match passing.begin(mind.clone()).await? {
            Passed::Answered(response) => return Ok(response),
            Passed::Absent(cause) => talk.absent = Some(cause),
        }
    }
    let mut heard = talk.begin(mind).await?;
    if asked.stream == Some(true) {
        return Ok(told.streamed(heard, counted == Some(true)));
    }
    while let Some(heard) = heard.next().await {
        match heard {
            Heard::Word(_) => {}
            Heard::Learned(_, answer) => return Ok((StatusCode::OK, Json(told.whole(&answer))).into_response()),
            Heard::Failed(problem) => return Err(problem),
        }
    }
    Err(Problem::bad(phrase!("http.openai.reply_interrupted")))
}

/// Metadata of an answer.
struct Told {
    id: String,
    created: i64,
    model: String,
    prompt: usize,
}

impl Told {
    fn usage(&self, reply: &str) -> Value {
        let completion = tokens(reply);
        json!({ "prompt_tokens": self.prompt, "completion_tokens": completion, "total_tokens": self.prompt + completion })
    }

    fn whole(&self, answer: &ModelReply) -> Value {
        let reply = &answer.text;
        json!({
            "id": self.id, "object": "chat.completion", "created": self.created, "model": self.model,
            "choices": [{ "index": 0, "message": { "role": "assistant", "content": reply, "refusal": null }, "logprobs": null, "finish_reason": finish(answer) }],
            "usage": self.usage(reply),
        })
    }

    fn chunk(&self, delta: &Value, finish: Option<&str>) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model,
            "choices": [{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }],
        })
    }

    fn streamed(self, heard: impl Stream<Item = Heard> + Send + 'static, usage: bool) -> Response {
        let first = self.chunk(&json!({ "role": "assistant", "content": "" }), None).to_string();
        let chunks = heard.flat_map(move |heard| futures_util::stream::iter(self.chunks(heard, usage)));
        let events = futures_util::stream::iter([first]).chain(chunks).map(|data| Ok::<_, Infallible>(Event::default().data(data)));
        Sse::new(events).keep_alive(KeepAlive::default()).into_response()
    }

    /// Returns the stream chunks for an event.
    fn chunks(&self, heard: Heard, usage: bool) -> Vec<String> {
        match heard {
            Heard::Word(word) => vec![self.chunk(&json!({ "content": word }), None).to_string()],
            Heard::Learned(_, answer) => {
                let mut chunks = vec![self.chunk(&json!({}), Some(finish(&answer))).to_string()];
                if usage {
                    let mut last = self.chunk(&json!({}), None);
                    last["choices"] = json!([]);
                    last["usage"] = self.usage(&answer.text);
                    chunks.push(last.to_string());
                }
                chunks.push("[DONE]".into());
                chunks
            }
            Heard::Failed(problem) => {
                let error = json!({ "error": { "message": problem.detail(), "type": problem.title(), "param": null, "code": null } });
                vec![error.to_string(), "[DONE]".into()]
            }
        }
    }
}

/// Returns OpenAI's `finish_reason`.
fn finish(answer: &ModelReply) -> &'static str {
    match answer.broke_off {
        None => "stop",
        Some(Cause::Refused) => "content_filter",
        Some(_) => "length",
    }
}

fn own_model() -> Value {
    json!({ "id": MODEL, "object": "model", "created": 0, "owned_by": "saegim" })
}

async fn models(_access: Access) -> Json<Value> {
    Json(json!({ "object": "list", "data": [own_model()] }))
}

async fn model(_access: Access, At(name): At<String>) -> Response {
    if name == MODEL {
        return Json(own_model()).into_response();
    }
    let error = json!({ "error": { "message": format!("there is no model {name:?} here; ask for {MODEL:?}"), "type": "invalid_request_error",
        "param": "model", "code": "model_not_found" } });
    (StatusCode::NOT_FOUND, Json(error)).into_response()
}
