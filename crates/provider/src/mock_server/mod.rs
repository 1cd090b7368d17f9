//! A mock model server for tests. It implements the real wire formats, including streaming, and the failures of real servers.

/// Response contents.
mod answers;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::Dialect;
use answers::{asks_for, commanding, crowded, sensible};

/// Behaviour of the mock server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Answers correctly.
    Well,
    /// Accepts the request and never responds.
    Silent,
    /// Responds 429, with an optional `Retry-After` in seconds.
    Limiting(Option<u64>),
    /// Responds 503 with a `Retry-After` date and an optional `Date`.
    LimitingUntil(&'static str, Option<&'static str>),
    /// Responds 500.
    Failing,
    /// Responds with invalid JSON.
    Garbling,
    /// Responds with JSON of the wrong schema.
    Misshaping,
    /// Never ends its response.
    Endless,
    /// Refuses to answer (safety refusal).
    Refusing,
    /// Responds with an empty answer.
    Empty,
    /// Responds with bytes that are not UTF-8.
    Binary,
    /// Closes the connection in the middle of the response.
    CuttingOff,
    /// Answers in the right schema, with injected commands.
    Commanding,
    /// Answers in the right schema, with about a million characters in every text.
    Bloating,
    /// Answers in the right schema, with lists of ten thousand entries.
    Crowding,
    /// Answers in the right schema, with invisible and direction-changing characters.
    Hiding,
    /// Answers in the right schema, with invalid UTF-8 in its texts.
    Mangling,
    /// Answers an analysis with this text, and settles conflicts as `replaced`.
    Analysing(&'static str),
    /// Answers the request whose schema has the first property with the second string, and all others correctly.
    Answering(&'static str, &'static str),
    /// Does not support structured answers.
    Plain,
    /// Requires `max_completion_tokens`, like newer OpenAI models.
    Newer,
    /// Does not report usage of a stream and rejects `stream_options`.
    Uncounting,
    /// Ignores the requested dimensions and accepts at most sixteen texts per request.
    Stubborn,
    /// Writes reasoning before its answer.
    Musing,
    /// Streams valid events without end.
    Rambling,
    /// Echoes the key in its error.
    Leaking,
    /// Has a small context and reports it.
    Cramped,
    /// Rejects sampling parameters.
    Headstrong,
    /// Responds without streaming although it was requested.
    Unstreaming,
    /// Responds with exactly these strings: the first as a complete response, the others as the events of a stream.
    Verbatim(&'static str, &'static [&'static str]),
    /// Reports an implausible number of tokens.
    Boasting,
    /// Rejects texts to embed that contain this word.
    Choosing(&'static str),
}

impl Behaviour {
    /// Ten failure modes.
    pub const FAILURES: [Self; 10] = [
        Self::Silent,
        Self::Limiting(None),
        Self::Failing,
        Self::Garbling,
        Self::Misshaping,
        Self::Endless,
        Self::Refusing,
        Self::Empty,
        Self::Binary,
        Self::CuttingOff,
    ];
}

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

/// The parsed parts of a request.
struct Request {
    path: String,
    head: String,
    body: Value,
}

impl Request {
    async fn read(stream: &mut TcpStream) -> std::io::Result<Self> {
        let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
        let body_at = loop {
            let read = stream.read(&mut chunk).await?;
            bytes.extend_from_slice(&chunk[..read]);
            match bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                Some(end) => break end + 4,
                None if read == 0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                None => {}
            }
        };
        let head = String::from_utf8_lossy(&bytes[..body_at]).into_owned();
        let length = head.lines().filter_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok()).next();
        let length: usize = length.unwrap_or(0);
        while bytes.len() < body_at + length {
            let read = stream.read(&mut chunk).await?;
            if read == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            bytes.extend_from_slice(&chunk[..read]);
        }
        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        Ok(Self { path, body: serde_json::from_slice(&bytes[body_at..]).unwrap_or_default(), head })
    }

    fn dialect(&self) -> Dialect {
        match self.path.as_str() {
            path if path.starts_with("/v1beta/") => Dialect::Gemini,
            "/v1/messages" => Dialect::Anthropic,
            _ => Dialect::OpenAi,
        }
    }

    fn streams(&self) -> bool {
        self.path.contains(":stream") || self.body["stream"] == true
    }

    fn structured(&self) -> bool {
        let config = &self.body["generationConfig"];
        !(self.body["response_format"].is_null() && self.body["tools"].is_null() && config["responseJsonSchema"].is_null())
    }

    /// Returns the token limit of the answer.
    fn room(&self) -> u64 {
        let limits = [&self.body["max_tokens"], &self.body["max_completion_tokens"], &self.body["generationConfig"]["maxOutputTokens"]];
        limits.into_iter().find_map(Value::as_u64).unwrap_or(u64::MAX)
    }

    fn is_told_how(&self) -> bool {
        ["temperature", "top_p", "topP", "stop", "stop_sequences", "stopSequences", "seed"]
            .iter()
            .any(|name| !self.body[*name].is_null() || !self.body["generationConfig"][*name].is_null())
    }

    fn system(&self) -> &str {
        let openai = self.body["messages"][0]["content"].as_str().filter(|_| self.body["messages"][0]["role"] == "system");
        let gemini = self.body["systemInstruction"]["parts"][0]["text"].as_str();
        openai.or(gemini).or(self.body["system"].as_str()).unwrap_or_default()
    }

    /// Returns the last user message, which contains the data of a structured request.
    fn said(&self) -> &str {
        let messages = self.body["messages"].as_array().map_or(&[][..], Vec::as_slice);
        let openai = messages.iter().rfind(|message| message["role"] == "user").and_then(|message| message["content"].as_str());
        let contents = self.body["contents"].as_array().map_or(&[][..], Vec::as_slice);
        let gemini = contents.iter().rfind(|message| message["role"] == "user").and_then(|message| message["parts"][0]["text"].as_str());
        openai.or(gemini).unwrap_or_default()
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

/// Placeholder that is replaced with invalid UTF-8 before sending.
const BROKEN: &str = "(broken)";

/// Rewrites the free texts of an answer. Enum values and numbers stay valid.
fn rewritten(text: &str, rewrite: &dyn Fn(&str) -> String) -> String {
    const TEXTS: [&str; 9] = ["content", "text", "note", "profile", "essence", "scenario", "name", "description", "statement"];
    fn walk(value: &mut Value, rewrite: &dyn Fn(&str) -> String) {
        match value {
            Value::Object(fields) => fields.iter_mut().for_each(|(name, field)| match field {
                Value::String(words) if TEXTS.contains(&name.as_str()) => *words = rewrite(words),
                field => walk(field, rewrite),
            }),
            Value::Array(items) => items.iter_mut().for_each(|item| walk(item, rewrite)),
            _ => {}
        }
    }
    match serde_json::from_str(text) {
        Ok(mut answer) => {
            walk(&mut answer, rewrite);
            answer.to_string()
        }
        Err(_) => rewrite(text),
    }
}

/// Returns the events of a streamed answer.
fn pieces(dialect: Dialect, words: &[&str], refuses: bool) -> Vec<String> {
    let mut pieces: Vec<Value> = Vec::new();
    match dialect {
        Dialect::OpenAi => {
            pieces.extend(words.iter().map(|word| json!({ "choices": [{ "index": 0, "delta": { "content": word } }] })));
            let reason = if refuses { "content_filter" } else { "stop" };
            pieces.push(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] }));
            pieces.push(json!({ "choices": [], "usage": { "prompt_tokens": 100, "completion_tokens": 20 } }));
        }
        Dialect::Anthropic => {
            pieces.push(json!({ "type": "message_start", "message": { "usage": { "input_tokens": 100, "output_tokens": 1 } } }));
            pieces
                .extend(words.iter().map(|word| json!({ "type": "content_block_delta", "delta": { "type": "text_delta", "text": word } })));
            let reason = if refuses { "refusal" } else { "end_turn" };
            pieces.push(json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 20 } }));
        }
        Dialect::Gemini => {
            pieces.extend(words.iter().map(|word| json!({ "candidates": [{ "content": { "parts": [{ "text": word }] } }] })));
            let reason = if refuses { "SAFETY" } else { "STOP" };
            pieces.push(json!({ "candidates": [{ "finishReason": reason }], "usageMetadata": { "promptTokenCount": 100, "candidatesTokenCount": 20 } }));
        }
    }
    let mut texts: Vec<String> = pieces.iter().map(Value::to_string).collect();
    if dialect == Dialect::OpenAi {
        texts.push("[DONE]".into());
    }
    texts
}

