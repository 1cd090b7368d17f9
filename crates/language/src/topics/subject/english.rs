//! Classifies English words by their position in a sentence.

use std::collections::HashSet;
use std::sync::LazyLock;

use saegim_core::{is_stop_word, stem};

use super::lists::{Worth, has_many_meanings, is_empty, is_given_name, is_word_name, one, worth};
use super::which::{self, Which};
use super::{Subject, Subjects, Token};
use crate::parse::sentence_parse::{self, is_light, is_when};
use crate::topics::everyday::touches;

/// Words that introduce a name; alone they are no name.
const TITLES: &str =
    "mr mrs ms miss mx dr prof professor sir madam lord lady father sister brother uncle aunt auntie coach captain officer judge nurse";

/// Titles that are no person without a name.
const BARE_TITLES: &str = "mr mrs ms miss mx dr prof sir madam";

/// Contractions and fillers, which are no subjects.
const FILLERS: &str = "wanna gonna gotta hafta needa tryna finna imma lemme gimme kinda sorta dunno outta lotta cuz coz bc tbh ngl idk rn imo fr smh lmao lmfao btw pls plz thx \
                       ty ur ya yall y'all yep yup nope yeah nah hmm ugh gosh damn dang shit fuck fucking freaking wtf omfg welp meh yay woohoo hey hi hello bye dude";

/// Words that a noun follows.
const DETERMINERS: &str = "the a an my our your his her their this that these those some any no every each another its one two three";

/// Prepositions before a place or a time.
const LEADS: &str = "near past along across behind beside besides around above below against without within toward towards inside outside upon onto among despite via since \
                     except next away together ahead apart instead anyway maybe perhaps almost nearly";

/// Words that a verb follows.
const BEFORE_VERBS: &str = "i you we they he she it who don't didn't doesn't can't couldn't won't will would can could should must might may let's let never always not \
                            i'll we'll they'll you'll i'd we'd gonna wanna";

/// Words after which "to" precedes a place.
const MOTIONS: &str = "went go goes going gone came come comes coming back drove drive driving walked walk walking ran rode ride cycled got get getting off way trip flight moved \
                       invited return returned took take taking brought bring sent drop dropped late next close near used talked listened";

/// Words that an adjective follows.
const BEFORE_JUDGEMENTS: &str = "is was are were be been am so very too really quite pretty felt feel feels feeling went seem seems seemed look looks looked become became stay stayed \
                                 keep kept i'm it's we're you're he's she's they're that's";

/// Verbs of human actions: a name before one at the beginning is a person.
const PERSONS_VERBS: &str = "came called said told asked gave took made cooked laughed cried smiled brought bought sent wrote texted rang phoned visited invited helped promised apologised \
                             apologized thinks thought says wants wanted likes liked loves loved hates hated knows knew and lent paid drove moved married lives works sang married \
                             forgot remembered agreed argued shouted yelled fixed won lost got has had was is and";

/// Verbs of human actions with an irregular past.
const PASTS: &str = "fed dug sang swam ran rang taught threw wore woke spoke stole froze chose shook built lent bent swept wept dreamt learnt \
                     burnt bit hid hung stuck struck swung spun shot lit slid laid sank tore swore blew fled sought dealt leapt knelt crept \
                     forgot drove flew rode drew grew knew fought caught held meant lay hurt quit read beat bet burst cast cost fell fit \
                     hit led rose sewn shone shrank shut sprang stank strode strove thrust wound wrung spilt spent cooked wound snuck";

/// Gerunds that are no activity.
const NO_PURSUITS: &str = "morning evening during feeling being having going doing getting exciting amazing boring coming making taking saying looking trying ceiling spring string \
                           thing something anything nothing everything king wing ring sibling helping telling asking using finding leaving living standing sitting \
                           interesting annoying tiring surprising disappointing embarrassing relaxing missing following according working thinking talking seeing watching \
                           eating buying giving putting calling staying waiting wondering";

/// Words that are adjectives before another noun: "a flat white".
const BEFORE_NOUNS: &str = "flat light right fair present patient novel fine second cold";

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

