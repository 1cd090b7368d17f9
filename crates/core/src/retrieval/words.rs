//! Tokenizer for word search.
//!
//! Two views of a text complement each other. *Words* are stems, without English endings and Korean particles. *Letters* are
//! overlapping bigrams of syllables (4-grams of Latin letters); they need no dictionary and tolerate attached particles,
//! compounds and typos. Many Korean words have only two syllables, so shorter n-grams are never used in queries.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

/// Version of the tokenizer. Increment it if [`terms`] changes; an index of another version is rebuilt.
pub const WORDS_VERSION: u32 = 2;

/// A query term or prefix.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordQuery {
    /// The term.
    pub term: String,
    /// Whether it is a prefix that also matches longer terms.
    pub begins: bool,
}

/// Both views of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Stems of content words.
    pub words: Vec<String>,
    /// Overlapping bigrams of syllables, and 4-grams of Latin letters.
    pub letters: Vec<String>,
}

/// A run of one script, folded to lower case and composed.
enum Run {
    /// Hangul syllables.
    Hangul(Vec<char>),
    /// Han, Kana and lone jamo.
    Syllables(Vec<char>),
    /// A word of any other script, with its apostrophe.
    Word(String),
}

static STOP_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("../../data/stop_words.txt").split_whitespace().collect());

/// Korean particles and copulas, the longest first.
static PARTICLES: LazyLock<Vec<Vec<char>>> = LazyLock::new(|| {
    let mut particles: Vec<Vec<char>> =
        include_str!("../../data/particles.txt").split_whitespace().map(|word| word.chars().collect()).collect();
    particles.sort_by_key(|particle| std::cmp::Reverse(particle.len()));
    particles
});

/// The only particles taken off a word of two syllables.
const SHORT_PARTICLES: &str = "은는이가을를에의도만와과로";

/// Tokenizes a text into both views.
pub fn cut(text: &str) -> Cut {
    let mut cut = Cut::default();
    for run in runs(text) {
        match run {
            Run::Word(word) => {
                let bare = bare(&word);
                if is_stop_word(&word) || is_stop_word(&bare) || bare.is_empty() {
                    continue;
                }
                cut.words.push(stem(&bare));
                let fenced: Vec<char> = std::iter::once('_').chain(bare.chars()).chain(std::iter::once('_')).collect();
                if fenced.len() > 4 {
                    cut.letters.extend(fenced.windows(4).map(|four| four.iter().collect::<String>()));
                } else {
                    cut.letters.push(fenced.iter().collect());
                }
            }
            Run::Hangul(syllables) => {
                cut.words.push(without_particle(&syllables).iter().collect());
                cut.words.push(syllables.iter().take(2).collect());
                cut.letters.extend(pairs(&syllables));
                cut.letters.push(format!("^{}", syllables[0]));
            }
            Run::Syllables(syllables) if syllables.len() == 1 => cut.letters.push(syllables[0].to_string()),
            Run::Syllables(syllables) => cut.letters.extend(pairs(&syllables)),
        }
    }
    cut
}

/// Returns the terms stored in the on-disk index, in order, including repeats: stems of Latin words, bigrams of syllables, and
/// the last syllable of each run, so that every syllable is the prefix of a term.
pub fn terms(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for run in runs(text) {
        match run {
            Run::Hangul(syllables) | Run::Syllables(syllables) => {
                found.extend(pairs(&syllables));
                found.extend(syllables.last().map(|last| last.to_string()));
            }
            Run::Word(word) => found.push(stem(&bare(&word))),
        }
    }
    found.retain(|term| !term.is_empty());
    found
}

/// Returns the distinct terms to query in the on-disk index for texts similar to `text`. A single syllable is a prefix query.
pub fn word_queries(text: &str) -> Vec<WordQuery> {
    let mut queries = Vec::new();
    for run in runs(text) {
        match run {
            Run::Hangul(syllables) | Run::Syllables(syllables) if syllables.len() == 1 => {
                queries.push(WordQuery { term: syllables[0].to_string(), begins: true });
            }
            Run::Hangul(syllables) | Run::Syllables(syllables) => {
                queries.extend(pairs(&syllables).map(|term| WordQuery { term, begins: false }))
            }
            Run::Word(word) => {
                let term = stem(&bare(&word));
                if !is_stop_word(&word) && !term.is_empty() {
                    queries.push(WordQuery { term, begins: false });
                }
            }
        }
    }
    queries.sort_unstable();
    queries.dedup();
    queries
}

fn pairs(syllables: &[char]) -> impl Iterator<Item = String> {
    syllables.windows(2).map(|pair| pair.iter().collect())
}

/// Whether a lower-case English word carries no meaning of its own.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// A word without its possessive and apostrophes.
fn bare(word: &str) -> String {
    word.strip_suffix("'s").unwrap_or(word).replace('\'', "")
}

/// Endings of English words, what stands in their place, and how much must be left before them.
const ENDINGS: &[(&str, &str, usize)] =
    &[("ies", "y", 2), ("sses", "ss", 2), ("ing", "", 3), ("edly", "", 3), ("ed", "", 3), ("ly", "", 3), ("es", "", 3), ("s", "", 3)];

/// Returns the stem of a lower-case English word. Words of other scripts and short words are returned unchanged.
pub fn stem(word: &str) -> String {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut stem = word.to_owned();
    for (ending, instead, least) in ENDINGS {
        let keeps = *ending == "s" && ["ss", "us", "is"].iter().any(|kept| stem.ends_with(kept));
        if stem.ends_with(ending) && stem.len() - ending.len() >= *least && !keeps {
            stem.truncate(stem.len() - ending.len());
            stem.push_str(instead);
            break;
        }
    }
    let bytes = stem.as_bytes();
    if bytes.len() > 3 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2] && !b"lsz".contains(&bytes[bytes.len() - 1]) {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('i') {
        stem.pop();
        stem.push('y');
    }
    stem
}

