//! What a text may be about: the things and people it names, each by a key that is the same however it is said, and the themes of
//! everyday life it touches.
//!
//! A subject is read where it stands. "Ben" inside a sentence is somebody and "Mark my words" is not; "the train" is a thing and "I
//! train" is none; "옆집 강아지" and "Tom's mum" are not one's own; a number with its counter, a clock time and a title without a name
//! are nothing at all.

mod english;
mod korean;
mod lists;
mod places;
mod together;
mod which;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use unicode_normalization::UnicodeNormalization;

use crate::Lately;
use crate::text::everyday::Touch;

/// Something a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// What it is met by.
    pub key: String,
    /// How it is said here.
    pub said: String,
    /// The key of what it is one of, where it says which one: "수학 과외" is a "과외".
    pub kind: Option<String>,
    /// Whether it has one meaning. Where it has several, likeness must speak, too.
    pub clear: bool,
    /// Whether its reading is sure enough that a topic can begin with it; what is not can only belong to one.
    pub sure: bool,
    /// Whether something before it says which one it is.
    pub told_which: bool,
    /// Whether two that are said to be different ones have nothing to do with each other: two sisters, a yoga class and one in chemistry.
    pub parts: bool,
}

/// What a text may be about.
#[derive(Clone, Debug, Default)]
pub struct Subjects {
    /// What it names.
    pub things: Vec<Subject>,
    /// The themes it touches.
    pub themes: Vec<Touch>,
}

/// One word as it is written.
#[derive(Debug, Default)]
struct Token {
    /// Folded, without what says whose.
    word: String,
    /// As it is written, without what says whose.
    written: String,
    /// Whether it is written large.
    large: bool,
    /// Whether a sentence begins with it.
    opens: bool,
    /// Whether something is said to be its own: "Tom's".
    owns: bool,
    /// Whether a comma or an end parts it from the next word.
    parted: bool,
}

impl Token {
    fn is_korean(&self) -> bool {
        self.word.chars().any(|letter| ('\u{AC00}'..='\u{D7A3}').contains(&letter))
    }
}

/// So many texts are remembered as they were read, in each of two generations: what is said is read when it is judged, when it is
/// taken in and when it is held against what an essence is about.
const READ: usize = 2048;

/// Longer texts are read each time.
const LONGEST_READ: usize = 400;

static LATELY: LazyLock<Mutex<Lately<Box<str>, Arc<Subjects>>>> = LazyLock::new(|| Mutex::new(Lately::with_room(READ)));

/// The bit by which the number of a theme is told from that of a thing.
const THEME: u64 = 1;

/// Whether one of the numbers of [`Subjects::numbers`] is a theme's.
pub fn is_theme(number: u64) -> bool {
    number & THEME != 0
}

impl Subjects {
    /// Reads a text.
    pub fn of(text: &str) -> Arc<Self> {
        if text.len() > LONGEST_READ {
            return Arc::new(Self::read(text));
        }
        let lately = || LATELY.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(subjects) = lately().get(text) {
            return subjects;
        }
        let subjects = Arc::new(Self::read(text));
        lately().put(text.into(), Arc::clone(&subjects));
        subjects
    }

    fn read(text: &str) -> Self {
        let (tokens, mut subjects) = (tokens(text), Self::default());
        let shouts = !text.chars().any(char::is_lowercase);
        for at in 0..tokens.len() {
            if places::read(&tokens, at, &mut subjects) || together::read(&tokens, at, &mut subjects) {
                continue;
            }
            if tokens[at].is_korean() {
                korean::read(&tokens, at, &mut subjects);
            } else {
                english::read(&tokens, at, shouts, &mut subjects);
            }
        }
        subjects
    }

    /// What it is about beyond doubt, as numbers that are equal where two texts are about one thing: things of one meaning, people, and
    /// themes of everyday life. `names` are those of the two whose talk it is: everything is about them, and nothing is by that.
    pub fn numbers(&self, names: &[String]) -> Vec<u64> {
        let number = |of: &str, key: &str| {
            let mut hasher = DefaultHasher::new();
            (of, key).hash(&mut hasher);
            hasher.finish() & !THEME | if of == "theme" { THEME } else { 0 }
        };
        let ours = |thing: &Subject| names.iter().any(|name| *name == thing.key.trim_start_matches('@') || *name == thing.said);
        let things = self.things.iter().filter(|thing| thing.clear && thing.sure && !ours(thing)).map(|thing| number("thing", &thing.key));
        let themes = self.themes.iter().map(|touch| number("theme", &touch.theme.to_string()));
        let mut numbers: Vec<u64> = things.chain(themes).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn takes(&mut self, subject: Subject) {
        match self.things.iter_mut().find(|known| known.key == subject.key) {
            Some(known) => {
                known.sure |= subject.sure;
                known.clear |= subject.clear;
                known.told_which &= subject.told_which;
                known.parts |= subject.parts;
            }
            None => self.things.push(subject),
        }
    }
}

/// A text cut at everything that belongs to no word. "D&D" is one, and Hangul and Latin side by side are two.
fn tokens(text: &str) -> Vec<Token> {
    let letters: Vec<char> = text.nfc().map(|letter| if letter == '’' { '\'' } else { letter }).collect();
    let (mut tokens, mut word, mut opens) = (Vec::<Token>::new(), String::new(), true);
    let close = |word: &mut String, tokens: &mut Vec<Token>, opens: &mut bool| {
        let written = std::mem::take(word);
        // "the neighbours' dog"
        let of_several = !written.starts_with('\'') && written.ends_with("s'");
        let written = written.trim_matches('\'');
        if !written.chars().any(char::is_alphanumeric) {
            return;
        }
        let (written, owns) = match written.strip_suffix("'s").or_else(|| written.strip_suffix("'S")) {
            Some(front) => (front, true),
            None => (written, of_several),
        };
        let large = written.chars().next().is_some_and(char::is_uppercase);
        tokens.push(Token { word: written.to_lowercase(), written: written.to_owned(), large, opens: *opens, owns, parted: false });
        *opens = false;
    };
    let is_hangul = |letter: char| ('\u{AC00}'..='\u{D7A3}').contains(&letter);
    for (at, &letter) in letters.iter().enumerate() {
        let lone = ('\u{3131}'..='\u{318E}').contains(&letter);
        let between =
            letter == '&' && at > 0 && letters[at - 1].is_alphanumeric() && letters.get(at + 1).is_some_and(|next| next.is_alphanumeric());
        if !lone && (letter.is_alphanumeric() || letter == '\'' || between) {
            if word.chars().next_back().is_some_and(is_hangul) && letter.is_ascii_alphanumeric() {
                close(&mut word, &mut tokens, &mut opens);
            }
            word.push(letter);
            continue;
        }
        close(&mut word, &mut tokens, &mut opens);
        if !letter.is_whitespace() && letter != '-' && letter != '"' {
            if let Some(last) = tokens.last_mut() {
                last.parted = true;
            }
            // "Mr. Patel" goes on.
            let title = tokens.last().is_some_and(|last| letter == '.' && english::is_title(&last.word));
            opens |= matches!(letter, '.' | '!' | '?' | '…' | ':' | '\n') && !title;
        } else if letter == '"' || letter == '\n' {
            opens = true;
        }
    }
    close(&mut word, &mut tokens, &mut opens);
    tokens
}

#[cfg(test)]
mod tests;
