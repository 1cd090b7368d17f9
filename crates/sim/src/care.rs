//! Kills the worker at random times. Another worker continues, and in the end the mind must equal one whose worker was never
//! killed.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use saegim_core::{Emotion, Emotions, LinkKind, Memory, MindKey, SessionId, Span, Tier, Timestamp, Unit, Verdict};
use saegim_engine::{Config, Draft, Engine, Exchange, Filter, MindHandle, NewMessage, Page, SeededDice, SetClock};

use crate::Outcome;
use crate::made::{HashEmbedder, Numbers};

/// Last simulated day.
const LAST_DAY: i64 = 130;

/// Texts of daily habits. The other texts of a day are generated from numbers.
const HABITS: [&str; 4] = [
    "동네 카페에서 라떼를 마시며 책을 읽었다",
    "퇴근하고 동네 카페에 들러 라떼를 마셨다",
    "walked the dog along the river before work",
    "took the dog for a long walk along the river",
];

fn start() -> Timestamp {
    Timestamp::from_millis(1_767_258_000_000)
}

/// Opens a mind on a controlled clock, with session limits so that every job has work.
async fn mind(db: &Path, clock: &Arc<SetClock>) -> Result<(Engine, MindHandle), Box<dyn std::error::Error>> {
    let mut config = Config::local(db);
    config.embedder = Some(Arc::new(HashEmbedder::new()));
    config.clock = clock.clone();
    config.dice = Arc::new(SeededDice::new(u64::from(std::process::id())));
    config.policy.retention.limits = true;
    config.policy.retention.sessions = 3;
    config.policy.thinning.most_memories = 60;
    let engine = Engine::open(config).await?;
    let mind = engine.mind(MindKey::new("minsu", "luna")?).await?;
    Ok((engine, mind))
}

/// Simulates the days and their maintenance. All writes have idempotency keys, so that a repeated day has no further effect.
pub(crate) async fn live(db: &Path, from: i64, until: i64) -> Outcome {
    let clock = Arc::new(SetClock::at(start()));
    let (_engine, mind) = mind(db, &clock).await?;
    for day in from..=until {
        clock.set(start().plus(Span::days(day)));
        if day <= 40 {
            for turn in 0..4 {
                let session = SessionId::new(format!("week {}", day / 7))?;
                let said = vec![NewMessage::user(format!("응 {turn}")), NewMessage::assistant("그래")];
                let key = Some(format!("said {day} {turn}"));
                mind.observe(Exchange { session: Some(session), said, idempotency: key, ..Exchange::default() }).await?;
            }
            let mut numbers = Numbers::new(day as u64);
            for place in 0..3 {
                clock.set(start().plus(Span::days(day)).plus(Span::seconds(place + 1)));
                let text = if place == 0 { HABITS[day as usize % 4].to_owned() } else { crate::made::sentence(&mut numbers) };
                let mut draft = Draft { idempotency: Some(format!("kept {day} {place}")), ..Draft::text(text) };
                draft.coordinate.session = Some(SessionId::new(format!("week {}", day / 7))?);
                if numbers.below(5) == 0 {
                    draft.emotions = Some(Emotions::mix([Emotion::Joy, Emotion::Sadness]));
                    draft.intensity = Some(Unit::clamped(0.9));
                }
                if numbers.below(7) == 0 {
                    draft.tier = Some(Tier::M90);
                }
                mind.remember(draft).await?;
            }
        }
        clock.set(start().plus(Span::days(day)).plus(Span::seconds(60)));
        mind.tick().await?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "{day}")?;
        out.flush()?;
    }
    Ok(())
}

