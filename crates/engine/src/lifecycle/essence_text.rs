//! Builds essences of memories and words their text.

use std::collections::BTreeSet;

use saegim_core::{
    Again, Category, Essence, Kind, Knowledge, LinkKind, Memory, MemoryId, MemoryState, Role, Source, Strength, Thought, Tier, Timestamp,
    Turn, TurnId, inherited, tellings_of,
};
use saegim_language::{EssenceSource, RuleThinker, WordedEssence, counted_essence, topic_essence, without_circumstances};

use crate::EngineError;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::essences::verbatim;
use crate::lifecycle::promote::Target;

/// New members of an essence.
pub(crate) struct Growth<'a> {
    pub(crate) members: &'a [Memory],
    pub(crate) subject: Option<&'a str>,
    pub(crate) at: Timestamp,
}

/// Maximum number of turns that are read to find the subject of a habit.
pub(crate) const MOST_READ: usize = 64;

impl Lifecycle<'_> {
    /// Builds the essence of memories without storing it.
    pub(crate) async fn essence(&self, members: &[Memory], to: Tier, at: Timestamp) -> Result<Memory, EngineError> {
        self.essence_of(members, None, Target { to, at }).await
    }

    /// Like [`essence`](Self::essence), with a known subject.
    pub(crate) async fn essence_of(&self, members: &[Memory], subject: Option<&str>, target: Target) -> Result<Memory, EngineError> {
        let Target { to, at } = target;
        let taken = inherited(members);
        let WordedEssence { text: content, essence } = match members {
            // A fact or a request contains its time as part of its meaning ("약은 6시에 먹여야 해"), so it is not distilled. A habit is.
            [alone] if alone.remember_this || alone.kind == Kind::Semantic && !is_of_many(alone) => verbatim(alone),
            _ => self.worded(members, subject, taken.told).await?,
        };
        let first = &members[0];
        Ok(Memory {
            id: MemoryId::new(at, self.mind.inner.config.dice.chance()),
            external_id: None,
            revision: 0,
            standing: MemoryState::Alive,
            content,
            essence,
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
            strength: Strength::fresh(self.mind.mind().await?.turns),
            recalls: 0,
            mentions: taken.told.saturating_sub(1),
            last_recalled_at: None,
            created_at: taken.told_at,
            edited_at: None,
            tier: to,
            expires_at: to.expires(at, &self.mind.policy().tier),
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

    /// Extends an existing essence by new members. Returns it with the additional mentions.
    pub(crate) async fn grown(&self, known: Memory, growth: Growth<'_>) -> Result<(Memory, Again), EngineError> {
        let Growth { members, subject, at } = growth;
        let links = self.mind.store().links(self.mind.id, known.id).await?;
        let before: Vec<MemoryId> =
            links.iter().filter(|link| link.from == known.id && link.kind == LinkKind::DistilledFrom).map(|link| link.to).collect();
        let readable = self.readable(&before).await?;
        let mut originals: Vec<&Memory> = before.iter().filter_map(|id| readable.get(id)).collect();
        // If some of the counted originals no longer exist, the essence itself represents them.
        if tellings_of(originals.iter().copied()) < known.told() {
            originals.insert(0, &known);
        }
        let all: Vec<Memory> = originals.into_iter().chain(members).cloned().collect();
        let taken = inherited(&std::iter::once(&known).chain(members).cloned().collect::<Vec<_>>());
        let told = taken.told.saturating_sub(known.told());
        let again = Again { times: told, told_at: taken.told_at, at, turn: self.mind.mind().await?.turns };
        let mut grown = known.clone().told_again(again, self.mind.policy());
        (grown.feeling, grown.turns) = (taken.feeling, taken.turns);
        (grown.importance, grown.trust) = (taken.importance, taken.trust);
        let worded = self.worded(&all, known.subject().or(subject), grown.told()).await?;
        // A text that the owner edited is not replaced.
        if grown.edited_at.is_some() {
            return Ok((grown.recounted(), again));
        }
        (grown.content, grown.essence) = (worded.text, worded.essence);
        Ok((grown, again))
    }

    /// Words an essence with the thinker. If the thinker returned the rule-based text, words it again with the subject of all
    /// mentions.
    async fn worded(&self, members: &[Memory], subject: Option<&str>, told: u32) -> Result<WordedEssence, EngineError> {
        let texts: Vec<&str> = members.iter().map(|memory| memory.content.as_str()).collect();
        let words = self.distilled(&texts).await;
        if words != RuleThinker.distil(&texts) {
            // Without a thinker, these are the words of the first memory, which may be an essence itself.
            if words == members[0].content && members[0].essence.is_some() {
                return Ok(verbatim(&Memory { mentions: told.saturating_sub(1), ..members[0].clone() }.recounted()));
            }
            let essence = subject.map(|subject| Essence { subject: Some(subject.to_owned()), times: told });
            return Ok(WordedEssence { text: words, essence });
        }
        match subject {
            Some(subject) => Ok(shortened(topic_essence(subject, &sources(members), told as usize))),
            None => {
                let worded = self.rule_based_count(members, told).await?;
                // Without a name for the subject, the essence uses the text of the first memory and no count.
                let unnamed = worded.essence.as_ref().is_some_and(|essence| essence.subject.is_none());
                Ok(if unnamed { WordedEssence::plain(without_circumstances(members[0].said())) } else { worded })
            }
        }
    }

    /// Like [`worded`](Self::worded), with rules only.
    pub(crate) async fn rule_based_count(&self, members: &[Memory], told: u32) -> Result<WordedEssence, EngineError> {
        let turns: BTreeSet<TurnId> =
            members.iter().filter(|memory| has_tellings(memory)).flat_map(|memory| memory.turns.clone()).collect();
        // The newest turns are enough to find the subject; a habit of years has thousands.
        let newest: Vec<TurnId> = turns.into_iter().rev().take(MOST_READ).collect();
        let turns = self.mind.store().turns_by_id(self.mind.id, &newest).await?;
        let said = |turn: &&Turn| turn.role == Role::User && turn.withdrawn_at.is_none();
        let tellings: Vec<&str> = turns.iter().filter(said).map(|turn| turn.content.as_str()).collect();
        Ok(shortened(counted_essence(&sources(members), &tellings, told as usize, &self.names())))
    }

    /// Distils texts with the thinker; returns the first text if there is none.
    pub(crate) async fn distilled(&self, texts: &[&str]) -> String {
        let plain = || texts.first().map(|text| (*text).to_owned()).unwrap_or_default();
        let content = self
            .mind
            .models()
            .think(Thought::Distil, |thinker| thinker.distil(texts))
            .await
            .ok()
            .filter(|content| !content.trim().is_empty())
            .unwrap_or_else(plain);
        content.chars().take(saegim_core::LONGEST_CONTENT).collect()
    }
}

fn sources(members: &[Memory]) -> Vec<EssenceSource<'_>> {
    members.iter().map(EssenceSource::of).collect()
}

/// Limits the text to the length of a content.
fn shortened(worded: WordedEssence) -> WordedEssence {
    WordedEssence { text: worded.text.chars().take(saegim_core::LONGEST_CONTENT).collect(), ..worded }
}

/// Checks whether a memory represents several mentions of an event: a habit.
fn is_of_many(memory: &Memory) -> bool {
    memory.told() > 2 && memory.category == Some(Category::SharedEvents)
}

/// Checks whether the subject of a memory must be read from its turns: a habit, or a person who was mentioned often.
pub(crate) fn has_tellings(memory: &Memory) -> bool {
    is_of_many(memory) || memory.told() > 2 && memory.category == Some(Category::People)
}
