//! The proxy stores every user message regardless of the model's answer, and adds nothing to that answer.

use saegim_core::Role;
use saegim_provider::Dialect;
use saegim_provider::mock_server::{Behaviour, MockServer};
use serde_json::{Value, json};

use super::{Answered, Place};

const COMPLETIONS: &str = "/v1/chat/completions";

/// Creates a server whose model is a mock server.
async fn behind(behaviour: Behaviour) -> (Place, MockServer) {
    let (place, stand_in) = (Place::new().await, MockServer::begin(behaviour).await.unwrap());
    let wanted = json!({ "provider": "openai", "name": "tiny", "base_url": stand_in.base(Dialect::OpenAi) });
    let chosen = place.ask("admin", ("PUT", "/v1/thinker", &wanted.to_string())).await;
    assert_eq!(chosen.status, 200, "{}", chosen.text);
    (place, stand_in)
}

impl Place {
    async fn complete(&self, request: &Value) -> Answered {
        let mut request = request.clone();
        request["user"] = json!("minsu");
        self.ask("owner", ("POST", COMPLETIONS, &request.to_string())).await
    }

    /// Returns all turns, oldest first.
    async fn said(&self) -> Vec<(Role, String)> {
        let page = saegim_engine::TurnPage { limit: 100, ..saegim_engine::TurnPage::default() };
        let mut turns = self.mind("minsu", "luna").await.turns(page).await.unwrap();
        turns.sort_by_key(|turn| turn.sequence);
        turns.into_iter().map(|turn| (turn.role, turn.content)).collect()
    }

    async fn ledger_says(&self, word: &str) -> bool {
        self.ask("owner", ("GET", "/v1/minds/minsu%2Fluna/ledger", "")).await.text.contains(word)
    }
}

fn saying(text: &str, stream: bool) -> Value {
    json!({ "model": "any", "stream": stream, "messages": [{ "role": "user", "content": text }] })
}

#[tokio::test]
async fn an_answer_that_says_nothing_is_stood_in_for_and_the_message_is_kept() {
    const NULL: &str = r#"{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":null}}]}"#;
    const MUSED: &str =
        r#"{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":null,"reasoning_content":"Hm."}}]}"#;
    const OPEN: &str =
        r#"{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"<think>SECRET for ever"}}]}"#;
    const BEGUN: &str = r#"{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}"#;
    const THINKS: &str = r#"{"id":"c","choices":[{"index":0,"delta":{"reasoning_content":"Hm."}}]}"#;
    const OPENS: &str = r#"{"id":"c","choices":[{"index":0,"delta":{"content":"<think>SECRET"}}]}"#;
    const ENDS: &str = r#"{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let events: [&'static [&'static str]; 3] =
        [&[BEGUN, ENDS, "[DONE]"], &[BEGUN, THINKS, ENDS, "[DONE]"], &[BEGUN, OPENS, ENDS, "[DONE]"]];
    for (body, events) in [NULL, MUSED, OPEN].into_iter().zip(events) {
        let (place, _model) = behind(Behaviour::Verbatim(body, events)).await;
        let whole = place.complete(&saying("나 어제 제주도에서 돌아왔어", false)).await;
        let told: Value = serde_json::from_str(&whole.text).unwrap();
        let answer = told["choices"][0]["message"]["content"].as_str().unwrap_or_default();
        assert!(whole.status == 200 && !answer.trim().is_empty() && !answer.contains("SECRET"), "{body}: {}", whole.text);
        let streamed = place.complete(&saying("내일은 치과에 가야 해", true)).await;
        assert!(streamed.text.contains("\"finish_reason\":\"stop\"") && streamed.text.contains("[DONE]"), "{}", streamed.text);
        assert!(!streamed.text.contains("SECRET"), "{}", streamed.text);
        let said = place.said().await;
        let words: Vec<&str> = said.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(said.len(), 4, "{said:?}");
        assert_eq!((words[0], words[1], words[2]), ("나 어제 제주도에서 돌아왔어", answer, "내일은 치과에 가야 해"), "{said:?}");
        let heard: String = streamed
            .text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok())
            .filter_map(|event| event["choices"][0]["delta"]["content"].as_str().map(str::to_owned))
            .collect();
        assert_eq!(heard, words[3], "what is kept is what the client heard");
        assert!(place.ledger_says("\"empty\"").await);
    }
}

