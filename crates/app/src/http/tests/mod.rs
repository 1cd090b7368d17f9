//! Tests of the whole server without a socket.

/// Compatible APIs.
mod compat;
/// Clients that store texts under their own names.
mod documents;
/// Guarantees for clients.
mod guarantees;
/// Idempotency.
mod idempotency;
/// Isolation between minds.
mod isolation;
/// MCP tools.
mod mcp;
/// mem0 filters other than ids.
mod mem0;
/// Statements and people.
mod people;
/// Proxying to a model.
mod proxy;
/// The same input gives the same bytes.
mod repeatable;
/// Permissions of every route.
mod table;
/// Changing the thinker over HTTP.
mod thinker;
/// Foreign origins and slow connections.
mod untrusted;
/// Webhook delivery.
mod webhooks;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use saegim_core::{MindKey, MindPattern, Principal, Tier};
use saegim_engine::{Config, Core, Draft, Engine, Exchange, Imagining, IslandDraft, MindHandle, NewMessage, ProposalRequest};
use tokio::sync::watch;
use tower::ServiceExt;

use super::Server;
use crate::settings::Thinking;

/// A server with its own database and a key of each kind.
struct Place {
    folder: Arc<tempfile::TempDir>,
    engine: Engine,
    server: Arc<Server>,
    router: Router,
    keys: BTreeMap<&'static str, String>,
    made: AtomicUsize,
}

/// Returns the configuration of the test database.
fn config(folder: &tempfile::TempDir) -> Config {
    let mut config = Config::local(folder.path().join("mind.db"));
    // Daily limits are tested elsewhere.
    (config.policy.agent.forgets_a_day, config.policy.agent.forget_share) = (1000, 1.0);
    (config.policy.proposal.pending_per_kind, config.policy.proposal.per_day, config.policy.proposal.agent_per_day) = (1000, 1000, 1000);
    (config.policy.imagination.per_day, config.policy.imagination.cooldown_minutes) = (100, 0);
    config
}

/// Creates a server and its router with a rate limit.
fn serving(engine: Engine, folder: &std::path::Path, rate: f64) -> (Arc<Server>, Router) {
    let (stop, stopping) = watch::channel(false);
    std::mem::forget(stop);
    let serving = super::Serving {
        address: ([127, 0, 0, 1], 0).into(),
        hosts: Vec::new(),
        origins: vec!["https://game.example".into()],
        rate,
        soul: None,
        thinking: Thinking::at(folder.join("config.toml")),
    };
    let server = Arc::new(Server::new(engine, serving));
    let router = super::routes::router(&server, stopping);
    (server, router)
}

/// A response.
struct Answered {
    status: StatusCode,
    text: String,
}

impl Place {
    async fn new() -> Self {
        Self::with(|_| ()).await
    }

