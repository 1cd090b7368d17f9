//! Topics on their way up: what of a tier's memories belongs to which subject. No essence may count what it does not speak of, and
//! what has no subject that can be named is no topic.

use std::collections::HashMap;

use saegim_core::{
    Memory, MemoryId, PromotionPolicy, PromotionReason, Source, Theme, Tier, TurnId, cosine, is_of_a_topic, shares_subject, tellings_of,
};
use saegim_provider::rules::{Said, Sought, essence_subject, shared_subjects, uncounted};

use crate::lifecycle::promote::MOST_READ;
use crate::{EngineError, MindHandle};

/// Memories that go up together, and why.
pub(crate) struct Rise {
    pub(crate) members: Vec<Memory>,
    pub(crate) reasons: Vec<PromotionReason>,
    /// The essence they have already, if this topic has one.
    pub(crate) essence: Option<Memory>,
    /// What all of them are about, where they go up for that.
    pub(crate) subject: Option<String>,
}

impl Rise {
    /// One more that goes up with them, for reasons of its own.
    pub(crate) fn takes(&mut self, memory: Memory, reasons: Vec<PromotionReason>) {
        self.members.push(memory);
        self.reasons.extend(reasons);
        self.reasons.sort_unstable();
        self.reasons.dedup();
    }
}

/// What is about one thing: its essence, if it has one, what it is called, and its memories.
pub(crate) struct Part<'a> {
    pub(crate) essence: Option<&'a Memory>,
    pub(crate) subject: Option<String>,
    pub(crate) members: Vec<&'a Memory>,
}

impl Part<'_> {
    /// How often all of it was told.
    pub(crate) fn told(&self) -> u32 {
        tellings_of(self.members.iter().copied())
    }

    /// Whether it is a topic that goes up: one that has its essence, or was told `least` times.
    pub(crate) fn rises(&self, least: u32) -> bool {
        self.essence.is_some() || self.told() >= least
    }
}

/// Memories parted by what they are about. What speaks of the subject of an essence belongs to it; of the others those that have a
/// subject in common that was told `least` times belong together, and each of the rest stands for itself. `alike` says of two
/// places whether a noun of several meanings means the same there.
pub(crate) fn parted<'a>(
    essences: &'a [Memory],
    memories: &'a [Memory],
    (names, least): (&[String], u32),
    alike: impl Fn(usize, usize) -> bool,
) -> Vec<Part<'a>> {
    let kept: Vec<Spoken> = essences.iter().map(Spoken::of).collect();
    let mut parts: Vec<Part<'a>> = essences
        .iter()
        .map(|essence| Part { essence: Some(essence), subject: essence_subject(&essence.content).map(str::to_owned), members: Vec::new() })
        .collect();
    let mut rest: Vec<usize> = Vec::new();
    for (place, memory) in memories.iter().enumerate() {
        match kept_for(&kept, memory) {
            Some(own) => parts[own].members.push(memory),
            None => rest.push(place),
        }
    }
    let texts: Vec<(&str, usize)> =
        rest.iter().map(|&place| &memories[place]).map(|memory| (memory.content.as_str(), memory.told() as usize)).collect();
    let mut alone = vec![true; rest.len()];
    for (subject, places) in shared_subjects(&texts, names, least as usize, |one, other| alike(rest[one], rest[other])) {
        places.iter().for_each(|place| alone[*place] = false);
        let members = places.into_iter().map(|place| &memories[rest[place]]).collect();
        parts.push(Part { essence: None, subject: Some(subject), members });
    }
    let alone = rest.into_iter().zip(alone).filter(|(_, alone)| *alone).map(|(place, _)| &memories[place]);
    parts.extend(alone.map(|memory| Part { essence: None, subject: None, members: vec![memory] }));
    parts
}

/// What an essence is made of that says how often something came up: the memories that go up for that, and where those alone were not
/// told often enough, the ones beside them that also go up for themselves.
pub(crate) fn told_enough(mut fresh: Vec<Memory>, apart: &[&Memory], least: u32) -> Vec<Memory> {
    if tellings_of(&fresh) < least {
        fresh.extend(apart.iter().filter(|memory| memory.tier == Tier::M30).map(|memory| (*memory).clone()));
        fresh.sort_by_key(|memory| memory.created_at);
    }
    fresh
}

impl MindHandle {
    /// Memories by what they are about, but for those that have something in common which their tellings do not speak of: what was
    /// told often of mother and what was told often of the choir are no topic for having shells in both.
    pub(crate) async fn parts_told<'a>(&self, essences: &'a [Memory], memories: &'a [Memory]) -> Result<Vec<Part<'a>>, EngineError> {
        let least = self.policy().promotion.m30_topic;
        let mut parts = Vec::new();
        for part in self.parts_of(essences, memories).await? {
            let few = part.essence.is_none() && part.members.len() > 1 && part.members.len() < least as usize;
            let told = match (&part.subject, few) {
                (Some(subject), true) => self.told_about(subject, &part.members).await?,
                _ => least,
            };
            if told >= least {
                parts.push(part);
            } else {
                parts.extend(part.members.into_iter().map(|memory| Part { essence: None, subject: None, members: vec![memory] }));
            }
        }
        Ok(parts)
    }

