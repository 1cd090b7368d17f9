//! mem0 filters other than ids: each is evaluated or refused.

use serde_json::{Value, json};

use super::Place;
use super::compat::{kept, listed, tool};

async fn asked(place: &Place, path: &str, body: Value) -> super::Answered {
    place.ask("owner", ("POST", path, &body.to_string())).await
}

#[tokio::test]
async fn everything_a_reading_request_says_counts_or_is_refused() {
    let place = Place::new().await;
    let names = json!({ "user_id": "minsu", "agent_id": "luna" });
    for (text, timestamp, metadata) in [
        ("초밥을 좋아한다", json!(1_700_000_000), json!({ "topic": { "kind": "food", "rank": 1 } })),
        ("피자를 좋아한다", json!("2025-03-04"), json!({ "topic": { "kind": "food", "rank": 2 } })),
        ("등산을 좋아한다", json!("2025-03-05T10:00:00Z"), json!({ "topic": { "kind": "sport" } })),
    ] {
        let mut names = names.clone();
        names.as_object_mut().unwrap().extend(json!({ "timestamp": timestamp, "metadata": metadata }).as_object().unwrap().clone());
        kept(&place, &names, text).await;
    }
    let filters = json!({ "user_id": "minsu" });
    for (more, texts) in [
        (json!({}), vec!["등산을 좋아한다", "초밥을 좋아한다", "피자를 좋아한다"]),
        (json!({ "start_date": "2025-03-05" }), vec!["등산을 좋아한다"]),
        (json!({ "end_date": "2025-03-04" }), vec!["초밥을 좋아한다", "피자를 좋아한다"]),
        (json!({ "start_date": "2025-01-01", "end_date": "2025-03-04" }), vec!["피자를 좋아한다"]),
        (json!({ "endDate": "2024-01-01T00:00:00Z" }), vec!["초밥을 좋아한다"]),
        (json!({ "metadata": { "topic": { "kind": "food" } } }), vec!["초밥을 좋아한다", "피자를 좋아한다"]),
        (json!({ "metadata": { "topic": { "kind": "food", "rank": { "gte": 2 } } } }), vec!["피자를 좋아한다"]),
        (json!({ "categories": ["health"] }), vec![]),
        (json!({ "latest_only": true, "show_expired": false }), vec!["등산을 좋아한다", "초밥을 좋아한다", "피자를 좋아한다"]),
    ] {
        let mut body = json!({ "filters": filters });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(asked(&place, "/v3/memories/", body.clone()).await.memories(), texts, "{more}");
        body["query"] = json!("좋아한다");
        body["top_k"] = json!(50);
        assert_eq!(asked(&place, "/v3/memories/search/", body).await.memories(), texts, "search: {more}");
    }
    assert_eq!(listed(&place, json!({ "user_id": "minsu", "metadata": { "topic": { "kind": "sport" } } })).await, ["등산을 좋아한다"]);
    for bad in [
        json!({ "start_date": "someday" }),
        json!({ "end_date": 5 }),
        json!({ "show_expired": "maybe" }),
        json!({ "fields": 7 }),
        json!({ "only_mine": true }),
        json!({ "metadata": "food" }),
    ] {
        let mut body = json!({ "filters": filters, "query": "좋아한다" });
        body.as_object_mut().unwrap().extend(bad.as_object().unwrap().clone());
        for path in ["/v3/memories/", "/v3/memories/search/"] {
            assert_eq!(asked(&place, path, body.clone()).await.status, 400, "{path} {bad}");
        }
    }
    let few =
        asked(&place, "/v3/memories/", json!({ "filters": filters, "fields": ["memory", "created_at"], "start_date": "2025-03-05" })).await;
    let item = few.json()["results"][0].clone();
    assert_eq!(item.as_object().unwrap().keys().collect::<Vec<_>>(), ["created_at", "id", "memory"], "{item}");
    assert_eq!(item["created_at"], "2025-03-05T10:00:00.000Z");
}

