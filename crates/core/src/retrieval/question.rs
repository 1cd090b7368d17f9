//! Features of a question: what it asks for, whom it is about, and the form of its answer.

use std::sync::LazyLock;

use regex::Regex;

use crate::retrieval::marks::pattern;
use crate::retrieval::words::{cut, is_stop_word, stem, without_particle};

/// A parsed question.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Text of the question.
    pub text: String,
    /// Asks for a time.
    pub when: bool,
    /// Asks for a number.
    pub how_many: bool,
    /// Asks for advice, so preferences matter.
    pub advice: bool,
    /// Asks what the character said.
    pub asks_character: bool,
    /// Asks for the current state, so the newest answer counts.
    pub state: bool,
    /// Asks for a retrospective: order, number or development of several events.
    pub looks_back: bool,
    /// Requires something specific.
    pub specific: bool,
    /// Stems of what is asked for: "issue" in "what was the first issue ...".
    pub focus: Vec<String>,
}

static WHEN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bwhen\b|\bwhat (date|day|time|month|year)\b|how long ago|언제|며칠|몇 월|몇 시"));
static HOW_MANY: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bhow (many|much|old|long|often|far)\b|몇|얼마"));
static ADVICE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(suggest\w*|recommend\w*|tips?|advice|ideas?|any (good|other|specific)|what should I|how should I|should I|can you help|could you help|help me|can you (show|give|explain|provide|suggest)|how (can|do|would) I|looking for|I'm planning|what (kind|type)s? of)\b|추천|조언|어떻게 하면|도와|알려\s?줘|뭐가 좋을까",
    )
});
static ASKS_CHARACTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(you|we)\s+(?:\w+\s+){0,2}?(said|told|suggest\w*|recommend\w*|mention\w*|provid\w*|gave|list\w*|explain\w*|advis\w*|shared?|describ\w*|outlin\w*|wrote|created?|made|came up|decided|discuss\w*|talked|proposed?|help\w*|answer\w*|tell|give|propos\w*)\b|\bremind me\b|\b(our|previous|last|earlier)\s+(?:\w+\s+)?(conversation|chat|discussion|session)s?\b|\byour\s+(?:\w+\s+)?(suggestion|recommendation|advice|answer|response|list|explanation|example)s?\b|\bdid you\b|네가|니가|너가|당신이|(추천|제안|설명|말|얘기|이야기|알려)\s?(해|했|한|줬|준|주었)|지난번에\s?(네|니|너)|우리가",
    )
});
static REQUEST_NOW: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(can|could|would|will|do)\s+you\b[^?]*\b(suggest|recommend|provide|give|explain|help|tell|list|share|describe|walk)")
});
static TOLD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(suggested|recommended|mentioned|provided|told|said|gave|listed|explained|advised|shared|described|remind me)\b")
});
static STATE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(how (many|much|often|old|far)|what(?:'s| is| are| time| day| date| percentage| deadline)|when(?:'s| is| are)|where (?:do|does|is|am|are)|who (?:is|are)|what (?:\w+\s){1,3}(?:do|does|is|am|are|should)|which (?:\w+\s){1,3}(?:do|does|is|am|are)|current(?:ly)?|now|latest|these days)\b|몇|얼마|지금|현재|요즘|어디(?:에|서)|언제(?:야|지|예요|인가)|누구",
    )
});
static PAST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(first|original(ly)?|initial(ly)?|before|previous(ly)?|earlier|used to|when did|order|ago|last (year|month|week)|between|evol\w*|over time|history|across|in total|total|altogether|all the|different)\b|처음|원래|예전|옛날|전에|순서|언제부터",
    )
});
static LOOKS_BACK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(order|summar\w*|across|throughout|how (many|much)|between|did I|have I|over time|evolv\w*|developed)\b|순서|요약|정리해|몇|얼마",
    )
});
static SPECIFIC: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bspecific(ally)?\b|\bexact(ly)?\b|구체적|정확히"));

/// Where what is asked for begins: after these heads, with the articles that may follow.
static FOCUS_HEADS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    [
        pattern(
            r"\b(?:what|which|whose)\s+(?:(?:is|was|are|were|'s)\s+)?(?:the\s+|my\s+|your\s+|his\s+|her\s+|their\s+|our\s+|a\s+|an\s+)?",
        ),
        pattern(r"\bhow\s+(?:many|much|long|often|old|far)\s+"),
        pattern(r"\b(?:tell me about|share|describe|explain|summarize|list)\s+(?:the\s+|my\s+|any\s+|your\s+)*"),
    ]
});

/// Words at which what is asked for ends.
const FOCUS_ENDS: &str = " did do does was were is are am has have had will would can could should might may that in on of for from with at to about behind during when where who which while by as and or before after between besides covered taught given starting attended used received i you we he she they my your his her their our ";

/// Words that say nothing about what is asked for, as stems.
static FOCUS_GENERIC: LazyLock<Vec<String>> = LazyLock::new(|| {
    let words = "specific different kind type sort main key certain new total first last other many much various exact particular overall order way thing one pass happen aspect some good best";
    words.split(' ').map(stem).collect()
});

