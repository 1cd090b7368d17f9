//! Differences between servers of one dialect, and what a caller may request: timeouts, answer length, sampling.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::sync::Arc;
use std::time::Duration;

use saegim_core::{Cause, Language, Relationship, Role, SpeechStyle, Thought};
use saegim_language::{Reading, ReplyTo, RuleThinker};
use saegim_provider::mock_server::{Behaviour, MockServer};
use saegim_provider::{
    AnalyseFrom, Dialect, Endpoint, LanguageModel, ModelThinker, ProviderError, RemoteModel, Sampling, Thinker, gathering,
};
use serde_json::json;

const DIALECTS: [Dialect; 3] = [Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini];

async fn asking(behaviour: Behaviour, dialect: Dialect, within: Duration) -> (MockServer, ModelThinker) {
    let server = MockServer::begin(behaviour).await.unwrap();
    let endpoint = Endpoint { within, ..Endpoint::new(dialect, server.base(dialect), "stand-in") };
    let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(endpoint));
    let thinker = ModelThinker::new().asking(&model, Thought::ALL.iter().copied());
    (server, thinker)
}

const PATIENT: Duration = Duration::from_secs(10);

/// The answer to a greeting, and the text received while streaming.
async fn replied(thinker: &ModelThinker, sampling: Option<&Sampling>) -> (Result<String, ProviderError>, String) {
    let (reading, mut heard) = (Reading::default(), String::new());
    let asked = ReplyTo {
        text: "안녕",
        character: "luna",
        user: "minsu",
        language: Language::Korean,
        style: SpeechStyle::Casual,
        facts: &[],
        memories: &[],
        feeling: &reading.feeling,
        reading: &reading,
        context: "",
        before: &[(Role::System, "Be kind.".to_owned())],
    };
    let answer = thinker.speak(&asked, sampling, &mut |word| heard.push_str(word)).await;
    (answer, heard)
}

/// Advances tokio's clock; requests still take real time.
async fn later(seconds: u64) {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(seconds)).await;
    tokio::time::resume();
}

#[tokio::test]
async fn what_a_stream_may_not_be_asked_is_asked_no_more() {
    let (server, thinker) = asking(Behaviour::Uncounting, Dialect::OpenAi, PATIENT).await;
    // The server does not say which field it rejects: one success without it may be chance, two settle it.
    for requests in [2, 4, 5, 6] {
        assert!(replied(&thinker, None).await.0.unwrap().ends_with("안녕"));
        assert_eq!(server.requests(), requests);
    }
    assert!(server.last()["stream_options"].is_null() && server.last()["stream"] == true);
    // A server that accepts the field is asked for token usage of the stream.
    let (server, thinker) = asking(Behaviour::Well, Dialect::OpenAi, PATIENT).await;
    let ((answer, _), used) = gathering(replied(&thinker, None)).await;
    assert!(answer.is_ok() && server.last()["stream_options"]["include_usage"] == true);
    assert_eq!((used[0].spent.read, used[0].spent.written), (100, 20));
}

#[tokio::test]
async fn the_limit_goes_under_the_name_the_server_knows_from_then_on() {
    let (server, thinker) = asking(Behaviour::Newer, Dialect::OpenAi, PATIENT).await;
    for requests in [2, 3, 4] {
        assert!(thinker.appraise("hello").await.is_ok());
        assert_eq!(server.requests(), requests, "it has said what it wants");
    }
    assert!(replied(&thinker, None).await.0.is_ok());
    assert_eq!(server.requests(), 5, "streams know it, too");
    let last = server.last();
    assert!(last["max_tokens"].is_null() && last["max_completion_tokens"].as_u64().unwrap() >= 8_000, "{last}");
}

#[tokio::test]
async fn a_server_with_little_room_is_asked_for_a_short_answer_from_then_on() {
    for dialect in DIALECTS {
        let (server, thinker) = asking(Behaviour::Cramped, dialect, PATIENT).await;
        for requests in [2, 3, 4] {
            assert!(thinker.appraise("hello").await.is_ok(), "{dialect:?}");
            assert_eq!(server.requests(), requests, "{dialect:?}");
        }
        assert!(replied(&thinker, None).await.0.is_ok() && server.requests() == 5, "{dialect:?}");
    }
}

#[tokio::test]
async fn a_schema_is_told_where_it_is_known_and_left_to_the_prompt_where_it_is_not() {
    for (dialect, pointer) in [
        (Dialect::OpenAi, "/response_format/json_schema/schema/properties/factual"),
        (Dialect::Anthropic, "/tools/0/input_schema/properties/factual"),
        (Dialect::Gemini, "/generationConfig/responseJsonSchema/properties/factual"),
    ] {
        let (server, thinker) = asking(Behaviour::Well, dialect, PATIENT).await;
        thinker.appraise("hello").await.unwrap();
        assert!(server.last().pointer(pointer).is_some(), "{dialect:?}: {}", server.last());
        let (server, thinker) = asking(Behaviour::Plain, dialect, PATIENT).await;
        thinker.appraise("hello").await.unwrap();
        assert!(server.last().pointer(pointer).is_none() && server.last().to_string().contains("factual"), "{dialect:?}");
    }
}