/// A Korean word without its particle, of which at least two syllables must be left.
pub(crate) fn without_particle(word: &[char]) -> &[char] {
    for particle in PARTICLES.iter() {
        if word.len() >= particle.len() + 2 && word.ends_with(particle) {
            return &word[..word.len() - particle.len()];
        }
    }
    match word {
        [first, second] if SHORT_PARTICLES.contains(*second) => std::slice::from_ref(first),
        _ => word,
    }
}

/// Cuts folded text into runs; everything that is no letter or digit separates.
fn runs(text: &str) -> Vec<Run> {
    let folded: Vec<char> =
        text.nfkc().flat_map(char::to_lowercase).nfc().map(|letter| if letter == '’' { '\'' } else { letter }).collect();
    let mut runs: Vec<Run> = Vec::new();
    let mut joined = false;
    for (at, &letter) in folded.iter().enumerate() {
        let next_to = |from: usize, to: usize| folded.get(from..to).is_some_and(|letters| letters.iter().all(char::is_ascii_digit));
        let kind = Script::of(letter);
        match (kind, runs.last_mut()) {
            (Script::Hangul, Some(Run::Hangul(run))) if joined => run.push(letter),
            (Script::Syllable, Some(Run::Syllables(run))) if joined => run.push(letter),
            (Script::Word, Some(Run::Word(word))) if joined => word.push(letter),
            (Script::Hangul, _) => runs.push(Run::Hangul(vec![letter])),
            (Script::Syllable, _) => runs.push(Run::Syllables(vec![letter])),
            (Script::Word, _) => runs.push(Run::Word(letter.to_string())),
            // "don't" is one word, and so is "1,000".
            (Script::None, Some(Run::Word(word))) if joined => {
                let apostrophe = letter == '\'' && folded.get(at + 1).is_some_and(char::is_ascii_lowercase);
                let thousands = letter == ',' && at > 0 && next_to(at - 1, at) && next_to(at + 1, at + 4);
                if apostrophe {
                    word.push(letter);
                }
                joined = apostrophe || thousands;
                continue;
            }
            (Script::None, _) => {}
        }
        joined = kind != Script::None;
    }
    runs
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Hangul,
    Syllable,
    Word,
    None,
}

impl Script {
    fn of(letter: char) -> Self {
        match letter {
            '\u{AC00}'..='\u{D7A3}' => Self::Hangul,
            '\u{1100}'..='\u{11FF}'
            | '\u{3040}'..='\u{30FF}'
            | '\u{3130}'..='\u{318F}'
            | '\u{31F0}'..='\u{31FF}'
            | '\u{3400}'..='\u{4DBF}' => Self::Syllable,
            '\u{4E00}'..='\u{9FFF}'
            | '\u{A960}'..='\u{A97F}'
            | '\u{D7B0}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}' => Self::Syllable,
            _ if letter.is_alphanumeric() => Self::Word,
            _ => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, words: &[&str], letters: &[&str]) {
        let cut = cut(text);
        assert_eq!(
            (cut.words, cut.letters),
            (words.iter().map(|word| (*word).into()).collect(), letters.iter().map(|four| (*four).into()).collect()),
            "{text}"
        );
    }

    #[test]
    fn texts_are_cut_both_ways() {
        check("커피를 좋아해", &["커피", "커피", "좋아해", "좋아"], &["커피", "피를", "^커", "좋아", "아해", "^좋"]);
        check("밥", &["밥", "밥"], &["^밥"]);
        check("집에", &["집", "집에"], &["집에", "^집"]);
        check("I love LATTES", &["lov", "lat"], &["_lov", "love", "ove_", "_lat", "latt", "atte", "ttes", "tes_"]);
        check("Mel's 1,000 cats", &["mel", "1000", "cat"], &["_mel", "mel_", "_100", "1000", "000_", "_cat", "cats", "ats_"]);
        check("don't", &[], &[]);
        check("東京", &[], &["東京"]);
        check("3월15일", &["3", "월", "월", "15", "일", "일"], &["_3_", "^월", "_15_", "^일"]);
        check("", &[], &[]);
    }

    #[test]
    fn the_index_of_the_file_keeps_these_terms() {
        assert_eq!(terms("커피를 좋아해"), ["커피", "피를", "를", "좋아", "아해", "해"]);
        assert_eq!(terms("The ＣＡＦＥ２４ puppies' beds"), ["the", "cafe24", "puppy", "bed"]);
        assert_eq!(terms("東京タワー 😂"), ["東京", "京タ", "タワ", "ワー", "ー"]);
    }

    #[test]
    fn english_words_that_belong_together_share_a_stem() {
        for family in
            [["adopted", "adopting", "adopts"], ["hobby", "hobbies", "hobby"], ["running", "runs", "run"], ["moved", "moving", "move"]]
        {
            let stems: HashSet<String> = family.iter().map(|word| stem(word)).collect();
            assert_eq!(stems.len(), 1, "{family:?} {stems:?}");
        }
    }

    #[test]
    fn composed_and_decomposed_hangul_are_the_same() {
        let decomposed: String = "강아지".nfd().collect();
        assert_eq!(cut(&decomposed), cut("강아지"));
    }

    #[test]
    fn a_lone_syllable_looks_for_what_it_begins() {
        assert_eq!(word_queries("밥"), [WordQuery { term: "밥".into(), begins: true }]);
        assert_eq!(word_queries("커피 커피"), [WordQuery { term: "커피".into(), begins: false }]);
        assert_eq!(word_queries("what is the puppies"), [WordQuery { term: "puppy".into(), begins: false }]);
    }
}
