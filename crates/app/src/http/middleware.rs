//! Middleware for every request: checks host, origin and rate limit, authenticates, sets security headers, counts and
//! logs. Never logs content.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use saegim_core::{Language, Timestamp, phrase};
use tower_http::timeout::TimeoutError;
use tracing::Instrument;
use tracing::field::Empty;

use super::access::{Access, has_key};
use super::metrics::RequestKind;
use super::problem::{LISTED, Problem, SPOKEN};
use super::routes::LARGEST_BODY;
use super::{Moment, Server};

/// Token bucket rate limiter with one bucket per key.
pub(crate) struct Buckets {
    each_second: f64,
    most: f64,
    levels: Mutex<BTreeMap<String, (f64, Moment)>>,
}

impl Buckets {
    pub(crate) fn new(each_second: f64) -> Self {
        Self { each_second, most: (each_second * 2.0).max(10.0), levels: Mutex::default() }
    }

    /// Takes a token. Returns false if the bucket is empty.
    fn take(&self, name: &str, now: Moment) -> bool {
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        if levels.len() > 10_000 {
            levels.retain(|_, (_, last)| now.duration_since(*last) < Duration::from_secs(60));
        }
        let (level, last) = levels.entry(name.to_owned()).or_insert((self.most, now));
        *level = (*level + now.duration_since(*last).as_secs_f64() * self.each_second).min(self.most);
        *last = now;
        let fits = *level >= 1.0;
        if fits {
            *level -= 1.0;
        }
        fits
    }
}

/// Checks a request, passes it on and records its metrics.
pub(crate) async fn guard(State(server): State<Arc<Server>>, mut request: Request, next: Next) -> Response {
    let start = server.moment();
    let language = language_of(request.headers());
    let method = method_of(request.method());
    let page = server.other_page(request.headers());
    let route = request.extensions().get::<MatchedPath>().map_or("unknown", MatchedPath::as_str).to_owned();
    let listed = route.split_once("/{id}").map(|(list, _)| list.to_owned());
    let id = given_id(request.headers()).unwrap_or_else(|| server.request_ids.next());
    let span = tracing::info_span!(target: "saegim::http", "request", id, mind = Empty);
    let mut unread = false;
    let answering = LISTED.scope(listed, async {
        if page.is_some() && server.knows_host(&request) && is_preflight(&request) {
            return preflight(request.headers());
        }
        let let_in = match pass(&server, &mut request, start).await {
            Ok(()) => received(request).await,
            Err(problem) => Err(problem),
        };
        // The body of an unauthenticated request is not read.
        unread = let_in.as_ref().map_or(true, |request| request.extensions().get::<Access>().is_none());
        match let_in {
            Ok(request) => next.run(request).await,
            Err(problem) => problem.into_response(),
        }
    });
    let mut response = SPOKEN.scope(language, answering).instrument(span.clone()).await;
    safe(response.headers_mut());
    server.share(response.headers_mut(), page);
    if unread {
        response.extensions_mut().insert(Unread);
    }
    let took = server.moment().duration_since(start);
    let status = response.status().as_u16();
    let milliseconds = took.as_secs_f64() * 1000.0;
    span.in_scope(|| tracing::info!(target: "saegim::http", method, route, status, milliseconds, "request answered"));
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    server.metrics.count(RequestKind { method, route, status }, took);
    response
}

/// Header with the id of a request, so that a client's log and the server's log can be joined.
const REQUEST_ID: &str = "x-request-id";

/// Numbers the requests of one server run.
pub(crate) struct RequestIds {
    /// Start of the server in milliseconds, so that two runs do not share ids.
    began: i64,
    count: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new(began: Timestamp) -> Self {
        Self { began: began.millis(), count: AtomicU64::new(0) }
    }

    fn next(&self) -> String {
        format!("{:x}-{}", self.began, self.count.fetch_add(1, Ordering::Relaxed))
    }
}

/// Returns the request id the client sent, if it is short and cannot break a log line.
fn given_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(REQUEST_ID)?.to_str().ok()?;
    let harmless = |letter: u8| letter.is_ascii_alphanumeric() || b"-_.".contains(&letter);
    ((1..=64).contains(&id.len()) && id.bytes().all(harmless)).then(|| id.to_owned())
}

/// Returns the method's name, or "OTHER" for unknown methods, so that clients cannot create any number of metric
/// labels.
fn method_of(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];
    known.into_iter().find(|known| *known == method.as_str()).unwrap_or("OTHER")
}

