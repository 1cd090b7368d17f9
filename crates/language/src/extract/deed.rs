//! Events in forms without a tense that the tables cover: notes ("라떼 마심"), hearsay ("이사 간대"), archaic speech ("보초 섰소"), and the
//! English progressive ("the neighbours are stomping around").

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::patterns::table::{Lists, Pattern};

static DEEDS: LazyLock<Lists> = LazyLock::new(|| Lists::read(include_str!("../../data/extract/deeds.tsv")));

/// Where a Korean syllable closes with these, counted as Unicode does.
const N: u32 = 4;
const LM: u32 = 10;
const M: u32 = 16;
const SS: u32 = 20;

/// After a past tense these ask, suppose or regret.
static OPEN_ENDING: Pattern = Pattern::new(
    r"^(?:니|냐|나|나요|냐고|을까|을까요|까|까요|으면|어야|어도|더라면|더라도|을걸|을텐데|을지|는지|을래|습니까|던가|던|을|는|으려나)$",
);
/// Present tense told as a tale or as something heard.
static TOLD_ON: Pattern = Pattern::new(r"^(?:다네|다네요|다오|다더라|다더라고|다더군|다던데|대|대요|댄다|다고들|답니다|단다|대ㅠ|댑니다)$");
static NOT_A_NOTE: Pattern = Pattern::new(r"(?:해야|봐야|가야|와야|야만|지 ?않|지 ?못|안|못) ?(?:함|됨|하심)$");
static GOES_ON: Pattern = Pattern::new(
    r"^(?:(?:ugh|omg|argh|oh|so|and|but|now|today),? )*(?:the|my|our|his|her|their|this|that|some|someone|somebody|everyone|both|these|those|grandma|grandpa|mum|mom|dad|nana?|he|she|they)(?: [\w'-]+){0,4}?(?:'s| is| are| was| were| keeps?| kept| won't stop| started)(?: (?:still|just|now|always|literally|constantly|all))* (?P<verb>[a-z]{2,}ing)(?: |$)",
);

/// Checks whether a sentence without a known tense describes an event.
pub(crate) fn tells_deed(text: &str) -> bool {
    let text = text.trim_end_matches(|letter: char| !letter.is_alphanumeric() || ('ㄱ'..='ㅣ').contains(&letter));
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [.., before, last] if is_hangul(last) => is_past(last) || is_heard(before, last) || is_note(before, last) && !NOT_A_NOTE.fits(text),
        [last] if is_hangul(last) => is_past(last),
        _ => goes_on(text),
    }
}

fn is_hangul(word: &str) -> bool {
    word.chars().next_back().is_some_and(|letter| ('가'..='힣').contains(&letter))
}

/// What a Korean syllable closes with.
fn closes_with(letter: char) -> u32 {
    if ('가'..='힣').contains(&letter) { (letter as u32 - 0xAC00) % 28 } else { 0 }
}

/// Whether a word is a verb in the past, in any speech style: "섰소", "왔다네", "했구려". What is or will be is no past.
fn is_past(word: &str) -> bool {
    word.char_indices().filter(|&(at, letter)| at > 0 || letter != '있').any(|(at, letter)| {
        let ending = &word[at + letter.len_utf8()..];
        closes_with(letter) == SS
            && !matches!(letter, '있' | '겠' | '싸')
            && !ending.is_empty()
            && ending.chars().count() <= 4
            && !OPEN_ENDING.fits(ending)
    })
}

/// Whether a word tells what one has heard, or what is so in a tale: "결혼한대", "지나간다네".
fn is_heard(before: &str, word: &str) -> bool {
    if DEEDS.has("no hearsay", word) || word == "한대" && !before.ends_with(['을', '를', '도']) {
        return false;
    }
    word.char_indices().any(|(at, letter)| {
        let ending = &word[at + letter.len_utf8()..];
        closes_with(letter) == N && at > 0 && TOLD_ON.fits(ending)
    }) || word.chars().count() == 2 && word.ends_with('대') && word.chars().next().is_some_and(|first| "간온산준본".contains(first))
}

