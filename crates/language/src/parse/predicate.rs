//! Korean predicates: strips endings, so that "빌려줬어", "빌려주셨대" and "빌렸습니다" reduce to their stems.
//!
//! This uses no dictionary. Endings are recognized by shape, so a noun may look like a verb. That is harmless, because callers
//! compare two words that were reduced the same way.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

/// A predicate without its endings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Predicate {
    /// What is left, its last vowel brought to one of those it changes between.
    pub stem: String,
    /// Whether it is done for somebody: "빌려줬어" and not "빌렸어".
    pub gives: bool,
    /// Whether it is suffered: "해고됐어", "해고당했어" and not "해고했어".
    pub suffers: bool,
    /// Whether its stem is a noun that is done or suffered: "입원했어".
    pub named: bool,
    /// Whether an ending came off that no noun has.
    pub certain: bool,
}

/// Endings no noun has; a leading consonant closes the syllable before it.
const CERTAIN: &str = "ㅆ어 ㅆ어요 ㅆ다 ㅆ음 ㅆ네 ㅆ네요 ㅆ는데 ㅆ는데요 ㅆ지 ㅆ지만 ㅆ죠 ㅆ대 ㅆ대요 ㅆ더라 ㅆ더라고 ㅆ던 ㅆ고 ㅆ거든 ㅆ거든요 ㅆ습니다 ㅆ으니까 ㅆ구나
ㅆ잖아 ㅆ잖아요 ㅆ다가 ㅆ다고 ㅆ다는 ㅆ던데 ㅆ었어 ㅆ슴 ㅆ당 ㅆ엉 ㅆ는지 ㅆ을 ㅆ어서 ㅆ나 ㅆ냐 ㄴ다고 는다고 ㅂ니다 습니다 는데 는데요 ㄴ데 은데 는대 ㄴ대 는다 ㄴ다 어서 아서 어요 아요 려고 으려고
면서 으면서 니까 으니까 거든 거든요 는구나 잖아 잖아요 더라 더라고 더라구 ㄹ게 을게 ㄹ래 을래 ㄹ거야 을거야 었어 았어 더니 더니만 길래 느라 느라고 자마자 도록";

/// Endings that nouns have, too.
const UNCERTAIN: &str = "다 네 네요 지 지만 죠 고 며 러 으러 면 으면 던 는 은 ㄴ ㄹ 을 음 ㅁ 기 게 서 요 아 어 대 자";

/// Endings by the letter they end in, the longest first, and whether no noun has them.
static ENDINGS: LazyLock<HashMap<char, Vec<(String, bool)>>> = LazyLock::new(|| {
    let closing = |letter: char| match letter {
        'ㅆ' => '\u{11BB}',
        'ㄴ' => '\u{11AB}',
        'ㄹ' => '\u{11AF}',
        'ㅂ' => '\u{11B8}',
        'ㅁ' => '\u{11B7}',
        other => other,
    };
    let mut endings: HashMap<char, Vec<(String, bool)>> = HashMap::new();
    for (list, certain) in [(CERTAIN, true), (UNCERTAIN, false)] {
        for ending in list.split_whitespace() {
            let ending: String = ending.chars().map(closing).nfd().collect();
            let last = ending.chars().next_back().expect("no ending is empty");
            endings.entry(last).or_default().push((ending, certain));
        }
    }
    for endings in endings.values_mut() {
        endings.sort_by_key(|(ending, _)| std::cmp::Reverse(ending.chars().count()));
    }
    endings
});

/// "시" honours: "드셨어" is said of one who is looked up to, and tells the same.
static HONOUR: LazyLock<String> = LazyLock::new(|| "시".nfd().collect());

/// What is done for somebody ends so.
static FOR_SOMEBODY: LazyLock<[String; 2]> = LazyLock::new(|| ["주", "드리"].map(|verb| verb.nfd().collect()));

/// Verbs that make a predicate of a noun, and whether it is suffered.
static LIGHT: LazyLock<[(String, bool); 4]> =
    LazyLock::new(|| [("당하", true), ("되", true), ("시키", false), ("하", false)].map(|(verb, suffers)| (verb.nfd().collect(), suffers)));

fn vowel(letter: char) -> bool {
    ('\u{1161}'..='\u{1175}').contains(&letter)
}

