//! Multi-word subjects: "ice cream", and the home the user moves to.

use super::lists::are_one;
use super::{Subject, Subjects, Token};
use crate::parse::sentence_parse::bare;

/// Korean words that mark a house as the next home.
const NEXT_HOME: &str = "새 새로운 이사갈 이사할 이사가는 이사하는 이사온 이사간 들어갈 입주할";

/// Korean single words for the next home.
const NEXT_HOMES: &str = "새집 이사집 이삿집";

/// English words for a home.
const HOMES: &str = "house home flat apartment";

/// Possessives of the user.
const OURS: &str = "my our the";

/// Key of the next home.
const NEXT_HOME_KEY: &str = "new home";

fn is_of(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// Reads a word that forms one noun with its neighbour. Returns true if the word needs no further reading.
pub(super) fn read(tokens: &[Token], at: usize, subjects: &mut Subjects) -> bool {
    let token = &tokens[at];
    let before = |step: usize| at.checked_sub(step).map(|at| &tokens[at]).filter(|before| !before.parted);
    if token.is_korean() {
        if !token.word.contains('집') {
            return false;
        }
        let (noun, moving) = (bare(&token.word).0, before(1).filter(|before| is_of(NEXT_HOME, &before.word)));
        // "이사 갈 집"
        let spaced = before(2)
            .filter(|moves| moves.word == "이사" && before(1).is_some_and(|goes| matches!(&*goes.word, "갈" | "할" | "가는" | "온")));
        let said = match (noun, moving, spaced) {
            ("집", Some(which), _) => format!("{} 집", which.written),
            ("집", _, Some(_)) => "이사 갈 집".to_owned(),
            _ if is_of(NEXT_HOMES, noun) => noun.to_owned(),
            _ => return false,
        };
        subjects.takes(one(NEXT_HOME_KEY.to_owned(), said));
        return true;
    }
    let pair = |first: &Token, second: &Token| !first.parted && !second.opens && are_one(&first.word, &second.word);
    if tokens.get(at + 1).is_some_and(|next| pair(token, next)) {
        return true;
    }
    let Some(first) = before(1) else { return false };
    if pair(first, token) {
        let said = format!("{} {}", first.word, token.word);
        subjects.takes(one(said.strip_suffix('s').unwrap_or(&said).to_owned(), said.clone()));
        return true;
    }
    if first.word == "new" && is_of(HOMES, &token.word) && before(2).is_none_or(|whose| is_of(OURS, &whose.word)) {
        subjects.takes(one(NEXT_HOME_KEY.to_owned(), format!("new {}", token.word)));
    }
    false
}

fn one(key: String, said: String) -> Subject {
    Subject { key, said, kind: None, clear: true, sure: true, told_which: false, parts: false }
}
