//! Arguments for the self and proposals.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use saegim_core::{GrantScope, Trigger};

#[derive(Subcommand)]
pub(crate) enum OwnCommand {
    /// List personality islands and their status, or manage them
    Islands(IslandsArgs),
    /// Show what the character believes about itself
    #[command(name = "self")]
    Beliefs(SelfArgs),
    /// Print, write or compare SOUL.md, generated from islands and beliefs
    Soul(SoulArgs),
    /// List pending proposals
    Proposals {
        /// Include decided and lapsed proposals
        #[arg(long)]
        all: bool,
    },
    /// Submit a proposal; nothing changes until the owner approves it
    #[command(subcommand)]
    Propose(ProposeCommand),
    /// Approve a proposal
    Approve(AnswerArgs),
    /// Reject a proposal
    Reject(AnswerArgs),
    /// Undo an approval
    Undo {
        /// Id of the proposal, or its first or last digits
        id: String,
    },
    /// Have the character imagine a scene
    Imagine(ImagineArgs),
    /// Like an imagined scene
    Like {
        /// Id, or its first or last digits
        id: String,
    },
    /// Dislike an imagined scene
    Dislike {
        /// Id, or its first or last digits
        id: String,
    },
    /// Allow the operator to read, restore, export or erase for a limited time
    Grant {
        /// Permission: read, restore, export or erase
        #[arg(value_parser = GrantScope::parse)]
        scope: GrantScope,
        /// Reason
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// Duration in hours
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=720))]
        hours: u32,
    },
    /// List the operator's permissions
    Grants,
    /// Revoke a permission
    Revoke {
        /// Id, or its first or last digits
        id: String,
    },
}

#[derive(Args)]
pub(crate) struct IslandsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<IslandsCommand>,
}

#[derive(Subcommand)]
pub(crate) enum IslandsCommand {
    /// Create an island from chosen memories
    Add {
        /// Founding memory; repeatable
        #[arg(long, value_name = "ID", required = true)]
        founding: Vec<String>,
        /// Name [default: derived from the memories]
        #[arg(long)]
        name: Option<String>,
        /// Emoji [default: derived from the memories]
        #[arg(long)]
        emoji: Option<String>,
        /// Description
        #[arg(long, value_name = "TEXT")]
        description: Option<String>,
    },
    /// Change the name, emoji or description of an island
    Rename {
        /// Name, or digits of the id
        island: String,
        /// New name
        name: Option<String>,
        /// New emoji
        #[arg(long)]
        emoji: Option<String>,
        /// Description
        #[arg(long, value_name = "TEXT")]
        description: Option<String>,
    },
    /// Remove an island; its memories stay
    Remove {
        /// Name, or digits of the id
        island: String,
    },
}

#[derive(Args)]
pub(crate) struct SelfArgs {
    #[command(subcommand)]
    pub(crate) command: Option<SelfCommand>,
}

#[derive(Subcommand)]
pub(crate) enum SelfCommand {
    /// List all versions with their reasons
    Versions,
    /// Compare two versions
    Diff {
        /// Old version [default: the one before the latest]
        from: Option<u64>,
        /// New version [default: the latest]
        to: Option<u64>,
    },
    /// Return to an earlier version
    Return {
        /// Version number
        version: u64,
    },
}

#[derive(Args)]
pub(crate) struct SoulArgs {
    /// File [default: the configured one, or SOUL.md in the current folder]
    #[arg(long, value_name = "PATH")]
    pub(crate) file: Option<PathBuf>,
    /// Write saegim's section of the file; other text is kept
    #[arg(long)]
    pub(crate) write: bool,
    /// Show how saegim's section of the file would change
    #[arg(long, conflicts_with = "write")]
    pub(crate) diff: bool,
}

#[derive(Args)]
pub(crate) struct AnswerArgs {
    /// Id of the proposal, or some of its digits; with `ID:DIGEST` from `proposals`, a proposal that has changed since is refused
    pub(crate) id: String,
}

#[derive(Subcommand)]
pub(crate) enum ProposeCommand {
    /// Propose to keep a memory permanently
    Core {
        /// Id, or its first or last digits
        id: String,
    },
    /// Propose to edit a core memory
    Edit {
        /// Id, or its first or last digits
        id: String,
        /// New content
        text: String,
    },
    /// Propose to forget a memory
    Forget {
        /// Id, or its first or last digits
        id: String,
    },
    /// Propose a belief supported by memories
    Belief {
        /// Statement, like "I am someone who ..."
        text: String,
        /// Supporting memory; repeatable
        #[arg(long, value_name = "ID", required = true)]
        evidence: Vec<String>,
    },
    /// Propose a new island
    Island {
        /// Founding memory; repeatable
        #[arg(long, value_name = "ID", required = true)]
        founding: Vec<String>,
        /// Name [default: derived from the memories]
        #[arg(long)]
        name: Option<String>,
    },
}

#[derive(Args)]
pub(crate) struct ImagineArgs {
    /// Trigger: idle, context or time [default: depends on the situation and your feedback]
    #[arg(long, value_parser = Trigger::parse)]
    pub(crate) trigger: Option<Trigger>,
    /// Current situation: a screen, an application, the weather
    #[arg(long, value_name = "TEXT")]
    pub(crate) context: Option<String>,
    /// List earlier imagined scenes instead
    #[arg(long, conflicts_with_all = ["trigger", "context"])]
    pub(crate) list: bool,
}
