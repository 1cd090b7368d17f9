//! Errors of the command line, with hints on how to fix them.

use std::path::Path;
use std::process::ExitCode;

use saegim_core::{Invalid, Language, Phrase, phrase};
use saegim_engine::{EngineError, StoreError};

use crate::say::say;

/// An error shown to the person who ran the command.
#[derive(Debug)]
pub(crate) enum AppError {
    /// The arguments are invalid.
    Invalid(Invalid),
    /// The engine refused the operation or failed.
    Engine(EngineError),
    /// A file could not be read or written.
    File {
        /// Path of the file.
        path: String,
        /// The I/O error.
        error: std::io::Error,
    },
    /// A file has invalid content.
    Content(Phrase),
    /// The command failed and has already printed the reason.
    Said,
    /// The reader closed the output pipe (`| head`). Not a failure.
    Unheard,
}

impl From<Invalid> for AppError {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}

impl From<EngineError> for AppError {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl AppError {
    pub(crate) fn file(path: &Path, error: std::io::Error) -> Self {
        Self::File { path: path.display().to_string(), error }
    }

    /// Maps an error while writing to standard output. A broken pipe becomes [`Self::Unheard`].
    pub(crate) fn output(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::Unheard;
        }
        Self::File { path: "standard output".into(), error }
    }

    /// Returns the message in both languages.
    pub(crate) fn phrase(&self) -> Phrase {
        match self {
            Self::Invalid(invalid) => invalid.phrase(),
            Self::Engine(error) => error.phrase(),
            Self::File { path, error } => {
                let why = Phrase::of_system(error);
                let path = match path.as_str() {
                    "standard input" => phrase!("app.error.standard_input"),
                    "standard output" => phrase!("app.error.standard_output"),
                    path => path.into(),
                };
                phrase!("app.error.file", path, why)
            }
            Self::Content(problem) => problem.clone(),
            Self::Said | Self::Unheard => Phrase::default(),
        }
    }

    /// Returns 2 for invalid arguments, 0 for a closed output pipe and 1 for any other failure.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Invalid(_) | Self::Engine(EngineError::Invalid(_)) => ExitCode::from(2),
            Self::Unheard => ExitCode::SUCCESS,
            _ => ExitCode::from(1),
        }
    }

    /// Returns what to do about the error, if the message itself does not say it.
    pub(crate) fn hint(&self, language: Language) -> Option<String> {
        let hint = match self {
            Self::Engine(EngineError::Busy(_)) => say!(language, "app.error.try_again"),
            Self::Engine(EngineError::Store(StoreError::Full)) => {
                say!(language, "app.error.free_disk_space")
            }
            Self::Engine(EngineError::Store(StoreError::Broken(_))) => {
                say!(language, "app.error.check_database")
            }
            Self::Engine(EngineError::Model(_)) => {
                say!(language, "app.error.check_models")
            }
            Self::Engine(EngineError::Forbidden(_)) => {
                say!(language, "app.error.ask_owner")
            }
            Self::Engine(EngineError::Proposed(_)) => {
                say!(language, "app.error.owner_decides")
            }
            Self::Engine(EngineError::Unsure(_)) => {
                say!(language, "app.error.confirm_core")
            }
            _ => return None,
        };
        Some(hint)
    }
}
