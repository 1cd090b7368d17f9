//! Webhook delivery: in order, signed, with retries.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use saegim_core::{MindKey, Op, Reach, SigningSecret, Span, Timestamp};
use saegim_engine::{Config, Draft, Engine, Exchange, MindHandle, NewMessage, SetClock};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

/// A webhook receiver with a configurable response status.
struct Receiver {
    answer: AtomicU16,
    heard: Mutex<Vec<(HeaderMap, String)>>,
}

impl Receiver {
    async fn listening() -> (Arc<Self>, String) {
        let receiver = Arc::new(Self { answer: AtomicU16::new(200), heard: Mutex::default() });
        let app = Router::new()
            .route(
                "/hook",
                post(|State(receiver): State<Arc<Self>>, headers: HeaderMap, body: String| async move {
                    receiver.heard.lock().await.push((headers, body));
                    StatusCode::from_u16(receiver.answer.load(Ordering::SeqCst)).unwrap()
                }),
            )
            .with_state(Arc::clone(&receiver));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (receiver, url)
    }

    /// Waits until it has received `count` calls.
    async fn calls(&self, count: usize) -> Vec<(HeaderMap, String)> {
        for _ in 0..400 {
            let heard = self.heard.lock().await;
            if heard.len() >= count {
                return heard.clone();
            }
            drop(heard);
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("called {} times instead of {count}", self.heard.lock().await.len());
    }
}

/// Returns the ledger sequence numbers in a call, in order.
fn entries(call: &(HeaderMap, String)) -> Vec<u64> {
    let told: Value = serde_json::from_str(&call.1).unwrap();
    told["events"].as_array().unwrap().iter().filter_map(|event| event["id"].as_u64()).collect()
}

struct Stage {
    folder: tempfile::TempDir,
    clock: Arc<SetClock>,
}

impl Stage {
    fn new() -> Self {
        let clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-02T09:00:00Z").unwrap()));
        Self { folder: tempfile::tempdir().unwrap(), clock }
    }

    /// Starts a server and returns its mind, the delivery task and the channel that stops it.
    async fn process(&self) -> (MindHandle, JoinHandle<()>, watch::Sender<bool>) {
        let mut config = Config::local(self.folder.path().join("mind.db"));
        config.clock = self.clock.clone();
        config.embedder = None;
        let engine = Engine::open(config).await.unwrap();
        let mind = engine.mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
        let (stop, stopping) = watch::channel(false);
        let teller = tokio::spawn(crate::http::webhooks::tell(engine, stopping));
        (mind, teller, stop)
    }

