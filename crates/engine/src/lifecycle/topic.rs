//! Groups the memories of a tier by subject for promotion. An essence must not count memories that are not about its subject, and
//! memories without a nameable subject are not a topic.

use std::collections::HashMap;

use saegim_core::{Memory, MemoryId, PromotionPolicy, PromotionReason, Source, Tier, TurnId, cosine, is_of_a_topic, tellings_of};
use saegim_language::{EssenceSource, TopicMentions, TopicName, TopicProfile, group_by_subject, is_life_event};

use crate::EngineError;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::essence_text::MOST_READ;

/// Memories that are promoted together, with the reasons.
pub(crate) struct Rise {
    pub(crate) members: Vec<Memory>,
    pub(crate) reasons: Vec<PromotionReason>,
    /// Existing essence of the topic, if there is one.
    pub(crate) essence: Option<Memory>,
    /// Common subject, if the memories are promoted because of it.
    pub(crate) subject: Option<String>,
}

impl Rise {
    /// Adds a memory with its own reasons.
    pub(crate) fn takes(&mut self, memory: Memory, reasons: Vec<PromotionReason>) {
        self.members.push(memory);
        self.reasons.extend(reasons);
        self.reasons.sort_unstable();
        self.reasons.dedup();
    }
}

/// Memories about one subject, with its name and existing essence.
pub(crate) struct SubjectGroup<'a> {
    pub(crate) essence: Option<&'a Memory>,
    pub(crate) subject: Option<String>,
    pub(crate) members: Vec<&'a Memory>,
}

impl SubjectGroup<'_> {
    /// Returns the total number of mentions.
    pub(crate) fn told(&self) -> u32 {
        tellings_of(self.members.iter().copied())
    }

    /// Checks whether the topic is promoted: it has an essence, or at least `least` mentions.
    pub(crate) fn rises(&self, least: u32) -> bool {
        self.essence.is_some() || self.told() >= least
    }
}

/// Names of the mind, which are no subjects, and the number of mentions that make a group.
pub(crate) struct Grouping<'a> {
    pub(crate) names: &'a [String],
    pub(crate) least: u32,
}

/// Groups memories by subject. A memory about the subject of an essence belongs to that essence. Of the rest, memories that share
/// a subject with at least `least` mentions form a group, and every other memory forms its own. `alike` tells whether an
/// ambiguous noun has the same meaning in two memories (given by index).
pub(crate) fn parted<'a>(
    essences: &'a [Memory],
    memories: &'a [Memory],
    grouping: Grouping<'_>,
    alike: impl Fn(usize, usize) -> bool,
) -> Vec<SubjectGroup<'a>> {
    let Grouping { names, least } = grouping;
    let kept: Vec<Spoken> = essences.iter().map(Spoken::of).collect();
    let mut parts: Vec<SubjectGroup<'a>> = essences
        .iter()
        .map(|essence| SubjectGroup { essence: Some(essence), subject: essence.subject().map(str::to_owned), members: Vec::new() })
        .collect();
    let mut rest: Vec<usize> = Vec::new();
    for (place, memory) in memories.iter().enumerate() {
        match kept_for(&kept, memory) {
            Some(own) => parts[own].members.push(memory),
            None => rest.push(place),
        }
    }
    let sources: Vec<EssenceSource> =
        rest.iter().map(|&place| &memories[place]).map(|memory| EssenceSource::of(memory).told(memory.told() as usize)).collect();
    let mut alone = vec![true; rest.len()];
    for (subject, places) in group_by_subject(&sources, names, least as usize, |one, other| alike(rest[one], rest[other])) {
        places.iter().for_each(|place| alone[*place] = false);
        let members = places.into_iter().map(|place| &memories[rest[place]]).collect();
        parts.push(SubjectGroup { essence: None, subject: Some(subject), members });
    }
    let alone = rest.into_iter().zip(alone).filter(|(_, alone)| *alone).map(|(place, _)| &memories[place]);
    parts.extend(alone.map(|memory| SubjectGroup { essence: None, subject: None, members: vec![memory] }));
    parts
}

/// Returns the members of a new counted essence: the memories that are promoted for repetition and, if those have fewer than
/// `least` mentions, also the M30 memories of the topic that are promoted on their own.
pub(crate) fn told_enough(mut fresh: Vec<Memory>, apart: &[&Memory], least: u32) -> Vec<Memory> {
    if tellings_of(&fresh) < least {
        fresh.extend(apart.iter().filter(|memory| memory.tier == Tier::M30).map(|memory| (*memory).clone()));
        fresh.sort_by_key(|memory| memory.created_at);
    }
    fresh
}