#[tokio::test]
async fn a_message_answered_by_calling_tools_is_kept_at_once_and_once() {
    const CALLS: &str = r#"{"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,
        "tool_calls":[{"id":"1","type":"function","function":{"name":"weather","arguments":"{}"}}]}}]}"#;
    const CALLED: &str = r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1"}]}}]}"#;
    const ENDS: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#;
    for stream in [false, true] {
        let (place, model) = behind(Behaviour::Verbatim(CALLS, &[CALLED, ENDS, "[DONE]"])).await;
        let asked = place.complete(&saying("제주도 날씨 어때? 나 내일 제주도에 가", stream)).await;
        assert!(asked.status == 200 && asked.text.contains("tool_calls"), "{}", asked.text);
        assert_eq!(place.said().await, [(Role::User, "제주도 날씨 어때? 나 내일 제주도에 가".to_owned())]);
        let with_result = json!({ "model": "any", "stream": stream, "messages": [
            { "role": "user", "content": "제주도 날씨 어때? 나 내일 제주도에 가" },
            { "role": "assistant", "content": null, "tool_calls": [{ "id": "1" }] },
            { "role": "tool", "tool_call_id": "1", "content": "맑음" }] });
        model.behave(if stream { Behaviour::Well } else { Behaviour::Failing });
        assert_eq!(place.complete(&with_result).await.status, 200);
        let said = place.said().await;
        assert_eq!(said.iter().map(|(role, _)| *role).collect::<Vec<_>>(), [Role::User, Role::Assistant], "{said:?}");
    }
}

#[tokio::test]
async fn rules_do_not_replace_what_only_a_model_can_do() {
    for (behaviour, status) in [(Behaviour::Failing, 502), (Behaviour::Limiting(None), 429), (Behaviour::Silent, 503)] {
        let (place, model) = behind(Behaviour::Well).await;
        let gone = behaviour == Behaviour::Silent;
        model.behave(if gone { Behaviour::Failing } else { behaviour });
        if gone {
            drop(model);
        }
        for (field, value) in [("response_format", json!({ "type": "json_object" })), ("tool_choice", json!("required")), ("n", json!(2))] {
            let mut request = saying("나는 부산에 살아", field == "n");
            request[field] = value;
            let refused = place.complete(&request).await;
            assert_eq!(refused.status, status, "{behaviour:?} {field}: {}", refused.text);
            assert!(refused.text.contains("\"error\""), "{}", refused.text);
        }
        assert_eq!(place.said().await, [(Role::User, "나는 부산에 살아".to_owned())], "kept once, and no answer made up");
        let picture = json!({ "model": "any", "messages": [{ "role": "user", "content": [{ "type": "image_url", "image_url": { "url": "data:," } }] }] });
        assert_eq!(place.complete(&picture).await.status, status, "{behaviour:?}");
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_ends_for_length_and_the_ledger_says_so() {
    const PIECE: &str = r#"{"id":"c","choices":[{"index":0,"delta":{"content":"그래, 그건"}}]}"#;
    let (place, _model) = behind(Behaviour::Verbatim("{}", &[PIECE])).await;
    let cut = place.complete(&saying("나 오늘 시험 봤어", true)).await;
    assert!(cut.text.contains("\"finish_reason\":\"length\"") && cut.text.contains("[DONE]"), "{}", cut.text);
    assert_eq!(place.said().await[1], (Role::Assistant, "그래, 그건".to_owned()));
    assert!(place.ledger_says("\"cut\"").await);
}

#[tokio::test]
async fn a_refusal_of_the_server_s_goes_back_as_it_is() {
    let (place, _model) = behind(Behaviour::Plain).await;
    let refused = place
        .complete(
            &json!({ "model": "any", "response_format": { "type": "json_object" }, "messages": [{ "role": "user", "content": "안녕" }] }),
        )
        .await;
    let told: Value = serde_json::from_str(&refused.text).unwrap();
    assert!(refused.status == 400 && told.get("choices").is_none() && told["error"]["type"] == "unsupported", "{}", refused.text);
}

#[tokio::test]
async fn a_message_longer_than_a_turn_is_answered_and_kept_as_far_as_it_goes() {
    let (place, _model) = behind(Behaviour::Well).await;
    let long = format!("나는 부산에 살아. {}\0끝", "가나다라 ".repeat(10_000));
    let answered = place.complete(&saying(&long, false)).await;
    assert_eq!(answered.status, 200, "{:.300}", answered.text);
    let said = place.said().await;
    assert_eq!((said.len(), said[0].1.chars().count() <= saegim_core::LONGEST_CONTENT), (2, true));
    assert!(said[0].1.starts_with("나는 부산에 살아."));
}
