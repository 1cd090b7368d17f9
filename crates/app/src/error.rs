//! What the command line says when something goes wrong, and what to do about it.

use std::process::ExitCode;

use saegim_core::{Invalid, Language};
use saegim_engine::EngineError;

use crate::say::say;

/// A failure, told to a person.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AppError {
    /// The call was wrong.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The engine refused or failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A file could not be read or written.
    #[error("{path}: {error}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// A file does not hold what it should.
    #[error("{0}")]
    Content(String),
    /// Something was found to be wrong, and has been said already.
    #[error("")]
    Said,
}

impl AppError {
    pub(crate) fn file(path: &std::path::Path, error: std::io::Error) -> Self {
        Self::File { path: path.display().to_string(), error }
    }

    /// Two for a wrong call, one for a failure.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Invalid(_) | Self::Engine(EngineError::Invalid(_)) => ExitCode::from(2),
            _ => ExitCode::from(1),
        }
    }

    /// What to do about it, where there is something.
    pub(crate) fn hint(&self, language: Language) -> Option<String> {
        let hint = match self {
            Self::Engine(EngineError::Busy(_)) => say!(language, "try again in a moment", "잠시 뒤에 다시 해 보세요"),
            Self::Engine(EngineError::Store(_)) => say!(language, "`saegim doctor` looks it over", "`saegim doctor`로 살펴보세요"),
            Self::Engine(EngineError::Model(_)) => {
                say!(language, "`saegim doctor` tries the models", "`saegim doctor`로 모델을 확인해 보세요")
            }
            Self::Engine(EngineError::Forbidden(_)) => {
                say!(language, "the owner can do it, or approve it", "소유자가 직접 하거나 승인해야 합니다")
            }
            _ => return None,
        };
        Some(hint)
    }
}
