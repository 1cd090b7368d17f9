//! Measures how latency, memory and disk usage grow with the size of a mind and with the number of minds, compared with an exact
//! scan of the same vectors in memory.

/// Baseline: compares every vector and does nothing else.
mod scan;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use saegim_core::{Memory, MemoryId, MindKey, Tier, Timestamp};
use saegim_engine::{Config, Draft, Engine, Filter, ImportItem, MindHandle, Query};
use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::bench::{Times, mind, now, questions, rebalance};
use crate::made::{HashEmbedder, Numbers, sentence};
use scan::Scan;

type Failed = Box<dyn std::error::Error>;

/// Number of memories per import.
const BATCH: usize = 1000;

/// Number of questions per size.
const QUESTIONS: usize = 200;

/// Measures every size in its own process, so that each starts with empty memory, and prints the results as JSON.
pub(crate) fn run(sizes: &[usize], minds: usize, each: usize) -> Outcome {
    let mut grown = Vec::new();
    for size in sizes {
        eprintln!("one mind of {size}");
        grown.push(child(&["one-mind", &size.to_string()])?);
    }
    let mut told = Map::new();
    told.insert("one_mind".into(), grown.into());
    if minds > 0 {
        eprintln!("{minds} minds of {each}");
        told.insert("many_minds".into(), child(&["many-minds", &minds.to_string(), &each.to_string()])?);
    }
    println!("{}", serde_json::to_string_pretty(&told)?);
    Ok(())
}

fn child(arguments: &[&str]) -> Result<Value, Failed> {
    let output = Command::new(std::env::current_exe()?).args(arguments).stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{arguments:?} failed").into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Measures one mind with `size` memories.
pub(crate) async fn one_mind(size: usize) -> Outcome {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("mind.db");
    let mut numbers = Numbers::new(size as u64);
    let start = now();
    {
        let (_engine, mind) = mind(&file).await?;
        fill(&mind, size, &mut numbers).await?;
    }
    let filled_seconds = start.elapsed().as_secs_f64();
    let (bytes, before) = (on_disk(folder.path())?, resident());
    let questions = questions(&mut numbers, QUESTIONS);

    let start = now();
    let (_engine, mind) = mind(&file).await?;
    ask(&mind, &questions[0]).await?;
    let first_answer = start.elapsed();
    let mut meanwhile = Vec::new();
    while !mind.is_loaded().await {
        let start = now();
        ask(&mind, &questions[1]).await?;
        meanwhile.push(start.elapsed());
    }
    let read_seconds = start.elapsed().as_secs_f64();
    let after = resident();

    let scan = Scan::of(&mind, size).await?;
    let (mut ours, mut scanned) = (Vec::new(), Vec::new());
    for question in &questions {
        let start = now();
        ask(&mind, question).await?;
        ours.push(start.elapsed());
        let vector = HashEmbedder::vector(question, 512).quantised();
        let start = now();
        assert_eq!(scan.nearest(&vector, 10).len(), 10.min(size));
        scanned.push(start.elapsed());
    }
    let (recall, scan) = (Times(ours.split_off(QUESTIONS / 20)), Times(scanned.split_off(QUESTIONS / 20)));
    let rebalance = rebalance::measure(&mind, None).await?;
    let in_talk = rebalance::measure(&mind, Some(&questions[0])).await?;
    // Measures the first query after a new memory, which updates the index.
    let (mut next, mut erase) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        let added = mind.remember(Draft::text(sentence(&mut numbers))).await?.memory;
        let start = now();
        ask(&mind, &questions[2]).await?;
        next.push(start.elapsed());
        let start = now();
        mind.erase_memory(added.id).await?;
        erase.push(start.elapsed());
    }
    let told = json!({
        "memories": size,
        "recall": recall.json(),
        "scan": scan.json(),
        "recall_over_scan": recall.over(&scan),
        "after_a_new_memory": Times(next).json(),
        "erase_one": Times(erase).json(),
        "rebalance": rebalance.json(),
        "rebalance_in_talk": in_talk.json(),
        "first_answer_seconds": first_answer.as_secs_f64(),
        "meanwhile": (!meanwhile.is_empty()).then(|| Times(meanwhile).json()),
        "read_seconds": read_seconds,
        "filled_seconds": filled_seconds,
        "resident_bytes": after,
        "resident_bytes_before": before,
        "disk_bytes": bytes,
    });
    println!("{told}");
    Ok(())
}

