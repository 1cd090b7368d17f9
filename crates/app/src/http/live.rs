//! An answer on its way: words as the model says them, then what was learned.
//!
//! The answer is given in a task of its own. A client that leaves in the middle leaves a whole turn behind: the answer is
//! finished and kept as if it had stayed.

use futures_util::Stream;
use saegim_core::{Cause, MemoryId, Role, SessionId};
use saegim_engine::{Answered, Exchange, MindHandle, Observed, Said, Spoken};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::problem::Problem;
use super::routes::words;

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
pub(crate) struct Talk {
    pub(crate) text: String,
    pub(crate) context: String,
    pub(crate) before: Vec<(Role, String)>,
    pub(crate) injected: Vec<MemoryId>,
    pub(crate) session: Option<SessionId>,
    pub(crate) idempotency: Option<String>,
    /// Why the model that should answer cannot be had, where that is known already: rules answer then.
    pub(crate) absent: Option<Cause>,
}

impl Talk {
    /// Answers it. Rules have answered and the exchange is kept before this returns, so that whatever is wrong is said
    /// with a status of its own; a model's words go out as they come.
    pub(crate) async fn begin(self, mind: MindHandle) -> Result<impl Stream<Item = Heard> + use<>, Problem> {
        let (tell, mut hear) = unbounded_channel();
        if mind.speaks() && self.absent.is_none() {
            tokio::spawn(async move {
                // A client that left hears nothing any more, and everything goes on.
                let last = self.finish(&mind, &tell).await.unwrap_or_else(Heard::Failed);
                let _ = tell.send(last);
            });
        } else {
            let last = self.finish(&mind, &tell).await?;
            let _ = tell.send(last);
        }
        Ok(futures_util::stream::poll_fn(move |context| hear.poll_recv(context)))
    }

    async fn finish(self, mind: &MindHandle, tell: &UnboundedSender<Heard>) -> Result<Heard, Problem> {
        let spoken = Spoken { text: &self.text, context: &self.context, before: &self.before };
        let mut say = |text: &str| {
            for word in words(text) {
                let _ = tell.send(Heard::Word(word.to_owned()));
            }
        };
        let answer = match self.absent {
            None => mind.speak(&spoken, &mut say).await?,
            Some(cause) => {
                let answer = mind.stand_in(&spoken, cause).await?;
                say(&answer.text);
                answer
            }
        };
        let said = vec![Said::user(&self.text), Said { injected: self.injected, ..Said::assistant(&answer.text) }];
        let exchange = Exchange { session: self.session, said, idempotency: self.idempotency, ..Exchange::default() };
        let observed = mind.observe(exchange).await?;
        Ok(Heard::Learned(Box::new(observed), answer))
    }
}
