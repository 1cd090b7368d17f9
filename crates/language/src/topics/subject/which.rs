//! Disambiguates English words that can refer to several people or things: another person's, a former one, one qualified by a
//! modifier.

use saegim_core::stem;

use super::Token;
use super::english::{DETERMINER, Place, is_deed, is_idle, key, somebody};
use super::lists::{is_empty, may_mean_several};
use crate::topics::everyday::touches;

/// One of several things or people with the same noun.
pub(super) struct Which {
    /// What distinguishes it.
    pub(super) key: String,
    /// Its wording with that distinction.
    pub(super) said: String,
}

/// Adjectives of opinion between owner and noun: "the neighbour's new dog".
const JUDGING: &str = "new old big little small cute crazy loud stupid dumb annoying fat black white brown grey gray lovely poor sweet damn whole favourite favorite";

/// Words that distinguish people in temporary roles: former, next.
const FORMER: &str = "ex former previous old";

/// Family and animals, which are not temporary: "my old dog" is the same dog.
const FOR_LIFE: &str =
    "mum dad parents grandma grandpa brother sister son daughter aunt uncle cousin nephew niece grandson granddaughter dog cat baby";

/// Words whose 's is a contraction of "is": "it's", "that's".
const CONTRACTED: &str =
    "it that he she what who there here let how where when why this everything nothing something everyone today tonight yesterday tomorrow";

/// Nouns that any qualifier distinguishes: a yoga class and a chemistry class.
const PARTED: &str = "class classes lesson lessons teacher tutor coach test tests exam exams course game games degree account card license licence doctor nurse party team";

/// Nouns whose qualifier names the subject: "harp lesson", "train ticket".
const GOES_ON_NAMING: &str = "lesson lessons class classes practice teacher group club session course exam test match game team coach training ticket tickets trip station \
                              ride journey season tournament league repair appointment";

/// Plants and fruits whose names are used for other things: "apple watch", "orange sofa".
const LENT: &str =
    "apple orange mochi cream chocolate peach mint ginger pumpkin honey pepper olive coconut lemon lime cherry banana butter cotton";

/// Words that form one noun with the word before them.
const TOGETHER: [(&str, &str); 8] = [
    ("hot", "dog"),
    ("hot", "dogs"),
    ("due", "date"),
    ("expiry", "date"),
    ("start", "date"),
    ("release", "date"),
    ("first", "class"),
    ("world", "class"),
];

fn is_of(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// Returns the owner of a noun, skipping adjectives of opinion.
fn owner<'a>(place: &Place<'a>) -> Option<&'a Token> {
    let mut at = place.at;
    for _ in 0..3 {
        let here = Place { tokens: place.tokens, at };
        let before = here.before()?;
        let several = before.word.strip_suffix('s').is_some_and(|one| somebody(one).is_some()) || is_of("neighbor neighbour", &before.word);
        // "my neighbors dog": the owner of an animal or the relative of a person is another person.
        if before.owns || several && somebody(&place.token().word).is_some() && at == place.at {
            return Some(before).filter(|before| !is_of(CONTRACTED, &before.word));
        }
        if !is_of(JUDGING, &before.word) {
            return None;
        }
        at -= 1;
    }
    None
}

/// Whether a word means another than it does alone, and if so how that one is met and said, where it can be: "Tom's mum", "her dog",
/// "mother-in-law", "my old boss".
pub(super) fn another(place: &Place<'_>) -> Option<Option<(String, String)>> {
    let word = place.token().word.as_str();
    let before = place.before();
    if before.is_some_and(|before| TOGETHER.contains(&(before.word.as_str(), word))) {
        return Some(None);
    }
    if let Some(owner) = owner(place) {
        let mark = if owner.word.ends_with('s') { "'" } else { "'s" };
        let owned = somebody(&owner.word).unwrap_or_else(|| owner.word.clone());
        return Some(Some((format!("{owned}'s {}", key(word)), format!("{}{mark} {word}", owner.written))));
    }
    let somebody_key = somebody(word)?;
    let next = |step: usize| place.tokens.get(place.at + step).map(|token| token.word.as_str());
    if next(1) == Some("in") && matches!(next(2), Some("law" | "laws")) {
        return Some(Some((format!("{} in law", key(word)), format!("{word}-in-law"))));
    }
    // "binged doctor who": no person who does something.
    if next(1) == Some("who") && !before.is_some_and(|before| DETERMINER.contains(before.word.as_str())) {
        return Some(None);
    }
    let before = before?;
    if is_of("his her their your", &before.word) {
        return Some(None);
    }
    if is_of("step half foster great god", &before.word) {
        return Some(Some((format!("{} {}", before.word, key(word)), format!("{} {word}", before.word))));
    }
    let for_life = FOR_LIFE.split_whitespace().filter_map(somebody).any(|known| known == somebody_key);
    let former = is_of(FORMER, &before.word) && !for_life;
    former.then(|| Some((format!("former {}", key(word)), format!("{} {word}", before.word))))
}

