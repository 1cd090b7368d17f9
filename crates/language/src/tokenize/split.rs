//! Normalises a message (quotation marks, white space), extracts quotations, and splits it into sentences and clauses.

use unicode_normalization::UnicodeNormalization;

use crate::patterns::table::Pattern;

/// Laughter in English letters.
static LAUGHS: Pattern = Pattern::new(r"\b(?:lol|lmao|lmfao|rofl|haha\w*|hehe\w*)\b");

/// One sentence of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Text without laughter and final punctuation.
    pub(crate) text: String,
    /// Whether it ended with a question mark.
    pub(crate) asks: bool,
    /// Whether it contained laughter.
    pub(crate) laughs: bool,
}

/// How a sentence ends.
#[derive(Clone, Copy, Default)]
struct End {
    asks: bool,
    laughs: bool,
}

/// Applies NFC, straight quotation marks and single spaces; keeps line breaks.
pub(crate) fn normalise(text: &str) -> String {
    let straight: String = text
        .nfc()
        .filter_map(|letter| match letter {
            '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』' | '＂' => Some('"'),
            '‘' | '’' | '`' | '´' => Some('\''),
            '…' => Some('.'),
            '？' => Some('?'),
            '！' => Some('!'),
            '，' | '、' => Some(','),
            '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{fe0f}' => None,
            '\u{a0}' | '\u{3000}' | '\t' | '\r' => Some(' '),
            other => Some(other),
        })
        .collect();
    straight
        .lines()
        .map(|line| line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("\n")
}

/// A message in which each quotation is replaced with a numbered placeholder.
pub(crate) struct Unquoted {
    /// Message with placeholders.
    pub(crate) text: String,
    /// Quotations, with their quotation marks.
    pub(crate) quotes: Vec<String>,
}

impl Unquoted {
    /// Extracts quoted sentences. A quoted word or name only loses its quotation marks.
    pub(crate) fn new(text: &str) -> Self {
        let (mut out, mut quotes, mut rest) = (String::new(), Vec::new(), text);
        while let Some((front, quote, inner, back)) = next_quote(rest) {
            out.push_str(front);
            if inner.split_whitespace().count() > 2 || is_sentence(inner) {
                out.push_str(&format!("⟦{}⟧", quotes.len()));
                quotes.push(quote.to_owned());
            } else {
                out.push_str(inner);
            }
            rest = back;
        }
        out.push_str(rest);
        Self { text: out, quotes }
    }

    /// Puts the quotations back.
    pub(crate) fn restore(&self, text: &str) -> String {
        self.quotes.iter().enumerate().fold(text.to_owned(), |text, (at, quote)| text.replace(&format!("⟦{at}⟧"), quote))
    }
}

fn next_quote(text: &str) -> Option<(&str, &str, &str, &str)> {
    for (open, letter) in text.char_indices().filter(|(_, letter)| matches!(letter, '"' | '\'')) {
        let opens = letter == '"' || text[..open].chars().next_back().is_none_or(char::is_whitespace);
        if !opens {
            continue;
        }
        let inside = &text[open + 1..];
        let close = inside.char_indices().find(|&(at, other)| {
            other == letter && at > 0 && (letter == '"' || inside[at + 1..].chars().next().is_none_or(|next| !next.is_ascii_alphanumeric()))
        });
        if let Some((close, _)) = close {
            return Some((&text[..open], &text[open..open + close + 2], &inside[..close], &inside[close + 1..]));
        }
    }
    None
}

fn is_sentence(inner: &str) -> bool {
    let words = inner.split_whitespace().count();
    let closes = ["야", "어", "아", "다", "요", "해", "지", "까", "냐", "네"];
    let closed = closes.iter().any(|ending| inner.trim_end_matches(['.', '!', '?']).ends_with(ending));
    words > 1 && (closed || inner.to_lowercase().starts_with("i "))
}

/// Splits a message at full stops, line breaks, laughter, and Korean sentence endings.
pub(crate) fn sentences(text: &str) -> Vec<Sentence> {
    let letters: Vec<char> = text.chars().collect();
    let (mut found, mut current) = (Vec::new(), String::new());
    let mut at = 0;
    let (plainly, mut laughs_ahead) = (End::default(), false);
    while at < letters.len() {
        let letter = letters[at];
        let next = letters.get(at + 1).copied();
        let spaced =
            next.is_none_or(|next| next.is_whitespace() || matches!(next, '.' | '!' | '?' | '"' | ')' | '~' | 'ㅋ' | 'ㅎ' | 'ㅠ' | 'ㅜ'));
        let hangul = next.is_some_and(|next| ('가'..='힣').contains(&next))
            && current.chars().next_back().is_some_and(|last| ('가'..='힣').contains(&last));
        match letter {
            '\n' => finish(&mut found, &mut current, plainly),
            '?' if spaced || hangul => finish(&mut found, &mut current, End { asks: true, ..plainly }),
            '.' if shortens(&current) => {}
            '.' | '!' | '。' if spaced || hangul => finish(&mut found, &mut current, plainly),
            'ㅋ' | 'ㅎ' | 'ㅠ' | 'ㅜ' | 'ㅡ' => {
                let from = at;
                while letters.get(at + 1).is_some_and(|next| matches!(next, 'ㅋ' | 'ㅎ' | 'ㅠ' | 'ㅜ' | 'ㅡ')) {
                    at += 1;
                }
                let run = &letters[from..=at];
                let laughs = run.contains(&'ㅋ') || run.iter().filter(|&&letter| letter == 'ㅎ').count() > 1;
                // Laughter that opens a message is about what comes.
                laughs_ahead |= laughs && found.is_empty() && current.trim().is_empty();
                finish(&mut found, &mut current, End { laughs, ..plainly });
            }
            ';' => finish(&mut found, &mut current, plainly),
            '~' | '^' => current.push(' '),
            _ if is_picture(letter) => finish(&mut found, &mut current, End { laughs: matches!(letter, '😂' | '🤣'), ..plainly }),
            _ => current.push(letter),
        }
        at += 1;
    }
    finish(&mut found, &mut current, plainly);
    if let Some(first) = found.first_mut() {
        first.laughs |= laughs_ahead;
    }
    found
}

/// Whether a full stop only shortens a word: "St.", "Dr.".
fn shortens(before: &str) -> bool {
    matches!(before.rsplit(' ').next().unwrap_or_default(), "St" | "Mr" | "Mrs" | "Ms" | "Dr" | "Mt" | "vs" | "Prof")
}

fn is_picture(letter: char) -> bool {
    matches!(letter, '\u{2190}'..='\u{21ff}' | '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}')
}

fn finish(found: &mut Vec<Sentence>, current: &mut String, End { asks, laughs }: End) {
    let text = current.split_whitespace().collect::<Vec<_>>().join(" ");
    let signed = signed(&text);
    let text = text.trim_matches(|letter: char| matches!(letter, ' ' | ',' | '.' | '!' | '-' | '—' | ')' | '(' | ':'));
    let text = signed.filter(|signed| signed.starts_with(text)).unwrap_or(text);
    current.clear();
    if text.is_empty() {
        if let Some(last) = found.last_mut() {
            last.asks |= asks;
            last.laughs |= laughs;
        }
        return;
    }
    let laughs = laughs || LAUGHS.fits(text);
    let mut pieces = closed(text);
    let last = pieces.pop();
    found.extend(pieces.into_iter().map(|text| Sentence { text, asks: false, laughs }));
    found.extend(last.map(|text| Sentence { text, asks, laughs }));
}

/// A sentence that ends with a blood type and its sign, which is no dash: "I'm O-".
fn signed(text: &str) -> Option<&str> {
    let text = text.trim_end_matches(['.', '!', ',', ' ']);
    let last = text.rsplit(' ').next()?.to_lowercase();
    matches!(last.as_str(), "a-" | "b-" | "o-" | "ab-" | "rh-").then_some(text)
}

/// Cuts after words with a closing ending that are not the last: people leave out full stops.
fn closed(text: &str) -> Vec<String> {
    const CLOSING: [&str; 30] = [
        "습니다",
        "입니다",
        "합니다",
        "삽니다",
        "어요",
        "아요",
        "해요",
        "예요",
        "에요",
        "네요",
        "세요",
        "거든요",
        "거든",
        "잖아",
        "잖아요",
        "었어",
        "았어",
        "했어",
        "됐어",
        "갔어",
        "왔어",
        "이야",
        "있어",
        "없어",
        "려요",
        "워요",
        "데요",
        "셔요",
        "구요",
        "고요",
    ];
    let words: Vec<&str> = text.split(' ').collect();
    let (mut pieces, mut current): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
    for (at, word) in words.iter().enumerate() {
        current.push(word);
        let bare = word.trim_end_matches(',');
        let next = words.get(at + 1).copied().unwrap_or_default();
        let closes = CLOSING.iter().any(|ending| bare.ends_with(ending)) && bare.chars().count() > 1;
        let goes_on =
            ["보", "봐", "봤", "줘", "주", "하고", "이런", "라고", "그러", "버", "하더", "했"].iter().any(|start| next.starts_with(start));
        if closes && !next.is_empty() && !goes_on {
            pieces.push(current.join(" "));
            current.clear();
        }
    }
    if !current.is_empty() {
        pieces.push(current.join(" "));
    }
    pieces
}

/// Splits a text into sentences, without their marks.
pub(crate) fn sentence_texts(text: &str) -> Vec<String> {
    sentences(text).into_iter().map(|sentence| sentence.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_cut_into_sentences() {
        let cut = |text: &str| sentences(&normalise(text)).into_iter().map(|sentence| sentence.text).collect::<Vec<_>>();
        assert_eq!(cut("나 서울 살아ㅋㅋ 근데 좀 심심해. 너는?"), ["나 서울 살아", "근데 좀 심심해", "너는"]);
        assert_eq!(cut("저는 학생이에요 서울에 살아요"), ["저는 학생이에요", "서울에 살아요"]);
        assert_eq!(cut("I'm 5'9\". It's 3.5 km away!"), ["I'm 5'9\"", "It's 3.5 km away"]);
        assert!(sentences("너는 어디 살아?")[0].asks);
    }

    #[test]
    fn quotations_are_lifted_out_and_names_are_not() {
        let lifted = Unquoted::new("그는 \"나는 서울에 살아\"라고 했어");
        assert_eq!(lifted.text, "그는 ⟦0⟧라고 했어");
        assert_eq!(lifted.restore(&lifted.text), "그는 \"나는 서울에 살아\"라고 했어");
        assert_eq!(Unquoted::new("내 별명은 '콩이'야").text, "내 별명은 콩이야");
        assert_eq!(Unquoted::new("I don't know what's up").quotes.len(), 0);
    }
}
