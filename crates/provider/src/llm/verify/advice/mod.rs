//! What a model may put before the character in words of its own: nothing that is to be done. A list of what is forbidden
//! always leaks, and so does one of what is allowed, since harmless words make harmful sentences. So advice is never passed on: it
//! is looked through for points of a table (restate.rs), and these are said in the table's words, about things that were really
//! talked of. What only describes is passed on where every word of it is known and nobody is told to do anything (describe.rs).

/// Descriptions.
mod describe;
/// What a model was given.
mod ground;
/// Advice in the table's words.
mod restate;
/// Korean words and what may follow them.
mod stems;
/// English words.
mod vocabulary;

pub(crate) use describe::described;
pub(crate) use ground::Ground;
pub(crate) use restate::restated;

/// The sentences of a text with their marks. A full stop ends one also where no space follows, or what stands behind it would
/// pass as part of a word.
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