    /// Creates it with a changed configuration.
    async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let mut config = config(&folder);
        change(&mut config);
        let engine = Engine::open(config).await.unwrap();
        let (server, router) = serving(engine.clone(), folder.path(), 1e9);
        let mut place = Self { folder, engine, server, router, keys: BTreeMap::new(), made: AtomicUsize::new(0) };
        for (name, principal, minds) in [
            ("owner", Principal::Owner, "minsu/*"),
            ("agent", Principal::Agent, "minsu/*"),
            ("admin", Principal::Admin, "*"),
            ("stranger", Principal::Owner, "jiwoo/*"),
            ("ended", Principal::Owner, "*"),
        ] {
            let (key, written) = place.engine.make_key(principal, vec![MindPattern::parse(minds).unwrap()]).await.unwrap();
            if name == "ended" {
                place.engine.revoke_key(&key.id).await.unwrap();
            }
            place.keys.insert(name, written);
        }
        place.keys.insert("none", String::new());
        place
    }

    /// Creates another server on the same database, like a second process.
    async fn beside(&self) -> Self {
        let engine = Engine::open(config(&self.folder)).await.unwrap();
        let (server, router) = serving(engine.clone(), self.folder.path(), 1e9);
        Self { folder: Arc::clone(&self.folder), engine, server, router, keys: self.keys.clone(), made: AtomicUsize::new(0) }
    }

    async fn mind(&self, user: &str, character: &str) -> MindHandle {
        self.engine.mind(MindKey::new(user, character).unwrap()).await.unwrap()
    }

    /// Returns a unique number.
    fn another(&self) -> usize {
        self.made.fetch_add(1, Ordering::Relaxed)
    }

    /// Sends a request with the key of `who`.
    async fn ask(&self, who: &str, asked: (&str, &str, &str)) -> Answered {
        self.ask_with(who, asked, &[]).await
    }

    /// The same with additional headers.
    async fn ask_with(&self, who: &str, asked: (&str, &str, &str), headers: &[(&str, &str)]) -> Answered {
        let response = self.response(who, asked, headers).await;
        let status = response.status();
        // Event streams never end, so only their status is checked.
        let streams = asked.1.ends_with("/events") && status == StatusCode::OK;
        let text = if streams { Vec::new() } else { to_bytes(response.into_body(), 64 << 20).await.unwrap().to_vec() };
        Answered { status, text: String::from_utf8_lossy(&text).into_owned() }
    }

    /// Returns the response before its body is read.
    async fn response(&self, who: &str, (method, path, body): (&str, &str, &str), headers: &[(&str, &str)]) -> Response {
        let mut request = Request::builder().method(method).uri(path).header("host", "localhost:7777");
        request = request.header("x-saegim-user", "minsu").header("x-saegim-character", "luna");
        request = request.header("content-type", "application/json").header("accept", "application/json, text/event-stream");
        if !self.keys[who].is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.keys[who]));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.router.clone().oneshot(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap()
    }

    /// Replaces placeholders with the ids of items created for this call.
    async fn filled(&self, text: &str, mind: &MindHandle) -> String {
        let number = self.another();
        let kept = |tier, text: String| mind.remember(Draft { tier, ..Draft::text(text) });
        let mut filled = text.replace("{mind}", "minsu%2Fluna").replace("{number}", &number.to_string());
        if text.contains("{memory}") {
            let memory = kept(None, format!("점심으로 국수 {number} 그릇을 먹었다")).await.unwrap().memory;
            filled = filled.replace("{memory}", &memory.id.to_string());
        }
        if text.contains("{core}") || text.contains("{founding}") {
            let memory = kept(Some(Tier::M0), format!("강아지 모찌{number}를 입양했다")).await.unwrap().memory;
            filled = filled.replace("{core}", &memory.id.to_string()).replace("{founding}", &memory.id.to_string());
        }
        if text.contains("{fallen}") {
            let memory = kept(None, format!("우산 {number}개를 잃어버렸다")).await.unwrap().memory;
            mind.forget(memory.id, Core::Kept).await.unwrap();
            filled = filled.replace("{fallen}", &memory.id.to_string());
        }
        if text.contains("{proposal}") || text.contains("{approved}") {
            let memory = kept(None, format!("바다 {number}번째 여행을 갔다")).await.unwrap().memory;
            let proposal = mind.propose(ProposalRequest::Core(memory.id)).await.unwrap();
            if text.contains("{approved}") {
                mind.approve(proposal.id, proposal.digest).await.unwrap();
            }
            let (id, digest) = (proposal.id.to_string(), proposal.digest.to_string());
            filled = filled.replace("{proposal}", &id).replace("{approved}", &id).replace("{digest}", &digest);
        }
        if text.contains("{island}") {
            let memory = kept(Some(Tier::M0), format!("기타 {number}대를 배웠다")).await.unwrap().memory;
            let draft = IslandDraft { name: Some(format!("섬 {number}")), founding: vec![memory.id], ..IslandDraft::default() };
            filled = filled.replace("{island}", &mind.add_island(draft).await.unwrap().id.to_string());
        }
        if text.contains("{imagination}") {
            let imagination = mind.imagine(Imagining { trigger: None, context: None }).await.unwrap();
            filled = filled.replace("{imagination}", &imagination.id.to_string());
        }
        if text.contains("{person}") {
            mind.state("pet", "강아지 Mochi").await.unwrap();
            filled = filled.replace("{person}", "mochi");
        }
        if text.contains("{turn}") {
            let said = vec![NewMessage::user(format!("오늘은 {number}번 버스를 탔어"))];
            let observed = mind.observe(Exchange { said, ..Exchange::default() }).await.unwrap();
            filled = filled.replace("{turn}", &observed.turns[0].id.to_string());
        }
        if text.contains("{webhook}") {
            // A mind may have ten webhooks, so the previous one is removed.
            for webhook in mind.webhooks().await.unwrap() {
                mind.end_webhook(webhook.id).await.unwrap();
            }
            let webhook = mind.add_webhook("https://example.org/hook", saegim_core::Reach::Public).await.unwrap();
            filled = filled.replace("{webhook}", &webhook.id.to_string());
        }
        if text.contains("{key}") {
            let minds = vec![MindPattern::parse("minsu/luna").unwrap()];
            filled = filled.replace("{key}", &self.engine.make_key(Principal::Agent, minds).await.unwrap().0.id);
        }
        if text.contains("{gone}") {
            let gone = format!("gone{number}");
            self.mind("minsu", &gone).await.remember(Draft::text("곧 사라질 기억")).await.unwrap();
            filled = filled.replace("{gone}", &gone);
        }
        filled
    }
}

#[tokio::test]
async fn the_operator_sees_the_progress_of_embedding() {
    let place = Place::new().await;
    place.mind("minsu", "luna").await.remember(Draft::text("비 오는 날 산책을 했다")).await.unwrap();
    // A count that exceeds its time limit is completed in the background and returned to a later request.
    while !place.ask("admin", ("GET", "/health", "")).await.text.contains("\"embedded\":") {
        tokio::task::yield_now().await;
    }
    for (who, told) in [("admin", true), ("owner", false), ("agent", false), ("ended", false), ("none", false)] {
        let health = place.ask(who, ("GET", "/health", "")).await;
        assert_eq!((health.status, health.text.contains("\"embedded\":")), (StatusCode::OK, told), "{who}: {}", health.text);
    }
    let health: serde_json::Value = serde_json::from_str(&place.ask("admin", ("GET", "/health", "")).await.text).unwrap();
    assert_eq!((&health["embedding"]["memories"], &health["embedding"]["embedded"]), (&1.into(), &1.into()), "{health}");
}
