//! A slow model or embedder does not hold the lock of a mind: other writers of the same mind go on meanwhile.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Appraisal, Calibration, Embedding, Feeling, Thought, Timestamp, TurnId};
use saegim_engine::{Config, Engine, Exchange, MindHandle, MindKey, NewMessage, Observed, SeededDice, SetClock, TurnPage};
use saegim_language::{BelieveFrom, DerivedBelief, ImagineFrom, ImaginedScenario, IslandLabel, Reading, ReplyTo, RuleThinker, Utterance};
use saegim_provider::{Embedder, ProviderError, Purpose, Sampling, Thinker};
use tokio::sync::Semaphore;

/// Messages with this word are slow.
const SLOW: &str = "건축";

/// Maximum time for a request that nothing blocks. Only a failing test waits this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Blocks requests about slow messages until the test opens it.
struct Gate {
    reached: Semaphore,
    open: Semaphore,
}

impl Gate {
    fn closed() -> Arc<Self> {
        Arc::new(Self { reached: Semaphore::new(0), open: Semaphore::new(0) })
    }

    async fn pass(&self, text: &str) {
        if text.contains(SLOW) {
            self.reached.add_permits(1);
            let _open = self.open.acquire().await.unwrap();
        }
    }

    /// Waits until a request is blocked.
    async fn blocks(&self) {
        tokio::time::timeout(PATIENCE, self.reached.acquire()).await.unwrap().unwrap().forget();
    }
}

/// An embedder that waits at the gate.
struct GatedEmbedder {
    gate: Arc<Gate>,
    calibration: Calibration,
}

#[async_trait]
impl Embedder for GatedEmbedder {
    fn id(&self) -> &str {
        "gated@1"
    }

    fn dims(&self) -> usize {
        8
    }

    fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    fn knows(&self, _text: &str) -> bool {
        true
    }

    fn address(&self) -> Option<&str> {
        Some("http://embedder.example")
    }

    async fn embed(&self, texts: &[String], _purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        self.gate.pass(&texts.concat()).await;
        let vector = |text: &String| {
            let mut vector = vec![0.01f32; 8];
            text.chars().for_each(|letter| vector[letter as usize % 8] += 1.0);
            Embedding::new(vector).unwrap()
        };
        Ok(texts.iter().map(vector).collect())
    }

    async fn embed_within(&self, texts: &[String], purpose: Purpose, _limit: Duration) -> Result<Vec<Embedding>, ProviderError> {
        self.embed(texts, purpose).await
    }
}

/// Rules that answer one kind of request as a model would, after waiting at the gate.
struct GatedThinker {
    gate: Arc<Gate>,
    thought: Thought,
}

#[async_trait]
impl Thinker for GatedThinker {
    fn id(&self) -> &str {
        "gated"
    }

    fn asks(&self, thought: Thought) -> Option<&str> {
        (thought == self.thought).then_some("gated")
    }

    async fn extract(&self, utterance: &Utterance<'_>) -> Result<Reading, ProviderError> {
        if self.thought == Thought::Extract {
            self.gate.pass(utterance.text).await;
        }
        RuleThinker.extract(utterance).await
    }

    async fn appraise(&self, text: &str) -> Result<Appraisal, ProviderError> {
        if self.thought == Thought::Appraise {
            self.gate.pass(text).await;
        }
        Ok(RuleThinker.appraise(text))
    }

    async fn feel(&self, text: &str) -> Result<Feeling, ProviderError> {
        Ok(RuleThinker.feel(text))
    }

    async fn reply(&self, asked: &ReplyTo<'_>, _sampling: Option<&Sampling>) -> Result<String, ProviderError> {
        Ok(RuleThinker.reply(asked))
    }

    async fn distil(&self, texts: &[&str]) -> Result<String, ProviderError> {
        Ok(RuleThinker.distil(texts))
    }

    async fn believe(&self, from: &BelieveFrom<'_>) -> Result<Vec<DerivedBelief>, ProviderError> {
        Ok(RuleThinker.believe(from))
    }

