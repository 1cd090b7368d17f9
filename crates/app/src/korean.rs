//! Korean version of the command line: help texts and usage errors.
//!
//! The English help is written next to the arguments; `korean.tsv` maps each line to Korean. A test checks that no line
//! is missing.

use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use saegim_core::{Invalid, Language, with_particles};

const LINES: &str = include_str!("korean.tsv");

/// Returns the Korean translation of a line of help.
fn korean(english: &str) -> Option<&'static str> {
    LINES.lines().filter_map(|line| line.split_once('\t')).find(|(line, _)| *line == english).map(|(_, korean)| korean)
}

/// Returns the command with its help texts in `language`.
pub(crate) fn in_language(mut command: Command, language: Language) -> Command {
    if language == Language::English {
        return command;
    }
    command.build();
    said(command)
}

fn said(command: Command) -> Command {
    let about = command.get_about().and_then(|about| korean(&about.to_string()));
    let command = match about {
        Some(about) => command.about(about),
        None => command,
    };
    let names: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    let command = command
        .mut_args(argument)
        .subcommand_help_heading("명령")
        .help_template("{about-with-newline}\n사용법: {usage}\n\n{all-args}{after-help}");
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, said))
}

fn argument(argument: Arg) -> Arg {
    let help = argument.get_help().and_then(|help| korean(&help.to_string()));
    let heading = match (argument.is_positional(), argument.is_global_set()) {
        (true, _) => "인자",
        (false, true) => "공통 옵션",
        (false, false) => "옵션",
    };
    let values: Vec<String> = argument.get_possible_values().iter().filter(|value| !value.is_hide_set()).map(value).collect();
    let notes = notes(&argument);
    let long = argument.get_long_help().and_then(|help| korean(&help.to_string()));
    let argument = argument.help_heading(heading).hide_default_value(true).hide_env(true);
    let argument = match long {
        Some(long) => argument.long_help(long),
        None => argument,
    };
    match help {
        Some(help) if !values.is_empty() => argument.hide_possible_values(true).help(format!("{help}{notes}\n{}", values.join("\n"))),
        Some(help) => argument.help(format!("{help}{notes}")),
        None => argument,
    }
}

/// Formats what clap would append in English: the default value and the environment variable.
fn notes(argument: &Arg) -> String {
    let shown = argument.get_action().takes_values() && !argument.is_hide_default_value_set();
    let values = argument.get_default_values().iter().filter(|_| shown);
    let defaults: Vec<String> = values.map(|value| value.to_string_lossy().into_owned()).collect();
    let default = if defaults.is_empty() { String::new() } else { format!(" [기본값: {}]", defaults.join(", ")) };
    let variable = argument.get_env().map(|name| format!(" [환경 변수: {}]", name.to_string_lossy())).unwrap_or_default();
    default + &variable
}

/// Formats a possible value with its description.
fn value(value: &PossibleValue) -> String {
    let help = value.get_help().and_then(|help| korean(&help.to_string()));
    help.map_or(format!("- {}", value.get_name()), |help| format!("- {}: {help}", value.get_name()))
}

/// Returns the Korean message for a usage error, or `None` if clap does not provide the parts it needs.
pub(crate) fn problem(error: &clap::Error) -> Option<String> {
    let part = |kind: ContextKind| error.get(kind).map(words);
    let (argument, value) = (part(ContextKind::InvalidArg), part(ContextKind::InvalidValue));
    let text = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let maybe = part(ContextKind::SuggestedSubcommand).map(|name| format!(" 혹시 {name}인가요?")).unwrap_or_default();
            format!("'{}'은(는) 없는 명령이에요.{maybe}", part(ContextKind::InvalidSubcommand)?)
        }
        ErrorKind::UnknownArgument => {
            let maybe = part(ContextKind::SuggestedArg).map(|name| format!(" 혹시 {name}인가요?")).unwrap_or_default();
            format!("'{}'은(는) 없는 옵션이에요.{maybe}", argument?)
        }
        ErrorKind::InvalidValue if value.as_deref() == Some("") => format!("{}에 값이 필요해요", argument?),
        ErrorKind::InvalidValue => {
            let known = part(ContextKind::ValidValue).map(|known| format!(". 쓸 수 있는 값: {known}")).unwrap_or_default();
            format!("'{}'은(는) {}에 쓸 수 없는 값이에요{known}", value?, argument?)
        }
        ErrorKind::ValueValidation => {
            let source = std::error::Error::source(error);
            let why = match source.and_then(|source| source.downcast_ref::<Invalid>()) {
                Some(invalid) => invalid.problem.in_language(Language::Korean),
                None if source.is_some_and(|source| source.is::<std::num::ParseIntError>()) => "숫자를 입력해 주세요".to_owned(),
                None => format!("쓸 수 없는 값이에요 ({})", source.map(ToString::to_string).unwrap_or_default()),
            };
            format!("{}: {why}", argument?)
        }
        ErrorKind::MissingRequiredArgument => format!("필수 값이 빠졌어요: {}", argument?),
        ErrorKind::ArgumentConflict => match part(ContextKind::PriorArg) {
            Some(prior) => format!("{}은(는) {prior}와(과) 함께 쓸 수 없어요", argument?),
            None => format!("{}은(는) 한 번만 쓸 수 있어요", argument?),
        },
        _ => return None,
    };
    Some(with_particles(&text))
}

/// Converts a context value of a clap error to text.
fn words(value: &ContextValue) -> String {
    match value {
        ContextValue::Strings(words) => words.join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;

    /// Returns every help line of a command and its subcommands.
    fn lines(command: &Command) -> Vec<String> {
        let mut lines: Vec<String> = command.get_about().into_iter().map(ToString::to_string).collect();
        for argument in command.get_arguments() {
            lines.extend(argument.get_help().map(ToString::to_string));
            lines.extend(argument.get_possible_values().iter().filter_map(|value| Some(value.get_help()?.to_string())));
        }
        lines.extend(command.get_subcommands().flat_map(lines_of));
        lines
    }

    fn lines_of(command: &Command) -> Vec<String> {
        lines(command)
    }

    #[test]
    fn every_line_of_help_is_there_in_korean() {
        let mut command = crate::cli::Cli::command();
        command.build();
        let missing: BTreeSet<String> = lines(&command).into_iter().filter(|line| korean(line).is_none()).collect();
        assert_eq!(missing, BTreeSet::new(), "korean.tsv lacks these");
    }

    #[test]
    fn no_korean_line_is_left_over_or_empty() {
        let mut command = crate::cli::Cli::command();
        command.build();
        let english = lines(&command);
        for line in LINES.lines() {
            let (line, korean) = line.split_once('\t').unwrap();
            let said = korean.chars().any(|letter| matches!(letter, '가'..='힣'));
            assert!(said && (line.starts_with("Print ") || english.iter().any(|english| english == line)), "{line}");
        }
    }
}
