//! Implementation of the commands.

/// The ledger.
mod audit;
/// Conversation: ingest messages, chat, turns, facts.
mod conversation;
/// Import and export.
mod exchange;
/// Database files: backup and erasure.
mod files;
/// The self, the inbox and imagination.
mod identity;
/// Memories and their lifecycle.
mod memory;
/// Embedders and language models.
mod models;
/// Statistics, minds, health, configuration.
mod operate;
/// Personas.
mod orchestrate;
/// Reports, and the archive.
mod report;
/// The server, MCP and API keys.
mod serve;
/// Simulated lives.
mod simulate;
/// Webhooks.
mod webhooks;

pub(crate) use conversation::moment_json;

use std::path::PathBuf;
use std::sync::Arc;

use clap::CommandFactory;
use saegim_core::{Language, MindKey, Principal, Timestamp, phrase};
use saegim_engine::{Config, Engine, EngineError, MindHandle, SetClock};

use crate::cli::{Cli, Command, Global, ModelCommand};
use crate::error::AppError;
use crate::mirror::Mirror;
use crate::say::say;
use crate::settings::{Settings, default_file};
use crate::view::{self, print, tell};

/// Shared state of all commands.
pub(crate) struct App {
    engine: Engine,
    key: MindKey,
    global: Global,
    settings: Settings,
    database: PathBuf,
    language: Language,
    /// Whether this call created the database.
    new: bool,
}

/// Runs the command.
pub(crate) async fn run(cli: Cli, language: Language) -> Result<(), AppError> {
    match cli.command {
        Some(Command::DefaultConfig) => return print(default_file().trim_end()),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "saegim", &mut script);
            return print(String::from_utf8_lossy(&script).trim_end());
        }
        Some(Command::Simulate(args)) => return simulate::run(&cli.global, args, language).await,
        // A backup can be checked and restored while the database itself cannot be opened.
        Some(Command::RestoreBackup { path }) => return files::restore_backup(&cli.global, &path, language),
        Some(Command::Backup { ref path, verify: true }) if path.exists() => return files::verify_backup(&cli.global, path, language),
        _ => {}
    }
    let (mut global, mut demo) = (cli.global, None);
    if matches!(&cli.command, Some(Command::Serve(args)) if args.demo) {
        demo = Some(serve::demo(&mut global, language).await?);
    }
    let app = App::open(global, language).await?;
    let mut done = app.run(cli.command).await;
    if let (Ok(()), Some(mirror)) = (&done, app.mirror()) {
        done = mirror.refresh(&app.engine).await;
    }
    // Write refused operations to the ledger even if the command failed.
    app.engine.settle().await?;
    drop(demo);
    done
}

impl App {
    async fn run(&self, command: Option<Command>) -> Result<(), AppError> {
        let app = self;
        match command {
            None => app.welcome().await,
            Some(Command::Remember(args)) => app.remember(args).await,
            Some(Command::Recall(args)) => app.recall(args).await,
            Some(Command::Recent(args)) => app.recent(args).await,
            Some(Command::Show(args)) => app.show(&args.id).await,
            Some(Command::Edit(args)) => app.edit(args).await,
            Some(Command::Forget(args)) => app.forget(args).await,
            Some(Command::Restore(args)) => app.restore(&args.id).await,
            Some(Command::Rate { id, stars }) => app.rate(&id, stars).await,
            Some(Command::Pin(args)) => app.pin(&args.id, saegim_engine::Pinned::Fast).await,
            Some(Command::Unpin(args)) => app.pin(&args.id, saegim_engine::Pinned::Loose).await,
            Some(Command::Link { from, to, kind, remove }) => app.link((&from, &to), kind, remove).await,
            Some(Command::Cliff) => app.cliff().await,
            Some(Command::Zones { zone, limit }) => app.zones(zone, limit).await,
            Some(Command::Rebalance { context }) => app.rebalance(context.as_deref()).await,
            Some(Command::Tick { due }) => app.tick(due).await,
            Some(Command::Observe(args)) => app.observe(args).await,
            Some(Command::Context { query, budget }) => app.context(&query.join(" "), budget).await,
            Some(Command::Facts(args)) => app.facts(args).await,
            Some(Command::People { name }) => app.people(name.as_deref()).await,
            Some(Command::Relationship { limit, speech }) => app.relationship(limit, speech.as_deref()).await,
            Some(Command::Timeline { since, until, limit, turns }) => {
                app.timeline(saegim_engine::TimelineQuery { since, until, limit, turns }).await
            }
            Some(Command::Turns(args)) => app.turns(args).await,
            Some(Command::Chat { session }) => app.chat(session).await,
            Some(Command::Orchestrate(args)) => app.orchestrate(args).await,
            Some(Command::Personas(args)) => app.personas(&args),
            Some(Command::Own(command)) => app.own(command).await,
            Some(Command::Mood) => app.mood().await,
            Some(Command::Stats) => app.stats().await,
            Some(Command::Report(args)) => app.report(args.period).await,
            Some(Command::Archive(args)) => app.archive(args.command).await,
            Some(Command::Serve(args)) => app.serve(args).await,
            Some(Command::Mcp(args)) => app.mcp(args).await,
            Some(Command::Keys(args)) => app.keys(args.command).await,
            Some(Command::Webhooks(args)) => app.webhooks(args.command).await,
            Some(Command::Minds) => app.minds().await,
            Some(Command::Ledger(args)) => app.ledger(args).await,
            Some(Command::Import(args)) => app.import(args).await,
            Some(Command::Export(args)) => app.export(args).await,
            Some(Command::Backup { path, verify }) => {
                app.backup(&path).await?;
                if verify { files::verify_backup(&app.global, &path, app.language) } else { Ok(()) }
            }
            Some(Command::Erase { id, yes }) => app.erase(id.as_deref(), yes.as_deref()).await,
            Some(Command::Doctor { repair }) => app.doctor(repair).await,
            Some(Command::Model(ModelCommand::Install { path })) => app.install_model(path.as_deref()),
            Some(Command::Model(ModelCommand::Embed)) => app.embed_all().await,
            Some(Command::Model(ModelCommand::Calibrate { pairs })) => app.calibrate(pairs.as_deref()).await,
            Some(Command::Model(ModelCommand::Usage { days })) => app.usage(days).await,
            Some(Command::Model(ModelCommand::Jobs)) => app.jobs().await,
            Some(Command::Config) => app.config(),
            Some(Command::DefaultConfig | Command::Completions { .. } | Command::Simulate(_) | Command::RestoreBackup { .. }) => Ok(()),
        }
    }

