//! User-facing messages in English and Korean.
//!
//! The code that detects a problem does not know the reader: an owner at a Korean terminal, a program or a log. So a phrase
//! names a message of the catalogues in `saegim-messages` until an interface (command line, HTTP, MCP) picks the language.

use std::fmt::{self, Display};

use saegim_messages::{Key, MessageId, Piece};
use serde::{Serialize, Serializer};

use crate::{Language, with_particles};

/// A message for a reader of either language. `Display` uses English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase(Text);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Text {
    /// The same in every language: a name, a number, the output of another program.
    Same(Box<str>),
    /// Computed for each language: English, Korean.
    Each(Box<[String; 2]>),
    /// A message of the catalogues with the values of its placeholders.
    Message(MessageId, Box<[Phrase]>),
}

/// Creates a [`Phrase`] from the key of a message and the values of its placeholders: `phrase!("core.time.not_a_time", text)` or
/// `phrase!("core.time.not_a_time", text = line.trim())`. A value is anything with `Display`; a [`Phrase`] keeps its languages.
#[macro_export]
macro_rules! phrase {
    (@value $name:ident) => { $crate::phrase!(@value $name = $name) };
    (@value $name:ident = $value:expr) => {{
        #[allow(unused_imports, reason = "a phrase needs no conversion")]
        use $crate::Shown as _;
        $crate::Argument(&$value).phrase()
    }};
    ($key:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        const KEY: $crate::Key<{ <[&str]>::len(&[$(stringify!($name)),*]) }> = $crate::Key::of($key, [$(stringify!($name)),*]);
        $crate::Phrase::of(KEY, [$($crate::phrase!(@value $name $(= $value)?)),*])
    }};
}

impl Phrase {
    /// Creates a message whose text is computed for each language, and resolves the Korean particles.
    pub fn new(english: impl Into<String>, korean: impl Into<String>) -> Self {
        Self(Text::Each(Box::new([english.into(), with_particles(&korean.into())])))
    }

    /// Creates a message of the catalogues; use [`phrase!`].
    #[doc(hidden)]
    pub fn of<const N: usize>(key: Key<N>, mut values: [Self; N]) -> Self {
        Self(Text::Message(key.message, Box::new(key.order.map(|argument| std::mem::take(&mut values[argument])))))
    }

    /// Joins messages with a separator.
    pub fn joined(phrases: impl IntoIterator<Item = Self>, separator: &str) -> Self {
        let phrases: Vec<Self> = phrases.into_iter().collect();
        let text = |language| phrases.iter().map(|phrase| phrase.in_language(language)).collect::<Vec<_>>().join(separator);
        Self::new(text(Language::English), text(Language::Korean))
    }

    /// Returns the name of a domain value: the message `name.GROUP.WORD`, or the word itself if there is none.
    pub fn name(group: &str, word: &str) -> Self {
        match MessageId::find(&format!("name.{group}.{word}")) {
            Some(message) => Self(Text::Message(message, Box::default())),
            None => Self::from(word),
        }
    }

    /// Returns the text in `language`.
    pub fn in_language(&self, language: Language) -> String {
        match (&self.0, language) {
            (Text::Same(text), _) => text.to_string(),
            (Text::Each(texts), Language::English) => texts[0].clone(),
            (Text::Each(texts), Language::Korean) => texts[1].clone(),
            (Text::Message(message, values), Language::English) => filled(message.english(), values, language),
            (Text::Message(message, values), Language::Korean) => with_particles(&filled(message.korean(), values, language)),
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

/// Joins the pieces of a text with the values of its placeholders.
fn filled(pieces: &[Piece], values: &[Phrase], language: Language) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Text(text) => (*text).to_owned(),
        Piece::Value(place) => values[*place].in_language(language),
    };
    pieces.iter().map(text).collect()
}

impl Default for Phrase {
    fn default() -> Self {
        Self::from("")
    }
}

impl Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.in_language(Language::English))
    }
}

impl Serialize for Phrase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.in_language(Language::English))
    }
}

/// Creates a message that is the same in every language: a name, a number, the output of another program.
impl From<String> for Phrase {
    fn from(text: String) -> Self {
        Self(Text::Same(text.into()))
    }
}

impl From<&str> for Phrase {
    fn from(text: &str) -> Self {
        Self(Text::Same(text.into()))
    }
}

/// An argument of [`phrase!`]. The method of a phrase hides the one of [`Shown`], so that a phrase keeps its languages.
#[doc(hidden)]
pub struct Argument<'a, T: ?Sized>(pub &'a T);

impl Argument<'_, Phrase> {
    /// Returns the phrase.
    pub fn phrase(self) -> Phrase {
        self.0.clone()
    }
}

impl Argument<'_, &Phrase> {
    /// Returns the phrase.
    pub fn phrase(self) -> Phrase {
        (*self.0).clone()
    }
}

/// Turns anything with `Display` into a phrase that is the same in every language.
#[doc(hidden)]
pub trait Shown {
    /// Returns the shown text as a phrase.
    fn phrase(self) -> Phrase;
}

impl<T: Display + ?Sized> Shown for Argument<'_, T> {
    fn phrase(self) -> Phrase {
        self.0.to_string().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_says_the_same_in_both_languages() {
        let said = phrase!("core.word_enum.unknown", known = phrase!("core.memory.text_empty"), text = "모찌");
        assert_eq!(said.in_language(Language::English), "\"모찌\" is not one of the text is empty; write at least one sentence");
        assert_eq!(
            said.in_language(Language::Korean),
            "\"모찌\"는 쓸 수 없어요. 다음 중 하나를 입력해 주세요: 내용이 비어 있어요. 한 문장 이상 입력해 주세요"
        );
        assert_eq!(format!("{:>4}|{}", Phrase::from("a"), Phrase::default()), "   a|");
        assert_eq!(
            serde_json::to_string(&phrase!("core.unit.stars_out_of_range", stars = 9)).unwrap(),
            "\"9 stars are not possible; use 1 to 5\""
        );
    }

    #[test]
    fn the_systems_troubles_are_said_in_both_languages() {
        let missing = Phrase::of_system(&std::io::Error::from(std::io::ErrorKind::NotFound));
        assert!(missing.in_language(Language::Korean).contains("없어요"));
        assert!(missing.in_language(Language::English).contains("not found"));
    }
}
