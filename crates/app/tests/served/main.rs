//! Hostile clients against a real server process: each request is refused with a status code, and none makes memory use grow.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

/// Shutdown without losing turns.
mod ending;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server process with its own database.
struct Server {
    child: Child,
    address: String,
    folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        Self::started_with(&[])
    }

    /// Starts a server with these environment variables.
    fn started_with(environment: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_saegim"));
        command.env_clear().env("HOME", folder.path()).env("LANG", "C").arg("--db").arg(folder.path().join("mind.db"));
        command.envs(environment.iter().copied());
        let mut child = command.args(["--json", "serve", "--addr", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut told = BufReader::new(child.stderr.take().unwrap());
        told.read_line(&mut line).unwrap();
        std::thread::spawn(move || std::io::copy(&mut told, &mut std::io::sink()));
        let told: serde_json::Value = serde_json::from_str(&line).unwrap();
        let server = Self { child, address: told["listening"].as_str().unwrap().to_owned(), folder };
        // Loads the model and creates a mind before memory use is measured.
        assert_eq!(server.post("/v1/minds/minsu%2Fluna/memories", "", r#"{"content":"안녕"}"#.as_bytes()), 201);
        server
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Status code of the response to a raw request; 0 if the connection is closed without one.
    fn send(&self, head: &str, body: &[u8]) -> u16 {
        let mut stream = self.connect();
        // The server may close the connection before the whole request is sent.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body);
        status(&mut stream)
    }

    fn post(&self, path: &str, headers: &str, body: &[u8]) -> u16 {
        let host = if headers.to_lowercase().contains("host:") { String::new() } else { format!("Host: {}\r\n", self.address) };
        let kind = if headers.to_lowercase().contains("content-type:") { "" } else { "Content-Type: application/json\r\n" };
        let head = format!("POST {path} HTTP/1.1\r\n{host}{kind}{headers}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
        self.send(&head, body)
    }

    /// Peak resident memory of the process, in kilobytes.
    fn peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn status(stream: &mut TcpStream) -> u16 {
    let mut told = Vec::new();
    let mut piece = [0; 4096];
    while !told.windows(2).any(|pair| pair == b"\r\n") {
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => break,
            Ok(count) => told.extend_from_slice(&piece[..count]),
        }
    }
    String::from_utf8_lossy(&told).split_whitespace().nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// A gzip bomb that unpacks to this many megabytes of spaces.
fn bomb(megabytes: usize) -> Vec<u8> {
    let zeros = vec![b' '; 1 << 20];
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let mut packer = miniz_oxide::deflate::core::CompressorOxide::new(0x0fff | 0x80);
    let mut out = vec![0; 1 << 16];
    for turn in 0..=megabytes {
        let (mut input, last) = if turn < megabytes { (&zeros[..], false) } else { (&zeros[..0], true) };
        loop {
            let flush = if last { miniz_oxide::deflate::core::TDEFLFlush::Finish } else { miniz_oxide::deflate::core::TDEFLFlush::None };
            let (status, taken, given) = miniz_oxide::deflate::core::compress(&mut packer, input, &mut out, flush);
            packed.extend_from_slice(&out[..given]);
            input = &input[taken..];
            let done = status == miniz_oxide::deflate::core::TDEFLStatus::Done;
            if done || (!last && input.is_empty()) {
                break;
            }
        }
    }
    packed.extend_from_slice(&[0; 8]);
    packed
}

const RECALL: &str = "/v1/minds/minsu%2Fluna/recall";

#[test]
fn names_and_pages_of_others_are_turned_away() {
    let server = Server::start();
    let asked = br#"{"query":"hi"}"#;
    assert_eq!(server.post(RECALL, "", asked), 200, "a plain client is let in");
    for (what, headers, wanted) in [
        ("a foreign name that points here", "Host: evil.example\r\n", 421),
        ("a foreign name with our port", "Host: rebind.evil.example:7777\r\n", 421),
        ("a page of another site", "Origin: https://evil.example\r\n", 403),
        ("a page with no origin at all", "Origin: null\r\n", 403),
        ("a form of another site", "Sec-Fetch-Site: cross-site\r\n", 403),
        ("a form that needs no leave to be sent", "Content-Type: text/plain\r\n", 415),
        ("a form as forms are", "Content-Type: application/x-www-form-urlencoded\r\n", 415),
    ] {
        assert_eq!(server.post(RECALL, headers, asked), wanted, "{what}");
        assert_eq!(server.post("/mcp", headers, asked) / 100, 4, "{what}, over MCP");
    }
    assert_eq!(server.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", b""), 421, "no name at all");
}

#[test]
fn what_is_too_much_is_refused_and_makes_nothing_grow() {
    let server = Server::start();
    let before = server.peak();
    let nested = format!("{{\"query\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let objects = "{\"filter\":".repeat(50_000);
    let large = format!("{{\"query\":\"{}\"}}", "가".repeat(6 << 20));
    let ids = format!("{{\"what\":\"island\",\"founding\":[{}\"a\"]}}", "\"a\",".repeat(450_000));
    let packed = bomb(512);
    assert!(packed.len() < 1 << 20, "it is small on the wire: {}", packed.len());
    for (what, path, headers, body) in [
        ("lists in lists", RECALL, "", nested.as_bytes()),
        ("objects in objects", RECALL, "", objects.as_bytes()),
        ("a large body", RECALL, "", large.as_bytes()),
        ("many ids", "/v1/minds/minsu%2Fluna/proposals", "", ids.as_bytes()),
        ("a bomb", RECALL, "Content-Encoding: gzip\r\n", &packed),
        ("a bomb over MCP", "/mcp", "Content-Encoding: gzip\r\nAccept: application/json, text/event-stream\r\n", &packed),
        ("a huge number of results", RECALL, "", br#"{"query":"hi","limit":1000000000}"#),
        ("no text at all", RECALL, "", b"\xff\xfe\x00"),
    ] {
        for _ in 0..3 {
            let told = server.post(path, headers, body);
            assert!((400..500).contains(&told), "{what}: {told}");
        }
    }
    let claimed = format!(
        "POST {RECALL} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n",
        server.address
    );
    assert_eq!(server.send(&claimed, b"{"), 413, "a body that is only claimed to be large");
    let headers = format!("GET /health HTTP/1.1\r\nHost: {}\r\nX-Long: {}\r\n\r\n", server.address, "a".repeat(10 << 20));
    assert_eq!(server.send(&headers, b""), 431, "a huge header");
    assert!(server.peak() < before + (64 << 10), "{} kB grew to {}", before, server.peak());
    assert_eq!(server.post(RECALL, "", br#"{"query":"hi"}"#), 200, "and it is well");
}

#[test]
fn a_body_that_does_not_come_is_not_waited_for() {
    let server = Server::start();
    let head =
        format!("POST {RECALL} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n", server.address);
    let told = server.send(&head, b"{");
    assert!((400..500).contains(&told), "{told}");
}

#[test]
fn a_slow_upload_blocks_nothing_for_long() {
    let server = Server::start();
    let before = server.peak();
    let mut slow: Vec<TcpStream> = (0..300).map(|_| server.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"GET /health HTTP/1.1\r\nX-A: ").unwrap();
    }
    assert_eq!(server.post(RECALL, "", br#"{"query":"hi"}"#), 200, "others are answered meanwhile");
    for round in 0..15 {
        std::thread::sleep(Duration::from_secs(1));
        for stream in &mut slow {
            let _ = stream.write_all(b"a");
        }
        let mut byte = [0; 1];
        slow.retain(|stream| {
            stream.set_nonblocking(true).unwrap();
            let open = matches!((&*stream).read(&mut byte), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock);
            stream.set_nonblocking(false).unwrap();
            open
        });
        if slow.is_empty() {
            assert!(round >= 5, "an honest client has some seconds");
            break;
        }
    }
    assert!(slow.is_empty(), "{} still hold a connection", slow.len());
    assert!(server.peak() < before + (64 << 10));
}
