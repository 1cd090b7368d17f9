//! An answer on its way: words as the model says them, then what was learned.
//!
//! The answer is given in a task of its own. A client that leaves in the middle leaves a whole turn behind: the answer is
//! finished and kept as if it had stayed.

use futures_util::Stream;
use saegim_core::{Cause, Hash, MemoryId, Role, SessionId};
use saegim_engine::{Answered, Exchange, MindHandle, Observed, Said, Spoken};
use saegim_provider::Sampling;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::problem::{Problem, SPOKEN};
use super::routes::words;
use super::{spoken, unfinished};

/// What is heard of an answer.
pub(crate) enum Heard {
    /// A piece of it.
    Word(String),
    /// It is whole, and this came of the exchange.
    Learned(Box<Observed>, Answered),
    /// It could not be given or kept.
    Failed(Problem),
}

/// A message that is about to be answered.
#[derive(Clone)]
pub(crate) struct Talk {
    pub(crate) text: String,
    pub(crate) context: String,
    pub(crate) before: Vec<(Role, String)>,
    pub(crate) injected: Vec<MemoryId>,
    pub(crate) session: Option<SessionId>,
    pub(crate) idempotency: Option<String>,
    /// Why the model that should answer cannot be had, where that is known already: rules answer then.
    pub(crate) absent: Option<Cause>,
    /// How the client wants the answer drawn, where it says so.
    pub(crate) sampling: Option<Sampling>,
}

impl Talk {
    /// Answers it. Rules have answered and the exchange is kept before this returns, so that whatever is wrong is said
    /// with a status of its own; a model's words go out as they come. What was answered before under the same key is
    /// answered with the same words, and nobody is asked for them again.
    pub(crate) async fn begin(self, mind: MindHandle) -> Result<impl Stream<Item = Heard> + use<>, Problem> {
        let (tell, mut hear) = unbounded_channel();
        if let Some(before) = mind.taken_before(&self.exchange("")).await? {
            let last = Heard::again(before);
            if let Heard::Learned(_, answer) = &last {
                say(&tell, &answer.text);
            }
            let _ = tell.send(last);
        } else if mind.speaks() && self.absent.is_none() {
            // A client that left hears nothing any more, and everything goes on.
            unfinished::finish(SPOKEN.scope(spoken(), async move {
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
        // A model that cannot be had now may have been there before, and have called tools.
        let exchange = if self.absent.is_some() { mind.rest_of(exchange).await? } else { exchange };
        let observed = mind.observe(exchange).await?;
        // Somebody else may have had the same answered meanwhile; what is kept is what counts.
        Ok(if observed.repeated { Heard::again(observed) } else { Heard::Learned(Box::new(observed), answer) })
    }

    /// The message with what goes with it.
    pub(crate) fn spoken(&self) -> Spoken<'_> {
        Spoken { text: &self.text, context: &self.context, before: &self.before, sampling: self.sampling.as_ref() }
    }

    /// Keeps the message alone, unless it is kept already: its answer comes later, or never.
    pub(crate) async fn keep_message(&self, mind: &MindHandle) -> Result<(), Problem> {
        let alone = Exchange { session: self.session.clone(), said: vec![Said::user(&self.text)], ..Exchange::default() };
        let rest = mind.rest_of(alone).await?;
        if !rest.said.is_empty() {
            mind.observe(rest).await?;
        }
        Ok(())
    }

    /// Whether it was answered before, under the same key.
    pub(crate) async fn was_answered(&self, mind: &MindHandle) -> Result<bool, Problem> {
        Ok(mind.taken_before(&self.exchange("")).await?.is_some())
    }

    /// The exchange with this answer. Under its key it is the same whatever the answer: that is made anew each time.
    pub(crate) fn exchange(&self, answer: &str) -> Exchange {
        let asked = Hash::of(format!("{:?}", (&self.text, &self.before, &self.session)).as_bytes());
        Exchange {
            session: self.session.clone(),
            said: vec![Said::user(&self.text), Said { injected: self.injected.clone(), ..Said::assistant(answer) }],
            idempotency: self.idempotency.clone(),
            asked: Some(asked),
            ..Exchange::default()
        }
    }
}

impl Heard {
    /// What was learned when it was answered before, with the answer as it was kept.
    fn again(observed: Observed) -> Self {
        let answer = observed.turns.iter().find(|turn| turn.role == Role::Assistant).map(|turn| turn.content.clone());
        Self::Learned(Box::new(observed), Answered { text: answer.unwrap_or_default(), broke_off: None })
    }
}

/// Sends a text word by word.
fn say(tell: &UnboundedSender<Heard>, text: &str) {
    for word in words(text) {
        let _ = tell.send(Heard::Word(word.to_owned()));
    }
}