    async fn open(global: Global, language: Language) -> Result<Self, AppError> {
        let settings = Settings::read(&global)?;
        let database = settings.database(&global)?;
        let key = settings.mind(&global)?;
        let new = !database.exists();
        let mut config = Config::local(&database);
        config.policy = settings.policy().map_err(AppError::Content)?;
        config.time_zone = settings.time_zone()?;
        config.vectors = settings.vectors.unwrap_or(true);
        config.embedder = settings.embedder(&global)?;
        config.thinker = Some(settings.thinker(&global)?);
        config.models = settings.voices(&global)?;
        if let Some(now) = global.now {
            config.clock = Arc::new(SetClock::at(now));
        }
        let engine = Engine::open(config).await?.acting_as(global.principal);
        Ok(Self { engine, key, global, settings, database, language, new })
    }

    /// Returns the coordinate export that follows the selected mind, if one is configured. Only the owner may export.
    fn mirror(&self) -> Option<Mirror> {
        let folder = self.settings.coordinates.clone().filter(|_| self.global.principal == Principal::Owner)?;
        Some(Mirror { key: self.key.clone(), folder })
    }

    fn now(&self) -> Timestamp {
        self.engine.now()
    }

    /// Returns the settings used to display memories.
    fn look(&self) -> Result<view::Look<'_>, AppError> {
        Ok(view::Look { now: self.now(), language: self.language, zone: self.settings.time_zone()?, policy: self.engine.policy() })
    }

    /// Returns the mind for writing and creates it if it does not exist.
    async fn mind(&self) -> Result<MindHandle, AppError> {
        Ok(self.engine.mind(self.key.clone()).await?)
    }

    /// Returns the mind for reading. Never creates it; a missing mind is an error.
    async fn known_mind(&self) -> Result<MindHandle, AppError> {
        let found = self.engine.existing_mind(&self.key).await?;
        found.ok_or_else(|| {
            let what = phrase!("app.start.no_memories", character = self.key.character(), user = self.key.user());
            AppError::Engine(EngineError::NotFound(what))
        })
    }

    /// Prints a message to standard error, unless the output is JSON.
    fn tell(&self, words: &str) {
        if !self.global.json {
            tell(words);
        }
    }

    /// Prints a welcome message: the database path and commands to try.
    async fn welcome(&self) -> Result<(), AppError> {
        let (language, path) = (self.language, self.database.display());
        if self.new {
            self.tell(&say!(language, "app.start.database_created", path));
        } else {
            let minds = self.engine.minds().await.map_or(1, |minds| minds.len());
            self.tell(&say!(language, "app.start.database", path, minds));
            if let Some(mind) = self.engine.existing_mind(&self.key).await? {
                for warning in mind.warnings().await? {
                    self.tell(&warning.in_language(language));
                }
                self.tell_waiting(&mind).await?;
            }
        }
        self.tell(&say!(language, "app.start.try_these"));
        Ok(())
    }
}
