//! Promotion and distillation: memories that qualify move to a longer tier as an essence, which links to the originals as
//! evidence.

use std::collections::{HashMap, HashSet};

use saegim_core::{
    Around, Change, Link, LinkKind, Memory, MemoryId, Op, PromotionPolicy, PromotionReason, Source, Tier, Timestamp, TurnId, cut,
    promotion, stands_apart, stands_out, tellings_of,
};
use saegim_language::{TopicMentions, TopicName, TopicProfile, group_by_topic, is_life_event};
use saegim_store::{Filter, Page};

use crate::EngineError;
use crate::engine::retrying;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::essence_text::{Growth, has_tellings};
use crate::lifecycle::essences::Together;
use crate::lifecycle::topic::{Rise, SubjectGroup, is_same_subject, is_topic, told_enough};

/// Page size when listing memories.
pub(crate) const PAGE: usize = 500;

/// Living essences of a tier, oldest first, with the links to their originals.
pub(crate) struct TierEssences {
    essences: Vec<Memory>,
    /// Indices of the essences of each original.
    above: HashMap<MemoryId, Vec<usize>>,
    /// Number of originals each essence still links to.
    originals: HashMap<MemoryId, usize>,
    /// All `DistilledFrom` links as (essence, original), regardless of tier.
    made_of: Vec<(MemoryId, MemoryId)>,
}

/// Forecast of the next promotion round for the topic of a memory.
pub(crate) struct Forecast {
    /// Number of mentions of the topic.
    pub(crate) told: u32,
    /// Whether the memory is promoted with the topic.
    pub(crate) rises: bool,
    /// Whether the memory already has an essence.
    pub(crate) has: bool,
}

impl TierEssences {
    /// Returns the essences that represent a topic.
    fn of_topics(&self, policy: &PromotionPolicy) -> Vec<Memory> {
        self.essences.iter().filter(|essence| is_topic(essence, policy)).cloned().collect()
    }

    /// Removes memories that were merged into another memory of the list. After a restore both exist, and their mentions must
    /// count once.
    fn counted_once(&self, memories: &[Memory]) -> Vec<Memory> {
        let here: HashSet<MemoryId> = memories.iter().map(|memory| memory.id).collect();
        let joined: HashSet<MemoryId> = self.made_of.iter().filter(|(from, _)| here.contains(from)).map(|(_, to)| *to).collect();
        memories.iter().filter(|memory| !joined.contains(&memory.id)).cloned().collect()
    }

    /// Returns the first essence of a memory.
    fn of(&self, memory: &Memory) -> Option<&Memory> {
        self.above.get(&memory.id)?.first().map(|&place| &self.essences[place])
    }

    /// Checks whether a memory has an essence that is based on it alone.
    fn has_own(&self, memory: &Memory) -> bool {
        let own = |place: &usize| {
            let essence = &self.essences[*place];
            essence.promoted_from == Some(memory.id) && self.originals.get(&essence.id) == Some(&1)
        };
        self.above.get(&memory.id).is_some_and(|places| places.iter().any(own))
    }
}

/// Tier and time of a promotion.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) to: Tier,
    pub(crate) at: Timestamp,
}

