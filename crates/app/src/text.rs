//! Formats stored text for the terminal, in full or shortened, with control characters removed.

/// Replaces control characters that a terminal would interpret (escape sequences, bells, bidirectional overrides) with
/// visible symbols. Stored text may come from an untrusted source.
pub(crate) fn shown(text: &str) -> String {
    let safe = |letter: char| match letter {
        '\n' | '\t' => letter,
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + letter as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => letter,
    };
    text.chars().map(safe).collect()
}

/// Returns the whole text with every line after the first indented by `spaces`.
pub(crate) fn indented(text: &str, spaces: usize) -> String {
    shown(text).replace('\n', &format!("\n{}", " ".repeat(spaces)))
}

/// Returns the text as one line of at most `most` characters.
pub(crate) fn gist(text: &str, most: usize) -> String {
    let text = shown(text);
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(most) {
        words.truncate(end);
        words.push('…');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_commands_the_terminal() {
        assert_eq!(shown("a\u{1b}[31mb\u{7}\u{9b}c\u{202e}d\te\n가"), "a␛[31mb␇\u{fffd}c\u{fffd}d\te\n가");
    }

    #[test]
    fn a_gist_is_one_short_line() {
        assert_eq!(gist("두 줄\n\t 세 줄", 20), "두 줄 세 줄");
        assert_eq!(gist("가나다라마", 3), "가나다…");
        assert_eq!(gist("가나다", 3), "가나다");
        assert_eq!(indented("하나\n둘", 2), "하나\n  둘");
    }
}
