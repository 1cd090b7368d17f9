//! Arguments of the simulation.

use std::path::PathBuf;

use clap::Args;
use saegim_core::{Language, Timestamp};

#[derive(Args)]
pub(crate) struct SimulateArgs {
    /// How many days to live through [default: 365]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=36_500), conflicts_with = "story")]
    pub(crate) days: Option<i64>,
    /// Live through a story instead of a life that is made up; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) story: Option<PathBuf>,
    /// What chance begins from: the same seed is the same life
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many messages are said a day, answers included [default: 40]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), conflicts_with = "story")]
    pub(crate) turns_per_day: Option<u32>,
    /// When life begins [default: 2026-01-01]
    #[arg(long, value_name = "RFC3339", value_parser = Timestamp::parse, conflicts_with = "story")]
    pub(crate) start: Option<Timestamp>,
    /// What language it is lived in: en or ko [default: the one you read]
    #[arg(long, value_name = "LANGUAGE", value_parser = Language::parse, conflicts_with = "story")]
    pub(crate) language: Option<Language>,
    /// Draw tiers, zones and the cliff over time into an SVG file
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) chart: Option<PathBuf>,
    /// Keep the mind that was lived in a new database; it is thrown away otherwise
    #[arg(long, value_name = "FILE.db")]
    pub(crate) keep: Option<PathBuf>,
}
