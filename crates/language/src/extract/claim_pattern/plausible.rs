//! Whether a value can belong to its subject: words that only look like a value are refused.

use super::Row;
use crate::patterns::table::is_class;

/// Values no subject has: pronouns, question words, whole sentences.
pub(super) fn plausible(row: &Row, value: &str) -> bool {
    let letters = value.chars().count();
    let words = value.split(' ').count();
    let copula = [
        "에요",
        "예요",
        "이야",
        "야",
        "입니다",
        "이에요",
        "임",
        "이다",
        "이",
        "가",
        "은",
        "는",
        "있어",
        "없어",
        "있어요",
        "하고",
        "해",
        "되게",
        "지",
    ];
    let closings =
        ["니다", "어요", "아요", "해요", "세요", "거든", "야돼", "야 돼", "야해", "야 해", "게 새", "는게", "는중", "는 중", "먹어"];
    const HEARSAY: [&str; 18] = [
        "맞대",
        "그렇대",
        "한대",
        "된대",
        "는대",
        "간대",
        "온대",
        "준대",
        "했대",
        "됐대",
        "있대",
        "없대",
        "었대",
        "았대",
        "하대",
        "싶대",
        "본대",
        "난대",
    ];
    const SHORT: [&str; 18] = [
        "홍대", "고대", "건대", "숙대", "이대", "외대", "교대", "여대", "의대", "법대", "공대", "미대", "음대", "경대", "충대", "체대",
        "사대", "한대",
    ];
    let last = value.rsplit(' ').next().unwrap_or_default();
    if row.subject.key == "school" && last.chars().count() == 2 && last.ends_with('대') && !SHORT.contains(&last) {
        return false;
    }
    // "차렸대": a verb in the past before it, told on.
    let told = value.chars().rev().nth(1).is_some_and(|before| ('가'..='힣').contains(&before) && (before as u32 - '가' as u32) % 28 == 20);
    if row.subject.key == "school" && value.ends_with('대') && told {
        return false;
    }
    if row.subject.key == "school" && HEARSAY.iter().any(|ending| value.ends_with(ending)) {
        return false;
    }
    if copula.contains(&value) || closings.iter().any(|ending| value.ends_with(ending)) {
        return false;
    }
    let asked = ["뭐", "뭘", "어디", "누구", "언제", "몇", "무슨", "어떤", "what", "where", "who", "which", "how"];
    let first = value.split(' ').next().unwrap_or_default().to_lowercase();
    let hangs = [
        "on", "in", "at", "its", "it", "with", "from", "not", "and", "or", "but", "how", "when", "if", "that's", "i", "he", "she", "they",
        "we", "going", "getting",
    ];
    if !row.korean && hangs.contains(&first.as_str()) && row.subject.form != "date" {
        return false;
    }
    // "무슨 선수야" asks back; "바뀌었어" tells what happened.
    let asks = row.korean && words > 1 && ["무슨", "어떤", "웬", "어느", "뭔"].contains(&first.as_str());
    let happened =
        row.korean && told && ["어", "다", "지", "네", "음", "고", "던", "나", "냐", "구"].iter().any(|ending| value.ends_with(ending));
    if asks || happened {
        return false;
    }
    if letters == 0 || letters > 60 || words > 8 || asked.contains(&value.to_lowercase().as_str()) || value.contains('⟦') {
        return false;
    }
    match row.subject.form {
        "name" => names(value),
        _ if row.has("name") => names(value) && !is_class("mood", value),
        "place" => place(row, value),
        _ => {
            letters > 1
                || is_class("season", value)
                || row.has("raw")
                || [
                    "비", "눈", "차", "술", "개", "뱀", "새", "물", "닭", "쥐", "책", "춤", "콩", "떡", "빵", "파", "귤", "배", "회", "게",
                    "굴", "죽", "국", "밥", "면", "햄", "김", "무", "팥", "깨", "잣", "밤", "감", "꽃", "별", "꿀", "산", "불", "피",
                ]
                .contains(&value)
        }
    }
}

fn names(value: &str) -> bool {
    let hangul = value.chars().all(|letter| ('가'..='힣').contains(&letter));
    let common = ["그냥", "진짜", "친구", "사람", "학생", "아직", "우리", "이거", "그거", "나도", "정말", "그래", "이름"];
    if hangul {
        (1..=5).contains(&value.chars().count()) && !common.contains(&value)
    } else {
        value.starts_with(char::is_alphanumeric) && value.split(' ').count() <= 3
    }
}

fn place(row: &Row, value: &str) -> bool {
    let lower = value.to_lowercase();
    let vague = [
        "fear",
        "peace",
        "pain",
        "denial",
        "hope",
        "silence",
        "the moment",
        "my head",
        "my car",
        "a new place",
        "a new",
        "this",
        "that",
        "it",
        "one",
        "bed",
        "front",
        "혼자",
        "같이",
        "나",
        "둘",
        "밖",
    ];
    let opens = ["a ", "an ", "my ", "this ", "that ", "his ", "her ", "their ", "our "];
    let determined = opens.iter().any(|word| lower.starts_with(word));
    !vague.contains(&lower.as_str())
        && !is_class("absurd", value)
        && (row.korean || !determined)
        && !lower.starts_with(|letter: char| letter.is_ascii_digit())
}
