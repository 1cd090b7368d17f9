//! A mock model server for tests. It implements the real wire formats, including streaming, and the failures of real servers.

/// Response contents.
mod answers;
/// What the server does with a request.
mod behaviour;
/// A parsed request.
mod request;
/// Responses in the wire formats.
mod wire;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::Dialect;

use answers::{asks_for, commanding, crowded, sensible};
use request::Request;
use wire::{BROKEN, embed, events, pieces, rewritten, whole};

pub use behaviour::Behaviour;

/// A server on the loopback interface. Stops when dropped.
pub struct MockServer {
    address: SocketAddr,
    behaviour: Arc<Mutex<Behaviour>>,
    requests: Arc<AtomicUsize>,
    last: Arc<Mutex<Value>>,
    task: tokio::task::JoinHandle<()>,
}

impl MockServer {
    /// Starts listening.
    pub async fn begin(behaviour: Behaviour) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (behaviour, requests) = (Arc::new(Mutex::new(behaviour)), Arc::new(AtomicUsize::new(0)));
        let last = Arc::new(Mutex::new(Value::Null));
        let (shared, counted, seen) = (Arc::clone(&behaviour), Arc::clone(&requests), Arc::clone(&last));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::Relaxed);
                let behaviour = *shared.lock().unwrap_or_else(PoisonError::into_inner);
                let seen = Arc::clone(&seen);
                tokio::spawn(async move {
                    // A disconnecting client is not a server error.
                    let _ = serve(stream, behaviour, &seen).await;
                });
            }
        });
        Ok(Self { address, behaviour, requests, last, task })
    }

    /// Changes the behaviour.
    pub fn behave(&self, behaviour: Behaviour) {
        *self.behaviour.lock().unwrap_or_else(PoisonError::into_inner) = behaviour;
    }

    /// Returns the base address for a wire format.
    pub fn base(&self, dialect: Dialect) -> String {
        match dialect {
            Dialect::OpenAi => format!("http://{}/v1", self.address),
            Dialect::Anthropic | Dialect::Gemini => format!("http://{}", self.address),
        }
    }

    /// Returns the body of the last request.
    pub fn last(&self) -> Value {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the number of requests so far.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }
}

impl Drop for MockServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, behaviour: Behaviour, seen: &Mutex<Value>) -> std::io::Result<()> {
    let request = Request::read(&mut stream).await?;
    *seen.lock().unwrap_or_else(PoisonError::into_inner) = request.body.clone();
    if request.path.ends_with("/embeddings") || request.path.contains("mbedContents") {
        return embed(&mut stream, &request, behaviour).await;
    }
    let error = |word: &str| json!({ "error": { "type": word, "message": "it says more here" } }).to_string();
    match behaviour {
        Behaviour::Silent => std::future::pending().await,
        Behaviour::Limiting(after) => {
            let header = after.map(|seconds| format!("retry-after: {seconds}\r\n")).unwrap_or_default();
            whole(&mut stream, ("429 Too Many Requests", &header), error("rate_limit_error").as_bytes()).await
        }
        Behaviour::LimitingUntil(moment, now) => {
            let date = now.map(|now| format!("date: {now}\r\n")).unwrap_or_default();
            let headers = format!("retry-after: {moment}\r\n{date}");
            whole(&mut stream, ("503 Service Unavailable", &headers), error("overloaded_error").as_bytes()).await
        }
        Behaviour::Failing => whole(&mut stream, ("500 Internal Server Error", ""), error("api_error").as_bytes()).await,
        Behaviour::Leaking => {
            let key = request.head.lines().find(|line| line.contains("canary")).unwrap_or("no key").to_owned();
            let key = key.split([' ', ':']).next_back().unwrap_or_default();
            let body = json!({ "error": { "code": key, "type": key, "message": format!("bad key {key}") } });
            whole(&mut stream, ("401 Unauthorized", ""), body.to_string().as_bytes()).await
        }
        Behaviour::Plain if request.structured() => whole(&mut stream, ("400 Bad Request", ""), error("unsupported").as_bytes()).await,
        Behaviour::Newer if !request.body["max_tokens"].is_null() => {
            let message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
            let body = json!({ "error": { "code": "unsupported_parameter", "message": message } });
            whole(&mut stream, ("400 Bad Request", ""), body.to_string().as_bytes()).await
        }
        Behaviour::Uncounting if !request.body["stream_options"].is_null() => {
            whole(&mut stream, ("422 Unprocessable Entity", ""), error("extra_forbidden").as_bytes()).await
        }
        Behaviour::Cramped if request.room() > 4_000 => {
            let message = format!("This model's maximum context length is 4096 tokens, and {} were asked for.", request.room());
            let body = json!({ "error": { "type": "invalid_request_error", "message": message } });
            whole(&mut stream, ("400 Bad Request", ""), body.to_string().as_bytes()).await
        }
        Behaviour::Headstrong if request.is_told_how() => {
            whole(&mut stream, ("400 Bad Request", ""), error("invalid_request_error").as_bytes()).await
        }
        Behaviour::Rambling if request.streams() => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n").await?;
            let piece = pieces(request.dialect(), &["again and again "], false);
            let more = piece.iter().find(|piece| piece.contains("again")).map(|piece| format!("data: {piece}\n\n")).unwrap_or_default();
            loop {
                stream.write_all(more.as_bytes()).await?;
            }
        }
        Behaviour::Binary => whole(&mut stream, ("200 OK", ""), &[0xff, 0xfe, b'{', 0xc3, 0x28, b'}']).await,
        Behaviour::CuttingOff => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{\"cho").await?;
            stream.shutdown().await
        }
        Behaviour::Endless => {
            let kind = if request.streams() { "text/event-stream" } else { "application/json" };
            let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).await?;
            let more = format!(": {}\n", "again and ".repeat(800));
            loop {
                stream.write_all(more.as_bytes()).await?;
            }
        }
        Behaviour::Verbatim(_, said) if request.streams() => {
            events(&mut stream, &said.iter().map(|event| (*event).to_owned()).collect::<Vec<_>>()).await
        }
        Behaviour::Verbatim(body, _) => whole(&mut stream, ("200 OK", ""), body.as_bytes()).await,
        Behaviour::Garbling if request.streams() => events(&mut stream, &["{no json".into()]).await,
        Behaviour::Garbling => whole(&mut stream, ("200 OK", ""), b"<html>bad gateway</html>").await,
        _ => answer(&mut stream, &request, behaviour).await,
    }
}