/// Stems of what a number or a time answers, not the word itself.
static MEASURES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let words = "day week month year hour minute time times date when age number amount cost price money percentage percent score rate long far often old";
    let korean = "나이 날짜 요일 시간 시각 기간 생일 생신 가격 비용 금액 번호 횟수 인원 키 무게 몸무 길이 거리 온도 점수 살 시 분 날 달 해 년 월 일 개 명 번 원 층";
    words.split(' ').map(stem).chain(korean.split(' ').map(String::from)).collect()
});

/// Korean words that ask for the noun behind them: "무슨 색", "어느 나라", "몇 시".
const ASKS_BEHIND: [&str; 4] = ["무슨", "어떤", "어느", "몇"];

/// Beginnings of Korean words that ask about the noun before them: "이름이 뭐야", "생일이 언제지".
const ASKS_BEFORE: [&str; 9] = ["뭐", "뭔", "뭘", "무엇", "누구", "누가", "언제", "어디", "얼마"];

impl Question {
    /// Whether this stem of the focus is answered by a number or a time.
    pub fn is_measure(stem: &str) -> bool {
        MEASURES.iter().any(|measure| measure == stem)
    }

    /// Parses a question.
    pub fn of(text: &str) -> Self {
        let asks_character = ASKS_CHARACTER.is_match(text) && (!REQUEST_NOW.is_match(text) || TOLD.is_match(text));
        Self {
            text: text.to_owned(),
            when: WHEN.is_match(text),
            how_many: HOW_MANY.is_match(text),
            advice: ADVICE.is_match(text),
            asks_character,
            state: STATE.is_match(text) && !PAST.is_match(text),
            looks_back: LOOKS_BACK.is_match(text),
            specific: SPECIFIC.is_match(text),
            focus: focus(text),
        }
    }

    /// Returns the indices of `people` named in the question: by full name, Korean given name, or first part of a Latin name.
    pub fn names(&self, people: &[String]) -> Vec<usize> {
        (0..people.len()).filter(|&person| self.place_of(&people[person]).is_some()).collect()
    }

    /// Returns the question without the names of `people`, which say whom it is about but not what.
    pub fn without_names(&self, people: &[String]) -> String {
        let mut text = self.text.clone();
        for person in people {
            let question = Self { text: text.clone(), ..self.clone() };
            let mut rest = question.text.as_str();
            let mut without = String::with_capacity(text.len());
            while let Some((start, end)) = place_of(rest, person) {
                without.push_str(&rest[..start]);
                without.push(' ');
                rest = rest[end..].strip_prefix("'s").or_else(|| rest[end..].strip_prefix("’s")).unwrap_or(&rest[end..]);
            }
            without.push_str(rest);
            text = without;
        }
        text
    }

    fn place_of(&self, person: &str) -> Option<(usize, usize)> {
        place_of(&self.text, person).or_else(|| {
            if is_korean(person) {
                // 김민수 is called 민수.
                let given: String = person.chars().skip(1).collect();
                return (person.chars().count() == 3).then(|| place_of(&self.text, &given)).flatten();
            }
            let lower = person.to_lowercase();
            let begins = |word: &str| {
                let capital = word.starts_with(|letter: char| letter.is_ascii_uppercase()) && word.len() >= 3;
                capital && lower.starts_with(&word.to_lowercase()) && !is_stop_word(&word.to_lowercase())
            };
            let word = self.text.split(|letter: char| !letter.is_alphanumeric()).find(|word| begins(word))?;
            let start = word.as_ptr() as usize - self.text.as_ptr() as usize;
            Some((start, start + word.len()))
        })
    }
}

fn is_korean(name: &str) -> bool {
    name.chars().any(|letter| matches!(letter, '\u{AC00}'..='\u{D7A3}'))
}

/// Where a name stands in a text: anywhere in Korean, as a whole word elsewhere.
fn place_of(text: &str, name: &str) -> Option<(usize, usize)> {
    if name.is_empty() {
        return None;
    }
    if is_korean(name) {
        return text.find(name).map(|start| (start, start + name.len()));
    }
    let lower = name.to_lowercase();
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let length = lower.chars().count();
    for (index, window) in letters.windows(length).enumerate() {
        let same = window.iter().map(|(_, letter)| letter).flat_map(|letter| letter.to_lowercase()).eq(lower.chars());
        let before = index == 0 || !letters[index - 1].1.is_alphanumeric();
        let after = letters.get(index + length).is_none_or(|(_, letter)| !letter.is_alphanumeric());
        if same && before && after {
            let end = letters.get(index + length).map_or(text.len(), |(end, _)| *end);
            return Some((window[0].0, end));
        }
    }
    None
}