impl Lifecycle<'_> {
    /// Groups memories by subject, but splits a group whose original turns do not mention the subject often enough. Example:
    /// memories about mother and memories about the choir are not one topic only because shells occur in both.
    pub(crate) async fn subject_groups<'a>(
        &self,
        essences: &'a [Memory],
        memories: &'a [Memory],
    ) -> Result<Vec<SubjectGroup<'a>>, EngineError> {
        let least = self.mind.policy().promotion.m30_topic;
        let mut parts = Vec::new();
        for part in self.parts_of(essences, memories).await? {
            let few = part.essence.is_none() && part.members.len() > 1 && part.members.len() < least as usize;
            let told = match (&part.subject, few) {
                (Some(subject), true) => self.memories_about(subject, &part.members).await?,
                _ => least,
            };
            if told >= least {
                parts.push(part);
            } else {
                parts.extend(part.members.into_iter().map(|memory| SubjectGroup { essence: None, subject: None, members: vec![memory] }));
            }
        }
        Ok(parts)
    }

    /// Counts the turns of these memories that mention a subject.
    async fn memories_about(&self, subject: &str, members: &[&Memory]) -> Result<u32, EngineError> {
        let subject = TopicName::of(subject);
        let mut told = 0;
        for memory in members {
            let newest: Vec<TurnId> = memory.turns.iter().rev().take(MOST_READ).copied().collect();
            let turns = self.mind.store().turns_by_id(self.mind.id, &newest).await?;
            let speaks = turns.iter().filter(|turn| subject.covers(&TopicMentions::of(&turn.content))).count() as u32;
            // A memory without turns counts with its own mentions.
            told += if memory.turns.is_empty() { memory.told() } else { speaks.max(1) };
        }
        Ok(told)
    }

    /// Groups memories by subject.
    async fn parts_of<'a>(&self, essences: &'a [Memory], memories: &'a [Memory]) -> Result<Vec<SubjectGroup<'a>>, EngineError> {
        let policy = &self.mind.policy().promotion;
        let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id).collect();
        let vectors: HashMap<MemoryId, Vec<i8>> =
            self.mind.store().vectors_of(self.mind.id, self.mind.models().embedder_id(), &ids).await?.into_iter().collect();
        let calibration = self.mind.inner.config.embedder.as_ref().map(|embedder| embedder.calibration().clone());
        let alike = |one: usize, other: usize| {
            let vectors = (vectors.get(&ids[one]), vectors.get(&ids[other]), &calibration);
            let (Some(one), Some(other), Some(calibration)) = vectors else { return false };
            calibration.similarity(cosine(one, other)).get() >= policy.topic_common_from
        };
        Ok(parted(essences, memories, Grouping { names: &self.names(), least: policy.m30_topic }, alike))
    }
}

/// Returns the index of the essence that covers a memory. A named subject takes precedence over a common theme. An essence is
/// matched by its subject, not by words of its example.
fn kept_for(kept: &[Spoken], memory: &Memory) -> Option<usize> {
    if let Some(subject) = memory.subject() {
        let subject = TopicName::of(subject);
        return kept.iter().position(|spoken| spoken.subject.as_ref().is_some_and(|known| known.is_same(&subject)));
    }
    if is_heap(memory) {
        return None;
    }
    let said = TopicMentions::of(&memory.content);
    let named = kept.iter().position(|spoken| spoken.is_named_in(&said));
    named.or_else(|| kept.iter().position(|spoken| spoken.is_of(&said, memory)))
}

/// Parsed subject or theme of an essence.
struct Spoken {
    subject: Option<TopicName>,
    /// Topic of an essence that a model worded, without a readable subject.
    theme: Option<TopicProfile>,
}

impl Spoken {
    fn of(essence: &Memory) -> Self {
        let subject = essence.subject().map(TopicName::of);
        // One example of a counted essence says nothing about the others, so an essence without a name covers no other memory.
        let theme = (subject.is_none() && !essence.states_count()).then(|| TopicProfile::of(&essence.content, &[]));
        Self { subject, theme }
    }

    fn is_named_in(&self, said: &TopicMentions) -> bool {
        self.subject.as_ref().is_some_and(|subject| subject.is_named_in(said))
    }

    fn is_of(&self, said: &TopicMentions, memory: &Memory) -> bool {
        let told = self.subject.as_ref().is_some_and(|subject| subject.covers(said));
        told || self.theme.as_ref().is_some_and(|theme| theme.shares_subject(&TopicProfile::of(memory.said(), &[])))
    }
}

/// Checks whether an essence represents a topic. An essence that states a count does, even if one of its events was very
/// emotional.
pub(crate) fn is_topic(essence: &Memory, policy: &PromotionPolicy) -> bool {
    is_of_a_topic(essence, policy, is_life_event) || essence.source == Source::Distillation && essence.subject().is_some()
}

/// Checks whether a memory is about the subject of an essence.
pub(crate) fn is_of(essence: &Memory, memory: &Memory) -> bool {
    Spoken::of(essence).is_of(&TopicMentions::of(memory.said()), memory)
}

/// Checks whether two essences have the same subject. Similarity is not enough: two habits described in the same tone are still
/// different.
pub(crate) fn is_same_subject(one: &Memory, other: &Memory) -> bool {
    match (one.subject(), other.subject()) {
        (Some(one), Some(other)) => TopicName::of(one).is_same(&TopicName::of(other)),
        (Some(_), None) => is_of(one, other) && !is_heap(other),
        (None, Some(_)) => is_of(other, one) && !is_heap(one),
        (None, None) => {
            let theme = |memory: &Memory| TopicProfile::of(&memory.content, &[]);
            !is_heap(one) && !is_heap(other) && theme(one).shares_subject(&theme(other))
        }
    }
}

/// Checks whether an essence has a count but no nameable subject.
fn is_heap(essence: &Memory) -> bool {
    essence.subject().is_none() && essence.states_count()
}
