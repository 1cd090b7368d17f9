//! Relays requests in the OpenAI format and their responses.
//!
//! The response is passed on unchanged except for reasoning. An empty response is an error. Nothing is passed on before there
//! is content, so that a fallback can still answer.

use std::ops::ControlFlow;

use saegim_core::{Cause, Spent, Thought, tokens};
use serde_json::{Value, json};

use crate::ProviderError;
use crate::llm::dialect::openai_spent;
use crate::llm::language_model::{Relayed, Saying};
use crate::llm::model::RemoteModel;
use crate::llm::post::{Answer, unreadable};
use crate::llm::usage::{Used, broke_off, note};
use crate::llm::verify::strip_reasoning::{Aloud, aloud};

/// Maximum size in bytes of the text of a relayed stream.
const LONGEST_RELAYED: usize = 200_000;

impl RemoteModel {
    /// Relays a request, with the model name from the client or else the configured one.
    pub(super) async fn pass_on(&self, request: &Value, event: Saying<'_>) -> Result<Relayed, ProviderError> {
        self.patience.rested()?;
        let mut body = request.clone();
        let own = body["model"].as_str().is_some_and(|model| !model.is_empty() && model != self.endpoint.model);
        if !own {
            body["model"] = json!(self.endpoint.model);
        }
        let (streams, mut relayed) = (body["stream"] == true, Relayed::default());
        let mut answer = self.passed_on(&body, streams, (&mut relayed, &mut *event)).await?;
        // If the server does not have the model the client named, use the configured one.
        if own && answer.status == 404 {
            body["model"] = json!(self.endpoint.model);
            answer = self.passed_on(&body, streams, (&mut relayed, &mut *event)).await?;
        }
        relayed.status = answer.status;
        let spent = match serde_json::from_slice::<Value>(&answer.body) {
            Ok(mut whole) => {
                without_thoughts(&mut whole);
                relayed.hear(&whole, "message");
                relayed.body = whole;
                openai_spent(&relayed.body["usage"])
            }
            Err(_) if !answer.body.is_empty() => return Err(unreadable()),
            Err(_) => std::mem::take(&mut relayed.spent),
        };
        let estimated = || Spent { requests: 0, read: tokens(&body["messages"].to_string()) as u64, written: tokens(&relayed.text) as u64 };
        let used = if spent.tokens() > 0 || relayed.status != 200 { spent } else { estimated() };
        note(Used { thought: Thought::Reply, model: self.id.clone(), spent: Spent { requests: 1, ..used } });
        if relayed.status == 200 && !relayed.said {
            return Err(ProviderError::unanswered(relayed.stopped.unwrap_or(Cause::Empty), "the answer is empty".into()));
        }
        relayed.stopped.into_iter().for_each(broke_off);
        Ok(relayed)
    }

    /// Relays one request and streams the response back without reasoning.
    async fn passed_on(&self, body: &Value, streams: bool, (relayed, event): (&mut Relayed, Saying<'_>)) -> Result<Answer, ProviderError> {
        let post = self.post(Thought::Reply, body, streams);
        if !streams {
            return self.accepted(self.wire.send(&post).await);
        }
        let (mut aloud, mut held, mut began, mut failed): (Vec<Aloud>, Vec<String>, bool, bool) = Default::default();
        let mut hear = |data: &str| {
            began = true;
            relayed.finished |= data == "[DONE]";
            let Ok(mut chunk) = serde_json::from_str::<Value>(data) else { return ControlFlow::Continue(()) };
            failed |= !chunk["error"].is_null();
            speak_aloud(&mut chunk, &mut aloud);
            relayed.hear(&chunk, "delta");
            held.push(chunk.to_string());
            // Hold back events without content until there is content.
            if relayed.said || muses(&chunk) && !relayed.finished {
                held.drain(..).for_each(|chunk| event(&chunk));
                relayed.heard = true;
            }
            if relayed.text.len() < LONGEST_RELAYED {
                return ControlFlow::Continue(());
            }
            relayed.stopped = Some(Cause::Endless);
            ControlFlow::Break(())
        };
        let went = self.wire.stream(&post, &mut hear).await;
        match went {
            // Events that were passed on cannot be retracted.
            Err(error) if relayed.heard => {
                relayed.stopped = Some(error.cause());
                Ok(Answer { status: 200, retry_after: None, body: Vec::new() })
            }
            went => {
                if went.is_ok() && began && !relayed.finished {
                    let cut = if failed { Cause::Failing } else { Cause::Cut };
                    relayed.stopped = relayed.stopped.or(Some(cut));
                }
                self.accepted(went)
            }
        }
    }

    /// Returns responses that go back to the client: success, or rejection of the client's request.
    fn accepted(&self, went: Result<Answer, ProviderError>) -> Result<Answer, ProviderError> {
        let answer = self.patience.learned(went)?;
        match answer.status {
            200 | 400 | 404 | 413 | 422 => Ok(answer),
            _ => self.patience.learned(Err(self.patience.failed(&answer, self.endpoint.key.as_ref()))),
        }
    }
}

/// Removes the reasoning from a complete response.
fn without_thoughts(whole: &mut Value) {
    let choices = whole.get_mut("choices").and_then(Value::as_array_mut);
    for choice in choices.into_iter().flatten() {
        let content = choice.get_mut("message").and_then(|message| message.get_mut("content"));
        let Some(Value::String(text)) = content else { continue };
        if text.contains("<think>") || text.contains("</think>") {
            *text = aloud(text);
        }
    }
}

/// Removes the reasoning from one stream event.
fn speak_aloud(chunk: &mut Value, aloud: &mut Vec<Aloud>) {
    let choices = chunk.get_mut("choices").and_then(Value::as_array_mut);
    for choice in choices.into_iter().flatten() {
        let place = choice["index"].as_u64().unwrap_or(0).min(127) as usize;
        if aloud.len() <= place {
            aloud.resize_with(place + 1, Aloud::default);
        }
        let ends = !choice["finish_reason"].is_null();
        let piece = choice["delta"]["content"].as_str().unwrap_or_default().to_owned();
        let mut said = aloud[place].hear(&piece);
        if ends {
            said.push_str(&aloud[place].rest());
        }
        if said != piece {
            choice["delta"]["content"] = json!(said);
        }
    }
}

/// Checks whether an event contains reasoning in a separate field.
fn muses(chunk: &Value) -> bool {
    let choices = chunk["choices"].as_array().into_iter().flatten();
    let thought = |choice: &Value| {
        ["reasoning_content", "reasoning"].iter().any(|name| choice["delta"][*name].as_str().is_some_and(|text| !text.is_empty()))
    };
    choices.into_iter().any(thought)
}