    async fn name_island(&self, texts: &[&str]) -> Result<IslandLabel, ProviderError> {
        Ok(RuleThinker.name_island(texts))
    }

    async fn imagine(&self, from: &ImagineFrom<'_>) -> Result<ImaginedScenario, ProviderError> {
        Ok(RuleThinker.imagine(from))
    }
}

/// The part that is slow.
#[derive(Clone, Copy, Debug)]
enum Slow {
    Embedder,
    Thinker(Thought),
}

const ALL: [Slow; 3] = [Slow::Embedder, Slow::Thinker(Thought::Extract), Slow::Thinker(Thought::Appraise)];

async fn mind(folder: &Path, slow: Slow, gate: &Arc<Gate>) -> MindHandle {
    let mut config = Config::local(folder.join("mind.db"));
    config.clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-02T09:00:00Z").unwrap()));
    config.dice = Arc::new(SeededDice::new(5));
    match slow {
        Slow::Embedder => {
            let calibration = Calibration::new(vec![(0.0, 0.0), (1.0, 1.0)]).unwrap();
            config.embedder = Some(Arc::new(GatedEmbedder { gate: Arc::clone(gate), calibration }));
        }
        Slow::Thinker(thought) => config.thinker = Some(Arc::new(GatedThinker { gate: Arc::clone(gate), thought })),
    }
    Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
}

async fn say(mind: &MindHandle, text: &str) -> Observed {
    let exchange = Exchange { said: vec![NewMessage::user(text)], ..Exchange::default() };
    tokio::time::timeout(PATIENCE, mind.observe(exchange)).await.unwrap().unwrap()
}

fn stored(observed: &Observed) -> bool {
    observed.candidates.iter().any(|candidate| candidate.memory.is_some())
}

#[tokio::test]
async fn a_slow_model_does_not_block_another_writer_of_the_same_mind() {
    for slow in ALL {
        let (folder, gate) = (tempfile::tempdir().unwrap(), Gate::closed());
        let mind = mind(folder.path(), slow, &gate).await;
        let first = tokio::spawn({
            let mind = mind.clone();
            async move { say(&mind, "나는 대학교에서 건축을 전공해").await }
        });
        gate.blocks().await;
        // The first message waits for the model. The second one is stored and judged meanwhile.
        let second = say(&mind, "우리 강아지 이름은 초코야").await;
        assert!(stored(&second), "{slow:?}: {second:?}");
        assert!(!first.is_finished(), "{slow:?}");
        gate.open.add_permits(1);
        let first = first.await.unwrap();
        assert!(stored(&first), "{slow:?}: {first:?}");
        let facts = mind.facts().await.unwrap();
        let subjects: Vec<&str> = facts.current().map(|fact| fact.subject.as_str()).collect();
        assert_eq!(subjects.len(), 2, "{slow:?}: {subjects:?}");
        let turns = mind.turns(TurnPage { limit: 10, ..TurnPage::default() }).await.unwrap();
        let sequences: Vec<u32> = turns.iter().map(|turn| turn.sequence).collect();
        assert_eq!(sequences, [1, 2], "{slow:?}");
    }
}

#[tokio::test]
async fn a_slow_model_that_reads_an_edited_message_blocks_nobody() {
    for slow in ALL {
        let (folder, gate) = (tempfile::tempdir().unwrap(), Gate::closed());
        let mind = mind(folder.path(), slow, &gate).await;
        let edited: TurnId = say(&mind, "나는 대학교에서 수학을 전공해").await.turns[0].id;
        let editing = tokio::spawn({
            let mind = mind.clone();
            async move { mind.reword(edited, "나는 대학교에서 건축을 전공해").await.unwrap() }
        });
        gate.blocks().await;
        assert!(stored(&say(&mind, "우리 강아지 이름은 초코야").await), "{slow:?}");
        gate.open.add_permits(1);
        let withdrawn = tokio::time::timeout(PATIENCE, editing).await.unwrap().unwrap();
        assert!(withdrawn.memories > 0, "{slow:?}: {withdrawn:?}");
    }
}
