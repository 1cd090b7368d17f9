//! Distillation without a model: the most central sentence without its circumstances, and its count.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use saegim_core::{Essence, Language, Memory, cut};

use crate::patterns::table::{Pattern, rows};
use crate::topics::common_subject::common;
use crate::topics::topic_name::{TopicMentions, TopicName};

static CIRCUMSTANCES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    rows(include_str!("../../data/summarize/circumstances.tsv"))
        .filter_map(|row| match row[..] {
            [_, pattern] => Some(Pattern::new(pattern)),
            _ => None,
        })
        .collect()
});

/// Number of mentions from which an essence states its subject and count.
const PATTERN_FROM: usize = 3;

/// Returns a sentence without date, time and laughter.
pub fn without_circumstances(text: &str) -> String {
    let mut rest = text.trim().to_owned();
    for pattern in CIRCUMSTANCES.iter() {
        while let Some(shorter) = without(pattern, &rest) {
            // A text that consists only of circumstances, or says nothing without them, is kept as it is.
            if shorter.chars().count() < 2 || shorter == rest || is_torn(&shorter, &rest) {
                break;
            }
            rest = shorter;
        }
    }
    untorn(rest.trim().trim_matches(',').trim()).to_owned()
}

/// Removes a conjunction at the beginning: "and I rescued a kitten".
fn untorn(text: &str) -> &str {
    const JOINS: [&str; 12] =
        ["and ", "but ", "because ", "plus ", "then ", "which ", "그리고 ", "근데 ", "그런데 ", "그래서 ", "하지만 ", "그러다 "];
    let joined = JOINS.iter().find_map(|join| text.strip_prefix(join).or_else(|| text.strip_prefix(capitalised(join).as_str())));
    joined.map(|rest| rest.trim_start_matches(',').trim_start()).filter(|rest| rest.contains(' ')).unwrap_or(text)
}

