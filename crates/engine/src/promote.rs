//! Promotion and distillation: what deserves it is kept longer, as its essence, with the originals for evidence.

use std::collections::{BTreeSet, HashMap};

use saegim_core::{
    Again, Around, Category, Change, Commit, Kind, Knowledge, Link, LinkKind, Memory, MemoryId, Op, PromotionReason, Role, Source,
    Standing, Strength, Theme, Thought, Tier, Timestamp, Turn, TurnId, cut, inherited, is_of_a_topic, promotion, shares_subject,
    stands_apart, stands_out, tellings_of, topics,
};
use saegim_provider::rules::{distil, essence_subject, is_about, recounted, told_often, uncounted};
use saegim_store::{Filter, Page};

use crate::engine::retrying;
use crate::essences::Together;
use crate::{EngineError, MindHandle};

/// How many memories are listed at a time.
const PAGE: usize = 500;

/// How many tellings of a habit are read to find what it is about.
const MOST_READ: usize = 64;

/// Memories that go up together, and why.
struct Rise {
    members: Vec<Memory>,
    reasons: Vec<PromotionReason>,
    /// The essence they have already, if this topic has one.
    essence: Option<Memory>,
}

/// The living essences of a tier, oldest first, and which stand on what.
struct Kept {
    essences: Vec<Memory>,
    /// The places of the essences that stand on an original.
    above: HashMap<MemoryId, Vec<usize>>,
    /// How many originals an essence is still linked with.
    originals: HashMap<MemoryId, usize>,
}

impl Kept {
    /// The first essence that stands on a memory.
    fn of(&self, memory: &Memory) -> Option<&Memory> {
        self.above.get(&memory.id)?.first().map(|&place| &self.essences[place])
    }

    /// Whether a memory has an essence that is its alone.
    fn has_own(&self, memory: &Memory) -> bool {
        let own = |place: &usize| {
            let essence = &self.essences[*place];
            essence.promoted_from == Some(memory.id) && self.originals.get(&essence.id) == Some(&1)
        };
        self.above.get(&memory.id).is_some_and(|places| places.iter().any(own))
    }
}

/// What goes up because it was told again and again, by topic.
struct Repeated {
    topics: Vec<Topic>,
}

/// One topic: its essence, if it has one, what it is about, if that can be said in a word, and what is new of it.
struct Topic {
    essence: Option<Memory>,
    subject: Option<String>,
    fresh: Vec<Memory>,
}

impl Topic {
    /// Whether most of what `fresh` counts was told in turns this topic counts, too: one habit, met twice.
    fn is_told_with(&self, fresh: &[Memory]) -> bool {
        let own: BTreeSet<TurnId> = self.essence.iter().chain(&self.fresh).flat_map(|memory| memory.turns.iter().copied()).collect();
        let turns: BTreeSet<TurnId> = fresh.iter().flat_map(|memory| memory.turns.iter().copied()).collect();
        let both = own.intersection(&turns).count();
        both > 1 && both * 2 >= own.len().min(turns.len())
    }
}

impl Repeated {
    /// The topics that have their essence.
    fn of(essences: &[Memory]) -> Self {
        let topic = |essence: &Memory| Topic {
            subject: essence_subject(&essence.content).map(str::to_owned),
            essence: Some(essence.clone()),
            fresh: Vec::new(),
        };
        Self { topics: essences.iter().map(topic).collect() }
    }

    /// More of a topic that has its essence.
    fn joins(&mut self, essence: &Memory, fresh: Vec<Memory>) {
        match self.topics.iter_mut().find(|topic| topic.essence.as_ref().is_some_and(|known| known.id == essence.id)) {
            Some(topic) => topic.fresh.extend(fresh),
            None => self.topics.push(Topic { essence: Some(essence.clone()), subject: None, fresh }),
        }
    }

    /// A topic that came up often, unless it is one that is there in other words or that was told in the same turns.
    fn begins(&mut self, fresh: Vec<Memory>, subject: Option<String>) {
        let named = |topic: &Topic| subject.as_ref().is_some_and(|own| topic.subject.as_ref().is_some_and(|other| is_about(own, other)));
        let same = |topic: &&mut Topic| named(topic) || topic.is_told_with(&fresh);
        match self.topics.iter_mut().find(same) {
            Some(topic) => topic.fresh.extend(fresh),
            None => self.topics.push(Topic { essence: None, subject, fresh }),
        }
    }

