//! Change events of a mind, in order, for event streams and webhooks.

use saegim_core::{Op, Principal};
use saegim_engine::{EngineError, MindHandle};
use serde::Serialize;
use serde_json::Value;

use crate::shapes::{Entry, Face, Mood};

/// Maximum number of ledger entries per poll.
const AT_ONCE: usize = 200;

/// One event.
#[derive(Clone, Serialize)]
pub(crate) struct News {
    /// Name of a ledger operation, `memory`, `mood` or `face`.
    pub(crate) event: &'static str,
    /// Sequence number of the ledger entry; `None` for events that accompany an entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<u64>,
    /// Payload of the event.
    pub(crate) data: Value,
}

/// Position of a listener, so that no event is sent twice.
#[derive(Clone, Default)]
pub(crate) struct Heard {
    /// Sequence number of the last ledger entry sent.
    pub(crate) after: u64,
    mood: Option<String>,
    face: Option<Face>,
}

impl Heard {
    /// Creates a position after the entry `after`, with no mood or face sent yet.
    pub(crate) fn up_to(after: u64) -> Self {
        Self { after, ..Self::default() }
    }

    /// Returns the events since the last call. An entry comes after the events it caused, so that a client that resumes
    /// after an entry has missed nothing.
    pub(crate) async fn listen(&mut self, mind: &MindHandle) -> Result<Vec<News>, EngineError> {
        if mind.head().await? == self.after {
            return Ok(Vec::new());
        }
        let news = mind.news(self.after, AT_ONCE).await?;
        let Some(last) = news.entries.last().map(|entry| entry.sequence) else { return Ok(Vec::new()) };
        self.after = last;
        let mut told: Vec<News> = news.memories.iter().map(|changed| tell("memory", None, changed)).collect();
        let felt = news.entries.iter().any(|entry| matches!(entry.operation, Op::Observe | Op::Recall));
        // Admins may see that an operation happened, but not the emotions.
        if felt && mind.principal() != Principal::Admin {
            self.feel(mind, &mut told).await?;
        }
        told.extend(news.entries.iter().map(|entry| tell(entry.operation.as_str(), Some(entry.sequence), &Entry::from(entry))));
        Ok(told)
    }

    /// Adds mood and face events if they changed.
    async fn feel(&mut self, mind: &MindHandle, told: &mut Vec<News>) -> Result<(), EngineError> {
        let mood = Mood::from(&mind.mood().await?);
        let felt = serde_json::to_string(&mood.felt()).unwrap_or_default();
        if self.mood.as_ref() != Some(&felt) {
            told.push(tell("mood", None, &mood));
            self.mood = Some(felt);
        }
        let page = saegim_engine::TurnPage { limit: 6, ..saegim_engine::TurnPage::default() };
        let said = mind.turns(page).await?;
        let face = said.iter().rev().find(|turn| turn.role == saegim_core::Role::User).and_then(|turn| turn.face).map(Face::from);
        if let Some(face) = face.filter(|face| self.face != Some(*face)) {
            told.push(tell("face", None, &face));
            self.face = Some(face);
        }
        Ok(())
    }
}

fn tell(event: &'static str, id: Option<u64>, data: &impl Serialize) -> News {
    News { event, id, data: serde_json::to_value(data).unwrap_or_default() }
}
