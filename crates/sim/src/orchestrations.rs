//! Kills runs of personas at random times and resumes them: no acknowledged step may be lost, none may be repeated, and every run must
//! be complete at the end.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use saegim_core::{MemoryId, RunStatus, Verdict};
use saegim_engine::{Draft, Filter, MindHandle, OrchestrationEvent, OrchestrationPage, OrchestrationRequest, Page, RunStart};

use crate::Outcome;
use crate::made::{Numbers, sentence};
use crate::writers::mind;

/// Number of kills per database file, so that checking a file stays fast.
const PER_FILE: u32 = 25;

/// Number of cycles of a run.
const DEPTH: u32 = 2;

/// Steps of a complete run: three personas, each cycle.
const STEPS: usize = 3 * DEPTH as usize;

/// Totals over all kills.
#[derive(Default)]
struct Tally {
    acknowledged: usize,
    lost: usize,
    resumed: usize,
    problems: Vec<String>,
}

/// Runs personas over generated questions, interrupted runs first, and prints the memory of each step once it is durable.
pub(crate) async fn think(db: &Path, seed: u64) -> Outcome {
    let (_engine, mind) = mind(db).await?;
    let mut numbers = Numbers::new(seed);
    let mut acknowledge = |event: OrchestrationEvent| {
        if let OrchestrationEvent::Step(made) = event {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{}", made.memory.id).and_then(|()| out.flush());
        }
    };
    loop {
        finish_interrupted(&mind, &mut acknowledge).await?;
        mind.remember(Draft::text(sentence(&mut numbers))).await?;
        let request =
            OrchestrationRequest { prompt: format!("{}?", sentence(&mut numbers)), depth: DEPTH, ..OrchestrationRequest::default() };
        mind.orchestrate(request, &mut acknowledge).await?;
    }
}

/// Resumes every interrupted run and returns their number.
async fn finish_interrupted(
    mind: &MindHandle,
    hear: &mut (dyn FnMut(OrchestrationEvent) + Send),
) -> Result<usize, Box<dyn std::error::Error>> {
    let mut resumed = 0;
    loop {
        let page = OrchestrationPage { limit: 1, session: None, status: Some(RunStatus::Running) };
        if mind.orchestrations(page).await?.is_empty() {
            return Ok(resumed);
        }
        let request = OrchestrationRequest { start: RunStart::Resume, ..OrchestrationRequest::default() };
        mind.orchestrate(request, hear).await?;
        resumed += 1;
    }
}

pub(crate) async fn run(count: u32, seed: u64) -> Outcome {
    let mut numbers = Numbers::new(seed);
    let mut tally = Tally::default();
    let mut done = 0;
    while done < count {
        let folder = tempfile::tempdir()?;
        let db = folder.path().join("mind.db");
        let mut acknowledged = HashSet::new();
        for _ in 0..PER_FILE.min(count - done) {
            let wait = Duration::from_millis(numbers.below(400));
            kill_once(&db, u64::from(done), wait, &mut acknowledged)?;
            done += 1;
        }
        look(&db, &acknowledged, &mut tally).await?;
        tally.acknowledged += acknowledged.len();
        eprintln!("{done} kills: {} steps acknowledged, {} lost, {} problems", tally.acknowledged, tally.lost, tally.problems.len());
    }
    println!(
        "{count} kills: {} steps acknowledged, {} lost, {} runs resumed at the end, {} problems",
        tally.acknowledged,
        tally.lost,
        tally.resumed,
        tally.problems.len()
    );
    if tally.lost > 0 || !tally.problems.is_empty() || tally.acknowledged == 0 {
        return Err(tally.problems.join("\n").into());
    }
    Ok(())
}

/// Starts a process, kills it `wait` after its first acknowledgement and collects the acknowledged steps. Every fourth process is
/// killed at a time counted from its start.
fn kill_once(db: &Path, seed: u64, wait: Duration, acknowledged: &mut HashSet<MemoryId>) -> Outcome {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("think").arg(db).arg("--seed").arg(seed.to_string()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let mut heard = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut said = String::new();
    if !seed.is_multiple_of(4) {
        heard.read_line(&mut said)?;
    }
    std::thread::sleep(wait);
    child.kill()?;
    heard.read_to_string(&mut said)?;
    child.wait()?;
    // A truncated line is not an acknowledgement.
    let whole = said.rfind('\n').map_or("", |end| &said[..end]);
    for line in whole.lines() {
        if !acknowledged.insert(MemoryId::parse(line)?) {
            return Err(format!("the step {line} was acknowledged twice").into());
        }
    }
    Ok(())
}

/// Finishes the interrupted runs and checks every run, its memories and the ledger.
async fn look(db: &Path, acknowledged: &HashSet<MemoryId>, tally: &mut Tally) -> Outcome {
    let (engine, mind) = mind(db).await?;
    tally.resumed += finish_interrupted(&mind, &mut |_| ()).await?;
    let filter = Filter { tags: vec!["orchestration".into()], ..Filter::default() };
    let (mut kept, mut page) = (HashSet::new(), Page { limit: 1000, before: None });
    loop {
        let memories = mind.list(&filter, page.clone()).await?;
        let Some(last) = memories.last() else { break };
        page.before = Some(last.id);
        kept.extend(memories.iter().map(|memory| memory.id));
    }
    tally.lost += acknowledged.difference(&kept).count();
    let runs = mind.orchestrations(OrchestrationPage { limit: 100_000, ..OrchestrationPage::default() }).await?;
    let mut of_runs = HashSet::new();
    for run in &runs {
        let steps: Vec<(&str, u32)> = run.steps.iter().map(|step| (step.persona.as_str(), step.depth)).collect();
        let distinct: HashSet<_> = steps.iter().collect();
        if run.steps.len() != STEPS || distinct.len() != STEPS || run.cycles.len() != DEPTH as usize || run.status != RunStatus::Done {
            tally.problems.push(format!("run {}: {} steps, {} cycles, {}", run.id, run.steps.len(), run.cycles.len(), run.status));
        }
        of_runs.extend(run.steps.iter().map(|step| step.memory));
    }
    if of_runs != kept {
        tally.problems.push(format!("{} steps in runs, {} memories of personas", of_runs.len(), kept.len()));
    }
    tally.problems.extend(engine.check().await?.problems.iter().map(ToString::to_string));
    if let Verdict::Broken { sequence, problem } = mind.verify_ledger(None).await? {
        tally.problems.push(format!("ledger entry {sequence}: {problem}"));
    }
    Ok(())
}