#[tokio::test]
async fn when_it_was_said_can_be_told_and_corrected() {
    let place = Place::new().await;
    let id = kept(&place, &json!({ "user_id": "minsu", "timestamp": 1_500_000_000 }), "오래전에 한 말").await;
    let shown = |id: String| {
        let place = &place;
        async move { place.ask("owner", ("GET", &format!("/v1/memories/{id}/"), "")).await.json() }
    };
    assert_eq!(shown(id.clone()).await["created_at"], "2017-07-14T02:40:00.000Z");
    let rewritten = place.ask("owner", ("PUT", &format!("/v1/memories/{id}/"), r#"{"timestamp":"2018-01-02T03:04:05Z"}"#)).await;
    assert_eq!((rewritten.status.as_u16(), &rewritten.json()["created_at"]), (200, &json!("2018-01-02T03:04:05.000Z")));
    assert_eq!(place.ask("owner", ("PUT", &format!("/v1/memories/{id}/"), r#"{"timestamp":"never"}"#)).await.status, 400);
    let body = r#"{"user_id":"minsu","agent_id":"sol","timestamp":1500000000,"messages":"나는 부산에 살아"}"#;
    assert_eq!(place.ask("owner", ("POST", "/v3/memories/add/", body)).await.status, 200);
    let turns = place.ask("owner", ("GET", "/v1/minds/minsu%2Fsol/turns", "")).await.json();
    assert_eq!(turns["turns"][0]["at"], "2017-07-14T02:40:00.000Z", "{turns}");
}

#[tokio::test]
async fn what_is_named_twice_goes_once_and_files_and_items_are_no_memories() {
    let place = Place::new().await;
    let id = kept(&place, &json!({ "user_id": "minsu", "agent_id": "luna" }), "한 번만 지울 말").await;
    let item = r#"{"namespace":["a"],"key":"k","value":{"text":"항목 속의 말"}}"#;
    assert_eq!(place.ask("owner", ("PUT", "/store/items", item)).await.status, 204);
    assert_eq!(
        tool(&place, "owner", json!({ "command": "create", "path": "/memories/n.md", "file_text": "파일 속의 말" })).await.status,
        200
    );
    assert_eq!(listed(&place, json!({ "user_id": "minsu" })).await, ["한 번만 지울 말"]);
    let found = asked(&place, "/v3/memories/search/", json!({ "query": "말", "filters": { "user_id": "minsu" } })).await;
    assert_eq!(found.memories(), ["한 번만 지울 말"]);
    let mind = place.mind("minsu", "luna").await;
    let file = mind.by_external_id("/memories/n.md").await.unwrap().unwrap();
    assert_eq!(place.ask("owner", ("DELETE", &format!("/v1/memories/{file}/"), "")).await.status, 404);
    let twice = json!({ "memories": [{ "memory_id": id }, { "memory_id": id }] }).to_string();
    let gone = place.ask("owner", ("DELETE", "/v1/batch/", &twice)).await;
    assert_eq!((gone.status.as_u16(), &gone.json()["message"]), (200, &json!("Successfully deleted 1 memories")), "{}", gone.text);
    assert_eq!(place.ask("owner", ("DELETE", "/v1/memories/?user_id=minsu", "")).await.status, 200);
    assert_eq!(tool(&place, "owner", json!({ "command": "view", "path": "/memories/n.md" })).await.status, 200, "a file stays");
}

#[tokio::test]
async fn a_history_tells_what_was_there_before_its_owner_rewrote_it() {
    let place = Place::new().await;
    let id = kept(&place, &json!({ "user_id": "minsu" }), "커피를 좋아한다").await;
    for text in ["차를 좋아한다", "물을 좋아한다"] {
        let rewritten = place.ask("owner", ("PUT", &format!("/v1/memories/{id}/"), &json!({ "text": text }).to_string())).await;
        assert_eq!(rewritten.status, 200, "{}", rewritten.text);
    }
    let history = place.ask("owner", ("GET", &format!("/v1/memories/{id}/history/"), "")).await.json();
    let told: Vec<_> = history.as_array().unwrap().iter().map(|one| (&one["event"], &one["old_memory"], &one["new_memory"])).collect();
    assert_eq!(
        told,
        [
            (&json!("ADD"), &Value::Null, &json!("커피를 좋아한다")),
            (&json!("UPDATE"), &json!("커피를 좋아한다"), &json!("차를 좋아한다")),
            (&json!("UPDATE"), &json!("차를 좋아한다"), &json!("물을 좋아한다")),
        ]
    );
}

#[tokio::test]
async fn a_history_that_is_gone_is_reported() {
    let place = Place::new().await;
    let id = kept(&place, &json!({ "user_id": "minsu", "agent_id": "luna" }), "커피를 좋아한다").await;
    // An owner's edit on the web page overwrites the previous text; an agent's edit does not.
    for (who, text) in [("owner", "차를 좋아한다"), ("agent", "물을 좋아한다")] {
        let path = format!("/v1/minds/minsu%2Fluna/memories/{id}");
        assert_eq!(place.ask(who, ("PATCH", &path, &json!({ "content": text }).to_string())).await.status, 200);
    }
    assert_eq!(place.ask("owner", ("DELETE", &format!("/v1/memories/{id}/"), "")).await.status, 200);
    let mind = place.mind("minsu", "luna").await;
    mind.restore(saegim_core::MemoryId::parse(&id).unwrap()).await.unwrap();
    let history = place.ask("owner", ("GET", &format!("/v1/memories/{id}/history/"), "")).await.json();
    let texts = |one: &Value| ["event", "old_memory", "new_memory"].map(|name| one[name].as_str().map(str::to_owned));
    let told: Vec<_> = history.as_array().unwrap().iter().map(|one| (texts(one), one["note"].is_string())).collect();
    let step = |event: &str, old: Option<&str>, new: Option<&str>| [Some(event), old, new].map(|text| text.map(str::to_owned));
    let (tea, water) = (Some("차를 좋아한다"), Some("물을 좋아한다"));
    assert_eq!(
        told,
        [
            (step("ADD", None, None), true),
            (step("UPDATE", None, tea), true),
            (step("UPDATE", tea, water), false),
            (step("DELETE", water, None), false),
            (step("ADD", None, water), false),
        ]
    );
}

#[tokio::test]
async fn clients_of_the_years_before_are_answered_at_their_addresses() {
    let place = Place::new().await;
    let add = json!({ "messages": [{ "role": "user", "content": "등산을 좋아한다" }], "user_id": "minsu", "infer": false, "output_format": "v1.1", "async_mode": true });
    let added = asked(&place, "/v1/memories/", add).await;
    assert_eq!((added.status.as_u16(), &added.json()["results"][0]["memory"]), (200, &json!("등산을 좋아한다")), "{}", added.text);
    for (path, body) in [
        ("/v2/memories/", json!({ "filters": { "user_id": "minsu" } })),
        ("/v2/memories/search/", json!({ "query": "등산", "filters": { "AND": [{ "user_id": "minsu" }] }, "top_k": 5 })),
    ] {
        assert_eq!(asked(&place, path, body).await.memories(), ["등산을 좋아한다"], "{path}");
    }
    kept(&place, &json!({ "user_id": "minsu" }), "수영을 좋아한다").await;
    let page = asked(&place, "/v2/memories/?page=1&page_size=1", json!({ "filters": { "user_id": "minsu" } })).await.json();
    assert!(page["next"].as_str().unwrap().ends_with("/v2/memories/?page=2&page_size=1"), "{page}");
}

#[tokio::test]
async fn what_was_only_imagined_is_no_memory_to_clients_that_cannot_tell() {
    let place = Place::new().await;
    let names = json!({ "user_id": "minsu", "agent_id": "luna" });
    kept(&place, &names, "제주에서 귤을 샀다").await;
    let mind = place.mind("minsu", "luna").await;
    mind.imagine(saegim_engine::Imagining { trigger: None, context: None }).await.unwrap();
    assert_eq!(listed(&place, names).await, ["제주에서 귤을 샀다"]);
    let found = asked(&place, "/v3/memories/search/", json!({ "query": "제주 귤", "filters": { "user_id": "minsu" } })).await;
    assert_eq!(found.memories(), ["제주에서 귤을 샀다"]);
    assert_eq!(place.ask("owner", ("DELETE", "/v1/memories/?user_id=minsu", "")).await.status, 200);
    let left = mind.list(&saegim_engine::Filter::default(), saegim_engine::Page { limit: 10, before: None }).await.unwrap();
    assert!(left.is_empty(), "who deletes all deletes that, too: {left:?}");
}

#[tokio::test]
async fn a_threshold_counts_or_is_refused() {
    let place = Place::new().await;
    kept(&place, &json!({ "user_id": "minsu" }), "초밥을 좋아한다").await;
    for (threshold, status, found) in [
        (json!(null), 200, 1),
        (json!(0.1), 200, 1),
        (json!("0.1"), 200, 1),
        (json!(1.5), 200, 0),
        (json!("1.5"), 200, 0),
        (json!("much"), 400, 0),
        (json!([1]), 400, 0),
    ] {
        let body = json!({ "query": "초밥", "filters": { "user_id": "minsu" }, "threshold": threshold });
        let told = asked(&place, "/v3/memories/search/", body).await;
        let count = told.json()["results"].as_array().map_or(0, Vec::len);
        assert_eq!((told.status.as_u16(), count), (status, found), "{threshold}: {}", told.text);
    }
}
