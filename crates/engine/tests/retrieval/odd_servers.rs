//! Servers with one quirk: the quirk affects only the request concerned.

use std::sync::Arc;
use std::time::Duration;

use saegim_core::Thought;
use saegim_engine::{Config, Draft, Durability, Engine, Exchange, MindHandle, MindKey, MissingVectors, NewMessage, Query, SeededDice};
use saegim_language::RuleThinker;
use saegim_provider::mock_server::{Behaviour, MockServer};
use saegim_provider::{Dialect, EmbeddingEndpoint, Endpoint, LanguageModel, ModelThinker, RemoteEmbedder, RemoteModel};

async fn engine(folder: &tempfile::TempDir, change: impl FnOnce(&mut Config)) -> (Engine, MindHandle) {
    let mut config = Config::local(folder.path().join("mind.db"));
    config.dice = Arc::new(SeededDice::new(3));
    config.durability = Durability::Throwaway;
    config.thinker = Some(Arc::new(RuleThinker));
    change(&mut config);
    let engine = Engine::open(config).await.unwrap();
    let mind = engine.mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    (engine, mind)
}

fn endpoint(server: &MockServer) -> Endpoint {
    Endpoint { within: Duration::from_secs(5), ..Endpoint::new(Dialect::OpenAi, server.base(Dialect::OpenAi), "stand-in") }
}

#[tokio::test]
async fn a_text_the_embedder_will_not_have_stops_no_other() {
    let (folder, server) = (tempfile::tempdir().unwrap(), MockServer::begin(Behaviour::Choosing("금지")).await.unwrap());
    let (engine_before, before) = engine(&folder, |config| config.embedder = None).await;
    for number in 0..40 {
        before.remember(Draft::text(format!("{number}번째 산책에서 강아지 {number}호를 만났다"))).await.unwrap();
    }
    let refused = before.remember(Draft::text("금지된 장난을 하다가 혼났다")).await.unwrap().memory.id;
    drop((engine_before, before));
    let embedder = RemoteEmbedder::at(EmbeddingEndpoint { endpoint: endpoint(&server), dims: 64, calibration: None });
    let (_engine, mind) = engine(&folder, |config| config.embedder = Some(Arc::new(embedder))).await;
    assert_eq!(mind.embed_missing(|_| ()).await.unwrap(), 40);
    assert_eq!(mind.lacking().await.unwrap(), MissingVectors::default(), "nothing is lacking that could be made");
    assert_eq!(mind.unembeddable().await.unwrap().memories, [refused]);
    assert!(mind.why_lacking().await.unwrap().is_none());
    let asked = server.requests();
    assert_eq!((mind.embed_missing(|_| ()).await.unwrap(), server.requests()), (0, asked), "it is not asked for again");
    let found = mind.recall(Query::text("금지된 장난")).await.unwrap();
    assert_eq!(found.results[0].memory.id, refused, "words find it");
}

#[tokio::test]
async fn a_server_that_boasts_of_its_tokens_breaks_no_turn() {
    let (folder, server) = (tempfile::tempdir().unwrap(), MockServer::begin(Behaviour::Boasting).await.unwrap());
    let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(endpoint(&server)));
    let (engine, mind) = engine(&folder, |config| {
        config.embedder = None;
        config.policy.thinking.daily_tokens = 1_000_000;
        config.thinker = Some(Arc::new(ModelThinker::new().asking(&model, [Thought::Extract])));
    })
    .await;
    for number in 0..12 {
        let said = vec![NewMessage::user(format!("나 {number}번째 회사는 카이스트 {number}연구소야"))];
        mind.observe(Exchange { said, ..Exchange::default() }).await.unwrap();
    }
    assert_eq!(server.requests(), 12, "the day's tokens are not used up by a boast");
    let used: u64 = engine.expenses("2020-01-01").await.unwrap().iter().map(|expense| expense.spent.tokens()).sum();
    assert!(used > 0 && used < 1_000_000, "{used}");
}
