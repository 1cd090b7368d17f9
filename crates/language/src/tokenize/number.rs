//! Number words, Korean and English.

/// Parses a number: "25", "스물다섯", "이십오", "twenty-five"; a counter may follow.
pub(crate) fn number(text: &str) -> Option<u32> {
    let text = text.trim().to_lowercase();
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    if !digits.is_empty() {
        return digits.parse().ok();
    }
    native(&text).or_else(|| sino(&text)).or_else(|| english(&text))
}

const TENS: [(&str, u32); 12] = [
    ("열", 10),
    ("스물", 20),
    ("스무", 20),
    ("서른", 30),
    ("설흔", 30),
    ("마흔", 40),
    ("쉰", 50),
    ("예순", 60),
    ("일흔", 70),
    ("여든", 80),
    ("아흔", 90),
    ("백", 100),
];

const ONES: [(&str, u32); 13] = [
    ("하나", 1),
    ("한", 1),
    ("둘", 2),
    ("두", 2),
    ("셋", 3),
    ("세", 3),
    ("넷", 4),
    ("네", 4),
    ("다섯", 5),
    ("여섯", 6),
    ("일곱", 7),
    ("여덟", 8),
    ("아홉", 9),
];

fn native(text: &str) -> Option<u32> {
    let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let (tens, rest) = TENS.iter().find_map(|(word, value)| Some((*value, text.strip_prefix(word)?))).unwrap_or((0, &text));
    if rest.is_empty() {
        return (tens > 0).then_some(tens);
    }
    ONES.iter().find(|(word, _)| *word == rest).map(|(_, value)| tens + value)
}

fn sino(text: &str) -> Option<u32> {
    let (mut total, mut one, mut any) = (0, 0, false);
    for letter in text.chars() {
        any = true;
        match letter {
            '십' => (total, one) = (total + one.max(1) * 10, 0),
            '백' => (total, one) = (total + one.max(1) * 100, 0),
            _ => one = "영일이삼사오육칠팔구".chars().position(|digit| digit == letter)? as u32,
        }
    }
    // The fixed readings of June and October.
    match text {
        "유" => Some(6),
        "시" => Some(10),
        _ => any.then_some(total + one),
    }
}

const WORDS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const DECADES: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

fn english(text: &str) -> Option<u32> {
    let one = |word: &str| WORDS.iter().position(|known| *known == word).map(|at| at as u32);
    let mut parts = text.split([' ', '-']).filter(|part| !part.is_empty());
    let (first, second) = (parts.next()?, parts.next());
    let Some(decade) = DECADES.iter().position(|known| *known == first).map(|at| (at as u32 + 2) * 10) else {
        return if second.is_none() { one(first) } else { None };
    };
    match second {
        None => Some(decade),
        Some(second) => one(second).filter(|value| (1..10).contains(value)).map(|value| decade + value),
    }
}

/// Parses an ordinal day: "eleventh", "21st", "thirty-first".
pub(crate) fn ordinal(text: &str) -> Option<u32> {
    const ORDINALS: [(&str, &str); 9] = [
        ("first", "one"),
        ("second", "two"),
        ("third", "three"),
        ("fifth", "five"),
        ("eighth", "eight"),
        ("ninth", "nine"),
        ("twelfth", "twelve"),
        ("twentieth", "twenty"),
        ("thirtieth", "thirty"),
    ];
    let text = text.trim().to_lowercase();
    if text.starts_with(|letter: char| letter.is_ascii_digit()) {
        return number(&text);
    }
    let cardinal = ORDINALS
        .iter()
        .find_map(|(ordinal, cardinal)| text.strip_suffix(ordinal).map(|front| format!("{front}{cardinal}")))
        .or_else(|| text.strip_suffix("th").map(str::to_owned))?;
    english(&cardinal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_words() {
        for (text, value) in [
            ("25", Some(25)),
            ("25살", Some(25)),
            ("스물다섯", Some(25)),
            ("스무", Some(20)),
            ("서른 하나", Some(31)),
            ("이십오", Some(25)),
            ("십일", Some(11)),
            ("twenty-five", Some(25)),
            ("thirty two", Some(32)),
            ("nineteen", Some(19)),
            ("사과", None),
            ("", None),
            ("twenty people", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
        for (text, value) in [("eleventh", Some(11)), ("21st", Some(21)), ("twenty-first", Some(21)), ("fourth", Some(4)), ("fruit", None)]
        {
            assert_eq!(ordinal(text), value, "{text}");
        }
    }
}
