//! Topics: which memories are about the same thing, without asking for equal words.

use std::collections::BTreeSet;

use crate::{Calibration, PromotionPolicy};

/// A memory as a topic sees it.
#[derive(Clone, Debug, Default)]
pub struct Theme {
    /// Its eight-bit direction, if it has one.
    pub vector: Option<Vec<i8>>,
    /// The words it is made of.
    pub words: BTreeSet<String>,
}

fn cosine(one: &[i8], other: &[i8]) -> f32 {
    let dot = |a: &[i8], b: &[i8]| a.iter().zip(b).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum::<i32>() as f32;
    let lengths = (dot(one, one) * dot(other, other)).sqrt();
    if one.len() != other.len() || lengths == 0.0 { 0.0 } else { (dot(one, other) / lengths).clamp(-1.0, 1.0) }
}

/// How alike two themes are, on the calibrated scale; words alone where a vector is missing.
fn alike(one: &Theme, other: &Theme, calibration: Option<&Calibration>) -> (f32, usize) {
    let shared = one.words.intersection(&other.words).count();
    match (&one.vector, &other.vector, calibration) {
        (Some(one), Some(other), Some(calibration)) => (calibration.similarity(cosine(one, other)).get(), shared),
        _ => {
            let smaller = one.words.len().min(other.words.len()).max(1);
            (shared as f32 / smaller as f32, shared)
        }
    }
}

/// Groups of memories about one topic, each by its places in the list, in the list's order. Two belong together when they
/// are clearly related, or when they share a word and are related somewhat: "카페에서 라떼", "카페 가서 책".
pub fn topics(themes: &[Theme], calibration: Option<&Calibration>, policy: &PromotionPolicy) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, theme) in themes.iter().enumerate() {
        let belongs = |group: &Vec<usize>| {
            // The first and the newest stand for the group, so that a topic may drift a little but not run away.
            [group[0], group[group.len() - 1]].iter().any(|&other| {
                let (similarity, shared) = alike(theme, &themes[other], calibration);
                similarity >= policy.topic_from || (shared > 0 && similarity >= policy.topic_word_from)
            })
        };
        match groups.iter_mut().find(|group| belongs(group)) {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cut;

    fn theme(text: &str) -> Theme {
        Theme { vector: None, words: cut(text).words.into_iter().collect() }
    }

    #[test]
    fn one_topic_in_other_words_is_one_group() {
        let texts = ["카페에서 라떼 마셨어", "카페 가서 책 읽었어", "엄마가 김치를 보내 주셨어", "퇴근하고 카페 들렀어"];
        let themes: Vec<Theme> = texts.iter().map(|text| theme(text)).collect();
        let policy = PromotionPolicy { topic_word_from: 0.2, ..PromotionPolicy::default() };
        assert_eq!(topics(&themes, None, &policy), [vec![0, 1, 3], vec![2]]);
        assert!(topics(&[], None, &policy).is_empty());
    }

    #[test]
    fn vectors_decide_where_there_are_some() {
        let map = Calibration::new(vec![(0.0, 0.0), (1.0, 1.0)]).unwrap();
        let of = |vector: [i8; 2]| Theme { vector: Some(vector.to_vec()), words: BTreeSet::new() };
        let themes = [of([100, 0]), of([90, 30]), of([0, 100]), Theme { vector: Some(vec![]), words: BTreeSet::new() }];
        assert_eq!(topics(&themes, Some(&map), &PromotionPolicy::default()), [vec![0, 1], vec![2], vec![3]]);
    }
}