/// Checks whether a request is a CORS preflight.
fn is_preflight(request: &Request) -> bool {
    *request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Answers a CORS preflight of an allowed origin: all methods, and the headers the browser asks for. The key of the
/// actual request decides what is allowed.
fn preflight(asked: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE"));
    if let Some(wanted) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
    }
    if asked.contains_key("access-control-request-private-network") {
        headers.insert("access-control-allow-private-network", HeaderValue::from_static("true"));
    }
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

/// Maximum time to receive a request body. Protects against slow uploads.
const BODY_WITHIN: Duration = Duration::from_secs(30);

/// Reads the request body. The body of an unauthenticated request is not read; its handler refuses it.
async fn received(request: Request) -> Result<Request, Problem> {
    if request.extensions().get::<Access>().is_none() || matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    let body = match tokio::time::timeout(BODY_WITHIN, to_bytes(body, LARGEST_BODY)).await {
        Ok(Ok(body)) => body,
        Ok(Err(error)) => return Err(unreadable(&error)),
        Err(_) => return Err(Problem::slow()),
    };
    Ok(Request::from_parts(parts, Body::from(body)))
}

/// Maps an error while reading a body to a problem.
fn unreadable(error: &axum::Error) -> Problem {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<TimeoutError>() {
            return Problem::slow();
        }
        // The body limit's error type cannot be named here, so its message is compared.
        if error.to_string().contains("length limit exceeded") {
            return Problem::too_large();
        }
        cause = error.source();
    }
    Problem::cut_off()
}

/// Marks a response whose request body was not read to the end.
#[derive(Clone, Copy)]
struct Unread;

/// Refuses unsupported content encodings, and closes connections whose request body was not read, because the rest of
/// the body would be parsed as the next request. Also normalizes the header: it runs outside the decompression layer,
/// which matches a single lower-case name.
pub(crate) async fn packed(mut request: Request, next: Next) -> Response {
    let (language, brings_body) = (language_of(request.headers()), brings_body(request.headers()));
    let mut packings = request.headers().get_all(header::CONTENT_ENCODING).iter().map(|packing| packing.to_str().unwrap_or("?").trim());
    let packing = match (packings.next(), packings.next()) {
        (None, _) => Some("identity"),
        (Some(one), None) => match one.to_ascii_lowercase().as_str() {
            "" | "identity" => Some("identity"),
            "gzip" | "x-gzip" => Some("gzip"),
            "zstd" => Some("zstd"),
            _ => None,
        },
        (Some(_), Some(_)) => None,
    };
    let mut response = if let Some(packing) = packing {
        request.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(packing));
        next.run(request).await
    } else {
        let what = phrase!("http.middleware.unknown_encoding");
        let problem = Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "packing", what);
        let mut response = SPOKEN.scope(language, async { problem.into_response() }).await;
        safe(response.headers_mut());
        response.extensions_mut().insert(Unread);
        response
    };
    if brings_body && response.extensions().get::<Unread>().is_some() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Checks whether a request has a body.
fn brings_body(headers: &HeaderMap) -> bool {
    headers.contains_key(header::TRANSFER_ENCODING) || headers.get(header::CONTENT_LENGTH).is_some_and(|length| length != "0")
}

async fn pass(server: &Server, request: &mut Request, now: Moment) -> Result<(), Problem> {
    let headers = request.headers();
    if matches!(*request.method(), Method::TRACE | Method::CONNECT) {
        return Err(Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", phrase!("http.middleware.method_not_allowed")));
    }
    let claimed = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()).and_then(|length| length.parse::<u64>().ok());
    if claimed.is_some_and(|length| length > LARGEST_BODY as u64) {
        return Err(Problem::too_large());
    }
    if !server.knows_host(request) {
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "host", phrase!("http.middleware.unknown_host"))
            .with_hint(phrase!("http.middleware.allow_host")));
    }
    if !server.trusts_origin(headers, request.method()) {
        return Err(Problem::forbidden(phrase!("http.middleware.origin_not_allowed")).with_hint(phrase!("http.middleware.allow_origin")));
    }
    let path = request.uri().path();
    let open = matches!(path, "/" | "/health" | "/openapi.json" | "/docs") || path.starts_with("/page/") || path.starts_with("/docs/");
    // Public paths are not rate limited. `/health` with a key is, so that it cannot be used to guess keys.
    if open && !(path == "/health" && has_key(headers)) {
        return Ok(());
    }
    // An authentication error is not returned here; the handler returns it. Until then the request counts as "nobody".
    let access = server.access(headers).await.ok();
    if !server.buckets.take(access.as_ref().map_or("nobody", Access::name), now) {
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too many requests", phrase!("http.middleware.too_many_requests")));
    }
    if let Some(access) = access {
        request.extensions_mut().insert(access);
    }
    Ok(())
}