#[tokio::test]
async fn a_thought_is_no_part_of_an_answer_that_comes_whole_or_has_a_shape() {
    for dialect in DIALECTS {
        let (_server, thinker) = asking(Behaviour::Musing, dialect, PATIENT).await;
        assert!(thinker.appraise("hello").await.unwrap().factual.get() > 0.8, "{dialect:?}");
        let (answer, heard) = replied(&thinker, None).await;
        assert_eq!((answer.unwrap().as_str(), heard.as_str()), ("그래.", "그래."), "{dialect:?}");
        // A server that does not stream although it was asked to.
        let (_server, thinker) = asking(Behaviour::Unstreaming, dialect, PATIENT).await;
        let (answer, heard) = replied(&thinker, None).await;
        assert!(answer.unwrap().ends_with("안녕") && heard.ends_with("안녕"), "{dialect:?}: {heard}");
    }
    let (_server, thinker) = asking(Behaviour::Musing, Dialect::OpenAi, PATIENT).await;
    for stream in [false, true] {
        let request = json!({ "stream": stream, "messages": [{ "role": "user", "content": "안녕" }] });
        let mut events = String::new();
        let relayed = thinker.relay(&request, &mut |event| events.push_str(event)).await.unwrap();
        assert_eq!(relayed.text, "그래.", "streaming: {stream}");
        assert!(!events.contains("SECRET") && !relayed.body.to_string().contains("SECRET"), "streaming: {stream}");
        assert_eq!(events.is_empty(), !stream);
    }
}

