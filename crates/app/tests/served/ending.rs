//! Shutdown: the server stops promptly even with open event streams, and finishes the turns it has started.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::time::Duration;

use super::{RECALL, Server, status};

impl Server {
    /// Sends SIGTERM and returns whether the server exits successfully within this many seconds.
    fn ends_within(&mut self, seconds: u64) -> bool {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        for _ in 0..seconds * 10 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        false
    }

    /// Opens an event stream and returns it with its status code.
    fn listen(&self) -> (TcpStream, u16) {
        let mut stream = self.connect();
        let head = format!("GET /v1/minds/minsu%2Fluna/events HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        stream.write_all(head.as_bytes()).unwrap();
        let mut line = [0; 12];
        stream.read_exact(&mut line).unwrap();
        let status = String::from_utf8_lossy(&line[9..]).parse().unwrap();
        (stream, status)
    }
}

#[test]
fn a_listener_delays_neither_others_nor_the_shutdown() {
    let mut server = Server::start();
    let open: Vec<(TcpStream, u16)> = (0..200).map(|_| server.listen()).collect();
    let heard = open.iter().filter(|(_, status)| *status == 200).count();
    assert!((10..200).contains(&heard), "{heard} listen");
    assert!(open.iter().all(|(_, status)| [200, 429].contains(status)));
    assert_eq!(server.post(RECALL, "", br#"{"query":"hi"}"#), 200, "others are answered meanwhile");
    assert!(server.ends_within(8), "it waits for those who listen");
}

/// Starts a model server that waits two seconds before it answers a streaming request.
fn slow_model() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    base
}

fn answer(mut stream: TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut length, mut line) = (0, String::new());
    while reader.read_line(&mut line).is_ok_and(|count| count > 2) {
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    if !String::from_utf8_lossy(&body).contains("\"stream\":true") {
        let _ = stream.write_all(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        return;
    }
    std::thread::sleep(Duration::from_secs(2));
    let words = r#"data: {"choices":[{"index":0,"delta":{"content":"조심히 다녀와"},"finish_reason":null}]}"#;
    let end = r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    let _ = stream.write_all(format!("{head}{words}\n\n{end}\n\ndata: [DONE]\n\n").as_bytes());
}

#[test]
fn a_turn_whose_client_left_is_kept_although_the_server_ends() {
    let base = slow_model();
    let mut server = Server::started_with(&[("OPENAI_BASE_URL", &base), ("OPENAI_API_KEY", "none"), ("SAEGIM_MODEL", "openai/slow")]);
    let body = r#"{"message":"오늘 설악산에 가"}"#;
    let mut client = server.connect();
    let head = format!(
        "POST /v1/minds/minsu%2Fluna/chat HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    client.write_all(head.as_bytes()).unwrap();
    // The first bytes of the response show that the turn has started; then the client disconnects.
    let mut first = [0; 64];
    assert!(client.read(&mut first).unwrap() > 0);
    drop(client);
    assert!(server.ends_within(30));
    let mut command = Command::new(env!("CARGO_BIN_EXE_saegim"));
    command.env_clear().env("HOME", server.folder.path()).arg("--db").arg(server.folder.path().join("mind.db"));
    let told = command.args(["--mind", "minsu/luna", "--json", "turns"]).output().unwrap();
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("오늘 설악산에 가") && told.contains("조심히 다녀와"), "{told}");
}

#[test]
fn a_body_that_drips_is_not_waited_for() {
    let server = Server::start();
    let mut stream = server.connect();
    let head =
        format!("POST {RECALL} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).unwrap();
    let mut writer = stream.try_clone().unwrap();
    std::thread::spawn(move || {
        while writer.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_secs(3));
        }
    });
    stream.set_read_timeout(Some(Duration::from_secs(50))).unwrap();
    assert_eq!(status(&mut stream), 408);
}

#[test]
fn a_server_whose_database_is_lost_acknowledges_nothing_and_says_so() {
    for harm in ["delete", "cut off"] {
        let server = Server::start();
        let health = || server.send(&format!("GET /health HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address), b"");
        let store = || server.post("/v1/minds/minsu%2Fluna/memories", "", r#"{"content":"둘째"}"#.as_bytes());
        assert_eq!((health(), store()), (200, 201));
        let db = server.folder.path().join("mind.db");
        match harm {
            "delete" => std::fs::remove_file(&db).unwrap(),
            _ => std::fs::File::options().write(true).open(&db).unwrap().set_len(512).unwrap(),
        }
        // A write that first reads what was cut off fails on that.
        let refused = store();
        assert!(refused == 503 || (harm == "cut off" && refused == 500), "{harm}: {refused}");
        assert_eq!((health(), health()), (503, 503), "{harm}");
    }
}
