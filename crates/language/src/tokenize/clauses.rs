//! Cuts a sentence into clauses.

use super::split::{normalise, sentences};
use crate::patterns::table::{PEOPLE, WORDS};

/// Splits a sentence at its connectives: -고, -는데, -지만, -어서, -니까; and, but, so, because.
pub(crate) fn clauses(sentence: &str) -> Vec<String> {
    let words: Vec<&str> = sentence.split(' ').collect();
    let (mut found, mut current): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        if joins(word, next) && current.len() > 1 {
            found.push(current.join(" "));
            current.clear();
        }
        current.push(word);
        if (connects(word, next) || parts(word, next, current.len()) && at + 2 < words.len()) && !next.is_empty() {
            found.push(current.join(" "));
            current.clear();
        }
    }
    if !current.is_empty() {
        found.push(current.join(" "));
    }
    found
        .iter()
        .map(|clause| clause.trim_matches(|letter: char| matches!(letter, ' ' | ',')).to_owned())
        .filter(|clause| !clause.is_empty())
        .collect()
}

/// English words that open a clause when somebody follows.
fn joins(word: &str, next: &str) -> bool {
    let next = next.to_lowercase();
    let person = ["i", "i'm", "i've", "i'd", "i'll", "my", "im", "we", "we're", "our", "he", "she", "they", "he's", "she's", "it's", "you"];
    match word.to_lowercase().as_str() {
        "but" | "because" | "cause" | "cuz" | "although" | "though" | "whereas" => true,
        "if" => person.contains(&next.as_str()),
        "and" | "so" | "while" | "since" | "which" => {
            person.contains(&next.as_str()) || matches!(next.as_str(), "now" | "then" | "also" | "just" | "moved" | "work" | "live")
        }
        _ => false,
    }
}

/// A comma parts clauses unless it stands in a list of single words.
fn parts(word: &str, next: &str, length: usize) -> bool {
    if !word.ends_with(',') {
        return false;
    }
    let next = next.to_lowercase();
    if word.chars().any(|letter| ('가'..='힣').contains(&letter)) {
        return length > 1 || WORDS.has("filler", word.trim_end_matches(','));
    }
    let opens = [
        "i", "i'm", "i've", "my", "im", "we", "she", "he", "they", "did", "do", "and", "but", "so", "just", "wait", "actually", "sorry",
        "no", "please", "don't", "you", "it's",
    ];
    let verb = PEOPLE.has("doing", &next) || PEOPLE.has("done", &next);
    length > 1 && (opens.contains(&next.as_str()) || verb)
}

/// Korean words whose ending connects to what follows.
fn connects(word: &str, next: &str) -> bool {
    const ENDINGS: [&str; 34] = [
        "나서",
        "는데",
        "은데",
        "인데",
        "한데",
        "운데",
        "던데",
        "긴데",
        "린데",
        "큰데",
        "지만",
        "니까",
        "면서",
        "어서",
        "아서",
        "해서",
        "여서",
        "라서",
        "워서",
        "져서",
        "와서",
        "가서",
        "돼서",
        "려서",
        "고",
        "하구",
        "이구",
        "있구",
        "없구",
        "며",
        "거나",
        "든지",
        "면",
        "자마자",
    ];
    const NOUNS: [&str; 34] = [
        "외고",
        "과고",
        "여고",
        "남고",
        "공고",
        "상고",
        "특목고",
        "자사고",
        "빼고",
        "최고",
        "사고",
        "광고",
        "창고",
        "참고",
        "중고",
        "재고",
        "경고",
        "냉장고",
        "신고",
        "그리고",
        "냉면",
        "라면",
        "쫄면",
        "짜장면",
        "반면",
        "화면",
        "장면",
        "수면",
        "비빔면",
        "혼자서",
        "둘이서",
        "따라서",
        "그래서",
        "교통사고",
    ];
    // Reported speech belongs to what follows, and 에서 is a particle.
    const BOUND: [&str; 7] = ["라고", "다고", "자고", "냐고", "이라구", "라구", "에서"];
    let bare = word.trim_end_matches(',');
    if bare.chars().count() < 2 || NOUNS.contains(&bare) || BOUND.iter().any(|ending| bare.ends_with(ending)) {
        return false;
    }
    let Some(ending) = ENDINGS.iter().find(|ending| bare.ends_with(*ending)) else { return false };
    let starts = |words: &[&str]| words.iter().any(|start| next.starts_with(start));
    match *ending {
        "고" | "하구" | "이구" | "있구" | "없구" => {
            !starts(&[
                "있", "싶", "나서", "다니", "다녀", "다닌", "다닙", "다님", "출", "통", "왔", "살아", "살고", "해", "했", "자랐", "자라",
                "불러", "하는", "나면",
            ]) && bare != "하고"
        }
        "면" => {
            !starts(&[
                "좋",
                "안 ",
                "못",
                "두드러기",
                "목이",
                "입술",
                "온몸",
                "숨이",
                "빨개",
                "사족",
                "환장",
                "기절",
                "소름",
                "비명",
                "도망",
                "식은땀",
            ]) && !["없으면", "먹으면", "마시면", "만지면", "닿으면", "나면"].contains(&bare)
        }
        "가서" | "와서" => !starts(&["살"]),
        _ => true,
    }
}

/// Splits a text into sentences and those into clauses.
pub(crate) fn all_clauses(text: &str) -> Vec<String> {
    sentences(&normalise(text)).iter().flat_map(|sentence| clauses(&sentence.text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_cut_into_clauses() {
        assert_eq!(clauses("언니는 간호사고 나는 교사야"), ["언니는 간호사고", "나는 교사야"]);
        assert_eq!(clauses("I live in Leeds but my brother lives in York"), ["I live in Leeds", "but my brother lives in York"]);
        assert_eq!(clauses("나 라면 먹고 있어"), ["나 라면 먹고 있어"]);
    }
}
