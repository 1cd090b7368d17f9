//! Groups memories by topic, without requiring equal words.
//!
//! Vector similarity alone misleads: three sentences that start with "오늘", or that contain "배" (ship, pear or belly), are close
//! together, while four about running need not be. So a topic requires a shared specific word or everyday theme; similarity alone
//! suffices only if it is not caused by unspecific words. An unambiguous noun is one topic however different its sentences are.
//! Ambiguous nouns also require similarity, so they are listed.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use saegim_core::{Calibration, PromotionPolicy, Sentiment, cosine, stem};

use crate::parse::sentence_parse::{Part, Telling, Word, bare, is_whole_noun};
use crate::topics::everyday::touched;

/// Features of a memory used for grouping.
#[derive(Clone, Debug, Default)]
pub struct TopicProfile {
    /// Quantized vector, if it has one.
    vector: Option<Vec<i8>>,
    /// Sentiment.
    sentiment: Sentiment,
    /// Specific words.
    tells: BTreeSet<String>,
    /// Unambiguous nouns among them.
    nouns: BTreeSet<String>,
    /// People it is about.
    people: BTreeSet<String>,
    /// Everyday themes it mentions.
    themes: BTreeSet<usize>,
    /// Unspecific words: times, people in general, everyday actions, ambiguous words.
    commonplace: BTreeSet<String>,
}

static COMMONPLACE: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let lists = [
        include_str!("../../data/topics/commonplace.txt"),
        include_str!("../../data/topics/many_meanings.txt"),
        include_str!("../../data/topics/common_words.txt"),
    ];
    let lines = lists.into_iter().flat_map(str::lines).filter(|line| !line.starts_with('#'));
    let words = lines.flat_map(str::split_whitespace).filter(|word| !EVERYDAY_THINGS.contains(word));
    words.flat_map(|word| [word.to_owned(), stem(word)]).filter(|word| !EVERYDAY_THINGS.contains(&word.as_str())).collect()
});

/// Things that are mentioned so often that they count as common words, but are topics nevertheless.
static EVERYDAY_THINGS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    include_str!("../../data/topics/everyday_things.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .collect()
});

/// Days and months, which are no names even with a capital letter.
pub(crate) fn is_calendar(word: &str) -> bool {
    const CALENDAR: &str = "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september \
                            october november december mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec am pm";
    CALENDAR.split_whitespace().any(|name| name == word)
}

impl TopicProfile {
    /// Extracts the features of a text. `names` are the user and the character; they are not specific.
    pub fn of(text: &str, names: &[String]) -> Self {
        let mut theme = Self::default();
        for word in &Telling::of(text).words {
            let forms = word.forms();
            if forms.iter().any(|form| names.contains(form)) {
                continue;
            }
            let themes = touched(&forms);
            if is_telling(word, &forms) {
                if is_noun(word) {
                    theme.nouns.extend(word.keys.first().cloned());
                    theme.nouns.extend(of_compound(&word.noun).map(str::to_owned));
                }
                (if word.named { &mut theme.people } else { &mut theme.tells }).extend(word.keys.iter().cloned());
            } else if themes.is_empty() {
                theme.commonplace.extend(forms);
            }
            theme.themes.extend(themes);
        }
        theme
    }

    /// Keeps only the everyday themes.
    pub fn themes_only(self) -> Self {
        Self { themes: self.themes, ..Self::default() }
    }

    /// Sets the vector and the sentiment.
    pub fn with_vector(self, vector: Option<Vec<i8>>, sentiment: Sentiment) -> Self {
        Self { vector, sentiment, ..self }
    }

    /// Whether two memories share a specific word, a person or a theme, rather than only being similar.
    pub fn shares_subject(&self, other: &Self) -> bool {
        !self.themes.is_disjoint(&other.themes) || !self.people.is_disjoint(&other.people) || !self.tells.is_disjoint(&other.tells)
    }
}

/// Returns the nouns of a text that name a thing, in lower case and without particles.
pub(crate) fn things(text: &str) -> Vec<String> {
    let of = |word: &Word| (is_noun(word) && is_telling(word, &word.forms())).then(|| word.noun.clone());
    Telling::of(text).words.iter().filter_map(of).collect()
}

