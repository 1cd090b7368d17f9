//! Parses a text word by word: particles mark roles in Korean, prepositions and positions in English.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use saegim_core::{LruCache, is_stop_word, stem};

use super::{LIGHT, ME, MEANINGS, Part, Telling, Word, bare, is_hangul, is_when, key_of, meaning, tokens};
use crate::parse::predicate::predicate;

/// Number of texts per generation of the cache of parsed sentences. A new message is compared with the same few hundred texts
/// repeatedly.
const READ: usize = 1024;

/// Longer texts (in bytes) are not cached.
const LONGEST_READ: usize = 400;

static CACHE: LazyLock<Mutex<LruCache<Box<str>, Arc<Telling>>>> = LazyLock::new(|| Mutex::new(LruCache::with_room(READ)));

impl Telling {
    /// Parses a text.
    pub(crate) fn of(text: &str) -> Arc<Self> {
        if text.len() > LONGEST_READ {
            return Arc::new(Self::read(text));
        }
        let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(telling) = cache().get(text) {
            return telling;
        }
        let telling = Arc::new(Self::read(text));
        cache().put(text.into(), Arc::clone(&telling));
        telling
    }

    fn read(text: &str) -> Self {
        let (mut telling, mut reader) = (Self::default(), Reader::default());
        for (place, token) in tokens(text).iter().enumerate() {
            if token.chars().any(is_hangul) {
                telling.korean(&token.to_lowercase(), &mut reader);
            } else {
                telling.latin(token, place, &mut reader);
            }
        }
        telling
    }

    fn korean(&mut self, token: &str, reader: &mut Reader) {
        let (noun, part) = match token {
            "난" | "전" => ("나", Part::Topic),
            "날" | "절" => ("나", Part::Object),
            "내게" | "제게" => ("나", Part::Other),
            "넌" => ("너", Part::Topic),
            "널" => ("너", Part::Object),
            _ => bare(token),
        };
        if matches!(noun, "나" | "내" | "저" | "제" | "우리" | "울" | "저희") {
            let owns = part == Part::Open;
            reader.owner = owns.then(|| ME.to_owned());
            if !owns {
                self.speaker = Some(part);
            }
            return;
        }
        if matches!(noun, "너" | "네" | "니" | "당신" | "너희" | "자기") && part == Part::Open {
            reader.owner = Some("you".to_owned());
            return;
        }
        if LIGHT.contains(token) {
            return;
        }
        let found = predicate(token);
        let verb = key_of(&found);
        let mut keys = vec![meaning(noun.to_owned())];
        keys.extend(verb.clone().filter(|key| key != noun).map(meaning));
        // An auxiliary 주다 marks the previous verb as done for a person and has no meaning of its own.
        if matches!(found.stem.as_str(), "주" | "드리" | "드") && found.certain && !self.words.is_empty() {
            self.words.last_mut().expect("it is not empty").gives = true;
            return;
        }
        let person = keys[0].1;
        let keys: Vec<String> = keys.into_iter().map(|(key, _)| key).collect();
        let whose = reader.owner.take().filter(|owner| person && owner != ME);
        if part == Part::Open && !person && !found.certain {
            reader.owner = Some(keys[0].clone());
        }
        let when = is_when(noun);
        if person {
            self.cast.push(keys[0].clone());
        }
        if self.first.is_none() && person && matches!(part, Part::Doer | Part::Topic | Part::Open) {
            self.first = Some(keys[0].clone());
        }
        let (raw, noun, thing) = (token.to_owned(), noun.to_owned(), !found.certain || found.named);
        let (gives, suffers, named) = (found.gives, found.suffers, person);
        self.words.push(Word { keys, part, person, named, when, whose, gives, suffers, thing, raw, noun, verb });
    }

    fn latin(&mut self, token: &str, place: usize, reader: &mut Reader) {
        let folded = token.to_lowercase();
        let pronoun = match folded.as_str() {
            "i" | "me" | "myself" | "we" | "us" | "i'm" | "i've" | "i'd" | "i'll" | "we're" | "we've" | "we'll" => Some(ME),
            "you" | "you're" | "you've" => Some("you"),
            "he" | "him" | "he's" => Some("he"),
            "she" | "she's" => Some("she"),
            "they" | "them" | "they're" => Some("they"),
            _ => None,
        };
        if let Some(pronoun) = pronoun {
            reader.cast(self, pronoun.to_owned());
            if pronoun == ME {
                self.speaker = Some(reader.part.unwrap_or(Part::Open));
            }
            if self.first.is_none() && self.words.is_empty() {
                self.first = Some(pronoun.to_owned());
            }
            reader.part = None;
            return;
        }
        match folded.as_str() {
            "from" => reader.part = Some(Part::From),
            "to" => reader.part = Some(Part::To),
            "by" => reader.part = Some(Part::Other),
            "than" => reader.part = Some(Part::Than),
            "and" => reader.and = true,
            "your" | "his" | "her" | "their" => reader.owner = Some(folded.clone()),
            _ => {}
        }
        let (word, owns) = match folded.strip_suffix("'s") {
            Some(front) => (front.to_owned(), true),
            None => (folded.replace('\'', ""), false),
        };
        if word.is_empty() || LIGHT.contains(word.as_str()) || is_stop_word(&folded) || is_stop_word(&word) {
            return;
        }
        let (key, person) = match MEANINGS.get(word.as_str()) {
            Some((line, person)) => (format!("#{line}"), *person),
            None => meaning(stem(&word)),
        };
        let named = person || place > 0 && token.starts_with(char::is_uppercase);
        let part = reader.part.take().unwrap_or(Part::Open);
        let whose = reader.owner.take().filter(|_| person);
        if owns {
            reader.owner = Some(key.clone());
        }
        if person && self.first.is_none() && self.words.is_empty() && !owns {
            self.first = Some(key.clone());
        }
        let opens = place == 0 && !named && token.starts_with(char::is_uppercase);
        if named || opens {
            reader.cast(self, key.clone());
        }
        if opens {
            self.opening = Some(key.clone());
        }
        reader.and = false;
        let when = is_when(&word) || is_when(&stem(&word));
        let noun = folded.strip_suffix("'s").unwrap_or(&folded).to_owned();
        let (keys, gives, suffers, thing, verb) = (vec![key], false, false, true, None);
        self.words.push(Word { keys, part, person, named, when, whose, gives, suffers, thing, raw: folded, noun, verb });
    }
}

/// What the previous words say about the next one.
#[derive(Default)]
struct Reader {
    part: Option<Part>,
    owner: Option<String>,
    and: bool,
}

impl Reader {
    /// Adds a person; those joined by "and" are kept in alphabetical order.
    fn cast(&mut self, telling: &mut Telling, who: String) {
        let beside = self.and && telling.cast.last().is_some_and(|last| *last > who);
        let at = telling.cast.len() - usize::from(beside);
        telling.cast.insert(at, who);
        self.and = false;
    }
}
