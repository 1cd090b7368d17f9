//! Normalised values, for comparison as text.

use crate::extract::fact_subject::{FactSubject, fact_subject, touches};
use crate::parse::korean::bare_name;
use crate::patterns::table::is_class;
use crate::tokenize::number::{number, ordinal};

/// Normalises a value for comparison; `None` if the subject cannot have such a value.
pub fn canonical_value(subject: &FactSubject, value: &str) -> Option<String> {
    let value = value.trim();
    let folded = value.to_lowercase();
    match subject.form {
        "age" => number(without_years(&folded)).filter(|age| (3..=120).contains(age)).map(|age| age.to_string()),
        "year" => number(value).map(|year| if year < 100 { year + if year > 30 { 1900 } else { 2000 } } else { year }.to_string()),
        "date" if subject.key == "birthday" => date(&folded).filter(|date| date.len() == 5),
        "date" => date(&folded).or_else(|| Some(plain(&folded))),
        "blood" => blood(&folded),
        "mbti" => Some(folded),
        "hand" => one_of(&folded, &[("both", &["양손", "ambi"]), ("left", &["왼", "left", "southpaw"]), ("right", &["오른", "right"])]),
        "gender" => {
            one_of(&folded, &[("female", &["여자", "여성", "female", "woman", "girl"]), ("male", &["남자", "남성", "male", "man", "guy"])])
                .or(Some(folded))
        }
        "season" => one_of(
            &folded,
            &[
                ("spring", &["봄", "spring"]),
                ("summer", &["여름", "summer"]),
                ("autumn", &["가을", "autumn", "fall"]),
                ("winter", &["겨울", "winter"]),
            ],
        ),
        "colour" => colour(&folded),
        "love" => Some(love(&folded)),
        "yesno" => one_of(
            &folded,
            &[("no", &["안 ", "끊", "못 ", "않", "no", "비흡연", "quit", "sober"]), ("yes", &["피움", "마심", "담배", "술", "yes"])],
        ),
        "length" => length(&folded),
        "mass" => number(value).map(|mass| mass.to_string()),
        "name" => Some(plain(&folded)).filter(|name| !name.is_empty() && !is_class("absurd", value)),
        "place" => Some(place(&folded)).filter(|place| !place.is_empty()),
        _ => Some(plain(&folded)).filter(|plain| !plain.is_empty()),
    }
}

/// Returns an age without the words around its number: "만 스물일곱 살", "27 years old".
fn without_years(age: &str) -> &str {
    let units = ["살", "세", "years old", "year old", "years", "yrs old", "yrs", "yo", "y/o"];
    let age = age.strip_prefix("만 ").unwrap_or(age).trim();
    units.iter().find_map(|unit| age.strip_suffix(unit)).unwrap_or(age).trim_end_matches(['-', ' '])
}

/// Checks whether two values of a subject are the same: equal, or one is contained in the other ("모찌", "고양이 모찌").
pub(crate) fn same_value(key: &str, one: &str, other: &str) -> bool {
    let Some(subject) = fact_subject(key) else { return one == other };
    let form = |value: &str| canonical_value(subject, value).unwrap_or_else(|| plain(&value.to_lowercase()));
    let (left, right) = (form(one), form(other));
    if left == right {
        return true;
    }
    // A known Rh factor stays valid when only the letter is named later; the reverse adds information.
    if subject.form == "blood" {
        return left.trim_end_matches(['+', '-']) == right;
    }
    let described = matches!(subject.form, "pet" | "person" | "text" | "place") && !subject.single
        || matches!(subject.key, "car" | "residence" | "workplace" | "school");
    let words = |value: &str| value.to_lowercase().split_whitespace().map(|word| plain(bare_name(word))).collect::<Vec<_>>();
    let within = |small: &[String], large: &[String]| !small.is_empty() && small.iter().all(|word| large.contains(word));
    described && (within(&words(one), &words(other)) || within(&words(other), &words(one)))
}

