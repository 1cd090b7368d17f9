//! Completes Korean clauses with a connective ending: "5월 5일이니까 (기억해 줘)" becomes "5월 5일이야".

use std::sync::LazyLock;

use crate::patterns::table::{Lists, Pattern};
use crate::reply::wording::filled_by;

/// Stems, and nouns that look like them.
static STEMS: LazyLock<Lists> = LazyLock::new(|| Lists::read(include_str!("../../data/parse/stems.tsv")));

static REPORTED: Pattern = Pattern::new(r"다(?:는|던|ㄴ|란)? ?(?:거|걸|것|것을|건|사실|사실을|점|점을)$|다고$|단 ?(?:거|걸|것|사실)$");
static REPORTED_NOUN: Pattern = Pattern::new(r"(?:이)?(?:라는|란) ?(?:거|걸|것|것을|건|사실|사실을|점|점을)$|(?:이)?라고$");
static NAMED_NOUN: Pattern = Pattern::new(r"인 ?(?:거|걸|것|것을|건|사실|사실을|점|점을)$");
static OBJECT: Pattern = Pattern::new(r"(?:는|은|던|한) ?(?:걸|것을)$");
static POLITELY_OPEN: Pattern = Pattern::new(r"(?:니까|니깐|는데|은데|인데|라서)$");

/// Speech level of the completed sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Casual.
    Plain,
    /// Polite.
    Polite,
}

/// Completes a clause; returns it unchanged if it is complete.
pub(crate) fn closed(text: &str, manner: Manner) -> String {
    if let Some(found) = NAMED_NOUN.on(text).and_then(|regex| regex.find(text)) {
        return noun(&text[..found.start()], manner);
    }
    if let Some(found) = REPORTED_NOUN.on(text).and_then(|regex| regex.find(text)) {
        return noun(&text[..found.start()], manner);
    }
    if let Some(found) = REPORTED.on(text).and_then(|regex| regex.find(text)) {
        return format!("{}다", &text[..found.start()]);
    }
    if let Some(found) = OBJECT.on(text).and_then(|regex| regex.find(text)) {
        let kept = found.as_str().trim_end_matches('을').replace('걸', "거");
        return format!("{}{kept}", &text[..found.start()]);
    }
    let open = text.trim_end_matches([',', ' ']);
    // "있으니까요" is as open as "있으니까", and polite by itself.
    let (open, manner) = match open.strip_suffix('요').filter(|open| POLITELY_OPEN.fits(open)) {
        Some(open) => (open, Manner::Polite),
        None => (open, manner),
    };
    let open = open.strip_suffix("니깐").map_or_else(|| open.to_owned(), |stem| format!("{stem}니까"));
    let said = |stem: Stem<'_>| match stem.closed() {
        said if said.ends_with("아니야") => noun(&said[..said.len() - '야'.len_utf8()], manner),
        said if manner == Manner::Polite => format!("{said}요"),
        said => said,
    };
    for ending in ["이니까", "이라서", "이어서", "인데"] {
        let Some(before) = open.strip_suffix(ending) else { continue };
        // "고양이니까" and "5일이니까" both close with 이야, "의사인데" with 야; "쌓이니까" is no noun at all.
        let with_it = Stem::new(&open[..before.len() + '이'.len_utf8()]);
        return match ending {
            "이니까" if with_it.is_verb() => said(with_it),
            "인데" => noun(before, manner),
            _ if is_closed_syllable(before) => noun(before, manner),
            _ => noun(with_it.text, manner),
        };
    }
    if let Some(before) = open.strip_suffix("라서") {
        return noun(before, manner);
    }
    // "온다니까" only reports what closes already.
    if let Some(before) = open.strip_suffix("니까").filter(|before| before.ends_with('다') && is_reported(before)) {
        return before.to_owned();
    }
    if let Some(before) = open.strip_suffix("라니까").filter(|_| !Stem::new(&open[..open.len() - "니까".len()]).is_verb()) {
        return noun(before.strip_suffix('이').filter(|before| is_closed_syllable(before)).unwrap_or(before), manner);
    }
    for ending in ["으니까", "은데"] {
        if let Some(stem) = open.strip_suffix(ending).filter(|stem| is_hangul(stem)) {
            // "나으니까" lost its ㅅ and is not drawn together: 나아.
            let stem = Stem { kept_apart: true, ..Stem::new(stem) };
            return said(stem);
        }
    }
    if let Some(stem) = open.strip_suffix("는데").filter(|stem| is_hangul(stem)) {
        return said(Stem::new(stem));
    }
    if let Some(stem) = open.strip_suffix("니까") {
        let stem = Stem::new(stem);
        return if stem.is_verb() { said(stem) } else { noun(stem.text, manner) };
    }
    if let Some(stem) = open.strip_suffix('데').filter(|before| !before.ends_with("가운")).and_then(without_n) {
        return said(Stem::new(&stem));
    }
    if let Some(before) =
        open.strip_suffix('서').filter(|before| before.ends_with(['어', '아', '해', '여', '워', '와', '려', '져', '돼', '가']))
    {
        return if manner == Manner::Polite { format!("{before}요") } else { before.to_owned() };
    }
    text.to_owned()
}

