//! Documents: concurrent writers lose no acknowledged write, a name identifies one text, and it stays until the client
//! deletes it.

use std::sync::Arc;

use futures_util::future::join_all;
use saegim_core::{Span, Timestamp};
use saegim_engine::{Edit, Ends, SetClock};
use serde_json::{Value, json};

use super::Place;
use super::compat::tool;

const FILE: &str = "/memories/n.md";

async fn put(place: &Place, key: &str, text: &str, ttl: Option<f64>) -> u16 {
    let item = json!({ "namespace": ["a"], "key": key, "value": { "text": text }, "ttl": ttl }).to_string();
    place.ask("agent", ("PUT", "/store/items", &item)).await.status.as_u16()
}

async fn item(place: &Place, asked: &str) -> Value {
    place.ask("agent", ("GET", &format!("/store/items?namespace=a&{asked}"), "")).await.json()
}

#[tokio::test]
async fn no_edit_that_was_acknowledged_is_lost_between_two_servers_on_one_file() {
    let place = Place::new().await;
    let other = place.beside().await;
    assert_eq!(tool(&place, "agent", json!({ "command": "create", "path": FILE, "file_text": "처음\n" })).await.status, 200);
    let insert = |number: usize| {
        let place = if number.is_multiple_of(2) { &place } else { &other };
        tool(place, "agent", json!({ "command": "insert", "path": FILE, "insert_line": 0, "insert_text": format!("줄 {number}\n") }))
    };
    let replace = |number: usize| {
        let place = if number.is_multiple_of(2) { &place } else { &other };
        tool(
            place,
            "agent",
            json!({ "command": "str_replace", "path": FILE, "old_str": "처음\n", "new_str": format!("처음\n끝 {number}\n") }),
        )
    };
    let (inserted, replaced) = tokio::join!(join_all((0..12).map(insert)), join_all((0..6).map(replace)));
    for answered in inserted.iter().chain(&replaced) {
        assert_eq!(answered.status, 200, "{}", answered.text);
    }
    let viewed = tool(&other, "agent", json!({ "command": "view", "path": FILE })).await.json();
    let text = viewed["result"].as_str().unwrap();
    assert_eq!((text.matches("줄 ").count(), text.matches("끝 ").count()), (12, 6), "{text}");
}

