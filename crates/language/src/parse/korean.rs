//! Shallow parsing of Korean: particles, noun phrases, and words that name a person.

use crate::parse::sentence_parse::{fits_sound, is_whole_noun};
use crate::patterns::table::WORDS;

/// Particles with whether they follow a closed syllable (one with a final consonant); `None` follows both.
const PARTICLES: [(&str, Option<bool>); 30] = [
    ("에서는", None),
    ("한테는", None),
    ("으로는", Some(true)),
    ("에서", None),
    ("에선", None),
    ("에는", None),
    ("한테", None),
    ("께서", None),
    ("이랑", Some(true)),
    ("으로", Some(true)),
    ("부터", None),
    ("까지", None),
    ("하고", None),
    ("이나", Some(true)),
    ("같은", None),
    ("만", None),
    ("을", Some(true)),
    ("를", Some(false)),
    ("은", Some(true)),
    ("는", Some(false)),
    ("이", Some(true)),
    ("가", Some(false)),
    ("도", None),
    ("에", None),
    ("엔", None),
    ("랑", Some(false)),
    ("로", None),
    ("과", Some(true)),
    ("와", Some(false)),
    ("의", None),
];

/// Checks whether the last syllable of a word has a final consonant; `None` if it is not Hangul.
pub(crate) fn closed(word: &str) -> Option<bool> {
    let last = word.chars().next_back()?;
    ('가'..='힣').contains(&last).then(|| !(last as u32 - '가' as u32).is_multiple_of(28))
}

/// Splits a word into stem and particle. A noun that only ends like one ("떡볶이") stays whole.
pub(crate) fn particle(word: &str) -> (&str, Option<&'static str>) {
    if WORDS.has("noun", word) || is_whole_noun(word) {
        return (word, None);
    }
    for (particle, after) in PARTICLES {
        let Some(front) = word.strip_suffix(particle) else { continue };
        let fits = match (after, closed(front)) {
            (_, None) => !front.is_empty() && front.chars().next_back().is_some_and(|last| last.is_ascii_alphanumeric()),
            (None, Some(_)) => fits_sound(front, particle),
            (Some(wanted), Some(closed)) => wanted == closed,
        };
        let long = front.chars().count() > 1
            || WORDS.has("noun", front)
            || is_person(front)
            || matches!(particle, "을" | "를" | "은" | "는" | "에" | "에서")
            || particle == "엔" && matches!(front, "집" | "방" | "밖" | "안" | "위" | "앞" | "뒤" | "옆" | "속" | "곁");
        if fits && long {
            return (front, Some(particle));
        }
    }
    (word, None)
}

/// Whether a word modifies the noun after it ("오는 날", "매운 음식") instead of being a topic.
fn modifies(word: &str) -> bool {
    const WHOLE: [&str; 32] = [
        "높은",
        "깊은",
        "좁은",
        "넓은",
        "젊은",
        "늙은",
        "밝은",
        "붉은",
        "짙은",
        "굵은",
        "짧은",
        "맑은",
        "오는",
        "가는",
        "사는",
        "타는",
        "보는",
        "먹는",
        "찍는",
        "치는",
        "쓰는",
        "읽는",
        "듣는",
        "큰",
        "작은",
        "같은",
        "좋은",
        "많은",
        "다니는",
        "그리는",
        "아는",
        "자는",
    ];
    const ENDINGS: [&str; 9] = ["하는", "있는", "없는", "드는", "우는", "시는", "되는", "으는", "르는"];
    const VERBS: [&str; 8] = ["태우", "세우", "재우", "채우", "나누", "이루", "기르", "지우"];
    let named = |stem: &str| is_name(stem) && !VERBS.contains(&stem);
    let person = word.strip_suffix('는').is_some_and(|stem| is_person(stem) || named(stem));
    !person && (WHOLE.contains(&word) || word.chars().count() > 2 && ENDINGS.iter().any(|ending| word.ends_with(ending)))
}