/// Checks whether the end of `ended` also ends `held`: the same value of a related subject. An end without a value ends all.
pub(crate) fn ends(ended: (&str, &str), held: (&str, &str)) -> bool {
    let (ended_key, ended_value) = ended;
    let (held_key, held_value) = held;
    if ended_value.is_empty() {
        return ended_key == held_key || (ended_key == "job" && held_key == "workplace");
    }
    // Giving up coffee includes "믹스커피".
    let folded = |value: &str| value.to_lowercase().replace(' ', "");
    let kind_of = folded(ended_value).chars().count() > 1 && !ended_value.is_ascii() && folded(held_value).ends_with(&folded(ended_value));
    if kind_of && fact_subject(held_key).is_some_and(|subject| subject.ground == Some("taste")) && touches(ended_key, held_key) {
        return true;
    }
    touches(ended_key, held_key) && (same_value(held_key, ended_value, held_value) || same_value(ended_key, ended_value, held_value))
}

fn one_of(value: &str, forms: &[(&str, &[&str])]) -> Option<String> {
    forms.iter().find(|(_, words)| words.iter().any(|word| value.contains(word))).map(|(form, _)| (*form).to_owned())
}

/// Returns the letters of a blood type, with the Rh factor if it is stated: "b", "o-".
fn blood(value: &str) -> Option<String> {
    const NEGATIVE: [&str; 5] = ["마이너스", "음성", "네거티브", "negative", "neg"];
    const POSITIVE: [&str; 5] = ["플러스", "양성", "포지티브", "positive", "pos"];
    let mut letters = value.replace(['−', '－'], "-").replace('＋', "+");
    let mut factor = "";
    for (words, sign) in [(NEGATIVE, "-"), (POSITIVE, "+")] {
        let marked = letters.ends_with(sign) || letters.contains(&format!("rh{sign}")) || letters.contains(&format!("rh {sign}"));
        if marked || words.iter().any(|word| letters.contains(word)) {
            factor = sign;
        }
        letters = words.iter().fold(letters, |letters, word| letters.replace(word, ""));
    }
    let letters = ["rh", "알에이치", "알엣치"].iter().fold(letters, |letters, word| letters.replace(word, ""));
    let letters = letters.trim_start_matches(['+', '-', ' ', ',', '인', '의']);
    [("ab", "에이비"), ("a", "에이"), ("b", "비"), ("o", "오")]
        .into_iter()
        .find(|(latin, hangul)| letters.starts_with(latin) || letters.starts_with(hangul))
        .map(|(latin, _)| format!("{latin}{factor}"))
}

/// Month and day as "03-15", a month alone as "03".
fn date(value: &str) -> Option<String> {
    let show = |month: u32, day: Option<u32>| match day {
        Some(day) if (1..=12).contains(&month) && (1..=31).contains(&day) => Some(format!("{month:02}-{day:02}")),
        None if (1..=12).contains(&month) => Some(format!("{month:02}")),
        _ => None,
    };
    if let Some((front, back)) = value.split_once('월') {
        let month = match front.rsplit([' ', '년']).next()? {
            "시" => 10,
            "유" => 6,
            front => number(front)?,
        };
        return show(month, back.split_once('일').and_then(|(day, _)| number(day)));
    }
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let words: Vec<&str> = value.split([' ', ',', '.']).filter(|word| !word.is_empty()).collect();
    let month = words.iter().position(|word| word.len() <= 9 && MONTHS.iter().any(|month| word.starts_with(month)));
    if let Some(at) = month {
        let month = MONTHS.iter().position(|month| words[at].starts_with(month))? as u32 + 1;
        let day = |word: Option<&&str>| word.and_then(|word| ordinal(word).or_else(|| number(word)));
        let two = || (at + 2 < words.len()).then(|| ordinal(&format!("{}-{}", words[at + 1], words[at + 2]))).flatten();
        let front = words[..at].iter().rev().find(|word| !matches!(**word, "of" | "the"));
        return show(
            month,
            two()
                .or_else(|| day(words.get(at + 1).filter(|word| **word != "the")))
                .or_else(|| day(words.get(at + 2)))
                .or_else(|| day(front)),
        );
    }
    let (month, day) = value.split_once(['/', '-', '.'])?;
    show(number(month)?, Some(number(day)?))
}

