//! Compatible APIs: a request does what the client means, and success is never reported for a change that was not made.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Request};
use saegim_core::Principal;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{Answered, Place};

impl Answered {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("{} {}", self.status, self.text))
    }

    /// Returns the texts of a mem0 response, sorted.
    pub(super) fn memories(&self) -> Vec<String> {
        let results = self.json()["results"].as_array().cloned().unwrap_or_else(|| panic!("{}", self.text));
        let mut texts: Vec<String> = results.iter().map(|item| item["memory"].as_str().unwrap().to_owned()).collect();
        texts.sort();
        texts
    }
}

/// Stores a text like a mem0 client and returns the memory id.
pub(super) async fn kept(place: &Place, names: &Value, text: &str) -> String {
    let mut body = json!({ "messages": text, "infer": false });
    body.as_object_mut().unwrap().extend(names.as_object().unwrap().clone());
    let answered = place.ask("owner", ("POST", "/v3/memories/add/", &body.to_string())).await;
    answered.json()["results"][0]["id"].as_str().unwrap_or_else(|| panic!("{}", answered.text)).to_owned()
}

pub(super) async fn listed(place: &Place, filters: Value) -> Vec<String> {
    let body = json!({ "filters": filters }).to_string();
    place.ask("owner", ("POST", "/v3/memories/", &body)).await.memories()
}

pub(super) async fn tool(place: &Place, who: &str, command: Value) -> Answered {
    place.ask(who, ("POST", "/v1/minds/minsu%2Fluna/memory-tool", &command.to_string())).await
}

