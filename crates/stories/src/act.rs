//! Executes the actions of a story.

use saegim_core::{CandidateVerdict, Memory, MemoryId, MemoryState, Role, Span, phrase};

use super::deed::{StoryAction, Texts, Which};
use super::stage::Stage;
use super::story::Story;
use saegim_engine::{Core, Draft, Edit, EngineError, Exchange, IslandDraft, NewMessage, Query};

/// Small talk messages, from which no memory is created.
const SMALL_TALK: [&str; 4] = ["안녕", "ㅋㅋㅋ", "응 그래", "오늘 날씨 좋다"];

/// Time between two small talk exchanges.
const PAUSE: Span = Span::seconds(20);

impl Stage {
    /// Executes one action. `round` is the number of earlier repetitions of the step.
    pub(crate) async fn act(&mut self, deed: &StoryAction, round: usize, story: &Story) -> Result<(), EngineError> {
        match deed {
            StoryAction::Talk { event, user, assistant, name } => {
                let said = [(Role::Event, event), (Role::User, user), (Role::Assistant, assistant)];
                self.talk(said.map(|(role, texts)| (role, texts.as_ref().map(|texts| turn_of(texts, round)))), name.as_deref()).await
            }
            StoryAction::Chat(times) => self.chat(*times).await,
            StoryAction::Remember { texts, draft, name } => {
                let draft = Draft { content: turn_of(texts, round).to_owned(), ..(**draft).clone() };
                let kept = self.mind.remember(draft).await?.memory.id;
                self.diary.tally.given += 1;
                name.iter().for_each(|name| self.name(name, [kept]));
                Ok(())
            }
            StoryAction::Recall(question) => self.mind.recall(Query { used: true, ..Query::text(question) }).await.map(drop),
            StoryAction::Rebalance(about) => self.mind.rebalance(about.as_deref()).await.map(drop),
            StoryAction::Tick => self.tick().await,
            StoryAction::Restart => self.restart().await,
            StoryAction::Sleep(day) => {
                let until = story.moment(*day, 0).max(self.now);
                self.sleep(until).await
            }
            StoryAction::Clock(days) => {
                self.set_wrong_by(*days);
                Ok(())
            }
            on_memories => self.act_on(on_memories).await,
        }
    }

