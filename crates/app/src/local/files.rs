//! Import from a file, backup and simulation. They work on files of this machine and report their progress.

use std::path::Path;

use clap::ValueEnum;
use saegim_core::{Invalid, MindKey, Tier, Timestamp, phrase};
use saegim_engine::{Config, ImportData};
use saegim_stories::{Life, Script, Setting, Story, live};
use serde_json::{Value, json};

use super::{Local, LocalAnswer};
use crate::cli::files::FileFormat;
use crate::error::AppError;
use crate::http::InProcess;
use crate::import::store;
use crate::say::language;

/// Default start of a simulation. Fixed, so that the same seed gives the same result.
const START: &str = "2026-01-01";

/// Receives the progress of a long operation: steps done, and their total if it is known.
pub type ProgressReport<'a> = &'a (dyn Fn(u64, Option<u64>) + Sync);

/// A file to import.
#[derive(Clone, Debug)]
pub struct LocalImport {
    /// Key of the mind, as `user/character[/work]`.
    pub mind: String,
    /// Format of the file, as for `saegim import`.
    pub format: String,
    /// Path of the file or folder.
    pub path: String,
    /// Tier of memories from other programs; `M365` if it is not given.
    pub tier: Option<String>,
}

/// A simulation on a temporary database.
#[derive(Clone, Debug, Default)]
pub struct LocalSimulation {
    /// Text of a story. Without it, a generated person is simulated.
    pub story: Option<String>,
    /// Number of days.
    pub days: Option<i64>,
    /// Number of messages per day.
    pub turns_per_day: Option<usize>,
    /// Seed of all randomness.
    pub seed: u64,
    /// Language of the generated person: `ko` or `en`.
    pub language: Option<String>,
    /// File that receives the simulated mind.
    pub keep: Option<String>,
}

impl Local {
    /// Imports a file into a mind. Returns the same JSON as `saegim import --json`.
    pub async fn import(&self, import: LocalImport, progress: ProgressReport<'_>) -> Result<Vec<u8>, LocalAnswer> {
        answered(self.imported(import, progress).await).await
    }

    async fn imported(&self, import: LocalImport, progress: ProgressReport<'_>) -> Result<Value, AppError> {
        let key = MindKey::parse(&import.mind)?;
        let format = FileFormat::from_str(&import.format, true).map_err(|_| {
            let (name, formats) = (&import.format, "bundle, coordinates, stellar, mem0, mcp-memory");
            Invalid::new("format", phrase!("app.local.unknown_format", name, formats))
        })?;
        let tier = import.tier.as_deref().map(Tier::parse).transpose()?.unwrap_or(Tier::M365);
        let parcel = ImportData::read(format.into(), Path::new(&import.path), &key)?;
        let (mind, total) = (self.mind(key).await?, parcel.arrivals.len() as u64);
        progress(0, Some(total));
        Ok(store(&mind, parcel, tier, &|stored| progress(stored, Some(total))).await?.json())
    }

    /// Writes a copy of the whole database to a new file. Returns the same JSON as `saegim backup --json`.
    pub async fn backup(&self, path: &Path) -> Result<Vec<u8>, LocalAnswer> {
        let written = self.engine.backup(path).await.map_err(AppError::from);
        answered(written.map(|()| json!({ "backup": path, "signing_key_left_at": self.engine.signing_key_file() }))).await
    }
}

/// Runs a simulation on a temporary database, with the default policy. Returns the same JSON as `saegim simulate --json`.
pub async fn simulate(simulation: LocalSimulation, progress: ProgressReport<'_>) -> Result<Vec<u8>, LocalAnswer> {
    answered(simulated(simulation, progress).await).await
}

async fn simulated(simulation: LocalSimulation, progress: ProgressReport<'_>) -> Result<Value, AppError> {
    let config = Config::local("");
    let script = match &simulation.story {
        Some(text) => Script::Story(Box::new(Story::parse(text, &config.policy)?)),
        None => Script::Life(Life {
            start: Timestamp::parse(START)?,
            days: simulation.days.unwrap_or(365),
            turns_per_day: simulation.turns_per_day.unwrap_or(40),
            language: simulation.language.as_deref().map_or(Ok(language()), saegim_core::Language::parse)?,
        }),
    };
    let total = match &script {
        Script::Life(life) => life.days,
        Script::Story(story) => story.days() + 1,
    };
    let setting = Setting { config, key: MindKey::new("me", "assistant")?, seed: simulation.seed };
    let days = |day: i64| u64::try_from(day).unwrap_or_default();
    let lived = live(&script, &setting, &|day| progress(days(day), Some(days(total)))).await?;
    if let Some(file) = &simulation.keep {
        lived.keep(Path::new(file)).await?;
    }
    let mut report = json!(lived.report);
    report["kept_in"] = json!(simulation.keep);
    Ok(report)
}

async fn answered(done: Result<Value, AppError>) -> Result<Vec<u8>, LocalAnswer> {
    match done {
        Ok(value) => Ok(value.to_string().into_bytes()),
        Err(error) => Err(InProcess::refusal(error, language()).await),
    }
}