/// Returns the noun phrase at the end of a text and its start; `None` if there is none.
pub(crate) fn noun_phrase(stretch: &str) -> Option<(usize, String)> {
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for word in stretch.split(' ') {
        words.push((at, word));
        at += word.len() + 1;
    }
    while words.last().is_some_and(|(_, word)| WORDS.has("adverb", word) || WORDS.has("time", word)) && words.len() > 1 {
        words.pop();
    }
    let (mut start, last) = words.pop()?;
    if WORDS.has("negative", last) || WORDS.has("adverb", last) || WORDS.has("time", last) {
        return None;
    }
    let (head, _) = particle(last.trim_matches(','));
    // A pattern that takes 로 for the particle leaves the 으 of 으로 behind.
    let head = head.strip_suffix('으').unwrap_or(head);
    if head.is_empty() || is_verbal(head) {
        return None;
    }
    let mut parts = vec![head];
    for (at, word) in words.into_iter().rev() {
        if parts.len() == 3 || !belongs(word) {
            break;
        }
        start = at;
        parts.insert(0, word);
    }
    Some((start, parts.join(" ")))
}

/// Whether a word before the head is part of the phrase: a bare noun or a modifier, not an adverb, a topic or a person.
fn belongs(word: &str) -> bool {
    if ["first", "second", "filler", "time", "adverb", "negative"].iter().any(|list| WORDS.has(list, word))
        || word.ends_with([',', '.', '⟧'])
    {
        return false;
    }
    if is_person(particle(word).0) && !crate::patterns::table::is_class("animal", word) {
        return false;
    }
    // "집엔 고양이" says where.
    if matches!(particle(word).1, Some("엔" | "에선")) {
        return false;
    }
    if modifies(word) {
        return true;
    }
    if is_verbal(word) && !WORDS.has("noun", word) {
        return false;
    }
    particle(word).1.is_none_or(|particle| matches!(particle, "의" | "같은"))
}

/// Whether a word ends like a verb that connects to what follows, or like a stretch of time.
fn is_verbal(word: &str) -> bool {
    let ends = [
        "때", "마다", "으면", "하면", "되면", "가면", "오면", "하고", "이고", "되고", "있고", "없고", "먹고", "에서", "나서", "봐서",
        "가서", "돼서", "해서", "어서", "아서", "라서", "와서", "여서", "워서", "져서", "려서", "니까", "는데", "인데", "지만", "께서",
        "동안", "째", "부터", "까지", "해", "했어", "있어", "어요", "아요", "보다", "처럼",
    ];
    word.chars().count() > 1 && ends.iter().any(|ending| word.ends_with(ending))
}

/// Checks whether a phrase ends like a sentence-final verb and so is not a noun phrase.
pub(crate) fn ends_verbally(phrase: &str) -> bool {
    const ENDS: [&str; 22] = [
        "려", "혀", "워", "었어", "았어", "했어", "있어", "없어", "해", "돼", "다", "음", "네", "가", "와", "써", "어", "함", "됨", "줘",
        "져", "데",
    ];
    phrase.chars().count() > 1 && ENDS.iter().any(|end| phrase.ends_with(end)) && !WORDS.has("noun", phrase)
}

/// Reference of a word to a person or topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pointer {
    /// The speaker.
    First,
    /// The addressee.
    Second,
    /// Another person, by name or relation.
    Person(String),
    /// A topic that is not a person: an attribute, a time, an object.
    Topic(String),
    /// None.
    None,
}

/// Parses one word as a reference.
pub(crate) fn pointer(word: &str) -> Pointer {
    let word = word.trim_matches(',');
    if WORDS.has("first", word) || ["나는", "저는", "내가", "제가"].iter().any(|first| word.starts_with(first) && word.chars().count() > 3)
    {
        return Pointer::First;
    }
    if WORDS.has("second", word) {
        return Pointer::Second;
    }
    if WORDS.has("filler", word) || WORDS.has("time", word) || WORDS.has("adverb", word) || word.contains('⟦') {
        return Pointer::None;
    }
    if WORDS.words("fellow").any(|fellow| word.strip_suffix(fellow).is_some_and(|front| is_person(front) || is_name(front))) {
        return Pointer::None;
    }
    let (stem, particle) = particle(word);
    if matches!(particle, Some("은" | "는")) && WORDS.has("attribute", stem) {
        return Pointer::Topic(stem.to_owned());
    }
    if is_person(stem) || is_person(word) {
        return Pointer::Person(stem.to_owned());
    }
    if let Some(name) = honoured(stem).or_else(|| stem.strip_suffix('네').filter(|front| is_person(front) || is_name(front))) {
        return Pointer::Person(name.to_owned());
    }
    match particle {
        Some("은" | "는" | "이" | "가" | "께서") if !modifies(word) => {
            if WORDS.has("attribute", stem) || WORDS.has("time", stem) {
                return Pointer::Topic(stem.to_owned());
            }
            let latin =
                stem.starts_with(|letter: char| letter.is_ascii_uppercase()) && stem.chars().any(|letter| letter.is_ascii_lowercase());
            match named(stem).or(latin.then_some(stem)) {
                Some(name) => Pointer::Person(name.to_owned()),
                None => Pointer::Topic(stem.to_owned()),
            }
        }
        _ => Pointer::None,
    }
}

