//! Vectors are not available: recall falls back to keywords, reports it, and says what to do.

use std::sync::Arc;

use async_trait::async_trait;
use saegim_core::{Calibration, Embedding, Timestamp};
use saegim_engine::{Config, Draft, Engine, MindHandle, MindKey, Query, SeededDice, SetClock};
use saegim_provider::{Embedder, ProviderError, Purpose, UnusableEmbedder};

/// Test embedder: counts letters, or returns values that are not numbers.
struct Made {
    id: &'static str,
    numbers: fn(&str) -> Vec<f32>,
    calibration: Calibration,
}

impl Made {
    fn by(id: &'static str, numbers: fn(&str) -> Vec<f32>) -> Arc<dyn Embedder> {
        Arc::new(Self { id, numbers, calibration: Calibration::new(vec![(0.0, 0.0), (1.0, 1.0)]).unwrap() })
    }
}

fn letters(text: &str) -> Vec<f32> {
    let mut counts = vec![0.1; 64];
    text.chars().for_each(|letter| counts[letter as usize % 64] += 1.0);
    counts
}

#[async_trait]
impl Embedder for Made {
    fn id(&self) -> &str {
        self.id
    }

    fn dims(&self) -> usize {
        64
    }

    fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    fn knows(&self, text: &str) -> bool {
        !text.trim().is_empty()
    }

    async fn embed(&self, texts: &[String], _purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        let vector = |text: &String| Embedding::new((self.numbers)(text)).map_err(|invalid| ProviderError::Broken(invalid.to_string()));
        texts.iter().map(vector).collect()
    }
}

struct World(tempfile::TempDir);

impl World {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Opens the same file with a changed configuration.
    async fn engine(&self, change: impl FnOnce(&mut Config)) -> Engine {
        let mut config = Config::local(self.0.path().join("mind.db"));
        config.clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-01T09:00:00Z").unwrap()));
        config.dice = Arc::new(SeededDice::new(std::process::id().into()));
        change(&mut config);
        Engine::open(config).await.unwrap()
    }

    async fn mind(&self, change: impl FnOnce(&mut Config)) -> MindHandle {
        self.engine(change).await.mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
    }
}

const TEXTS: [&str; 4] = ["강아지가 아팠다", "커피를 마셨다", "I walked along the river", "영화를 봤다"];

async fn keep(mind: &MindHandle) {
    for text in TEXTS {
        mind.remember(Draft::text(text)).await.unwrap();
    }
}

/// Checks that the query finds its memory and that `degraded` contains this text.
async fn check(mind: &MindHandle, said: Option<&str>) {
    let recalled = mind.recall(Query::text("강아지")).await.unwrap();
    let texts: Vec<&str> = recalled.results.iter().map(|found| found.memory.content.as_str()).collect();
    assert_eq!(texts.first(), Some(&TEXTS[0]), "{texts:?}");
    match (said, &recalled.degraded) {
        (None, None) => {}
        (Some(word), Some(words)) => {
            let words = words.to_string();
            assert!(words.starts_with("keyword search only") && words.contains(word), "{words}");
        }
        (said, degraded) => panic!("wanted {said:?}, got {degraded:?}"),
    }
}

#[tokio::test]
async fn after_the_embedder_is_changed_words_answer_until_the_vectors_are_made_anew() {
    let world = World::new();
    let mind = world.mind(|_| ()).await;
    keep(&mind).await;
    check(&mind, None).await;
    let other = world.mind(|config| config.embedder = Some(Made::by("letters@1", letters))).await;
    assert_eq!((other.counts().await.unwrap().vectors, other.lacking().await.unwrap().memories), (0, 4));
    check(&other, Some("4 of 4 memories: letters@1 has not embedded them yet; run `saegim tick`")).await;
    // New memories get a vector at once; the worker computes the others.
    other.remember(Draft::text("비가 왔다")).await.unwrap();
    check(&other, Some("4 of 5 memories")).await;
    assert_eq!(other.tick().await.unwrap().embedded, 4);
    assert_eq!((other.counts().await.unwrap().vectors, other.lacking().await.unwrap().memories), (5, 0));
    check(&other, None).await;
    // The vectors of the first embedder are still stored; only the new memory lacks one.
    check(&world.mind(|_| ()).await, Some("1 of 5 memories")).await;
}

