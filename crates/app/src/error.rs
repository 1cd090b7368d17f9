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
            Self::Engine(EngineError::Busy(_)) => say!(language, "try again in a moment", "잠시 뒤에 다시 해 보세요"),
            Self::Engine(EngineError::Store(StoreError::Full)) => {
                say!(language, "make room on the disk, then do it again", "디스크를 비운 뒤에 다시 해 보세요")
            }
            Self::Engine(EngineError::Store(StoreError::Broken(_))) => {
                say!(language, "`saegim doctor` looks the file over", "`saegim doctor`로 파일을 살펴보세요")
            }
            Self::Engine(EngineError::Model(_)) => {
                say!(language, "`saegim doctor` tries the models", "`saegim doctor`로 모델을 확인해 보세요")
            }
            Self::Engine(EngineError::Forbidden(_)) => {
                say!(language, "the owner can do it, or allow it", "소유자가 직접 하거나 허락해야 합니다")
            }
            Self::Engine(EngineError::Proposed(_)) => {
                say!(language, "the owner answers with: saegim proposals", "소유자가 답할 수 있습니다: saegim proposals")
            }
            Self::Engine(EngineError::Unsure(_)) => {
                say!(language, "if you mean it, say so with --core", "정말이라면 --core 를 붙여 주세요")
            }
            _ => return None,
        };
        Some(hint)
    }
}
