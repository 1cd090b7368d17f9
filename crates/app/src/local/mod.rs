//! A database that is used inside another program: every request of the HTTP API, answered in this process by the same routes, so that
//! an operation has one implementation, one JSON form and one set of errors.

/// The clock of a local database.
mod clock;
/// Import from a file, backup, simulation: operations on files of this machine.
mod files;

use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use saegim_core::{Invalid, MindKey, Principal, Timestamp, phrase};
use saegim_engine::{Config, Engine, MindHandle};

use crate::cli::{Choice, Global};
use crate::error::AppError;
use crate::http::InProcess;
use crate::say::language;
use crate::settings::{Settings, Thinking};

use clock::LocalClock;
pub use files::{LocalImport, LocalSimulation, ProgressReport, simulate};

/// How a local database is opened.
#[derive(Clone, Debug, Default)]
pub struct LocalSettings {
    /// Path of the SQLite file; it is created if it does not exist.
    pub database: PathBuf,
    /// Configuration file. Without it, the defaults apply; the configuration of the command line is not read.
    pub config: Option<PathBuf>,
    /// Embedder, as for `--embedder`.
    pub embedder: Option<String>,
    /// Language model, as for `--model`.
    pub model: Option<String>,
    /// Principal the requests act as: `owner` if it is not given.
    pub principal: Option<String>,
}

/// A request to the HTTP API.
#[derive(Clone, Debug, Default)]
pub struct LocalRequest {
    /// Method, for example `POST`.
    pub method: String,
    /// Path and query, percent-encoded.
    pub path: String,
    /// JSON body; empty without one.
    pub body: Vec<u8>,
    /// Idempotency key of a write.
    pub idempotency_key: Option<String>,
}

/// The answer to a request: JSON, or a problem document for a status of 400 or more.
#[derive(Clone, Debug)]
pub struct LocalAnswer {
    /// HTTP status.
    pub status: u16,
    /// Body.
    pub body: Vec<u8>,
}

/// An open local database.
pub struct Local {
    engine: Engine,
    clock: Arc<LocalClock>,
    principal: Principal,
    routes: InProcess,
}

impl Local {
    /// Opens the database. A failure is returned as the answer that describes it.
    pub async fn open(settings: LocalSettings) -> Result<Self, LocalAnswer> {
        match Self::opened(settings).await {
            Ok(local) => Ok(local),
            Err(error) => Err(InProcess::refusal(error, language()).await),
        }
    }

    async fn opened(local: LocalSettings) -> Result<Self, AppError> {
        let global = local.global()?;
        let settings = if global.config.is_some() { Settings::read(&global)? } else { Settings::default() };
        let mut config = Config::local(&local.database);
        config.policy = settings.policy().map_err(AppError::Content)?;
        config.time_zone = settings.time_zone()?;
        config.vectors = settings.vectors.unwrap_or(true);
        config.embedder = settings.embedder(&global)?;
        config.thinker = Some(settings.thinker(&global)?);
        config.models = settings.voices(&global)?;
        let clock = Arc::new(LocalClock::default());
        config.clock = Arc::<LocalClock>::clone(&clock);
        let engine = Engine::open(config).await?;
        let routes = InProcess::new(engine.clone(), Thinking::of(settings.models(&global)?), (global.principal, language()));
        Ok(Self { engine, clock, principal: global.principal, routes })
    }

    /// Answers a request with the routes of the HTTP API. Nothing is sent over a network.
    pub async fn answer(&self, request: LocalRequest) -> LocalAnswer {
        self.routes.answer(request).await
    }

    /// Sets the time that all following requests see, in milliseconds since 1970; `None` is the system clock.
    pub fn set_time(&self, milliseconds: Option<i64>) {
        self.clock.set(milliseconds.map(Timestamp::from_millis));
    }

    /// Returns the mind with this key, acting as the principal of this database. Creates it if it does not exist.
    async fn mind(&self, key: MindKey) -> Result<MindHandle, AppError> {
        Ok(self.engine.clone().acting_as(self.principal).mind(key).await?)
    }

    /// Writes the counts of refused operations to the ledger. Call it before the database is dropped.
    pub async fn settle(&self) -> Result<(), LocalAnswer> {
        match self.engine.settle().await {
            Ok(()) => Ok(()),
            Err(error) => Err(InProcess::refusal(error.into(), language()).await),
        }
    }
}

impl LocalSettings {
    /// Returns these settings as the options of the command line.
    fn global(&self) -> Result<Global, AppError> {
        let choice = |name: &String| {
            Choice::from_str(name, true).map_err(|_| {
                let choices = "built-in, larger, remote, none";
                Invalid::new("embedder", phrase!("app.local.unknown_embedder", name, choices))
            })
        };
        Ok(Global {
            db: Some(self.database.clone()),
            config: self.config.clone(),
            user: None,
            character: None,
            work: None,
            mind: None,
            embedder: self.embedder.as_ref().map(choice).transpose()?,
            model: self.model.clone(),
            json: true,
            now: None,
            principal: self.principal.as_deref().map(Principal::parse).transpose()?.unwrap_or(Principal::Owner),
        })
    }
}
