//! Imagination: the character generates something on its own from its memories, a few times a day.

use saegim_core::{
    Category, Change, Deed, Imagination, ImaginationId, Invalid, Knowledge, Language, Memory, MemoryId, Op, Role, Source, Span, Taken,
    Thing, Thought, Tier, TimeOfDay, Timestamp, Trigger, Weight, chosen, may_imagine, phrase, taken, theme_weight, trigger_weight,
};
use saegim_language::ImagineFrom;
use saegim_store::{Filter, Page};

use crate::access::grants::meant;
use crate::identity::SelfModel;
use crate::retrieval::recall::Query;
use crate::{Draft, EngineError};

/// Maximum length of the context, in characters.
const LONGEST_CONTEXT: usize = 300;

/// Number of latest memories an imagination may use.
const RECENT: usize = 40;

/// Number of past imaginations whose main memory is not used again, if there are others.
const FRESH: usize = 3;

/// Number of past imaginations considered for feedback and the daily limit.
const LOOKS_BACK: usize = 100;

/// Request for an imagination.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imagining {
    /// Trigger. By default chosen among those that apply, weighted by feedback.
    pub trigger: Option<Trigger>,
    /// Context from the host: a screen, an application, the weather.
    pub context: Option<String>,
}

/// What somebody thinks of an imagination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// They like it.
    Liked,
    /// They dislike it.
    Disliked,
}

impl From<bool> for Opinion {
    fn from(liked: bool) -> Self {
        if liked { Self::Liked } else { Self::Disliked }
    }
}

