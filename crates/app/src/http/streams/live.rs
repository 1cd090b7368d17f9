//! Streaming answers: first the words of the model, then what was learned from the exchange.
//!
//! The answer is generated in its own task. If the client disconnects, the answer is still completed and stored.

use futures_util::Stream;
use saegim_core::{Cause, Hash, MemoryId, Role, SessionId};
use saegim_engine::{Exchange, MindHandle, ModelReply, NewMessage, Observed, ReplyRequest};
use saegim_provider::Sampling;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::http::connection::detached_tasks;
use crate::http::problem::{Problem, SPOKEN};
use crate::http::routes::words;
use crate::http::spoken;

/// An event of a streaming answer.
pub(crate) enum Heard {
    /// A part of the text.
    Word(String),
    /// The answer is complete and the exchange is stored.
    Learned(Box<Observed>, ModelReply),
    /// The answer could not be generated or stored.
    Failed(Problem),
}

/// A message that is to be answered.
#[derive(Clone)]
pub(crate) struct Talk {
    pub(crate) text: String,
    pub(crate) context: String,
    pub(crate) before: Vec<(Role, String)>,
    pub(crate) injected: Vec<MemoryId>,
    pub(crate) session: Option<SessionId>,
    pub(crate) idempotency: Option<String>,
    /// Why the model is not available, if that is already known. Rules answer instead.
    pub(crate) absent: Option<Cause>,
    /// Sampling parameters of the client, if it sent any.
    pub(crate) sampling: Option<Sampling>,
}

impl Talk {
    /// Starts the answer. A rule-based answer is generated and stored before this returns, so that an error gets its
    /// own HTTP status; a model's words are streamed as they arrive. A repeated idempotency key returns the stored
    /// answer without asking the model again.
    pub(crate) async fn begin(self, mind: MindHandle) -> Result<impl Stream<Item = Heard> + use<>, Problem> {
        let (tell, mut hear) = unbounded_channel();
        if let Some(before) = mind.taken_before(&self.exchange("")).await? {
            let last = Heard::again(before);
            if let Heard::Learned(_, answer) = &last {
                say(&tell, &answer.text);
            }
            let _ = tell.send(last);
        } else if mind.speaks() && self.absent.is_none() {
            // If the client disconnects, sends fail silently and the task continues.
            detached_tasks::finish(SPOKEN.scope(spoken(), async move {
                let last = self.finish(&mind, &tell).await.unwrap_or_else(Heard::Failed);
                let _ = tell.send(last);
            }));
        } else {
            let last = self.finish(&mind, &tell).await?;
            let _ = tell.send(last);
        }
        Ok(futures_util::stream::poll_fn(move |context| hear.poll_recv(context)))
    }

    async fn finish(self, mind: &MindHandle, tell: &UnboundedSender<Heard>) -> Result<Heard, Problem> {
        let spoken = self.spoken();
        let mut heard = |text: &str| say(tell, text);
        let answer = match &self.absent {
            None => mind.speak(&spoken, &mut heard).await?,
            Some(cause) => {
                let answer = mind.stand_in(&spoken, *cause).await?;
                heard(&answer.text);
                answer
            }
        };
        let exchange = self.exchange(&answer.text);
        // The model may have been available for an earlier request of this exchange and may have called tools, so the
        // message may already be stored.
        let exchange = if self.absent.is_some() { mind.rest_of(exchange).await? } else { exchange };
        let observed = mind.observe(exchange).await?;
        // A concurrent request with the same key may have stored its answer first. The stored answer counts.
        Ok(if observed.repeated { Heard::again(observed) } else { Heard::Learned(Box::new(observed), answer) })
    }

    /// Returns the message with its context for the model.
    pub(crate) fn spoken(&self) -> ReplyRequest<'_> {
        ReplyRequest { text: &self.text, context: &self.context, before: &self.before, sampling: self.sampling.as_ref() }
    }

    /// Stores only the message, unless it is already stored. Its answer comes later or never.
    pub(crate) async fn keep_message(&self, mind: &MindHandle) -> Result<(), Problem> {
        let alone = Exchange { session: self.session.clone(), said: vec![NewMessage::user(&self.text)], ..Exchange::default() };
        let rest = mind.rest_of(alone).await?;
        if !rest.said.is_empty() {
            mind.observe(rest).await?;
        }
        Ok(())
    }

    /// Checks whether a request with the same idempotency key was already answered.
    pub(crate) async fn was_answered(&self, mind: &MindHandle) -> Result<bool, Problem> {
        Ok(mind.taken_before(&self.exchange("")).await?.is_some())
    }

    /// Builds the exchange with this answer. The digest for the idempotency key ignores the answer, which differs on
    /// each attempt.
    pub(crate) fn exchange(&self, answer: &str) -> Exchange {
        let asked = Hash::of(format!("{:?}", (&self.text, &self.before, &self.session)).as_bytes());
        Exchange {
            session: self.session.clone(),
            said: vec![NewMessage::user(&self.text), NewMessage { injected: self.injected.clone(), ..NewMessage::assistant(answer) }],
            idempotency: self.idempotency.clone(),
            asked: Some(asked),
            ..Exchange::default()
        }
    }
}

impl Heard {
    /// Builds the last event of a repeated request from the stored exchange.
    fn again(observed: Observed) -> Self {
        let answer = observed.turns.iter().find(|turn| turn.role == Role::Assistant).map(|turn| turn.content.clone());
        Self::Learned(Box::new(observed), ModelReply { text: answer.unwrap_or_default(), broke_off: None })
    }
}

/// Sends a text word by word.
fn say(tell: &UnboundedSender<Heard>, text: &str) {
    for word in words(text) {
        let _ = tell.send(Heard::Word(word.to_owned()));
    }
}
