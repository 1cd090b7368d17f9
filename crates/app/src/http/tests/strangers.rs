//! Pages of other sites, addresses nobody can read, and connections that never read what they asked for.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};

use super::Place;

const PAGE: &str = "https://game.example";

#[tokio::test]
async fn a_page_that_may_ask_is_let_by_its_browser_and_no_other_is() {
    let place = Place::new().await;
    let asked = |origin: &'static str, method: &'static str, path: &'static str| {
        let place = &place;
        async move {
            let headers = [
                ("origin", origin),
                ("access-control-request-method", "PATCH"),
                ("access-control-request-headers", "authorization, content-type, idempotency-key"),
                ("sec-fetch-site", "cross-site"),
            ];
            let response = place.response(if method == "OPTIONS" { "nobody" } else { "owner" }, (method, path, ""), &headers).await;
            let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
            let vary = response.headers().get_all("vary").iter().any(|value| value.to_str().unwrap().contains("origin"));
            let allowed = (header("access-control-allow-origin"), header("access-control-allow-headers"));
            (response.status().as_u16(), allowed, header("cross-origin-resource-policy").unwrap(), vary)
        }
    };
    let headers = Some("authorization, content-type, idempotency-key".to_owned());
    let preflight = asked(PAGE, "OPTIONS", "/v1/minds/minsu%2Fluna/memories/x").await;
    assert_eq!(preflight, (204, (Some(PAGE.to_owned()), headers), "cross-origin".into(), true));
    for (path, status) in [("/v1/minds", 200), ("/nope", 404)] {
        let read = asked(PAGE, "GET", path).await;
        assert_eq!(read, (status, (Some(PAGE.to_owned()), None), "cross-origin".into(), true), "{path}");
    }
    for origin in ["https://evil.example", "https://game.example.evil", "http://game.example", "null"] {
        for method in ["OPTIONS", "GET"] {
            let refused = asked(origin, method, "/v1/minds").await;
            assert_eq!(refused, (403, (None, None), "same-origin".into(), true), "{method} {origin}");
        }
    }
    let own = place.response("owner", ("GET", "/v1/minds", ""), &[("origin", "http://localhost:7777")]).await;
    assert!(own.status() == StatusCode::OK && !own.headers().contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn an_address_nobody_can_read_is_a_problem_like_any_other() {
    let place = Place::new().await;
    let _ = place.mind("minsu", "luna").await;
    for (method, path) in [
        ("GET", "/v1/minds/%ff"),
        ("GET", "/v1/minds/minsu%2Fluna/memories/%ff"),
        ("DELETE", "/v1/minds/minsu%2Fluna/memories/%ff"),
        ("POST", "/v1/minds/%ff/turns"),
        ("POST", "/v1/minds/%ff/memory-tool"),
        ("POST", "/mcp/%ff/minsu"),
        ("GET", "/page/%ff"),
        ("DELETE", "/v1/keys/%ff"),
    ] {
        let response = place.response("owner", (method, path, "{}"), &[]).await;
        let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned()).unwrap_or_default();
        let (status, body) = (response.status(), axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap());
        assert_eq!((status, kind.as_str()), (StatusCode::BAD_REQUEST, "application/problem+json"), "{method} {path}: {body:?}");
        assert!(serde_json::from_slice::<Value>(&body).unwrap()["hint"].is_string());
    }
    for path in ["/memories/%ff", "/v1/memories/%ff/"] {
        assert_eq!(place.ask("owner", ("GET", path, "")).await.status, 400, "{path}");
    }
}

/// Asks for so much that no buffer holds it, and reads nothing of it.
async fn never_reading(address: std::net::SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let many = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(400);
    stream.write_all(&many).await.unwrap();
    stream
}

async fn is_well(address: std::net::SocketAddr) -> bool {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.is_ok() && answer.starts_with(b"HTTP/1.1 200")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_never_reads_holds_up_neither_others_nor_the_end() {
    let place = Place::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopping) = watch::channel(false);
    let (end, ended) = oneshot::channel::<()>();
    let server = Arc::clone(&place.server);
    let serving = tokio::spawn(async move {
        let ended = async {
            let _ = ended.await;
        };
        crate::http::serving::accept((listener, 3), &server, (stop, stopping), ended).await;
    });
    // They take all the room there is, and make way for whoever comes.
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(never_reading(address).await);
    }
    let well = tokio::time::timeout(Duration::from_secs(15), is_well(address)).await;
    assert!(well.expect("others get through in time"));
    // And nobody waits for them at the end.
    held.push(never_reading(address).await);
    end.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(15), serving).await.expect("the end comes in time").unwrap();
}

#[tokio::test]
async fn a_flood_of_nobodies_leaves_the_reference_page_whole() {
    let mut place = Place::new().await;
    (place.server, place.router) = super::serving(place.engine.clone(), place.folder.path(), 0.001);
    while place.ask("nobody", ("GET", "/v1/minds", "")).await.status != StatusCode::TOO_MANY_REQUESTS {}
    for path in ["/docs", "/docs/script.js", "/docs/style.css", "/openapi.json"] {
        assert_eq!(place.ask("nobody", ("GET", path, "")).await.status, StatusCode::OK, "{path}");
    }
}
