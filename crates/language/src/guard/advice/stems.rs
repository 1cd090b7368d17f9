//! Korean words of the table in all their inflected forms, and a check whether the rest of a word is an ending.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Classification of a Korean word by the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// May appear in a description.
    pub(super) word: bool,
    /// Denotes a person.
    pub(super) person: bool,
    /// Never allowed.
    pub(super) never: bool,
}

/// Part of speech, which determines the endings that may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Noun,
    Verb,
    Word,
}

static TABLE: LazyLock<HashMap<String, Vec<(Part, &'static str)>>> = LazyLock::new(|| {
    let mut table: HashMap<String, Vec<(Part, &'static str)>> = HashMap::new();
    for line in include_str!("../../../data/guard/describe_ko.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [kind, part, words] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let part = match part {
            "noun" => Part::Noun,
            "verb" => Part::Verb,
            _ => Part::Word,
        };
        for word in words.split_whitespace() {
            let shapes = if part == Part::Verb { shapes(word) } else { vec![word.to_owned()] };
            shapes.into_iter().for_each(|shape| table.entry(shape).or_default().push((part, kind)));
        }
    }
    table
});

/// Classifies a Korean word by the table.
pub(super) fn known(word: &str) -> Known {
    let mut known = Known::default();
    for (at, letter) in word.char_indices() {
        let (stem, rest) = word.split_at(at + letter.len_utf8());
        for (part, kind) in TABLE.get(stem).into_iter().flatten() {
            let goes_on = match part {
                Part::Noun => follows_noun(rest),
                Part::Verb => follows_verb(rest),
                Part::Word => is_particle(rest) || is_copula(rest),
            };
            match *kind {
                _ if !goes_on => {}
                "never" => known.never = true,
                "person" => known.person = true,
                _ => known.word = true,
            }
        }
    }
    // "따라서" (therefore) is not a form of "따르다" (to follow).
    known.never &= !TABLE.get(word).is_some_and(|parts| parts.iter().any(|(part, kind)| *part == Part::Word && *kind == "word"));
    known
}

/// Checks whether `rest` consists of particles only.
pub(super) fn is_particle(rest: &str) -> bool {
    is_made_of(rest, PARTICLES, 3)
}

/// Checks whether `rest` may follow a noun: particles, a copula, or a light verb with its ending.
pub(super) fn follows_noun(rest: &str) -> bool {
    let light = LIGHT.iter().any(|verb| rest.strip_prefix(verb).is_some_and(follows_verb));
    light || is_particle(rest) || is_copula(rest)
}

fn is_copula(rest: &str) -> bool {
    COPULAS.iter().any(|copula| rest.strip_prefix(copula).is_some_and(follows_verb))
}

/// Checks whether `rest` may follow a verb stem.
pub(super) fn follows_verb(rest: &str) -> bool {
    is_made_of(rest, ENDINGS, 6)
}

/// Checks whether a text is a sequence of at most `most` of these pieces.
fn is_made_of(text: &str, pieces: &[&str], most: usize) -> bool {
    text.is_empty()
        || most > 0 && pieces.iter().any(|piece| text.strip_prefix(piece).is_some_and(|rest| is_made_of(rest, pieces, most - 1)))
}

const PARTICLES: &[&str] = &[
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "에서",
    "에게",
    "한테",
    "께",
    "의",
    "도",
    "만",
    "와",
    "과",
    "랑",
    "이랑",
    "하고",
    "로",
    "으로",
    "부터",
    "까지",
    "보다",
    "처럼",
    "마다",
    "조차",
    "이나",
    "나",
    "라도",
    "이라도",
    "들",
    "씩",
    "쯤",
    "뿐",
    "만큼",
    "이든",
    "든",
    "적",
    "적인",
    "적으로",
    "님",
];

const COPULAS: &[&str] = &["이", "인", "일", "였", "이었", "입", "임", "다", "라", "라서", "예요", "적이", "적인", "없"];

const LIGHT: &[&str] = &[
    "하",
    "해",
    "했",
    "할",
    "한",
    "함",
    "합",
    "되",
    "돼",
    "됐",
    "된",
    "될",
    "됨",
    "받",
    "스럽",
    "스러",
    "스러운",
    "스러워",
    "스레",
    "로운",
    "롭",
    "로워",
    "시키",
    "시켜",
    "시킬",
    "시킨",
    "감을",
    "없",
    "히",
    "해하",
    "해할",
    "해한",
    "해해",
];

