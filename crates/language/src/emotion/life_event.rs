//! Life events: never predictable, however often their people and places were mentioned before. Also the emotion such an event
//! causes.

use std::borrow::Cow;
use std::sync::{LazyLock, Mutex, PoisonError};

use regex::{Regex, RegexBuilder};
use saegim_core::{Emotion, LruCache, Unit};

static EVENTS: LazyLock<Events> = LazyLock::new(|| Events::read(include_str!("../../data/emotion/life_events.tsv")));

/// Emotion that a life event causes, even if it is told plainly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LifeFeeling {
    /// Emotion, unless the text says otherwise.
    pub emotion: Emotion,
    /// Minimum intensity.
    pub intensity: Unit,
}

struct Events {
    /// Phrases that look like a cue but are none.
    never: Regex,
    /// Marks of laughter, and phrases that are no cue in a text with laughter.
    laugh: Regex,
    laughed: Regex,
    /// Wording of events that concern no person of this life, or that did not happen.
    apart: Regex,
    story: Regex,
    /// Any cue: most texts contain none.
    any: Vec<Regex>,
    felt: Vec<(LifeFeeling, Regex)>,
}

impl Events {
    fn read(table: &str) -> Self {
        let rows = table.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let rows: Vec<[&str; 3]> = rows.filter_map(|line| line.split('\t').collect::<Vec<_>>().try_into().ok()).collect();
        let joined = |wanted: &dyn Fn(&str) -> bool| {
            let cues: Vec<&str> = rows.iter().filter(|[brings, ..]| wanted(brings)).map(|[.., cue]| *cue).collect();
            compiled(&cues.join("|"))
        };
        let tells = |brings: &str| brings == "turn" || Emotion::parse(brings).is_ok();
        let cues: Vec<&str> = rows.iter().filter(|[brings, ..]| tells(brings)).map(|[.., cue]| *cue).collect();
        let felt = rows.iter().filter_map(|[brings, strength, cue]| {
            let (emotion, intensity) = (Emotion::parse(brings).ok()?, Unit::clamped(strength.parse().ok()?));
            Some((LifeFeeling { emotion, intensity }, compiled(cue)))
        });
        Self {
            never: joined(&|brings| brings == "never"),
            laugh: joined(&|brings| brings == "laugh"),
            laughed: joined(&|brings| brings == "laughed"),
            apart: joined(&|brings| brings == "apart"),
            story: joined(&|brings| brings == "story"),
            any: cues.chunks(TOGETHER).map(|cues| compiled(&cues.join("|"))).collect(),
            felt: felt.collect(),
        }
    }

    fn has_any(&self, text: &str) -> bool {
        self.any.iter().any(|cues| cues.is_match(text))
    }

    /// Removes phrases that only look like a cue.
    fn plain<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let plain = self.never.replace_all(text, " … ");
        if !self.laugh.is_match(text) {
            return plain;
        }
        Cow::Owned(self.laughed.replace_all(&plain, " … ").into_owned())
    }
}

/// Number of patterns compiled into one regex. With more of them the lazy DFA has too many states and searching is ten times
/// slower.
const TOGETHER: usize = 6;

/// Size limit of the lazy DFA cache in bytes. With less, searching is ten times slower.
const ROOM: usize = 16 << 20;

/// Number of texts per generation of the cache of cue checks; each text is checked several times.
const ASKED: usize = 512;

static CACHE: LazyLock<Mutex<LruCache<Box<str>, bool>>> = LazyLock::new(|| Mutex::new(LruCache::with_room(ASKED)));

/// Whether a text contains any cue.
fn has_cue(text: &str) -> bool {
    let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = cache().get(text) {
        return known;
    }
    let has = EVENTS.has_any(text);
    cache().put(text.into(), has);
    has
}

fn compiled(cues: &str) -> Regex {
    // Borders of plain words only: looking for others takes a slower way through every Korean text.
    let pattern = format!("(?i)(?:{})", cues.replace(r"\b", r"(?-u:\b)"));
    RegexBuilder::new(&pattern).dfa_size_limit(ROOM).build().expect("a test reads every cue")
}

/// Whether a text reports a birth, death, illness, accident, harm, marriage, separation, move, or a job won or lost. Dreams,
/// fiction and news about celebrities do not count.
pub fn is_life_event(text: &str) -> bool {
    has_cue(text) && clauses(&EVENTS.plain(text)).any(|clause| EVENTS.has_any(clause) && !EVENTS.story.is_match(clause))
}

/// Whether any part of a text is about a dream, a book, a film or a celebrity.
pub(crate) fn tells_story(text: &str) -> bool {
    EVENTS.story.is_match(text)
}

/// Returns the clauses of a text with their closing punctuation.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', ',', '!', '?', ';', '\n', '…'])
}

