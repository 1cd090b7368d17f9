//! Looks for bytes of deleted texts. Minds live through mixed work in both languages; erased, purged and replaced texts must be in no
//! file afterwards: not in the database, its log, a later backup or an archive.

/// Texts that can be found again.
mod marked;
/// A mind and the work on it.
mod work;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use saegim_core::{MindKey, Timestamp};
use saegim_engine::{Config, Engine, SeededDice, SetClock};

use crate::Outcome;
use crate::made::{HashEmbedder, Numbers};
use marked::Fragments;
use work::Work;

/// What one run looks at.
#[derive(Clone, Copy)]
pub(crate) struct Runs {
    /// Number of minds, each with its own seed.
    pub(crate) seeds: u64,
    /// First seed.
    pub(crate) first: u64,
    /// Number of memories and turns that are erased or purged in each mind.
    pub(crate) gone: usize,
}

/// Totals over all seeds.
#[derive(Default)]
struct Tally {
    gone: usize,
    looks: usize,
    bytes: u64,
    found: Vec<String>,
}

pub(crate) async fn run(runs: Runs) -> Outcome {
    let mut tally = Tally::default();
    for seed in runs.first..runs.first + runs.seeds {
        one(seed, runs.gone, &mut tally).await?;
        eprintln!("seed {seed}: {} texts deleted, {} found", tally.gone, tally.found.len());
    }
    println!(
        "{} seeds: {} texts deleted, {} looks at {} MB of files, {} found",
        runs.seeds,
        tally.gone,
        tally.looks,
        tally.bytes / 1_000_000,
        tally.found.len()
    );
    if tally.found.is_empty() { Ok(()) } else { Err(tally.found.join("\n").into()) }
}

fn start() -> Timestamp {
    Timestamp::from_millis(1_767_258_000_000)
}

async fn open(db: &Path, clock: &Arc<SetClock>, seed: u64) -> Result<Engine, Box<dyn std::error::Error>> {
    let mut config = Config::local(db);
    config.embedder = Some(Arc::new(HashEmbedder::new()));
    config.clock = clock.clone();
    config.dice = Arc::new(SeededDice::new(seed));
    Ok(Engine::open(config).await?)
}

async fn one(seed: u64, target: usize, tally: &mut Tally) -> Outcome {
    let folder = tempfile::tempdir()?;
    let db = folder.path().join("mind.db");
    let clock = Arc::new(SetClock::at(start()));
    let mut work = {
        let engine = open(&db, &clock, seed).await?;
        let mind = engine.mind(MindKey::new("minsu", "luna")?).await?;
        let mut work = Work::new(Numbers::new(seed), clock.clone());
        work.begin(&mind).await?;
        let mut looked_at = 0;
        while work.gone.len() < target {
            work.step(&engine, &mind).await?;
            // Look while other work goes on: a page in memory may still hold what the file no longer does.
            if work.gone.len() >= looked_at + target / 4 {
                looked_at = work.gone.len();
                let swept = work.maintain(&mind).await?;
                if !swept {
                    return Err(format!("seed {seed}: a tick without readers did not sweep").into());
                }
                look(folder.path(), &format!("seed {seed}, after {looked_at}"), &work, tally)?;
                for _ in 0..20 {
                    work.store(&engine, &mind).await?;
                }
                look(folder.path(), &format!("seed {seed}, after {looked_at} and more work"), &work, tally)?;
                let backup = folder.path().join(format!("backup-{looked_at}.db"));
                engine.backup(&backup).await?;
            }
        }
        let swept = work.maintain(&mind).await?;
        if !swept {
            return Err(format!("seed {seed}: a tick without readers did not sweep").into());
        }
        look(folder.path(), &format!("seed {seed}, at the end"), &work, tally)?;
        work
    };
    // Earlier backups rightly hold what was deleted after them.
    remove_backups(folder.path())?;
    let engine = open(&db, &clock, seed + 1).await?;
    let mind = engine.mind(MindKey::new("minsu", "luna")?).await?;
    engine.backup(&folder.path().join("backup-last.db")).await?;
    work.store(&engine, &mind).await?;
    look(folder.path(), &format!("seed {seed}, opened again and backed up"), &work, tally)?;
    let problems = engine.check().await?.problems;
    tally.found.extend(problems.iter().map(|problem| format!("seed {seed}, checked: {problem}")));
    tally.gone += work.gone.len();
    Ok(())
}

fn remove_backups(folder: &Path) -> std::io::Result<()> {
    for path in files(folder)? {
        if name(&path).starts_with("backup-") {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Looks for every deleted text in every file of the folder, and in the unpacked archives of the database.
fn look(folder: &Path, when: &str, work: &Work, tally: &mut Tally) -> Outcome {
    let fragments = Fragments::of(&work.gone);
    tally.looks += 1;
    for path in files(folder)? {
        let file = name(&path);
        // A backup may hold what was deleted after it was made.
        let before = file.strip_prefix("backup-").and_then(|rest| rest.strip_suffix(".db")?.parse::<usize>().ok());
        let fragments = match before {
            Some(count) => &Fragments::of(&work.gone[..count.min(work.gone.len())]),
            None => &fragments,
        };
        let bytes = std::fs::read(&path)?;
        tally.bytes += bytes.len() as u64;
        tally.found.extend(fragments.within(&bytes).into_iter().map(|found| format!("{when}: {file} holds {found}")));
    }
    for lines in archives(&folder.join("mind.db"))? {
        tally.found.extend(fragments.within(&lines).into_iter().map(|found| format!("{when}: an archive holds {found}")));
    }
    Ok(())
}

/// Returns the unpacked archives of a database.
fn archives(db: &Path) -> Result<Vec<Vec<u8>>, Box<dyn std::error::Error>> {
    let connection = rusqlite::Connection::open_with_flags(db, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut select = connection.prepare("SELECT lines FROM archive")?;
    let packed = select.query_map([], |row| row.get::<_, Vec<u8>>(0))?.collect::<Result<Vec<_>, _>>()?;
    packed.iter().map(|lines| Ok(zstd::decode_all(lines.as_slice())?)).collect()
}