    /// How often these memories were told with a word of a subject.
    async fn told_about(&self, subject: &str, members: &[&Memory]) -> Result<u32, EngineError> {
        let subject = Sought::of(subject);
        let mut told = 0;
        for memory in members {
            let newest: Vec<TurnId> = memory.turns.iter().rev().take(MOST_READ).copied().collect();
            let turns = self.store().turns_by_id(self.id, &newest).await?;
            let speaks = turns.iter().filter(|turn| subject.is_told_in(&Said::of(&turn.content))).count() as u32;
            // Where nothing of it was said in turns, the memory itself is all there is.
            told += if memory.turns.is_empty() { memory.told() } else { speaks.max(1) };
        }
        Ok(told)
    }

    /// Memories by what they are about.
    async fn parts_of<'a>(&self, essences: &'a [Memory], memories: &'a [Memory]) -> Result<Vec<Part<'a>>, EngineError> {
        let policy = &self.policy().promotion;
        let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id).collect();
        let vectors: HashMap<MemoryId, Vec<i8>> = self.store().vectors_of(self.id, self.embedder_id(), &ids).await?.into_iter().collect();
        let calibration = self.inner.config.embedder.as_ref().map(|embedder| embedder.calibration().clone());
        let alike = |one: usize, other: usize| {
            let vectors = (vectors.get(&ids[one]), vectors.get(&ids[other]), &calibration);
            let (Some(one), Some(other), Some(calibration)) = vectors else { return false };
            calibration.similarity(cosine(one, other)).get() >= policy.topic_common_from
        };
        Ok(parted(essences, memories, (&self.names(), policy.m30_topic), alike))
    }
}

/// Which of the essences speaks of a memory. What is named is nearer than a theme in common; and an essence is of its subject, not of
/// what its example happens to name.
fn kept_for(kept: &[Spoken], memory: &Memory) -> Option<usize> {
    if let Some(subject) = essence_subject(&memory.content) {
        let subject = Sought::of(subject);
        return kept.iter().position(|spoken| spoken.subject.as_ref().is_some_and(|known| known.is_same(&subject)));
    }
    if is_heap(memory) {
        return None;
    }
    let said = Said::of(&memory.content);
    let named = kept.iter().position(|spoken| spoken.is_named_in(&said));
    named.or_else(|| kept.iter().position(|spoken| spoken.is_of(&said, memory)))
}

/// What an essence speaks of, read once.
struct Spoken {
    subject: Option<Sought>,
    /// What a model's words tell, where no subject is said in the rules' way.
    theme: Option<Theme>,
}

impl Spoken {
    fn of(essence: &Memory) -> Self {
        let subject = essence_subject(&essence.content).map(Sought::of);
        // One example of many says nothing of the others: a heap without a name takes in nothing.
        let heap = uncounted(&essence.content) != essence.content;
        let theme = (subject.is_none() && !heap).then(|| Theme::of(&essence.content, &[]));
        Self { subject, theme }
    }

    fn is_named_in(&self, said: &Said) -> bool {
        self.subject.as_ref().is_some_and(|subject| subject.is_named_in(said))
    }

    fn is_of(&self, said: &Said, memory: &Memory) -> bool {
        let told = self.subject.as_ref().is_some_and(|subject| subject.is_told_in(said));
        told || self.theme.as_ref().is_some_and(|theme| shares_subject(theme, &Theme::of(uncounted(&memory.content), &[])))
    }
}

/// Whether an essence stands for a topic. One that says of itself how often something came up does, however strongly one of
/// its days was felt.
pub(crate) fn is_topic(essence: &Memory, policy: &PromotionPolicy) -> bool {
    is_of_a_topic(essence, policy) || essence.source == Source::Distillation && essence_subject(&essence.content).is_some()
}

/// Whether a memory belongs to what an essence speaks of.
pub(crate) fn is_of(essence: &Memory, memory: &Memory) -> bool {
    Spoken::of(essence).is_of(&Said::of(uncounted(&memory.content)), memory)
}

/// Whether two essences are of one subject. Being alike is not enough: that two habits are told in one tone makes them none.
pub(crate) fn is_same_subject(one: &Memory, other: &Memory) -> bool {
    match (essence_subject(&one.content), essence_subject(&other.content)) {
        (Some(one), Some(other)) => Sought::of(one).is_same(&Sought::of(other)),
        (Some(_), None) => is_of(one, other) && !is_heap(other),
        (None, Some(_)) => is_of(other, one) && !is_heap(one),
        (None, None) => {
            let theme = |memory: &Memory| Theme::of(&memory.content, &[]);
            !is_heap(one) && !is_heap(other) && shares_subject(&theme(one), &theme(other))
        }
    }
}

/// Whether an essence counts what it cannot name.
fn is_heap(essence: &Memory) -> bool {
    essence_subject(&essence.content).is_none() && uncounted(&essence.content) != essence.content
}