pub(crate) async fn run(count: u32, seed: u64) -> Outcome {
    let folder = tempfile::tempdir()?;
    let whole = folder.path().join("whole.db");
    let output = child(&whole, 0)?.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let expected = state(&whole).await?;
    let (mut numbers, mut done, mut lives) = (Numbers::new(seed), 0, 0);
    while done < count {
        lives += 1;
        let db = folder.path().join(format!("killed-{lives}.db"));
        let mut day = 0;
        while day <= LAST_DAY {
            let mut worker = child(&db, day)?.spawn()?;
            let mut heard = BufReader::new(worker.stdout.take().expect("it is piped"));
            let mut said = String::new();
            // After enough kills, the remaining days run to the end.
            if done < count {
                heard.read_line(&mut said)?;
                std::thread::sleep(Duration::from_millis(numbers.below(120)));
                worker.kill()?;
            }
            heard.read_to_string(&mut said)?;
            let ended = worker.wait()?;
            done += u32::from(!ended.success());
            let whole = said.rfind('\n').map_or("", |end| &said[..end]);
            day = whole.lines().filter_map(|line| line.parse::<i64>().ok()).max().map_or(day, |last| last + 1);
            sound(&db).await?;
        }
        let found = state(&db).await?;
        if found != expected {
            return Err(format!("after {done} kills a mind is not as it would have been:\n{}", differences(&expected, &found)).into());
        }
        eprintln!("{done} kills in {lives} lives: each as if never killed");
    }
    let memories: usize = expected.values().sum();
    println!(
        "{done} kills of a caretaker in {lives} lives of {LAST_DAY} days: {memories} memories and links each, none lost, doubled or half-moved"
    );
    Ok(())
}

fn child(db: &Path, from: i64) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("care").arg(db).arg(from.to_string()).arg(LAST_DAY.to_string());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

/// Checks that the mind is consistent right after a kill.
async fn sound(db: &Path) -> Outcome {
    let (engine, mind) = mind(db, &Arc::new(SetClock::at(start()))).await?;
    let problems = engine.check().await?.problems;
    if let Verdict::Broken { sequence, problem } = mind.verify_ledger(None).await? {
        return Err(format!("ledger entry {sequence}: {problem}").into());
    }
    let counts = mind.counts().await?;
    let alive: u64 = counts.zones.iter().sum();
    if !problems.is_empty() || counts.vectors < alive {
        return Err(format!("{problems:?}, {alive} alive, {} vectors", counts.vectors).into());
    }
    Ok(())
}

/// Returns everything in a mind except ids, with counts. Two minds with the same result are equal.
async fn state(db: &Path) -> Result<BTreeMap<String, usize>, Box<dyn std::error::Error>> {
    let clock = Arc::new(SetClock::at(start().plus(Span::days(LAST_DAY))));
    let (_engine, mind) = mind(db, &clock).await?;
    let mut held = BTreeMap::new();
    let mut put = |line: String| *held.entry(line).or_default() += 1;
    for memory in mind.list(&Filter::default(), Page { limit: 100_000, before: None }).await? {
        put(told("alive", &memory));
        let links = mind.show(memory.id).await?.links;
        let distilled = links.iter().filter(|link| link.kind == LinkKind::DistilledFrom && link.from == memory.id).count();
        put(format!("{distilled} originals of {}", memory.content));
    }
    for fallen in mind.cliff().await? {
        put(format!("{} until {} ({})", told("fallen", &fallen.memory), fallen.entry.gone_at, fallen.entry.reason));
    }
    for archive in mind.archives().await? {
        put(format!("{} put away of {}", archive.memories, archive.session.as_str()));
    }
    put(format!("{} turns", mind.mind().await?.turns));
    Ok(held)
}

fn told(standing: &str, memory: &Memory) -> String {
    let Memory { content, tier, kind, mentions, recalls, expires_at, .. } = memory;
    format!("{standing} {tier} {kind} {content} mentioned {mentions} recalled {recalls} until {expires_at:?}")
}

fn differences(expected: &BTreeMap<String, usize>, found: &BTreeMap<String, usize>) -> String {
    let missing = expected.iter().filter(|(line, count)| found.get(*line) != Some(count)).map(|(line, count)| format!("- {count} {line}"));
    let extra = found.iter().filter(|(line, count)| expected.get(*line) != Some(count)).map(|(line, count)| format!("+ {count} {line}"));
    missing.chain(extra).take(40).collect::<Vec<_>>().join("\n")
}