impl Server {
    /// Checks that the request names only this server. Protects a loopback server against DNS rebinding.
    fn knows_host(&self, request: &Request) -> bool {
        if !self.loopback {
            return true;
        }
        let mut hosts = request.headers().get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
        let named = [host.to_str().ok(), request.uri().authority().map(|authority| authority.as_str()).or(host.to_str().ok())];
        named.into_iter().all(|host| host.and_then(name_of).is_some_and(|name| self.is_own_name(name)))
    }

    fn is_own_name(&self, name: &str) -> bool {
        let local = name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        local || self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name))
    }

    /// Returns the origin of the request if it is an allowed one.
    fn other_page(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(header::ORIGIN)?;
        let text = origin.to_str().ok()?;
        self.origins.iter().any(|known| known.eq_ignore_ascii_case(text)).then(|| origin.clone())
    }

    /// Adds CORS headers for an allowed origin.
    fn share(&self, headers: &mut HeaderMap, page: Option<HeaderValue>) {
        if !self.origins.is_empty() {
            headers.append(header::VARY, HeaderValue::from_static("origin"));
        }
        if let Some(page) = page {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, page);
            let shown = "etag, idempotency-replayed, mcp-session-id, retry-after";
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(shown));
            headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
        }
    }

    /// Checks whether a browser sent this from an allowed page (CSRF protection).
    fn trusts_origin(&self, headers: &HeaderMap, method: &Method) -> bool {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        if let Some(origin) = text("origin") {
            let own = || text("host").is_some_and(|host| origin.split_once("://").is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(host)));
            return self.origins.iter().any(|known| known.eq_ignore_ascii_case(origin)) || own();
        }
        // Some browsers send no Origin for forms and images, but they send Sec-Fetch-Site.
        let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        !changes || text("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"))
    }
}

/// Returns the name of a Host header without its port, or `None` if it is malformed.
fn name_of(host: &str) -> Option<&str> {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let digits = port.strip_prefix(':').unwrap_or(port);
    digits.bytes().all(|digit| digit.is_ascii_digit()).then_some(name)
}

/// Returns the response language from Accept-Language.
fn language_of(headers: &HeaderMap) -> Language {
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if wanted.trim_start().to_lowercase().starts_with("ko") { Language::Korean } else { Language::English }
}

/// Sets security headers.
fn safe(headers: &mut HeaderMap) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = "default-src 'none'; frame-ancestors 'none'";
    headers.entry("content-security-policy").or_insert(HeaderValue::from_static(policy));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_its_name_without_the_port() {
        for (host, name) in [
            ("localhost:7777", Some("localhost")),
            ("localhost:", Some("localhost")),
            ("127.0.0.1", Some("127.0.0.1")),
            ("[::1]:80", Some("::1")),
            ("[::1]", Some("::1")),
            ("evil.com:1", Some("evil.com")),
            ("localhost:80@evil.com", None),
            ("[::1].evil.com", None),
            ("[::1", None),
        ] {
            assert_eq!(name_of(host), name, "{host}");
        }
    }

    #[test]
    fn unknown_methods_share_one_label() {
        let made_up = Method::from_bytes(b"X7").unwrap();
        assert_eq!(method_of(&made_up), "OTHER");
        assert_eq!(method_of(&Method::PATCH), "PATCH");
    }

    #[test]
    fn a_request_id_of_the_client_is_kept_only_if_it_is_harmless() {
        let given = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(REQUEST_ID, HeaderValue::from_static(value));
            given_id(&headers)
        };
        assert_eq!(given("a-1_B.2").as_deref(), Some("a-1_B.2"));
        assert_eq!(given("two words"), None);
        assert_eq!(given(""), None);
        assert_eq!(given_id(&HeaderMap::new()), None);
    }

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let (buckets, start) = (Buckets::new(1.0), super::super::now());
        let taken = (0..30).filter(|_| buckets.take("a", start)).count();
        assert_eq!(taken, 10);
        assert!(buckets.take("b", start), "each key has its own");
        assert!(buckets.take("a", start + Duration::from_secs(1)) && !buckets.take("a", start + Duration::from_secs(1)));
    }
}