/// The word without its endings; as it is where none comes off.
pub(crate) fn predicate(word: &str) -> Predicate {
    // "햇어" is how many people write "했어".
    let mut letters: String = word.nfd().collect::<String>().replace("\u{11BA}\u{110B}\u{1165}", "\u{11BB}\u{110B}\u{1165}");
    let mut found = Predicate::default();
    let last = letters.chars().next_back();
    for (ending, certain) in last.and_then(|last| ENDINGS.get(&last)).into_iter().flatten() {
        let Some(rest) = letters.strip_suffix(ending.as_str()) else { continue };
        // A syllable has to be left, and an ending that begins with one stands after a whole syllable anyway.
        if rest.chars().any(vowel) {
            // "깨워서", "길어져서": what is left has melted with the rest of its ending, as no noun does.
            let melted = rest.ends_with(['\u{1167}', '\u{116F}']) && ending.ends_with("\u{1109}\u{1165}");
            (letters, found.certain) = (rest.to_owned(), *certain || melted);
            break;
        }
    }
    // "입니다" is no verb's ending, and past "었" stands before others: "먹었었어", "먹었".
    for past in ["\u{110B}\u{1165}\u{11BB}", "\u{110B}\u{1161}\u{11BB}", "\u{11BB}"] {
        if let Some(rest) = letters.strip_suffix(past).filter(|rest| rest.chars().any(vowel)) {
            (letters, found.certain) = (rest.to_owned(), true);
            break;
        }
    }
    for open in ["\u{110B}\u{1165}", "\u{110B}\u{1161}"] {
        let closed = |rest: &str| rest.chars().next_back().is_some_and(|last| !vowel(last)) && rest.chars().any(vowel);
        if let Some(rest) = letters.strip_suffix(open).filter(|rest| closed(rest)) {
            letters = rest.to_owned();
            break;
        }
    }
    let ended = found.certain || letters.nfc().count() < word.chars().count();
    // Without an ending only a melted one shows that it is a verb, and nouns end like many of those: "사과", "점퍼".
    if ended {
        letters = settled(letters);
    } else if let Some(melted) = melted(&letters) {
        (letters, found.certain) = (melted, true);
    }
    letters = without(&letters, &HONOUR, 1).unwrap_or(letters);
    if let Some(rest) = FOR_SOMEBODY.iter().find_map(|verb| without(&letters, verb, 1)) {
        (letters, found.gives) = (settled(rest), true);
    }
    if let Some((rest, suffers)) = LIGHT.iter().find_map(|(verb, suffers)| Some((without(&letters, verb, 2)?, *suffers))) {
        (letters, found.suffers, found.named) = (rest, suffers, true);
    }
    found.stem = letters.nfc().collect();
    found
}

/// A word whose last syllable is a stem and an ending in one, as hardly a noun's is: "드셔", "배워", "입원해".
fn melted(letters: &str) -> Option<String> {
    let last = letters.chars().next_back()?;
    let does = letters.ends_with("\u{1112}\u{1162}");
    (matches!(last, '\u{1167}' | '\u{116F}') || does).then(|| settled(letters.to_owned()))
}

fn syllables(letters: &str) -> usize {
    letters.chars().filter(|letter| vowel(*letter)).count()
}

/// Without its last letters, where so many syllables are left.
fn without(letters: &str, last: &str, least: usize) -> Option<String> {
    letters.strip_suffix(last).filter(|rest| syllables(rest) >= least).map(str::to_owned)
}

/// The last vowel as it was before an ending melted into it: 마셔 is 마시, 봐 is 보, 배워 is 배우, 해 is 하, 슬퍼 is 슬프.
fn settled(mut letters: String) -> String {
    let Some(last) = letters.pop() else { return letters };
    letters.push(match last {
        '\u{1167}' => '\u{1175}',
        '\u{116A}' => '\u{1169}',
        '\u{116F}' => '\u{116E}',
        '\u{116B}' => '\u{116C}',
        '\u{1162}' => '\u{1161}',
        '\u{1165}' => '\u{1173}',
        other => other,
    });
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_come_off_and_leave_one_stem() {
        for family in [
            ["마셨어", "마셨다", "마시는데", "마셨대요"],
            ["빌렸어", "빌렸습니다", "빌렸는데", "빌렸음"],
            ["입원했어", "입원하셨어", "입원했대", "입원했다고"],
            ["헤어졌어", "헤어졌다", "헤어졌거든", "헤어졌네"],
            ["먹었어", "먹었다", "먹어서", "먹는데"],
            ["갔어", "갔다", "가는데", "갔음"],
            ["배웠어", "배웠지", "배우려고", "배웠어요"],
            ["청소했어", "청소했더니", "청소하느라", "청소하길래"],
        ] {
            let stems: Vec<String> = family.iter().map(|word| predicate(word).stem).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{family:?} {stems:?}");
        }
    }

    #[test]
    fn who_gains_and_who_suffers_is_told_apart() {
        for (word, gives, suffers) in [
            ("빌려줬어", true, false),
            ("빌렸어", false, false),
            ("사 드렸어", true, false),
            ("해고됐어", false, true),
            ("해고당했어", false, true),
            ("해고했어", false, false),
        ] {
            let found = predicate(word);
            assert_eq!((found.gives, found.suffers), (gives, suffers), "{word} {found:?}");
        }
        assert_eq!(predicate("빌려줬어").stem, predicate("빌렸어").stem);
        assert_eq!(predicate("해고당했어").stem, predicate("해고했어").stem);
    }
}