    /// A memory that is alone with what it says, but speaks of what a topic is about.
    fn takes_in(&mut self, memory: Memory) {
        let speaks = |topic: &&mut Topic| topic.subject.as_ref().is_some_and(|subject| is_about(&memory.content, subject));
        if let Some(topic) = self.topics.iter_mut().find(speaks) {
            topic.fresh.push(memory);
        }
    }

    fn rises(self) -> impl Iterator<Item = Rise> {
        self.topics.into_iter().filter(|topic| !topic.fresh.is_empty()).map(|Topic { essence, mut fresh, .. }| {
            fresh.sort_by(|one, other| (one.created_at, &one.content, one.id).cmp(&(other.created_at, &other.content, other.id)));
            Rise { members: fresh, reasons: vec![PromotionReason::Repeated], essence }
        })
    }
}

impl MindHandle {
    /// Promotes what of a tier deserves it as of `at`; how many essences were made or grew.
    pub(crate) async fn promote(&self, tier: Tier, at: Timestamp) -> Result<usize, EngineError> {
        retrying(|| self.promoted(tier, at)).await
    }

    async fn promoted(&self, tier: Tier, at: Timestamp) -> Result<usize, EngineError> {
        // A caretaker that was lost after this step must not raise again: what it did since may have changed what would rise.
        if self.mind().await?.raised.is_done(tier, at, self.now()) {
            return Ok(0);
        }
        let to = if tier == Tier::M30 { Tier::M90 } else { Tier::M365 };
        let memories: Vec<Memory> = self.alive(tier).await?.into_iter().filter(|memory| memory.created_at <= at).collect();
        let kept = self.kept(to).await?;
        self.count_mentions(&kept.essences).await?;
        if memories.is_empty() {
            return Ok(0);
        }
        let rises = self.rises(&memories, &kept, at).await?;
        let (count, mut together) = (rises.len(), Together::default());
        for rise in rises {
            self.raise(&mut together, rise, (to, at)).await?;
        }
        match together.commits.last_mut() {
            Some(last) => last.changes.push(Change::Raised { tier, at }),
            None => self.store().raised(self.id, tier, at).await?,
        }
        self.write_all(together.commits).await?;
        Ok(count)
    }

    /// Lets essences that were mentioned since say how often that makes.
    async fn count_mentions(&self, essences: &[Memory]) -> Result<(), EngineError> {
        for essence in essences.iter().filter(|essence| essence.edited_at.is_none()) {
            if recounted(&essence.content, essence.told()) != essence.content {
                let mut commit = self.worker_commit(Op::Weigh).because("it was told again");
                commit.memories = self.commit(Op::Weigh, &[essence]).memories;
                self.count_anew(&mut commit, essence.clone()).await;
                self.write(commit).await?;
            }
        }
        Ok(())
    }

    /// Every living memory of a tier.
    pub(crate) async fn alive(&self, tier: Tier) -> Result<Vec<Memory>, EngineError> {
        self.all_of(&Filter { tier: Some(tier), ..Filter::default() }).await
    }

    /// Every living memory that passes, oldest first; of those born at one moment the order is that of their texts, so that
    /// what becomes of a mind does not hang on the chance in its ids.
    pub(crate) async fn all_of(&self, filter: &Filter) -> Result<Vec<Memory>, EngineError> {
        let mut page = Page { limit: PAGE, before: None };
        let mut all = Vec::new();
        loop {
            let memories = self.store().list(self.id, filter, page.clone()).await?;
            page.before = memories.last().map(|memory| memory.id);
            let last = memories.len() < PAGE;
            all.extend(memories);
            if last {
                all.sort_by(|one, other| (one.created_at, &one.content, one.id).cmp(&(other.created_at, &other.content, other.id)));
                return Ok(all);
            }
        }
    }

