//! Maintenance with hostile models that want to merge and drop everything.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use async_trait::async_trait;
use saegim_core::{Appraisal, Calibration, Embedding, Emotions, Feeling, LinkKind, Memory, MemoryId, Span, Tier, Timestamp, budget};
use saegim_engine::{Config, Draft, Engine, Exchange, Filter, MindHandle, MindKey, NewMessage, Page, Pinned, SeededDice, SetClock};
use saegim_language::{BelieveFrom, DerivedBelief, ImagineFrom, ImaginedScenario, IslandLabel, Reading, ReplyTo, Utterance};
use saegim_provider::{Embedder, ProviderError, Purpose, Sampling, Thinker};

/// Embedder that maps every text to the same vector.
struct AllOne(Calibration);

#[async_trait]
impl Embedder for AllOne {
    fn id(&self) -> &str {
        "all-one@1"
    }

    fn dims(&self) -> usize {
        8
    }

    fn calibration(&self) -> &Calibration {
        &self.0
    }

    fn knows(&self, _text: &str) -> bool {
        true
    }

    async fn embed(&self, texts: &[String], _purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        Ok(texts.iter().map(|_| Embedding::new(vec![1.0; 8]).unwrap()).collect())
    }
}

/// Thinker that finds nothing worth keeping and distils everything to nothing.
struct DropAll;

#[async_trait]
impl Thinker for DropAll {
    fn id(&self) -> &str {
        "drop-all"
    }

    async fn extract(&self, _utterance: &Utterance<'_>) -> Result<Reading, ProviderError> {
        Ok(Reading::default())
    }

    async fn appraise(&self, _text: &str) -> Result<Appraisal, ProviderError> {
        Ok(Appraisal::default())
    }

    async fn feel(&self, _text: &str) -> Result<Feeling, ProviderError> {
        Ok(Feeling::default())
    }

    async fn reply(&self, _asked: &ReplyTo<'_>, _sampling: Option<&Sampling>) -> Result<String, ProviderError> {
        Ok("delete all memories".into())
    }

    async fn distil(&self, _texts: &[&str]) -> Result<String, ProviderError> {
        Ok("x".into())
    }

    async fn believe(&self, _from: &BelieveFrom<'_>) -> Result<Vec<DerivedBelief>, ProviderError> {
        let endless = "obey ".repeat(1000);
        Ok(vec![
            DerivedBelief { statement: "I am someone who obeys".into(), supporting: vec![0, 7_000_000] },
            DerivedBelief { statement: endless, supporting: vec![0] },
            DerivedBelief { statement: "I am nobody".into(), supporting: Vec::new() },
        ])
    }

    async fn name_island(&self, _texts: &[&str]) -> Result<IslandLabel, ProviderError> {
        Ok(IslandLabel { name: "\n".into(), emoji: "<!-- saegim -->".into(), description: "x".repeat(9000) })
    }

    async fn imagine(&self, _from: &ImagineFrom<'_>) -> Result<ImaginedScenario, ProviderError> {
        Ok(ImaginedScenario { scenario: "\0".into(), action: None, emotions: Emotions::default() })
    }
}

async fn all(mind: &MindHandle) -> HashMap<MemoryId, Memory> {
    let memories = mind.list(&Filter::default(), Page { limit: 100_000, before: None }).await.unwrap();
    memories.into_iter().map(|memory| (memory.id, memory)).collect()
}

/// Fields of a memory that must never change.
fn kept(memory: &Memory) -> (String, Tier, bool, Option<Timestamp>) {
    (memory.content.clone(), memory.tier, memory.pinned, memory.expires_at)
}

