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

/// Makes a whole output safe for a terminal. Everything that is printed passes through here, whatever was done to it before: a
/// character that a terminal would interpret becomes a JSON escape such as `\u001b`, so the values of printed JSON stay exact. The
/// two sequences of [`crate::view::dim`] pass.
pub(crate) fn for_terminal(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        let own = ["[2m", "[0m"].into_iter().find(|own| letter == '\u{1b}' && rest.as_str().starts_with(own));
        if let Some(own) = own {
            safe.push(letter);
            safe.push_str(own);
            rest = rest.as_str()[own.len()..].chars();
        } else if commands_terminals(letter) {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            safe.push(letter);
        }
    }
    safe
}

/// Checks for control characters except line breaks and tabs, and for characters that reorder or hide what follows them.
fn commands_terminals(letter: char) -> bool {
    matches!(letter,
        '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
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
    fn an_output_keeps_its_values_and_commands_no_terminal() {
        let hostile = "a\u{1b}]0;x\u{7}\r\u{9b}31m\u{202e}\u{2066}\u{200f}\u{e0041}\td\n가👩‍👩‍👧";
        let safe = for_terminal(hostile);
        assert_eq!(safe, "a\\u001b]0;x\\u0007\\u000d\\u009b31m\\u202e\\u2066\\u200f\\udb40\\udc41\td\n가👩‍👩‍👧");
        let json = for_terminal(&serde_json::json!({ "text": hostile }).to_string());
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read["text"], hostile);
        assert!(!json.chars().any(commands_terminals));
        assert_eq!(for_terminal("\u{1b}[2mdim\u{1b}[0m\u{1b}[31m"), "\u{1b}[2mdim\u{1b}[0m\\u001b[31m");
    }

    #[test]
    fn a_gist_is_one_short_line() {
        assert_eq!(gist("두 줄\n\t 세 줄", 20), "두 줄 세 줄");
        assert_eq!(gist("가나다라마", 3), "가나다…");
        assert_eq!(gist("가나다", 3), "가나다");
        assert_eq!(indented("하나\n둘", 2), "하나\n  둘");
    }
}