/// "B형" is "B형이야", "의사" is "의사야".
fn noun(text: &str, manner: Manner) -> String {
    let said =
        filled_by(if manner == Manner::Polite { "{v}(이에요/예요)" } else { "{v}(이야/야)" }, |_| text.trim_end().to_owned());
    said.replace("아니이에요", "아니에요").replace("아니예요", "아니에요")
}

/// What stands before an open ending: a stem, or a noun that looks like one.
#[derive(Clone, Copy)]
struct Stem<'a> {
    text: &'a str,
    /// The last word of it, and the word before that.
    word: &'a str,
    before: &'a str,
    /// Whether its last vowel and that of the ending stay two.
    kept_apart: bool,
}

impl<'a> Stem<'a> {
    fn new(text: &'a str) -> Self {
        let mut words = text.rsplit(' ');
        let word = words.next().unwrap_or_default();
        Self { text, word, before: words.next().unwrap_or_default(), kept_apart: false }
    }

    /// Whether something is done to what stands before it: only verbs have an object.
    fn has_object(&self) -> bool {
        self.before.chars().count() > 1 && self.before.ends_with(['을', '를']) || matches!(self.before, "안" | "못" | "잘")
    }

    /// Whether it is a verb's or an adjective's and no noun.
    fn is_verb(&self) -> bool {
        let Some((_, closing)) = self.text.chars().next_back().and_then(vowel_and_closing) else { return false };
        if closing != 0 {
            return true;
        }
        let counted = STEMS.has("counted", self.word)
            && (STEMS.has("counts", self.before) || self.before.ends_with(|last: char| last.is_ascii_digit()));
        let told = STEMS.has("told", self.word) && (self.before.ends_with(['은', '는', '이', '가']) || STEMS.has("which", self.before));
        if counted || told {
            return false;
        }
        if self.has_object() || self.word.ends_with("아니") || STEMS.has("whole", self.word) {
            return true;
        }
        let longest = |list: &str| STEMS.words(list).filter(|ending| self.word.ends_with(ending)).map(str::len).max();
        match (longest("verb"), longest("noun")) {
            (None, None) => longest("open").is_some(),
            (verb, noun) => verb >= noun,
        }
    }

    /// With the ending of plain speech: 먹 + 어, 좋 + 아, 들리 + 어 = 들려.
    fn closed(&self) -> String {
        let Some((vowel, closing)) = self.text.chars().next_back().and_then(vowel_and_closing) else { return self.text.to_owned() };
        let last = self.text.chars().next_back().unwrap_or_default();
        let front = &self.text[..self.text.len() - last.len_utf8()];
        if closing != 0 || self.kept_apart {
            // ㅏ, ㅑ and ㅗ take 아, but the past never does.
            let bright = matches!(vowel, A | YA | O) && closing != PAST;
            return format!("{}{}", self.text, if bright { "아" } else { "어" });
        }
        if self.word.ends_with("아니") {
            return format!("{}야", self.text);
        }
        if let Some((stem, said)) = self.becomes() {
            return format!("{}{said}", &self.text[..self.text.len() - stem.len()]);
        }
        let before = front.chars().next_back().and_then(vowel_and_closing);
        let bright = before.is_some_and(|(vowel, _)| matches!(vowel, A | O));
        match (last, vowel) {
            ('하', _) => format!("{front}해"),
            // 모르 + 아 = 몰라, 부르 + 어 = 불러.
            ('르', _) if before.is_some_and(|(_, closing)| closing == 0) => {
                let doubled = front.chars().next_back().map(|letter| with_closing(letter, RIEUL)).unwrap_or_default();
                let head = &front[..front.len() - doubled.len_utf8()];
                format!("{head}{doubled}{}", if bright { "라" } else { "러" })
            }
            (_, O) => format!("{front}{}", with_vowel(last, WA)),
            (_, OE) => format!("{front}{}", with_vowel(last, WAE)),
            (_, U) => format!("{front}{}", with_vowel(last, WO)),
            (_, EU) => format!("{front}{}", with_vowel(last, if bright { A } else { EO })),
            (_, I) => format!("{front}{}", with_vowel(last, YEO)),
            (_, WI | UI) => format!("{}어", self.text),
            _ => self.text.to_owned(),
        }
    }

