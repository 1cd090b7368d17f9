//! Sentence parsing: the words of a sentence with their grammatical roles.

/// Parses a text into words.
mod telling;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use saegim_core::stem;
use unicode_normalization::UnicodeNormalization;

use crate::parse::predicate::{Predicate, predicate};

/// Grammatical role of a word, as far as a particle or preposition marks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Nothing says.
    Open,
    /// It does or is something.
    Doer,
    /// It is spoken of; mostly it does something.
    Topic,
    /// It is done to.
    Object,
    /// It is given to or taken from.
    Other,
    /// Where something comes from.
    From,
    /// Where something goes.
    To,
    /// What something is measured by: "커피보다 차가 좋아".
    Than,
    /// In company, at a place, or any other that changes nothing.
    Beside,
}

/// One content word.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    /// Normalized keys; words that share a key mean the same.
    pub keys: Vec<String>,
    /// Its part.
    pub part: Part,
    /// Whether it is a person.
    pub person: bool,
    /// Whether it is a person or written like a name.
    pub named: bool,
    /// Whether it only says when.
    pub when: bool,
    /// Its owner, if that is not the speaker.
    pub whose: Option<String>,
    /// Whether it is done for a person.
    pub gives: bool,
    /// Whether it is suffered.
    pub suffers: bool,
    /// Whether it names something, as a noun does or a deed that is called by one ("입원했어"); most verbs do not.
    pub thing: bool,
    /// The word itself, folded.
    pub raw: String,
    /// The same without its particle, or without what says whose.
    pub noun: String,
    /// The key it has as a predicate, where it can be one.
    pub verb: Option<String>,
}

impl Word {
    /// Whether two words mean the same.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.keys.iter().any(|key| other.keys.contains(key))
    }

    /// What it can be looked up by: itself, without its particle, its stem.
    pub(crate) fn forms(&self) -> Vec<String> {
        if self.raw.is_ascii() {
            return vec![self.noun.clone(), stem(&self.noun)];
        }
        [&self.raw, &self.noun].into_iter().chain(&self.verb).cloned().collect()
    }
}

/// Content words of a sentence, with the roles of speaker and listener.
#[derive(Clone, Debug, Default)]
pub(crate) struct Telling {
    /// The words that tell something, in order.
    pub words: Vec<Word>,
    /// Who stands in it, in order; people who stand side by side ("Mina and I") in the order of their names.
    pub cast: Vec<String>,
    /// What begins the text with a capital: a name, if another text shows it to be one.
    pub opening: Option<String>,
    /// The part the speaker has, where it is said.
    pub speaker: Option<Part>,
    /// Who it is about first: a person's key, or the speaker where no person is named before anything else.
    pub first: Option<String>,
}

const ME: &str = "me";

static LIGHT: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    include_str!("../../data/parse/light_words.txt").lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect()
});

/// Words with one meaning, by the line they stand on; `@` marks somebody.
static MEANINGS: LazyLock<HashMap<String, (usize, bool)>> = LazyLock::new(|| {
    let mut meanings = HashMap::new();
    for (line, words) in include_str!("../../data/parse/one_meaning.txt").lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let person = words.starts_with('@');
        for word in words.trim_start_matches('@').split_whitespace() {
            meanings.entry(word.to_owned()).or_insert((line, person));
            if word.is_ascii() {
                meanings.entry(stem(word)).or_insert((line, person));
            } else if let Some(key) = verb_key(word).filter(|_| !person) {
                meanings.entry(key).or_insert((line, person));
            }
        }
    }
    meanings
});

static WHEN: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words = "아침 저녁 밤 새벽 점심 오전 오후 주말 지난주 지난주말 다음주 이번주 지난달 다음달 작년 내년 재작년 morning evening night afternoon noon \
                 weekend week month year";
    words.split_whitespace().flat_map(|word| [word.to_owned(), stem(word)]).collect()
});

/// Whether a text can only say when it was: such a word added makes nothing new.
pub(crate) fn is_when(key: &str) -> bool {
    WHEN.contains(key)
}

/// Korean particles with the part they give, the longest first.
const PARTICLES: [(&str, Part); 46] = [
    ("에게서는", Part::Other),
    ("한테서는", Part::Other),
    ("에게서", Part::Other),
    ("한테서", Part::Other),
    ("로부터", Part::Other),
    ("에게는", Part::Other),
    ("한테는", Part::Other),
    ("한테도", Part::Other),
    ("께서는", Part::Doer),
    ("에서는", Part::Beside),
    ("에서도", Part::Beside),
    ("이라고", Part::Beside),
    ("이랑은", Part::Beside),
    ("에게", Part::Other),
    ("한테", Part::Other),
    ("께서", Part::Doer),
    ("에서", Part::From),
    ("부터", Part::From),
    ("까지", Part::To),
    ("으로", Part::To),
    ("보다", Part::Than),
    ("이랑", Part::Beside),
    ("하고", Part::Beside),
    ("처럼", Part::Beside),
    ("마다", Part::Beside),
    ("라고", Part::Beside),
    ("에는", Part::Beside),
    ("에도", Part::Beside),
    ("네집", Part::Beside),
    ("이네", Part::Topic),
    ("께", Part::Other),
    ("은", Part::Topic),
    ("는", Part::Topic),
    ("도", Part::Topic),
    ("만", Part::Topic),
    ("이", Part::Doer),
    ("가", Part::Doer),
    ("을", Part::Object),
    ("를", Part::Object),
    ("에", Part::Beside),
    ("로", Part::To),
    ("의", Part::Open),
    ("와", Part::Beside),
    ("과", Part::Beside),
    ("랑", Part::Beside),
    ("들", Part::Open),
];

