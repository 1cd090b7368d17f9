//! Responses in the wire formats of the dialects.

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::behaviour::Behaviour;
use super::request::Request;
use crate::Dialect;

/// Placeholder that is replaced with invalid UTF-8 before sending.
pub(super) const BROKEN: &str = "(broken)";

/// Rewrites the free texts of an answer. Enum values and numbers stay valid.
pub(super) fn rewritten(text: &str, rewrite: &dyn Fn(&str) -> String) -> String {
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
pub(super) fn pieces(dialect: Dialect, words: &[&str], refuses: bool) -> Vec<String> {
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

pub(super) async fn whole(stream: &mut TcpStream, (status, headers): (&str, &str), body: &[u8]) -> std::io::Result<()> {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body).await?;
    stream.shutdown().await
}

pub(super) async fn events(stream: &mut TcpStream, events: &[String]) -> std::io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n").await?;
    for event in events {
        stream.write_all(format!("data: {event}\n\n").as_bytes()).await?;
        stream.flush().await?;
    }
    stream.shutdown().await
}

/// Sends vectors that depend on the text alone: counts of hashed character pairs.
pub(super) async fn embed(stream: &mut TcpStream, request: &Request, behaviour: Behaviour) -> std::io::Result<()> {
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