static FILLER: LazyLock<HashSet<&str>> = LazyLock::new(|| set(FILLERS));
static TITLE: LazyLock<HashSet<&str>> = LazyLock::new(|| set(TITLES));
static BARE_TITLE: LazyLock<HashSet<&str>> = LazyLock::new(|| set(BARE_TITLES));
static LEAD: LazyLock<HashSet<&str>> = LazyLock::new(|| set(LEADS));
pub(super) static DETERMINER: LazyLock<HashSet<&str>> = LazyLock::new(|| set(DETERMINERS));
static BEFORE_VERB: LazyLock<HashSet<&str>> = LazyLock::new(|| set(BEFORE_VERBS));
static MOTION: LazyLock<HashSet<&str>> = LazyLock::new(|| set(MOTIONS));
static BEFORE_JUDGEMENT: LazyLock<HashSet<&str>> = LazyLock::new(|| set(BEFORE_JUDGEMENTS));
static PERSONS_VERB: LazyLock<HashSet<&str>> = LazyLock::new(|| set(PERSONS_VERBS));
static PAST: LazyLock<HashSet<&str>> = LazyLock::new(|| set(PASTS));
static NO_PURSUIT: LazyLock<HashSet<&str>> = LazyLock::new(|| set(NO_PURSUITS));
static BEFORE_NOUN: LazyLock<HashSet<&str>> = LazyLock::new(|| set(BEFORE_NOUNS));

/// Whether a folded word is a title.
pub(super) fn is_title(word: &str) -> bool {
    BARE_TITLE.contains(word)
}

/// Returns the American spelling of a British word.
fn spelt(word: &str) -> String {
    let swapped = [("our", "or", 6), ("ours", "ors", 7), ("tre", "ter", 5), ("tres", "ters", 6), ("bre", "ber", 5)];
    for (ending, instead, least) in swapped {
        if let Some(front) = word.strip_suffix(ending).filter(|_| word.len() >= least) {
            return format!("{front}{instead}");
        }
    }
    let mut word = word.replace("isation", "ization");
    for ending in ["ising", "ised", "iser", "ise"] {
        if word.len() > ending.len() + 2 && word.ends_with(ending) {
            let front = word.len() - ending.len();
            word.replace_range(front + 1..front + 2, "z");
            break;
        }
    }
    for ending in ["ing", "ed", "er", "ers", "or", "ors", "en"] {
        if let Some(front) = word.strip_suffix(ending).filter(|front| front.len() > 4 && front.ends_with("ll")) {
            return format!("{}{ending}", &front[..front.len() - 1]);
        }
    }
    word
}

/// Returns the key of a person, in the singular.
pub(super) fn somebody(word: &str) -> Option<String> {
    sentence_parse::somebody(word).or_else(|| word.strip_suffix('s').and_then(sentence_parse::somebody))
}

/// Returns the key of a noun.
pub(super) fn key(word: &str) -> String {
    one(word).or_else(|| word.strip_suffix('s').and_then(one)).or_else(|| somebody(word)).unwrap_or_else(|| {
        let stem = stem(&spelt(word));
        one(&stem).unwrap_or(stem)
    })
}

/// The words around a word.
pub(super) struct Place<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
}

impl<'a> Place<'a> {
    pub(super) fn token(&self) -> &'a Token {
        &self.tokens[self.at]
    }

    /// The previous word in the same clause.
    pub(super) fn before(&self) -> Option<&'a Token> {
        (!self.token().opens).then(|| self.at.checked_sub(1).map(|at| &self.tokens[at])).flatten().filter(|token| !token.parted)
    }

    /// The next word in the same clause.
    pub(super) fn after(&self) -> Option<&'a Token> {
        self.tokens.get(self.at + 1).filter(|token| !self.token().parted && !token.opens)
    }

    fn is_before(&self, words: &HashSet<&str>) -> bool {
        self.before().is_some_and(|token| words.contains(token.word.as_str()))
    }

    /// Whether an object follows.
    fn has_object(&self) -> bool {
        self.after().is_some_and(|next| {
            DETERMINER.contains(next.word.as_str())
                || next.large
                || matches!(next.word.as_str(), "me" | "him" | "them" | "us" | "it" | "her" | "up" | "out")
        })
    }

    /// Whether a noun can occur in this position.
    fn is_noun(&self) -> bool {
        let token = self.token();
        let word = token.word.as_str();
        if self.is_before(&BEFORE_VERB) || word == "course" && self.before().is_some_and(|before| before.word == "of") {
            return false;
        }
        // "came back", and "my back".
        if word == "back" && self.before().is_some_and(|before| MOTION.contains(before.word.as_str()) || is_deed(&before.word)) {
            return false;
        }
        // "I want to train", and "went to school".
        let to = self.before().is_some_and(|before| before.word == "to");
        let goes = self.at > 1 && MOTION.contains(self.tokens[self.at - 2].word.as_str());
        if to && !goes && worth(&[word]) == Worth::Noun {
            return false;
        }
        let is_how = self.is_before(&BEFORE_JUDGEMENT) && !word.ends_with('s') || BEFORE_NOUN.contains(word) && self.leads_a_noun();
        let orders = token.opens && self.has_object() && !token.owns;
        !is_how && !orders
    }

    fn leads_a_noun(&self) -> bool {
        self.after().is_some_and(|next| !next.is_korean() && !is_stop_word(&next.word) && !is_light(&next.word) && !is_deed(&next.word))
    }
}

