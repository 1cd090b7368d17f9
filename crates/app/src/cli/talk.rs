//! Arguments of conversation commands.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::IdArgs;

/// `observe --user TEXT`: the message goes by `--said` inside, since `--user` names the person everywhere else.
#[derive(Args)]
#[command(override_usage = "saegim [--user NAME] observe --user TEXT [--assistant TEXT]\n       saegim observe --file turns.jsonl")]
pub(crate) struct ObserveArgs {
    /// Message from the user; after `observe` you can also write it as `--user TEXT`
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["file", "event"])]
    pub(crate) said: Option<String>,
    /// Reply from the character
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub(crate) assistant: Option<String>,
    /// Event reported by the application
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub(crate) event: Option<String>,
    /// Messages as JSON Lines {"session","role","content","at","speaker"?}; `-` reads standard input
    #[arg(long, value_name = "PATH", conflicts_with = "said")]
    pub(crate) file: Option<PathBuf>,
    /// Session of the messages [default: the current one, or a new one]
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// Place where the scene is set
    #[arg(long)]
    pub(crate) place: Option<String>,
    /// Time of the scene within the story
    #[arg(long, value_name = "TEXT")]
    pub(crate) story_time: Option<String>,
    /// Another character who hears the conversation; repeatable
    #[arg(long, value_name = "CHARACTER")]
    pub(crate) present: Vec<String>,
    /// Memory the reply was based on; repeatable
    #[arg(long, value_name = "ID")]
    pub(crate) injected: Vec<String>,
    /// Idempotency key: a repeated request with the same key has no further effect
    #[arg(long, value_name = "KEY")]
    pub(crate) idempotency_key: Option<String>,
}

#[derive(Args)]
pub(crate) struct FactsArgs {
    /// Only this subject, e.g. residence
    pub(crate) subject: Option<String>,
    /// Include past facts
    #[arg(long)]
    pub(crate) history: bool,
    /// Set the value
    #[arg(long, value_name = "VALUE", requires = "subject")]
    pub(crate) set: Option<String>,
    /// Mark the fact as no longer true
    #[arg(long, requires = "subject", conflicts_with = "set")]
    pub(crate) end: bool,
    /// List all subjects
    #[arg(long, conflicts_with_all = ["set", "end", "subject"])]
    pub(crate) subjects: bool,
    /// Confirm a statement quoted from you
    #[arg(long, value_name = "ID", conflicts_with_all = ["set", "end", "subject", "subjects"])]
    pub(crate) confirm: Option<String>,
    /// Delete a statement quoted from you; the message stays
    #[arg(long, value_name = "ID", conflicts_with_all = ["set", "end", "subject", "subjects", "confirm"])]
    pub(crate) remove: Option<String>,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct TurnsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<TurnsCommand>,
    /// Only messages of this session
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// Maximum number of messages; the latest are shown
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
    /// Include retracted messages
    #[arg(long)]
    pub(crate) withdrawn: bool,
}

#[derive(Subcommand)]
pub(crate) enum TurnsCommand {
    /// Edit a message
    Edit {
        /// Id, or its first or last digits
        id: String,
        /// New text of the message
        text: String,
    },
    /// Retract a message and everything learned only from it
    Delete(IdArgs),
    /// Restore a retracted message and what was learned from it
    Restore(IdArgs),
    /// Branch off after a message into a new session
    Branch {
        /// Last message of the new branch's history
        id: String,
        /// Name of the new session
        session: String,
    },
    /// Switch to another branch
    Follow {
        /// Session to switch to
        session: String,
    },
    /// Explain how a message was judged
    Why(IdArgs),
}
