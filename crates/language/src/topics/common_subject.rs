//! Finds the subject that several sentences have in common: the one item or person that enough of them name, or a theme of everyday
//! life.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use saegim_core::{Language, cut};

use crate::emotion::feeling::feeling;
use crate::summarize::distil::EssenceSource;
use crate::topics::everyday::theme_head;
use crate::topics::subject::{Subject, Subjects};
use crate::topics::topic_name::TopicName;

/// From this share of all mentions on, something is the topic: a reader of "the pool came up 40 times" takes
/// each of them to have been about the pool.
const NEARLY_ALL: f32 = 0.85;

/// Maximum number of words in the name of a theme: "카페·커피".
const MOST_NAMES: usize = 2;

/// Number of group members a candidate is compared with if similarity decides.
const HELD_AGAINST: usize = 8;

/// A subject and the indices of its texts.
pub(crate) type Shared = (String, Vec<usize>);

/// Groups memories, each with its count, by subject. The subject shared by the most comes first and takes its texts with it, as
/// long as it has at least `least` mentions. `names` are the names of the user and the character, which never count as
/// subjects. For ambiguous nouns, `alike` decides whether two texts mean the same.
pub fn group_by_subject(
    sources: &[EssenceSource<'_>],
    names: &[String],
    least: usize,
    alike: impl Fn(usize, usize) -> bool,
) -> Vec<Shared> {
    let tellings = Tellings::of(sources, names);
    let touched = tellings.touched();
    let mut may: Vec<(May, Vec<usize>)> = tellings.candidates(least, &alike);
    may.extend(touched.iter().map(|(theme, places)| (May::BeOf(*theme), places.clone())));
    // The most shared first; of equals the more exact one.
    let rank = |may: &May| if let May::Be(key) = may { (0, Reverse(exactness(key))) } else { (1, Reverse((0, 0))) };
    let mut heap: BinaryHeap<_> =
        may.iter().enumerate().map(|(at, (may, places))| (tellings.times(places), Reverse((rank(may), at)))).collect();
    let mut left = vec![true; tellings.different.len()];
    let mut taken = Vec::new();
    while let Some((count, Reverse((rank, at)))) = heap.pop() {
        let (may, places) = &may[at];
        let there: Vec<usize> = places.iter().copied().filter(|place| left[*place]).collect();
        let now = tellings.times(&there);
        if now < least.max(1) {
            continue;
        }
        if now < count {
            heap.push((now, Reverse((rank, at))));
            continue;
        }
        let subject = match may {
            May::Be(key) => tellings.said_as(key, &there),
            May::BeOf(theme) => tellings.called(*theme, &there),
        };
        let Some(subject) = subject else { continue };
        // The name of a theme covers all of its texts.
        let themes = if subject.contains(' ') && matches!(may, May::Be(_)) { BTreeSet::new() } else { TopicName::of(&subject).themes };
        let of_theme = themes.iter().filter_map(|theme| touched.get(theme)).flatten().copied().filter(|place| left[*place]);
        let own: BTreeSet<usize> = there.into_iter().chain(of_theme).collect();
        own.iter().for_each(|place| left[*place] = false);
        let places: BTreeSet<usize> = own.iter().flat_map(|place| tellings.origins[*place].iter().copied()).collect();
        taken.push((subject, places.into_iter().collect()));
    }
    taken
}

/// Returns the subject of nearly all sentences, as one of them words it.
pub(crate) fn common(tellings: &[EssenceSource<'_>], names: &[String]) -> Option<String> {
    let tellings = Tellings::of(tellings, names);
    let least = (NEARLY_ALL * tellings.all as f32).ceil() as usize;
    let best = |found: Vec<(May, Vec<usize>)>| {
        let counted =
            found.into_iter().map(|(may, places)| (tellings.times(&places), may, places)).filter(|(count, ..)| *count >= least.max(1));
        let exact = |may: &May| if let May::Be(key) = may { exactness(key) } else { (0, 0) };
        counted.reduce(|best, other| if (other.0, exact(&other.1)) > (best.0, exact(&best.1)) { other } else { best })
    };
    if let Some((_, May::Be(key), places)) = best(tellings.candidates(least, &|_, _| true)) {
        return tellings.said_as(&key, &places);
    }
    let themes = tellings.touched().into_iter().map(|(theme, places)| (May::BeOf(theme), places)).collect();
    match best(themes) {
        Some((_, May::BeOf(theme), places)) => tellings.called(theme, &places),
        _ => None,
    }
}

/// How exact a key is: "도예 수업" more than "수업", "수영장" more than "수영".
fn exactness(key: &str) -> (usize, usize) {
    (key.split(' ').count(), key.chars().count())
}

/// A possible subject.
enum May {
    /// A noun, by its key.
    Be(String),
    /// A theme, named after the words of its texts.
    BeOf(usize),
}

/// Texts with their subjects; texts with the same words are merged.
struct Tellings<'a> {
    different: Vec<EssenceSource<'a>>,
    /// Indices at which each text was given.
    origins: Vec<Vec<usize>>,
    read: Vec<Arc<Subjects>>,
    /// Names of user and character, which are no subjects.
    names: HashSet<String>,
    all: usize,
    korean: bool,
}

impl<'a> Tellings<'a> {
    fn of(tellings: &[EssenceSource<'a>], names: &[String]) -> Self {
        let (different, origins) = gathered(tellings);
        let read = different.iter().map(read).collect();
        let all = different.iter().map(|telling| telling.times).sum();
        let korean: usize =
            different.iter().filter(|telling| Language::of(telling.said) == Language::Korean).map(|telling| telling.times).sum();
        Self { different, origins, read, names: names.iter().cloned().collect(), all, korean: korean * 2 >= all }
    }

    /// Returns the total number of mentions.
    fn times(&self, places: &[usize]) -> usize {
        places.iter().map(|place| self.different[*place].times).sum()
    }

    /// Returns the nouns with enough mentions to be a subject, with their texts, the longest keys first.
    fn candidates(&self, least: usize, alike: &impl Fn(usize, usize) -> bool) -> Vec<(May, Vec<usize>)> {
        let mut held: BTreeMap<&str, Vec<(usize, &Subject)>> = BTreeMap::new();
        for (place, read) in self.read.iter().enumerate() {
            for thing in &read.things {
                held.entry(&thing.key).or_default().push((place, thing));
            }
        }
        let times = |places: &[(usize, &Subject)]| places.iter().map(|(place, _)| self.different[*place].times).sum::<usize>();
        held.retain(|_, places| {
            let first = places[0].1;
            times(places) >= least
                && places.iter().any(|(_, thing)| thing.sure)
                && !self.is_of_the_two(first)
                && feeling(&first.said).keywords.is_empty()
        });
        // Two of a kind that are each told often enough are two things: "수학 과외" and "영어 과외".
        let mut kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (key, places) in &held {
            if let Some(kind) = places.iter().find_map(|(_, thing)| thing.kind.as_deref()) {
                kinds.entry(kind).or_default().push(key);
            }
        }
        let mut apart: HashMap<&str, HashSet<usize>> = HashMap::new();
        for (kind, ones) in kinds.iter().filter(|(_, ones)| ones.len() > 1) {
            let places = ones.iter().filter_map(|one| held.get(one)).flatten().map(|(place, _)| *place);
            apart.insert(kind, places.collect());
        }
        for (key, places) in &held {
            apart.entry(key).or_default().extend(self.parted(key, places));
        }
        let mut found = Vec::new();
        for (key, places) in &held {
            let apart = apart.get(key);
            let clear = places.iter().any(|(_, thing)| thing.clear);
            let places: Vec<usize> =
                places.iter().map(|(place, _)| *place).filter(|place| apart.is_none_or(|apart| !apart.contains(place))).collect();
            match clear {
                true => found.push((May::Be((*key).to_owned()), places)),
                false => found.extend(self.alike(places, alike).into_iter().map(|places| (May::Be((*key).to_owned()), places))),
            }
        }
        found
    }

    /// The places that say which one they mean where different ones are meant: one's older sister, and the little one.
    fn parted(&self, key: &str, places: &[(usize, &Subject)]) -> Vec<usize> {
        let told: Vec<usize> = places.iter().filter(|(_, thing)| thing.told_which && thing.parts).map(|(place, _)| *place).collect();
        let things = told.iter().flat_map(|place| &self.read[*place].things);
        let ones: HashSet<&str> = things.filter(|thing| thing.kind.as_deref() == Some(key)).map(|thing| thing.key.as_str()).collect();
        if ones.len() > 1 { told } else { Vec::new() }
    }

    /// Whether a subject is one of the two.
    fn is_of_the_two(&self, thing: &Subject) -> bool {
        let words = cut(&thing.said).words;
        self.names.contains(thing.key.trim_start_matches('@')) || words.iter().any(|word| self.names.contains(word))
    }

    /// Places parted into groups in which each is like more than half of the others.
    fn alike(&self, places: Vec<usize>, alike: &impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for place in places {
            let like = |group: &&mut Vec<usize>| {
                let step = group.len().div_ceil(HELD_AGAINST);
                let held: Vec<usize> = group.iter().step_by(step).copied().collect();
                let links = held.iter().filter(|other| alike(self.origins[place][0], self.origins[**other][0])).count();
                links * 2 > held.len()
            };
            match groups.iter_mut().find(like) {
                Some(group) => group.push(place),
                None => groups.push(vec![place]),
            }
        }
        groups
    }

    /// Which tellings touch a theme of everyday life.
    fn touched(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut touched: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, read) in self.read.iter().enumerate() {
            for theme in read.themes.iter().map(|touch| touch.theme).collect::<BTreeSet<usize>>() {
                touched.entry(theme).or_default().push(place);
            }
        }
        touched
    }

    /// How something is said most in these tellings, in the language of most of them; of equals the shortest.
    fn said_as(&self, key: &str, places: &[usize]) -> Option<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for &place in places {
            for thing in self.read[place].things.iter().filter(|thing| thing.key == key) {
                *counts.entry(&thing.said).or_default() += self.different[place].times;
            }
        }
        // A name that appears with 이 somewhere is a name: "구름이랑" alone could be the cloud.
        let with: Vec<&str> = counts.keys().copied().filter(|said| counts.contains_key(format!("{said}이").as_str())).collect();
        for said in with {
            counts.remove(said);
        }
        let own = |said: &str| (Language::of(said) == Language::Korean) == self.korean;
        let best = counts.into_iter().min_by_key(|(said, count)| (!own(said), Reverse(*count), said.chars().count()));
        best.map(|(said, _)| said.to_owned())
    }

    /// What a theme is called in these tellings: the words that stand for it in which they speak of it most. One that is only shown
    /// has to be shown in more than one way.
    fn called(&self, theme: usize, places: &[usize]) -> Option<String> {
        let (mut heads, mut names, mut shown) = (BTreeMap::<&str, usize>::new(), BTreeMap::<&str, usize>::new(), BTreeSet::new());
        for &place in places {
            let mut said: Vec<&str> = Vec::new();
            for touch in self.read[place].themes.iter().filter(|touch| touch.theme == theme) {
                if !touch.names {
                    shown.insert(touch.said.as_str());
                } else if !said.contains(&touch.said.as_str()) {
                    said.push(&touch.said);
                    let counts = if touch.heads { &mut heads } else { &mut names };
                    *counts.entry(&touch.said).or_default() += self.different[place].times;
                }
            }
        }
        let language = if self.korean { Language::Korean } else { Language::English };
        let most = |counts: &BTreeMap<&str, usize>| {
            let mut counts: Vec<(&str, usize)> =
                counts.iter().filter(|(word, _)| Language::of(word) == language).map(|(word, count)| (*word, *count)).collect();
            counts.sort_by(|(x, a), (y, b)| b.cmp(a).then(x.cmp(y)));
            // "kitten" and "cat" mean the same: one of them is enough.
            let mut keys = HashSet::new();
            counts
                .retain(|(word, _)| Subjects::of(&format!("the {word}")).things.first().is_none_or(|thing| keys.insert(thing.key.clone())));
            counts.into_iter().map(|(word, _)| word.to_owned()).take(MOST_NAMES).collect::<Vec<String>>()
        };
        let mut called = most(&heads);
        if called.is_empty() && heads.is_empty() {
            called = most(&names);
        }
        // Few say the word: it is called by what it is, and not by one example of it.
        let says = |place: &usize| self.read[*place].themes.iter().any(|touch| touch.theme == theme && called.contains(&touch.said));
        let most = self.times(&places.iter().copied().filter(says).collect::<Vec<_>>()) * 2 >= self.times(places);
        if !most && (heads.len() + names.len() > 0 || shown.len() > 1) {
            called = theme_head(theme, language).into_iter().collect();
        }
        (!called.is_empty()).then(|| called.join(if self.korean { "·" } else { " and " }))
    }
}

