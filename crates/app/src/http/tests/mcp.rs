//! MCP tools: reads change nothing, and a mind that does not exist looks like an empty one.

use serde_json::{Value, json};

use super::Place;

async fn told(place: &Place, path: &str, (method, params): (&str, Value)) -> Value {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    place.ask("agent", ("POST", path, &body.to_string())).await.json()
}

fn tool(name: &str, arguments: Value) -> (&'static str, Value) {
    ("tools/call", json!({ "name": name, "arguments": arguments }))
}

#[tokio::test]
async fn looking_begins_no_mind_and_finds_what_an_empty_one_holds() {
    let place = Place::new().await;
    let _ = place.mind("minsu", "empty").await;
    let id = "00000000-0000-7000-8000-000000000001";
    let never = "/mcp/never/minsu?tools=all";
    for asked in [
        tool("search_memories", json!({ "query": "우산" })),
        tool("get_context", json!({ "message": "나 누구야?" })),
        tool("get_memory", json!({ "id": id })),
        tool("get_memory", json!({ "id": "abcd" })),
        tool("list_proposals", json!({})),
        tool("get_self", json!({})),
        tool("get_islands", json!({})),
        tool("get_facts", json!({ "history": true })),
        tool("get_relationship", json!({})),
        tool("get_zones", json!({})),
        tool("get_timeline", json!({})),
        ("resources/read", json!({ "uri": "saegim://facts" })),
        ("resources/read", json!({ "uri": "saegim://stats" })),
        ("resources/read", json!({ "uri": "saegim://soul" })),
        ("prompts/get", json!({ "name": "with_memory", "arguments": { "message": "안녕" } })),
        // The changes have no memory to apply to.
        tool("update_memory", json!({ "id": id, "content": "새 글" })),
        tool("forget_memory", json!({ "id": id })),
        tool("restore_memory", json!({ "id": id })),
        tool("rate_memory", json!({ "id": id, "stars": 3 })),
        tool("rate_imagination", json!({ "id": id, "liked": true })),
        // Invalid content does not create the mind either.
        tool("add_memory", json!({ "content": " " })),
        tool("add_memory", json!({ "content": "글", "importance": 2 })),
        tool("observe_turns", json!({ "messages": [] })),
        tool("observe_turns", json!({ "messages": [{ "role": "user", "content": "" }] })),
        tool("propose", json!({ "what": "core" })),
    ] {
        let (unbegun, empty) = (told(&place, never, asked.clone()).await, told(&place, "/mcp/empty/minsu?tools=all", asked.clone()).await);
        let same = |told: &Value| told.to_string().replace("never", "empty");
        assert_eq!(same(&unbegun), same(&empty), "{asked:?}");
    }
    assert_eq!(place.engine.minds().await.unwrap().len(), 1, "nothing began");
    for (kept, asked) in [
        (2, tool("add_memory", json!({ "content": "우산을 샀다" }))),
        (3, tool("observe_turns", json!({ "messages": [{ "role": "user", "content": "나 이사했어" }] }))),
    ] {
        let answer = told(&place, &format!("/mcp/never{kept}/minsu"), asked).await;
        assert_eq!((&answer["result"]["isError"], place.engine.minds().await.unwrap().len()), (&json!(false), kept), "{answer}");
    }
}

#[tokio::test]
async fn what_is_no_message_is_refused_as_json_rpc_says_it() {
    let place = Place::new().await;
    let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}{}}}"#, "[".repeat(5000), "]".repeat(5000));
    for (body, code) in [
        ("", -32700),
        ("{bad", -32700),
        (deep.as_str(), -32700),
        ("[]", -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        ("7", -32600),
    ] {
        let told = place.ask("agent", ("POST", "/mcp", body)).await;
        assert_eq!((told.status.as_u16(), &told.json()["error"]["code"]), (400, &json!(code)), "{:.60}: {}", body, told.text);
    }
    let told = place.ask("agent", ("POST", "/mcp", r#"{"jsonrpc":"2.0","id":"가","method":"ping"}"#)).await;
    assert_eq!(told.json(), json!({ "jsonrpc": "2.0", "id": "가", "result": {} }));
}