#[tokio::test]
async fn a_name_in_a_header_selects_one_entity_or_none_and_never_all() {
    let place = Place::new().await;
    let (key, _) =
        place.engine.make_key(Principal::Owner, vec![saegim_core::MindPattern::all()]).await.map(|made| (made.1, made.0)).unwrap();
    for (method, door, body) in [
        ("PUT", "/store/items", r#"{"namespace":["a"],"key":"k","value":{"text":"글"}}"#),
        (
            "POST",
            "/mcp",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_context","arguments":{"message":"안녕"}}}"#,
        ),
        ("POST", "/v1/chat/completions", r#"{"user":"minsu","messages":[{"role":"user","content":"안녕"}]}"#),
    ] {
        for (name, status, user) in [
            ("민지".as_bytes(), 200, Some("민지")),
            (b"%EC%A7%80%EC%9A%B0".as_slice(), 200, Some("지우")),
            (b"\xb9\xce\xc1\xf6".as_slice(), 400, None),
            (b"%EB".as_slice(), 400, None),
        ] {
            let header = if door.contains("completions") { "x-saegim-character" } else { "x-saegim-user" };
            let request =
                Request::builder().method(method).uri(door).header("host", "localhost").header("authorization", format!("Bearer {key}"));
            let request = request.header("content-type", "application/json").header("accept", "application/json, text/event-stream");
            let request = request.header(header, HeaderValue::from_bytes(name).unwrap()).body(Body::from(body)).unwrap();
            let answered = place.router.clone().oneshot(request).await.unwrap();
            let status = if method == "PUT" && status == 200 { 204 } else { status };
            assert_eq!(answered.status(), status, "{door} {name:?}");
            to_bytes(answered.into_body(), 1 << 20).await.unwrap();
            let minds = place.engine.minds().await.unwrap();
            assert!(!minds.iter().any(|mind| mind.key.user() == "me" || mind.key.character() == "assistant" && mind.key.user() == "minsu"));
            if let Some(user) = user {
                assert!(minds.iter().any(|mind| mind.key.user() == user || mind.key.character() == user), "{door} {user}");
            }
        }
    }
}

#[tokio::test]
async fn names_mean_every_mind_they_fit() {
    let place = Place::new().await;
    kept(&place, &json!({ "user_id": "minsu", "agent_id": "luna" }), "루나와 바다에 갔다").await;
    kept(&place, &json!({ "user_id": "minsu" }), "초밥을 좋아한다").await;
    kept(&place, &json!({ "userId": "minsu", "runId": "r1" }), "세션 속 이야기").await;
    for (filters, texts) in [
        (json!({ "user_id": "minsu" }), vec!["루나와 바다에 갔다", "세션 속 이야기", "초밥을 좋아한다"]),
        (json!({ "agent_id": "luna" }), vec!["루나와 바다에 갔다"]),
        (json!({ "run_id": "r1" }), vec!["세션 속 이야기"]),
        (json!({ "app_id": "default" }), vec!["루나와 바다에 갔다", "세션 속 이야기", "초밥을 좋아한다"]),
        (json!({ "AND": [{ "user_id": "minsu" }, { "NOT": [{ "run_id": "r1" }] }] }), vec!["루나와 바다에 갔다", "초밥을 좋아한다"]),
        (json!({ "OR": [{ "agent_id": "luna" }, { "run_id": "r1" }] }), vec!["루나와 바다에 갔다", "세션 속 이야기"]),
        (
            json!({ "user_id": { "in": ["minsu", "jiwoo"] }, "agent_id": "*" }),
            vec!["루나와 바다에 갔다", "세션 속 이야기", "초밥을 좋아한다"],
        ),
    ] {
        assert_eq!(listed(&place, filters.clone()).await, texts, "{filters}");
    }
    let found = place.ask("owner", ("POST", "/search", r#"{"query":"바다","user_id":"minsu"}"#)).await;
    assert!(found.memories().contains(&"루나와 바다에 갔다".to_owned()), "{}", found.text);
    let refused = place.ask("stranger", ("POST", "/v3/memories/", r#"{"filters":{"user_id":"minsu"}}"#)).await;
    assert_eq!(refused.status, 403, "{}", refused.text);
    let unknown = place.ask("owner", ("POST", "/v3/memories/", r#"{"filters":{"user_id":"minsu","mood":"glad"}}"#)).await;
    assert!(unknown.status == 400 && unknown.text.contains("mood"), "{}", unknown.text);
}

#[tokio::test]
async fn what_is_said_to_be_deleted_is() {
    let place = Place::new().await;
    kept(&place, &json!({ "user_id": "minsu", "agent_id": "luna" }), "루나와 바다에 갔다").await;
    kept(&place, &json!({ "user_id": "minsu", "run_id": "r1" }), "세션 속 이야기").await;
    kept(&place, &json!({ "user_id": "minsu" }), "초밥을 좋아한다").await;
    assert_eq!(place.ask("owner", ("DELETE", "/v2/entities/run/r1/", "")).await.status, 200);
    assert_eq!(listed(&place, json!({ "user_id": "minsu" })).await, ["루나와 바다에 갔다", "초밥을 좋아한다"]);
    for (path, status) in [("/entities/bogus/r1", 400), ("/v2/entities/user/never-was/", 200), ("/v2/entities/run/r1/", 404)] {
        assert_eq!(place.ask("owner", ("DELETE", path, "")).await.status, status, "{path}");
    }
    let entities = place.ask("owner", ("GET", "/v1/entities/", "")).await.json();
    let users = entities["results"].as_array().unwrap().iter().filter(|one| one["type"] == "user").count();
    assert_eq!((users, &entities["total_agents"]), (1, &json!(2)), "each once: {entities}");
    for asked in ["user_id=minsu&metadata=x", "user_id=", ""] {
        assert_eq!(place.ask("owner", ("DELETE", &format!("/memories?{asked}"), "")).await.status, 400, "{asked}");
    }
    assert_eq!(place.ask("owner", ("DELETE", "/memories?user_id=minsu", "")).await.status, 200);
    assert_eq!(listed(&place, json!({ "user_id": "minsu" })).await, Vec::<String>::new());
    assert_eq!(place.ask("owner", ("GET", "/v1/entities/", "")).await.json()["count"], 0, "none is left");
    // A client that resets deletes each entity of a list it fetched before.
    assert_eq!(place.ask("owner", ("DELETE", "/v2/entities/user/minsu/", "")).await.status, 200);
    assert_eq!(place.ask("owner", ("DELETE", "/v2/entities/agent/luna/", "")).await.status, 200);
}

#[tokio::test]
async fn a_page_is_one_that_is_there_or_empty() {
    let place = Place::new().await;
    for number in 0..5 {
        kept(&place, &json!({ "user_id": "minsu" }), &format!("{number}번째 산책")).await;
    }
    for (page, count) in [("page=1&page_size=2", 2), ("page=3&page_size=2", 1), ("page=9223372036854775807&page_size=1000", 0)] {
        let answered = place.ask("owner", ("POST", &format!("/v3/memories/?{page}"), r#"{"filters":{"user_id":"minsu"}}"#)).await.json();
        assert_eq!((answered["results"].as_array().unwrap().len(), &answered["count"]), (count, &json!(5)), "{page}");
    }
    let first = place.ask("owner", ("POST", "/v3/memories/?page=2&page_size=2", r#"{"filters":{"user_id":"minsu"}}"#)).await.json();
    assert_eq!(first["next"], "http://localhost:7777/v3/memories/?page=3&page_size=2");
    assert_eq!(first["previous"], "http://localhost:7777/v3/memories/?page=1&page_size=2");
    for page in ["page=0", "page=-1", "page=two", "page_size=0", "page=99999999999999999999999"] {
        let answered = place.ask("owner", ("POST", &format!("/v3/memories/?{page}"), r#"{"filters":{"user_id":"minsu"}}"#)).await;
        assert!(answered.status == 400 && answered.json()["detail"].is_string(), "{page}: {}", answered.text);
    }
}

#[tokio::test]
async fn nothing_of_what_is_added_is_lost_silently() {
    let place = Place::new().await;
    let metadata = json!({ "long": "x".repeat(500), "a=b": "c", "nested": { "k": [1] } });
    let id = kept(&place, &json!({ "user_id": "minsu", "metadata": metadata, "expiration_date": "2099-05-06" }), "등산을 갔다").await;
    let item = place.ask("owner", ("GET", &format!("/v1/memories/{id}/"), "")).await.json();
    assert_eq!((&item["metadata"], &item["expiration_date"]), (&metadata, &json!("2099-05-06")));
    let changed = place.ask("owner", ("PUT", &format!("/v1/memories/{id}/"), r#"{"expiration_date":"2020-01-01"}"#)).await;
    assert_eq!(changed.json()["expiration_date"], "2020-01-01");
    assert_eq!(listed(&place, json!({ "user_id": "minsu" })).await, Vec::<String>::new(), "it is over");
    place.mind("minsu", "assistant").await.tick().await.unwrap();
    assert_eq!(place.ask("owner", ("GET", &format!("/memories/{id}"), "")).await.status, 404);
    let parts = json!({ "user_id": "minsu", "infer": false, "messages": [
        { "role": "user", "content": [{ "type": "text", "text": "수영을 한다" }, { "type": "image_url" }] },
        { "role": "assistant", "content": null },
    ] });
    assert_eq!(place.ask("owner", ("POST", "/memories", &parts.to_string())).await.memories(), ["수영을 한다"]);
    // If one message is invalid, none is stored.
    let long = json!({ "user_id": "minsu", "infer": false, "messages": [
        { "role": "user", "content": "먼저 온 말" }, { "role": "user", "content": "가".repeat(40_000) },
    ] });
    assert_eq!(place.ask("owner", ("POST", "/memories", &long.to_string())).await.status, 400);
    assert_eq!(listed(&place, json!({ "user_id": "minsu" })).await, ["수영을 한다"]);
    for bad in [
        json!({ "metadata": "text" }),
        json!({ "expiration_date": "soon" }),
        json!({ "messages": [5] }),
        json!({ "user_id": ["minsu", "jiwoo"] }),
        json!({ "user_id": "*" }),
    ] {
        let mut body = json!({ "user_id": "minsu", "infer": false, "messages": "글" });
        body.as_object_mut().unwrap().extend(bad.as_object().unwrap().clone());
        assert_eq!(place.ask("owner", ("POST", "/memories", &body.to_string())).await.status, 400, "{bad}");
    }
}

#[tokio::test]
async fn a_batch_is_done_whole_or_not_at_all_and_an_event_is_one_that_happened() {
    let place = Place::new().await;
    let id = kept(&place, &json!({ "user_id": "minsu" }), "처음 글").await;
    let missing = "00000000-0000-7000-8000-000000000000";
    let both = json!({ "memories": [{ "memory_id": id, "text": "바뀐 글" }, { "memory_id": missing, "text": "없는 글" }] }).to_string();
    for method in ["PUT", "DELETE"] {
        assert_eq!(place.ask("owner", (method, "/v1/batch/", &both)).await.status, 404);
        assert_eq!(listed(&place, json!({ "user_id": "minsu" })).await, ["처음 글"], "{method}");
    }
    let added = place.ask("owner", ("POST", "/v3/memories/add/", r#"{"user_id":"minsu","messages":"또 하나","infer":false}"#)).await.json();
    let event = format!("/v1/event/{}/", added["event_id"].as_str().unwrap());
    assert_eq!(place.ask("owner", ("GET", &event, "")).await.json()["results"][0]["id"], added["results"][0]["id"]);
    assert_eq!(place.ask("stranger", ("GET", &event, "")).await.status, 404);
    for event in ["/v1/event/abc/", "/v1/event/done/"] {
        assert_eq!(place.ask("owner", ("GET", event, "")).await.status, 404, "{event}");
    }
}

#[tokio::test]
async fn a_history_tells_what_was_there_then() {
    let place = Place::new().await;
    let id = kept(&place, &json!({ "user_id": "minsu" }), "커피를 좋아한다").await;
    let rewritten = place.ask("agent", ("PUT", &format!("/memories/{id}"), r#"{"text":"차를 좋아한다"}"#)).await;
    assert_eq!(rewritten.status, 200, "{}", rewritten.text);
    assert_eq!(place.ask("owner", ("DELETE", &format!("/memories/{id}"), "")).await.status, 200);
    let history = place.ask("owner", ("GET", &format!("/v1/memories/{id}/history/"), "")).await.json();
    let told: Vec<_> = history.as_array().unwrap().iter().map(|one| (&one["event"], &one["old_memory"], &one["new_memory"])).collect();
    assert_eq!(
        told,
        [
            (&json!("ADD"), &Value::Null, &json!("커피를 좋아한다")),
            (&json!("UPDATE"), &json!("커피를 좋아한다"), &json!("차를 좋아한다")),
            (&json!("DELETE"), &json!("차를 좋아한다"), &Value::Null),
        ]
    );
}

#[tokio::test]
async fn an_agent_makes_anew_what_it_deleted() {
    let place = Place::new().await;
    let item = r#"{"namespace":["a"],"key":"k","value":{"text":"첫 값"}}"#;
    for (method, body, status) in [("PUT", item, 204), ("DELETE", r#"{"namespace":["a"],"key":"k"}"#, 204), ("PUT", item, 204)] {
        let answered = place.ask("agent", (method, "/store/items", body)).await;
        assert_eq!(answered.status, status, "{method}: {}", answered.text);
    }
    assert_eq!(place.ask("agent", ("GET", "/store/items?namespace=a&key=k", "")).await.json()["value"], json!({ "text": "첫 값" }));
    let missing = place.ask("agent", ("GET", "/store/items?namespace=a&key=none", "")).await;
    assert_eq!((missing.status.as_u16(), missing.text.as_str()), (200, "null"), "as LangGraph's own server says");
    let create = json!({ "command": "create", "path": "/memories/n.md", "file_text": "메모\n" });
    for (command, status) in [
        (create.clone(), 200),
        (create.clone(), 409),
        (json!({ "command": "delete", "path": "/memories/n.md" }), 200),
        (create, 200),
        (json!({ "command": "rename", "old_path": "/memories/n.md", "new_path": "/memories/d/m.md" }), 200),
    ] {
        let answered = tool(&place, "agent", command.clone()).await;
        assert_eq!(answered.status, status, "{command}: {}", answered.text);
    }
    let viewed = tool(&place, "agent", json!({ "command": "view", "path": "/memories/d/m.md" })).await.json();
    assert_eq!(viewed["result"], "Here's the content of /memories/d/m.md with line numbers:\n     1\t메모\n     2\t");
}

#[tokio::test]
async fn a_folder_goes_or_moves_whole_or_not_at_all() {
    let place = Place::new().await;
    for number in 0..4 {
        let made = tool(
            &place,
            "agent",
            json!({ "command": "create", "path": format!("/memories/d/{number}.md"), "file_text": format!("글 {number}") }),
        )
        .await;
        assert_eq!(made.status, 200);
    }
    // The owner pins one file, so an agent can neither move nor delete the folder.
    let mind = place.mind("minsu", "luna").await;
    let held = mind.by_external_id("/memories/d/2.md").await.unwrap().unwrap();
    mind.pin(held, saegim_engine::Pinned::Fast).await.unwrap();
    for command in [
        json!({ "command": "delete", "path": "/memories/d" }),
        json!({ "command": "rename", "old_path": "/memories/d", "new_path": "/memories/e" }),
    ] {
        assert_eq!(tool(&place, "agent", command.clone()).await.status, 403, "{command}");
        let viewed = tool(&place, "agent", json!({ "command": "view", "path": "/memories" })).await.json();
        assert_eq!(viewed["result"].as_str().unwrap().matches("/memories/d/").count(), 5, "{viewed}");
    }
    mind.pin(held, saegim_engine::Pinned::Loose).await.unwrap();
    assert_eq!(
        tool(&place, "agent", json!({ "command": "rename", "old_path": "/memories/d", "new_path": "/memories/e/f" })).await.status,
        200
    );
    assert_eq!(tool(&place, "agent", json!({ "command": "delete", "path": "/memories/e" })).await.status, 200);
    assert_eq!(tool(&place, "agent", json!({ "command": "view", "path": "/memories/d" })).await.status, 404);
}

#[tokio::test]
async fn a_model_is_offered_ten_tools_and_can_take_back_its_own_forgetting() {
    let place = Place::new().await;
    let call = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    for (path, count) in [("/mcp", 10), ("/mcp/luna/minsu", 10), ("/mcp?tools=all", 21)] {
        let told = place.ask("agent", ("POST", path, &call("tools/list", json!({})))).await.json();
        let tools = told["result"]["tools"].as_array().unwrap_or_else(|| panic!("{told}"));
        assert_eq!(tools.len(), count, "{path}");
        let update = tools.iter().find(|tool| tool["name"] == "update_memory").unwrap();
        assert_eq!(update["annotations"]["destructiveHint"], true);
    }
    assert_eq!(place.ask("agent", ("POST", "/mcp?tools=some", &call("tools/list", json!({})))).await.status, 400);
    let broken = place.ask("agent", ("POST", "/mcp", "{bad")).await;
    assert!(broken.status == 400 && broken.json()["error"]["code"] == -32700, "{} {}", broken.status, broken.text);
    let mind = place.mind("minsu", "luna").await;
    let id = mind.remember(saegim_engine::Draft::text("우산을 잃어버렸다")).await.unwrap().memory.id.to_string();
    let use_tool = async |name: &str, arguments: Value| {
        let body = call("tools/call", json!({ "name": name, "arguments": arguments }));
        place.ask("agent", ("POST", "/mcp", &body)).await.json()["result"]["isError"].as_bool().unwrap_or(false)
    };
    for (name, arguments, wrong) in [
        ("forget_memory", json!({ "id": id }), false),
        ("restore_memory", json!({ "id": id }), false),
        ("add_memory", json!({ "content": "글", "importance": 9 }), true),
        ("search_memories", json!({ "query": "우산", "limit": 0 }), true),
        ("search_memories", json!({ "query": "우산", "limit": 3 }), false),
        ("get_context", json!({ "message": "우산?", "budget": 1 }), true),
    ] {
        assert_eq!(use_tool(name, arguments.clone()).await, wrong, "{name} {arguments}");
    }
    mind.forget(saegim_core::MemoryId::parse(&id).unwrap(), saegim_engine::Core::Kept).await.unwrap();
    assert!(use_tool("restore_memory", json!({ "id": id })).await, "what the owner let go of is not an agent's to bring back");
}
