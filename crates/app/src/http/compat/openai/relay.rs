//! Proxying: passes the whole request to the model's server with the memory context next to the last user message, and
//! streams the answer back.

use std::convert::Infallible;

use axum::Json;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use saegim_core::{Cause, phrase};
use saegim_engine::MindHandle;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::MODEL;
use crate::http::connection::detached_tasks;
use crate::http::problem::Problem;
use crate::http::streams::live::Talk;

/// Maximum number of characters of an answer that are stored. The client receives all of it.
const LONGEST_KEPT: usize = 8_000;

/// A request to be proxied.
#[derive(Default)]
pub(super) struct Passing {
    pub(super) request: Value,
    /// The exchange to store; `None` if there is nothing to store.
    pub(super) talk: Option<Talk>,
    /// Whether it needs an option that only a model supports, so that rules cannot answer instead.
    pub(super) beyond: bool,
}

/// Result of proxying.
pub(super) enum Passed {
    /// The model's server answered.
    Answered(Response),
    /// The model is not available.
    Absent(Cause),
}

/// An event of a proxied answer.
enum Heard {
    /// An event of the stream.
    Event(String),
    /// A complete answer without a stream.
    Whole(u16, Value),
    /// The model is not available.
    Absent(Cause),
    /// An error in this server.
    Failed(Problem),
}

impl Passing {
    /// Proxies the request in its own task. If the client disconnects, the exchange is still completed and stored.
    pub(super) async fn begin(self, mind: MindHandle) -> Result<Passed, Problem> {
        let (tell, mut hear) = unbounded_channel();
        detached_tasks::finish(async move {
            self.finish(&mind, &tell).await.unwrap_or_else(|problem| {
                let _ = tell.send(Heard::Failed(problem));
            });
        });
        let first = match hear.recv().await {
            Some(Heard::Event(event)) => event,
            Some(Heard::Whole(status, body)) => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
                return Ok(Passed::Answered((status, Json(body)).into_response()));
            }
            Some(Heard::Absent(cause)) => return Ok(Passed::Absent(cause)),
            Some(Heard::Failed(problem)) => return Err(problem),
            None => return Ok(Passed::Absent(Cause::Empty)),
        };
        let mut first = Some(first);
        let events = futures_util::stream::poll_fn(move |context| match first.take() {
            Some(event) => std::task::Poll::Ready(Some(Heard::Event(event))),
            None => hear.poll_recv(context),
        });
        let events = futures_util::StreamExt::map(events, |heard| {
            let data = match heard {
                Heard::Event(event) => event,
                Heard::Failed(problem) => {
                    json!({ "error": { "message": problem.detail(), "type": problem.title(), "param": null, "code": null } }).to_string()
                }
                Heard::Whole(..) | Heard::Absent(_) => "[DONE]".to_owned(),
            };
            Ok::<_, Infallible>(Event::default().data(data))
        });
        Ok(Passed::Answered(Sse::new(events).keep_alive(KeepAlive::default()).into_response()))
    }

    async fn finish(self, mind: &MindHandle, tell: &UnboundedSender<Heard>) -> Result<(), Problem> {
        let mut last = None;
        let mut say = |event: &str| {
            last = Some(event.to_owned());
            let _ = tell.send(Heard::Event(event.to_owned()));
        };
        let relayed = match mind.relay(&self.request, &mut say).await? {
            Ok(relayed) => relayed,
            Err(cause) => return self.unanswered(mind, (cause, last), tell).await,
        };
        let answer = kept(&relayed.text, LONGEST_KEPT);
        if let Some(talk) = self.talk.filter(|_| relayed.status == 200) {
            // A request that calls tools is followed by another one with their results, so only the message is stored
            // now.
            if relayed.calls_tools || answer.is_empty() {
                talk.keep_message(mind).await?;
            } else {
                mind.observe(mind.rest_of(talk.exchange(&answer)).await?).await?;
            }
        }
        let Some(last) = last else {
            let _ = tell.send(Heard::Whole(relayed.status, relayed.body));
            return Ok(());
        };
        if !relayed.finished && !last.contains("\"error\"") {
            let _ = tell.send(Heard::Event(broken_off(&last)));
        }
        let _ = tell.send(Heard::Event("[DONE]".into()));
        Ok(())
    }
}

/// Truncates a text to `most` characters and removes NUL, which a turn cannot contain.
pub(super) fn kept(text: &str, most: usize) -> String {
    text.trim().chars().filter(|letter| *letter != '\0').take(most).collect()
}