    /// What the tables say its end becomes.
    fn becomes(&self) -> Option<(&'static str, &'static str)> {
        let pairs = |list: &str| STEMS.words(list).filter_map(|pair| pair.split_once('=')).collect::<Vec<_>>();
        let whole = |list: &str| pairs(list).into_iter().find(|(stem, _)| *stem == self.word);
        let ending = || pairs("becomes").into_iter().filter(|(stem, _)| self.word.ends_with(stem)).max_by_key(|(stem, _)| stem.len());
        let object = self.before.ends_with(['을', '를']).then(|| whole("object")).flatten();
        object.or_else(|| whole("alone")).or_else(ending)
    }
}

/// Places of vowels and of what closes a syllable in the order of Unicode.
const A: u32 = 0;
const YA: u32 = 2;
const EO: u32 = 4;
const YEO: u32 = 6;
const O: u32 = 8;
const WA: u32 = 9;
const WAE: u32 = 10;
const OE: u32 = 11;
const U: u32 = 13;
const WO: u32 = 14;
const WI: u32 = 16;
const EU: u32 = 18;
const UI: u32 = 19;
const I: u32 = 20;
const NIEUN: u32 = 4;
const RIEUL: u32 = 8;
const PAST: u32 = 20;

/// The vowel of a Korean syllable and what closes it, zero for nothing.
fn vowel_and_closing(letter: char) -> Option<(u32, u32)> {
    ('가'..='힣').contains(&letter).then(|| (((letter as u32 - 0xAC00) / 28) % 21, (letter as u32 - 0xAC00) % 28))
}

/// A Korean syllable with another vowel and nothing that closes it.
fn with_vowel(letter: char, vowel: u32) -> char {
    let first = (letter as u32 - 0xAC00) / (28 * 21);
    char::from_u32(0xAC00 + (first * 21 + vowel) * 28).unwrap_or(letter)
}

/// An open Korean syllable, closed.
fn with_closing(letter: char, closing: u32) -> char {
    char::from_u32(letter as u32 + closing).unwrap_or(letter)
}

/// "추운" is 추우, "바쁜" is 바쁘: what is described stands in its stem.
fn without_n(text: &str) -> Option<String> {
    let last = text.chars().next_back()?;
    let (_, closing) = vowel_and_closing(last)?;
    let open = char::from_u32(last as u32 - NIEUN)?;
    (closing == NIEUN).then(|| format!("{}{open}", &text[..text.len() - last.len_utf8()]))
}

/// Whether what ends with 다 closes: "온다", "한다", "춥다", "있다".
fn is_reported(text: &str) -> bool {
    let before = text.trim_end_matches('다').chars().next_back();
    before.and_then(vowel_and_closing).is_some_and(|(_, closing)| closing != 0)
}

fn is_hangul(text: &str) -> bool {
    text.chars().next_back().and_then(vowel_and_closing).is_some()
}

