//! Arguments of reports and the archive.

use clap::{Args, Subcommand};
use saegim_core::{Invalid, phrase};

#[derive(Args)]
pub(crate) struct ReportArgs {
    /// Period: week, month, year (up to now), or a year or month like 2026 or 2026-05
    #[arg(default_value = "year")]
    pub(crate) period: Period,
}

/// A reporting period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Period {
    /// A number of days up to now.
    Days(u32),
    /// A calendar year.
    Year(i16),
    /// A calendar month.
    Month(i16, i8),
}

impl std::str::FromStr for Period {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let number = |text: &str, low: i16, high: i16| text.parse::<i16>().ok().filter(|number| (low..=high).contains(number));
        let found = match text.trim().to_lowercase().as_str() {
            "week" => Some(Self::Days(7)),
            "month" => Some(Self::Days(30)),
            "year" => Some(Self::Days(365)),
            other => match other.split_once('-') {
                Some((year, month)) => number(year, 1, 9999).zip(number(month, 1, 12)).map(|(year, month)| Self::Month(year, month as i8)),
                None => number(other, 1, 9999).map(Self::Year),
            },
        };
        found.ok_or_else(|| Invalid::new("period", phrase!("command.cli.unknown_period")))
    }
}

#[derive(Args)]
pub(crate) struct ArchiveArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ArchiveCommand>,
}

#[derive(Subcommand)]
pub(crate) enum ArchiveCommand {
    /// Archive the memories of a session; core and pinned memories stay
    Put {
        /// Name of the session
        session: String,
    },
    /// Restore the memories of an archived session; retention periods restart
    Restore {
        /// Name of the session
        session: String,
    },
}