impl SelfModel<'_> {
    pub(crate) async fn imagine(&self, wanted: Imagining) -> Result<Imagination, EngineError> {
        self.mind.may(Deed::Imagine).await?;
        let context = match wanted.context.as_deref().map(told).transpose()? {
            None if wanted.trigger == Some(Trigger::Context) => self.last_user_message().await?,
            given => given,
        };
        let wanted = Imagining { context: context.clone(), ..wanted };
        self.expire_unjudged().await?;
        let (now, zone, policy) = (self.mind.now(), &self.mind.inner.config.time_zone, &self.mind.policy().imagination);
        let known = self.mind.store().imaginations(self.mind.id, LOOKS_BACK).await?;
        let latest: Vec<_> = known.iter().map(|known| known.at).collect();
        if let Err(next) = may_imagine(&latest, now, zone, policy) {
            let (count, at) = (policy.per_day, next.civil(zone).strftime("%Y-%m-%d %H:%M").to_string());
            return Err(EngineError::NotYet(phrase!("engine.imagine.limit_reached", count, at), next));
        }
        if self.mind.thinker.is_none() {
            return Err(EngineError::NotFound(phrase!("engine.imagine.no_thinker")));
        }
        let weights = self.mind.store().weights(self.mind.id).await?;
        let trigger = self.trigger_for(&wanted, &weights).await?;
        let used: Vec<MemoryId> = known.iter().take(FRESH).filter_map(|known| known.memories.first().copied()).collect();
        let (theme, memories) = self.theme_for(context.as_deref(), &weights, &used).await?;
        let texts: Vec<&str> = memories.iter().map(Memory::said).collect();
        let user = self.user_name().await?;
        let present = self.mind.intake().current_context().await?;
        let from = ImagineFrom {
            trigger,
            time_of_day: (trigger == Trigger::Time).then(|| TimeOfDay::nearest(now, zone)),
            context: context.as_deref().filter(|_| trigger == Trigger::Context),
            theme: &theme,
            memories: &texts,
            user: &user,
            language: Language::of(context.as_deref().filter(|_| trigger == Trigger::Context).unwrap_or(texts[0])),
            style: present.style.unwrap_or_else(|| present.relationship.level().speech_style()),
            throw: self.draw(),
        };
        let daydream = self.mind.models().think(Thought::Imagine, |thinker| thinker.imagine(&from)).await?;
        let mut memory = self
            .mind
            .intake()
            .conceive(Draft {
                source: Some(Source::Imagination),
                tier: Some(Tier::M30),
                emotions: Some(daydream.emotions),
                ..Draft::text(&daydream.scenario)
            })
            .await?;
        // The result is only the character's own thought, even if its sources are facts.
        memory.knowledge = Knowledge::Imagined;
        memory.category = None;
        let imagination = Imagination {
            id: ImaginationId::new(now, self.mind.inner.config.dice.chance()),
            trigger,
            theme,
            memories: memories.iter().map(|memory| memory.id).collect(),
            scenario: daydream.scenario,
            action: daydream.action,
            emotions: daydream.emotions,
            at: now,
            memory: Some(memory.id),
            liked: None,
            ignored: false,
        };
        let (vector, _) = self.mind.models().vector_of(&memory.content).await;
        let mut commit = self.mind.commit(Op::Imagine, &[&memory]).because(trigger.as_str()).about(Thing::Imagination(imagination.id));
        commit.changes.push(Change::MemoryAdded(Box::new(memory.clone())));
        commit.changes.extend(vector.map(|vector| self.mind.models().embedded(memory.id, vector)));
        commit.changes.push(Change::ImaginationSet(Box::new(imagination.clone())));
        self.mind.write(commit).await?;
        Ok(imagination)
    }

    /// Returns the last user message, which serves as the context if the host gives none.
    async fn last_user_message(&self) -> Result<Option<String>, EngineError> {
        let present = self.mind.intake().current_context().await?;
        let last = present.window.iter().rev().find(|turn| turn.role == Role::User);
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_CONTEXT).collect::<String>();
        Ok(last.map(|turn| line(&turn.content)).filter(|line| !line.is_empty()))
    }

    fn draw(&self) -> u64 {
        let roll = self.mind.inner.config.dice.roll();
        u64::from_le_bytes(roll[..8].try_into().expect("eight of thirty-two bytes"))
    }

    /// Returns the requested trigger, or chooses one of those that apply now by weight.
    async fn trigger_for(&self, wanted: &Imagining, weights: &[Weight]) -> Result<Trigger, EngineError> {
        let policy = &self.mind.policy().imagination;
        if let Some(trigger) = wanted.trigger {
            // Without a context only the idle trigger applies.
            if trigger == Trigger::Context && wanted.context.is_none() {
                return Ok(Trigger::Idle);
            }
            return Ok(trigger);
        }
        let now = self.mind.now();
        let last = self.mind.intake().current_context().await?.last_said();
        let idle = last.is_none_or(|last| now.since(last) >= Span::seconds(i64::from(policy.idle_minutes) * 60));
        let time = TimeOfDay::at(now, &self.mind.inner.config.time_zone, policy).is_some();
        let cases = [(Trigger::Idle, idle), (Trigger::Context, wanted.context.is_some()), (Trigger::Time, time)];
        let options: Vec<(Trigger, f32)> =
            cases.iter().filter(|(_, holds)| *holds).map(|(trigger, _)| (*trigger, trigger_weight(weights, *trigger))).collect();
        Ok(chosen(&options, self.draw()).copied().unwrap_or(Trigger::Idle))
    }

    /// Chooses a theme by weight and returns its memories: first those related to the context, then the latest.
    async fn theme_for(&self, context: Option<&str>, weights: &[Weight], used: &[MemoryId]) -> Result<(String, Vec<Memory>), EngineError> {
        let mut memories: Vec<Memory> = Vec::new();
        if let Some(context) = context {
            let (vector, _) = self.mind.retrieval().question_vector(context).await;
            let found = self.mind.retrieval().search_with(&Query { limit: 10, ..Query::text(context) }, vector).await?;
            memories.extend(found.results.into_iter().map(|found| found.memory));
        }
        // Using imaginations as sources would drift away from real events.
        memories.retain(|memory| memory.source != Source::Imagination);
        let related = memories.len();
        let mut page = Page { limit: RECENT, before: None };
        while memories.len() < related + RECENT {
            let latest = self.mind.store().list(self.mind.id, &Filter::default(), page.clone()).await?;
            let Some(last) = latest.last() else { break };
            page.before = Some(last.id);
            let fresh = latest.into_iter().filter(|memory| memory.source != Source::Imagination);
            let fresh: Vec<Memory> = fresh.filter(|memory| !memories[..related].iter().any(|known| known.id == memory.id)).collect();
            memories.extend(fresh);
        }
        // Skip recently used memories if there are others.
        if memories.iter().any(|memory| !used.contains(&memory.id)) {
            memories.retain(|memory| !used.contains(&memory.id));
        }
        let mut themes: Vec<(String, f32)> = Vec::new();
        for memory in &memories {
            let theme = theme_of(memory);
            if !themes.iter().any(|(known, _)| *known == theme) {
                let weight = theme_weight(weights, &theme);
                themes.push((theme, weight));
            }
        }
        let theme = chosen(&themes, self.draw()).cloned().ok_or_else(|| EngineError::NotFound(phrase!("engine.imagine.no_memories")))?;
        let mut of_theme: Vec<Memory> = memories.into_iter().filter(|memory| theme_of(memory) == theme).collect();
        // If no memory relates to the context, start at a random one of the latest.
        if context.is_none() || related == 0 {
            let turn = (self.draw() % of_theme.len() as u64) as usize;
            of_theme.rotate_left(turn);
        }
        of_theme.truncate(self.mind.policy().imagination.memories);
        Ok((theme, of_theme))
    }

    pub(crate) async fn judge_imagination(&self, id: ImaginationId, opinion: Opinion) -> Result<Imagination, EngineError> {
        self.mind.may(Deed::Feedback).await?;
        let all = self.mind.store().imaginations(self.mind.id, LOOKS_BACK).await?;
        let known = all.into_iter().find(|imagination| imagination.id == id);
        let mut imagination = known.ok_or_else(|| EngineError::NotFound(phrase!("engine.imagine.not_found")))?;
        let liked = opinion == Opinion::Liked;
        if imagination.liked == Some(liked) {
            return Ok(imagination);
        }
        imagination.liked = Some(liked);
        self.take(&imagination, if liked { Taken::Liked } else { Taken::Disliked }).await?;
        Ok(imagination)
    }

    async fn take(&self, imagination: &Imagination, how: Taken) -> Result<(), EngineError> {
        let weights = self.mind.store().weights(self.mind.id).await?;
        let word = match how {
            Taken::Liked => "liked",
            Taken::Disliked => "disliked",
            Taken::Ignored => "ignored",
        };
        let mut commit = self.mind.commit(Op::Feedback, &[]).because(word).about(Thing::Imagination(imagination.id));
        commit.changes.push(Change::ImaginationSet(Box::new(imagination.clone())));
        commit.changes.extend(taken(&weights, imagination, how, &self.mind.policy().imagination).map(Change::WeightSet));
        self.mind.write(commit).await.map(drop)
    }

    /// Marks imaginations without feedback for a day as ignored.
    pub(crate) async fn expire_unjudged(&self) -> Result<(), EngineError> {
        let now = self.mind.now();
        for known in self.mind.store().imaginations(self.mind.id, LOOKS_BACK).await? {
            if known.liked.is_none() && !known.ignored && now.since(known.at) >= Span::days(1) {
                let ignored = Imagination { ignored: true, ..known };
                self.mind.as_worker().self_model().take(&ignored, Taken::Ignored).await?;
            }
        }
        Ok(())
    }

    /// Returns the midnight at which the first imagination without feedback counts as ignored.
    pub(crate) async fn unanswered_due(&self, now: Timestamp) -> Result<Option<Timestamp>, EngineError> {
        let known = self.mind.store().imaginations(self.mind.id, LOOKS_BACK).await?;
        let waits = known.iter().filter(|known| known.liked.is_none() && !known.ignored).map(|known| known.at).min();
        Ok(waits.and_then(|at| self.mind.lifecycle().midnight_after(at.plus(Span::days(1)).minus(Span::millis(1)), now)))
    }

    pub(crate) async fn imaginations(&self, limit: usize) -> Result<Vec<Imagination>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().imaginations(self.mind.id, limit).await?)
    }

    pub(crate) async fn imagination_weights(&self) -> Result<Vec<Weight>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().weights(self.mind.id).await?)
    }

    pub(crate) async fn resolve_imagination(&self, digits: &str) -> Result<ImaginationId, EngineError> {
        let all = self.mind.store().imaginations(self.mind.id, LOOKS_BACK).await?;
        let kept = all.iter().find(|known| {
            known.memory.is_some_and(|memory| memory.to_string().replace('-', "").ends_with(&digits.trim().replace('-', "")))
        });
        if let Some(kept) = kept.filter(|_| digits.trim().len() >= 4) {
            return Ok(kept.id);
        }
        let ids: Vec<ImaginationId> = all.iter().map(|known| known.id).collect();
        meant(&ids, digits, || phrase!("engine.imagine.no_match", digits))
    }

    /// Returns the memories of imaginations that were made from these memories.
    pub(crate) async fn imagined_from(&self, memories: &[Memory]) -> Result<Vec<Memory>, EngineError> {
        let all = self.mind.store().imaginations(self.mind.id, usize::from(u16::MAX)).await?;
        let made = |known: &&Imagination| known.memories.iter().any(|id| memories.iter().any(|memory| memory.id == *id));
        let ids: Vec<_> = all.iter().filter(made).filter_map(|known| known.memory).collect();
        let kept = self.mind.store().memories(self.mind.id, &ids).await?;
        Ok(kept.into_iter().filter(|memory| memories.iter().all(|known| known.id != memory.id)).collect())
    }
}

/// Normalises the host's context to one line of at most 300 characters.
fn told(text: &str) -> Result<String, EngineError> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() || line.chars().count() > LONGEST_CONTEXT {
        return Err(Invalid::new("context", phrase!("engine.imagine.action_form")).into());
    }
    Ok(line)
}

/// Returns the theme of a memory: its category, or "moments".
fn theme_of(memory: &Memory) -> String {
    memory.category.map_or("moments", Category::as_str).to_owned()
}
