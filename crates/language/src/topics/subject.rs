//! Topics a text may be about: the things and people it names, each by a normalized key, and the everyday themes it mentions.
//!
//! Words are classified by their position. "Ben" inside a sentence is a person, but "Mark my words" names nobody; "the train" is
//! a thing, but "I train" is not; "옆집 강아지" and "Tom's mum" belong to other people; numbers with counters, clock times and titles
//! without a name are ignored.

mod english;
mod korean;
mod lists;
mod places;
mod together;
mod which;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use saegim_core::LruCache;
use unicode_normalization::UnicodeNormalization;

use crate::topics::everyday::Touch;

/// Something a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subject {
    /// Normalized key.
    pub key: String,
    /// Wording in this text.
    pub said: String,
    /// Key of the more general subject if this one is qualified: "수학 과외" is a "과외".
    pub kind: Option<String>,
    /// Whether it is unambiguous. Ambiguous subjects also require similar texts.
    pub clear: bool,
    /// Whether the classification is certain enough to start a topic. Uncertain subjects can only join an existing one.
    pub sure: bool,
    /// Whether a modifier before it specifies which one it is.
    pub told_which: bool,
    /// Whether differently qualified ones are unrelated: two sisters, a yoga class and a chemistry class.
    pub parts: bool,
}

/// Subjects and themes of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subjects {
    /// Things and people it names.
    pub things: Vec<Subject>,
    /// Everyday themes it mentions.
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

/// Number of texts per generation of the cache of parsed texts. A message is parsed when it is judged, when it is stored and when
/// it is compared with essences.
const READ: usize = 2048;

/// Longer texts (in bytes) are not cached.
const LONGEST_READ: usize = 400;

static CACHE: LazyLock<Mutex<LruCache<Box<str>, Arc<Subjects>>>> = LazyLock::new(|| Mutex::new(LruCache::with_room(READ)));

/// Bit that distinguishes numbers of themes from numbers of things.
const THEME: u64 = 1;

/// Whether a number returned by [`subject_numbers`] belongs to a theme.
pub fn is_theme_number(number: u64) -> bool {
    number & THEME != 0
}

/// Returns the certain subjects of a text as numbers that are equal for texts about the same subject: unambiguous things, people
/// and everyday themes. `names` are the user and the character; they are excluded because every text is about them.
pub fn subject_numbers(text: &str, names: &[String]) -> Vec<u64> {
    Subjects::of(text).numbers(names)
}

impl Subjects {
    /// Parses a text.
    pub fn of(text: &str) -> Arc<Self> {
        if text.len() > LONGEST_READ {
            return Arc::new(Self::read(text));
        }
        let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(subjects) = cache().get(text) {
            return subjects;
        }
        let subjects = Arc::new(Self::read(text));
        cache().put(text.into(), Arc::clone(&subjects));
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

    /// Returns the certain subjects as numbers that are equal for texts about the same subject: unambiguous things, people and
    /// everyday themes. `names` are the user and the character; they are excluded because every text is about them.
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

/// Splits a text into words at all other characters. "D&D" is one word; adjacent Hangul and Latin letters are two.
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
