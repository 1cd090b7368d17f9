//! Validates descriptions written by a model: a person's character, a meaning, or what several memories have in common. A
//! sentence is accepted if every word is in the vocabulary or was given, it mentions only people who were given, and it
//! contains no instruction.

use std::sync::LazyLock;

use regex::Regex;
use saegim_core::Language;

use super::ground::is_hangul;
use super::vocabulary::{self, Known};
use super::{SourceVocabulary, sentences, stems};

/// Returns the sentences of a text that only describe, or `None` if there are none.
pub fn checked_description(text: &str, ground: &SourceVocabulary) -> Option<String> {
    let kept: Vec<&str> = sentences(text).into_iter().filter(|sentence| stands(sentence, ground)).collect();
    (!kept.is_empty()).then(|| kept.join(" "))
}

fn stands(sentence: &str, ground: &SourceVocabulary) -> bool {
    let bare = sentence.trim_matches(|letter: char| !letter.is_alphanumeric());
    // A sentence that was given verbatim was not written by the model.
    if ground.has_sentence(bare) {
        return true;
    }
    // Reject a sentence that shares no topic with the given texts.
    let language = Language::of(sentence);
    if sentence.chars().any(is_odd) || ground.topics(sentence, language, 1).is_empty() && !ground.is_about_user(sentence) {
        return false;
    }
    match language {
        Language::English => english(sentence, ground),
        Language::Korean => korean(sentence, ground),
    }
}

/// Checks whether a character belongs to code, markup or an address rather than to prose.
fn is_odd(letter: char) -> bool {
    let mark = matches!(
        letter,
        ',' | '.'
            | '!'
            | '?'
            | ';'
            | ':'
            | '\''
            | '"'
            | '('
            | ')'
            | '-'
            | '~'
            | '%'
            | '–'
            | '—'
            | '…'
            | '’'
            | '‘'
            | '“'
            | '”'
            | '·'
            | '&'
    );
    !letter.is_alphanumeric() && !letter.is_whitespace() && !mark
}

fn english(sentence: &str, ground: &SourceVocabulary) -> bool {
    // Reject direct address, obligations and negated identity: they do not describe.
    static TELLS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:you|your|yours|yourself|please|should|must|shall|ought|let|let's|don't|do not|need(?:s)? (?:you|to be)|(?:not|isn't|aren't|wasn't|never) (?:an?|the|really|real)|(?:him|her|them|user|me) to|in charge|comes? first|belongs?)\b")
            .expect("a pattern")
    });
    let plain = sentence.replace(['’', '‘'], "'").to_lowercase();
    let words: Vec<&str> = plain
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
        .collect();
    let stands = |word: &&str| {
        let base = word.strip_suffix("'s").unwrap_or(word);
        match vocabulary::known(word).or_else(|| vocabulary::known(base)) {
            Some(Known::Never) => false,
            Some(Known::Person) | None => is_own(word) || ground.holds(base),
            Some(_) => true,
        }
    };
    !TELLS.is_match(&plain) && words.first().is_some_and(|first| !vocabulary::is_deed(first)) && words.iter().all(stands)
}

/// Checks whether a word is first person. A view or a belief is written in the first person.
fn is_own(word: &str) -> bool {
    matches!(word, "i" | "me" | "my" | "myself" | "i'm" | "i've" | "mine")
}

fn korean(sentence: &str, ground: &SourceVocabulary) -> bool {
    // Reject instructions and causative forms.
    static TELLS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?:세요|십시오|[시하]오|ㄹ 것|[할줄볼될킬] 것|[어아해워여봐줘]라|하라|으라|[^느이]자|줘요?|봐|면 좋겠[가-힣]*|면 [좋된돼][가-힣]*|필요가 있[가-힣]*|[어아해여]야 [한하돼된합][가-힣]*|마라|말라|바란다|바랍니다|(?:것이|게|편이) (?:좋|낫|중요|필요|우선)[가-힣]*)[.!?~ ]*$|(?:으?라고|자고|도록|게끔|라며) |게 (?:하|해|한|만들)")
            .expect("a pattern")
    });
    let stands = |word: &str| {
        if matches!(word, "나" | "내" | "나는" | "내가" | "나의" | "나를" | "나도" | "나에게" | "나에겐" | "난" | "내게" | "나와")
        {
            return true;
        }
        if !word.chars().all(is_hangul) {
            let foreign: String = word.chars().take_while(|letter| !is_hangul(*letter)).collect();
            return ground.holds(&foreign.to_lowercase()) && stems::follows_noun(&word[foreign.len()..]);
        }
        let known = stems::known(word);
        !known.never && (known.word && !known.person || ground.holds_korean(word))
    };
    !TELLS.is_match(sentence) && sentence.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).all(stands)
}
