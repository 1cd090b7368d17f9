//! OpenAI's chat completions: change the base URL, and any client has memory.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::{Stream, StreamExt};
use saegim_core::{Hash, MindKey, Role, SessionId, phrase, tokens};
use saegim_engine::ContextQuery;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::access::Access;
use crate::http::live::{Heard, Talk};
use crate::http::problem::Problem;
use crate::http::routes::idempotency;
use crate::http::{Body, Server};

/// The name of the model that is always there.
const MODEL: &str = "saegim";

pub(super) fn router() -> Router<Arc<Server>> {
    Router::new().route("/v1/chat/completions", post(complete)).route("/v1/models", get(models))
}

/// What a client asks; fields that only matter to a model are let pass.
#[derive(Deserialize)]
struct Asked {
    model: Option<String>,
    messages: Vec<Message>,
    #[serde(default)]
    stream: bool,
    user: Option<String>,
    stream_options: Option<StreamOptions>,
}

#[derive(Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Option<Value>,
}

impl Message {
    /// Who says it; whatever else a client's roles may be is left to the model as an instruction.
    fn speaker(&self) -> Role {
        match self.role.as_str() {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            _ => Role::System,
        }
    }

    /// Its text, whether it came as one or in parts.
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

/// OpenAI's own shape of a problem, which its clients read.
fn refused(problem: Problem) -> Response {
    let status = problem.status();
    let body = json!({ "error": { "message": problem.detail(), "type": problem.title(), "param": null, "code": null } });
    (status, Json(body)).into_response()
}

async fn complete(State(server): State<Arc<Server>>, access: Access, headers: HeaderMap, body: Result<Body<Asked>, Problem>) -> Response {
    let answered = match body {
        Ok(Body(asked)) => answer(&server, &access, &headers, asked).await,
        Err(problem) => Err(problem),
    };
    answered.unwrap_or_else(refused)
}

async fn answer(server: &Server, access: &Access, headers: &HeaderMap, asked: Asked) -> Result<Response, Problem> {
    let named = |name: &str| super::named::written(headers, name);
    let user = asked.user.clone().filter(|user| !user.trim().is_empty()).unwrap_or_else(|| "me".into());
    let character = named("x-saegim-character")?.unwrap_or_else(|| "assistant".into());
    let work = named("x-saegim-work")?.unwrap_or_else(|| MindKey::DEFAULT_WORK.into());
    let mind = access.mind(server, MindKey::in_work(&user, &character, &work)?).await?;
    let last = asked.messages.iter().rposition(|message| message.role == "user");
    let text = last
        .map(|place| asked.messages[place].text())
        .filter(|text| !text.trim().is_empty())
        .ok_or_else(|| Problem::bad(phrase!("messages: there is no user message to answer", "messages: 대답할 user 메시지가 없습니다")))?;
    let context = mind.context(ContextQuery { text: text.clone(), budget: None }).await?;
    let injected = context.sections.iter().flat_map(|section| section.memories.iter().copied()).collect();
    let session = named("x-saegim-session")?.map(SessionId::new).transpose()?;
    let created = server.engine.now().millis();
    let told = Told {
        id: format!("chatcmpl-{}", &Hash::of(format!("{created} {} {text}", mind.id()).as_bytes()).to_string()[..24]),
        created: created / 1000,
        model: asked.model.filter(|model| !model.is_empty()).unwrap_or_else(|| MODEL.into()),
        prompt: tokens(&context.text) + asked.messages.iter().map(|message| tokens(&message.text())).sum::<usize>(),
    };
    let before = asked.messages[..last.unwrap_or(0)].iter().map(|message| (message.speaker(), message.text())).collect();
    let talk = Talk { text, context: context.text, before, injected, session, idempotency: idempotency(headers)? };
    let mut heard = talk.begin(mind).await?;
    if asked.stream {
        return Ok(told.streamed(heard, asked.stream_options.is_some_and(|options| options.include_usage)));
    }
    while let Some(heard) = heard.next().await {
        match heard {
            Heard::Word(_) => {}
            Heard::Learned(_, answer) => return Ok((StatusCode::OK, Json(told.whole(&answer))).into_response()),
            Heard::Failed(problem) => return Err(problem),
        }
    }
    Err(Problem::bad(phrase!("the answer was not finished", "대답이 끝나지 못했습니다")))
}

/// An answer on its way.
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

    fn whole(&self, reply: &str) -> Value {
        json!({
            "id": self.id, "object": "chat.completion", "created": self.created, "model": self.model,
            "choices": [{ "index": 0, "message": { "role": "assistant", "content": reply, "refusal": null }, "logprobs": null, "finish_reason": "stop" }],
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

    /// What is sent for what was heard.
    fn chunks(&self, heard: Heard, usage: bool) -> Vec<String> {
        match heard {
            Heard::Word(word) => vec![self.chunk(&json!({ "content": word }), None).to_string()],
            Heard::Learned(_, answer) => {
                let mut chunks = vec![self.chunk(&json!({}), Some("stop")).to_string()];
                if usage {
                    let mut last = self.chunk(&json!({}), None);
                    last["choices"] = json!([]);
                    last["usage"] = self.usage(&answer);
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

async fn models(_access: Access) -> Json<Value> {
    Json(json!({ "object": "list", "data": [{ "id": MODEL, "object": "model", "created": 0, "owned_by": "saegim" }] }))
}
