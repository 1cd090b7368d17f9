//! User-facing messages in English and Korean.
//!
//! The code that detects a problem does not know the reader: an owner at a Korean terminal, a program or a log. So a phrase
//! carries both languages until an interface (command line, HTTP, Python) picks one.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::{Language, with_particles};

/// A message in English and Korean. `Display` uses English.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase {
    english: String,
    korean: String,
}

/// Creates a [`Phrase`] from an English and a Korean format string; both may use the same variables in braces.
#[macro_export]
macro_rules! phrase {
    ($english:literal, $korean:literal $(, $argument:expr)* $(,)?) => {
        $crate::Phrase::new(format!($english $(, $argument)*), format!($korean $(, $argument)*))
    };
}

impl Phrase {
    /// Creates a message from both texts and resolves the Korean particles.
    pub fn new(english: impl Into<String>, korean: impl Into<String>) -> Self {
        Self { english: english.into(), korean: with_particles(&korean.into()) }
    }

    /// Returns the text in `language`.
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::English => &self.english,
            Language::Korean => &self.korean,
        }
    }

    /// Returns the message for an I/O error. The system's own texts are English, so the common errors are translated here.
    pub fn of_system(error: &std::io::Error) -> Self {
        use std::io::ErrorKind::*;
        let korean = match error.kind() {
            NotFound => "파일이나 폴더가 없어요",
            PermissionDenied => "권한이 없어요",
            AlreadyExists => "이미 있어요",
            IsADirectory => "파일이 아니라 폴더예요",
            NotADirectory => "폴더가 아니라 파일이에요",
            StorageFull => "디스크가 가득 찼어요",
            FileTooLarge => "파일이 너무 커요",
            ReadOnlyFilesystem => "읽기 전용이에요",
            InvalidData => "UTF-8 텍스트가 아니에요",
            _ => return Self::from(error.to_string()),
        };
        Self::new(error.to_string(), korean)
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.english)
    }
}

impl Serialize for Phrase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.english)
    }
}

/// Creates a message that is the same in every language: a name, a number, the output of another program.
impl From<String> for Phrase {
    fn from(text: String) -> Self {
        Self { korean: text.clone(), english: text }
    }
}

impl From<&str> for Phrase {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_says_the_same_in_both_languages() {
        let name = "모찌";
        let said = phrase!("{name} is here, {} times", "{name} 있음, {}번", 2);
        assert_eq!(said.in_language(Language::English), "모찌 is here, 2 times");
        assert_eq!(said.in_language(Language::Korean), "모찌 있음, 2번");
        assert_eq!(said.to_string(), "모찌 is here, 2 times");
        assert_eq!(serde_json::to_string(&said).unwrap(), "\"모찌 is here, 2 times\"");
    }

    #[test]
    fn the_systems_troubles_are_said_in_both_languages() {
        let missing = Phrase::of_system(&std::io::Error::from(std::io::ErrorKind::NotFound));
        assert!(missing.in_language(Language::Korean).contains("없어요"));
        assert!(missing.in_language(Language::English).contains("not found"));
    }
}
