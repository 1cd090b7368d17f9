//! The server under load and under kill -9: many clients on many minds, compared with a minimal server that stores one row per
//! turn.

/// The minimal server.
pub(crate) mod bare;
/// A client with one connection.
mod client;

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use self::client::Client;
use crate::Outcome;
use crate::made::Numbers;

/// Messages and questions of the clients.
const SAID: [&str; 6] = [
    "오늘 강아지 모찌랑 한강을 산책했어",
    "나는 부산에서 간호사로 일해",
    "어제 본 영화가 정말 감동적이었어",
    "I moved to Leeds last week and started pottery",
    "주말엔 동생이랑 캠핑 갈 거야",
    "아침에 커피를 쏟아서 짜증났어",
];
const ASKED: [&str; 4] = ["강아지 이름이 뭐였지?", "where do I live?", "주말에 뭐 한다고 했지?", "무슨 영화를 봤어?"];

/// Parameters of the load.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) clients: usize,
    pub(crate) minds: usize,
    pub(crate) seconds: u64,
}

/// A running server process.
struct Running {
    child: Child,
    address: String,
}

impl Running {
    /// Starts a program that prints its address in the first line of JSON on standard error.
    fn start(command: &mut Command) -> Result<Self, Box<dyn std::error::Error>> {
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn()?;
        let mut lines = BufReader::new(child.stderr.take().ok_or("it has no standard error")?);
        let mut line = String::new();
        lines.read_line(&mut line)?;
        let told: Value = serde_json::from_str(&line).map_err(|_| format!("it said {line:?}"))?;
        // Drain the rest of the output, so that the pipe does not fill up.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        Ok(Self { child, address: told["listening"].as_str().ok_or("it does not say where")?.to_owned() })
    }

    fn saegim(db: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let program = std::env::current_exe()?.with_file_name("saegim");
        let arguments = ["--json", "serve", "--addr", "127.0.0.1:0", "--rate", "1000000"];
        Self::start(Command::new(program).arg("--db").arg(db).args(arguments))
    }

    fn bare(db: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        Self::start(Command::new(std::env::current_exe()?).arg("bare").arg(db))
    }

    /// Returns the resident memory in megabytes, if the system reports it.
    fn resident(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
    }