/// Returns all words of a text that name a person or thing, however common: what remains of "친구랑 싸웠어" without its emotion.
pub(crate) fn named(text: &str) -> Vec<String> {
    let of = |word: &Word| {
        let (noun, part) = if word.raw.is_ascii() { (word.raw.as_str(), Part::Object) } else { bare(&word.raw) };
        let names = word.person || part != Part::Open && word.thing || word.named;
        (names && !word.when).then(|| noun.to_owned())
    };
    Telling::of(text).words.iter().filter_map(of).chain(things(text)).collect()
}

/// Whether a word says by itself what a memory is about.
pub(crate) fn is_telling(word: &Word, forms: &[String]) -> bool {
    // Most Korean nouns of one syllable have several meanings; people's ("형", "딸") have one.
    let least = if word.raw.is_ascii() { 3 } else { 2 };
    let long = forms.iter().skip(1).all(|form| form.trim_end_matches('~').chars().count() >= least);
    word.thing
        && !word.when
        && !is_everyday_deed(&word.raw)
        && (long || word.person)
        && !forms.iter().any(|form| COMMONPLACE.contains(form))
}

/// Whether a Korean word of two syllables is an everyday verb in a connecting form: "하고", "하러", "가서", "먹고".
pub(crate) fn is_everyday_deed(word: &str) -> bool {
    let mut letters = word.chars();
    let (deed, ending, more) = (letters.next(), letters.next(), letters.next());
    let is = |letter: Option<char>, of: &str| letter.is_some_and(|letter| of.contains(letter));
    more.is_none() && is(deed, "하해되가와오보봐먹자사두주타쓰놀쉬듣읽앉나들치만") && is(ending, "고러며서면려기지게나니던자다는은")
}

/// Korean connecting endings, which nouns rarely have.
const GOES_ON: &str =
    "게 고 서 며 던 러 록 듯 려 래 는 은 한 운 진 간 란 된 난 린 친 긴 른 할 갈 볼 될 음 함 됨 으면 하면 되면 가면 오면 보면";

/// Irregular English past forms.
const PASTS: &str = "fed dug sang swam ran rang taught threw wore woke spoke stole froze chose shook built lent bent swept wept dreamt learnt \
                     burnt bit hid hung stuck struck swung spun shot lit slid laid sank tore swore blew fled sought dealt leapt knelt crept \
                     forgot drove flew rode drew grew knew fought caught held meant lay";

/// Whether a specific word is a noun, judged by its form.
fn is_noun(word: &Word) -> bool {
    let raw = word.raw.as_str();
    if raw.is_ascii() {
        let deed = ["ed", "ing", "ly"].iter().any(|end| raw.ends_with(end)) || PASTS.split_whitespace().any(|past| past == raw);
        return !deed && raw.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '\'');
    }
    bare(raw).1 != Part::Open || is_whole_noun(raw) || !goes_on_telling(raw)
}

/// Whether a Korean word without a particle has a connecting ending.
pub(crate) fn goes_on_telling(word: &str) -> bool {
    GOES_ON.split_whitespace().any(|end| word.ends_with(end))
}

/// The first part of a Korean noun that a suffix for places, people, clothes or fees was added to: "일기장" of
/// "일기". A noun that only begins with another ("다리미", "은행나무") is a word of its own.
pub(crate) fn of_compound(noun: &str) -> Option<&str> {
    let last = noun.chars().next_back().filter(|last| "장실방반복용값비단부팀회터님책광꾼".contains(*last))?;
    let front = &noun[..noun.len() - last.len_utf8()];
    (front.chars().count() > 1 && !COMMONPLACE.contains(front)).then_some(front)
}

/// Calibrated similarity of two profiles; `None` if a vector is missing.
fn alike(one: &TopicProfile, other: &TopicProfile, calibration: Option<&Calibration>) -> Option<f32> {
    match (&one.vector, &other.vector, calibration) {
        (Some(one), Some(other), Some(calibration)) => Some(calibration.similarity(cosine(one, other)).get()),
        _ => None,
    }
}