    /// The living essences of a tier.
    async fn kept(&self, tier: Tier) -> Result<Kept, EngineError> {
        let mut essences = self.alive(tier).await?;
        essences.retain(|memory| memory.source == Source::Distillation);
        let places: HashMap<MemoryId, usize> = essences.iter().enumerate().map(|(place, memory)| (memory.id, place)).collect();
        let (mut above, mut originals): (HashMap<MemoryId, Vec<usize>>, HashMap<MemoryId, usize>) = (HashMap::new(), HashMap::new());
        for link in self.store().all_links(self.id).await?.into_iter().filter(|link| link.kind == LinkKind::DistilledFrom) {
            if let Some(&place) = places.get(&link.from) {
                above.entry(link.to).or_default().push(place);
                *originals.entry(link.from).or_default() += 1;
            }
        }
        Ok(Kept { essences, above, originals })
    }

    /// What goes up: what stands out by itself, in its own words, and beside it what a topic that came up often has in
    /// common. What has its essence stays; more of a topic that has one joins it.
    async fn rises(&self, memories: &[Memory], kept: &Kept, at: Timestamp) -> Result<Vec<Rise>, EngineError> {
        let policy = &self.policy().promotion;
        let of_topics: Vec<Memory> = kept.essences.iter().filter(|essence| is_of_a_topic(essence, policy)).cloned().collect();
        let all: Vec<Memory> = of_topics.iter().chain(memories).cloned().collect();
        let (mut rises, mut repeated, mut rest) = (Vec::new(), Repeated::of(&of_topics), Vec::new());
        for group in self.topics_of(&all).await? {
            let topic = group.iter().find(|&&place| place < of_topics.len()).map(|&place| &of_topics[place]);
            let members: Vec<&Memory> = group.iter().filter(|&&place| place >= of_topics.len()).map(|&place| &all[place]).collect();
            let told = tellings_of(members.iter().copied());
            let rising = topic.is_some() || told >= policy.m30_topic;
            let mut plain = Vec::new();
            for memory in members {
                // Where the topic rises its memories rise with it, but for those that no topic can stand for.
                let within = memory.tier == Tier::M30 && rising && !stands_apart(memory, policy);
                match stands_out(memory, at, policy).filter(|_| !within) {
                    Some(own) => {
                        let has = if memory.tier == Tier::M30 { kept.has_own(memory) } else { kept.of(memory).is_some() };
                        // A second essence of a topic joins the first: one year's essence is enough for one habit.
                        let essence = topic.filter(|topic| is_of_a_topic(memory, policy) && is_same_subject(topic, memory)).cloned();
                        if !has {
                            rises.push(Rise { members: vec![memory.clone()], reasons: own.reasons, essence });
                        }
                    }
                    None if memory.tier == Tier::M30 => plain.push(memory),
                    None => {}
                }
            }
            let essence = topic.or_else(|| plain.iter().find_map(|memory| kept.of(memory)));
            let fresh: Vec<Memory> = plain.iter().filter(|memory| kept.of(memory).is_none()).map(|memory| (*memory).clone()).collect();
            let around = Around { topic: told, ..Around::default() };
            let often = |memory: &Memory| promotion(memory, around, at, policy).is_some();
            match essence {
                Some(essence) => repeated.joins(essence, fresh),
                None if fresh.first().is_some_and(often) => {
                    let words = self.counted_by_rules(&fresh, tellings_of(&fresh)).await?;
                    repeated.begins(fresh, essence_subject(&words).map(str::to_owned));
                }
                None => rest.extend(fresh),
            }
        }
        rest.into_iter().for_each(|memory| repeated.takes_in(memory));
        rises.extend(repeated.rises());
        Ok(rises)
    }

