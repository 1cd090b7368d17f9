//! A request to the mock server.

use serde_json::Value;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

use crate::Dialect;

/// The parsed parts of a request.
pub(super) struct Request {
    pub(super) path: String,
    pub(super) head: String,
    pub(super) body: Value,
}

impl Request {
    pub(super) async fn read(stream: &mut TcpStream) -> std::io::Result<Self> {
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

    pub(super) fn dialect(&self) -> Dialect {
        match self.path.as_str() {
            path if path.starts_with("/v1beta/") => Dialect::Gemini,
            "/v1/messages" => Dialect::Anthropic,
            _ => Dialect::OpenAi,
        }
    }

    pub(super) fn streams(&self) -> bool {
        self.path.contains(":stream") || self.body["stream"] == true
    }

    pub(super) fn structured(&self) -> bool {
        let config = &self.body["generationConfig"];
        !(self.body["response_format"].is_null() && self.body["tools"].is_null() && config["responseJsonSchema"].is_null())
    }

    /// Returns the token limit of the answer.
    pub(super) fn room(&self) -> u64 {
        let limits = [&self.body["max_tokens"], &self.body["max_completion_tokens"], &self.body["generationConfig"]["maxOutputTokens"]];
        limits.into_iter().find_map(Value::as_u64).unwrap_or(u64::MAX)
    }

    pub(super) fn is_told_how(&self) -> bool {
        ["temperature", "top_p", "topP", "stop", "stop_sequences", "stopSequences", "seed"]
            .iter()
            .any(|name| !self.body[*name].is_null() || !self.body["generationConfig"][*name].is_null())
    }

    pub(super) fn system(&self) -> &str {
        let openai = self.body["messages"][0]["content"].as_str().filter(|_| self.body["messages"][0]["role"] == "system");
        let gemini = self.body["systemInstruction"]["parts"][0]["text"].as_str();
        openai.or(gemini).or(self.body["system"].as_str()).unwrap_or_default()
    }

    /// Returns the last user message, which contains the data of a structured request.
    pub(super) fn said(&self) -> &str {
        let messages = self.body["messages"].as_array().map_or(&[][..], Vec::as_slice);
        let openai = messages.iter().rfind(|message| message["role"] == "user").and_then(|message| message["content"].as_str());
        let contents = self.body["contents"].as_array().map_or(&[][..], Vec::as_slice);
        let gemini = contents.iter().rfind(|message| message["role"] == "user").and_then(|message| message["parts"][0]["text"].as_str());
        openai.or(gemini).unwrap_or_default()
    }
}
