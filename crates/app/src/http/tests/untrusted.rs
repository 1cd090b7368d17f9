//! Foreign origins, malformed addresses, and connections that never read their responses.

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
            let response = place.response(if method == "OPTIONS" { "none" } else { "owner" }, (method, path, ""), &headers).await;
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
async fn a_malformed_address_is_an_ordinary_problem() {
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

/// Requests more data than the buffers hold and reads none of it.
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
async fn a_client_that_never_reads_delays_neither_others_nor_the_shutdown() {
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
        crate::http::connection::serving::accept((listener, 3), &server, (stop, stopping), ended).await;
    });
    // They use all connection slots, and are closed when another client connects.
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(never_reading(address).await);
    }
    let well = tokio::time::timeout(Duration::from_secs(15), is_well(address)).await;
    assert!(well.expect("others get through in time"));
    // The shutdown does not wait for them.
    held.push(never_reading(address).await);
    end.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(15), serving).await.expect("the end comes in time").unwrap();
}

#[tokio::test]
async fn a_flood_of_nobodies_leaves_the_reference_page_whole() {
    let mut place = Place::new().await;
    (place.server, place.router) = super::serving(place.engine.clone(), place.folder.path(), 0.001);
    while place.ask("none", ("GET", "/v1/minds", "")).await.status != StatusCode::TOO_MANY_REQUESTS {}
    for path in ["/docs", "/docs/script.js", "/docs/style.css", "/openapi.json"] {
        assert_eq!(place.ask("none", ("GET", path, "")).await.status, StatusCode::OK, "{path}");
    }
}

/// Sends raw bytes to a new server and returns everything it answers until it closes the connection.
async fn answered(bytes: &[u8]) -> String {
    let place = Place::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopping) = watch::channel(false);
    let server = Arc::clone(&place.server);
    let serving = tokio::spawn(async move {
        crate::http::connection::serving::accept((listener, 3), &server, (stop, stopping), std::future::pending()).await
    });
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;
    serving.abort();
    assert!(read.is_ok(), "the connection ends: {}", String::from_utf8_lossy(&answer));
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_request_that_names_somebody_else_beside_this_server_is_refused() {
    for (line, headers, status) in [
        ("/health", "Host: localhost\r\n", 200),
        ("http://localhost/health", "Host: localhost\r\n", 200),
        ("/health", "Host: localhost\r\nHost: evil.example\r\n", 421),
        ("/health", "Host: localhost:80@evil.example\r\n", 421),
        ("http://evil.example/health", "Host: localhost\r\n", 421),
        ("http://localhost/health", "Host: evil.example\r\n", 421),
        ("/health", "", 421),
    ] {
        let told = answered(format!("GET {line} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").as_bytes()).await;
        assert!(told.starts_with(&format!("HTTP/1.1 {status}")), "{line} {headers}: {told}");
    }
}

#[tokio::test]
async fn a_client_refused_before_its_body_was_read_learns_that_the_connection_ends() {
    for (headers, status) in [
        ("Content-Length: 3145728\r\n", 413),
        ("Content-Length: 3145728\r\nContent-Encoding: br\r\n", 415),
        ("Content-Length: 3145728\r\nOrigin: https://evil.example\r\n", 413),
    ] {
        let head = format!("POST /v1/minds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}\r\n");
        let told = answered(head.as_bytes()).await;
        assert!(told.starts_with(&format!("HTTP/1.1 {status}")) && told.contains("connection: close"), "{headers}: {told}");
    }
    // The body of an unauthenticated request is not read, and its rest is not parsed as the next request.
    let told = answered(b"POST /v1/minds HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nxxxxxxxxxx").await;
    assert!(told.starts_with("HTTP/1.1 401") && told.contains("connection: close"), "{told}");
}

#[tokio::test]
async fn a_body_is_opened_however_its_packing_is_written_or_refused_with_a_hint() {
    let place = Place::new().await;
    for (packing, status) in [
        ("", 201),
        ("identity", 201),
        ("IDENTITY", 201),
        ("gzip", 400),
        ("GZIP", 400),
        ("x-gzip", 400),
        ("zstd", 400),
        ("br", 415),
        ("deflate", 415),
        ("gzip, gzip", 415),
    ] {
        let headers = [("content-encoding", packing)];
        let told = place.ask_with("owner", ("POST", "/v1/minds", r#"{"user":"minsu","character":"luna"}"#), &headers).await;
        assert_eq!(told.status.as_u16(), status, "{packing}: {}", told.text);
        let told: Value = serde_json::from_str(&told.text).unwrap();
        assert!(status == 201 || told["hint"].is_string(), "{packing}: {told}");
    }
    let twice = [("content-encoding", "gzip"), ("content-encoding", "gzip")];
    assert_eq!(place.ask_with("owner", ("POST", "/v1/minds", "{}"), &twice).await.status, 415);
}
