//! The error of a damaged model file.

/// A model file that is damaged or has another version. The text names the place.
#[derive(Debug, thiserror::Error)]
#[error("{0}; the model file is damaged or has another version")]
pub struct Damaged(String);

impl Damaged {
    /// Returns the error for the place `what`.
    pub fn new(what: impl std::fmt::Display) -> Self {
        Self(what.to_string())
    }
}
