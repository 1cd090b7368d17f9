//! Kills a writer at random times: acknowledged writes must exist, no write may be partial, and the ledger must be intact.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

use saegim_core::{MemoryId, Verdict};

use crate::Outcome;
use crate::made::Numbers;
use crate::writers::{child, mind};

/// Number of kills per database file, so that checking a file stays fast.
const PER_FILE: u32 = 25;

/// Totals over all kills.
#[derive(Default)]
struct Tally {
    acknowledged: usize,
    unacknowledged: usize,
    /// Number in the current file at the last check.
    unacknowledged_here: usize,
    lost: usize,
    problems: Vec<String>,
}

pub(crate) async fn run(count: u32, seed: u64) -> Outcome {
    let mut numbers = Numbers::new(seed);
    let mut tally = Tally::default();
    let mut done = 0;
    while done < count {
        let folder = tempfile::tempdir()?;
        let mut acknowledged = HashSet::new();
        for _ in 0..PER_FILE.min(count - done) {
            let wait = Duration::from_millis(numbers.below(125));
            kill_once(&folder.path().join("mind.db"), done, wait, &mut acknowledged)?;
            look(&folder.path().join("mind.db"), &acknowledged, &mut tally).await?;
            done += 1;
        }
        tally.acknowledged += acknowledged.len();
        tally.unacknowledged += tally.unacknowledged_here;
        eprintln!("{done} kills: {} acknowledged, {} lost, {} problems", tally.acknowledged, tally.lost, tally.problems.len());
    }
    println!(
        "{count} kills: {} writes acknowledged, {} lost, {} written but not yet acknowledged, {} problems",
        tally.acknowledged,
        tally.lost,
        tally.unacknowledged,
        tally.problems.len()
    );
    if tally.lost > 0 || !tally.problems.is_empty() || tally.acknowledged == 0 {
        return Err(tally.problems.join("\n").into());
    }
    Ok(())
}

/// Starts a writer, kills it after `wait` and collects the acknowledged ids. Every fourth writer is killed at a time counted from
/// its start, possibly before its first write; the others only after their first acknowledgement.
fn kill_once(db: &Path, writer: u32, wait: Duration, acknowledged: &mut HashSet<MemoryId>) -> Outcome {
    let mut child = child(db, writer, None)?.spawn()?;
    let mut heard = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut said = String::new();
    if !writer.is_multiple_of(4) {
        heard.read_line(&mut said)?;
    }
    std::thread::sleep(wait);
    child.kill()?;
    heard.read_to_string(&mut said)?;
    child.wait()?;
    // A truncated line is not an acknowledgement.
    let whole = said.rfind('\n').map_or("", |end| &said[..end]);
    acknowledged.extend(whole.lines().filter_map(|line| MemoryId::parse(line).ok()));
    Ok(())
}

async fn look(db: &Path, acknowledged: &HashSet<MemoryId>, tally: &mut Tally) -> Outcome {
    let (engine, mind) = mind(db).await?;
    let mut kept = HashSet::new();
    let mut page = saegim_engine::Page { limit: 1000, before: None };
    loop {
        let memories = mind.list(&saegim_engine::Filter::default(), page.clone()).await?;
        let Some(last) = memories.last() else { break };
        page.before = Some(last.id);
        kept.extend(memories.iter().map(|memory| memory.id));
    }
    let lost = acknowledged.difference(&kept).count();
    tally.lost += lost;
    tally.unacknowledged_here = kept.difference(acknowledged).count();
    let counts = mind.counts().await?;
    if counts.vectors != kept.len() as u64 || counts.entries != kept.len() as u64 + 1 {
        tally.problems.push(format!("{} memories, {} vectors, {} entries", kept.len(), counts.vectors, counts.entries));
    }
    tally.problems.extend(engine.check().await?.problems.iter().map(ToString::to_string));
    if let Verdict::Broken { sequence, problem } = mind.verify_ledger(None).await? {
        tally.problems.push(format!("ledger entry {sequence}: {problem}"));
    }
    Ok(())
}
