//! Failing models: all messages must be stored, every fallback must be in the ledger, and pending jobs must finish when the model
//! is back. Ten kinds of failure, three API formats, any number of messages.

use std::sync::Arc;
use std::time::Duration;

use saegim_core::{MindKey, Span, Thought, Timestamp};
use saegim_engine::{CandidatePage, Config, Engine, Exchange, MindHandle, NewMessage, SetClock, TurnPage};
use saegim_provider::mock_server::{Behaviour, MockServer};
use saegim_provider::{Dialect, Endpoint, LanguageModel, ModelThinker, RemoteModel, Secret};
use serde_json::json;

use crate::Outcome;

const DIALECTS: [Dialect; 3] = [Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini];

/// Timeout of the models in this test. Short, because some never answer.
const WITHIN: Duration = Duration::from_millis(200);

/// Sends `inputs` messages to every kind of failure in every API format and prints the results.
pub(crate) async fn run(inputs: usize) -> Outcome {
    let mut wrong = 0;
    for dialect in DIALECTS {
        for behaviour in Behaviour::FAILURES.into_iter().chain([Behaviour::Commanding]) {
            let told = one(dialect, behaviour, inputs).await?;
            let well = told["kept"] == inputs && told["judged"] == inputs && told["jobs_left"] == 0;
            // An answer in a valid format counts as an answer, regardless of its content, so no fallback is expected.
            let marked = behaviour == Behaviour::Commanding || told["fallbacks"] == inputs;
            wrong += usize::from(!(well && marked));
            println!("{told}");
        }
    }
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} trials lost something").into()) }
}

fn message(place: usize) -> String {
    if place.is_multiple_of(2) { format!("나는 {place}번 버스를 좋아해") } else { format!("I like bus number {place}") }
}

async fn one(dialect: Dialect, behaviour: Behaviour, inputs: usize) -> Result<serde_json::Value, Box<dyn std::error::Error>> {
    let (folder, server) = (tempfile::tempdir()?, MockServer::begin(behaviour).await?);
    let clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-02T09:00:00Z")?));
    let open = async || -> Result<MindHandle, Box<dyn std::error::Error>> {
        let endpoint =
            Endpoint { key: Secret::new("sk-trial"), within: WITHIN, ..Endpoint::new(dialect, server.base(dialect), "stand-in") };
        let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(endpoint));
        let mut config = Config::local(folder.path().join("mind.db"));
        config.clock = clock.clone();
        config.embedder = None;
        config.thinker = Some(Arc::new(ModelThinker::new().asking(&model, Thought::ALL.iter().copied())));
        Ok(Engine::open(config).await?.mind(MindKey::new("minsu", "luna")?).await?)
    };
    let mind = open().await?;
    for place in 0..inputs {
        clock.set(mind_now(&clock).plus(Span::seconds(5)));
        mind.observe(Exchange { said: vec![NewMessage::user(message(place))], ..Exchange::default() }).await?;
    }
    mind.run_jobs().await?;
    let kept = mind.turns(TurnPage { limit: inputs * 2, ..TurnPage::default() }).await?;
    let mut judged = 0;
    for turn in &kept {
        let page = CandidatePage { limit: 1, turn: Some(turn.id), verdict: None };
        let found = !mind.candidates(page).await?.is_empty();
        judged += usize::from(found || behaviour == Behaviour::Commanding);
    }
    let entries = mind.ledger(0, 1_000_000).await?;
    let stood_in = entries.iter().flat_map(|(entry, _)| &entry.judges).filter(|judge| judge.instead_of.is_some());
    let fallbacks: u64 = stood_in.clone().filter(|judge| judge.thought == Thought::Extract).map(|judge| judge.times).sum();
    let causes: std::collections::BTreeSet<&str> = stood_in.filter_map(|judge| judge.cause).map(|cause| cause.as_str()).collect();
    let waiting = mind.jobs().await?.len();
    // The model is back. Reopen the mind to reset the back-off of this process.
    server.behave(Behaviour::Well);
    clock.set(mind_now(&clock).plus(Span::hours(1)));
    let mind = open().await?;
    mind.tick().await?;
    Ok(json!({
        "dialect": dialect.as_str(), "failure": format!("{behaviour:?}"), "inputs": inputs, "kept": kept.len(), "judged": judged,
        "fallbacks": fallbacks, "causes": causes, "jobs_waiting": waiting, "jobs_left": mind.jobs().await?.len(), "requests": server.requests(),
    }))
}

fn mind_now(clock: &SetClock) -> Timestamp {
    use saegim_engine::Clock;
    clock.now()
}
