//! Merges essences of one tier that have the same subject. Otherwise a reader would find two different counts for it.

use std::collections::HashSet;

use saegim_core::{Change, CliffReason, Fall, Link, LinkKind, Memory, MemoryId, Op, Tier, Timestamp, inherited};
use saegim_language::{EssenceSource, TopicName, WordedEssence, topic_essence};

use crate::EngineError;
use crate::lifecycle::Lifecycle;

impl Lifecycle<'_> {
    /// Merges the essences of a tier that have the same subject into the earliest one. Moves their links to it and counts every
    /// mention once. Returns how many were merged.
    pub(crate) async fn merge_essences(&self, tier: Tier, at: Timestamp) -> Result<usize, EngineError> {
        let essences: Vec<Memory> = self.alive(tier).await?.into_iter().filter(is_free).collect();
        let mut ones: Vec<(TopicName, Vec<Memory>)> = Vec::new();
        for essence in essences {
            let Some(subject) = essence.subject().map(TopicName::of) else { continue };
            match ones.iter_mut().find(|(known, _)| known.is_same(&subject)) {
                Some((_, duplicates)) => duplicates.push(essence),
                None => ones.push((subject, vec![essence])),
            }
        }
        let mut joined = 0;
        for duplicates in ones.into_iter().map(|(_, duplicates)| duplicates).filter(|duplicates| duplicates.len() > 1) {
            joined += duplicates.len() - 1;
            self.join(duplicates, at).await?;
        }
        Ok(joined)
    }

    async fn join(&self, duplicates: Vec<Memory>, at: Timestamp) -> Result<(), EngineError> {
        let taken = inherited(&duplicates);
        let sources: Vec<EssenceSource> = duplicates.iter().map(EssenceSource::of).collect();
        let (first, others) = duplicates.split_first().expect("there are two of them at least");
        let worded = topic_essence(first.subject().unwrap_or_default(), &sources, taken.told as usize);
        // The words of a model stay.
        let worded = if first.states_count() { worded } else { WordedEssence { text: first.content.clone(), ..worded } };
        let one = Memory {
            content: worded.text,
            essence: worded.essence,
            mentions: taken.told.saturating_sub(1),
            recalls: duplicates.iter().map(|memory| memory.recalls).max().unwrap_or_default(),
            last_recalled_at: duplicates.iter().filter_map(|memory| memory.last_recalled_at).max(),
            expires_at: duplicates.iter().filter_map(|memory| memory.expires_at).max().or(first.expires_at),
            created_at: taken.told_at,
            feeling: taken.feeling,
            turns: taken.turns,
            importance: taken.importance,
            trust: taken.trust,
            ..first.clone()
        };
        let mut commit = self.worker_commit(Op::Consolidate).because("two essences of one subject");
        commit.memories = self.mind.commit(Op::Consolidate, &[&one]).memories;
        commit.changes.push(Change::MemoryChanged(Box::new(one.clone())));
        let (vector, _) = self.mind.models().vector_of(&one.content).await;
        commit.changes.extend(vector.map(|vector| self.mind.models().embedded(one.id, vector)));
        let known = self.mind.store().links(self.mind.id, one.id).await?;
        let mut there: HashSet<(MemoryId, MemoryId)> = known.iter().map(|link| (link.from, link.to)).collect();
        for duplicate in others {
            for link in
                self.mind.store().links(self.mind.id, duplicate.id).await?.into_iter().filter(|link| link.kind == LinkKind::DistilledFrom)
            {
                let own = if link.from == duplicate.id { (one.id, link.to) } else { (link.from, one.id) };
                if own.0 != own.1 && there.insert(own) {
                    commit.changes.push(Change::LinkAdded(Link { from: own.0, to: own.1, kind: LinkKind::DistilledFrom }));
                }
            }
            let note = format!("of one subject, and joined into {}", one.id);
            commit = self.mind.removal().move_to_cliff(duplicate.clone(), Fall { at, reason: CliffReason::Displaced, note }, commit).1;
        }
        self.mind.write(commit).await.map(drop)
    }
}

/// Checks whether an essence may be merged: it is not edited, pinned or explicitly requested.
fn is_free(memory: &Memory) -> bool {
    memory.source == saegim_core::Source::Distillation && memory.edited_at.is_none() && !memory.pinned && !memory.remember_this
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use saegim_core::{Essence, MemoryState, MindKey, Source};

    use super::*;
    use crate::{Config, Draft, Engine, SeededDice, SetClock};

    #[tokio::test]
    async fn two_essences_of_one_subject_become_one_that_counts_each_telling_once() {
        let folder = tempfile::tempdir().unwrap();
        let now = Timestamp::parse("2026-01-05T00:00:00Z").unwrap();
        let clock = Arc::new(SetClock::at(now));
        let config = Config { clock, dice: Arc::new(SeededDice::new(7)), ..Config::local(folder.path().join("mind.db")) };
        let mind = Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
        let told = mind.remember(Draft::text("여행 가방을 쌌어")).await.unwrap().memory;
        let mut essences = Vec::new();
        for content in [
            "여행 이야기가 3번 나왔다. 여행 표를 끊었어",
            "여행 이야기가 4번 나왔다. 여행 가방을 쌌어",
            "낚시 이야기가 3번 나왔다. 낚시를 갔어",
        ] {
            let draft = Draft { source: Some(Source::Distillation), tier: Some(Tier::M90), ..Draft::text(content) };
            essences.push(mind.remember(draft).await.unwrap().memory);
        }
        let mut commit = mind.lifecycle().worker_commit(Op::Weigh);
        for (essence, (subject, times)) in essences.iter().zip([("여행", 3), ("여행", 4), ("낚시", 3)]) {
            let counted = Essence { subject: Some(subject.to_owned()), times };
            let essence = Memory { mentions: times - 1, essence: Some(counted), ..essence.clone() };
            commit.changes.push(Change::MemoryChanged(Box::new(essence)));
        }
        commit.changes.push(Change::LinkAdded(Link { from: essences[1].id, to: told.id, kind: LinkKind::DistilledFrom }));
        mind.write(commit).await.unwrap();
        assert_eq!(mind.lifecycle().merge_essences(Tier::M90, now).await.unwrap(), 1);
        let left: Vec<Memory> = mind.lifecycle().alive(Tier::M90).await.unwrap();
        let counted: Vec<(&str, u32)> = left.iter().map(|memory| (memory.subject().unwrap(), memory.told())).collect();
        assert!(counted.len() == 2 && counted.contains(&("여행", 7)) && counted.contains(&("낚시", 3)), "{counted:?}");
        let trip = left.iter().find(|memory| memory.content.starts_with("여행 이야기가 7번 나왔다")).unwrap();
        let links = mind.store().links(mind.id, trip.id).await.unwrap();
        assert!(links.iter().any(|link| link.to == told.id), "what the other stood on is linked with the one that stays");
        let gone = essences.iter().find(|essence| essence.id != trip.id && essence.content.starts_with("여행")).unwrap();
        assert_eq!(mind.store().memories(mind.id, &[gone.id]).await.unwrap()[0].standing, MemoryState::OnCliff);
        assert_eq!(mind.lifecycle().merge_essences(Tier::M90, now).await.unwrap(), 0, "it is done");
    }
}