/// Whether two memories are about the same thing.
fn linked(one: &TopicProfile, other: &TopicProfile, calibration: Option<&Calibration>, policy: &PromotionPolicy) -> bool {
    if !one.themes.is_disjoint(&other.themes) {
        return true;
    }
    let similarity = alike(one, other, calibration);
    let from = |least: f32| similarity.is_none_or(|similarity| similarity >= least);
    // A person is a topic in any text about them; the name of a thing may have two meanings.
    if !one.people.is_disjoint(&other.people) {
        return from(policy.topic_person_from);
    }
    // An unambiguous noun is a topic as well, whatever the similarity of the sentences.
    if !one.nouns.is_disjoint(&other.nouns) {
        return true;
    }
    if !one.tells.is_disjoint(&other.tells) {
        return from(policy.topic_from);
    }
    let (a, b) = (one.sentiment.get(), other.sentiment.get());
    let opposite = a * b < 0.0 && (a - b).abs() >= 0.5;
    // "달리기 하고 왔어" and "합창 하고 왔어" are alike, and each is about what it names. What tells nothing by itself ("일어났어",
    // "하루가 길었다") is like everything else that is short.
    let both = |holds: fn(&TopicProfile) -> bool| holds(one) && holds(other);
    if both(|theme| !theme.nouns.is_empty()) || !both(|theme| !theme.tells.is_empty() || !theme.people.is_empty()) {
        return false;
    }
    let least = if one.commonplace.is_disjoint(&other.commonplace) { policy.topic_from } else { policy.topic_common_from };
    !opposite && similarity.is_some_and(|similarity| similarity >= least)
}

/// Number of group members a candidate is compared with: enough to prevent topic drift, few enough for large groups.
const HELD_AGAINST: usize = 8;

/// Groups memories by topic. Each group contains indices into the list, in its order. A memory joins a group only if it is linked
/// to more than half of it, so that no chain connects different topics.
pub fn group_by_topic(themes: &[TopicProfile], calibration: Option<&Calibration>, policy: &PromotionPolicy) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known = Known::default();
    for (place, theme) in themes.iter().enumerate() {
        let share = |group: &Vec<usize>| {
            let step = group.len().div_ceil(HELD_AGAINST);
            let held: Vec<usize> = group.iter().step_by(step).copied().collect();
            let links = held.iter().filter(|&&other| linked(theme, &themes[other], calibration, policy)).count();
            links as f32 / held.len() as f32
        };
        let mut best: Option<(usize, f32)> = None;
        for number in known.may_hold(theme, groups.len()) {
            let share = share(&groups[number]);
            if share > 0.5 && best.is_none_or(|(_, most)| share > most) {
                best = Some((number, share));
            }
        }
        let number = best.map_or(groups.len(), |(number, _)| number);
        match groups.get_mut(number) {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
        known.take(theme, number);
    }
    groups
}

/// Groups by their features, so that a new member is compared only with groups it can belong to: most memories have nothing in
/// common.
#[derive(Default)]
struct Known {
    holding: HashMap<String, BTreeSet<usize>>,
    of_theme: HashMap<usize, BTreeSet<usize>>,
    /// Groups with a member without specific words, which only similarity can link.
    unnamed: BTreeSet<usize>,
}

impl Known {
    fn take(&mut self, theme: &TopicProfile, group: usize) {
        for key in theme.people.iter().chain(&theme.nouns).chain(&theme.tells) {
            if !self.holding.get(key).is_some_and(|groups| groups.contains(&group)) {
                self.holding.entry(key.clone()).or_default().insert(group);
            }
        }
        for number in &theme.themes {
            self.of_theme.entry(*number).or_default().insert(group);
        }
        if theme.nouns.is_empty() {
            self.unnamed.insert(group);
        }
    }