fn colour(value: &str) -> Option<String> {
    let known = one_of(
        value,
        &[
            ("light blue", &["하늘", "light blue", "sky blue"]),
            ("red", &["빨", "레드", "red"]),
            ("blue", &["파란", "파랑", "푸른", "블루", "blue"]),
            ("yellow", &["노란", "노랑", "옐로", "yellow"]),
            ("green", &["초록", "녹색", "그린", "green"]),
            ("purple", &["보라", "퍼플", "purple", "violet"]),
            ("black", &["검", "까만", "블랙", "black"]),
            ("white", &["흰", "하얀", "하양", "화이트", "white"]),
            ("pink", &["분홍", "핑크", "pink"]),
            ("orange", &["주황", "오렌지", "orange"]),
            ("brown", &["갈색", "브라운", "brown"]),
            ("grey", &["회색", "그레이", "grey", "gray"]),
        ],
    );
    // A shade ("mustard yellow", "민트색") is its own colour.
    let shade = value.split_whitespace().count() > 1 && known.as_deref() != Some("light blue");
    known.filter(|_| !shade).or_else(|| Some(plain(value.trim_end_matches('색')))).filter(|colour| !colour.is_empty())
}

fn love(value: &str) -> String {
    one_of(
        value,
        &[
            ("single", &["솔로", "모솔", "싱글", "없", "헤어", "미혼", "비혼", "single"]),
            ("divorced", &["이혼", "돌싱", "divorced", "separated"]),
            ("widowed", &["widow", "사별"]),
            ("engaged", &["약혼", "engaged", "fianc"]),
            ("married", &["결혼", "유부", "기혼", "신혼", "새댁", "남편", "아내", "married", "husband", "wife", "newlywed", "hitched"]),
            (
                "partnered",
                &["친구", "남친", "여친", "애인", "연애", "friend", "relationship", "dating", "seeing", "taken", "partner", "bf", "gf"],
            ),
        ],
    )
    .unwrap_or_else(|| plain(value))
}

/// Centimetres.
fn length(value: &str) -> Option<String> {
    let mut figures =
        value.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty()).filter_map(|part| part.parse::<u32>().ok());
    let first = figures.next().or_else(|| number(value))?;
    if first >= 100 {
        return Some(first.to_string());
    }
    let second = figures.next().unwrap_or(0);
    if value.contains('m') && first == 1 {
        return Some((100 + if second < 10 { second * 10 } else { second }).to_string());
    }
    Some(((f64::from(first) * 30.48) + f64::from(second) * 2.54).round().to_string())
}

fn place(value: &str) -> String {
    let plain = plain(value.trim_start_matches("the "));
    for ending in ["특별시", "광역시", "특별자치시", "특별자치도"] {
        if let Some(front) = plain.strip_suffix(ending) {
            return front.to_owned();
        }
    }
    plain
}

/// Words with the same meaning in both languages, so that a value stated in one is recognised in the other.
const SAME: [(&str, &str); 30] = [
    ("민초", "민트초코"),
    ("아아", "아이스아메리카노"),
    ("뜨아", "뜨거운아메리카노"),
    ("알바", "아르바이트"),
    ("마라톤", "marathon"),
    ("말차", "matcha"),
    ("커피", "coffee"),
    ("강아지", "dog"),
    ("개", "dog"),
    ("고양이", "cat"),
    ("땅콩", "peanut"),
    ("수영", "swimming"),
    ("요가", "yoga"),
    ("피자", "pizza"),
    ("초밥", "sushi"),
    ("스시", "sushi"),
    ("차", "tea"),
    ("맥주", "beer"),
    ("와인", "wine"),
    ("초콜릿", "chocolate"),
    ("달리기", "running"),
    ("러닝", "running"),
    ("등산", "hiking"),
    ("독서", "reading"),
    ("거미", "spider"),
    ("새우", "shrimp"),
    ("우유", "milk"),
    ("복숭아", "peach"),
    ("피아노", "piano"),
    ("기타", "guitar"),
];