/// Returns the subjects that all mentions of a source share: of an essence, only its own subject.
fn read(telling: &EssenceSource<'_>) -> Arc<Subjects> {
    match (telling.counted, telling.subject) {
        (false, _) => Subjects::of(telling.said),
        (true, None) => Arc::default(),
        (true, Some(subject)) => {
            let mut read = Subjects::default();
            for name in subject.split('·').flat_map(|part| part.split(" and ")) {
                // Read as worded in the example, or on its own if the example does not contain it.
                let sought = TopicName::of(name);
                let example = Subjects::of(telling.said);
                let own = example.things.iter().filter(|thing| sought.keys.iter().any(|(key, plain)| !plain && *key == thing.key));
                read.things.extend(own.cloned());
                if read.things.is_empty() {
                    read.things.extend(Subjects::of(&format!("the {}", name.to_lowercase())).things.iter().cloned());
                }
                read.themes.extend(Subjects::of(&format!("the {}", name.to_lowercase())).themes.iter().cloned());
            }
            Arc::new(read)
        }
    }
}

/// Merges sources with the same words, adding their mentions; returns them with the indices of their originals.
fn gathered<'a>(tellings: &[EssenceSource<'a>]) -> (Vec<EssenceSource<'a>>, Vec<Vec<usize>>) {
    let (mut different, mut origins): (Vec<EssenceSource<'a>>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
    let mut places: HashMap<(&str, Option<&str>, bool), usize> = HashMap::new();
    for (origin, telling) in tellings.iter().enumerate() {
        let place = *places.entry((telling.said, telling.subject, telling.counted)).or_insert(different.len());
        match different.get_mut(place) {
            Some(known) => known.times += telling.times,
            None => {
                different.push(*telling);
                origins.push(Vec::new());
            }
        }
        origins[place].push(origin);
    }
    (different, origins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], least: usize, subject: Option<&str>) {
        let told: Vec<EssenceSource<'_>> = texts.iter().map(|text| EssenceSource::text(text)).collect();
        let found = group_by_subject(&told, &["루나".to_owned()], least, |_, _| false);
        assert_eq!(found.first().map(|(subject, _)| subject.as_str()), subject, "{texts:?}");
    }

    #[test]
    fn what_most_are_about_is_found_where_enough_are() {
        check(&["서준이 선물로 스탠드 샀어", "스탠드 전구가 나갔어", "스탠드 불빛이 예뻐", "서준이 생일이야"], 3, Some("스탠드"));
        check(&["서준이 선물로 스탠드 샀어", "스탠드 전구가 나갔어", "빵을 구웠어"], 3, None);
        check(&["휴가 때 뭐 하지", "휴가를 냈어", "휴가가 짧아"], 3, Some("휴가"));
        check(&["루나랑 산책했어", "루나가 웃었어", "루나한테 말했어"], 3, None);
        check(&["The harp is out of tune", "Harp lesson went well", "I sold the car"], 2, Some("harp"));
    }

    #[test]
    fn each_text_mentions_one_subject_and_the_rest_none() {
        let texts =
            ["스탠드가 깜빡여", "빵을 구웠어", "스탠드 전구가 나갔어", "비가 와", "빵이 탔어", "스탠드를 닦았어", "스탠드를 닦았어"];
        let told: Vec<EssenceSource<'_>> = texts.iter().map(|text| EssenceSource::text(text)).collect();
        let expected = [("스탠드".to_owned(), vec![0, 2, 5, 6]), ("빵".to_owned(), vec![1, 4])];
        assert_eq!(group_by_subject(&told, &[], 2, |_, _| false), expected);
    }

    #[test]
    fn neither_a_deed_that_goes_on_nor_what_leans_on_another_word_is_a_subject() {
        check(&["예능 보다가 울었어", "뉴스 보다가 웃었어", "공연 보다가 졸았어"], 3, None);
        check(&["네 덕분에 웃었어", "엄마 덕분에 나았어", "형 덕분에 알았어"], 3, None);
        check(&["회식은 나쁘지 않았어", "날씨가 나쁘지 않았어", "점수가 나쁘지 않았어"], 3, None);
        check(&["세시에 깼어", "세시에 만나자", "세시까지 잤어"], 3, None);
        check(&["10키로 걸었어", "10키로 쪘어", "10키로 들었어"], 3, None);
        check(&["Everyone went quiet", "The room was quiet", "It got so quiet"], 3, None);
        check(&["Lost my ring on the way", "Sang all the way", "No way out"], 3, None);
    }

    #[test]
    fn a_theme_is_called_by_the_words_that_stand_for_it() {
        check(&["카페에 들렀어", "커피가 식었어", "카페 의자가 딱딱해", "커피를 내렸어"], 4, Some("카페·커피"));
        check(&["Spilled my coffee", "The barista knows me", "A latte to go"], 3, Some("coffee"));
        check(&["요가 매트 샀어", "yoga was hard today", "요가 빼먹음", "skipped yoga"], 4, Some("요가"));
        check(&["The kitten hid", "Our cat is fat", "A kitten on the wall"], 3, Some("kitten"));
        check(&["아침에 뛰었어", "강변을 달렸어", "공원을 뛰었어"], 3, Some("달리기"));
        // What shows a theme in one way alone does not name it.
        check(&["살이 쪘어", "살이 빠졌어", "살이 올랐어"], 3, None);
    }
}
