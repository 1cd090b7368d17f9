//! Many processes on one file: no write may be lost and no process may fail.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use saegim_core::{MindKey, Verdict};
use saegim_engine::{Config, Draft, Engine, MindHandle};

use crate::Outcome;
use crate::made::{HashEmbedder, Numbers, sentence};

/// Opens the mind that all processes write to.
pub(crate) async fn mind(db: &Path) -> Result<(Engine, MindHandle), Box<dyn std::error::Error>> {
    let mut config = Config::local(db);
    config.embedder = Some(Arc::new(HashEmbedder::new()));
    let engine = Engine::open(config).await?;
    let mind = engine.mind(MindKey::new("minsu", "luna")?).await?;
    Ok((engine, mind))
}

/// Writes memories one after another and prints the id of each once it is durable.
pub(crate) async fn write(db: &Path, writer: u32, writes: Option<u32>) -> Outcome {
    let (_engine, mind) = mind(db).await?;
    let mut numbers = Numbers::new(u64::from(writer));
    let mut written = 0;
    while writes.is_none_or(|writes| written < writes) {
        let kept = mind.remember(Draft::text(sentence(&mut numbers))).await?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", kept.memory.id)?;
        out.flush()?;
        written += 1;
    }
    Ok(())
}

/// Builds the command for a writing child process.
pub(crate) fn child(db: &Path, writer: u32, writes: Option<u32>) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("write").arg(db).arg("--writer").arg(writer.to_string());
    if let Some(writes) = writes {
        command.arg("--writes").arg(writes.to_string());
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

/// Runs `processes` writers with `writes` memories each at once and checks the result.
pub(crate) async fn run(processes: u32, writes: u32) -> Outcome {
    let folder = tempfile::tempdir()?;
    let db = folder.path().join("mind.db");
    let children: Vec<_> = (0..processes).map(|writer| child(&db, writer, Some(writes))?.spawn()).collect::<Result<_, _>>()?;
    let mut acknowledged = 0;
    for child in children {
        let output = child.wait_with_output()?;
        let words = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() || !words.is_empty() {
            return Err(format!("a writer failed: {words}").into());
        }
        acknowledged += output.stdout.iter().filter(|byte| **byte == b'\n').count();
    }
    let (engine, mind) = mind(&db).await?;
    let kept: u64 = mind.counts().await?.zones.iter().sum();
    let health = engine.check().await?;
    let verdict = mind.verify_ledger(None).await?;
    println!("{processes} processes x {writes} writes: {acknowledged} acknowledged, {kept} kept, {} problems", health.problems.len());
    let expected = u64::from(processes * writes);
    if kept != expected || acknowledged as u64 != expected || !health.problems.is_empty() || !matches!(verdict, Verdict::Whole { .. }) {
        return Err(format!("not as promised: {health:?}, {verdict:?}").into());
    }
    Ok(())
}