/// Lower case, no spaces in Hangul, no article, no plural.
fn plain(value: &str) -> String {
    let words: Vec<&str> = value.split_whitespace().filter(|word| !matches!(*word, "a" | "an" | "the" | "my" | "some")).collect();
    let text = if value.is_ascii() { words.join(" ") } else { words.concat() };
    let text = text.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned();
    let single = match text.strip_suffix('s') {
        Some(front) if text.is_ascii() && front.len() > 2 && !front.ends_with(['s', 'u', 'i']) => front.to_owned(),
        _ => text,
    };
    SAME.iter().find(|(korean, _)| *korean == single).map_or(single, |(_, english)| (*english).to_owned())
}

/// Comparison of values, for folding facts.
#[derive(Clone, Copy, Debug, Default)]
pub struct ValueComparison;

impl saegim_core::Values for ValueComparison {
    fn same(&self, subject: &str, one: &str, other: &str) -> bool {
        same_value(subject, one, other)
    }

    fn ends(&self, over: (&str, &str), known: (&str, &str)) -> bool {
        ends(over, known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(key: &str, value: &str, expected: Option<&str>) {
        let subject = fact_subject(key).expect("a subject of the table");
        assert_eq!(canonical_value(subject, value).as_deref(), expected, "{key} {value}");
    }

    #[test]
    fn equal_values_are_equal_text() {
        for value in ["25", "25살", "스물다섯 살", "만 25세", "25 years old", "스물다섯", "twenty-five", "이십오"] {
            check("age", value, Some("25"));
        }
        for value in ["3월 15일", "march 15th", "15th of March", "3/15", "삼월 십오일", "March the fifteenth"] {
            check("birthday", value, Some("03-15"));
        }
        for value in ["왼손", "왼손잡이", "left-handed", "lefty"] {
            check("handedness", value, Some("left"));
        }
        for value in ["파란색", "파랑", "Blue"] {
            check("favourite_colour", value, Some("blue"));
        }
        check("height", "178cm", Some("178"));
        check("height", "5'9", Some("175"));
        check("likes", "Peanuts", Some("peanut"));
        check("likes", "땅콩", Some("peanut"));
        check("hobby", "영화 감상", Some("영화감상"));
        check("birth_year", "95", Some("1995"));
        for value in ["RH마이너스 B", "B형 Rh-", "Rh- B", "B형인데 Rh 음성", "B negative", "b-", "rh negative b"] {
            check("blood_type", value, Some("b-"));
        }
        check("blood_type", "AB positive", Some("ab+"));
        check("blood_type", "에이비", Some("ab"));
        check("blood_type", "O", Some("o"));
        assert!(same_value("blood_type", "O-", "O") && !same_value("blood_type", "O", "O-") && !same_value("blood_type", "O-", "O+"));
    }

    #[test]
    fn what_cannot_be_is_no_value() {
        check("age", "300", None);
        check("age", "많", None);
        check("birthday", "tomorrow", None);
    }

    #[test]
    fn a_name_and_its_description_are_the_same_value() {
        assert!(same_value("pet", "모찌", "고양이 모찌") && same_value("age", "스물다섯", "25"));
        assert!(!same_value("pet", "모찌", "강아지 보리") && !same_value("job", "교사", "초등학교 교사"));
        assert!(ends(("likes", "커피"), ("favourite_drink", "coffee")) && ends(("job", ""), ("workplace", "은행")));
        assert!(!ends(("likes", "커피"), ("job", "커피")));
    }
}