fn is_closed_syllable(text: &str) -> bool {
    text.chars().next_back().is_some_and(|last| !('가'..='힣').contains(&last) || !(last as u32 - 0xAC00).is_multiple_of(28))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_open_is_closed_in_the_same_voice() {
        for (open, plain, polite) in [
            ("제 생일은 5월 5일이니까", "제 생일은 5월 5일이야", "제 생일은 5월 5일이에요"),
            ("나 복숭아 알레르기 있으니까", "나 복숭아 알레르기 있어", "나 복숭아 알레르기 있어요"),
            ("우리 고양이는 열세 살이니까", "우리 고양이는 열세 살이야", "우리 고양이는 열세 살이에요"),
            ("언니는 의사니까", "언니는 의사야", "언니는 의사예요"),
            ("귀가 잘 안 들리니까", "귀가 잘 안 들려", "귀가 잘 안 들려요"),
            ("매일 걸어 다니니까", "매일 걸어 다녀", "매일 걸어 다녀요"),
            ("매운 걸 못 먹는데", "매운 걸 못 먹어", "매운 걸 못 먹어요"),
            ("허리가 안 좋으니까", "허리가 안 좋아", "허리가 안 좋아요"),
            ("어제 약을 바꿨으니까", "어제 약을 바꿨어", "어제 약을 바꿨어요"),
            ("내 생일이 5월 5일인 거", "내 생일이 5월 5일이야", "내 생일이 5월 5일이에요"),
            ("내 혈액형은 B형이라는 걸", "내 혈액형은 B형이야", "내 혈액형은 B형이에요"),
            ("내가 채식한다는 사실을", "내가 채식한다", "내가 채식한다"),
            ("나 술 안 마시는 걸", "나 술 안 마시는 거", "나 술 안 마시는 거"),
            ("여권은 서랍에 있어", "여권은 서랍에 있어", "여권은 서랍에 있어"),
            ("I don't drink", "I don't drink", "I don't drink"),
            ("나 매운 거 아니니까", "나 매운 거 아니야", "나 매운 거 아니에요"),
            ("내일 아홉 시에 온다니까", "내일 아홉 시에 온다", "내일 아홉 시에 온다"),
            ("다음 주가 시험이라니까", "다음 주가 시험이야", "다음 주가 시험이에요"),
        ] {
            assert_eq!(closed(open, Manner::Plain), plain);
            assert_eq!(closed(open, Manner::Polite), polite);
        }
    }

    fn check(open: &str, closed_with: &str) {
        assert_eq!(closed(open, Manner::Plain), closed_with, "{open}");
    }

    #[test]
    fn stems_of_every_vowel_are_closed_as_they_are_spoken() {
        for (open, said) in [
            // ㅏ and ㅓ, ㅐ and ㅔ swallow the ending.
            ("월급에서 빠져나가니까", "월급에서 빠져나가"),
            ("조카가 5월에 태어나니까", "조카가 5월에 태어나"),
            ("회의가 여섯 시에 끝나니까", "회의가 여섯 시에 끝나"),
            ("토요일에 이모 만나니까", "토요일에 이모 만나"),
            ("일찍 자니까", "일찍 자"),
            ("역에서 갈아타니까", "역에서 갈아타"),
            ("거기가 더 비싸니까", "거기가 더 비싸"),
            ("애들이 잘 놀라니까", "애들이 잘 놀라"),
            ("아침마다 일어서니까", "아침마다 일어서"),
            ("길을 건너니까", "길을 건너"),
            ("매달 돈을 보내니까", "매달 돈을 보내"),
            ("혼자 잘 지내니까", "혼자 잘 지내"),
            ("바람이 거세니까", "바람이 거세"),
            ("밤에 불을 켜니까", "밤에 불을 켜"),
            // ㅣ, ㅗ, ㅜ and ㅚ are drawn together with it.
            ("강아지를 옆집에 맡기니까", "강아지를 옆집에 맡겨"),
            ("다음 달에 짐을 옮기니까", "다음 달에 짐을 옮겨"),
            ("물이 자꾸 고이니까", "물이 자꾸 고여"),
            ("눈이 쌓이니까", "눈이 쌓여"),
            ("글씨가 안 보이니까", "글씨가 안 보여"),
            ("밥은 내가 챙기니까", "밥은 내가 챙겨"),
            ("피부가 잘 뒤집히니까", "피부가 잘 뒤집혀"),
            ("학원에 다니니까", "학원에 다녀"),
            ("전화가 울리니까", "전화가 울려"),
            ("엄마가 기다리니까", "엄마가 기다려"),
            ("자주 다치니까", "자주 다쳐"),
            ("머리카락이 빠지니까", "머리카락이 빠져"),
            ("할머니는 잘 못 들으시니까", "할머니는 잘 못 들으셔"),
            ("토요일에 손님이 오니까", "토요일에 손님이 와"),
            ("내가 아기를 돌보니까", "내가 아기를 돌봐"),
            ("금요일에 기타 배우니까", "금요일에 기타 배워"),
            ("비밀번호를 바꾸니까", "비밀번호를 바꿔"),
            ("동생한테 알려주니까", "동생한테 알려줘"),
            ("회사를 그만두니까", "회사를 그만둬"),
            ("거기는 주차가 안되니까", "거기는 주차가 안돼"),
            ("월요일은 가게가 쉬니까", "월요일은 가게가 쉬어"),
            // ㅡ falls away.
            ("왼손을 쓰니까", "왼손을 써"),
            ("발이 크니까", "발이 커"),
            ("무릎이 아프니까", "무릎이 아파"),
            ("화요일은 바쁘니까", "화요일은 바빠"),
            ("노을이 예쁘니까", "노을이 예뻐"),
            ("문을 잠그니까", "문을 잠가"),
            // Stems that change: ㄹ, 르, ㅂ, ㄷ, ㅅ, ㅎ.
            ("언니는 대전에 사니까", "언니는 대전에 살아"),
            ("매주 꽃을 사니까", "매주 꽃을 사"),
            ("직접 만드니까", "직접 만들어"),
            ("계단이 힘드니까", "계단이 힘들어"),
            ("집이 머니까", "집이 멀어"),
            ("나는 길을 모르니까", "나는 길을 몰라"),
            ("사이즈가 다르니까", "사이즈가 달라"),
            ("화분에 물을 따르니까", "화분에 물을 따라"),
            ("노래를 부르니까", "노래를 불러"),
            ("고양이를 기르니까", "고양이를 길러"),
            ("거실이 추우니까", "거실이 추워"),
            ("엄마를 도우니까", "엄마를 도와"),
            ("문이 좁으니까", "문이 좁아"),
            ("매일 공원을 걸으니까", "매일 공원을 걸어"),
            ("라디오를 들으니까", "라디오를 들어"),
            ("감기가 다 나으니까", "감기가 다 나아"),
            ("집을 지으니까", "집을 지어"),
            ("지붕이 빨가니까", "지붕이 빨개"),
            ("내 사정이 그러니까", "내 사정이 그래"),
            ("난 괜찮으니까", "난 괜찮아"),
            ("종이가 얇으니까", "종이가 얇아"),
            ("약은 냉장고에 넣으니까", "약은 냉장고에 넣어"),
            ("어제 병원에 갔으니까", "어제 병원에 갔어"),
            ("화분을 옮겨 놨으니까요", "화분을 옮겨 놨어요"),
            ("약이 서랍에 있으니까요", "약이 서랍에 있어요"),
            ("방이 추운데", "방이 추워"),
            ("아침엔 바쁜데", "아침엔 바빠"),
            ("소파 가운데", "소파 가운데"),
        ] {
            check(open, said);
        }
    }

    #[test]
    fn nouns_that_look_like_stems_stay_nouns() {
        for (open, said) in [
            ("내일 시험이니까", "내일 시험이야"),
            ("이모는 간호사니까", "이모는 간호사야"),
            ("우리 언니는 배우니까", "우리 언니는 배우야"),
            ("다음 주가 휴가니까", "다음 주가 휴가야"),
            ("회의는 세 시니까", "회의는 세 시야"),
            ("약속은 7시니까", "약속은 7시야"),
            ("보리는 강아지니까", "보리는 강아지야"),
            ("결혼식은 다음 주니까", "결혼식은 다음 주야"),
            ("저 사람이 우리 누나니까", "저 사람이 우리 누나야"),
            ("반찬은 김치니까", "반찬은 김치야"),
            ("내 자리는 여기니까", "내 자리는 여기야"),
            ("둘 다 내 친구들이니까", "둘 다 내 친구들이야"),
            ("우리 아이니까", "우리 아이야"),
            ("이건 내 차니까", "이건 내 차야"),
            ("오늘까지 쓸 거니까", "오늘까지 쓸 거야"),
            ("마감은 3월 2일이니까요", "마감은 3월 2일이에요"),
        ] {
            check(open, said);
        }
    }
}
