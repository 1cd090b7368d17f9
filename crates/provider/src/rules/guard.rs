//! The instruction guard: text that tries to command the memory or the character's identity.

use std::sync::LazyLock;

use super::table::{Pattern, rows};

static GUARD: LazyLock<Vec<(&'static str, Pattern)>> = LazyLock::new(|| {
    rows(include_str!("../../rules/guard.tsv"))
        .filter_map(|row| match row[..] {
            [kind, pattern, ..] => Some((kind, Pattern::new(pattern))),
            _ => None,
        })
        .collect()
});

/// What kind of command a text is: `forget`, `ignore`, `become`, `obey`, `prompt`, `memory`, `markup`, `disguise`, `pretend`.
pub(crate) fn command(text: &str) -> Option<&'static str> {
    GUARD.iter().find(|(_, pattern)| pattern.fits(text)).map(|(kind, _)| *kind).or_else(|| disguised(text).then_some("disguise"))
}

/// Whether a command taints the whole message: one that plays a role or hides what it says.
pub(crate) fn taints(kind: &str) -> bool {
    matches!(kind, "markup" | "disguise")
}

/// Whether the text hides readable words in base64.
fn disguised(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let word = word.trim_matches(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '=')));
        let body = word.trim_end_matches('=');
        let mixed = body.bytes().any(|byte| byte.is_ascii_uppercase()) && body.bytes().any(|byte| byte.is_ascii_lowercase());
        body.len() >= 20 && mixed && decoded(body).is_some_and(|bytes| reads_like_words(&bytes))
    })
}

fn decoded(body: &str) -> Option<Vec<u8>> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0u32);
    for byte in body.bytes() {
        let six = LETTERS.iter().position(|letter| *letter == byte)? as u32;
        held = held << 6 | six;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

fn reads_like_words(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let wordy = text.chars().filter(|letter| letter.is_alphabetic() || letter.is_whitespace() || letter.is_ascii_punctuation()).count();
    wordy * 10 >= text.chars().count() * 9
}