const ENDINGS: &[&str] = &[
    "고",
    "며",
    "면",
    "으면",
    "면서",
    "으면서",
    "서",
    "어서",
    "아서",
    "여서",
    "니",
    "으니",
    "니까",
    "으니까",
    "지만",
    "는데",
    "은데",
    "데",
    "는",
    "은",
    "을",
    "던",
    "게",
    "도록",
    "기",
    "지",
    "려",
    "으려",
    "려고",
    "으려고",
    "려는",
    "으려는",
    "러",
    "다",
    "는다",
    "습니다",
    "니다",
    "네",
    "어요",
    "아요",
    "어",
    "아",
    "여",
    "요",
    "세요",
    "으세요",
    "십시오",
    "으십시오",
    "라",
    "으라",
    "자",
    "고자",
    "라고",
    "다고",
    "는다고",
    "다는",
    "는지",
    "은지",
    "을지",
    "지도",
    "을까",
    "까",
    "든",
    "거나",
    "더라",
    "었",
    "았",
    "였",
    "겠",
    "셨",
    "시",
    "실",
    "신",
    "듯",
    "듯이",
    "을수록",
    "수록",
    "음",
    "길",
    "보다",
    "야",
    "어야",
    "아야",
    "도",
    "어도",
    "아도",
    "만",
    "나",
    "주",
    "줘",
    "줄",
    "준",
    "줬",
    "줍",
    "보",
    "봐",
    "볼",
    "본",
    "봤",
    "가",
    "갈",
    "간",
    "갔",
    "오",
    "온",
    "왔",
    "있",
    "없",
    "싶",
    "드리",
    "드려",
    "드릴",
    "놓",
    "두",
    "둘",
    "하",
    "해",
    "한",
    "할",
    "했",
    "합",
    "함",
    "지는",
    "진",
    "질",
    "져",
    "졌",
    "진다",
    "이",
    "를",
    "에",
    "의",
    "로",
    "와",
    "므로",
    "으므로",
    "느라",
    "자마자",
    "대",
    "대요",
    "죠",
    "군",
    "군요",
    "구나",
    "걸",
    "것",
    "게요",
    "을게",
    "답니다",
    "라면",
    "라는",
    "라며",
    "인",
    "운",
    "워",
    "웠",
    "울",
    "잖아",
    "곤",
    "는가",
    "은가",
    "으나",
    "되",
    "돼",
    "된",
    "될",
];

/// Returns the inflected forms of a verb stem: 보 gives 봐, 봤, 본, 볼, 봄, 봅; 무겁 gives 무거우, 무거워; 만들 gives 만드, 만든.
fn shapes(stem: &str) -> Vec<String> {
    let mut shapes = vec![stem.to_owned()];
    let Some(last) = stem.chars().next_back().filter(|last| ('가'..='힣').contains(last)) else { return shapes };
    let front = &stem[..stem.len() - last.len_utf8()];
    let code = last as u32 - '가' as u32;
    let (lead, vowel, coda) = (code / 588, code % 588 / 28, code % 28);
    let syllable = |vowel: u32, coda: u32| char::from_u32('가' as u32 + lead * 588 + vowel * 28 + coda).expect("a syllable of Hangul");
    let mut push = |end: &[char]| shapes.push(format!("{front}{}", end.iter().collect::<String>()));
    match coda {
        0 => {
            // ㄴ ㄹ ㅁ ㅂ may close an open syllable.
            [4, 8, 16, 17].into_iter().for_each(|coda| push(&[syllable(vowel, coda)]));
            // ㅗ ㅜ ㅣ ㅡ ㅚ contract with the following vowel; ㅏ ㅓ ㅐ ㅔ ㅕ stay; 하 becomes 해.
            let drawn: &[u32] = match vowel {
                8 => &[9],
                13 => &[14],
                20 => &[6],
                18 => &[4, 0],
                11 => &[10],
                0 if last == '하' => &[1],
                other => &[other],
            };
            drawn.iter().for_each(|vowel| {
                push(&[syllable(*vowel, 0)]);
                push(&[syllable(*vowel, 20)]);
            });
        }
        // Irregular ㅂ: becomes a vowel.
        17 => {
            ["우", "운", "울", "워", "웠", "움"].iter().for_each(|end| push(&[syllable(vowel, 0), end.chars().next().expect("a syllable")]))
        }
        // Final ㄹ is dropped.
        8 => [0, 4, 17].into_iter().for_each(|coda| push(&[syllable(vowel, coda)])),
        _ => {}
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_however_they_end() {
        for word in ["물어보세요", "공감해", "위로가", "재촉하지", "지쳐", "무거워", "다정하게", "사용자가"] {
            assert!(known(word).word, "{word}");
        }
        assert!(known("복종하라").never && known("엄마에게").person && !known("따라서").never);
        for word in ["말살하라", "공산주의를", "해적처럼", "주인공", "광고하고"] {
            assert!(!known(word).word || known(word).never, "{word}");
        }
    }
}