/// Sends vectors that depend on the text alone: counts of hashed character pairs.
async fn embed(stream: &mut TcpStream, request: &Request, behaviour: Behaviour) -> std::io::Result<()> {
    match behaviour {
        Behaviour::Silent => std::future::pending().await,
        Behaviour::Stubborn if request.body["input"].as_array().is_some_and(|texts| texts.len() > 16) => {
            return whole(stream, ("413 Payload Too Large", ""), b"{}").await;
        }
        Behaviour::Choosing(word)
            if request.body["input"].to_string().contains(word) || request.body["requests"].to_string().contains(word) =>
        {
            return whole(stream, ("400 Bad Request", ""), b"{}").await;
        }
        Behaviour::Well | Behaviour::Plain | Behaviour::Stubborn | Behaviour::Choosing(_) => {}
        _ => return whole(stream, ("500 Internal Server Error", ""), b"{}").await,
    }
    let vector = |text: &str, dims: u64| -> Vec<f32> {
        let mut vector = vec![0.01f32; dims.max(1) as usize];
        let letters: Vec<char> = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
        for pair in letters.windows(2) {
            let place = (pair[0] as usize * 31 + pair[1] as usize * 17) % vector.len();
            vector[place] += 1.0;
        }
        vector
    };
    let body = match request.dialect() {
        Dialect::Gemini => {
            let asked = request.body["requests"].as_array().map_or(&[][..], Vec::as_slice);
            let values = asked.iter().map(|one| {
                let text = one["content"]["parts"][0]["text"].as_str().unwrap_or_default();
                json!({ "values": vector(text, one["outputDimensionality"].as_u64().unwrap_or(768)) })
            });
            json!({ "embeddings": values.collect::<Vec<_>>() })
        }
        _ => {
            let texts: Vec<&str> = request.body["input"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let dims = request.body["dimensions"].as_u64().filter(|_| behaviour != Behaviour::Stubborn).unwrap_or(3072);
            let data: Vec<Value> =
                texts.iter().enumerate().map(|(index, text)| json!({ "index": index, "embedding": vector(text, dims) })).collect();
            json!({ "data": data, "usage": { "prompt_tokens": texts.len() * 8, "total_tokens": texts.len() * 8 } })
        }
    };
    whole(stream, ("200 OK", ""), body.to_string().as_bytes()).await
}

async fn whole(stream: &mut TcpStream, (status, headers): (&str, &str), body: &[u8]) -> std::io::Result<()> {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body).await?;
    stream.shutdown().await
}

async fn events(stream: &mut TcpStream, events: &[String]) -> std::io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n").await?;
    for event in events {
        stream.write_all(format!("data: {event}\n\n").as_bytes()).await?;
        stream.flush().await?;
    }
    stream.shutdown().await
}
