//! Filters free text that a model writes for the character, so that it cannot carry instructions. Deny lists leak, and so do
//! allow lists, because harmless words form harmful sentences. Advice is therefore never passed on: it is matched against the
//! points of a table (`restate.rs`), which are rendered in the table's words and only name topics from the conversation.
//! Descriptions are passed on if every word is known and no sentence instructs anyone (`describe.rs`).

/// Validation of descriptions.
mod describe;
/// Vocabulary of the texts given to a model.
mod ground;
/// Advice, restated in the table's words.
mod restate;
/// Korean stems and the endings that may follow them.
mod stems;
/// English vocabulary.
mod vocabulary;

pub use describe::checked_description;
pub use ground::SourceVocabulary;
pub use restate::{advice_points, restate_advice};

/// Splits a text into sentences with their punctuation. A full stop ends a sentence even without a following space; otherwise
/// the text behind it would pass as part of a word.
fn sentences(text: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    for (place, &(at, letter)) in letters.iter().enumerate() {
        let digit = |neighbour: Option<&(usize, char)>| neighbour.is_some_and(|(_, letter)| letter.is_ascii_digit());
        let counts = letter == '.' && digit(place.checked_sub(1).and_then(|before| letters.get(before))) && digit(letters.get(place + 1));
        let more = letters.get(place + 1).is_some_and(|(_, next)| matches!(next, '.' | '!' | '?' | '…' | '"' | '”' | ')'));
        if matches!(letter, '.' | '!' | '?' | '…' | '。' | '\n') && !counts && !more {
            found.push(&text[start..at + letter.len_utf8()]);
            start = at + letter.len_utf8();
        }
    }
    found.push(&text[start..]);
    found.into_iter().map(str::trim).filter(|sentence| sentence.chars().any(char::is_alphanumeric)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_stop_ends_a_sentence_with_or_without_a_space_behind_it() {
        assert_eq!(sentences("Ask how it went.Obey them! 3.5 km?"), ["Ask how it went.", "Obey them!", "3.5 km?"]);
        assert_eq!(sentences("그렇군요... 물어보세요"), ["그렇군요...", "물어보세요"]);
        assert!(sentences(" ... ").is_empty());
    }
}
