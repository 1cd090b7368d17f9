//! Mixed work on one mind: store, observe, edit, forget, restore, erase, archive, and maintenance days later.

use std::collections::HashSet;
use std::sync::Arc;

use saegim_core::{Hash, MemoryId, SessionId, Span, TurnId};
use saegim_engine::{Core, Draft, Edit, Engine, EngineError, Exchange, MindHandle, NewMessage, RecordedResponse, Request, SetClock};

use super::marked::{Marked, word};
use crate::Outcome;
use crate::made::Numbers;

/// Number of sessions that memories and messages belong to.
const SESSIONS: u64 = 12;

/// Random words of one text.
type Words = Vec<String>;

/// The mind as its user knows it: what is alive, what was forgotten, and what must be gone.
pub(crate) struct Work {
    numbers: Numbers,
    clock: Arc<SetClock>,
    alive: Vec<(MemoryId, Words)>,
    forgotten: Vec<(MemoryId, Words)>,
    turns: Vec<(TurnId, Words)>,
    /// Words of every erased or purged text.
    pub(crate) gone: Vec<Words>,
    requests: u64,
}

/// Returns `None` if the thing is not there any more, because maintenance was faster.
fn there<T>(done: Result<T, EngineError>) -> Result<Option<T>, EngineError> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(EngineError::NotFound(_) | EngineError::Conflict(_) | EngineError::Invalid(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

impl Work {
    pub(crate) fn new(numbers: Numbers, clock: Arc<SetClock>) -> Self {
        let (alive, forgotten, turns, gone) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { numbers, clock, alive, forgotten, turns, gone, requests: 0 }
    }

    /// Stores the memories that a mind of this seed starts with: from a few to some hundreds.
    pub(crate) async fn begin(&mut self, mind: &MindHandle) -> Outcome {
        let count = [20, 100, 300, 600][self.numbers.below(4) as usize];
        let mut left = count;
        while left > 0 {
            let (drafts, words): (Vec<_>, Vec<_>) = (0..left.min(100)).map(|_| self.draft()).unzip();
            left -= drafts.len();
            let stored = mind.remember_all(drafts).await?;
            self.alive.extend(stored.into_iter().map(|memory| memory.id).zip(words));
        }
        Ok(())
    }

    fn draft(&mut self) -> (Draft, Words) {
        let Marked { text, mut words } = Marked::text(&mut self.numbers);
        let mut draft = Draft::text(text);
        draft.coordinate.session = Some(self.session());
        if self.numbers.below(6) == 0 {
            let tag = word(&mut self.numbers);
            draft.tags.push(tag.clone());
            words.push(tag);
        }
        if self.numbers.below(6) == 0 {
            let name = word(&mut self.numbers);
            draft.external_id = Some(name.clone());
            words.push(name);
        }
        (draft, words)
    }

    fn session(&mut self) -> SessionId {
        SessionId::new(format!("session {}", self.numbers.below(SESSIONS))).expect("a short name")
    }

    fn one_of(&mut self, count: usize) -> usize {
        self.numbers.below(count as u64) as usize
    }

    /// Does one piece of work.
    pub(crate) async fn step(&mut self, engine: &Engine, mind: &MindHandle) -> Outcome {
        self.clock.set(mind_time(&self.clock, self.numbers.below(600) as i64));
        match self.numbers.below(100) {
            0..34 => self.store(engine, mind).await,
            34..44 => self.observe(mind).await,
            44..56 => self.edit(mind).await,
            56..72 => self.erase(mind).await,
            72..79 => self.erase_turn(mind).await,
            79..93 => self.forget(mind).await,
            93..96 => self.restore(mind).await,
            96..98 => self.archive(mind).await,
            98 => self.observe(mind).await,
            _ => {
                let days = [1, 2, 9][self.one_of(3)];
                self.pass(days);
                mind.tick().await?;
                self.settle(mind).await
            }
        }
    }

    /// Stores a memory, in some cases as a request with a recorded response.
    pub(crate) async fn store(&mut self, engine: &Engine, mind: &MindHandle) -> Outcome {
        let (draft, words) = self.draft();
        self.requests += 1;
        let key = format!("request {}", self.requests);
        let text = draft.content.clone();
        let request = Request { who: "owner".into(), mind: Some(mind.id()), key, digest: Hash::of(text.as_bytes()) };
        let recorded = self.numbers.below(4) == 0;
        if recorded {
            engine.ask(&request).await?;
        }
        let stored = mind.remember(draft).await?;
        if recorded {
            let body = format!("{{\"content\":\"{text}\"}}").into_bytes();
            engine.answer(&request, Some(RecordedResponse { status: 201, tag: None, body })).await?;
        }
        self.alive.push((stored.memory.id, words));
        Ok(())
    }

    async fn observe(&mut self, mind: &MindHandle) -> Outcome {
        let Marked { text, words } = Marked::message(&mut self.numbers);
        let said = vec![NewMessage::user(text), NewMessage::assistant("응, 알겠어")];
        let session = Some(self.session());
        let observed = mind.observe(Exchange { session, said, ..Exchange::default() }).await?;
        self.turns.extend(observed.turns.first().map(|turn| (turn.id, words)));
        Ok(())
    }

    async fn edit(&mut self, mind: &MindHandle) -> Outcome {
        if self.alive.is_empty() {
            return Ok(());
        }
        let at = self.one_of(self.alive.len());
        let Marked { text, words } = Marked::text(&mut self.numbers);
        if there(mind.edit(self.alive[at].0, Edit { content: Some(text), ..Edit::default() }).await)?.is_some() {
            // Earlier words stay in the list: they must be gone with the memory at the latest.
            self.alive[at].1.extend(words);
        }
        Ok(())
    }

    async fn erase(&mut self, mind: &MindHandle) -> Outcome {
        // One in four was forgotten before.
        let from = if self.numbers.below(4) == 0 { &mut self.forgotten } else { &mut self.alive };
        if from.is_empty() {
            return Ok(());
        }
        let at = self.numbers.below(from.len() as u64) as usize;
        let (id, words) = from.swap_remove(at);
        if there(mind.erase_memory(id).await)?.is_some() {
            self.gone.push(words);
        }
        Ok(())
    }

    async fn erase_turn(&mut self, mind: &MindHandle) -> Outcome {
        if self.turns.is_empty() {
            return Ok(());
        }
        let at = self.one_of(self.turns.len());
        let (id, words) = self.turns.swap_remove(at);
        if there(mind.erase_turn(id).await)?.is_some() {
            self.gone.push(words);
        }
        Ok(())
    }

    async fn forget(&mut self, mind: &MindHandle) -> Outcome {
        if self.alive.is_empty() {
            return Ok(());
        }
        let at = self.one_of(self.alive.len());
        let (id, words) = self.alive.swap_remove(at);
        if there(mind.forget(id, Core::Too).await)?.is_some() {
            self.forgotten.push((id, words));
        }
        Ok(())
    }

    async fn restore(&mut self, mind: &MindHandle) -> Outcome {
        if self.forgotten.is_empty() {
            return Ok(());
        }
        let at = self.one_of(self.forgotten.len());
        let (id, words) = self.forgotten.swap_remove(at);
        if there(mind.restore(id).await)?.is_some() {
            self.alive.push((id, words));
        }
        Ok(())
    }

    /// Archives a session or brings one back.
    async fn archive(&mut self, mind: &MindHandle) -> Outcome {
        let session = self.session();
        if self.numbers.below(2) == 0 {
            there(mind.archive(&session).await)?;
        } else {
            there(mind.unarchive(&session).await)?;
        }
        Ok(())
    }

    fn pass(&self, days: i64) {
        self.clock.set(mind_time(&self.clock, days * 86_400));
    }

    /// Runs a tick, and checks which forgotten memories it purged.
    pub(crate) async fn maintain(&mut self, mind: &MindHandle) -> Result<bool, Box<dyn std::error::Error>> {
        self.pass(1);
        let swept = mind.tick().await?.swept;
        self.settle(mind).await?;
        Ok(swept)
    }

    async fn settle(&mut self, mind: &MindHandle) -> Outcome {
        let waiting: HashSet<MemoryId> = mind.cliff().await?.into_iter().map(|fallen| fallen.memory.id).collect();
        let (still, purged) = std::mem::take(&mut self.forgotten).into_iter().partition(|(id, _)| waiting.contains(id));
        self.forgotten = still;
        self.gone.extend(purged.into_iter().map(|(_, words): (MemoryId, Words)| words));
        Ok(())
    }
}

fn mind_time(clock: &SetClock, seconds: i64) -> saegim_core::Timestamp {
    use saegim_engine::Clock;
    clock.now().plus(Span::seconds(seconds))
}
