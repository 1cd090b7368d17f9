//! Arguments of the simulation.

use std::path::PathBuf;

use clap::Args;
use saegim_core::{Language, Timestamp};

#[derive(Args)]
pub(crate) struct SimulateArgs {
    /// Number of days to simulate [default: 365]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=36_500), conflicts_with = "story")]
    pub(crate) days: Option<i64>,
    /// Run a story file instead of a generated life; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) story: Option<PathBuf>,
    /// Random seed; the same seed gives the same result
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Messages per day, replies included [default: 40]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), conflicts_with = "story")]
    pub(crate) turns_per_day: Option<u32>,
    /// First day [default: 2026-01-01]
    #[arg(long, value_name = "RFC3339", value_parser = Timestamp::parse, conflicts_with = "story")]
    pub(crate) start: Option<Timestamp>,
    /// Language of the messages: en or ko [default: your language]
    #[arg(long, value_name = "LANGUAGE", value_parser = Language::parse, conflicts_with = "story")]
    pub(crate) language: Option<Language>,
    /// Write an SVG chart of tiers, zones and the cliff over time
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) chart: Option<PathBuf>,
    /// Keep the simulated mind in a new database; otherwise it is deleted
    #[arg(long, value_name = "FILE.db")]
    pub(crate) keep: Option<PathBuf>,
}