/// Whether a word is part of another noun: "mother in law".
pub(super) fn is_part(place: &Place<'_>) -> bool {
    let before = |step: usize| place.at.checked_sub(step).map(|at| place.tokens[at].word.as_str());
    matches!(place.token().word.as_str(), "law" | "laws")
        && before(1) == Some("in")
        && before(2).is_some_and(|word| somebody(word).is_some())
}

/// Which one of several people is meant: "my older sister", "the new boss".
pub(super) fn which_one(place: &Place<'_>) -> Option<Which> {
    let (before, word) = (place.before()?, place.token().word.as_str());
    let told = match before.word.as_str() {
        "older" | "elder" | "big" | "eldest" | "oldest" => "older",
        "younger" | "little" | "baby" | "kid" | "youngest" => "younger",
        "twin" => "twin",
        "middle" => "middle",
        "new" => "new",
        _ => return None,
    };
    let sibling = is_of("brother brothers bro sister sisters sis cousin", word);
    let pet = is_of("dog puppy cat kitten baby", word);
    (sibling && told != "new" || !sibling && !pet && told == "new")
        .then(|| Which { key: told.to_owned(), said: format!("{} {word}", before.word) })
}

/// What a text says about a person besides the name: "Sam from work", "cousin Sam", "Sam my roommate".
pub(super) fn described(place: &Place<'_>) -> Option<Which> {
    let name = place.token().written.as_str();
    let at = |step: usize| place.tokens.get(place.at + step).filter(|token| !token.opens && !token.large);
    let noun = |token: &&Token| {
        !token.is_korean() && !is_idle(&token.word) && !is_deed(&token.word) && token.word.chars().all(char::is_alphabetic)
    };
    if place.after().is_some_and(|next| next.word == "from") && !place.token().owns {
        let step = if at(2).is_some_and(|token| DETERMINER.contains(token.word.as_str())) { 3 } else { 2 };
        let from = at(step).filter(noun)?;
        return Some(Which { key: format!("from {}", key(&from.word)), said: format!("{name} from {}", from.word) });
    }
    if at(1).is_some_and(|token| is_of("my our", &token.word)) && !place.token().owns {
        let step = if at(2).is_some_and(|token| is_of(FORMER, &token.word) || is_of(JUDGING, &token.word)) { 3 } else { 2 };
        if let Some(is) = at(step).filter(|token| somebody(&token.word).is_some() && !is_of("dog puppy cat kitten", &token.word)) {
            return Some(Which { key: key(&is.word), said: format!("{} {name}", is.word) });
        }
    }
    let before = place.before().filter(|before| !before.large && !before.owns)?;
    let mine = place.at > 1 && is_of("my our the", &place.tokens[place.at - 2].word);
    let is = somebody(&before.word).is_some() || mine && noun(&before) && !is_empty(&before.word);
    is.then(|| Which { key: key(&before.word), said: format!("{} {name}", before.word) })
}

/// Whether qualifiers of a noun distinguish different things.
pub(super) fn is_parted(word: &str) -> bool {
    is_of(PARTED, word) || may_mean_several(word)
}

/// Whether a word of several meanings only says which one the noun after it is: "ring doorbell", "apple watch". What one pursues, and what a lesson
/// or a ticket is for, is what it is about all the same.
pub(super) fn leads_another(place: &Place<'_>) -> bool {
    let word = place.token().word.as_str();
    let lends = is_of(LENT, word) || may_mean_several(word);
    let pursued = touches(&[word.to_owned(), stem(word)]).iter().any(|touch| touch.names);
    // "the band split up"
    let does = place.tokens.get(place.at + 2).is_some_and(|next| is_of("up out off down away again apart", &next.word));
    lends
        && !pursued
        && !does
        && !place.token().large
        && place.after().is_some_and(|next| names_a_thing(next) && !is_of(GOES_ON_NAMING, &next.word))
}

/// Whether a word is a noun, judged by the word alone.
fn names_a_thing(token: &Token) -> bool {
    let word = token.word.as_str();
    let plain = word.len() > 1 && word.chars().all(|letter| letter.is_ascii_alphabetic());
    plain && !token.large && !is_idle(word) && !is_deed(word) && !is_empty(word) && !is_empty(&stem(word)) && !word.ends_with('s')
}