/// Measures many minds with a few memories each.
pub(crate) async fn many_minds(minds: usize, each: usize) -> Outcome {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("mind.db");
    let start = now();
    {
        let engine = open(&file).await?;
        let mut tasks = Vec::new();
        for writer in 0..16 {
            let engine = engine.clone();
            tasks.push(tokio::spawn(async move {
                for number in (writer..minds).step_by(16) {
                    let mind = engine.mind(key(number)).await.map_err(|error| error.to_string())?;
                    let mut numbers = Numbers::new(number as u64);
                    fill(&mind, each, &mut numbers).await.map_err(|error| error.to_string())?;
                }
                Ok::<_, String>(())
            }));
        }
        for task in tasks {
            task.await??;
        }
    }
    let filled_seconds = start.elapsed().as_secs_f64();
    let bytes = on_disk(folder.path())?;
    let engine = open(&file).await?;
    let opened = resident();
    let mut numbers = Numbers::new(3);
    let questions = questions(&mut numbers, minds);
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for question in &questions {
        let key = key(numbers.below(minds as u64) as usize);
        let start = now();
        let mind = engine.mind(key).await?;
        ask(&mind, question).await?;
        first.push(start.elapsed());
        let start = now();
        ask(&mind, question).await?;
        again.push(start.elapsed());
    }
    let holds = resident();
    let start = now();
    let mut looked_after = 0;
    loop {
        let swept = engine.sweep(100).await?.len();
        looked_after += swept;
        if swept == 0 {
            break;
        }
    }
    let all = start.elapsed();
    let (mut idle, mut few) = (Vec::new(), Vec::new());
    for round in 0..20 {
        let start = now();
        assert!(engine.sweep(100).await?.is_empty(), "nothing is due");
        idle.push(start.elapsed());
        for number in 0..10 {
            engine.mind(key((round * 10 + number) % minds)).await?.remember(Draft::text(sentence(&mut numbers))).await?;
        }
        let start = now();
        engine.sweep(100).await?;
        few.push(start.elapsed());
    }
    let told = json!({
        "looked_after": looked_after,
        "look_after_all_seconds": all.as_secs_f64(),
        "sweep_of_nothing": Times(idle).json(),
        "sweep_of_ten": Times(few).json(),
        "minds": minds,
        "memories_each": each,
        "first_question": Times(first).json(),
        "recall": Times(again).json(),
        "filled_seconds": filled_seconds,
        "resident_bytes_opened": opened,
        "resident_bytes": holds,
        "disk_bytes": bytes,
    });
    println!("{told}");
    Ok(())
}

fn key(number: usize) -> MindKey {
    MindKey::new(&format!("user{number}"), "luna").expect("a plain name")
}

async fn open(file: &Path) -> Result<Engine, Failed> {
    let mut config = Config::local(file);
    config.embedder = Some(Arc::new(HashEmbedder::new()));
    config.thinker = None;
    Ok(Engine::open(config).await?)
}

async fn ask(mind: &MindHandle, question: &str) -> Result<(), Failed> {
    mind.recall(Query { limit: 10, filter: Filter::default(), ..Query::text(question.to_owned()) }).await?;
    Ok(())
}

/// Imports `size` memories with creation times one minute apart, 1000 per commit.
async fn fill(mind: &MindHandle, size: usize, numbers: &mut Numbers) -> Result<(), Failed> {
    let pattern = mind.remember(Draft::text(sentence(numbers))).await?.memory;
    let mut made = 1;
    while made < size {
        let batch = BATCH.min(size - made);
        let memories = (made..made + batch).map(|number| ImportItem::Whole(Box::new(like(&pattern, number, sentence(numbers)))));
        mind.import_memories(memories.collect(), Tier::M30).await?;
        made += batch;
        if made % 100_000 < BATCH && size > 100_000 {
            eprintln!("{made} of {size}");
        }
    }
    Ok(())
}

fn like(pattern: &Memory, number: usize, content: String) -> Memory {
    let mut chance = [0; 10];
    chance[..8].copy_from_slice(&(number as u64).to_be_bytes());
    let born = Timestamp::from_millis(pattern.created_at.millis() - 60_000 * number as i64);
    Memory { id: MemoryId::new(born, chance), content, created_at: born, ..pattern.clone() }
}

fn on_disk(folder: &Path) -> Result<u64, std::io::Error> {
    let files: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.iter().map(|path| path.metadata().map(|about| about.len())).sum()
}

/// Returns the resident memory of this process in bytes; 0 if the system does not report it.
pub(crate) fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().map_or(0, |kilobytes: u64| kilobytes * 1024)
}