    /// Returns the groups a new member may belong to, in order.
    fn may_hold(&self, theme: &TopicProfile, groups: usize) -> BTreeSet<usize> {
        let tells = !theme.tells.is_empty() || !theme.people.is_empty();
        if theme.nouns.is_empty() && tells {
            return (0..groups).collect();
        }
        let keys = theme.people.iter().chain(&theme.nouns).chain(&theme.tells);
        let named = keys.filter_map(|key| self.holding.get(key)).flatten();
        let themed = theme.themes.iter().filter_map(|number| self.of_theme.get(number)).flatten();
        named.chain(themed).chain(self.unnamed.iter().filter(|_| tells)).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], groups: &[&[usize]]) {
        let themes: Vec<TopicProfile> = texts.iter().map(|text| TopicProfile::of(text, &[])).collect();
        assert_eq!(group_by_topic(&themes, None, &PromotionPolicy::default()), groups, "{texts:?}");
    }

    #[test]
    fn one_topic_in_other_words_is_one_group() {
        check(&["카페에서 라떼 마셨어", "카페 가서 책 읽었어", "엄마가 김치를 보내 주셨어", "퇴근하고 커피숍 들렀어"], &[&[0, 1, 3], &[2]]);
        check(&["Went for a jog", "Training for a marathon", "The kettle is broken"], &[&[0, 1], &[2]]);
        check(&["텃밭에 상추를 심었어", "텃밭에 물 주고 왔어"], &[&[0, 1]]);
        check(&[], &[]);
    }

    #[test]
    fn a_common_word_or_one_of_many_meanings_makes_no_topic() {
        check(&["오늘 프린터가 고장 났어", "오늘 할머니 제사야"], &[&[0], &[1]]);
        check(&["배가 아파", "배를 타고 갔어"], &[&[0], &[1]]);
        check(&["A friend is moving to Spain", "My friend broke his arm"], &[&[0], &[1]]);
        check(&["너무 슬퍼서 눈물만 나", "너무 기뻐서 소리 질렀어"], &[&[0], &[1]]);
    }

    #[test]
    fn likeness_alone_makes_a_topic_where_no_empty_word_and_no_opposite_feeling_explains_it() {
        let map = Calibration::new(vec![(0.0, 0.0), (1.0, 1.0)]).unwrap();
        let of = |text: &str, vector: [i8; 2], felt: f32| {
            TopicProfile::of(text, &[]).with_vector(Some(vector.to_vec()), Sentiment::clamped(felt))
        };
        let grouped = |themes: &[TopicProfile]| group_by_topic(themes, Some(&map), &PromotionPolicy::default()).len();
        let (swam, dived, sang) = ("swam", "dived", "sang");
        assert_eq!(grouped(&[of(swam, [100, 0], 0.0), of(dived, [90, 60], 0.0), of(sang, [0, 100], 0.0)]), 2);
        assert_eq!(grouped(&[of("swam friend", [100, 0], 0.0), of("dived friend", [90, 60], 0.0)]), 2);
        assert_eq!(grouped(&[of(swam, [100, 0], -0.6), of(dived, [90, 60], 0.6)]), 2);
        assert_eq!(grouped(&[of(swam, [100, 0], 0.2), of(dived, [90, 60], 0.6)]), 1);
        assert_eq!(grouped(&[of("alpha", [100, 0], 0.0), of("beta", [90, 60], 0.0)]), 2, "each names a thing of its own");
    }

    #[test]
    fn a_topic_does_not_drift() {
        let map = Calibration::new(vec![(0.0, 0.0), (1.0, 1.0)]).unwrap();
        let turned = |step: usize| {
            let angle = (25.0 * step as f32).to_radians();
            let vector = Some(vec![(127.0 * angle.cos()) as i8, (127.0 * angle.sin()) as i8]);
            TopicProfile { vector, tells: BTreeSet::from([step.to_string()]), ..TopicProfile::default() }
        };
        // Each is similar to the one before, but the last is unlike the first.
        let chain: Vec<TopicProfile> = (0..7).map(turned).collect();
        let groups = group_by_topic(&chain, Some(&map), &PromotionPolicy::default());
        assert!(groups.iter().all(|group| group.len() <= 4) && groups.len() < 7, "{groups:?}");
        let silent: Vec<TopicProfile> = chain.into_iter().map(|theme| TopicProfile { tells: BTreeSet::new(), ..theme }).collect();
        assert_eq!(group_by_topic(&silent, Some(&map), &PromotionPolicy::default()).len(), 7, "what tells nothing makes no topic");
    }

    #[test]
    fn the_names_of_the_two_make_no_topic() {
        let names = ["루나".to_owned()];
        let themes = [TopicProfile::of("루나랑 산책했어", &names), TopicProfile::of("루나가 웃었어", &names)];
        assert_eq!(group_by_topic(&themes, None, &PromotionPolicy::default()).len(), 2);
    }
}