/// Sends an answer in the wire format of the request.
async fn answer(stream: &mut TcpStream, request: &Request, behaviour: Behaviour) -> std::io::Result<()> {
    let text = match behaviour {
        Behaviour::Empty | Behaviour::Refusing => String::new(),
        Behaviour::Misshaping => json!({ "result": ["not", "what", "was", "asked"] }).to_string(),
        Behaviour::Commanding => commanding(request.system()),
        Behaviour::Analysing(words) if asks_for(request.system(), "note") => words.into(),
        Behaviour::Analysing(_) if asks_for(request.system(), "standing") => json!({ "standing": "replaced" }).to_string(),
        Behaviour::Answering(property, words) if asks_for(request.system(), property) => words.into(),
        Behaviour::Musing if request.structured() => {
            format!("<think>SECRET {{}}: {}</think>\n{}", request.said(), sensible(request.system(), request.said()))
        }
        Behaviour::Musing => format!("<think>SECRET: {}</think>\n그래.", request.said()),
        Behaviour::Crowding => crowded(request.system(), request.said()),
        _ => sensible(request.system(), request.said()),
    };
    let text = match behaviour {
        Behaviour::Bloating => rewritten(&text, &|words| format!("{words} {}", "more ".repeat(200_000))),
        Behaviour::Hiding => {
            rewritten(&text, &|words| format!("\u{202e}{}\u{0}\u{1b}[31m\u{2066}", words.replace(' ', " \u{200b}\u{e0041}")))
        }
        Behaviour::Mangling => rewritten(&text, &|words| format!("{words} {BROKEN}")),
        _ => text,
    };
    let refuses = behaviour == Behaviour::Refusing;
    if request.streams() && behaviour != Behaviour::Unstreaming {
        let words: Vec<&str> = text.split_inclusive(' ').collect();
        return events(stream, &pieces(request.dialect(), &words, refuses)).await;
    }
    let body = match request.dialect() {
        Dialect::OpenAi => json!({
            "choices": [{ "index": 0, "finish_reason": "stop",
                "message": { "role": "assistant", "content": text, "refusal": refuses.then_some("I can't help with that.") } }],
            "usage": { "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120 },
        }),
        Dialect::Anthropic => {
            let input: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
            let content = match (request.structured() && !input.is_null(), text.is_empty()) {
                (true, _) => json!([{ "type": "tool_use", "id": "t", "name": "answer", "input": input }]),
                (_, true) => json!([]),
                _ => json!([{ "type": "text", "text": text }]),
            };
            json!({ "content": content, "stop_reason": if refuses { "refusal" } else { "end_turn" }, "usage": { "input_tokens": 100, "output_tokens": 20 } })
        }
        Dialect::Gemini => json!({
            "candidates": [{ "content": { "role": "model", "parts": [{ "text": text }] }, "finishReason": if refuses { "SAFETY" } else { "STOP" } }],
            "usageMetadata": { "promptTokenCount": 100, "candidatesTokenCount": 20 },
        }),
    };
    let mut bytes = body.to_string().into_bytes();
    if behaviour == Behaviour::Boasting {
        bytes = body.to_string().replace(":100,", ":1000000000000000000,").replace(":20,", ":1000000000000000000,").into_bytes();
    }
    while let Some(at) = bytes.windows(BROKEN.len()).position(|part| part == BROKEN.as_bytes()) {
        bytes[at..at + BROKEN.len()].fill(0xff);
    }
    whole(stream, ("200 OK", ""), &bytes).await
}
