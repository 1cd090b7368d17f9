//! What a Korean word names where it stands.

use super::lists::{Worth, one, worth};
use super::{Subject, Subjects, Token};
use crate::everyday::touches;
use crate::predicate::predicate;
use crate::telling::{Part, bare, is_light, is_when, is_whole_noun, somebody, verb_key};
use crate::topics::{goes_on_telling, is_everyday_deed, of_compound};

/// What people are called by after their names.
const TITLES: &str = "과장 부장 팀장 차장 대리 주임 사원 실장 본부장 이사 상무 전무 사장 대표 원장 소장 점장 매니저 선생 교수 박사 의사 간호사 코치 감독 씨 군 양 쌤 선배 후배";

/// Family names of one syllable.
const SURNAMES: &str = "김이박최정강조윤장임한오서신권황안송류유홍전고문손배백허남심노하곽성차주우구민진지엄채원천방공현함변염양";

/// Particles that only say how much or what else: "시간이나", "다음엔".
const ALSO_PARTICLES: [&str; 10] = ["이나", "이라도", "라도", "엔", "에선", "한텐", "부턴", "조차", "마저", "밖에"];

/// What makes a deed of a noun and lets it go on.
const DOING: [&str; 11] = ["하다가", "하다", "하러", "하면", "하며", "하는", "하던", "하기", "하자", "하려고", "하느라"];

/// Whose something is where it is a neighbour's.
const NEIGHBOURS: [&str; 6] = ["옆집", "앞집", "뒷집", "윗집", "아랫집", "이웃집"];

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

fn key(noun: &str) -> String {
    one(noun).or_else(|| somebody(noun)).unwrap_or_else(|| {
        // "하늘이가" and "하늘이랑" are one: names that end in a consonant are called with 이.
        let front = noun.strip_suffix('이').filter(|front| letters(front) > 1 && closes(front) && !is_whole_noun(noun));
        front.unwrap_or(noun).to_owned()
    })
}

fn subject(key: String, said: impl Into<String>) -> Subject {
    Subject { key, said: said.into(), kind: None, clear: true, sure: true, told_which: false }
}

pub(super) fn read(tokens: &[Token], at: usize, subjects: &mut Subjects) {
    let token = &tokens[at];
    let word = token.word.as_str();
    let (mut noun, part) = bare(word);
    if let Some(front) = ALSO_PARTICLES.iter().find_map(|particle| noun.strip_suffix(particle)).filter(|front| letters(front) > 1) {
        noun = front;
    }
    let before = at.checked_sub(1).map(|at| &tokens[at]).filter(|before| !before.parted);
    // "5키로 뛰었어": a number is of no subject, nor is what it counts.
    let counted = word.starts_with(|letter: char| letter.is_ascii_digit()) || counts(word) || counts(noun);
    if let Some(called) = called_by_title(noun, before) {
        return subjects.takes(called);
    }
    let another = before.filter(|before| is_anothers(&before.word));
    let mut forms = vec![word.to_owned(), noun.to_owned()];
    forms.extend(verb_key(word));
    if another.is_none() {
        subjects.themes.extend(touches(&forms));
    }
    if counted || is_light(word) || is_light(noun) || is_pronoun(noun) || is_when(noun) {
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
    let which = before.filter(|before| says_which(before, person));
    if let Some(which) = which {
        let (key, said) = (format!("{} {head}", key(&which.word)), format!("{} {noun}", which.written));
        subjects.takes(Subject { kind: Some(head.clone()), sure, ..subject(key, said) });
    }
    let clear = value != Worth::Unclear || person;
    subjects.takes(Subject { clear, sure, told_which: which.is_some(), ..subject(head, noun) });
    if let Some(made_of) = of_compound(noun).filter(|made_of| worth(&[made_of]) != Worth::Nothing) {
        subjects.takes(Subject { clear: worth(&[made_of]) != Worth::Unclear, sure, ..subject(key(made_of), made_of) });
    }
}

/// Whether it is doubtful that a word is a noun: "보다가" may be a deed that goes on, and what ends a sentence in ㅁ one that is done.
fn doubtful(word: &str, noun: &str, part: Part, last: bool) -> bool {
    let goes_on = noun.ends_with('다') && (word.ends_with("다가") || last) && !matches!(noun, "바다" | "판다" | "소다" | "캐나다");
    let done = last && part == Part::Open && ends_in_m(word) && !is_whole_noun(word) && letters(word) > 2;
    let ends = last && part == Part::Open && word.ends_with(['어', '아', '해', '네', '지', '래', '대', '냐', '자']);
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
