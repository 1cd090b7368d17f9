//! Classifies Korean words by their position in a sentence.

use super::lists::{Worth, may_mean_several, one, worth};
use super::{Subject, Subjects, Token};
use crate::parse::predicate::predicate;
use crate::parse::sentence_parse::{Part, bare, is_light, is_when, is_whole_noun, somebody, verb_key};
use crate::topics::everyday::touches;
use crate::topics::grouping::{goes_on_telling, is_everyday_deed, of_compound};

/// Titles after a name.
const TITLES: &str = "과장 부장 팀장 차장 대리 주임 사원 실장 본부장 이사 상무 전무 사장 대표 원장 소장 점장 매니저 선생 교수 박사 의사 간호사 코치 감독 씨 군 양 쌤 선배 후배";

/// Family names of one syllable.
const SURNAMES: &str = "김이박최정강조윤장임한오서신권황안송류유홍전고문손배백허남심노하곽성차주우구민진지엄채원천방공현함변염양";

/// Particles of degree or addition: "시간이나", "다음엔".
const ALSO_PARTICLES: [&str; 10] = ["이나", "이라도", "라도", "엔", "에선", "한텐", "부턴", "조차", "마저", "밖에"];

/// Particles that a topic particle can follow: "엄마랑은", "학교까지는".
const BEFORE_TOPIC: [&str; 7] = ["이랑", "랑", "까지", "부터", "하고", "으로", "에서"];

/// Endings that turn a noun into a verb in a connecting form.
const DOING: [&str; 11] = ["하다가", "하다", "하러", "하면", "하며", "하는", "하던", "하기", "하자", "하려고", "하느라"];

/// Words for the home of a neighbour.
const NEIGHBOURS: [&str; 6] = ["옆집", "앞집", "뒷집", "윗집", "아랫집", "이웃집"];

/// Nouns that any qualifier distinguishes: lessons, tests, people who lead something.
const PARTED: &str = "수업 과외 레슨 학원 시험 발표 선생님 선생 쌤 면허 통장 카드 계정 팀장님 팀장 부장님 부장 회장 회장님 코치 코치님 감독 감독님 선배 후배";

/// People who lead something: the head of a club is not the head at work.
const LEADERS: &str = "팀장 부장 과장 차장 대리 실장 사장 대표 회장 선배 후배 동료 매니저";

/// Words for former roles.
const FORMER: &str = "전 옛 옛날 예전 지난 전직 구";

/// Relations to another person: "친구 강아지" is not one's own.
const BELONGING: &str = "강아지 고양이 아기 엄마 아빠 남자친구 여자친구 친구 딸 아들 남편 아내";

/// Suffix nouns whose first part is the subject: "토익공부", "전세대출".
const MADE_OF: &str = "공부 학원 시험 점수 준비 집 짐 대출 통장 계약 날짜 비용 사기 연습 대회 수업 강습 교실 동호회 모임 학교 학원비 보증금 이사 식 장소 용품 가방 신발 선수";

const NUMERALS: [&str; 20] = [
    "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두", "스무", "스물", "서른", "마흔", "몇", "여러",
    "반", "첫",
];

const COUNTERS: [&str; 24] = [
    "시", "시간", "시쯤", "시반", "번", "번째", "명", "개", "살", "잔", "달", "마리", "그릇", "군데", "바퀴", "킬로", "키로", "미터", "주",
    "달째", "년", "해", "날", "권",
];

/// Whether a word is a number with what it counts, or a time of the clock.
fn counts(word: &str) -> bool {
    let spelled = NUMERALS.iter().any(|numeral| word.strip_prefix(numeral).is_some_and(|rest| COUNTERS.contains(&rest)));
    spelled || COUNTERS[1..].contains(&word)
}

/// A title as it is met: without what honours.
fn title(word: &str) -> Option<&str> {
    let plain = word.strip_suffix("님").unwrap_or(word);
    TITLES.split_whitespace().find(|title| *title == plain)
}

fn letters(word: &str) -> usize {
    word.chars().count()
}

fn closes(word: &str) -> bool {
    word.chars().next_back().is_some_and(|last| ('\u{AC00}'..='\u{D7A3}').contains(&last) && !(last as u32 - 0xAC00).is_multiple_of(28))
}

/// Whether a word ends in the ㅁ that makes a noun of a verb: "빌려줌", "바뀜".
fn ends_in_m(word: &str) -> bool {
    word.chars().next_back().is_some_and(|last| ('\u{AC00}'..='\u{D7A3}').contains(&last) && (last as u32 - 0xAC00) % 28 == 16)
}