/// Returns the emotion of the strongest life event in the text. Returns `None` if there is none, or if it is hypothetical, wished
/// for, negated, fictional or about strangers.
pub(crate) fn life_feeling(text: &str) -> Option<LifeFeeling> {
    if !has_cue(text) {
        return None;
    }
    let text = text.replace('’', "'");
    let plain = EVENTS.plain(&text);
    let apart = |clause: &str| clause.ends_with('?') || EVENTS.apart.is_match(clause) || EVENTS.story.is_match(clause);
    let told = clauses(&plain).filter(|clause| !apart(clause)).flat_map(|clause| {
        let clause = clause.trim_end_matches(['.', ',', '!', ';', '\n', '…']).trim();
        EVENTS.felt.iter().filter(move |(_, cue)| cue.is_match(clause)).map(|(felt, _)| *felt)
    });
    told.max_by(|one, other| one.intensity.get().total_cmp(&other.intensity.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, great: bool) {
        assert_eq!(is_life_event(text), great, "{text}");
    }

    #[test]
    fn what_turns_a_life_is_told_from_what_fills_it() {
        for text in [
            "어젯밤에 엄마가 돌아가셨어",
            "우리 강아지가 무지개다리를 건넜어",
            "할아버지 장례식 다녀왔어",
            "동생이 교통사고를 당했어",
            "아빠가 암 진단을 받으셨어",
            "언니가 아기를 낳았어",
            "나 임신했어",
            "우리 다음 달에 결혼해",
            "남자친구랑 헤어졌어",
            "부모님이 이혼하셨어",
            "나 회사에서 잘렸어",
            "드디어 취업했어",
            "부산으로 이사했어",
            "대학에 합격했어",
            "아빠 수술하셨대",
            "My mum died last night",
            "Grandpa passed away",
            "My sister had a baby",
            "I'm pregnant",
            "We got engaged",
            "She asked for a divorce",
            "I got fired today",
            "I got the job!",
            "Dad had a stroke",
            "He was in a car crash",
            "My girlfriend broke up with me",
            "We moved to Leeds",
            "She was diagnosed with cancer",
        ] {
            check(text, true);
        }
        for text in [
            "엄마랑 시장에 갔어",
            "핸드폰 배터리가 죽었어",
            "배고파 죽겠어",
            "웃겨 죽는 줄",
            "영화에서 주인공이 죽었어",
            "사고 싶은 가방이 있어",
            "회의를 다음 주로 옮겼어",
            "암튼 재밌었어",
            "My phone died",
            "The battery died again",
            "I died laughing",
            "I'm dying to see it",
            "The barista knows my order",
            "They fired up the grill",
            "I moved the sofa",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn natural_forms_of_great_events_are_known_and_their_look_alikes_are_not() {
        for text in [
            "나 오늘 짤렸어",
            "우리 결혼하기로 했어",
            "할머니가 암이래",
            "둘째가 생겼어",
            "드디어 집 샀어",
            "아들이 의대에 붙었어",
            "They let me go on Friday",
            "I was made redundant",
            "We eloped in Vegas",
            "We closed on our first home",
            "I got into Harvard",
            "He asked me to marry him",
        ] {
            check(text, true);
        }
        for text in [
            "사진이 잘렸어",
            "머리카락이 너무 짧게 짤렸어",
            "밥 먹고 헤어졌어",
            "할머니가 댁으로 돌아가셨어",
            "고양이 집 샀어",
            "유산균 먹었어",
            "옆집 강아지가 새끼를 낳았대",
            "He let me go first",
            "The call kept breaking up",
            "She left me a note",
            "We bought a birdhouse",
            "I got the job done early",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn harm_turns_a_life_and_what_is_laughed_at_dreamt_or_played_does_not() {
        for text in [
            "아빠가 또 때렸어",
            "친구가 극단적인 선택을 했어",
            "손목을 그었어",
            "회사에서 왕따당해",
            "시험관 이번에도 실패했어",
            "할머니 어제 돌아가심",
            "My stepfather hits us",
            "She took her own life",
            "He was groped on the bus",
            "Grandpa didn't make it",
            "I relapsed",
            "We paid off our mortgage",
        ] {
            check(text, true);
        }
        for text in [
            "아빠가 모기 때려잡았어",
            "동생이 나 때렸어 ㅋㅋ",
            "나 파산 ㅋㅋㅋ",
            "할머니가 돌아가신 꿈을 꿨어",
            "그 배우 이혼했대",
            "담배 끊었어",
            "That song hits me hard",
            "He hit me up on Instagram",
            "She beat me at chess",
            "I cut myself shaving",
            "I had a dream that my mom died",
            "We didn't make it to the party",
        ] {
            check(text, false);
        }
        assert!(tells_story("꿈에서 누가 쫓아왔어") && !tells_story("꿈꾸던 회사에 들어갔어"));
    }

    #[test]
    fn a_great_event_is_felt_by_whom_it_happens_to() {
        use Emotion::{Fear, Joy, Sadness};
        for (text, emotion) in [
            ("결혼하기로 했어!!", Some(Joy)),
            ("조카가 태어났어", Some(Joy)),
            ("아빠 암이래", Some(Sadness)),
            ("여자친구랑 헤어졌어", Some(Sadness)),
            ("엄마가 교통사고를 당했어", Some(Fear)),
            ("면접은 떨렸는데, 최종 합격했어", Some(Joy)),
            ("We're expecting a baby", Some(Joy)),
            ("I got laid off", Some(Sadness)),
            ("My brother was in a car crash", Some(Fear)),
            ("나도 결혼하고 싶다", None),
            ("저는 대구에서 태어났어요", None),
            ("드라마에서 주인공 엄마가 돌아가셨어", None),
            ("옆집 딸이 결혼한대", None),
            ("안 헤어졌어", None),
            ("수원으로 이사했어요", None),
            ("What if I got fired", None),
            ("The actress got divorced", None),
            ("My coworker's cousin got married", None),
            ("I'm not pregnant", None),
            ("I work in the hospital", None),
        ] {
            assert_eq!(life_feeling(text).map(|felt| felt.emotion), emotion, "{text}");
        }
    }
}