/// Removes the first match of a pattern. Keeps a comma that separates the text before the match from the text after it.
fn without(pattern: &Pattern, text: &str) -> Option<String> {
    let found = pattern.on(text)?.find(text)?;
    let (before, after) = (text[..found.start()].trim_end(), &text[found.end()..]);
    // "매주 목요일에" is no single time.
    if ["매주", "격주", "매달", "every", "each"].iter().any(|word| before.to_lowercase().ends_with(word)) {
        return None;
    }
    let parts = found.as_str().trim_end().ends_with(',') && before.chars().next_back().is_some_and(char::is_alphanumeric);
    let shorter = format!("{before}{} {after}", if parts { "," } else { "" });
    Some(shorter.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Whether shortening `whole` to `text` broke the sentence: "Sophie's wedding is", "결혼식은이야".
fn is_torn(text: &str, whole: &str) -> bool {
    const LEADS_ON: [&str; 16] = ["is", "are", "was", "were", "be", "on", "at", "in", "by", "the", "a", "an", "of", "to", "for", "from"];
    let last = text.rsplit(' ').next().unwrap_or_default().trim_end_matches(['.', '!', ',']).to_lowercase();
    let is_new = |word: &str| !whole.split_whitespace().any(|known| known.starts_with(word));
    let lone = text.split_whitespace().any(|word| word == ",");
    let mut words = text.split_whitespace().map(|word| word.trim_end_matches(','));
    lone || LEADS_ON.contains(&last.as_str()) || words.any(is_new)
}

/// Distils texts to one sentence, in the language of most of them.
pub(crate) fn distil(texts: &[&str]) -> String {
    let sources: Vec<EssenceSource> = texts.iter().map(|text| EssenceSource::text(text)).collect();
    counted_essence(&sources, &[], texts.len(), &[]).text
}

/// Distils memories with a known count: `times` mentions in total, some of them in the words of `beside`. `names` are the names
/// of the user and the character, which never count as subjects.
pub fn counted_essence(sources: &[EssenceSource<'_>], beside: &[&str], times: usize, names: &[String]) -> WordedEssence {
    let said: Vec<&str> = sources.iter().map(|source| source.said).collect();
    let Some(most) = central(&said) else { return WordedEssence::plain(String::new()) };
    if times < PATTERN_FROM {
        return WordedEssence::plain(without_circumstances(most));
    }
    let mut tellings = sources.to_vec();
    // If most of the counted messages can be read, they show the common subject better than the essence does.
    if beside.len() * 2 > times {
        tellings.retain(|telling| !telling.counted);
    }
    tellings.extend(beside.iter().map(|text| EssenceSource::text(text)));
    match common(&tellings, names) {
        Some(subject) => worded(&subject, &said, times),
        None => WordedEssence::counted(Essence { subject: None, times: times as u32 }, &without_circumstances(most), language_of(&said)),
    }
}

/// Writes the essence of a subject: its number of mentions and the best example.
pub fn topic_essence(subject: &str, sources: &[EssenceSource<'_>], times: usize) -> WordedEssence {
    let said: Vec<&str> = sources.iter().map(|source| source.said).collect();
    match times < PATTERN_FROM {
        true => WordedEssence::plain(central(&said).map(without_circumstances).unwrap_or_default()),
        false => worded(subject, &said, times),
    }
}

fn worded(subject: &str, said: &[&str], times: usize) -> WordedEssence {
    let sought = TopicName::of(subject);
    let about: Vec<&str> = said.iter().filter(|text| sought.is_named_in(&TopicMentions::of(text))).copied().collect();
    let examples = [tellings_of(&about), tellings_of(said), about, said.to_vec()];
    let examples = examples.into_iter().find(|texts| !texts.is_empty()).unwrap_or_default();
    let more: Vec<&str> = examples.iter().copied().filter(|text| says_more(text, subject)).collect();
    let example = central(&more).map(without_circumstances).unwrap_or_default();
    WordedEssence::counted(Essence { subject: Some(subject.to_owned()), times: times as u32 }, &example, language_of(said))
}

/// The text of an essence, with what it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordedEssence {
    /// Text.
    pub text: String,
    /// Subject and count; `None` for a text without a count.
    pub essence: Option<Essence>,
}

impl WordedEssence {
    /// A text that counts nothing.
    pub fn plain(text: String) -> Self {
        Self { text, essence: None }
    }

    fn counted(essence: Essence, example: &str, language: Language) -> Self {
        Self { text: essence.text(example, language), essence: Some(essence) }
    }

    /// Returns the subject, if one could be named.
    pub fn subject(&self) -> Option<&str> {
        self.essence.as_ref()?.subject.as_deref()
    }
}

/// Whether an example says more than the subject: "오늘도 야근!" does not.
fn says_more(text: &str, subject: &str) -> bool {
    let named = cut(subject).words;
    let folded = subject.to_lowercase();
    let is_more = |word: &str| {
        let bare: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>().to_lowercase();
        let lone = bare.chars().all(|letter| ('\u{3131}'..='\u{318E}').contains(&letter) || letter.is_ascii_digit());
        let known = folded.split([' ', '·']).any(|name| bare == name) || cut(&bare).words.iter().all(|word| named.contains(word));
        !lone && !known && !["또", "again", "오늘도", "역시", "진짜", "today"].contains(&bare.as_str())
    };
    without_circumstances(text).split_whitespace().any(is_more)
}

/// Returns the texts with more than one word.
fn tellings_of<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    texts.iter().copied().filter(|text| text.split_whitespace().count() > 1).collect()
}

/// Returns the language of most texts.
fn language_of(texts: &[&str]) -> Language {
    let korean = texts.iter().filter(|text| Language::of(text) == Language::Korean).count();
    if korean * 2 >= texts.len() { Language::Korean } else { Language::English }
}

/// A memory to distil.
#[derive(Clone, Copy, Debug)]
pub struct EssenceSource<'a> {
    pub(crate) said: &'a str,
    pub(crate) times: usize,
    /// Subject, if it is an essence that has one.
    pub(crate) subject: Option<&'a str>,
    /// Whether `said` is only an example of what an essence counts.
    pub(crate) counted: bool,
}

impl<'a> EssenceSource<'a> {
    /// A text that was said once.
    pub fn text(said: &'a str) -> Self {
        Self { said, times: 1, subject: None, counted: false }
    }

    /// A memory; an essence counts as often as its text states.
    pub fn of(memory: &'a Memory) -> Self {
        let times = memory.essence.as_ref().map_or(1, |essence| essence.times.max(1) as usize);
        Self { said: memory.said(), times, subject: memory.subject(), counted: memory.subject().is_some() || memory.states_count() }
    }

    /// The same with another number of mentions.
    pub fn told(self, times: usize) -> Self {
        Self { times, ..self }
    }
}

/// A sentence's first word.
fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the text that shares most words with all others; the earliest of equals. Identical texts are compared once but count
/// each time.
fn central<'a>(texts: &[&'a str]) -> Option<&'a str> {
    let mut different: Vec<(&str, f32, BTreeSet<String>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for &text in texts {
        match places.get(text) {
            Some(&place) => different[place].1 += 1.0,
            None => {
                places.insert(text, different.len());
                different.push((text, 1.0, cut(text).words.into_iter().collect()));
            }
        }
    }
    // The shared parts are summed word by word, which gives the same result as comparing every pair of texts.
    let mut told: HashMap<&str, (f32, f32)> = HashMap::new();
    for (_, times, words) in &different {
        for word in words {
            let (all, parts) = told.entry(word.as_str()).or_default();
            *all += times;
            *parts += times / words.len() as f32;
        }
    }
    let shared = |words: &BTreeSet<String>| -> f32 {
        words.iter().filter_map(|word| told.get(word.as_str())).map(|(all, parts)| all / words.len() as f32 + parts).sum()
    };
    let mut best: Option<(&'a str, f32)> = None;
    for (text, _, words) in &different {
        let value = shared(words);
        if best.is_none_or(|(_, most)| value > most + 1e-4) {
            best = Some((text, value));
        }
    }
    best.map(|(text, _)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_about(text: &str, subject: &str) -> bool {
        TopicName::of(subject).is_named_in(&TopicMentions::of(text))
    }

    /// An essence of a subject.
    fn of<'a>(subject: &'a str, times: usize, said: &'a str) -> EssenceSource<'a> {
        EssenceSource { said, times, subject: Some(subject), counted: true }
    }

    #[test]
    fn circumstances_are_left_out() {
        for (text, rest) in [
            ("오늘 3시에 동네 카페에서 라떼 마셨어 ㅋㅋㅋ", "동네 카페에서 라떼 마셨어"),
            ("어제 또 야근했어...", "야근했어"),
            ("Yesterday I went climbing with Jun", "I went climbing with Jun"),
            ("오늘", "오늘"),
            ("엄마가 보고 싶어", "엄마가 보고 싶어"),
            ("수아 결혼식은 3월 21일이야", "수아 결혼식은 3월 21일이야"),
            ("원화전은 내년 4월 9일, 내 생일에 열려", "원화전은 내년 4월 9일, 내 생일에 열려"),
            ("Sophie's wedding is on March 21", "Sophie's wedding is on March 21"),
            ("We met on March 21 by the sea", "We met by the sea"),
            ("어젯밤에 엄마가 돌아가셨어", "엄마가 돌아가셨어"),
            ("민수가 어제 전화했어", "민수가 전화했어"),
            ("나 지난주에 회사 그만뒀어", "나 회사 그만뒀어"),
            ("오늘은 카페에서 일했어요", "카페에서 일했어요"),
            ("할머니가 그저께는 웃으셨습니다", "할머니가 웃으셨습니다"),
            ("드디어 시험 붙었어 어제!", "드디어 시험 붙었어"),
            ("저번 주에 이사했어", "이사했어"),
            ("친구랑 아까 싸웠음", "친구랑 싸웠음"),
            ("내일모레가 좋아", "내일모레가 좋아"),
            ("오늘의 메뉴는 비빔밥이었어", "오늘의 메뉴는 비빔밥이었어"),
            ("어제오늘 일이 아니야", "어제오늘 일이 아니야"),
            ("매일 아침 수영해", "매일 아침 수영해"),
            ("My brother called last night to say hi", "My brother called to say hi"),
            ("I lost my ring last week", "I lost my ring"),
            ("We adopted a cat two days ago!", "We adopted a cat"),
            ("Mum phoned this morning and cried", "Mum phoned and cried"),
            ("Today's special was great", "Today's special was great"),
            ("I quit my job yesterday", "I quit my job"),
            ("Tonight, we ate on the roof", "we ate on the roof"),
            ("Walked the walls again last night, all quiet", "Walked the walls again, all quiet"),
            ("토요일에도 수영장에 갔어", "수영장에 갔어"),
            ("지난 토요일에 수영장에 갔어", "수영장에 갔어"),
            ("우리는 목요일에 합창 연습을 했어", "우리는 합창 연습을 했어"),
            ("매주 목요일에 합창 연습을 해", "매주 목요일에 합창 연습을 해"),
            ("목요일마다 합창 연습을 해", "목요일마다 합창 연습을 해"),
            ("Baked sourdough on Sunday", "Baked sourdough"),
            ("Choir at 7pm with the girls", "Choir with the girls"),
            ("I go swimming on Sundays", "I go swimming on Sundays"),
            ("Sophie's wedding is on Sunday", "Sophie's wedding is on Sunday"),
        ] {
            assert_eq!(without_circumstances(text), rest);
        }
    }

    #[test]
    fn many_memories_become_one_sentence_with_their_count() {
        let cafe = ["오늘 동네 카페에서 라떼 마셨어", "퇴근하고 카페에 들렀어", "카페에서 책 읽었어", "동네 카페 사장님이랑 얘기했어"];
        let essence = distil(&cafe);
        assert!(essence.contains("카페") && essence.contains("4번") && !essence.contains("오늘"), "{essence}");
        let runs = ["I went running by the river today", "Went running again", "Running in the rain was fun"];
        let essence = distil(&runs);
        assert!(essence.contains("3 times") && essence.to_lowercase().contains("running"), "{essence}");
        for (texts, begins) in [
            (["Mum's back hurts and I'm worried", "Called Mum today", "Mum came over for dinner"], "Mum came up 3 times."),
            (["Mochi stole a sock lol", "Walked Mochi by the river", "Mochi slept on my bed"], "Mochi came up 3 times."),
            (
                ["I'm so proud of the team", "I was really proud today", "So proud right now"],
                "Similar things came up 3 times. For example: ",
            ),
            (["I'll call you", "I'll be late", "I'll try again"], "Similar things came up 3 times. For example: "),
            (["Went home early", "I went out", "We went too far"], "Similar things came up 3 times. For example: "),
            (["The café was full", "Sat in the café for hours", "Our café closes at nine"], "Café came up 3 times."),
            (["Went swimming", "Swimming was great", "I go swimming on Fridays"], "Swimming came up 3 times."),
            (["강아지가 아파", "강아지랑 산책했어", "우리 강아지는 잠꾸러기야"], "강아지 이야기가 3번 나왔다."),
            (["정말 기뻤어", "너무 기뻤어", "진짜 기뻤어"], "비슷한 이야기가 3번 나왔다. 예를 들어 "),
            (["엄마한테 전화했어", "엄마가 오셨어", "엄마랑 싸웠어"], "엄마 이야기가 3번 나왔다."),
        ] {
            let essence = distil(&texts);
            assert!(essence.starts_with(begins), "{essence}");
        }
        assert_eq!(distil(&["오늘 첫 월급을 받았어!"]), "첫 월급을 받았어!");
        assert_eq!(distil(&[]), "");
        let again = [of("Mochi", 3, "My cat's name is Mochi"), of("Mochi", 4, "Walked Mochi"), EssenceSource::text("Brushed Mochi")];
        let essence = counted_essence(&again, &[], 8, &[]).text;
        assert!(essence.starts_with("Mochi came up 8 times.") && essence.matches("came up").count() == 1, "{essence}");
        let alone = counted_essence(&[of("카페", 3, "동네 카페에서 라떼 마셨어")], &[], 3, &[]);
        assert_eq!(alone.text, "카페 이야기가 3번 나왔다. 동네 카페에서 라떼 마셨어", "an essence alone stays what it is");
    }

    #[test]
    fn a_subject_is_named_only_where_nearly_all_are_about_it_and_a_count_goes_on() {
        for (texts, begins) in [
            (["수영장에서 자유형 연습했어", "수영장에 다녀왔어", "친구랑 밥 먹었어"], "비슷한 이야기가 3번"),
            (["주말 아침 카페는 조용해", "카페에서 일기 썼어", "퇴근하고 카페 들렀어"], "카페 이야기가 3번"),
        ] {
            let essence = distil(&texts);
            assert!(essence.starts_with(begins), "{essence}");
        }
        let unnamed = |said| EssenceSource { said, times: 9, subject: None, counted: true };
        let pool = ["The pool was cold", "Met Ana at the pool"].map(EssenceSource::text);
        let korean = ["수영장 물이 차가웠어", "수영장에서 접영을 배웠어"].map(EssenceSource::text);
        for (first, rest, times, begins) in [
            (of("수영장", 40, "수영장에 다녀왔어"), korean, 42, "수영장 이야기가 42번"),
            (unnamed("수영장에 다녀왔어"), korean, 42, "비슷한 이야기가 42번"),
            (of("The pool", 40, "Swam at the pool"), pool, 42, "Pool came up 42 times."),
            (unnamed("Swam"), pool, 11, "Similar things came up 11 times."),
        ] {
            let essence = counted_essence(&[first, rest[0], rest[1]], &[], times, &[]).text;
            assert!(essence.starts_with(begins), "{essence}");
        }
        assert!(is_about("오늘은 보리가 잠만 잤어", "강아지 보리") && !is_about("강아지 카페에 갔어", "강아지 보리"));
        assert!(is_about("Left my bag at the café", "Café") && !is_about("Left my bag", "Café"));
    }

    #[test]
    fn what_nearly_all_tellings_hold_is_named_and_no_telling_is_said_to_have_come_up_often() {
        for (texts, beside, begins) in [
            (
                &["Hurt my head at tennis"][..],
                &["Played tennis with Jo", "tennis again, lost", "Tennis before work"][..],
                "Tennis came up 9 times.",
            ),
            (
                &["요가 매트 깔고 운동했어"],
                &["아침에 요가 하고 왔어", "요가 학원에서 땀을 흘렸어", "요가 선생님이 잡아 주셨어"],
                "요가 이야기가 9번 나왔다.",
            ),
            (
                &["Hurt my head"],
                &["Bought a kettle", "The train was late", "Rex chewed my shoe"],
                "Similar things came up 9 times. For example: Hurt my head",
            ),
        ] {
            let sources: Vec<EssenceSource> = texts.iter().map(|text| EssenceSource::text(text)).collect();
            let told = counted_essence(&sources, beside, 9, &[]).text;
            assert!(told.starts_with(begins), "{told}");
        }
        let unnamed = EssenceSource { said: "Hurt my head at tennis", times: 6, subject: None, counted: true };
        let tennis = ["Tennis again", "Lost at tennis", "Played tennis", "Tennis with Jo", "Won at tennis", "New tennis racket", "tennis"];
        assert_eq!(counted_essence(&[unnamed], &tennis, 7, &[]).text, "Tennis came up 7 times. Hurt my head at tennis");
    }
}