/// Whether "run" is used in another sense: "ran out of milk", "running late".
fn is_figure(place: &Place<'_>, stem: &str) -> bool {
    let runs = matches!(stem, "run" | "ran") || place.token().word == "running";
    runs && place
        .after()
        .is_some_and(|next| matches!(next.word.as_str(), "out" | "into" | "late" | "low" | "short" | "over" | "errands" | "away"))
}

/// Whether a word is a conjunction or a time word.
pub(super) fn is_idle(word: &str) -> bool {
    FILLER.contains(word) || is_stop_word(word) || is_light(word) || is_when(word) || DETERMINER.contains(word) || LEAD.contains(word)
}

/// Whether a word has the form of a verb or an adverb.
pub(super) fn is_deed(word: &str) -> bool {
    ["ed", "ing", "ly"].iter().any(|end| word.ends_with(end) && word.len() > end.len() + 2) || PAST.contains(word)
}

pub(super) fn read(tokens: &[Token], at: usize, shouts: bool, subjects: &mut Subjects) {
    let place = Place { tokens, at };
    let token = place.token();
    let word = token.word.as_str();
    let titled = place.after().is_some_and(|next| next.large && !is_stop_word(&next.word));
    if token.large && titled && TITLE.contains(word) || BARE_TITLE.contains(word) {
        return;
    }
    match name(&place, shouts) {
        Some(true) => return named(&place, subjects),
        // Every first word has a capital letter; it may be a person that another text names.
        Some(false) => {
            let (key, said) = (format!("@{word}"), token.written.clone());
            subjects.takes(Subject { key, said, kind: None, clear: true, sure: false, told_which: false, parts: false });
        }
        None => {}
    }
    let forms = [word.to_owned(), stem(word)];
    let gerund = word.ends_with("ing") && word.len() > 5;
    // "Meeting Kim" is no meeting: a verb with a person as its object is no theme.
    let done_to = gerund && place.has_object() && is_empty(&forms[1]);
    if !done_to && which::another(&place).is_none() && !is_figure(&place, &forms[1]) {
        subjects.themes.extend(touches(&forms));
    }
    if word.starts_with(|letter: char| letter.is_ascii_digit()) || is_idle(word) || is_when(&forms[1]) {
        return;
    }
    if which::is_part(&place) {
        return;
    }
    if somebody(word).is_some() {
        return kin(&place, subjects);
    }
    let initials = word.contains('&');
    if word.chars().count() < 3 && !initials || !word.chars().all(|letter| letter.is_alphabetic() || letter == '\'' || letter == '&') {
        return;
    }
    // "a budget meeting" is a subject, although "meet" alone is unspecific.
    let held = place.is_before(&DETERMINER) || which(&place).is_some();
    let pursuit = gerund && !NO_PURSUIT.contains(word) && !place.has_object() && (held || !is_empty(&forms[1]));
    let value = if pursuit { worth(&[word]) } else { worth(&[word, &forms[1]]) };
    let clear = match value {
        Worth::Nothing => return,
        _ if is_deed(word) && !pursuit => return,
        Worth::Noun | Worth::Unclear if !pursuit && !place.is_noun() => return,
        Worth::Clear if !place.is_noun() && (place.is_before(&BEFORE_JUDGEMENT) || place.is_before(&BEFORE_VERB)) && !pursuit => return,
        Worth::Unclear => false,
        Worth::Noun | Worth::Clear => true,
    };
    let head = key(word);
    let said = if token.written.chars().skip(1).any(char::is_uppercase) { token.written.clone() } else { word.to_owned() };
    if let Some(another) = which::another(&place) {
        if let Some((key, said)) = another {
            subjects.takes(Subject { key, said, kind: None, clear: true, sure: true, told_which: false, parts: false });
        }
        return;
    }
    let which = which(&place);
    if let Some(which) = &which {
        let (key, said) = (format!("{} {head}", key(&which.word)), format!("{} {word}", which.word));
        subjects.takes(Subject { key, said, kind: Some(head.clone()), clear: true, sure: true, told_which: false, parts: false });
    }
    if which::leads_another(&place) {
        return;
    }
    let parts = which::is_parted(word);
    subjects.takes(Subject { key: head, said, kind: None, clear, sure: true, told_which: which.is_some(), parts });
}

/// Returns the noun directly before another that qualifies it: "pottery class".
fn which<'a>(place: &Place<'a>) -> Option<&'a Token> {
    let before = place.before().filter(|before| !before.is_korean() && !before.owns)?;
    let word = before.word.as_str();
    let noun = word.chars().count() > 2
        && word.chars().all(char::is_alphabetic)
        && !is_idle(word)
        && !is_deed(word)
        && !BEFORE_NOUN.contains(word)
        && Place { tokens: place.tokens, at: place.at - 1 }.is_noun()
        && matches!(worth(&[word, &stem(word)]), Worth::Clear | Worth::Noun);
    (noun && !before.large).then_some(before)
}