/// Whether a word is a deed written down as its own name: "마심", "다녀옴", "외움". Nouns that end so are none, nor is how
/// something is: "그림", "아침", "피곤함".
fn is_note(before: &str, word: &str) -> bool {
    let Some(last) = word.chars().next_back().filter(|&last| matches!(closes_with(last), M | LM)) else { return false };
    let head = &word[..word.len() - last.len_utf8()];
    if DEEDS.has("no deed", word) || DEEDS.words("no deed").any(|noun| noun.chars().count() > 1 && word.ends_with(noun)) {
        return false;
    }
    if head.is_empty() {
        // "영화 봄" tells what was done, "따뜻한 봄" what it was.
        return DEEDS.has("short", word) && !is_adnominal(before) && (before.ends_with(word) || !DEEDS.has("noun too", word));
    }
    let stem: HashSet<char> = head.chars().next_back().into_iter().collect();
    let after = |list: &str| DEEDS.words(list).any(|stems| stems.chars().any(|letter| stem.contains(&letter)));
    match last {
        '함' => {
            head.chars().count() > 1 && !DEEDS.has("state", head) && !crate::emotion::feeling::is_felt(head) || DEEDS.has("doing", head)
        }
        '음' => after("-음"),
        '움' => after("-움"),
        '임' => after("-임"),
        '김' => after("-김"),
        '감' => after("-감"),
        '심' => DEEDS.words("-심").any(|deed| word.ends_with(deed)),
        '님' => word.ends_with("다님"),
        '름' => DEEDS.words("-름").any(|deed| word.ends_with(deed)),
        '춤' | '꿈' | '탐' | '남' | '듦' | '듬' => DEEDS.words("-whole").any(|deed| word.ends_with(deed)),
        _ => DEEDS.words("any").any(|ends| ends.contains(last)),
    }
}

/// Whether a word stands before a noun and tells what it is like: "무거운", "먹는", "이번".
fn is_adnominal(word: &str) -> bool {
    word.ends_with(['는', '은', '운', '한', '된', '던', '의', '울', '을']) || DEEDS.has("before a noun", word)
}

/// Whether an English sentence tells what somebody else is doing: "the kids are building a fort".
fn goes_on(text: &str) -> bool {
    let text = text.to_lowercase();
    let verb = GOES_ON.on(&text).and_then(|regex| Some(regex.captures(&text)?.name("verb")?.as_str().to_owned()));
    verb.is_some_and(|verb| !DEEDS.has("like that", &verb))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, tells: bool) {
        assert_eq!(tells_deed(text), tells, "{text}");
    }

    #[test]
    fn notes_tell_deeds_and_nouns_do_not() {
        for text in [
            "공원에서 자전거 탐",
            "아침에 수영 30분 함",
            "퇴근하고 장 봄",
            "단어 스무개 외움",
            "친구랑 전시회 다녀옴",
            "지하철에 장갑 두고 내림",
            "옆집 강아지 또 돌아다님",
            "낮에 피아노 침",
            "저녁에 맥주 마심ㅋㅋ",
            "동생 생일 선물 삼",
            "도서관에서 책 두 권 빌림",
            "고구마 구워 먹음",
            "화분에 물 줌",
            "창문 닦음",
            "택배 보냄",
            "막차 놓침",
        ] {
            check(text, true);
        }
        for text in [
            "사람",
            "오늘 아침",
            "내 마음",
            "예쁜 웃음",
            "벽에 걸린 그림",
            "참치 김밥",
            "바로 지금",
            "따뜻한 봄",
            "내 이름",
            "오늘 점심",
            "맛있는 튀김",
            "우리 선생님",
            "요즘 너무 피곤함",
            "할 일 많음",
            "나 학생임",
            "기말 시험",
            "새 게임",
            "작은 기쁨",
            "무거운 짐",
            "물어봐야 함",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn hearsay_and_old_speech_tell_deeds() {
        for text in [
            "아랫집 이사 온대",
            "형 다음 달에 제대한대요",
            "팀장님 그만뒀대",
            "걔네 헤어졌다더라",
            "새벽에 문을 지켰소",
            "남쪽 숲에서 늑대를 보았소이다",
            "어젯밤에 눈이 내렸다네",
            "대장간에서 칼을 벼렸구려",
            "행상이 마을을 지나간다네",
        ] {
            check(text, true);
        }
        for text in
            ["우리 군대", "나는 반대", "새 침대", "택시 한대", "나이는 이십대", "밥은 먹었니", "그걸 알았으면", "돈이 있소", "내가 가겠소"]
        {
            check(text, false);
        }
    }

    #[test]
    fn what_somebody_is_doing_is_told_from_what_something_is_like() {
        for text in ["the kids downstairs are screaming again", "my roommate keeps slamming doors", "the dog is digging up the garden"] {
            check(text, true);
        }
        for text in ["the view is amazing", "my job is boring", "this is exhausting", "the weather is nice"] {
            check(text, false);
        }
    }
}
