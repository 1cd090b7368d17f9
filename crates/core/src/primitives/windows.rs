//! Long texts in windows: a page-long answer is found by the paragraph that matters, not by its average.

/// How many words a window holds at most, a last long sentence aside.
pub const WINDOW_WORDS: usize = 50;

/// How many windows of a text its vector is made of; what comes later is found by words.
pub const VECTOR_WINDOWS: usize = 3;

/// Packs the sentences of a text into windows of at most [`WINDOW_WORDS`] words. A sentence half as long again is cut.
/// There is always at least one window.
pub fn windows(text: &str) -> Vec<String> {
    let mut windows: Vec<String> = Vec::new();
    let mut current: Vec<&str> = Vec::new();
    for sentence in sentences(text) {
        let mut words: Vec<&str> = sentence.split_whitespace().collect();
        while words.len() > WINDOW_WORDS + WINDOW_WORDS / 2 {
            if !current.is_empty() {
                windows.push(current.join(" "));
                current.clear();
            }
            let rest = words.split_off(WINDOW_WORDS);
            windows.push(words.join(" "));
            words = rest;
        }
        if !current.is_empty() && current.len() + words.len() > WINDOW_WORDS {
            windows.push(current.join(" "));
            current.clear();
        }
        current.extend(words);
    }
    if !current.is_empty() {
        windows.push(current.join(" "));
    }
    if windows.is_empty() {
        windows.push(text.trim().to_owned());
    }
    windows
}

/// The sentences of a text: after a stop, a question or an exclamation mark with its closing quotes, and at new lines.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut ended = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '\n' => {
                found.push(&text[start..at]);
                start = at;
                ended = false;
            }
            '.' | '!' | '?' | '。' | '！' | '？' | '…' => ended = true,
            '"' | '\'' | '”' | '’' | ')' | ']' => {}
            letter if letter.is_whitespace() => {
                if ended {
                    found.push(&text[start..at]);
                    start = at;
                }
                ended = false;
            }
            _ => ended = false,
        }
    }
    found.push(&text[start..]);
    found.into_iter().map(str::trim).filter(|sentence| !sentence.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_people_end_them() {
        assert_eq!(sentences("커피 마셨어. 맛있더라! \"정말?\" 응\n그래"), ["커피 마셨어.", "맛있더라!", "\"정말?\"", "응", "그래"]);
        assert_eq!(sentences("It costs 3.50 at cafe.com today"), ["It costs 3.50 at cafe.com today"]);
        assert!(sentences(" \n ").is_empty());
    }

    #[test]
    fn windows_hold_whole_sentences_and_lose_no_word() {
        let text: String = (0..40).map(|number| format!("This is sentence number {number} of them. ")).collect();
        let cut = windows(&text);
        assert!(cut.iter().all(|window| window.split_whitespace().count() <= WINDOW_WORDS && window.ends_with('.')));
        assert_eq!(cut.join(" "), text.trim());
        let endless = "word ".repeat(230);
        assert_eq!(windows(&endless).iter().map(|window| window.split_whitespace().count()).collect::<Vec<_>>(), [50, 50, 50, 50, 30]);
        assert_eq!(windows(""), [""]);
    }
}
