//! A request in OpenAI's own shape that is passed on as it is, and its answer on its way back.
//!
//! What goes back is what the server says, but for thoughts. An answer that says nothing is none: nothing of it is handed
//! over before there is something to hand over, so that somebody else can still answer.

use std::ops::ControlFlow;

use saegim_core::{Cause, Spent, Thought, tokens};
use serde_json::{Value, json};

use super::aloud::{Aloud, aloud};
use super::dialect::openai_spent;
use super::language_model::{Relayed, Saying};
use super::model::RemoteModel;
use super::post::{Answer, unreadable};
use super::usage::{Used, broke_off, note};
use crate::ProviderError;

/// The most bytes of a streamed answer that are passed on.
const LONGEST_RELAYED: usize = 200_000;

impl RemoteModel {
    /// Passes a request on, by the name the client gives the model or by its own.
    pub(super) async fn pass_on(&self, request: &Value, event: Saying<'_>) -> Result<Relayed, ProviderError> {
        self.patience.rested()?;
        let mut body = request.clone();
        let own = body["model"].as_str().is_some_and(|model| !model.is_empty() && model != self.endpoint.model);
        if !own {
            body["model"] = json!(self.endpoint.model);
        }
        let (streams, mut relayed) = (body["stream"] == true, Relayed::default());
        let mut answer = self.passed_on(&body, streams, (&mut relayed, &mut *event)).await?;
        // A client that names a model this server has not is answered by the one that was chosen.
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

    /// Passes a request of OpenAI's shape on, and its stream back, thoughts left out.
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
            // What only opens or closes an answer waits for something that is said.
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
            // What was heard already cannot be taken back.
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

    /// An answer that goes back to whoever asked: a success, or a refusal of what they asked.
    fn accepted(&self, went: Result<Answer, ProviderError>) -> Result<Answer, ProviderError> {
        let answer = self.patience.learned(went)?;
        match answer.status {
            200 | 400 | 404 | 413 | 422 => Ok(answer),
            _ => self.patience.learned(Err(self.patience.failed(&answer, self.endpoint.key.as_ref()))),
        }
    }
}

/// Leaves the thoughts out of a whole answer, finished or not.
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

/// Leaves the thoughts out of one event of a stream.
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

/// Whether an event shows the model thinking, as servers that keep thoughts apart have it.
fn muses(chunk: &Value) -> bool {
    let choices = chunk["choices"].as_array().into_iter().flatten();
    let thought = |choice: &Value| {
        ["reasoning_content", "reasoning"].iter().any(|name| choice["delta"][*name].as_str().is_some_and(|text| !text.is_empty()))
    };
    choices.into_iter().any(thought)
}