#[tokio::test]
async fn one_name_is_one_text_for_concurrent_writers() {
    let place = Place::new().await;
    let other = place.beside().await;
    let at = |number: usize| if number.is_multiple_of(2) { &place } else { &other };
    let create =
        |number: usize| tool(at(number), "agent", json!({ "command": "create", "path": FILE, "file_text": format!("글 {number}") }));
    let mut made: Vec<u16> = join_all((0..10).map(create)).await.iter().map(|answered| answered.status.as_u16()).collect();
    made.sort_unstable();
    assert_eq!(made, [vec![200], vec![409; 9]].concat());
    let names: Vec<String> = (0..10).map(|number| format!("값 {number}")).collect();
    let kept = join_all(names.iter().enumerate().map(|(number, text)| put(at(number), "k", text, None))).await;
    assert_eq!(kept, vec![204; 10]);
    let mind = place.mind("minsu", "luna").await;
    let page = saegim_engine::Page { limit: 100, before: None };
    assert_eq!(mind.list(&saegim_engine::Filter::default(), page.clone()).await.unwrap().len(), 2, "a file and an item");
    assert_eq!(tool(&other, "agent", json!({ "command": "delete", "path": FILE })).await.status, 200);
    assert_eq!(place.ask("owner", ("DELETE", "/store/items", r#"{"namespace":["a"],"key":"k"}"#)).await.status, 204);
    assert_eq!(mind.list(&saegim_engine::Filter::default(), page).await.unwrap().len(), 0);
    assert_eq!(
        (tool(&place, "agent", json!({ "command": "view", "path": FILE })).await.status.as_u16(), item(&other, "key=k").await),
        (404, Value::Null)
    );
}

#[tokio::test]
async fn a_restored_text_does_not_take_a_used_name() {
    let place = Place::new().await;
    let mind = place.mind("minsu", "luna").await;
    put(&place, "k", "첫 값", None).await;
    let first = mind.by_external_id("store:a\u{1f}k").await.unwrap().unwrap();
    place.ask("agent", ("DELETE", "/store/items", r#"{"namespace":["a"],"key":"k"}"#)).await;
    put(&place, "k", "둘째 값", None).await;
    mind.restore(first).await.unwrap();
    assert_eq!(item(&place, "key=k").await["value"]["text"], "둘째 값");
    assert_eq!(mind.get(first).await.unwrap().external_id, None);
}

#[tokio::test]
async fn what_has_no_end_stays_until_it_is_deleted() {
    let start = Timestamp::parse("2026-01-01T09:00:00Z").unwrap();
    let clock = Arc::new(SetClock::at(start));
    let place = Place::with(|config| config.clock = clock.clone()).await;
    put(&place, "kept", "언제까지나", None).await;
    put(&place, "short", "잠깐", Some(60.0)).await;
    assert_eq!(tool(&place, "agent", json!({ "command": "create", "path": FILE, "file_text": "메모" })).await.status, 200);
    let verbatim = r#"{"user_id":"minsu","agent_id":"luna","messages":"그대로 둘 말","infer":false}"#;
    let added = place.ask("agent", ("POST", "/v3/memories/add/", verbatim)).await.json();
    let mind = place.mind("minsu", "luna").await;
    let memory = mind.get(saegim_core::MemoryId::parse(added["results"][0]["id"].as_str().unwrap()).unwrap()).await.unwrap();
    assert_eq!((memory.tier, memory.expires_at), (saegim_core::Tier::M365, Some(start.plus(Span::days(365)))), "a year, as imports have");
    for days in [1, 40, 130, 400, 800] {
        clock.set(start.plus(Span::days(days)));
        mind.tick().await.unwrap();
        assert_eq!(item(&place, "key=kept").await["value"]["text"], "언제까지나", "after {days} days");
        assert_eq!(tool(&place, "agent", json!({ "command": "view", "path": FILE })).await.status, 200, "after {days} days");
        assert_eq!(item(&place, "key=short").await, Value::Null, "after {days} days");
    }
    // It can be deleted and restored, and still never expires. This gives an agent no right to pin a memory.
    let kept = mind.by_external_id("store:a\u{1f}kept").await.unwrap().unwrap();
    place.ask("agent", ("DELETE", "/store/items", r#"{"namespace":["a"],"key":"kept"}"#)).await;
    let back = mind.restore(kept).await.unwrap();
    assert!(back.is_endless() && !back.pinned);
    assert_eq!(put(&place, "kept", "이제 끝이 있다", Some(5.0)).await, 204);
    assert!(!mind.get(kept).await.unwrap().is_endless());
    mind.edit(kept, Edit { ends: Some(Ends::WhenLetGo), ..Edit::default() }).await.unwrap();
    assert!(mind.get(kept).await.unwrap().is_endless());
}

#[tokio::test]
async fn reading_lets_an_item_live_on_unless_it_is_told_not_to() {
    let start = Timestamp::parse("2026-01-01T09:00:00Z").unwrap();
    let clock = Arc::new(SetClock::at(start));
    let place = Place::with(|config| config.clock = clock.clone()).await;
    let search = |refresh: bool| json!({ "namespace_prefix": ["a"], "refresh_ttl": refresh }).to_string();
    for (key, asked, method, later) in [
        ("one", "key=one".to_owned(), "GET", true),
        ("two", "key=two&refresh_ttl=false".to_owned(), "GET", false),
        ("three", search(true), "POST", true),
        ("four", search(false), "POST", false),
    ] {
        clock.set(start);
        put(&place, key, "잠깐 둘 것", Some(60.0)).await;
        let updated = item(&place, &format!("key={key}&refresh_ttl=false")).await["updated_at"].clone();
        clock.set(start.plus(Span::seconds(50 * 60)));
        match method {
            "GET" => assert_eq!(item(&place, &asked).await["key"], key),
            _ => assert!(place.ask("agent", ("POST", "/store/items/search", &asked)).await.text.contains(key)),
        }
        clock.set(start.plus(Span::seconds(100 * 60)));
        let found = item(&place, &format!("key={key}&refresh_ttl=false")).await;
        assert_eq!(found["key"] == key, later, "{key}: {found}");
        assert!(!later || found["updated_at"] == updated, "reading is no rewriting: {found}");
        place.ask("agent", ("DELETE", "/store/items", &json!({ "namespace": ["a"], "key": key }).to_string())).await;
        // An expired item that is not on the cliff yet is overwritten.
        assert_eq!(put(&place, key, "다시", None).await, 204);
        place.ask("owner", ("DELETE", "/store/items", &json!({ "namespace": ["a"], "key": key }).to_string())).await;
    }
}

#[tokio::test]
async fn a_filter_reads_nested_values_and_an_unknown_one_is_refused() {
    let place = Place::new().await;
    for (key, city, age) in [("민수", "부산", 30), ("지우", "서울", 20)] {
        let value = json!({ "who": { "home": { "city": city }, "age": age } });
        let body = json!({ "namespace": ["store:people", "b"], "key": key, "value": value }).to_string();
        assert_eq!(place.ask("agent", ("PUT", "/store/items", &body)).await.status, 204);
    }
    let search = async |filter: Value| {
        let body = json!({ "namespace_prefix": ["store:people"], "filter": filter }).to_string();
        place.ask("agent", ("POST", "/store/items/search", &body)).await
    };
    for (filter, keys) in [
        (json!({ "who": { "home": { "city": "부산" } } }), vec!["민수"]),
        (json!({ "who": { "age": { "$lt": 25 } } }), vec!["지우"]),
        (json!({ "who": { "age": { "$gte": 20 } } }), vec!["민수", "지우"]),
    ] {
        let found = search(filter.clone()).await.json();
        let items = found["items"].as_array().unwrap();
        assert_eq!(items.iter().map(|item| item["key"].as_str().unwrap()).collect::<Vec<_>>(), keys, "{filter}");
        assert!(items.iter().all(|item| item["namespace"] == json!(["store:people", "b"])), "{found}");
    }
    for filter in [json!({ "who": { "age": { "$in": [20] } } }), json!({ "$or": [] })] {
        assert_eq!(search(filter.clone()).await.status, 400, "{filter}");
    }
    let told = place.ask("agent", ("POST", "/store/namespaces", "{}")).await.json();
    assert_eq!(told["namespaces"], json!([["store:people", "b"]]));
}

#[tokio::test]
async fn reading_or_being_refused_creates_no_mind() {
    let place = Place::new().await;
    for (method, path, body) in [
        ("GET", "/store/items?namespace=a&key=k", ""),
        ("POST", "/store/items/search", "{}"),
        ("POST", "/store/namespaces", "{}"),
        ("DELETE", "/store/items", r#"{"namespace":["a"],"key":"k"}"#),
        ("PUT", "/store/items", r#"{"namespace":[],"key":"k","value":{}}"#),
        ("PUT", "/store/items", r#"{"namespace":["a.b"],"key":"k","value":{}}"#),
        ("PUT", "/store/items", r#"{"namespace":["a"],"key":"k","value":"글"}"#),
        ("POST", "/v1/chat/completions", r#"{"user":"minsu","messages":[]}"#),
        ("POST", "/v1/chat/completions", r#"{"user":"minsu","n":2,"messages":[{"role":"user","content":"안녕"}]}"#),
        ("POST", "/v1/chat/completions", r#"{"user":"minsu","tool_choice":"required","messages":[{"role":"user","content":"안녕"}]}"#),
        ("POST", "/v1/chat/completions", r#"{"user":"minsu","messages":[{"role":"user","content":[{"type":"image_url"}]}]}"#),
        ("POST", "/v1/minds/minsu%2Fluna/memory-tool", r#"{"command":"view","path":"/memories"}"#),
        ("POST", "/v1/minds/minsu%2Fluna/memory-tool", r#"{"command":"delete","path":"/memories/a"}"#),
        ("POST", "/v1/minds/minsu%2Fluna/memory-tool", r#"{"command":"rename","old_path":"/memories/a","new_path":"/memories/b"}"#),
        ("POST", "/v1/minds/minsu%2Fluna/memory-tool", r#"{"command":"create","path":"/etc/passwd","file_text":"x"}"#),
        ("POST", "/v1/minds/minsu%2Fluna/memory-tool", r#"{"command":"nonsense"}"#),
        ("POST", "/v1/minds/minsu%2Fluna/turns", "{}"),
        ("POST", "/v1/minds/minsu%2Fluna/turns", r#"{"messages":[]}"#),
        ("POST", "/v1/minds/minsu%2Fluna/turns", r#"{"messages":[{"role":"user","content":" "}]}"#),
        ("POST", "/v1/minds/minsu%2Fluna/memories", r#"{"content":""}"#),
        ("POST", "/v1/minds/minsu%2Fluna/memories", r#"{"content":"글","importance":7}"#),
        ("POST", "/v1/minds/minsu%2Fluna/chat", r#"{"message":" "}"#),
        ("POST", "/v3/memories/add/", r#"{"user_id":"minsu","messages":[]}"#),
        ("POST", "/v3/memories/add/", r#"{"user_id":"minsu","messages":"글","metadata":7}"#),
    ] {
        place.ask("owner", (method, path, body)).await;
        assert_eq!(place.engine.minds().await.unwrap().len(), 0, "{method} {path} {body}");
    }
}

#[tokio::test]
async fn what_is_only_proposed_is_never_told_as_done() {
    let place = Place::with(|config| config.policy.agent.forgets_a_day = 0).await;
    let id = super::compat::kept(&place, &json!({ "user_id": "minsu", "agent_id": "luna" }), "지우지 못할 말").await;
    put(&place, "k", "값", None).await;
    tool(&place, "agent", json!({ "command": "create", "path": FILE, "file_text": "메모" })).await;
    for (method, path, body) in [
        ("DELETE", "/store/items".to_owned(), r#"{"namespace":["a"],"key":"k"}"#.to_owned()),
        ("POST", "/v1/minds/minsu%2Fluna/memory-tool".into(), json!({ "command": "delete", "path": FILE }).to_string()),
        ("DELETE", format!("/v1/memories/{id}/"), String::new()),
        ("DELETE", format!("/memories/{id}"), String::new()),
        ("DELETE", "/v1/batch/".into(), json!({ "memories": [{ "memory_id": id }] }).to_string()),
    ] {
        let answered = place.ask("agent", (method, &path, &body)).await;
        assert_eq!(answered.status, 403, "{method} {path}: {}", answered.text);
        assert!(answered.json()["detail"].as_str().is_some_and(|why| !why.is_empty()), "{}", answered.text);
    }
    assert_eq!(item(&place, "key=k").await["value"]["text"], "값");
    assert_eq!(tool(&place, "agent", json!({ "command": "view", "path": FILE })).await.status, 200);
}

#[tokio::test]
async fn doors_do_what_comes_under_a_key_once() {
    let place = Place::new().await;
    let headers = [("idempotency-key", "k-1")];
    for (number, (method, path, body)) in [
        ("PUT", "/store/items", r#"{"namespace":["a"],"key":"k","value":{"text":"값"}}"#),
        ("POST", "/v1/minds/minsu%2Fluna/memory-tool", r#"{"command":"create","path":"/memories/n.md","file_text":"메모"}"#),
        (
            "POST",
            "/v1/minds/minsu%2Fluna/memory-tool",
            r#"{"command":"insert","path":"/memories/n.md","insert_line":0,"insert_text":"줄\n"}"#,
        ),
        ("POST", "/v3/memories/add/", r#"{"user_id":"minsu","agent_id":"luna","messages":"하나","infer":false}"#),
        ("POST", "/memories", r#"{"user_id":"minsu","agent_id":"luna","messages":"둘","infer":false}"#),
    ]
    .into_iter()
    .enumerate()
    {
        let key = format!("door-{number}");
        let headers = [("idempotency-key", key.as_str())];
        let first = place.ask_with("agent", (method, path, body), &headers).await;
        let again = place.ask_with("agent", (method, path, body), &headers).await;
        assert!(first.status.is_success(), "{path}: {}", first.text);
        assert_eq!((again.status, again.text), (first.status, first.text), "{path}");
    }
    let mind = place.mind("minsu", "luna").await;
    let page = saegim_engine::Page { limit: 100, before: None };
    assert_eq!(mind.list(&saegim_engine::Filter::default(), page).await.unwrap().len(), 4);
    let viewed = tool(&place, "agent", json!({ "command": "view", "path": FILE })).await.json();
    assert_eq!(viewed["result"].as_str().unwrap().matches('줄').count(), 1);
    // An erased memory is not returned again, and the request is not executed again.
    let added = place
        .ask_with(
            "agent",
            ("POST", "/v3/memories/add/", r#"{"user_id":"minsu","agent_id":"luna","messages":"셋","infer":false}"#),
            &headers,
        )
        .await;
    let id = saegim_core::MemoryId::parse(added.json()["results"][0]["id"].as_str().unwrap()).unwrap();
    mind.erase_memory(id).await.unwrap();
    let again = place
        .ask_with(
            "agent",
            ("POST", "/v3/memories/add/", r#"{"user_id":"minsu","agent_id":"luna","messages":"셋","infer":false}"#),
            &headers,
        )
        .await;
    assert!(again.status == 409 && !again.text.contains('셋'), "{} {}", again.status, again.text);
    let asked = ("POST", "/v1/minds/minsu%2Fluna/memories", r#"{"content":"지워질 글"}"#);
    let first = place.ask_with("owner", asked, &headers).await.json();
    mind.erase_memory(saegim_core::MemoryId::parse(first["id"].as_str().unwrap()).unwrap()).await.unwrap();
    let again = place.ask_with("owner", asked, &headers).await;
    assert!(again.status == 409 && again.text.contains("already processed"), "{} {}", again.status, again.text);
}

#[tokio::test]
async fn a_folder_stays_when_its_last_file_goes() {
    let place = Place::new().await;
    let run = async |command: Value| tool(&place, "agent", command).await;
    for path in ["a/하나.md", "b/c/둘.md"] {
        let made = run(json!({ "command": "create", "path": format!("/memories/{path}"), "file_text": "글" })).await;
        assert_eq!(made.status, 200, "{}", made.text);
    }
    let shown = async |path: &str| -> Vec<String> {
        let viewed = run(json!({ "command": "view", "path": path })).await.json();
        let lines = viewed["result"].as_str().unwrap_or_else(|| panic!("{viewed}")).lines().skip(1);
        lines.map(|line| line.split_once('\t').unwrap().1.to_owned()).collect()
    };
    for (command, path, left) in [
        (json!({ "command": "delete", "path": "/memories/a/하나.md" }), "/memories/a", vec!["/memories/a"]),
        (
            json!({ "command": "rename", "old_path": "/memories/b/c/둘.md", "new_path": "/memories/둘.md" }),
            "/memories",
            vec!["/memories", "/memories/a/", "/memories/b/", "/memories/b/c/", "/memories/둘.md"],
        ),
        (
            json!({ "command": "rename", "old_path": "/memories/b", "new_path": "/memories/a/d" }),
            "/memories/a",
            vec!["/memories/a", "/memories/a/d/", "/memories/a/d/c/"],
        ),
        (json!({ "command": "delete", "path": "/memories/a/d" }), "/memories/a", vec!["/memories/a"]),
        (json!({ "command": "delete", "path": "/memories/a" }), "/memories", vec!["/memories", "/memories/둘.md"]),
    ] {
        let done = run(command.clone()).await;
        assert_eq!((done.status.as_u16(), shown(path).await), (200, left.into_iter().map(str::to_owned).collect()), "{command}");
    }
    assert_eq!(run(json!({ "command": "view", "path": "/memories/a" })).await.status, 404);
}