    fn kill(mut self) -> Outcome {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

/// Results of one client.
#[derive(Default)]
struct Seen {
    /// Durations of the turns, in milliseconds.
    turns: Vec<f64>,
    /// Durations of the recalls, in milliseconds.
    recalls: Vec<f64>,
    errors: Vec<String>,
    /// Acknowledged messages, with their mind.
    acknowledged: Vec<(usize, String)>,
}

/// Runs one client until the time is over or the server is gone.
async fn talk(address: String, number: usize, load: Load, until: Instant) -> Seen {
    let mut seen = Seen::default();
    let Ok(mut client) = Client::connect(&address).await else {
        seen.errors.push("it cannot be reached".into());
        return seen;
    };
    let mut numbers = Numbers::new(number as u64 + 1);
    for round in 0.. {
        if Instant::now() >= until {
            break;
        }
        let mind = numbers.below(load.minds as u64) as usize;
        let path = |what: &str| format!("/v1/minds/user{mind}%2Fluna/{what}");
        let said = format!("{} ({number}-{round})", SAID[numbers.below(SAID.len() as u64) as usize]);
        let begun = Instant::now();
        let is_turn = round % 3 == 0;
        let answered = if is_turn {
            client.post(&path("turns"), &json!({ "messages": [{ "role": "user", "content": said }] })).await
        } else {
            client.post(&path("recall"), &json!({ "query": ASKED[numbers.below(ASKED.len() as u64) as usize] })).await
        };
        let took = begun.elapsed().as_secs_f64() * 1000.0;
        match answered {
            Ok((status, _)) if is_turn && status.is_success() => {
                seen.turns.push(took);
                seen.acknowledged.push((mind, said));
            }
            // A mind without turns does not exist yet.
            Ok((status, _)) if !is_turn && (status.is_success() || status.as_u16() == 404) => seen.recalls.push(took),
            Ok((status, text)) => seen.errors.push(format!("{status}: {text}")),
            Err(error) => {
                seen.errors.push(error);
                break;
            }
        }
    }
    seen
}

/// Runs all clients at once and collects their results.
async fn crowd(address: &str, load: Load, until: Instant) -> Result<Seen, tokio::task::JoinError> {
    let clients: Vec<_> = (0..load.clients).map(|number| tokio::spawn(talk(address.to_owned(), number, load, until))).collect();
    let mut all = Seen::default();
    for client in clients {
        let seen = client.await?;
        all.turns.extend(seen.turns);
        all.recalls.extend(seen.recalls);
        all.errors.extend(seen.errors);
        all.acknowledged.extend(seen.acknowledged);
    }
    Ok(all)
}

fn percentile(times: &mut [f64], share: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    let at = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or(f64::NAN)
}

fn figures(name: &str, seen: &mut Seen, load: Load) -> Value {
    let round = |value: f64| (value * 100.0).round() / 100.0;
    let (turns, recalls) = (seen.turns.len(), seen.recalls.len());
    json!({
        "server": name, "clients": load.clients, "minds": load.minds, "seconds": load.seconds, "errors": seen.errors.len(),
        "turns": turns, "recalls": recalls, "per_second": round((turns + recalls) as f64 / load.seconds as f64),
        "turn_p50_ms": round(percentile(&mut seen.turns, 0.5)), "turn_p99_ms": round(percentile(&mut seen.turns, 0.99)),
        "recall_p50_ms": round(percentile(&mut seen.recalls, 0.5)), "recall_p99_ms": round(percentile(&mut seen.recalls, 0.99)),
    })
}

/// Measures the server and the minimal server under the same load.
pub(crate) async fn run(load: Load) -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut errors = Vec::new();
    for name in ["bare", "saegim"] {
        let db = folder.path().join(format!("{name}.db"));
        let server = if name == "bare" { Running::bare(&db)? } else { Running::saegim(&db)? };
        if name == "saegim" {
            // The first message loads the model.
            Client::connect(&server.address).await?.post("/v1/minds/first%2Fluna/memories", &json!({ "content": "안녕" })).await?;
        }
        let idle = server.resident();
        let mut seen = crowd(&server.address, load, Instant::now() + Duration::from_secs(load.seconds)).await?;
        let mut figures = figures(name, &mut seen, load);
        figures["resident_idle_mb"] = json!(idle.map(f64::round));
        figures["resident_after_mb"] = json!(server.resident().map(f64::round));
        println!("{figures}");
        errors.extend(seen.errors);
        server.kill()?;
    }
    match errors.first() {
        Some(first) => Err(format!("{} errors, the first: {first}", errors.len()).into()),
        None => Ok(()),
    }
}

/// Kills the server at random times under load and checks that all acknowledged turns exist.
pub(crate) async fn kills(count: u32, seed: u64) -> Outcome {
    let folder = tempfile::tempdir()?;
    let db = folder.path().join("mind.db");
    let load = Load { clients: 64, minds: 40, seconds: 5 };
    let mut numbers = Numbers::new(seed);
    let mut acknowledged: HashMap<usize, Vec<String>> = HashMap::new();
    let mut total = 0;
    for kill in 0..count {
        let server = Running::saegim(&db)?;
        let load = Load { minds: 40 + kill as usize, ..load };
        let crowd = tokio::spawn({
            let address = server.address.clone();
            async move { crowd(&address, load, Instant::now() + Duration::from_secs(load.seconds)).await }
        });
        tokio::time::sleep(Duration::from_millis(150 + numbers.below(700))).await;
        server.kill()?;
        for (mind, said) in crowd.await??.acknowledged {
            acknowledged.entry(mind).or_default().push(said);
            total += 1;
        }
    }
    let server = Running::saegim(&db)?;
    let (mut lost, mut client) = (0, Client::connect(&server.address).await?);
    for (mind, said) in &acknowledged {
        let kept = everything(&mut client, *mind).await?;
        // The same text can be acknowledged several times, once per server run; it must exist that often.
        for words in said {
            let wanted = said.iter().filter(|other| *other == words).count();
            lost += usize::from(kept.iter().filter(|kept| *kept == words).count() < wanted);
        }
        let (status, text) = client.get(&format!("/v1/minds/user{mind}%2Fluna/ledger/verify")).await?;
        if !status.is_success() || !text.contains("\"whole\":true") {
            return Err(format!("the ledger of mind {mind} is broken: {status} {text}").into());
        }
    }
    server.kill()?;
    println!("{count} kills of a server under load: {total} turns acknowledged, {lost} lost");
    if lost > 0 || total == 0 { Err("acknowledged turns were lost".into()) } else { Ok(()) }
}

/// Returns all messages of a mind.
async fn everything(client: &mut Client, mind: usize) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let (mut said, mut cursor) = (Vec::new(), String::new());
    loop {
        let (status, text) = client.get(&format!("/v1/minds/user{mind}%2Fluna/turns?limit=1000{cursor}")).await?;
        if !status.is_success() {
            return Err(format!("mind {mind}: {status} {text}").into());
        }
        let page: Value = serde_json::from_str(&text)?;
        let turns = page["turns"].as_array().cloned().unwrap_or_default();
        said.extend(turns.iter().filter_map(|turn| turn["content"].as_str().map(str::to_owned)));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok(said),
        }
    }
}
