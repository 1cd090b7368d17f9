//! Arguments of conversation commands.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::IdArgs;

/// `observe --user TEXT`: the message goes by `--said` inside, since `--user` names the person everywhere else.
#[derive(Args)]
#[command(override_usage = "saegim [--user NAME] observe --user TEXT [--assistant TEXT]\n       saegim observe --file turns.jsonl")]
pub(crate) struct ObserveArgs {
    /// What the user said; written `--user TEXT` after `observe`
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["file", "event"])]
    pub(crate) said: Option<String>,
    /// What the character answered
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub(crate) assistant: Option<String>,
    /// Something that happened, seen by the host
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub(crate) event: Option<String>,
    /// Turns as JSON lines {"session","role","content","at","speaker"?}; `-` reads standard input
    #[arg(long, value_name = "PATH", conflicts_with = "said")]
    pub(crate) file: Option<PathBuf>,
    /// The sitting it belongs to [default: the one going on, or a new one]
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// Where it plays
    #[arg(long)]
    pub(crate) place: Option<String>,
    /// When it plays, in the story's words
    #[arg(long, value_name = "TEXT")]
    pub(crate) story_time: Option<String>,
    /// Other characters who are there and hear it; may be given several times
    #[arg(long, value_name = "CHARACTER")]
    pub(crate) present: Vec<String>,
    /// Memories the answer was built on; may be given several times
    #[arg(long, value_name = "ID")]
    pub(crate) injected: Vec<String>,
    /// A key of yours: the same request under the same key is done once
    #[arg(long, value_name = "KEY")]
    pub(crate) idempotency_key: Option<String>,
}

#[derive(Args)]
pub(crate) struct FactsArgs {
    /// Only this subject, e.g. residence
    pub(crate) subject: Option<String>,
    /// What is over, too
    #[arg(long)]
    pub(crate) history: bool,
    /// State a value by hand
    #[arg(long, value_name = "VALUE", requires = "subject")]
    pub(crate) set: Option<String>,
    /// Say that it no longer holds
    #[arg(long, requires = "subject", conflicts_with = "set")]
    pub(crate) end: bool,
    /// List the subjects there are
    #[arg(long, conflicts_with_all = ["set", "end", "subject"])]
    pub(crate) subjects: bool,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct TurnsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<TurnsCommand>,
    /// Only of this sitting
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// How many at most, the latest
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
    /// What was taken back, too
    #[arg(long)]
    pub(crate) withdrawn: bool,
}

#[derive(Subcommand)]
pub(crate) enum TurnsCommand {
    /// Put a turn into other words
    Edit {
        /// Its id, or the first or last digits of it
        id: String,
        /// The words
        text: String,
    },
    /// Take a turn back: what was learned from it alone goes with it
    Delete(IdArgs),
    /// Bring a turn back, with what was learned from it
    Restore(IdArgs),
    /// Go back to a turn and on from there in a new sitting
    Branch {
        /// The last turn that still holds
        id: String,
        /// The new sitting's name
        session: String,
    },
    /// Take up another branch
    Follow {
        /// The sitting
        session: String,
    },
    /// How a turn was judged
    Why(IdArgs),
}
