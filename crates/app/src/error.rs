//! Errors of the command line, with hints on how to fix them.

use std::path::Path;
use std::process::ExitCode;

use saegim_core::{Invalid, Language, Phrase};
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
                let korean = match path.as_str() {
                    "standard input" => "표준 입력",
                    "standard output" => "표준 출력",
                    path => path,
                };
                Phrase::new(format!("{path}: {why}"), format!("{korean}: {}", why.in_language(Language::Korean)))
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
            Self::Engine(EngineError::Busy(_)) => say!(language, "try again in a moment", "잠시 후 다시 시도해 주세요"),
            Self::Engine(EngineError::Store(StoreError::Full)) => {
                say!(language, "free some disk space and try again", "디스크 공간을 확보한 뒤 다시 시도해 주세요")
            }
            Self::Engine(EngineError::Store(StoreError::Broken(_))) => {
                say!(language, "run `saegim doctor` to check the database", "`saegim doctor`로 데이터베이스를 점검해 주세요")
            }
            Self::Engine(EngineError::Model(_)) => {
                say!(language, "run `saegim doctor` to check the models", "`saegim doctor`로 모델을 점검해 주세요")
            }
            Self::Engine(EngineError::Forbidden(_)) => {
                say!(language, "ask the owner to do it or to grant permission", "소유자에게 직접 처리하거나 권한을 달라고 요청해 주세요")
            }
            Self::Engine(EngineError::Proposed(_)) => {
                say!(language, "the owner can decide with: saegim proposals", "소유자가 결정할 수 있어요: saegim proposals")
            }
            Self::Engine(EngineError::Unsure(_)) => {
                say!(language, "add --core to confirm", "계속하려면 --core를 붙여 주세요")
            }
            _ => return None,
        };
        Some(hint)
    }
}
