//! Whether a text mentions a subject.

use std::collections::{BTreeSet, HashSet};

use crate::topics::everyday::theme_called;
use crate::topics::subject::{Subject, Subjects};

/// A text, prepared for subject search.
pub struct TopicMentions {
    keys: HashSet<String>,
    /// Those that nothing before them tells apart from others.
    plain: HashSet<String>,
    pub(super) themes: BTreeSet<usize>,
}

impl TopicMentions {
    /// Parses a text.
    pub fn of(text: &str) -> Self {
        let read = Subjects::of(text);
        let themes = read.themes.iter().map(|touch| touch.theme).collect();
        let plain = read.things.iter().filter(|thing| !thing.told_which).map(|thing| thing.key.clone()).collect();
        Self { keys: read.things.iter().map(|thing| thing.key.clone()).collect(), plain, themes }
    }
}

/// A subject to search for.
pub struct TopicName {
    /// What it is met by, and whether only where nothing else is said of which one it is.
    pub(super) keys: Vec<(String, bool)>,
    pub(super) themes: BTreeSet<usize>,
}

impl TopicName {
    /// Parses a subject: "카페·커피", "Mr Patel", "수학 과외".
    pub fn of(subject: &str) -> Self {
        let (mut keys, mut themes) = (Vec::new(), BTreeSet::new());
        for name in subject.split('·').flat_map(|part| part.split(" and ")) {
            themes.extend(theme_called(name));
            // A subject is written large where it begins a sentence, and is not somebody by that.
            for written in [name.to_owned(), name.to_lowercase(), format!("the {}", name.to_lowercase()), format!("with {name}")] {
                let read = Subjects::of(&written);
                let words = name.split_whitespace().count();
                // "하늘이" is somebody, though the sky can be said so, too.
                let exact = read.things.iter().any(|thing| thing.said == *name && name.ends_with('이'));
                let is_whole = |thing: &&Subject| thing.said.split_whitespace().count() == words && (!exact || thing.said == *name);
                let whole = read.things.iter().filter(is_whole);
                let mut own: Vec<(String, bool)> = whole.map(|thing| (thing.key.clone(), false)).collect();
                // One that was called by what it is, too ("강아지 보리"), is itself where nothing else is said to be it.
                let last = name.split_whitespace().next_back().unwrap_or_default().to_lowercase();
                let heads = read.things.iter().filter(|thing| words > 1 && thing.said.to_lowercase() == last);
                own.extend(heads.map(|thing| (thing.key.clone(), true)));
                keys.extend(own);
                if words == 1 {
                    themes.extend(read.themes.iter().filter(|touch| touch.names).map(|touch| touch.theme));
                }
            }
        }
        keys.sort_unstable();
        keys.dedup();
        Self { keys, themes }
    }

    /// Checks whether a text names the subject.
    pub fn is_named_in(&self, said: &TopicMentions) -> bool {
        self.keys.iter().any(|(key, plain)| if *plain { said.plain.contains(key) } else { said.keys.contains(key) })
    }

    /// Checks whether a sentence belongs to the subject: it names it or has the same theme of everyday life.
    pub fn covers(&self, said: &TopicMentions) -> bool {
        self.is_named_in(said) || !self.themes.is_disjoint(&said.themes)
    }

    /// Checks whether two subjects are the same.
    pub fn is_same(&self, other: &Self) -> bool {
        let whole = |sought: &Self| sought.keys.iter().filter(|(_, plain)| !plain).map(|(key, _)| key.clone()).collect::<HashSet<String>>();
        let themed = |sought: &Self| !sought.themes.is_empty();
        !whole(self).is_disjoint(&whole(other)) || themed(self) && themed(other) && !self.themes.is_disjoint(&other.themes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_about(text: &str, subject: &str) -> bool {
        TopicName::of(subject).is_named_in(&TopicMentions::of(text))
    }

    fn mentions_subject(text: &str, subject: &str) -> bool {
        TopicName::of(subject).covers(&TopicMentions::of(text))
    }

    #[test]
    fn a_subject_of_two_words_is_named_by_either_and_mentioned_by_its_theme() {
        for (text, about, told) in [
            ("카페에서 일했어", true, true),
            ("커피 쏟았어", true, true),
            ("라떼가 식었어", false, true),
            ("자전거 새로 샀어", false, false),
        ] {
            assert_eq!((is_about(text, "카페·커피"), mentions_subject(text, "카페·커피")), (about, told), "{text}");
        }
        assert!(is_about("The cello is new", "violin and cello") && !is_about("The oboe is new", "violin and cello"));
        assert!(is_about("영어 과외 끝", "영어 과외") && !is_about("수학 과외 끝", "영어 과외"));
    }

    #[test]
    fn one_subject_is_the_same_in_other_words_and_another_is_not() {
        for (one, other, same) in [
            ("카페", "카페·커피", true),
            ("Mum", "엄마", true),
            ("Mr Patel", "Patel", true),
            ("수학 과외", "영어 과외", false),
            ("Kim", "Kim's parents", false),
            ("여행", "여행", true),
        ] {
            assert_eq!(TopicName::of(one).is_same(&TopicName::of(other)), same, "{one} | {other}");
        }
    }
}
