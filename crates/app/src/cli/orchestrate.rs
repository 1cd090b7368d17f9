//! Arguments of the commands for personas.

use std::path::PathBuf;

use clap::Args;

use super::memories::FilterArgs;

#[derive(Args)]
pub(crate) struct OrchestrateArgs {
    /// Question for the personas; may be left out with --resume
    #[arg(required_unless_present_any = ["resume", "list", "show"])]
    pub(crate) prompt: Vec<String>,
    /// Number of cycles
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) depth: u32,
    /// Persona file [default: thesis, antithesis, synthesis]
    #[arg(long, value_name = "FILE")]
    pub(crate) personas: Option<PathBuf>,
    /// Session of the run [default: generated from the start time]
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// Continue the latest interrupted run where it stopped
    #[arg(long)]
    pub(crate) resume: bool,
    /// List earlier runs instead
    #[arg(long, conflicts_with_all = ["resume", "show"])]
    pub(crate) list: bool,
    /// Show an earlier run instead, by its id or some of its digits
    #[arg(long, value_name = "ID", conflicts_with = "resume")]
    pub(crate) show: Option<String>,
    /// Print the prompts that the personas got
    #[arg(long)]
    pub(crate) prompts: bool,
}

#[derive(Args)]
pub(crate) struct PersonasArgs {
    /// File to check [default: the built-in personas]
    pub(crate) file: Option<PathBuf>,
    /// Print a commented file with the built-in personas
    #[arg(long, conflicts_with = "file")]
    pub(crate) default: bool,
}

#[derive(Args)]
pub(crate) struct RecentArgs {
    /// Number of memories
    #[arg(default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) count: u16,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}