impl Lifecycle<'_> {
    /// Promotes the memories of a tier that qualify at `at`. Returns the number of essences that were created or extended.
    pub(crate) async fn promote(&self, tier: Tier, at: Timestamp) -> Result<usize, EngineError> {
        retrying(|| self.promoted(tier, at)).await
    }

    async fn promoted(&self, tier: Tier, at: Timestamp) -> Result<usize, EngineError> {
        // A worker that crashed after this step must not run it again: its own later changes could make other memories qualify.
        if self.mind.mind().await?.raised.is_done(tier, at, self.mind.now()) {
            return Ok(0);
        }
        let to = if tier == Tier::M30 { Tier::M90 } else { Tier::M365 };
        self.merge_essences(to, at).await?;
        // While missed rounds are caught up, skip memories whose term starts only now because a wrong clock had dated them. They
        // did not exist at those rounds and must not be promoted at each of them.
        let (now, terms) = (self.mind.now(), &self.mind.policy().tier);
        let there = |memory: &Memory| memory.created_at <= at && (at >= now || memory.term_began(terms).is_none_or(|began| began < now));
        let memories: Vec<Memory> = self.alive(tier).await?.into_iter().filter(there).collect();
        let kept = self.kept(to).await?;
        self.count_mentions(&kept.essences).await?;
        if to == Tier::M365 {
            // Core essences also state how often they were mentioned.
            let core: Vec<Memory> = self.alive(Tier::M0).await?;
            let core: Vec<Memory> = core.into_iter().filter(|memory| memory.source == Source::Distillation).collect();
            self.count_mentions(&core).await?;
        }
        if memories.is_empty() {
            return Ok(0);
        }
        let rises = self.rises(&memories, &kept, at).await?;
        let (count, mut together) = (rises.len(), Together::default());
        for rise in rises {
            self.raise(&mut together, rise, Target { to, at }).await?;
        }
        match together.commits.last_mut() {
            Some(last) => last.changes.push(Change::Raised { tier, at }),
            None => self.mind.store().raised(self.mind.id, tier, at).await?,
        }
        self.write_commits(together).await?;
        Ok(count)
    }

    /// Returns all living memories of a tier.
    pub(crate) async fn alive(&self, tier: Tier) -> Result<Vec<Memory>, EngineError> {
        self.memories_of(&Filter { tier: Some(tier), ..Filter::default() }).await
    }

    /// Returns all living memories that match, oldest first. Memories created at the same time are ordered by text, so that the
    /// result does not depend on the random part of their ids.
    pub(crate) async fn memories_of(&self, filter: &Filter) -> Result<Vec<Memory>, EngineError> {
        let mut page = Page { limit: PAGE, before: None };
        let mut all = Vec::new();
        loop {
            let memories = self.mind.store().list(self.mind.id, filter, page.clone()).await?;
            page.before = memories.last().map(|memory| memory.id);
            let last = memories.len() < PAGE;
            all.extend(memories);
            if last {
                all.sort_by(|one, other| (one.created_at, &one.content, one.id).cmp(&(other.created_at, &other.content, other.id)));
                return Ok(all);
            }
        }
    }

    /// Returns the living essences of a tier.
    pub(crate) async fn kept(&self, tier: Tier) -> Result<TierEssences, EngineError> {
        let mut essences = self.alive(tier).await?;
        essences.retain(|memory| memory.source == Source::Distillation);
        let places: HashMap<MemoryId, usize> = essences.iter().enumerate().map(|(place, memory)| (memory.id, place)).collect();
        let (mut above, mut originals): (HashMap<MemoryId, Vec<usize>>, HashMap<MemoryId, usize>) = (HashMap::new(), HashMap::new());
        let mut made_of = Vec::new();
        for link in self.mind.store().all_links(self.mind.id).await?.into_iter().filter(|link| link.kind == LinkKind::DistilledFrom) {
            made_of.push((link.from, link.to));
            if let Some(&place) = places.get(&link.from) {
                above.entry(link.to).or_default().push(place);
                *originals.entry(link.from).or_default() += 1;
            }
        }
        Ok(TierEssences { essences, above, originals, made_of })
    }

    /// Returns what to promote: memories that qualify on their own keep their own words; topics that were mentioned often are
    /// distilled into one essence. Memories that already have an essence are skipped; new memories of a topic that has an essence
    /// extend it.
    pub(crate) async fn rises(&self, memories: &[Memory], kept: &TierEssences, at: Timestamp) -> Result<Vec<Rise>, EngineError> {
        let policy = &self.mind.policy().promotion;
        let of_topics = kept.of_topics(policy);
        let memories = &kept.counted_once(memories);
        let (mut rises, mut repeated): (Vec<Rise>, Vec<Rise>) = (Vec::new(), Vec::new());
        for part in self.subject_groups(&of_topics, memories).await? {
            let (told, rising, topic) = (part.told(), part.rises(policy.m30_topic), part.essence);
            let (mut plain, mut apart) = (Vec::new(), Vec::new());
            for memory in part.members {
                // If the topic is promoted, its memories are promoted with it, except those that a topic essence cannot
                // represent.
                let within = memory.tier == Tier::M30 && rising && !stands_apart(memory, policy, is_life_event);
                match stands_out(memory, at, policy).filter(|_| !within) {
                    Some(own) => {
                        apart.push(memory);
                        let has = if memory.tier == Tier::M30 { kept.has_own(memory) } else { kept.of(memory).is_some() };
                        // A second essence about the same subject is merged into the first, so that one habit has one M365
                        // essence.
                        let essence = topic.filter(|topic| is_topic(memory, policy) && is_same_subject(topic, memory)).cloned();
                        let joins = |rise: &&mut Rise| {
                            let first = &rise.members[0];
                            let topics = is_topic(memory, policy) && is_topic(first, policy);
                            rise.essence.is_none() && topics && is_same_subject(first, memory)
                        };
                        let subject = memory.subject().map(str::to_owned);
                        match rises.iter_mut().find(joins) {
                            _ if has => {}
                            Some(rise) => rise.takes(memory.clone(), own.reasons),
                            None => rises.push(Rise { members: vec![memory.clone()], reasons: own.reasons, essence, subject }),
                        }
                    }
                    None if memory.tier == Tier::M30 => plain.push(memory),
                    None => {}
                }
            }
            let fresh: Vec<Memory> = plain.iter().filter(|memory| kept.of(memory).is_none()).map(|memory| (*memory).clone()).collect();
            let around = Around { topic: told, ..Around::default() };
            let often = fresh.first().is_some_and(|memory| promotion(memory, around, at, policy).is_some());
            // The essence of some of these memories is the essence of the topic, even if a model worded it and it has no readable
            // subject.
            let essence = topic.or_else(|| plain.iter().find_map(|memory| kept.of(memory)).filter(|essence| is_topic(essence, policy)));
            if !fresh.is_empty() && (essence.is_some() || often && rising) {
                let (essence, subject) = (essence.cloned(), part.subject);
                let members = if essence.is_some() { fresh } else { told_enough(fresh, &apart, policy.m30_topic) };
                repeated.push(Rise { members, reasons: vec![PromotionReason::Repeated], essence, subject });
            }
        }
        rises.extend(repeated);
        Ok(rises)
    }

    /// Returns how often the topic of an M30 memory was mentioned and whether the memory is promoted with it in the next round.
    /// Uses the same search as the round itself.
    pub(crate) async fn topic_of(&self, memory: &Memory) -> Result<Forecast, EngineError> {
        let policy = &self.mind.policy().promotion;
        let (memories, kept) = (self.alive(Tier::M30).await?, self.kept(Tier::M90).await?);
        let of_topics = kept.of_topics(policy);
        let parts = self.subject_groups(&of_topics, &memories).await?;
        let own = parts.iter().find(|part| part.members.iter().any(|member| member.id == memory.id));
        let rising = own.is_some_and(|part| part.rises(policy.m30_topic));
        let within = rising && !stands_apart(memory, policy, is_life_event);
        let has = if within { kept.of(memory).is_some() } else { kept.has_own(memory) };
        Ok(Forecast { told: own.map_or(memory.told(), SubjectGroup::told), rises: within && !has, has })
    }

    /// Returns the words of the user's and the character's name. They occur everywhere, so they do not identify a topic.
    pub(crate) fn names(&self) -> Vec<String> {
        [self.mind.key().user(), self.mind.key().character()].iter().flat_map(|name| cut(name).words).collect()
    }

    /// Groups memories by topic. The groups contain indices into `memories`.
    pub(crate) async fn topics_of(&self, memories: &[Memory]) -> Result<Vec<Vec<usize>>, EngineError> {
        let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id).collect();
        let vectors: HashMap<MemoryId, Vec<i8>> =
            self.mind.store().vectors_of(self.mind.id, self.mind.models().embedder_id(), &ids).await?.into_iter().collect();
        let names = self.names();
        let theme = |memory: &Memory| {
            let theme = TopicProfile::of(memory.said(), &names).with_vector(vectors.get(&memory.id).cloned(), memory.feeling.sentiment);
            // One example of a counted essence only indicates the theme; its other words need not apply to the rest.
            if memory.states_count() && memory.subject().is_none() { theme.themes_only() } else { theme }
        };
        let themes: Vec<TopicProfile> = memories.iter().map(theme).collect();
        let calibration = self.mind.inner.config.embedder.as_ref().map(|embedder| embedder.calibration().clone());
        let policy = self.mind.policy().promotion.clone();
        let task = tokio::task::spawn_blocking(move || group_by_topic(&themes, calibration.as_ref(), &policy));
        task.await.map_err(|error| EngineError::Busy(format!("topics: {error}").into()))
    }

    /// Creates the essence of a promotion, or extends the existing one.
    pub(crate) async fn raise(&self, together: &mut Together, mut rise: Rise, target: Target) -> Result<(), EngineError> {
        let Target { to, at } = target;
        // For a habit, the original messages describe the subject better than the one memory that represents them.
        if let ([alone], None) = (&rise.members[..], &rise.essence)
            && alone.tier == Tier::M30
            && has_tellings(alone)
        {
            let words = self.rule_based_count(&rise.members, alone.told()).await?;
            rise.subject = words.subject().map(str::to_owned).or(rise.subject);
        }
        let why = rise.reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(", ");
        let mut commit = self.worker_commit(Op::Promote).because(format!("to {to}: {why}"));
        // Two groups of one round can have the same essence; the second group must see the changes of the first.
        let known = match &rise.essence {
            Some(known) => self.mind.store().memories(self.mind.id, &[known.id]).await?.pop().map(|known| together.so_far(known)),
            None => None,
        };
        let members = self.mentions_of_members(&rise).await?;
        // Memories that do not mention one subject often enough are not a topic.
        let few = members.len() > 1 && tellings_of(&members) < self.mind.policy().promotion.m30_topic;
        if few && known.is_none() && rise.reasons == [PromotionReason::Repeated] {
            return Ok(());
        }
        let (essence, again) = match known {
            Some(known) => {
                let before = known.clone();
                let (grown, again) = self.grown(known, Growth { members: &members, subject: rise.subject.as_deref(), at }).await?;
                // A text that differs only in its count does not need a new vector.
                if grown.content != (Memory { mentions: grown.mentions, ..before }).recounted().content {
                    together.reworded(grown.id);
                }
                commit.changes.push(Change::MemoryChanged(Box::new(grown.clone())));
                (grown, Some(again))
            }
            None => (self.essence_of(&members, rise.subject.as_deref(), target).await?, None),
        };
        if again.is_none() {
            commit.changes.push(Change::MemoryAdded(Box::new(essence.clone())));
            together.reworded(essence.id);
        }
        for member in &rise.members {
            // Written back unchanged, so that a concurrent promotion by another worker conflicts and is retried.
            commit.changes.push(Change::MemoryChanged(Box::new(together.so_far(member.clone()))));
            commit.changes.push(Change::LinkAdded(Link { from: essence.id, to: member.id, kind: LinkKind::DistilledFrom }));
        }
        let about: Vec<&Memory> = std::iter::once(&essence).chain(&rise.members).collect();
        commit.memories = self.mind.commit(Op::Promote, &about).memories;
        together.push(commit);
        together.stands_on(essence.id, rise.members.iter().map(|member| member.id).collect());
        match again {
            Some(again) => self.extend_essences(together, essence.id, again).await,
            None => Ok(()),
        }
    }

    /// Returns the members of a promotion, each reduced to the turns that mention the subject. A memory with many mentions may
    /// also have been mentioned next to other subjects.
    async fn mentions_of_members(&self, rise: &Rise) -> Result<Vec<Memory>, EngineError> {
        let Some(subject) = rise.subject.as_deref().map(TopicName::of) else { return Ok(rise.members.clone()) };
        let of_many = |memory: &&Memory| memory.tier == Tier::M30 && memory.turns.len() > 1;
        let ids: Vec<TurnId> = rise.members.iter().filter(of_many).flat_map(|memory| memory.turns.iter().copied()).collect();
        if ids.is_empty() {
            return Ok(rise.members.clone());
        }
        let turns = self.mind.store().turns_by_id(self.mind.id, &ids).await?;
        let beside: HashSet<TurnId> =
            turns.iter().filter(|turn| !subject.covers(&TopicMentions::of(&turn.content))).map(|turn| turn.id).collect();
        let of = |memory: &Memory| {
            let mut own = memory.clone();
            if of_many(&memory) && !memory.turns.iter().all(|turn| beside.contains(turn)) {
                own.turns.retain(|turn| !beside.contains(turn));
                own.mentions = own.mentions.saturating_sub((memory.turns.len() - own.turns.len()) as u32);
            }
            own
        };
        Ok(rise.members.iter().map(of).collect())
    }
}

#[cfg(test)]
mod tests;