/// Nouns that end like a word with a particle.
static WHOLE: LazyLock<HashSet<&str>> = LazyLock::new(|| whole_nouns().filter(|noun| !noun.starts_with('-')).collect());

/// The same for those that are part of longer nouns.
static WHOLE_ENDS: LazyLock<HashSet<&str>> = LazyLock::new(|| whole_nouns().filter_map(|noun| noun.strip_prefix('-')).collect());

/// No noun of them has more letters.
const LONGEST_WHOLE: usize = 12;

fn whole_nouns() -> impl Iterator<Item = &'static str> {
    include_str!("../../data/parse/whole_nouns.txt").lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace)
}

/// Whether a Korean word is a noun that only looks as if it had a particle: "강의", "벽난로", "고속도로".
pub(crate) fn is_whole_noun(word: &str) -> bool {
    // Only as many of its last letters as the longest of them has: a word may be as long as a message.
    let tails = word.char_indices().rev().take(LONGEST_WHOLE).enumerate();
    tails.take_while(|(_, (_, letter))| is_hangul(*letter)).any(|(before, (at, _))| {
        let (tail, letters) = (&word[at..], before + 1);
        (at == 0 || letters > 2) && WHOLE.contains(tail) || WHOLE_ENDS.contains(tail)
    })
}

/// Whether a particle can follow the final sound of a word: 을 after a consonant, 를 after a vowel, 로 after a vowel or ㄹ.
pub(crate) fn fits_sound(front: &str, particle: &str) -> bool {
    let Some(last) = front.chars().next_back().filter(|last| is_hangul(*last)) else { return true };
    let closing = (last as u32 - 0xAC00) % 28;
    match particle {
        "은" | "을" | "이" | "과" | "이랑" | "이라고" | "이랑은" | "이네" => closing != 0,
        "으로" => closing != 0 && closing != 8,
        "는" | "를" | "가" | "와" | "랑" | "라고" => closing == 0,
        "로" | "로부터" => closing == 0 || closing == 8,
        _ => true,
    }
}

/// A Korean word without its particle, and the part the particle gives.
pub(crate) fn bare(word: &str) -> (&str, Part) {
    if is_whole_noun(word) {
        return (word, Part::Open);
    }
    for (particle, part) in PARTICLES {
        if let Some(front) = word.strip_suffix(particle).filter(|front| !front.is_empty() && fits_sound(front, particle)) {
            let known =
                MEANINGS.contains_key(front) || matches!(front, "나" | "내" | "저" | "제" | "너" | "네" | "니" | "집" | "배" | "차");
            if known || front.chars().count() > 1 || particle.chars().count() > 1 || "은는이가을를에도만".contains(particle) {
                return (front, part);
            }
        }
    }
    (word, Part::Open)
}

/// The key of a predicate; none where a noun could look the same.
pub(crate) fn verb_key(word: &str) -> Option<String> {
    key_of(&predicate(word))
}

fn key_of(found: &Predicate) -> Option<String> {
    let long = found.stem.chars().count() > 1;
    match (long, found.certain) {
        (true, _) => Some(found.stem.clone()),
        (false, true) => Some(format!("{}~", found.stem)),
        (false, false) => None,
    }
}

/// A key, or that of its meaning; and whether it is somebody.
fn meaning(key: String) -> (String, bool) {
    match MEANINGS.get(key.as_str()) {
        Some((line, person)) => (format!("#{line}"), *person),
        None => (key, false),
    }
}

/// The key of somebody who is called by what they are to one: "엄마", "mum", "neighbour".
pub(crate) fn somebody(word: &str) -> Option<String> {
    MEANINGS.get(word).filter(|(_, person)| *person).map(|(line, _)| format!("#{line}"))
}

/// Whether a folded word tells nothing of its own.
pub(crate) fn is_light(word: &str) -> bool {
    LIGHT.contains(word)
}

fn is_hangul(letter: char) -> bool {
    ('\u{AC00}'..='\u{D7A3}').contains(&letter)
}

/// A text cut at everything that is no letter, digit or apostrophe; and where Hangul and Latin meet with no space between.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = vec![String::new()];
    for letter in text.nfc().map(|letter| if letter == '’' { '\'' } else { letter }) {
        let last = tokens.last_mut().expect("there is always one");
        // "망쳤어ㅠㅠ": lone letters laugh or cry, and belong to no word.
        let lone = ('\u{3131}'..='\u{318E}').contains(&letter);
        if lone || !letter.is_alphanumeric() && letter != '\'' {
            tokens.push(String::new());
        } else if last.chars().next_back().is_some_and(|before| is_hangul(before) && letter.is_ascii_alphanumeric()) {
            tokens.push(letter.to_string());
        } else {
            last.push(letter);
        }
    }
    tokens.retain(|token| token.chars().any(char::is_alphanumeric));
    tokens
}
