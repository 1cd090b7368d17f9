//! A request that is passed on to the model that answers: all of it, with what is remembered beside the last user message,
//! and its answer back as it comes.

use std::convert::Infallible;

use axum::Json;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use saegim_core::{Cause, Role};
use saegim_engine::{Exchange, MindHandle};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::MODEL;
use crate::http::problem::Problem;
use crate::http::unfinished;

/// The most letters of an answer that are kept as said; the client has heard all of it.
const LONGEST_KEPT: usize = 8_000;

/// A request about to be passed on.
#[derive(Default)]
pub(super) struct Passing {
    pub(super) request: Value,
    /// The exchange with an answer yet to come; nothing where there is none to be kept.
    pub(super) exchange: Option<Exchange>,
}

/// What came of it.
pub(super) enum Passed {
    /// The model's server answered.
    Answered(Response),
    /// It cannot be had.
    Absent(Cause),
}

/// What is heard of the answer.
enum Heard {
    /// An event of its stream.
    Event(String),
    /// All of it.
    Whole(u16, Value),
    /// The model cannot be had.
    Absent(Cause),
    /// Something here failed.
    Failed(Problem),
}

impl Passing {
    /// Passes it on in a task of its own: a client that leaves in the middle leaves a whole turn behind.
    pub(super) async fn begin(self, mind: MindHandle) -> Result<Passed, Problem> {
        let (tell, mut hear) = unbounded_channel();
        unfinished::finish(async move {
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
            Err(cause) => {
                let _ = tell.send(Heard::Absent(cause));
                return Ok(());
            }
        };
        // An exchange is whole when there is an answer; one that first calls tools comes again with their results.
        let answer: String = relayed.text.trim().chars().take(LONGEST_KEPT).collect();
        if relayed.status == 200
            && !relayed.calls_tools
            && !answer.is_empty()
            && let Some(mut exchange) = self.exchange
        {
            exchange.said.iter_mut().filter(|said| said.role == Role::Assistant).for_each(|said| answer.clone_into(&mut said.content));
            mind.observe(exchange).await?;
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

/// The event that ends a stream which broke off, in the shape of its last one.
fn broken_off(last: &str) -> String {
    let mut chunk: Value = serde_json::from_str(last).unwrap_or_default();
    chunk["choices"] = json!([{ "index": 0, "delta": {}, "logprobs": null, "finish_reason": "length" }]);
    chunk.to_string()
}

/// The request with what is remembered beside the message at `place`; the model is the server's own where the client names
/// only this program.
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
