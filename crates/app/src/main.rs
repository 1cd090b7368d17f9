//! saegim on the command line: data to standard output, words to standard error.

mod cli;
mod command;
mod error;
mod say;
mod settings;
mod view;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::error::AppError;
use crate::say::{language, say};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let (language, json) = (language(), cli.global.json);
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("saegim: {error}");
            return ExitCode::from(1);
        }
    };
    match runtime.block_on(command::run(cli, language)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(AppError::Said) => ExitCode::from(1),
        Err(error) => {
            let hint = error.hint(language);
            if json {
                eprintln!("{}", serde_json::json!({ "error": error.to_string(), "hint": hint }));
            } else {
                eprintln!("{}: {error}", say!(language, "error", "오류"));
                if let Some(hint) = hint {
                    eprintln!("{}: {hint}", say!(language, "hint", "도움말"));
                }
            }
            error.exit_code()
        }
    }
}