    fn wait(&self, span: Span) {
        self.clock.set(saegim_engine::Clock::now(&*self.clock).plus(span));
    }
}

#[tokio::test]
async fn everything_is_told_once_in_order_and_signed() {
    let (stage, (receiver, url)) = (Stage::new(), Receiver::listening().await);
    let (mind, teller, stop) = stage.process().await;
    mind.remember(Draft::text("이건 아무도 듣지 못한다")).await.unwrap();
    let webhook = mind.add_webhook(&url, Reach::Everywhere).await.unwrap();
    receiver.calls(1).await;
    mind.observe(Exchange { said: vec![NewMessage::user("나 오늘 승진했어! 너무 기뻐")], ..Exchange::default() }).await.unwrap();
    for number in 0..20 {
        mind.remember(Draft::text(format!("비밀 {number}번째"))).await.unwrap();
    }
    let last = mind.head().await.unwrap();
    let mut told: Vec<u64> = Vec::new();
    for calls in 2.. {
        let heard = receiver.calls(calls).await;
        told = heard.iter().flat_map(entries).collect();
        if told.last() == Some(&last) {
            break;
        }
    }
    assert_eq!(told, (webhook.after + 1..=last).collect::<Vec<_>>(), "from when it was made on, each once");
    let heard = receiver.heard.lock().await.clone();
    let all: String = heard.iter().map(|(_, body)| body.as_str()).collect();
    assert!(all.contains(r#""event":"face""#) && all.contains(r#""event":"mood""#) && all.contains(r#""event":"memory""#), "{all}");
    assert!(!all.contains("비밀") && !all.contains("승진"), "what is remembered is fetched, not sent about");
    for call in &heard {
        assert!(signed(&webhook.secret, call) && !signed(&SigningSecret::from_bytes([1; 32]), call));
    }
    stop.send(true).unwrap();
    teller.await.unwrap();
}

/// Verifies a signature with an independent HMAC implementation.
fn signed(secret: &SigningSecret, (headers, body): &(HeaderMap, String)) -> bool {
    use sha2::{Digest, Sha256};
    let [id, at, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(|name| headers[name].to_str().unwrap());
    let pad = |with: u8| {
        let mut block = [with; 64];
        block.iter_mut().zip(secret.bytes()).for_each(|(byte, secret)| *byte ^= secret);
        block
    };
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(format!("{id}.{at}.{body}")).finalize();
    let tag = Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
    // Base64: six bits per character.
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: String = tag.iter().map(|byte| format!("{byte:08b}")).collect::<String>() + "00";
    let piece = |at: usize| letters[usize::from_str_radix(&bits[at..at + 6], 2).unwrap()] as char;
    let written: String = (0..bits.len()).step_by(6).map(piece).collect();
    signature == format!("v1,{written}=")
}

#[tokio::test]
async fn who_does_not_answer_is_told_again_also_by_the_next_process() {
    let (stage, (receiver, url)) = (Stage::new(), Receiver::listening().await);
    receiver.answer.store(500, Ordering::SeqCst);
    let (mind, teller, stop) = stage.process().await;
    let webhook = mind.add_webhook(&url, Reach::Everywhere).await.unwrap();
    receiver.calls(1).await;
    let failing = loop {
        let found = mind.webhooks().await.unwrap().remove(0);
        if found.attempts > 0 {
            break found;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!((failing.after, failing.problem.as_deref()), (webhook.after, Some("it answered 500")));
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(receiver.heard.lock().await.len(), 1, "not before its time");
    stop.send(true).unwrap();
    teller.await.unwrap();
    mind.remember(Draft::text("그 사이에 있었던 일")).await.unwrap();
    let last = mind.head().await.unwrap();
    drop(mind);
    receiver.answer.store(204, Ordering::SeqCst);
    stage.wait(Span::seconds(6));
    let (mind, teller, stop) = stage.process().await;
    let heard = receiver.calls(2).await;
    assert_eq!(entries(&heard[1]), (webhook.after + 1..=last).collect::<Vec<_>>());
    stop.send(true).unwrap();
    teller.await.unwrap();
    let well = mind.webhooks().await.unwrap().remove(0);
    assert_eq!((well.after, well.attempts, well.problem), (last, 0, None));
}

#[tokio::test]
async fn who_is_gone_or_sends_elsewhere_is_told_nothing_more() {
    let (stage, (receiver, url)) = (Stage::new(), Receiver::listening().await);
    receiver.answer.store(410, Ordering::SeqCst);
    let (mind, teller, stop) = stage.process().await;
    mind.add_webhook(&url, Reach::Everywhere).await.unwrap();
    receiver.calls(1).await;
    let ended = loop {
        let found = mind.webhooks().await.unwrap().remove(0);
        if found.ended_at.is_some() {
            break found;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let entries = mind.ledger(0, 1000).await.unwrap();
    let entry = &entries.last().unwrap().0;
    assert_eq!((entry.operation, entry.note.as_deref()), (Op::Revoke, Some("webhook unreachable")));
    assert_eq!(entry.things, vec![saegim_core::Thing::Webhook(ended.id)]);
    // A redirect counts as a failure. Only a caller who manages the whole server may use addresses of its network.
    receiver.answer.store(307, Ordering::SeqCst);
    mind.add_webhook(&url, Reach::Everywhere).await.unwrap();
    assert!(mind.add_webhook(&url.replace("http:", "https:"), Reach::Public).await.is_err());
    receiver.calls(2).await;
    let failing = loop {
        let found = mind.webhooks().await.unwrap().into_iter().find(|webhook| webhook.attempts > 0);
        match found {
            Some(found) => break found,
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    assert_eq!(failing.problem.as_deref(), Some("it answered 307"));
    assert_eq!(receiver.heard.lock().await.len(), 2);
    // Erasing the mind leaves no trace of the address or the secret.
    mind.erase().await.unwrap();
    stop.send(true).unwrap();
    teller.await.unwrap();
    let secret = *ended.secret.bytes();
    drop(mind);
    for file in std::fs::read_dir(stage.folder.path()).unwrap() {
        // The write-ahead log files disappear with the last connection.
        let Ok(bytes) = std::fs::read(file.unwrap().path()) else { continue };
        assert!(!bytes.windows(32).any(|window| window == secret), "the secret is still in the file");
        assert!(!bytes.windows(url.len()).any(|window| window == url.as_bytes()), "the address is still in the file");
    }
}
