//! Arguments for the self and proposals.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use saegim_core::{GrantScope, Trigger};

#[derive(Subcommand)]
pub(crate) enum OwnCommand {
    /// Sides of the personality, and how they stand
    Islands(IslandsArgs),
    /// What the character believes of itself
    #[command(name = "self")]
    Beliefs(SelfArgs),
    /// SOUL.md: islands and beliefs, in a section of their own
    Soul(SoulArgs),
    /// What waits for your word
    Proposals {
        /// What was answered or has lapsed, too
        #[arg(long)]
        all: bool,
    },
    /// Put a wish before the owner; nothing changes until they say so
    #[command(subcommand)]
    Propose(ProposeCommand),
    /// Say yes to a proposal
    Approve(AnswerArgs),
    /// Say no to a proposal
    Reject(AnswerArgs),
    /// Take a yes back
    Undo {
        /// The proposal's id, or the first or last digits of it
        id: String,
    },
    /// Let the character think of something by itself
    Imagine(ImagineArgs),
    /// Say that an imagination was good
    Like {
        /// Its id, or the first or last digits of it
        id: String,
    },
    /// Say that an imagination was not good
    Dislike {
        /// Its id, or the first or last digits of it
        id: String,
    },
    /// Let the operator read, restore, export or erase, for a time
    Grant {
        /// What to allow: read, restore, export or erase
        #[arg(value_parser = GrantScope::parse)]
        scope: GrantScope,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// For how many hours
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=720))]
        hours: u32,
    },
    /// What the operator is allowed
    Grants,
    /// Take a grant back
    Revoke {
        /// Its id, or the first or last digits of it
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
    /// Raise an island on memories of your choice
    Add {
        /// A memory it stands on; may be given several times
        #[arg(long, value_name = "ID", required = true)]
        founding: Vec<String>,
        /// Its name [default: found from the memories]
        #[arg(long)]
        name: Option<String>,
        /// Its sign [default: found from the memories]
        #[arg(long)]
        emoji: Option<String>,
        /// What it means
        #[arg(long, value_name = "TEXT")]
        description: Option<String>,
    },
    /// Rename an island, or say something else of it
    Rename {
        /// Its name, or digits of its id
        island: String,
        /// The new name
        name: Option<String>,
        /// Another sign
        #[arg(long)]
        emoji: Option<String>,
        /// What it means
        #[arg(long, value_name = "TEXT")]
        description: Option<String>,
    },
    /// Remove an island; the memories stay
    Remove {
        /// Its name, or digits of its id
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
    /// Every version there was, and why
    Versions,
    /// How one version became another
    Diff {
        /// From this version [default: the one before the last]
        from: Option<u64>,
        /// To this version [default: the last]
        to: Option<u64>,
    },
    /// Return to an earlier version
    Return {
        /// Which version
        version: u64,
    },
}

#[derive(Args)]
pub(crate) struct SoulArgs {
    /// The file [default: the configuration's, or SOUL.md here]
    #[arg(long, value_name = "PATH")]
    pub(crate) file: Option<PathBuf>,
    /// Write the section into the file; what is around it stays
    #[arg(long)]
    pub(crate) write: bool,
    /// Show how the section in the file would change
    #[arg(long, conflicts_with = "write")]
    pub(crate) diff: bool,
}

#[derive(Args)]
pub(crate) struct AnswerArgs {
    /// The proposal's id, or digits of it; `ID:DIGEST` as `proposals` shows it answers just what was shown
    pub(crate) id: String,
}

#[derive(Subcommand)]
pub(crate) enum ProposeCommand {
    /// Keep a memory for ever
    Core {
        /// Its id, or the first or last digits of it
        id: String,
    },
    /// Rewrite a core memory
    Edit {
        /// Its id, or the first or last digits of it
        id: String,
        /// What it should say
        text: String,
    },
    /// Let a memory go
    Forget {
        /// Its id, or the first or last digits of it
        id: String,
    },
    /// Believe something because of memories
    Belief {
        /// The statement, like "I am someone who ..."
        text: String,
        /// A memory that speaks for it; may be given several times
        #[arg(long, value_name = "ID", required = true)]
        evidence: Vec<String>,
    },
    /// Let an island rise
    Island {
        /// A memory it stands on; may be given several times
        #[arg(long, value_name = "ID", required = true)]
        founding: Vec<String>,
        /// Its name [default: found from the memories]
        #[arg(long)]
        name: Option<String>,
    },
}

#[derive(Args)]
pub(crate) struct ImagineArgs {
    /// What sets it off: idle, context or time [default: what is the case, by what was liked]
    #[arg(long, value_parser = Trigger::parse)]
    pub(crate) trigger: Option<Trigger>,
    /// What is going on: a screen, an application, the weather
    #[arg(long, value_name = "TEXT")]
    pub(crate) context: Option<String>,
    /// Show what was imagined before instead
    #[arg(long, conflicts_with_all = ["trigger", "context"])]
    pub(crate) list: bool,
}
