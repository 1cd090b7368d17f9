//! Structured logs on standard error: one event per request, worker failure or model fallback, never with content.

use std::io::IsTerminal;
use std::str::FromStr;

use clap::ValueEnum;
use tracing::Level;
use tracing_subscriber::fmt;

/// Format of the log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// One readable line per event
    Text,
    /// One JSON object per event
    Json,
}

/// Starts logging for the whole process. `SAEGIM_LOG` sets the level: `error`, `warn`, `info` (default), `debug` or `trace`.
pub(crate) fn start(format: LogFormat) {
    let named = std::env::var("SAEGIM_LOG").ok().and_then(|level| Level::from_str(&level).ok());
    let lines = fmt::Subscriber::builder()
        .with_max_level(named.unwrap_or(Level::INFO))
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    // A second call keeps the first subscriber.
    let _ = match format {
        LogFormat::Text => tracing::subscriber::set_global_default(lines.compact().finish()),
        LogFormat::Json => {
            let json = lines.json().flatten_event(true).with_current_span(true).with_span_list(false);
            tracing::subscriber::set_global_default(json.finish())
        }
    };
}
