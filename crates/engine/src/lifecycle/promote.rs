//! Promotion and distillation: what deserves it is kept longer, as its essence, with the originals for evidence.

use std::collections::{BTreeSet, HashMap, HashSet};

use saegim_core::{
    Again, Around, Category, Change, Kind, Knowledge, Link, LinkKind, Memory, MemoryId, Op, PromotionPolicy, PromotionReason, Role, Source,
    Standing, Strength, Theme, Thought, Tier, Timestamp, Turn, TurnId, cut, inherited, promotion, stands_apart, stands_out, tellings_of,
    topics,
};
use saegim_provider::rules::{Said, Sought, distil, essence, essence_subject, recounted, told_of, told_often, uncounted};
use saegim_store::{Filter, Page};

use crate::engine::retrying;
use crate::lifecycle::essences::Together;
use crate::lifecycle::topic::{Part, Rise, is_same_subject, is_topic, told_enough};
use crate::{EngineError, MindHandle};

/// How many memories are listed at a time.
pub(crate) const PAGE: usize = 500;

/// How many tellings of a habit are read to find what it is about.
pub(crate) const MOST_READ: usize = 64;

/// The living essences of a tier, oldest first, and which stand on what.
pub(crate) struct Kept {
    essences: Vec<Memory>,
    /// The places of the essences that stand on an original.
    above: HashMap<MemoryId, Vec<usize>>,
    /// How many originals an essence is still linked with.
    originals: HashMap<MemoryId, usize>,
    /// Which memory was made of which, whatever their tiers.
    made_of: Vec<(MemoryId, MemoryId)>,
}

/// What the next round finds of the topic of a memory.
pub(crate) struct Forecast {
    /// How often it was told.
    pub(crate) told: u32,
    /// Whether the memory goes up with it.
    pub(crate) rises: bool,
    /// Whether the memory has its essence already.
    pub(crate) has: bool,
}

impl Kept {
    /// The essences that stand for a topic.
    fn of_topics(&self, policy: &PromotionPolicy) -> Vec<Memory> {
        self.essences.iter().filter(|essence| is_topic(essence, policy)).cloned().collect()
    }

    /// Memories without those that another of them was joined from: what was restored after it was joined is told there, too.
    fn counted_once(&self, memories: &[Memory]) -> Vec<Memory> {
        let here: HashSet<MemoryId> = memories.iter().map(|memory| memory.id).collect();
        let joined: HashSet<MemoryId> = self.made_of.iter().filter(|(from, _)| here.contains(from)).map(|(_, to)| *to).collect();
        memories.iter().filter(|memory| !joined.contains(&memory.id)).cloned().collect()
    }

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
        self.join_twins(to, at).await?;
        // What a wrong clock had dated gets its term at this very look: it was not there at the steps that are made up for, and must
        // not rise at each of them.
        let (now, terms) = (self.now(), &self.policy().tier);
        let there = |memory: &Memory| memory.created_at <= at && (at >= now || memory.term_began(terms).is_none_or(|began| began < now));
        let memories: Vec<Memory> = self.alive(tier).await?.into_iter().filter(there).collect();
        let kept = self.kept(to).await?;
        self.count_mentions(&kept.essences).await?;
        if to == Tier::M365 {
            // What became core says how often by what it counts, too.
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
            self.raise(&mut together, rise, (to, at)).await?;
        }
        match together.commits.last_mut() {
            Some(last) => last.changes.push(Change::Raised { tier, at }),
            None => self.store().raised(self.id, tier, at).await?,
        }
        self.write_together(together).await?;
        Ok(count)
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
    pub(crate) async fn kept(&self, tier: Tier) -> Result<Kept, EngineError> {
        let mut essences = self.alive(tier).await?;
        essences.retain(|memory| memory.source == Source::Distillation);
        let places: HashMap<MemoryId, usize> = essences.iter().enumerate().map(|(place, memory)| (memory.id, place)).collect();
        let (mut above, mut originals): (HashMap<MemoryId, Vec<usize>>, HashMap<MemoryId, usize>) = (HashMap::new(), HashMap::new());
        let mut made_of = Vec::new();
        for link in self.store().all_links(self.id).await?.into_iter().filter(|link| link.kind == LinkKind::DistilledFrom) {
            made_of.push((link.from, link.to));
            if let Some(&place) = places.get(&link.from) {
                above.entry(link.to).or_default().push(place);
                *originals.entry(link.from).or_default() += 1;
            }
        }
        Ok(Kept { essences, above, originals, made_of })
    }