impl Passing {
    /// Handles a request the model did not answer. The user's message is stored in any case. If the model had already
    /// sent events, rules answer in the same stream.
    async fn unanswered(
        self,
        mind: &MindHandle,
        (cause, last): (Cause, Option<String>),
        tell: &UnboundedSender<Heard>,
    ) -> Result<(), Problem> {
        let talk = match self.talk {
            Some(talk) if !self.beyond => talk,
            talk => {
                if let Some(talk) = talk {
                    talk.keep_message(mind).await?;
                }
                let _ = tell.send(Heard::Failed(absent(cause)));
                return Ok(());
            }
        };
        let Some(last) = last else {
            let _ = tell.send(Heard::Absent(cause));
            return Ok(());
        };
        let answer = mind.stand_in(&talk.spoken(), cause).await?;
        mind.observe(mind.rest_of(talk.exchange(&answer.text)).await?).await?;
        for event in [like(&last, &json!({ "content": answer.text }), None), like(&last, &json!({}), Some("stop")), "[DONE]".into()] {
            let _ = tell.send(Heard::Event(event));
        }
        Ok(())
    }
}

/// Returns the problem for a model that is not available.
pub(super) fn absent(cause: Cause) -> Problem {
    let status = match cause {
        Cause::Limited | Cause::Budget => StatusCode::TOO_MANY_REQUESTS,
        Cause::Unreachable | Cause::TimedOut => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_GATEWAY,
    };
    Problem::new(status, "model", phrase!("http.openai.model_unavailable", cause))
}

/// Returns the last event of an interrupted stream, in the format of its previous event.
fn broken_off(last: &str) -> String {
    like(last, &json!({}), Some("length"))
}

/// Returns an event in the format of another one.
fn like(last: &str, delta: &Value, finish: Option<&str>) -> String {
    let mut chunk: Value = serde_json::from_str(last).unwrap_or_default();
    chunk["choices"] = json!([{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }]);
    chunk.to_string()
}

/// Adds the context to the message at `place`. If the client names no model or only this program, the configured model
/// is used.
pub(super) fn beside(mut request: Value, place: usize, context: &str) -> Value {
    if request["model"].as_str().is_none_or(|model| model.is_empty() || model == MODEL) {
        request["model"] = Value::Null;
    }
    if request["stream"].is_null() {
        request.as_object_mut().and_then(|fields| fields.remove("stream"));
    }
    if context.trim().is_empty() {
        return request;
    }
    let content = &mut request["messages"][place]["content"];
    match content {
        Value::Array(parts) => parts.insert(0, json!({ "type": "text", "text": context })),
        Value::String(text) => *text = format!("{context}\n\n{text}"),
        _ => {}
    }
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_stands_beside_the_message_and_all_else_stays() {
        let request = json!({ "model": "saegim", "temperature": 0.2, "tools": [{ "type": "function" }], "stream": null, "messages": [
            { "role": "system", "content": "Be kind." }, { "role": "user", "content": "hi" },
            { "role": "assistant", "content": null, "tool_calls": [{ "id": "1" }] }, { "role": "tool", "tool_call_id": "1", "content": "42" }] });
        let passed = beside(request, 1, "<memory>x</memory>");
        assert_eq!(passed["messages"][1]["content"], "<memory>x</memory>\n\nhi");
        assert_eq!((&passed["messages"][0]["content"], &passed["messages"][3]["content"]), (&json!("Be kind."), &json!("42")));
        assert_eq!((&passed["temperature"], &passed["tools"][0]["type"]), (&json!(0.2), &json!("function")));
        assert!(passed["model"].is_null() && passed.get("stream").is_none());
        let parts = json!({ "model": "gpt", "messages": [{ "role": "user", "content": [{ "type": "image_url" }, { "type": "text", "text": "hi" }] }] });
        let passed = beside(parts, 0, "known");
        assert_eq!((passed["messages"][0]["content"].as_array().map(Vec::len), &passed["model"]), (Some(3), &json!("gpt")));
    }

    #[test]
    fn a_stream_that_breaks_off_ends_for_length() {
        let last = r#"{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"bla"}}]}"#;
        let ended: Value = serde_json::from_str(&broken_off(last)).unwrap();
        assert_eq!((&ended["id"], &ended["choices"][0]["finish_reason"]), (&json!("c1"), &json!("length")));
    }
}
