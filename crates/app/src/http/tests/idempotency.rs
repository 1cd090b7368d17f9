//! Idempotency: every repeated write with the same key returns the first response.

use axum::http::StatusCode;
use saegim_core::{Hash, MemoryId};
use saegim_engine::{EarlierRequest, Request};
use serde_json::Value;

use super::Place;

fn plain(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[tokio::test]
async fn every_write_under_a_key_is_done_once() {
    let place = Place::new().await;
    let mind = place.mind("minsu", "luna").await;
    for (number, (method, path, body)) in [
        ("POST", "/v1/minds", r#"{"user":"minsu","character":"other{number}"}"#),
        ("PATCH", "/v1/minds/{mind}/memories/{memory}", r#"{"rating":4}"#),
        ("DELETE", "/v1/minds/{mind}/memories/{memory}", ""),
        ("DELETE", "/v1/minds/{mind}/memories/{memory}?erase=true", ""),
        ("POST", "/v1/minds/{mind}/memories/{fallen}/restore", ""),
        ("POST", "/v1/minds/{mind}/imaginations", "{}"),
        ("POST", "/v1/minds/{mind}/imaginations/{imagination}/feedback", r#"{"liked":true}"#),
        ("POST", "/v1/minds/{mind}/islands", r#"{"name":"섬 {number}","founding":["{founding}"]}"#),
        ("PATCH", "/v1/minds/{mind}/islands/{island}", r#"{"name":"이름 {number}"}"#),
        ("DELETE", "/v1/minds/{mind}/islands/{island}", ""),
        ("POST", "/v1/minds/{mind}/proposals", r#"{"what":"core","memory":"{memory}"}"#),
        ("POST", "/v1/minds/{mind}/proposals/{proposal}/approve", r#"{"digest":"{digest}"}"#),
        ("POST", "/v1/minds/{mind}/proposals/{proposal}/reject", r#"{"digest":"{digest}"}"#),
        ("PUT", "/v1/minds/{mind}/facts", r#"{"subject":"residence","value":"부산 {number}"}"#),
        ("PATCH", "/v1/minds/{mind}/turns/{turn}", r#"{"content":"다시 말하면 {number}"}"#),
        ("DELETE", "/v1/minds/{mind}/turns/{turn}", ""),
        ("DELETE", "/v1/minds/{mind}/webhooks/{webhook}", ""),
        ("DELETE", "/v1/keys/{key}", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let text = place.filled(&format!("{path}|{body}"), &mind).await;
        let (path, body) = text.split_once('|').unwrap();
        let key = format!("write {number}").replace(' ', "-");
        let headers = [("idempotency-key", key.as_str())];
        let first = place.ask_with("owner", (method, path, body), &headers).await;
        assert!(first.status.is_success(), "{method} {path}: {} {}", first.status, first.text);
        let again = place.ask_with("owner", (method, path, body), &headers).await;
        assert_eq!((again.status, plain(&again.text)), (first.status, plain(&first.text)), "{method} {path}");
        let another = format!("{path}{}another=1", if path.contains('?') { "&" } else { "?" });
        let other = place.ask_with("owner", (method, &another, body), &headers).await;
        assert_eq!(other.status, StatusCode::CONFLICT, "another request under the same key: {method} {path}");
    }
}

#[tokio::test]
async fn what_was_refused_may_be_tried_again_and_keys_are_each_ones_own() {
    let place = Place::new().await;
    let mind = place.mind("minsu", "luna").await;
    let path = place.filled("/v1/minds/{mind}/memories/{memory}", &mind).await;
    let headers = [("idempotency-key", "k-1")];
    let asked = ("PATCH", path.as_str(), r#"{"pinned":true}"#);
    assert_eq!(place.ask_with("agent", asked, &headers).await.status, StatusCode::FORBIDDEN);
    assert_eq!(place.ask_with("owner", asked, &headers).await.status, StatusCode::OK, "somebody else's key of the same name");
    assert_eq!(place.ask_with("agent", asked, &headers).await.status, StatusCode::FORBIDDEN, "and the answer was not theirs");
    // Erased data also disappears from stored responses, and the request is still not executed again.
    let other = place.filled("/v1/minds/{mind}/memories/{memory}?erase=true", &mind).await;
    assert_eq!(place.ask("owner", ("DELETE", &other, "")).await.status, StatusCode::OK);
    let again = place.ask_with("owner", asked, &headers).await;
    assert!(again.status == StatusCode::CONFLICT && again.text.contains("already processed"), "{}", again.text);
}

#[tokio::test]
async fn what_was_written_before_the_server_ended_is_told_and_not_done_again() {
    let place = Place::new().await;
    let mind = place.mind("minsu", "luna").await;
    let path = place.filled("/v1/minds/{mind}/memories/{memory}", &mind).await;
    let memory = MemoryId::parse(path.rsplit('/').next().unwrap()).unwrap();
    let who = place.engine.key_of(&place.keys["owner"]).await.unwrap().unwrap().id;
    let body = r#"{"rating":4}"#;
    let whom = "\nx-saegim-userminsu\nx-saegim-characterluna";
    let digest = Hash::of(format!("PATCH {path}\n{body}{whom}").as_bytes());
    let begun = |key: &str| Request { who: who.clone(), mind: Some(mind.id()), key: key.into(), digest };
    let again = async |key: &str| place.ask_with("owner", ("PATCH", &path, body), &[("idempotency-key", key)]).await;
    // The request committed, but the process exited before it sent the response.
    let request = begun("cut-off");
    assert_eq!(place.engine.ask(&request).await.unwrap(), EarlierRequest::Never);
    mind.clone().under_request(&request).mark_used(&[memory]).await.unwrap();
    let answer = again("cut-off").await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text);
    let told = plain(&answer.text);
    assert_eq!((&told["written"], &told["entries"][0]["operation"]), (&true.into(), &"recall".into()), "{told}");
    assert_eq!(told["entries"].as_array().unwrap().len(), 1, "{told}");
    assert_eq!(mind.get(memory).await.unwrap().rating, None, "it was not done a second time");
    // Nothing was committed: the request may still be running.
    assert_eq!(place.engine.ask(&begun("begun")).await.unwrap(), EarlierRequest::Never);
    assert_eq!(again("begun").await.status, StatusCode::CONFLICT);
    // An answered request is repeated as usual.
    assert_eq!(again("whole").await.status, StatusCode::OK);
    assert_eq!(again("whole").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_secret_is_shown_once_and_is_in_no_answer_that_is_kept() {
    let place = Place::new().await;
    let _ = place.mind("minsu", "luna").await;
    for (path, body, secret) in [
        ("/v1/keys", r#"{"principal":"agent","minds":["minsu/luna"]}"#, "key"),
        ("/v1/minds/minsu%2Fluna/webhooks", r#"{"url":"https://example.org/hook"}"#, "secret"),
    ] {
        let headers = [("idempotency-key", "k-2")];
        let first = plain(&place.ask_with("owner", ("POST", path, body), &headers).await.text);
        let again = place.ask_with("owner", ("POST", path, body), &headers).await;
        assert_eq!((again.status, &plain(&again.text)["id"]), (StatusCode::CREATED, &first["id"]), "{path}");
        assert!(first[secret].is_string() && plain(&again.text)[secret].is_null(), "{path}: {}", again.text);
    }
}

#[tokio::test]
async fn a_chat_under_a_key_is_answered_again_with_the_same_words() {
    let place = Place::new().await;
    let headers = [("idempotency-key", "chat-1")];
    let path = "/v1/minds/minsu%2Fluna/chat";
    let ask = |message: &'static str| place.ask_with("agent", ("POST", path, message), &headers);
    let said = |text: &str, name: &str| -> Vec<Value> {
        let mut lines = text.lines();
        let mut found = Vec::new();
        while let Some(line) = lines.next() {
            if line == format!("event: {name}") {
                found.push(plain(lines.next().unwrap().trim_start_matches("data: ")));
            }
        }
        found
    };
    let first = ask(r#"{"message":"나는 부산에 살아"}"#).await;
    let again = ask(r#"{"message":"나는 부산에 살아"}"#).await;
    assert_eq!((first.status, again.status), (StatusCode::OK, StatusCode::OK), "{}", again.text);
    for name in ["token", "face", "done"] {
        assert!(!said(&first.text, name).is_empty(), "{name}: {}", first.text);
        assert_eq!(said(&first.text, name), said(&again.text, name), "{name}");
    }
    let ids =
        |text: &str| said(text, "memory_update")[0]["turns"].as_array().unwrap().iter().map(|turn| turn["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&first.text), ids(&again.text));
    assert_eq!(ask(r#"{"message":"다른 말"}"#).await.status, StatusCode::CONFLICT);
    let turns = plain(&place.ask("owner", ("GET", "/v1/minds/minsu%2Fluna/turns", "")).await.text);
    assert_eq!(turns["turns"].as_array().unwrap().len(), 2);
    // The OpenAI-compatible API behaves the same.
    let asked =
        ("POST", "/v1/chat/completions", r#"{"model":"saegim","user":"minsu","messages":[{"role":"user","content":"나는 부산에 살아"}]}"#);
    let headers = [("idempotency-key", "chat-2")];
    let answer = |text: &str| plain(text)["choices"][0]["message"]["content"].clone();
    let first = place.ask_with("agent", asked, &headers).await;
    let again = place.ask_with("agent", asked, &headers).await;
    assert_eq!((again.status, answer(&again.text)), (StatusCode::OK, answer(&first.text)), "{}", again.text);
}
