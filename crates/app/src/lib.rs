//! The `saegim` program: command line, HTTP, MCP and the web page. Other programs use [`local`], which answers the requests of the
//! HTTP API inside their own process.

mod cli;
mod command;
mod demo;
mod error;
mod http;
mod import;
mod korean;
/// The HTTP API without a network: requests are answered in this process.
pub mod local;
mod log;
mod mcp;
mod mirror;
mod names;
mod say;
mod settings;
mod shapes;
mod text;
mod view;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use saegim_core::Language;

use crate::cli::Cli;
use crate::error::AppError;
use crate::say::{language, say};
use crate::view::tell;

/// Runs the command line: data goes to standard output, messages go to standard error.
pub fn main() -> ExitCode {
    let (language, given) = (language(), arguments(std::env::args_os()));
    let cli = match understood(&given, language) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let json = cli.global.json;
    // Only `serve` runs many tasks at once and needs the multi-threaded runtime.
    let many = matches!(cli.command, Some(cli::Command::Serve(_)));
    if many {
        http::few_heaps();
    }
    let mut builder = if many { tokio::runtime::Builder::new_multi_thread() } else { tokio::runtime::Builder::new_current_thread() };
    // Blocking tasks compete for the CPU cores anyway; more threads than this only use more memory.
    let at_once = 8 + 4 * std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let runtime = match builder.enable_all().max_blocking_threads(at_once).build() {
        Ok(runtime) => runtime,
        Err(error) => {
            tell(format!("saegim: {error}"));
            return ExitCode::from(1);
        }
    };
    match runtime.block_on(command::run(cli, language)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error @ (AppError::Said | AppError::Unheard)) => error.exit_code(),
        Err(error) => {
            let (phrase, hint) = (error.phrase(), error.hint(language));
            let words = phrase.in_language(language);
            if json {
                tell(serde_json::json!({ "error": words, "hint": hint }));
            } else {
                tell(say!(language, "app.main.error", words));
                if let Some(hint) = hint {
                    tell(say!(language, "app.main.hint", hint));
                }
            }
            error.exit_code()
        }
    }
}

/// Parses the arguments. Prints help, the version or a usage error immediately and returns the exit code.
fn understood(given: &[OsString], language: Language) -> Result<Cli, ExitCode> {
    let mut command = korean::in_language(Cli::command(), language);
    let error = match command.try_get_matches_from_mut(given).and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    if !error.use_stderr() {
        // Help and version are data. A write error means the reader closed the pipe, which is not a failure.
        return Err(error.print().map_or(ExitCode::SUCCESS, |()| ExitCode::SUCCESS));
    }
    let words = match language {
        Language::Korean => korean::problem(&error),
        Language::English => None,
    };
    let asked = given.iter().skip(1).find_map(|word| command.find_subcommand(word).map(|found| format!("{} ", found.get_name())));
    let help = format!("saegim {}--help", asked.unwrap_or_default());
    let hint = say!(language, "app.main.see_help", help);
    if given.iter().any(|argument| argument == "--json") {
        let rendered = error.render().to_string();
        let english = rendered.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
        let english = english.split_whitespace().collect::<Vec<_>>().join(" ");
        tell(serde_json::json!({ "error": words.unwrap_or(english), "hint": hint }));
    } else if let Some(words) = words {
        tell(format!("오류: {words}\n힌트: {hint}"));
    } else {
        // The message repeats the argument.
        tell(error.render().to_string().trim_end());
    }
    Err(ExitCode::from(2))
}

/// Options before the command that take a value.
const VALUED: [&str; 10] = ["--db", "--config", "--user", "--character", "--work", "--mind", "--now", "--as", "--embedder", "--model"];

/// Renames `--user` to `--said` after `observe`. There it is the user's message; everywhere else it names the user.
fn arguments(given: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = given.into_iter().collect();
    let mut at = 1;
    while let Some(word) = arguments.get(at).and_then(|argument| argument.to_str()) {
        match word {
            "observe" => break,
            word if VALUED.contains(&word) => at += 2,
            word if word.starts_with('-') => at += 1,
            _ => return arguments,
        }
    }
    for argument in arguments.iter_mut().skip(at + 1) {
        let Some(word) = argument.to_str() else { continue };
        if word == "--" {
            break;
        }
        if let Some(rest) = word.strip_prefix("--user").filter(|rest| rest.is_empty() || rest.starts_with('=')) {
            *argument = format!("--said{rest}").into();
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, expected: &str) {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert_eq!(arguments(words(given)), words(expected));
    }

    #[test]
    fn no_command_takes_an_argument_under_the_name_of_a_global_one() {
        fn look(command: &clap::Command, globals: &[String]) {
            for own in command.get_arguments().filter(|argument| !argument.is_global_set()) {
                assert!(!globals.contains(&own.get_id().to_string()), "{} of {}", own.get_id(), command.get_name());
            }
            command.get_subcommands().for_each(|command| look(command, globals));
        }
        let command = Cli::command();
        let globals: Vec<String> =
            command.get_arguments().filter(|known| known.is_global_set()).map(|known| known.get_id().to_string()).collect();
        assert!(globals.contains(&"principal".to_owned()));
        command.get_subcommands().for_each(|command| look(command, &globals));
    }

    #[test]
    fn the_user_speaks_after_observe_and_is_named_before_it() {
        check("saegim --user minsu observe --user hello", "saegim --user minsu observe --said hello");
        check("saegim observe --user=hello --json", "saegim observe --said=hello --json");
        check("saegim --user observe recall --user me", "saegim --user observe recall --user me");
        check("saegim --embedder larger observe --user hello", "saegim --embedder larger observe --said hello");
        check("saegim recall --user me observe", "saegim recall --user me observe");
    }
}