fn is_of(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// Somebody called with 이, as names are that end in a consonant: "하늘" of "하늘이".
fn called_with(noun: &str) -> Option<&str> {
    noun.strip_suffix('이').filter(|front| letters(front) > 1 && closes(front) && !is_whole_noun(noun))
}

/// Whether a noun is known to name a thing. A person with the same name is recognised by the name with 이.
fn names_a_thing(noun: &str) -> bool {
    const SKY: &str = "하늘 구름 사랑 가을 보름 새벽 이슬 햇살 바람 여름 겨울 노을 마음 기쁨 하루 초롱 보람 아름 단풍 호박 감귤 연꽃 벚꽃";
    is_of(SKY, noun) || is_whole_noun(noun) || worth(&[noun]) != Worth::Clear || touches(&[noun.to_owned()]).iter().any(|touch| touch.names)
}

fn key(noun: &str) -> String {
    // "민준이가" and "민준이랑" are one; "하늘이가" is nothing in the sky.
    let front = || called_with(noun).filter(|front| !names_a_thing(front));
    one(noun).or_else(|| somebody(noun)).unwrap_or_else(|| front().unwrap_or(noun).to_owned())
}

fn subject(key: String, said: impl Into<String>) -> Subject {
    Subject { key, said: said.into(), kind: None, clear: true, sure: true, told_which: false, parts: false }
}

pub(super) fn read(tokens: &[Token], at: usize, subjects: &mut Subjects) {
    let token = &tokens[at];
    let word = token.word.as_str();
    let (mut noun, part) = bare(word);
    if let Some(front) = ALSO_PARTICLES.iter().find_map(|particle| noun.strip_suffix(particle)).filter(|front| letters(front) > 1) {
        noun = front;
    }
    if part == Part::Topic && !is_whole_noun(noun) {
        noun = BEFORE_TOPIC.iter().find_map(|particle| noun.strip_suffix(particle)).filter(|front| letters(front) > 1).unwrap_or(noun);
    }
    // "외할머니댁에", "이모네": the place where a person lives describes them.
    let home = noun.strip_suffix('댁').or_else(|| noun.strip_suffix('네'));
    noun = home.filter(|front| somebody(front).is_some() && letters(front) > 1).unwrap_or(noun);
    let before = at.checked_sub(1).map(|at| &tokens[at]).filter(|before| !before.parted);
    // "5키로 뛰었어": a number is of no subject, nor is what it counts.
    let counted = word.starts_with(|letter: char| letter.is_ascii_digit()) || counts(word) || counts(noun);
    if let Some(called) = called_by_title(noun, before) {
        return subjects.takes(called);
    }
    let another = before.filter(|before| is_anothers(&before.word) || is_another(tokens, at, noun));
    let mut forms = vec![word.to_owned(), noun.to_owned()];
    forms.extend(verb_key(word));
    if another.is_none() {
        subjects.themes.extend(touches(&forms));
    }
    if counted || must(word, tokens.get(at + 1)) || is_light(word) || is_light(noun) || is_pronoun(noun) || is_when(noun) {
        return;
    }
    // "나쁘지 않았어" is about no 나쁘지.
    let denied = tokens.get(at + 1).is_some_and(|next| next.word.starts_with(['않', '못', '말', '마', '안']));
    if word.ends_with('지') && denied {
        return;
    }
    let found = predicate(word);
    let person = somebody(noun).is_some();
    if found.certain && !found.named {
        return;
    }
    // "입원했어" tells of 입원, and "서핑하다가" of 서핑.
    let stem = found.stem.clone();
    let doing = DOING.iter().find_map(|ending| word.strip_suffix(ending)).filter(|front| letters(front) > 1);
    if found.certain && found.named {
        noun = &stem;
    } else if let Some(front) = doing {
        noun = front;
    }
    let last = at + 1 == tokens.len() || token.parted || tokens.get(at + 1).is_some_and(|next| next.opens);
    let sure = person || found.certain && found.named || doing.is_some() || !doubtful(word, noun, part, last);
    if !person
        && (part == Part::Open && !found.named && doing.is_none() && goes_on_telling(word) && !is_sure_noun(word) || is_everyday_deed(word))
    {
        return;
    }
    let value = worth(&[word, noun]);
    if value == Worth::Nothing && one(noun).is_none() {
        return;
    }
    if !person && letters(noun) < 2 {
        // "콩이 산책시켰어", "벤한테": a name of one syllable that ends in a consonant is called with 이, and so are things that do
        // something. Only company shows that it is somebody.
        if value == Worth::Clear {
            let called = if closes(noun) { format!("{noun}이") } else { noun.to_owned() };
            let said = if word.starts_with(&called) { called.clone() } else { noun.to_owned() };
            subjects.takes(Subject { sure: is_company(word, noun), ..subject(called, said) });
        }
        return;
    }
    let head = key(noun);
    if let Some(owner) = another {
        let (key, said) = (format!("{} {head}", owner.word), format!("{} {noun}", owner.written));
        return subjects.takes(Subject { sure, ..subject(key, said) });
    }
    let plain = noun.strip_suffix('님').unwrap_or(noun);
    let which = before.filter(|before| says_which(before, person) && !(is_of(LEADERS, plain) && before.word == "회사"));
    if let Some(which) = which {
        let (key, said) = (format!("{} {head}", key(&which.word)), format!("{} {noun}", which.written));
        subjects.takes(Subject { kind: Some(head.clone()), sure, ..subject(key, said) });
    }
    let clear = value != Worth::Unclear || person;
    let parts = person || is_of(PARTED, noun) || may_mean_several(noun);
    subjects.takes(Subject { clear, sure, told_which: which.is_some(), parts, ..subject(head, noun) });
    // "하늘이 생일이야": somebody's, where no deed or state of a thing follows; and only a person can be in company.
    let with = format!("{noun}이");
    if word.starts_with(&with) && called_with(&with).is_some() && names_a_thing(noun) {
        let next = tokens.get(at + 1).filter(|_| !token.parted).map(|next| predicate(&next.word));
        if word != with || next.is_none_or(|next| next.named || !next.certain) {
            subjects.takes(Subject { sure: false, ..subject(with.clone(), with) });
        }
    }
    if let Some(made_of) = made_of(noun) {
        let clear = worth(&[made_of]) != Worth::Unclear;
        subjects.themes.extend(touches(&[made_of.to_owned(), made_of.to_owned()]));
        subjects.takes(Subject { clear, sure, ..subject(key(made_of), made_of) });
    }
    if let Some(made_of) = of_compound(noun).filter(|made_of| worth(&[made_of]) != Worth::Nothing) {
        subjects.takes(Subject { clear: worth(&[made_of]) != Worth::Unclear, sure, ..subject(key(made_of), made_of) });
    }
}

/// Whether a word says what has to be done or is wished for: "먹어야돼", "가야 해", "자고싶다".
fn must(word: &str, next: Option<&Token>) -> bool {
    let wishes = ["고싶", "고파"].iter().any(|wish| word.find(wish).is_some_and(|at| at > 0));
    let open = |front: &str| {
        let last = front.chars().next_back().filter(|last| ('\u{AC00}'..='\u{D7A3}').contains(last));
        // The vowels a stem ends in before 야: 먹어, 가, 해, 써, 와, 둬, 려.
        last.is_some_and(|last| {
            let place = last as u32 - 0xAC00;
            place.is_multiple_of(28) && matches!(place / 28 % 21, 0 | 1 | 4 | 6 | 9 | 10 | 14)
        })
    };
    let needs = word.char_indices().filter(|(_, letter)| *letter == '야').any(|(at, _)| {
        let rest = &word[at + '야'.len_utf8()..];
        let follows = |text: &str| {
            text.starts_with(['돼', '되', '됨', '된', '될', '됐', '됬', '해', '하', '함', '한', '할', '했', '지', '겠', '징', '죠', '쥬'])
        };
        open(&word[..at])
            && (follows(rest) || rest.is_empty() && next.is_some_and(|next| follows(&next.word) && !next.word.starts_with(['지', '죠'])))
    });
    wishes || needs
}

/// Whether it is doubtful that a word is a noun: "보다가" may be a deed that goes on, and what ends a sentence in ㅁ one that is done.
fn doubtful(word: &str, noun: &str, part: Part, last: bool) -> bool {
    let goes_on = noun.ends_with('다') && (word.ends_with("다가") || last) && !matches!(noun, "바다" | "판다" | "소다" | "캐나다");
    let done = last && part == Part::Open && ends_in_m(word) && !is_whole_noun(word) && letters(word) > 2;
    let ends = last
        && part == Part::Open
        && word.ends_with(['어', '아', '해', '네', '지', '래', '대', '냐', '자', '돼', '줘', '봐', '까', '워', '셔', '져', '려']);
    goes_on || done || ends
}

/// Whether a word is known to be a noun, however it ends: "냉장고", "바이올린".
fn is_sure_noun(word: &str) -> bool {
    is_whole_noun(word) || worth(&[word]) == Worth::Noun || touches(&[word.to_owned()]).iter().any(|touch| touch.names)
}

fn is_pronoun(noun: &str) -> bool {
    matches!(
        noun,
        "나" | "내"
            | "저"
            | "제"
            | "우리"
            | "울"
            | "저희"
            | "너"
            | "네"
            | "니"
            | "당신"
            | "너희"
            | "자기"
            | "걔"
            | "쟤"
            | "얘"
            | "누구"
            | "뭐"
    )
}

/// Whether a word says that what follows is somebody else's.
fn is_anothers(word: &str) -> bool {
    let family = word.strip_suffix('네').is_some_and(|front| letters(front) > 1);
    NEIGHBOURS.contains(&word) || family
}

/// Whether the word before somebody says that it is not the one whom it would mean alone: "동아리 부장", "예전 팀장님", "친구 강아지".
fn is_another(tokens: &[Token], at: usize, noun: &str) -> bool {
    let Some(before) = at.checked_sub(1).map(|at| &tokens[at]).filter(|before| !before.parted) else { return false };
    let (word, plain) = (before.word.as_str(), noun.strip_suffix('님').unwrap_or(noun));
    if is_of(LEADERS, plain) {
        let earlier = at > 1 && !tokens[at - 2].parted && is_of(FORMER, &tokens[at - 2].word);
        return is_of(FORMER, word) || word == "회사" && earlier || word != "회사" && letters(word) > 1 && says_which(before, false);
    }
    let has = bare(word) == (word, Part::Open)
        && (somebody(word).is_some() && title(word).is_none() && !is_of(BELONGING, word) || word == "친구");
    let belongs = somebody(noun).is_some_and(|key| BELONGING.split_whitespace().any(|one| somebody(one).as_ref() == Some(&key)));
    has && belongs && word != noun
}

/// What a noun is made with: "토익" of "토익공부". What stands before has to be a noun of its own, of two syllables or more.
fn made_of(noun: &str) -> Option<&str> {
    let front = MADE_OF.split_whitespace().filter_map(|made| noun.strip_suffix(made)).find(|front| letters(front) > 1)?;
    let known = touches(&[front.to_owned()]).iter().any(|touch| touch.names) || letters(noun) > 3 && worth(&[front]) == Worth::Clear;
    (known && !is_whole_noun(noun) && !predicate(noun).certain).then_some(front)
}

/// Whether a lone syllable is said to be in one's company or spoken to.
fn is_company(word: &str, noun: &str) -> bool {
    word.strip_prefix(noun).is_some_and(|particle| matches!(particle, "랑" | "이랑" | "한테" | "에게" | "한테서" | "네" | "하고"))
}

/// Somebody called by a name and a title: "김 과장님", "박대리".
fn called_by_title(noun: &str, before: Option<&Token>) -> Option<Subject> {
    if let Some(title) = title(noun) {
        let before = before?;
        let mut family = before.word.chars();
        let surname = family.next().is_some_and(|first| SURNAMES.contains(first)) && family.next().is_none();
        let named = surname || letters(title) == 1 && (2..4).contains(&letters(&before.word));
        return named.then(|| subject(format!("{} {title}", before.word), format!("{} {noun}", before.written)));
    }
    let first = noun.chars().next().filter(|first| SURNAMES.contains(*first))?;
    let rest = &noun[first.len_utf8()..];
    let title = title(rest).filter(|title| letters(title) > 1)?;
    Some(subject(format!("{first} {title}"), noun))
}

/// Whether a word directly before a noun says which one it is: "수학 과외"; before what somebody is to one it is a name.
fn says_which(before: &Token, person: bool) -> bool {
    let word = before.word.as_str();
    let (noun, part) = bare(word);
    before.is_korean()
        && part == Part::Open
        && noun == word
        && letters(word) > 1
        && !is_light(word)
        && !is_when(word)
        && !is_pronoun(word)
        && !counts(word)
        && !word.starts_with(|letter: char| letter.is_ascii_digit())
        && !predicate(word).certain
        && (person && letters(word) < 4 || is_sure_noun(word) || !goes_on_telling(word))
        && !is_everyday_deed(word)
        && matches!(worth(&[word]), Worth::Clear | Worth::Noun)
}
