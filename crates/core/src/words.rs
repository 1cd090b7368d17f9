//! The words of a text, as search knows them.
//!
//! Korean glues particles to its words and writes compounds without spaces, and a word is often only two
//! syllables long. Runs of Hangul, Han and Kana therefore become overlapping pairs of syllables ("커피를" is
//! 커피, 피를) and the last syllable by itself, so that every syllable begins some term. Other scripts keep whole
//! words, folded to lower case. The index stores nothing but these terms, so any SQLite can read the file.

use unicode_normalization::UnicodeNormalization;

/// Changes whenever [`terms`] would cut the same text differently; an index of another version is rebuilt.
pub const WORDS_VERSION: u32 = 1;

/// Something to look for: a term, or the beginning of one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordQuery {
    /// The term.
    pub term: String,
    /// Whether longer terms that begin like it count too.
    pub begins: bool,
}

/// The terms of a text, in order, repeats included.
pub fn terms(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for run in runs(text) {
        match run {
            Run::Syllables(syllables) => {
                found.extend(syllables.windows(2).map(|pair| pair.iter().collect()));
                found.extend(syllables.last().map(|last| last.to_string()));
            }
            Run::Word(word) => found.push(word),
        }
    }
    found
}

/// What to look for to find text like `text`: each term once. A lone syllable finds every term it begins.
pub fn word_queries(text: &str) -> Vec<WordQuery> {
    let mut queries = Vec::new();
    for run in runs(text) {
        match run {
            Run::Syllables(syllables) if syllables.len() == 1 => queries.push(WordQuery { term: syllables[0].to_string(), begins: true }),
            Run::Syllables(syllables) => {
                queries.extend(syllables.windows(2).map(|pair| WordQuery { term: pair.iter().collect(), begins: false }));
            }
            Run::Word(word) => queries.push(WordQuery { term: word, begins: false }),
        }
    }
    queries.sort_unstable();
    queries.dedup();
    queries
}

enum Run {
    Syllables(Vec<char>),
    Word(String),
}

/// Cuts folded text into runs of syllables and words; everything else separates.
fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    for letter in text.nfkc().flat_map(char::to_lowercase).nfc() {
        let syllable = is_syllable(letter);
        let wordy = letter.is_alphanumeric() && !syllable;
        match runs.last_mut() {
            Some(Some(Run::Syllables(run))) if syllable => run.push(letter),
            Some(Some(Run::Word(word))) if wordy => word.push(letter),
            _ if syllable => runs.push(Some(Run::Syllables(vec![letter]))),
            _ if wordy => runs.push(Some(Run::Word(letter.to_string()))),
            _ => runs.push(None),
        }
    }
    runs.into_iter().flatten().collect()
}

/// Whether a letter stands for a syllable or a word by itself: Hangul, Han, Kana.
fn is_syllable(letter: char) -> bool {
    matches!(letter,
        '\u{1100}'..='\u{11FF}' | '\u{3040}'..='\u{30FF}' | '\u{3130}'..='\u{318F}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(terms(text), expected, "{text}");
    }

    #[test]
    fn texts_are_cut_into_terms() {
        check("커피를 좋아해", &["커피", "피를", "를", "좋아", "아해", "해"]);
        check("밥", &["밥"]);
        check("I love LATTE, 아아!", &["i", "love", "latte", "아아", "아"]);
        check("ＣＡＦＥ２４", &["cafe24"]);
        check("3월15일", &["3", "월", "15", "일"]);
        check("東京タワー", &["東京", "京タ", "タワ", "ワー", "ー"]);
        check("ㅋㅋㅋ 😂", &["\u{110f}\u{110f}", "\u{110f}\u{110f}", "\u{110f}"]);
        check("", &[]);
    }

    #[test]
    fn composed_and_decomposed_hangul_are_the_same() {
        let decomposed: String = "강아지".nfd().collect();
        assert_eq!(terms(&decomposed), terms("강아지"));
    }

    #[test]
    fn a_lone_syllable_looks_for_what_it_begins() {
        assert_eq!(word_queries("밥"), [WordQuery { term: "밥".into(), begins: true }]);
        assert_eq!(word_queries("커피 커피"), [WordQuery { term: "커피".into(), begins: false }]);
    }
}