    /// Groups of memories about one topic.
    pub(crate) async fn topics_of(&self, memories: &[Memory]) -> Result<Vec<Vec<usize>>, EngineError> {
        let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id).collect();
        let vectors: HashMap<MemoryId, Vec<i8>> = self.store().vectors_of(self.id, self.embedder_id(), &ids).await?.into_iter().collect();
        // That they are about the same two is true of all memories of a mind.
        let names: Vec<String> = [self.key().user(), self.key().character()].iter().flat_map(|name| cut(name).words).collect();
        let theme = |memory: &Memory| {
            let said = uncounted(&memory.content);
            let theme = Theme::of(said, &names).placed(vectors.get(&memory.id).cloned(), memory.feeling.sentiment);
            // One example of many says what theme they are of and nothing more: whatever it names the others need not.
            if said != memory.content && essence_subject(&memory.content).is_none() { theme.alone() } else { theme }
        };
        let themes: Vec<Theme> = memories.iter().map(theme).collect();
        let calibration = self.inner.config.embedder.as_ref().map(|embedder| embedder.calibration().clone());
        let policy = self.policy().promotion.clone();
        let task = tokio::task::spawn_blocking(move || topics(&themes, calibration.as_ref(), &policy));
        task.await.map_err(|error| EngineError::Busy(format!("topics: {error}").into()))
    }

    /// Makes the essence of what goes up, or lets the one it has grow.
    async fn raise(&self, together: &mut Together, rise: Rise, (to, at): (Tier, Timestamp)) -> Result<(), EngineError> {
        let why = rise.reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(", ");
        let mut commit = self.worker_commit(Op::Promote).because(format!("to {to}: {why}"));
        // Two groups of one round may have the same essence: the second finds it grown already.
        let known = match &rise.essence {
            Some(known) => self.store().memories(self.id, &[known.id]).await?.pop().map(|known| together.so_far(known)),
            None => None,
        };
        let (essence, again) = match known {
            Some(known) => {
                let (grown, again) = self.grown(&mut commit, known, (&rise.members, at)).await?;
                (grown, Some(again))
            }
            None => (self.essence(&rise.members, to, at).await?, None),
        };
        if again.is_none() {
            commit.changes.push(Change::MemoryAdded(Box::new(essence.clone())));
            let (vector, _) = self.vector_of(&essence.content).await;
            commit.changes.extend(vector.map(|vector| self.embedded(essence.id, vector)));
        }
        for member in &rise.members {
            // Written anew as it is: another caretaker that raises it at the same moment finds it changed and looks again.
            commit.changes.push(Change::MemoryChanged(Box::new(together.so_far(member.clone()))));
            commit.changes.push(Change::LinkAdded(Link { from: essence.id, to: member.id, kind: LinkKind::DistilledFrom }));
        }
        let about: Vec<&Memory> = std::iter::once(&essence).chain(&rise.members).collect();
        commit.memories = self.commit(Op::Promote, &about).memories;
        together.push(commit);
        match again {
            Some(again) => self.grow_above(together, essence.id, again).await,
            None => Ok(()),
        }
    }

    /// The essence of memories, as a memory of its own.
    pub(crate) async fn essence(&self, members: &[Memory], to: Tier, at: Timestamp) -> Result<Memory, EngineError> {
        let taken = inherited(members);
        let content = match members {
            // What is so, or was asked for, has its day and hour in what it says: "약은 6시에 먹여야 해". A habit has not.
            [alone] if alone.remember_this || alone.kind == Kind::Semantic && !is_of_many(alone) => alone.content.clone(),
            _ => self.worded(members, taken.told).await?,
        };
        let first = &members[0];
        Ok(Memory {
            id: MemoryId::new(at, self.inner.config.dice.chance()),
            external_id: None,
            revision: 0,
            standing: Standing::Alive,
            content,
            original_event: None,
            interpretation: None,
            summary: None,
            kind: taken.kind,
            category: taken.category,
            source: Source::Distillation,
            knowledge: Knowledge::Inferred,
            turns: taken.turns,
            feeling: taken.feeling,
            trust: taken.trust,
            importance: taken.importance,
            stated_importance: taken.stated_importance,
            appraisal: taken.appraisal,
            counted_references: 0,
            strength: Strength::fresh(self.mind().await?.turns),
            recalls: 0,
            mentions: taken.told.saturating_sub(1),
            last_recalled_at: None,
            created_at: taken.told_at,
            edited_at: None,
            tier: to,
            expires_at: to.expires(at, &self.policy().tier),
            promoted_from: Some(first.id),
            pinned: false,
            remember_this: taken.remember_this,
            changed_behaviour: taken.changed_behaviour,
            island: taken.island,
            zone: first.zone,
            zone_score: first.zone_score,
            tags: taken.tags,
            rating: taken.rating,
            coordinate: saegim_core::Coordinate::default(),
        })
    }

    /// The essence a topic has, with more to rest on, and what was told again by that.
    async fn grown(
        &self,
        commit: &mut Commit,
        known: Memory,
        (members, at): (&[Memory], Timestamp),
    ) -> Result<(Memory, Again), EngineError> {
        let links = self.store().links(self.id, known.id).await?;
        let before: Vec<MemoryId> =
            links.iter().filter(|link| link.from == known.id && link.kind == LinkKind::DistilledFrom).map(|link| link.to).collect();
        let readable = self.readable(&before).await?;
        let mut originals: Vec<&Memory> = before.iter().filter_map(|id| readable.get(id)).collect();
        // Where some of what it counts is gone by now, the essence itself stands for it.
        if tellings_of(originals.iter().copied()) < known.told() {
            originals.insert(0, &known);
        }
        let all: Vec<Memory> = originals.into_iter().chain(members).cloned().collect();
        let taken = inherited(&std::iter::once(&known).chain(members).cloned().collect::<Vec<_>>());
        let told = taken.told.saturating_sub(known.told());
        let again = Again { times: told, told_at: taken.told_at, at, turn: self.mind().await?.turns };
        let mut grown = known.told_again(again, self.policy());
        (grown.feeling, grown.turns) = (taken.feeling, taken.turns);
        (grown.importance, grown.trust) = (taken.importance, taken.trust);
        // What the owner wrote by hand stays as they wrote it.
        let content = self.worded(&all, grown.told()).await?;
        if grown.edited_at.is_none() && content != grown.content {
            grown.content = content;
            let (vector, _) = self.vector_of(&grown.content).await;
            commit.changes.extend(vector.map(|vector| self.embedded(grown.id, vector)));
        }
        commit.changes.insert(0, Change::MemoryChanged(Box::new(grown.clone())));
        Ok((grown, again))
    }

    /// What memories that were told so many times have in common, in the thinker's words. Where those are the rules', they
    /// are said again with what all the tellings were about.
    async fn worded(&self, members: &[Memory], told: u32) -> Result<String, EngineError> {
        let texts: Vec<&str> = members.iter().map(|memory| memory.content.as_str()).collect();
        let words = self.distilled(&texts).await;
        if words != distil(&texts) {
            return Ok(recounted(&words, told));
        }
        self.counted_by_rules(members, told).await
    }

    /// The same in the rules' words.
    async fn counted_by_rules(&self, members: &[Memory], told: u32) -> Result<String, EngineError> {
        let texts: Vec<&str> = members.iter().map(|memory| memory.content.as_str()).collect();
        let turns: BTreeSet<TurnId> = members.iter().filter(|memory| is_of_many(memory)).flat_map(|memory| memory.turns.clone()).collect();
        // The newest tell what it is about as well as all would, and a habit of years has thousands.
        let newest: Vec<TurnId> = turns.into_iter().rev().take(MOST_READ).collect();
        let turns = self.store().turns_by_id(self.id, &newest).await?;
        let said = |turn: &&Turn| turn.role == Role::User && turn.withdrawn_at.is_none();
        let tellings: Vec<&str> = turns.iter().filter(said).map(|turn| turn.content.as_str()).collect();
        let words = told_often(&texts, &tellings, told as usize);
        Ok(words.chars().take(saegim_core::LONGEST_CONTENT).collect())
    }

    /// The essence of texts: the thinker's, or the first text where there is none.
    pub(crate) async fn distilled(&self, texts: &[&str]) -> String {
        let plain = || texts.first().map(|text| (*text).to_owned()).unwrap_or_default();
        let content = self
            .think(Thought::Distil, |thinker| thinker.distil(texts))
            .await
            .ok()
            .filter(|content| !content.trim().is_empty())
            .unwrap_or_else(plain);
        content.chars().take(saegim_core::LONGEST_CONTENT).collect()
    }
}

/// Whether a memory stands for several tellings of something that happens: a habit.
fn is_of_many(memory: &Memory) -> bool {
    memory.told() > 2 && memory.category == Some(Category::SharedEvents)
}

/// Whether two essences are of one subject. Being alike is not enough: that two habits are told in one tone makes them none.
fn is_same_subject(one: &Memory, other: &Memory) -> bool {
    match (essence_subject(&one.content), essence_subject(&other.content)) {
        (Some(one), Some(other)) => is_about(one, other) || is_about(other, one),
        (Some(subject), None) => is_about(uncounted(&other.content), subject),
        (None, Some(subject)) => is_about(uncounted(&one.content), subject),
        (None, None) => {
            let theme = |memory: &Memory| Theme::of(uncounted(&memory.content), &[]);
            shares_subject(&theme(one), &theme(other))
        }
    }
}