    /// What goes up: what stands out by itself, in its own words, and beside it what a topic that came up often has in
    /// common. What has its essence stays; more of a topic that has one joins it.
    pub(crate) async fn rises(&self, memories: &[Memory], kept: &Kept, at: Timestamp) -> Result<Vec<Rise>, EngineError> {
        let policy = &self.policy().promotion;
        let of_topics = kept.of_topics(policy);
        let memories = &kept.counted_once(memories);
        let (mut rises, mut repeated): (Vec<Rise>, Vec<Rise>) = (Vec::new(), Vec::new());
        for part in self.parts_told(&of_topics, memories).await? {
            let (told, rising, topic) = (part.told(), part.rises(policy.m30_topic), part.essence);
            let (mut plain, mut apart) = (Vec::new(), Vec::new());
            for memory in part.members {
                // Where the topic rises its memories rise with it, but for those that no topic can stand for.
                let within = memory.tier == Tier::M30 && rising && !stands_apart(memory, policy);
                match stands_out(memory, at, policy).filter(|_| !within) {
                    Some(own) => {
                        apart.push(memory);
                        let has = if memory.tier == Tier::M30 { kept.has_own(memory) } else { kept.of(memory).is_some() };
                        // A second essence of a topic joins the first: one year's essence is enough for one habit.
                        let essence = topic.filter(|topic| is_topic(memory, policy) && is_same_subject(topic, memory)).cloned();
                        let joins = |rise: &&mut Rise| {
                            let first = &rise.members[0];
                            let topics = is_topic(memory, policy) && is_topic(first, policy);
                            rise.essence.is_none() && topics && is_same_subject(first, memory)
                        };
                        let subject = essence_subject(&memory.content).map(str::to_owned);
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
            // What was made of some of them is their essence, also where a model worded it and no subject can be read in it.
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

    /// How often the topic of a memory of M30 was told, and whether the memory goes up with it at the next round: what the
    /// round itself would find.
    pub(crate) async fn topic_of(&self, memory: &Memory) -> Result<Forecast, EngineError> {
        let policy = &self.policy().promotion;
        let (memories, kept) = (self.alive(Tier::M30).await?, self.kept(Tier::M90).await?);
        let of_topics = kept.of_topics(policy);
        let parts = self.parts_told(&of_topics, &memories).await?;
        let own = parts.iter().find(|part| part.members.iter().any(|member| member.id == memory.id));
        let rising = own.is_some_and(|part| part.rises(policy.m30_topic));
        let within = rising && !stands_apart(memory, policy);
        let has = if within { kept.of(memory).is_some() } else { kept.has_own(memory) };
        Ok(Forecast { told: own.map_or(memory.told(), Part::told), rises: within && !has, has })
    }

    /// The names of the two. That they are about these is true of all memories of a mind.
    pub(crate) fn names(&self) -> Vec<String> {
        [self.key().user(), self.key().character()].iter().flat_map(|name| cut(name).words).collect()
    }

    /// Groups of memories about one topic.
    pub(crate) async fn topics_of(&self, memories: &[Memory]) -> Result<Vec<Vec<usize>>, EngineError> {
        let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id).collect();
        let vectors: HashMap<MemoryId, Vec<i8>> = self.store().vectors_of(self.id, self.embedder_id(), &ids).await?.into_iter().collect();
        let names = self.names();
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
    pub(crate) async fn raise(&self, together: &mut Together, mut rise: Rise, (to, at): (Tier, Timestamp)) -> Result<(), EngineError> {
        // What a habit is about its tellings say better than the one that was kept of them.
        if let ([alone], None) = (&rise.members[..], &rise.essence)
            && alone.tier == Tier::M30
            && has_tellings(alone)
        {
            let words = self.counted_by_rules(&rise.members, alone.told()).await?;
            rise.subject = essence_subject(&words).map(str::to_owned).or(rise.subject);
        }
        let why = rise.reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(", ");
        let mut commit = self.worker_commit(Op::Promote).because(format!("to {to}: {why}"));
        // Two groups of one round may have the same essence: the second finds it grown already.
        let known = match &rise.essence {
            Some(known) => self.store().memories(self.id, &[known.id]).await?.pop().map(|known| together.so_far(known)),
            None => None,
        };
        let members = self.told_by_members(&rise).await?;
        // What does not speak of one subject often enough is no topic, whatever it was told beside.
        let few = members.len() > 1 && tellings_of(&members) < self.policy().promotion.m30_topic;
        if few && known.is_none() && rise.reasons == [PromotionReason::Repeated] {
            return Ok(());
        }
        let (essence, again) = match known {
            Some(known) => {
                let before = known.content.clone();
                let (grown, again) = self.grown(known, (&members, rise.subject.as_deref(), at)).await?;
                // Another number means nothing else.
                if grown.content != recounted(&before, grown.told()) {
                    together.reworded(grown.id);
                }
                commit.changes.push(Change::MemoryChanged(Box::new(grown.clone())));
                (grown, Some(again))
            }
            None => (self.essence_of(&members, rise.subject.as_deref(), (to, at)).await?, None),
        };
        if again.is_none() {
            commit.changes.push(Change::MemoryAdded(Box::new(essence.clone())));
            together.reworded(essence.id);
        }
        for member in &rise.members {
            // Written anew as it is: another caretaker that raises it at the same moment finds it changed and looks again.
            commit.changes.push(Change::MemoryChanged(Box::new(together.so_far(member.clone()))));
            commit.changes.push(Change::LinkAdded(Link { from: essence.id, to: member.id, kind: LinkKind::DistilledFrom }));
        }
        let about: Vec<&Memory> = std::iter::once(&essence).chain(&rise.members).collect();
        commit.memories = self.commit(Op::Promote, &about).memories;
        together.push(commit);
        together.stands_on(essence.id, rise.members.iter().map(|member| member.id).collect());
        match again {
            Some(again) => self.grow_above(together, essence.id, again).await,
            None => Ok(()),
        }
    }

    /// The members of what goes up, each with no more tellings than speak of its subject: a memory that was told again and again
    /// may have been told beside other things.
    async fn told_by_members(&self, rise: &Rise) -> Result<Vec<Memory>, EngineError> {
        let Some(subject) = rise.subject.as_deref().map(Sought::of) else { return Ok(rise.members.clone()) };
        let of_many = |memory: &&Memory| memory.tier == Tier::M30 && memory.turns.len() > 1;
        let ids: Vec<TurnId> = rise.members.iter().filter(of_many).flat_map(|memory| memory.turns.iter().copied()).collect();
        if ids.is_empty() {
            return Ok(rise.members.clone());
        }
        let turns = self.store().turns_by_id(self.id, &ids).await?;
        let beside: HashSet<TurnId> =
            turns.iter().filter(|turn| !subject.is_told_in(&Said::of(&turn.content))).map(|turn| turn.id).collect();
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

    /// The essence of memories, as a memory of its own.
    pub(crate) async fn essence(&self, members: &[Memory], to: Tier, at: Timestamp) -> Result<Memory, EngineError> {
        self.essence_of(members, None, (to, at)).await
    }

    /// The same where it is known what all of them are about.
    async fn essence_of(&self, members: &[Memory], subject: Option<&str>, (to, at): (Tier, Timestamp)) -> Result<Memory, EngineError> {
        let taken = inherited(members);
        let content = match members {
            // What is so, or was asked for, has its day and hour in what it says: "약은 6시에 먹여야 해". A habit has not.
            [alone] if alone.remember_this || alone.kind == Kind::Semantic && !is_of_many(alone) => alone.content.clone(),
            _ => self.worded(members, subject, taken.told).await?,
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
        known: Memory,
        (members, subject, at): (&[Memory], Option<&str>, Timestamp),
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
        let known_as = essence_subject(&grown.content).map(str::to_owned);
        let content = self.worded(&all, known_as.as_deref().or(subject), grown.told()).await?;
        if grown.edited_at.is_none() {
            grown.content = content;
        }
        Ok((grown, again))
    }

    /// What memories that were told so many times have in common, in the thinker's words. Where those are the rules', they
    /// are said again with what all the tellings were about.
    async fn worded(&self, members: &[Memory], subject: Option<&str>, told: u32) -> Result<String, EngineError> {
        let texts: Vec<&str> = members.iter().map(|memory| memory.content.as_str()).collect();
        let words = self.distilled(&texts).await;
        if words != distil(&texts) {
            return Ok(recounted(&words, told));
        }
        match subject {
            Some(subject) => Ok(told_of(subject, &texts, told as usize).chars().take(saegim_core::LONGEST_CONTENT).collect()),
            None => {
                let words = self.counted_by_rules(members, told).await?;
                // What came up often without a name for it is told in its own words, and says no number.
                let heap = essence_subject(&words).is_none() && uncounted(&words) != words;
                Ok(if heap { essence(uncounted(&members[0].content)) } else { words })
            }
        }
    }

    /// The same in the rules' words.
    async fn counted_by_rules(&self, members: &[Memory], told: u32) -> Result<String, EngineError> {
        let texts: Vec<&str> = members.iter().map(|memory| memory.content.as_str()).collect();
        let turns: BTreeSet<TurnId> =
            members.iter().filter(|memory| has_tellings(memory)).flat_map(|memory| memory.turns.clone()).collect();
        // The newest tell what it is about as well as all would, and a habit of years has thousands.
        let newest: Vec<TurnId> = turns.into_iter().rev().take(MOST_READ).collect();
        let turns = self.store().turns_by_id(self.id, &newest).await?;
        let said = |turn: &&Turn| turn.role == Role::User && turn.withdrawn_at.is_none();
        let tellings: Vec<&str> = turns.iter().filter(said).map(|turn| turn.content.as_str()).collect();
        let words = told_often(&texts, &tellings, told as usize, &self.names());
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

/// Whether what a memory is about is to be read in its tellings: a habit's, and those of somebody of whom it tells something that is so.
fn has_tellings(memory: &Memory) -> bool {
    is_of_many(memory) || memory.told() > 2 && memory.category == Some(Category::People)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use saegim_core::{MindKey, Span};

    use super::*;
    use crate::{Config, Draft, Engine, SeededDice, SetClock};

    /// A caretaker is lost after its round and before its tick was taken down: the next one walks the same step again, when
    /// more would earn it than did.
    #[tokio::test]
    async fn a_step_that_raised_raises_nothing_more_when_it_is_walked_again() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(SetClock::at(Timestamp::parse("2026-01-01T09:00:00Z").unwrap()));
        let config = Config { clock: clock.clone(), dice: Arc::new(SeededDice::new(7)), ..Config::local(folder.path().join("mind.db")) };
        let mind = Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
        let keep = async |texts: [&str; 3]| {
            for text in texts {
                mind.remember(Draft::text(text)).await.unwrap();
            }
        };
        keep(["동네 카페에서 라떼를 마셨어", "퇴근하고 동네 카페에 들렀어", "카페에서 라떼 마시면서 책을 읽었어"]).await;
        let monday = Timestamp::parse("2026-01-05T00:00:00Z").unwrap();
        // The clock stands on the step itself, so that what is kept from here on was there for it, too.
        clock.set(monday);
        assert_eq!(mind.promote(Tier::M30, monday).await.unwrap(), 1);
        keep(["수영장에서 접영을 배웠어", "새벽에 수영장 다녀왔어", "수영장 물이 차가웠어"]).await;
        assert_eq!(mind.promote(Tier::M30, monday).await.unwrap(), 0, "the round of this Monday is done");
        let next = monday.plus(Span::days(7));
        clock.set(next);
        assert_eq!(mind.promote(Tier::M30, next).await.unwrap(), 1, "the next Monday has a round of its own");
        assert_eq!(mind.alive(Tier::M90).await.unwrap().len(), 2);
    }
}