fn is_person(word: &str) -> bool {
    WORDS.has("people", word)
}

fn honoured(stem: &str) -> Option<&str> {
    ["씨", "님", "쌤", "선배", "언니", "오빠", "누나", "이모", "삼촌"]
        .iter()
        .find(|title| stem.ends_with(*title) && stem.chars().count() > title.chars().count() + 1)
        .map(|_| stem)
}

/// A given name with the 이 people add to it ("지훈이"), or a full name.
fn named(stem: &str) -> Option<&str> {
    if let Some(name) = stem.strip_suffix('이').filter(|name| closed(name) == Some(true) && is_name(name)) {
        return Some(name);
    }
    is_name(stem).then_some(stem)
}

/// Syllables that names are made of.
const SYLLABLES: &str = "강건경광규근기나남다담대덕도동라란람래려련령록리림명문미민범별병보봄빈상새샘서석선설성세소솔수숙순슬승시신아안애연열영예옥온완용우욱운웅원유윤율은이익인자재정제조종주준지진찬창채철춘태택하학한해향헌혁현형혜호홍화환효후훈휘희";

/// Checks whether a word could be a given name: two syllables common in names, with an optional surname.
pub(crate) fn is_name(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let given = |letters: &[char]| letters.iter().all(|&letter| SYLLABLES.contains(letter));
    !WORDS.has("attribute", word)
        && !WORDS.has("noun", word)
        && !WORDS.has("time", word)
        // "나보고", "너보고" tell whom something is said to.
        && !matches!(word, "나보" | "너보" | "저보" | "우리보")
        && match letters.len() {
            2 => given(&letters),
            3 => {
                "김이박최정강조윤장임한오서신권황안송류유홍전고문양손배백허남심노하곽성차주우구민진나지엄채원천방공현함변"
                    .contains(letters[0])
                    && given(&letters[1..])
            }
            _ => false,
        }
}

/// Removes the suffix 이 that follows a name with a final consonant ("지훈이" is 지훈).
pub(crate) fn bare_name(word: &str) -> &str {
    match word.strip_suffix('이') {
        Some(front) if front.chars().count() == 2 && closed(front) == Some(true) => front,
        _ => word,
    }
}

/// Checks whether a text contains Hangul.
pub(crate) fn has_hangul(text: &str) -> bool {
    text.chars().any(|letter| ('가'..='힣').contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_come_off_and_nouns_stay_whole() {
        for (word, stem) in [
            ("고양이를", "고양이"),
            ("고양이", "고양이"),
            ("떡볶이", "떡볶이"),
            ("바다가", "바다"),
            ("제주도", "제주도"),
            ("부산에서", "부산"),
            ("서울", "서울"),
            ("가을이", "가을"),
            ("벽난로", "벽난로"),
            ("고속도로에서", "고속도로"),
            ("고속도로", "고속도로"),
            ("버스로", "버스"),
            ("지하철로", "지하철"),
            ("강의", "강의"),
            ("강의를", "강의"),
        ] {
            assert_eq!(particle(word).0, stem, "{word}");
        }
    }

    #[test]
    fn the_noun_phrase_is_the_end_of_the_stretch() {
        for (stretch, phrase) in [
            ("어릴 때부터 땅콩", Some("땅콩")),
            ("나 매운 음식", Some("매운 음식")),
            ("저는 고양이를 진짜", Some("고양이")),
            ("고양이 안", None),
            ("지훈이는 커피를", Some("커피")),
        ] {
            assert_eq!(noun_phrase(stretch).map(|(_, phrase)| phrase).as_deref(), phrase, "{stretch}");
        }
    }

    #[test]
    fn a_word_points_to_somebody() {
        let person = |name: &str| Pointer::Person(name.into());
        for (word, expected) in [
            ("나는", Pointer::First),
            ("너는", Pointer::Second),
            ("엄마는", person("엄마")),
            ("지훈이가", person("지훈")),
            ("지훈이랑", Pointer::None),
            ("생일은", Pointer::Topic("생일".into())),
            ("오는", Pointer::None),
        ] {
            assert_eq!(pointer(word), expected, "{word}");
        }
    }
}