#[tokio::test]
async fn what_nobody_answered_costs_nothing_whole_streamed_or_passed_on() {
    for behaviour in [Behaviour::Failing, Behaviour::Limiting(None), Behaviour::Silent, Behaviour::CuttingOff, Behaviour::Leaking] {
        for dialect in DIALECTS {
            let (_server, thinker) = asking(behaviour, dialect, Duration::from_millis(60)).await;
            let ((answer, _), mut used) = gathering(replied(&thinker, None)).await;
            assert!(answer.is_err(), "{behaviour:?} {dialect:?}");
            later(700).await;
            used.extend(gathering(thinker.appraise("hello")).await.1);
            later(700).await;
            if thinker.relays() {
                let request = json!({ "messages": [{ "role": "user", "content": "안녕" }] });
                used.extend(gathering(thinker.relay(&request, &mut |_| ())).await.1);
            }
            assert!(used.len() >= 2 && used.iter().all(|one| one.spent.tokens() == 0), "{behaviour:?} {dialect:?}: {used:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_is_waited_for_as_long_as_was_set_and_longer_where_nobody_waits() {
    const WITHIN: Duration = Duration::from_millis(150);
    for dialect in DIALECTS {
        let (_server, thinker) = asking(Behaviour::Silent, dialect, WITHIN).await;
        let relationship = Relationship::default();
        let turns = [(Role::User, "안녕")];
        let from = AnalyseFrom {
            user: "minsu",
            character: "luna",
            turns: &turns,
            facts: &[],
            relationship: &relationship,
            language: Language::Korean,
        };
        let began = tokio::time::Instant::now();
        assert_eq!(thinker.appraise("hello").await.unwrap_err().cause(), Cause::TimedOut);
        let one = began.elapsed();
        assert!(one >= WITHIN && one < WITHIN * 4 + Duration::from_secs(2), "{dialect:?}: {one:?}");
        // A stream has as much time to start as a whole answer has to arrive.
        let began = tokio::time::Instant::now();
        assert_eq!(replied(&thinker, None).await.0.unwrap_err().cause(), Cause::TimedOut);
        assert!(began.elapsed() >= WITHIN && began.elapsed() < WITHIN * 4 + Duration::from_secs(2), "{dialect:?}: {:?}", began.elapsed());
        let began = tokio::time::Instant::now();
        assert_eq!(thinker.analyse(&from).await.unwrap_err().cause(), Cause::TimedOut);
        assert!(began.elapsed() >= WITHIN * 4, "{dialect:?}: {:?}", began.elapsed());
    }
}

fn wishes() -> Sampling {
    Sampling {
        temperature: Some(0.25),
        top_p: Some(0.5),
        top_k: Some(40),
        stop: vec!["끝".into(), "END".into()],
        most_tokens: Some(50),
        ..Sampling::default()
    }
}

#[tokio::test]
async fn what_a_caller_wishes_reaches_the_server_under_its_own_names() {
    let drawn = Sampling { presence_penalty: Some(0.5), frequency_penalty: Some(-0.5), seed: Some(7), ..wishes() };
    let (server, thinker) = asking(Behaviour::Well, Dialect::Anthropic, PATIENT).await;
    assert_eq!((thinker.cannot(&wishes()), thinker.cannot(&drawn)), (None, Some("presence_penalty")));
    assert!(replied(&thinker, Some(&wishes())).await.0.is_ok());
    let body = server.last();
    let shown = json!({ "temperature": body["temperature"], "top_p": body["top_p"], "top_k": body["top_k"],
        "stop_sequences": body["stop_sequences"], "max_tokens": body["max_tokens"], "system": body["system"] });
    assert_eq!(
        shown,
        json!({ "temperature": 0.25, "top_p": 0.5, "top_k": 40, "stop_sequences": ["끝", "END"], "max_tokens": 50,
        "system": "Be kind." })
    );
    let (server, thinker) = asking(Behaviour::Well, Dialect::Gemini, PATIENT).await;
    assert_eq!(thinker.cannot(&drawn), None);
    assert!(replied(&thinker, Some(&drawn)).await.0.is_ok());
    assert_eq!(
        server.last()["generationConfig"],
        json!({ "temperature": 0.25, "topP": 0.5, "topK": 40, "stopSequences": ["끝", "END"], "maxOutputTokens": 50, "presencePenalty": 0.5,
            "frequencyPenalty": -0.5, "seed": 7 })
    );
    // Without sampling parameters, the model's defaults apply.
    for dialect in DIALECTS {
        let (server, thinker) = asking(Behaviour::Headstrong, dialect, PATIENT).await;
        assert!(replied(&thinker, None).await.0.is_ok(), "{dialect:?}");
        assert_eq!(server.requests(), 1);
    }
    assert_eq!(Thinker::cannot(&RuleThinker, &drawn), None, "rules draw nothing");
}

#[tokio::test]
async fn a_server_that_will_not_grant_a_wish_is_told_from_one_that_cannot_answer() {
    for dialect in DIALECTS {
        let (_server, thinker) = asking(Behaviour::Headstrong, dialect, PATIENT).await;
        let (answer, heard) = replied(&thinker, Some(&wishes())).await;
        assert!(matches!(answer, Err(ProviderError::Invalid(_))) && heard.is_empty(), "{dialect:?}: {answer:?}");
        for behaviour in [Behaviour::Failing, Behaviour::Leaking] {
            let (_server, thinker) = asking(behaviour, dialect, PATIENT).await;
            let answer = replied(&thinker, Some(&wishes())).await.0;
            assert!(matches!(answer, Err(ProviderError::Unanswered { .. })), "{dialect:?} {behaviour:?}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn a_caller_s_limit_and_the_owner_s_hold_both() {
    for (owner, caller, sent) in
        [(None, None, 8_000), (Some(300), None, 300), (None, Some(50), 50), (Some(300), Some(50), 50), (Some(30), Some(50), 30)]
    {
        let server = MockServer::begin(Behaviour::Well).await.unwrap();
        let dialect = Dialect::Anthropic;
        let endpoint = Endpoint { most_tokens: owner, ..Endpoint::new(dialect, server.base(dialect), "stand-in") };
        let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(endpoint));
        let thinker = ModelThinker::new().asking(&model, [Thought::Reply]);
        let sampling = Sampling { most_tokens: caller, ..Sampling::default() };
        assert!(replied(&thinker, caller.map(|_| &sampling)).await.0.is_ok());
        assert_eq!(server.last()["max_tokens"], sent, "{owner:?} {caller:?}");
    }
}

#[tokio::test]
async fn a_model_is_known_by_its_provider_and_its_name() {
    let server = MockServer::begin(Behaviour::Well).await.unwrap();
    for (dialect, provider, name, id) in [
        (Dialect::OpenAi, "ollama", "qwen3:8b", "ollama/qwen3:8b"),
        (Dialect::OpenAi, "openai", "gpt-5-mini", "openai/gpt-5-mini"),
        (Dialect::OpenAi, "gemini-openai", "gemini-2.5-flash", "gemini-openai/gemini-2.5-flash"),
        (Dialect::Gemini, "gemini", "models/gemini-2.5-flash", "gemini/gemini-2.5-flash"),
        (Dialect::Anthropic, "anthropic", "claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"),
    ] {
        let endpoint = Endpoint { provider: provider.into(), ..Endpoint::new(dialect, server.base(dialect), name) };
        let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(endpoint));
        let thinker = ModelThinker::new().asking(&model, [Thought::Appraise]);
        let (answer, used) = gathering(thinker.appraise("hello")).await;
        assert!(answer.is_ok(), "{id}: {answer:?}");
        assert_eq!((model.id(), thinker.asks(Thought::Appraise), used[0].model.as_str()), (id, Some(id), id));
    }
}