#[tokio::test]
async fn progress_is_told_while_vectors_are_made() {
    let world = World::new();
    let bare = world.mind(|config| config.embedder = None).await;
    keep(&bare).await;
    let mind = world.mind(|config| config.embedder = Some(Made::by("letters@1", letters))).await;
    let told = std::sync::Mutex::new(Vec::new());
    assert_eq!(mind.embed_missing(|done| told.lock().unwrap().push(done)).await.unwrap(), 4);
    assert_eq!(*told.lock().unwrap(), [4]);
    assert_eq!(mind.embed_missing(|_| panic!("nothing is left")).await.unwrap(), 0);
}

#[tokio::test]
async fn a_vector_that_is_no_number_is_kept_nowhere_and_words_go_on() {
    let world = World::new();
    let broken: fn(&mut Config) = |config| config.embedder = Some(Made::by("broken@1", |_| vec![f32::NAN; 64]));
    let mind = world.mind(broken).await;
    for text in TEXTS {
        let kept = mind.remember(Draft::text(text)).await.unwrap();
        assert!(kept.degraded.unwrap().to_string().contains("not a finite number"));
    }
    check(&mind, Some("not a finite number")).await;
    assert_eq!(mind.counts().await.unwrap().vectors, 0);
    assert_eq!(mind.tick().await.unwrap().embedded, 0);
    mind.rebalance(Some("강아지 이야기")).await.unwrap();
    assert!(world.engine(broken).await.try_embedder().await.unwrap_err().to_string().contains("keywords only"));
}

#[tokio::test]
async fn without_its_model_an_embedder_says_why_and_words_go_on() {
    let world = World::new();
    keep(&world.mind(|_| ()).await).await;
    let unusable = || Arc::new(UnusableEmbedder::new("me5-small-q4@2", "the file is gone; get it with: saegim model install"));
    let mind = world.mind(|config| config.embedder = Some(unusable())).await;
    check(&mind, Some("saegim model install")).await;
    let problem = world.engine(|config| config.embedder = Some(unusable())).await.try_embedder().await.unwrap_err().to_string();
    assert!(problem.contains("saegim model install"), "{problem}");
}

#[tokio::test]
async fn without_the_vector_extension_words_go_on_whether_the_mind_is_in_memory_or_not() {
    let world = World::new();
    keep(&world.mind(|_| ()).await).await;
    check(&world.mind(|config| config.vectors = false).await, Some("disabled")).await;
    let cold = world
        .mind(|config| {
            config.vectors = false;
            config.policy.recall.index_at_once = 0;
        })
        .await;
    check(&cold, Some("disabled")).await;
    let health = world.engine(|config| config.vectors = false).await.check().await.unwrap();
    assert!(health.notes.iter().any(|note| note.to_string().contains("keywords only")), "{health:?}");
}

#[tokio::test]
async fn a_script_the_embedder_does_not_know_is_found_by_words_and_said() {
    let world = World::new();
    let mind = world.mind(|_| ()).await;
    keep(&mind).await;
    let kept = mind.remember(Draft::text("犬を散歩に連れて行った")).await.unwrap();
    assert!(kept.degraded.unwrap().to_string().contains("does not support this script"));
    let recalled = mind.recall(Query::text("散歩")).await.unwrap();
    assert_eq!(recalled.results[0].memory.content, "犬を散歩に連れて行った");
    assert!(recalled.degraded.unwrap().to_string().contains("does not support this script"));
    // A single memory in another script does not mark every recall as degraded.
    check(&mind, None).await;
    assert_eq!((mind.lacking().await.unwrap().memories, mind.tick().await.unwrap().embedded), (0, 0));
}