#[tokio::test]
async fn two_years_of_merge_all_drop_all_take_no_more_than_the_budget_and_nothing_that_is_shielded() {
    let folder = tempfile::tempdir().unwrap();
    let start = Timestamp::parse("2026-01-01T09:00:00Z").unwrap();
    let clock = Arc::new(SetClock::at(start));
    let mut config = Config::local(folder.path().join("mind.db"));
    config.clock = clock.clone();
    config.dice = Arc::new(SeededDice::new(11));
    config.durability = saegim_engine::Durability::Throwaway;
    config.embedder = Some(Arc::new(AllOne(Calibration::new(vec![(0.0, 0.0), (0.9, 1.0)]).unwrap())));
    config.thinker = Some(Arc::new(DropAll));
    // Every turn runs a cycle, and all memories fade at once.
    config.policy.thinning.consolidate_turns = 1;
    config.policy.thinning.prune_turns = 1;
    config.policy.strength.every_turns = 1;
    config.policy.strength.episodic = 0.1;
    let policy = config.policy.thinning.clone();
    let mind = Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();

    let mut shielded = Vec::new();
    for number in 0..10 {
        let core = Draft { tier: Some(Tier::M0), ..Draft::text(format!("핵심 기억 하나 {}", "가".repeat(number + 1))) };
        shielded.push(mind.remember(core).await.unwrap().memory.id);
        let pinned = mind.remember(Draft::text(format!("고정한 기억 {}", "나".repeat(number + 1)))).await.unwrap().memory.id;
        mind.pin(pinned, Pinned::Fast).await.unwrap();
        shielded.push(pinned);
        let year = Draft { tier: Some(Tier::M365), ..Draft::text(format!("바탕이 되는 기억 {}", "다".repeat(number + 1))) };
        let founding = mind.remember(year).await.unwrap().memory.id;
        mind.link(founding, shielded[0], LinkKind::Founds).await.unwrap();
        shielded.push(founding);
    }
    let before: HashMap<MemoryId, _> = all(&mind).await.iter().map(|(id, memory)| (*id, kept(memory))).collect();
    let (mut taken, mut known_fallen) = (0, HashSet::new());
    for day in 0..730_i64 {
        clock.set(start.plus(Span::days(day)));
        if all(&mind).await.len() < 120 {
            for number in 0..20 {
                let text = format!("{} 하루의 일 {}", "라".repeat(day as usize % 40 + 1), "마".repeat(number + 1));
                mind.remember(Draft::text(text)).await.unwrap();
            }
        }
        let size = all(&mind).await.len();
        mind.observe(Exchange { said: vec![NewMessage::user("응")], ..Exchange::default() }).await.unwrap();
        mind.tick().await.unwrap();
        let now = start.plus(Span::days(day));
        let cliff = mind.cliff().await.unwrap();
        let fresh: Vec<_> = cliff.iter().filter(|fallen| known_fallen.insert((fallen.memory.id, fallen.entry.entered_at))).collect();
        let displaced = fresh.iter().filter(|fallen| fallen.entry.reason == saegim_core::CliffReason::Displaced).count();
        // Consolidation and pruning are one cycle each.
        assert!(displaced <= 2 * budget(size, &policy), "day {day}: {displaced} of {size}");
        taken += displaced;
        for fallen in fresh {
            assert!(fallen.entry.gone_at >= now.plus(Span::days(7)), "it can be restored for seven days");
            assert!(!fallen.entry.note.is_empty(), "and says why it fell");
            assert!(!shielded.contains(&fallen.memory.id) || before[&fallen.memory.id].3.is_some_and(|ends| ends <= now));
        }
        if day < 365 {
            let there = all(&mind).await;
            for id in &shielded {
                assert_eq!(there.get(id).map(kept).as_ref(), Some(&before[id]), "day {day}");
            }
        }
    }
    assert!(taken > 300, "the attack was real: {taken}");
    let there = all(&mind).await;
    let forever = shielded.iter().filter(|id| before[id].1 == Tier::M0 || before[id].2);
    assert!(forever.clone().count() == 20 && forever.clone().all(|id| there.get(id).map(kept).as_ref() == Some(&before[id])));
    let one_fallen = mind.cliff().await.unwrap().pop().unwrap();
    assert_eq!(mind.restore(one_fallen.memory.id).await.unwrap().content, one_fallen.memory.content);
}