/// Korean nouns that name a kind of answer: the memory says 강릉 and not 도시, 간호사 and not 직업. They tell nothing about
/// whether it answers. The first two syllables of each, or the whole where it is shorter.
const KINDS_OF_ANSWER: &str = " 위치 장소 곳 데 나라 도시 동네 지역 고향 주소 색 색깔 종류 음식 음료 메뉴 물건 선물 사람 이유 까닭 방법 직업 일 것 거 내 내가 나 나는 너 우리 때 쪽 분 언어 과목 전공 취미 악기 운동 동물 브랜 회사 학교 ";

/// What a Korean question asks for, by the first two syllables of the noun before or behind the word that asks:
/// endings differ, and the memory may say 결혼해 where the question says 결혼식.
fn korean_focus(text: &str) -> Vec<String> {
    let words: Vec<Vec<char>> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .map(|word| word.chars().collect::<Vec<char>>())
        .filter(|word| word.first().is_some_and(|letter| matches!(letter, '\u{AC00}'..='\u{D7A3}')))
        .collect();
    let noun = |word: &Vec<char>| Some(without_particle(word).iter().take(2).collect::<String>());
    for (at, word) in words.iter().enumerate() {
        let asking: String = word.iter().collect();
        let behind = ASKS_BEHIND.contains(&asking.as_str());
        let before = ASKS_BEFORE.iter().any(|beginning| asking.starts_with(beginning));
        let asked_for = if behind { words.get(at + 1) } else { at.checked_sub(1).filter(|_| before).and_then(|at| words.get(at)) };
        if let Some(noun) = asked_for.and_then(noun) {
            return if KINDS_OF_ANSWER.contains(&format!(" {noun} ")) { Vec::new() } else { vec![noun] };
        }
    }
    Vec::new()
}

/// The stems of what is asked for.
fn focus(text: &str) -> Vec<String> {
    let korean = korean_focus(text);
    if !korean.is_empty() {
        return korean;
    }
    for head in FOCUS_HEADS.iter() {
        let Some(found) = head.find(text) else { continue };
        let mut words = Vec::new();
        for word in text[found.end()..].split_whitespace().take(4) {
            let bare = word.trim_end_matches(|letter: char| !letter.is_alphanumeric());
            let ends = FOCUS_ENDS.contains(&format!(" {} ", bare.to_lowercase())) || bare.ends_with("'s") || bare.ends_with("’s");
            if ends || bare.is_empty() {
                break;
            }
            words.push(bare);
            if bare.len() != word.len() {
                break;
            }
        }
        let stems: Vec<String> = cut(&words.join(" ")).words.into_iter().filter(|stem| !FOCUS_GENERIC.contains(stem)).collect();
        if !stems.is_empty() {
            return stems;
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<&'static str> {
        let question = Question::of(text);
        let marks = [
            ("when", question.when),
            ("how_many", question.how_many),
            ("advice", question.advice),
            ("character", question.asks_character),
            ("state", question.state),
            ("specific", question.specific),
        ];
        marks.into_iter().filter_map(|(name, seen)| seen.then_some(name)).collect()
    }

    #[test]
    fn questions_show_what_they_are_after() {
        for (text, marks) in [
            ("When did Mina move?", vec!["when"]),
            ("생일이 언제야?", vec!["when", "state"]),
            ("How many cats do I have?", vec!["how_many", "state"]),
            ("나 지금 어디에 살아?", vec!["state"]),
            ("What did you recommend for dinner?", vec!["advice", "character"]),
            ("Can you recommend a book?", vec!["advice"]),
            ("저녁 메뉴 추천해줘", vec!["advice", "character"]),
            ("Where did I live before?", vec![]),
            ("what exactly was the title?", vec!["specific"]),
        ] {
            assert_eq!(seen(text), marks, "{text}");
        }
    }

    #[test]
    fn the_focus_is_the_thing_asked_for() {
        for (text, focus) in [
            ("What was the first issue I had with my car?", vec!["issu"]),
            ("Which museum did we visit?", vec!["museum"]),
            ("How many model kits have I bought?", vec!["model", "kit"]),
            ("뭐 먹었지?", vec![]),
            ("강아지 이름이 뭐야?", vec!["이름"]),
            ("동생 결혼식이 언제야?", vec!["결혼"]),
            ("내가 좋아하는 색이 뭐였지?", vec![]),
            ("어느 나라로 이민 갔어?", vec![]),
            ("어느 병원에 갔어?", vec!["병원"]),
            ("치과 예약이 몇 시였지?", vec!["시였"]),
        ] {
            assert_eq!(Question::of(text).focus, focus, "{text}");
        }
    }

    #[test]
    fn people_are_named_whole_by_given_name_or_by_a_beginning() {
        let people: Vec<String> = ["Melanie", "Caroline", "김민수"].map(String::from).to_vec();
        for (text, named) in
            [("What did Caroline paint?", vec![1]), ("Is Mel happy?", vec![0]), ("민수는 뭐 해?", vec![2]), ("what now?", vec![])]
        {
            assert_eq!(Question::of(text).names(&people), named, "{text}");
        }
        let question = Question::of("What is Caroline's new job?");
        assert_eq!(question.without_names(&people), "What is   new job?");
    }
}