    /// Executes an action on existing memories.
    async fn act_on(&mut self, deed: &StoryAction) -> Result<(), EngineError> {
        match deed {
            StoryAction::Use(which, times) => {
                let ids = self.ids(which).await?;
                for _ in 0..*times {
                    self.mind.mark_used(&ids).await?;
                }
            }
            StoryAction::Rate(which, stars) => {
                for id in self.ids(which).await? {
                    self.mind.rate(id, *stars).await?;
                }
            }
            StoryAction::Pin(which, pinned) => {
                for id in self.ids(which).await? {
                    self.mind.pin(id, *pinned).await?;
                }
            }
            StoryAction::Forget(which) => {
                for id in self.ids(which).await? {
                    self.mind.forget(id, Core::Too).await?;
                }
            }
            StoryAction::Restore(which) => {
                for id in self.fallen(which).await? {
                    self.mind.restore(id).await?;
                }
            }
            StoryAction::Erase(which) => {
                for memory in self.those(which).await? {
                    self.mind.erase_memory(memory.id).await?;
                }
            }
            StoryAction::Edit(which, text) => {
                for id in self.ids(which).await? {
                    self.mind.edit(id, Edit { content: Some(text.clone()), ..Edit::default() }).await?;
                }
            }
            StoryAction::Link { from, to, kind } => {
                let targets = self.ids(to).await?;
                for from in self.ids(from).await? {
                    for to in &targets {
                        self.mind.link(from, *to, *kind).await?;
                    }
                }
            }
            StoryAction::ChangedBehaviour(which) => {
                for id in self.ids(which).await? {
                    self.mind.edit(id, Edit { changed_behaviour: Some(true), ..Edit::default() }).await?;
                }
            }
            StoryAction::Island(name, which) => {
                let draft = IslandDraft { name: Some(name.clone()), founding: self.ids(which).await?, ..IslandDraft::default() };
                self.mind.add_island(draft).await?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Observes one exchange and gives the stored memories the name.
    async fn talk(&mut self, said: [(Role, Option<&str>); 3], name: Option<&str>) -> Result<(), EngineError> {
        let of = |(role, text): (Role, Option<&str>)| text.map(|text| NewMessage { role, ..NewMessage::user(text) });
        let exchange = Exchange { said: said.into_iter().filter_map(of).collect(), ..Exchange::default() };
        let observed = self.mind.observe(exchange).await?;
        self.diary.observed(&observed);
        let learned = |candidate: &&saegim_core::Candidate| {
            matches!(candidate.verdict, CandidateVerdict::Stored | CandidateVerdict::Reinforced | CandidateVerdict::Merged)
        };
        let kept: Vec<MemoryId> = observed.candidates.iter().filter(learned).filter_map(|candidate| candidate.memory).collect();
        if let Some(name) = name {
            if kept.is_empty() {
                let why: Vec<&str> = observed.candidates.iter().map(|candidate| candidate.reason.as_str()).collect();
                let why = why.join(", ");
                return Err(EngineError::NotFound(phrase!("engine.act.nothing_stored", name, why)));
            }
            self.name(name, kept);
        }
        Ok(())
    }

    /// Observes `times` small talk exchanges.
    async fn chat(&mut self, times: u32) -> Result<(), EngineError> {
        for number in 0..times as usize {
            let text = SMALL_TALK[number % SMALL_TALK.len()];
            self.talk([(Role::Event, None), (Role::User, Some(text)), (Role::Assistant, Some("응!"))], None).await?;
            self.advance(self.now.plus(PAUSE)).await?;
        }
        Ok(())
    }

    /// Returns the memories a reference matches; an error if there are none.
    async fn those(&self, which: &Which) -> Result<Vec<Memory>, EngineError> {
        let found = self.meant(which).await?;
        if found.is_empty() {
            let named = shown(which);
            return Err(EngineError::NotFound(phrase!("engine.act.memory_not_found", named)));
        }
        // A text reference must be unambiguous. Essences contain the text of their originals and are ignored.
        let own = |memory: &&Memory| memory.source != saegim_core::Source::Distillation;
        if matches!(which, Which::Holding(_)) && found.len() > 1 {
            let own: Vec<Memory> = found.iter().filter(own).cloned().collect();
            let (count, named) = (found.len(), shown(which));
            return match own.len() {
                1 => Ok(own),
                _ => Err(EngineError::Conflict(phrase!("engine.act.ambiguous_memory", count, named))),
            };
        }
        Ok(found)
    }

    async fn ids(&self, which: &Which) -> Result<Vec<MemoryId>, EngineError> {
        Ok(self.those(which).await?.iter().map(|memory| memory.id).collect())
    }

    /// Returns the matching memories on the cliff. Without any, returns all matches, so that the engine reports the error.
    async fn fallen(&self, which: &Which) -> Result<Vec<MemoryId>, EngineError> {
        let all = self.meant(which).await?;
        let fallen: Vec<MemoryId> = all.iter().filter(|memory| memory.standing == MemoryState::OnCliff).map(|memory| memory.id).collect();
        if fallen.is_empty() { self.ids(which).await } else { Ok(fallen) }
    }
}

/// Formats a memory reference as the story writes it.
pub(crate) fn shown(which: &Which) -> String {
    match which {
        Which::Holding(text) => format!("\"{text}\""),
        Which::Named(name) => name.clone(),
    }
}

/// Returns the text for this repetition.
fn turn_of(texts: &Texts, round: usize) -> &str {
    &texts[round % texts.len()]
}