/// Reads a word for a person: the user's own, or another's.
fn kin(place: &Place<'_>, subjects: &mut Subjects) {
    let word = place.token().word.as_str();
    if worth(&[word]) == Worth::Nothing {
        return;
    }
    if let Some(another) = which::another(place) {
        if let Some((key, said)) = another {
            subjects.takes(Subject { key, said, kind: None, clear: true, sure: true, told_which: false, parts: false });
        }
        return;
    }
    let head = key(word);
    let noun = which(place).map(|which| Which { key: key(&which.word), said: format!("{} {word}", which.word) });
    let which = which::which_one(place).or(noun);
    if let Some(Which { key, said }) = &which {
        let key = format!("{key} {head}");
        subjects.takes(Subject {
            key,
            said: said.clone(),
            kind: Some(head.clone()),
            clear: true,
            sure: true,
            told_which: false,
            parts: false,
        });
    }
    subjects.takes(Subject {
        key: head,
        said: word.to_owned(),
        kind: None,
        clear: true,
        sure: true,
        told_which: which.is_some(),
        parts: true,
    });
}

/// Returns the name of a person or thing if the word is one, and whether that is certain.
fn name(place: &Place<'_>, shouts: bool) -> Option<bool> {
    let token = place.token();
    let word = token.word.as_str();
    let first = word.split('\'').next().unwrap_or_default();
    if !token.large
        || shouts
        || matches!(first, "i" | "ok" | "okay" | "lol" | "omg" | "haha" | "tv")
        || somebody(word).is_some()
        || is_when(word)
    {
        return None;
    }
    let calendar = crate::topics::grouping::is_calendar(word);
    if calendar || word.chars().count() < 2 && !word.contains('&') || !word.chars().any(char::is_alphabetic) {
        return None;
    }
    let titled = place.before().is_some_and(|before| before.large && TITLE.contains(before.word.as_str()))
        || place.at > 0 && is_title(&place.tokens[place.at - 1].word);
    if titled {
        return Some(true);
    }
    let plain = !is_stop_word(word) && !is_light(word);
    if !token.opens {
        return (plain || is_word_name(word)).then_some(true);
    }
    let does = place.after().is_some_and(|next| PERSONS_VERB.contains(next.word.as_str()) || next.word.ends_with("ed")) || token.owns;
    // "Mark my words", "Will you come": a word that is also a name counts as a name only with a verb of human action.
    if is_given_name(word) {
        return Some(true);
    }
    (is_word_name(word) && !place.has_object()).then_some(does)
}

/// Returns the key of a name, which differs from the key of the same word.
fn name_key(word: &str) -> String {
    if is_word_name(word) || is_given_name(word) { format!("@{word}") } else { key(word) }
}

fn named(place: &Place<'_>, subjects: &mut Subjects) {
    let token = place.token();
    // "Tom's mum" is about her, not about Tom.
    if token.owns && place.after().is_some_and(|next| somebody(&next.word).is_some()) {
        return;
    }
    let titled = place.at.checked_sub(1).map(|at| &place.tokens[at]).filter(|before| before.large && TITLE.contains(before.word.as_str()));
    let said = match titled {
        Some(title) => format!("{} {}", title.written, token.written),
        None => token.written.clone(),
    };
    let forms = [token.word.clone(), stem(&token.word)];
    if titled.is_none() && !is_word_name(&token.word) && !is_given_name(&token.word) {
        subjects.themes.extend(touches(&forms));
    }
    let key = name_key(&token.word);
    let clear = key.starts_with('@') || !has_many_meanings(&token.word);
    let together = place.before().filter(|before| before.large && !before.owns && titled.is_none() && !is_stop_word(&before.word));
    if let Some(before) = together.filter(|before| !before.opens || is_given_name(&before.word)) {
        let (key, said) = (format!("@{} {}", before.word, token.word), format!("{} {}", before.written, token.written));
        subjects.takes(Subject { key, said, kind: None, clear: true, sure: true, told_which: false, parts: false });
    }
    let which = which::described(place).filter(|_| titled.is_none());
    if let Some(Which { key: of, said }) = &which {
        let compound = format!("{key} {of}");
        let (said, kind) = (said.clone(), Some(key.clone()));
        subjects.takes(Subject { key: compound, said, kind, clear: true, sure: true, told_which: false, parts: false });
    }
    subjects.takes(Subject { key, said, kind: None, clear, sure: true, told_which: which.is_some(), parts: true });
}
