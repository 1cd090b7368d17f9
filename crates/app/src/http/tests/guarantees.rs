//! Guarantees for clients: errors with hints, paged lists, conditional changes, and streams that end with their key.

use axum::http::StatusCode;
use futures_util::StreamExt;
use saegim_core::{MindPattern, Principal};
use saegim_engine::Draft;
use serde_json::Value;

use super::Place;

#[tokio::test]
async fn every_problem_says_what_to_do() {
    let place = Place::new().await;
    let mind = place.mind("minsu", "luna").await;
    mind.remember(Draft::text("바닷가에서 조개를 주웠다")).await.unwrap();
    let known = "/v1/minds/minsu%2Fluna";
    let missing = "00000000-0000-7000-8000-000000000000";
    for (who, method, path, body, status, word) in [
        ("owner", "GET", "/nope".to_owned(), "", 404, "/docs"),
        ("owner", "PUT", "/v1/minds".into(), "", 405, "Allow"),
        ("owner", "POST", format!("{known}/recall"), "{}", 422, "/docs"),
        ("owner", "POST", format!("{known}/recall"), "{", 400, "/docs"),
        ("owner", "POST", format!("{known}/recall"), r#"{"query":""}"#, 400, "/docs"),
        ("owner", "POST", format!("{known}/recall"), r#"{"query":"x","limit":0}"#, 400, "/docs"),
        ("owner", "GET", format!("{known}/memories/zzzz"), "", 404, "/v1/minds/{mind}/memories"),
        ("owner", "GET", format!("{known}/memories/{missing}"), "", 404, "/v1/minds/{mind}/memories"),
        ("owner", "GET", format!("{known}/turns/{missing}"), "", 404, "/v1/minds/{mind}/turns"),
        ("owner", "GET", format!("{known}/proposals/{missing}"), "", 404, "/v1/minds/{mind}/proposals"),
        ("owner", "GET", format!("{known}/memories?limit=0"), "", 400, "/docs"),
        ("owner", "GET", format!("{known}/memories?cursor=bad"), "", 400, "next_cursor"),
        ("owner", "GET", format!("{known}/facts?cursor=bad"), "", 400, "next_cursor"),
        ("owner", "GET", format!("{known}/timeline?since=x"), "", 400, "/docs"),
        ("owner", "DELETE", format!("{known}/facts?subject=zzz"), "", 404, "subject"),
        ("owner", "GET", "/v1/minds/minsu%2Funknown".into(), "", 404, "/v1/minds"),
        ("owner", "GET", "/v1/minds/jiwoo%2Fluna".into(), "", 403, "/v1/minds"),
        ("admin", "POST", "/v1/keys".into(), r#"{"principal":"agent"}"#, 403, "owner"),
        ("agent", "GET", "/metrics".into(), "", 403, "owner"),
        ("none", "GET", "/v1/minds".into(), "", 401, "Authorization"),
    ] {
        for (language, korean) in [("en", false), ("ko-KR,ko;q=0.9", true)] {
            let told = place.ask_with(who, (method, &path, body), &[("accept-language", language)]).await;
            assert_eq!(told.status.as_u16(), status, "{method} {path}: {}", told.text);
            let problem: Value = serde_json::from_str(&told.text).unwrap_or_else(|_| panic!("{method} {path}: {}", told.text));
            let hint = problem["hint"].as_str().unwrap_or_else(|| panic!("{method} {path} says nothing of what to do: {}", told.text));
            assert_eq!(hint.chars().any(|letter| ('가'..='힣').contains(&letter)), korean, "{method} {path}: {hint}");
            assert!(korean || hint.contains(word), "{method} {path}: {hint}");
            assert!(!told.text.contains("--context"), "{}", told.text);
        }
    }
    let told = place.ask_with("owner", ("POST", &format!("{known}/recall"), "{}"), &[("content-encoding", "snappy")]).await;
    assert!(told.status == StatusCode::UNSUPPORTED_MEDIA_TYPE && told.text.contains("gzip"), "{}", told.text);
}

#[tokio::test]
async fn a_key_is_written_in_any_case() {
    let place = Place::new().await;
    for scheme in ["Bearer", "bearer", "BEARER", "Token", "token"] {
        let written = format!("{scheme} {}", place.keys["owner"]);
        let told = place.ask_with("none", ("GET", "/v1/minds", ""), &[("authorization", &written)]).await;
        assert_eq!(told.status, StatusCode::OK, "{scheme}");
    }
}

#[tokio::test]
async fn lists_page_by_page_give_everything_once() {
    let place = Place::new().await;
    let mind = place.mind("minsu", "luna").await;
    for _ in 0..3 {
        for thing in ["{fallen}", "{proposal}", "{island}", "{imagination}", "{key}", "{gone}", "{turn}"] {
            place.filled(thing, &mind).await;
        }
    }
    for (subject, value) in [("hobby", "등산"), ("hobby", "낚시"), ("pet", "모찌"), ("residence", "부산")] {
        mind.state(subject, value).await.unwrap();
    }
    for (path, list, id) in [
        ("/v1/minds?", "minds", "id"),
        ("/v1/keys?", "keys", "id"),
        ("/v1/minds/minsu%2Fluna/memories?", "memories", "id"),
        ("/v1/minds/minsu%2Fluna/facts?", "facts", "id"),
        ("/v1/minds/minsu%2Fluna/timeline?turns=true&", "moments", ""),
        ("/v1/minds/minsu%2Fluna/cliff?", "entries", "id"),
        ("/v1/minds/minsu%2Fluna/proposals?", "proposals", "id"),
        ("/v1/minds/minsu%2Fluna/imaginations?", "imaginations", "id"),
        ("/v1/minds/minsu%2Fluna/islands?", "islands", "id"),
        ("/v1/minds/minsu%2Fluna/self/versions?", "versions", "version"),
    ] {
        let ask = async |limit: usize, cursor: Option<&str>| -> Value {
            let cursor = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let told = place.ask("owner", ("GET", &format!("{path}limit={limit}{cursor}"), "")).await;
            assert_eq!(told.status, StatusCode::OK, "{path}: {}", told.text);
            serde_json::from_str(&told.text).unwrap()
        };
        let names = |page: &Value| -> Vec<String> {
            let name = |item: &Value| if id.is_empty() { item.to_string() } else { item[id].to_string() };
            page[list].as_array().unwrap().iter().map(name).collect()
        };
        let whole = ask(1000, None).await;
        assert!(whole["next_cursor"].is_null(), "{path}");
        let mut whole = names(&whole);
        assert!(whole.len() >= 3 || list == "versions", "{path}: {whole:?}");
        let (mut seen, mut next) = (Vec::new(), None::<String>);
        loop {
            let page = ask(2, next.as_deref()).await;
            seen.extend(names(&page));
            next = page["next_cursor"].as_str().map(str::to_owned);
            if next.is_none() {
                break;
            }
        }
        if list == "moments" {
            // Its pages go back in time, but each page is in chronological order.
            (whole, seen) = (sorted(whole), sorted(seen));
        }
        assert_eq!(seen, whole, "{path}");
    }
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_is_made_to_what_was_seen_or_not_at_all() {
    let place = std::sync::Arc::new(Place::new().await);
    let mind = place.mind("minsu", "luna").await;
    let path = place.filled("/v1/minds/{mind}/memories/{memory}", &mind).await;
    let mut edits = tokio::task::JoinSet::new();
    for number in 0..8 {
        let (place, path) = (place.clone(), path.clone());
        edits.spawn(async move {
            let body = format!(r#"{{"content":"고친 글 {number}","rating":3}}"#);
            place.ask_with("owner", ("PATCH", &path, &body), &[("if-match", "\"0\"")]).await.status.as_u16()
        });
    }
    let mut told = edits.join_all().await;
    told.sort_unstable();
    assert_eq!(told, [200, 412, 412, 412, 412, 412, 412, 412]);
    for (method, tag, status) in [
        ("DELETE", "\"0\"", 412),
        ("DELETE", "W/\"1\"", 412),
        ("DELETE", "one", 400),
        ("PATCH", "\"1", 400),
        ("PATCH", "\"0\", \"1\"", 200),
        ("PATCH", "*", 200),
        ("DELETE", "\"7\", \"3\"", 200),
    ] {
        let body = if method == "PATCH" { r#"{"rating":5}"# } else { "" };
        let told = place.ask_with("owner", (method, &path, body), &[("if-match", tag)]).await;
        assert_eq!(told.status.as_u16(), status, "{method} {tag}: {}", told.text);
    }
}

#[tokio::test]
async fn a_key_that_was_ended_hears_nothing_more() {
    let place = Place::new().await;
    let mind = place.mind("minsu", "luna").await;
    let (key, written) = place.engine.make_key(Principal::Agent, vec![MindPattern::parse("minsu/luna").unwrap()]).await.unwrap();
    let authorization = format!("Bearer {written}");
    let headers = [("authorization", authorization.as_str())];
    let response = place.response("none", ("GET", "/v1/minds/minsu%2Fluna/events", ""), &headers).await;
    assert_eq!(response.status(), StatusCode::OK);
    let mut stream = response.into_body().into_data_stream();
    mind.remember(Draft::text("비 오는 날 산책을 했다")).await.unwrap();
    let heard = stream.next().await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&heard).contains("event: "), "{heard:?}");
    place.engine.revoke_key(&key.id).await.unwrap();
    mind.remember(Draft::text("비밀을 들었다")).await.unwrap();
    // Events that were already queued are delivered; later ones are not.
    let secret = mind.head().await.unwrap();
    let mut rest = String::new();
    while let Some(heard) = stream.next().await {
        rest += &String::from_utf8_lossy(&heard.unwrap());
    }
    assert!(!rest.contains(&format!("id: {secret}\n")), "{rest}");
}

#[tokio::test]
async fn names_and_labels_have_their_limits() {
    let place = Place::new().await;
    let (long, many) = ("가".repeat(201), vec!["사람"; 101]);
    let message = serde_json::json!([{ "role": "user", "content": "안녕" }]);
    for (path, body) in [
        ("turns", serde_json::json!({ "messages": message, "place": long })),
        ("turns", serde_json::json!({ "messages": message, "story_time": long })),
        ("turns", serde_json::json!({ "messages": message, "people": many })),
        ("turns", serde_json::json!({ "messages": message, "people": [long] })),
        ("memories", serde_json::json!({ "content": "글", "tags": many })),
        ("memories", serde_json::json!({ "content": "글", "tags": [long] })),
        ("memories", serde_json::json!({ "content": "글", "external_id": long })),
    ] {
        let told = place.ask("owner", ("POST", &format!("/v1/minds/minsu%2Fluna/{path}"), &body.to_string())).await;
        assert_eq!(told.status, StatusCode::BAD_REQUEST, "{path} {body}: {}", told.text);
    }
    let told = place.ask("owner", ("POST", "/v1/keys", r#"{"principal":"worker","minds":["minsu/*"]}"#)).await;
    assert!(told.status == StatusCode::FORBIDDEN && told.text.contains("background worker"), "{}", told.text);
    let told = place.ask("owner", ("POST", "/v1/keys", r#"{"principal":"agent","minds":["minsu/lu*"]}"#)).await;
    assert_eq!(told.status, StatusCode::BAD_REQUEST, "{}", told.text);
}

#[tokio::test]
async fn a_client_that_changes_nothing_still_means_what_it_saw() {
    let place = Place::new().await;
    let mind = place.mind("minsu", "luna").await;
    let id = mind.remember(Draft::text("우산을 샀다")).await.unwrap().memory.id;
    let path = format!("/v1/minds/minsu%2Fluna/memories/{id}");
    for (tag, status) in [("\"0\"", 200), ("\"7\"", 412), ("*", 200)] {
        let told = place.ask_with("owner", ("PATCH", &path, "{}"), &[("if-match", tag)]).await;
        assert_eq!(told.status.as_u16(), status, "{tag}: {}", told.text);
    }
}

#[tokio::test]
async fn a_page_goes_on_though_what_stood_last_is_gone() {
    let place = Place::new().await;
    let mind = place.mind("minsu", "luna").await;
    let mut ids = Vec::new();
    for number in 0..5 {
        let memory = mind.remember(Draft::text(format!("{number}번째로 잊을 것"))).await.unwrap().memory;
        mind.forget(memory.id, saegim_engine::Core::Kept).await.unwrap();
        ids.push(memory.id);
    }
    let asked = async |cursor: Option<&str>| -> Value {
        let more = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let told = place.ask("owner", ("GET", &format!("/v1/minds/minsu%2Fluna/cliff?limit=2{more}"), "")).await;
        serde_json::from_str(&told.text).unwrap_or_else(|_| panic!("{}", told.text))
    };
    let shown = |page: &Value| -> Vec<String> {
        page["entries"].as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
    };
    let first = asked(None).await;
    let (seen, next) = (shown(&first), first["next_cursor"].as_str().unwrap().to_owned());
    for id in &seen {
        mind.restore(saegim_core::MemoryId::parse(id).unwrap()).await.unwrap();
    }
    let second = asked(Some(&next)).await;
    let third = asked(second["next_cursor"].as_str()).await;
    let mut all: Vec<String> = [seen, shown(&second), shown(&third)].concat();
    all.sort();
    let mut expected: Vec<String> = ids.iter().map(ToString::to_string).collect();
    expected.sort();
    assert_eq!(all, expected, "nothing was passed over");
}

#[tokio::test]
async fn a_client_without_a_key_learns_how_to_make_one() {
    let folder = tempfile::tempdir().unwrap();
    let engine = saegim_engine::Engine::open(saegim_engine::Config::local(folder.path().join("mind.db"))).await.unwrap();
    let (server, router) = super::serving(engine.clone(), folder.path(), 1e9);
    let keys = [("none", String::new())].into();
    let place = Place { folder: folder.into(), engine, server, router, keys, made: 0.into() };
    assert_eq!(place.ask("none", ("GET", "/v1/minds", "")).await.status, StatusCode::OK);
    // The server exits before it can show the first key. A key is required from now on, but its value is lost.
    place.engine.make_key(Principal::Owner, Vec::new()).await.unwrap();
    let told: Value = serde_json::from_str(&place.ask("none", ("GET", "/v1/minds", "")).await.text).unwrap();
    assert!(told["status"] == 401 && told["hint"].as_str().unwrap().contains("saegim keys new"), "{told}");
}
