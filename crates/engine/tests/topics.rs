//! Triples of everyday memories: what is one topic in other words, and what only shares a common word, one of many meanings, or a tone.
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use saegim_core::{PromotionPolicy, Theme, topics};
use saegim_provider::{Embedder, LocalEmbedder, RuleThinker, Thinker};

/// How many triples of a half there are, and how many of them were taken for one topic.
async fn found(half: &str, label: &str) -> (usize, usize) {
    let embedder = LocalEmbedder::built_in().unwrap();
    let (mut all, mut one) = (0, 0);
    for line in include_str!("topics.tsv").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        if (columns[0], columns[1]) != (half, label) {
            continue;
        }
        let mut themes = Vec::new();
        for (text, vector) in columns[2..].iter().zip(embedder.embed_now(&columns[2..]).unwrap()) {
            let felt = RuleThinker.feel(text).await.unwrap();
            themes.push(Theme::of(text, &[]).placed(Some(vector.quantised()), felt.sentiment));
        }
        let groups = topics(&themes, Some(embedder.calibration()), &PromotionPolicy::default());
        let is_one = groups.len() == 1;
        all += 1;
        one += usize::from(is_one);
        if is_one != (label == "one") {
            println!("{half} {label}: {}", columns[2..].join(" | "));
        }
    }
    (all, one)
}

#[tokio::test]
async fn what_is_one_topic_is_found_and_what_is_none_is_left_alone() {
    let mut figures = Vec::new();
    for half in ["choose", "held", "unseen", "second", "sealed"] {
        figures.push((half, found(half, "one").await, found(half, "none").await));
    }
    // Of each half: topics found of all that are there, and false ones of all that could be.
    let expected = [
        ("choose", (24, 21), (27, 0)),
        ("held", (24, 23), (26, 0)),
        ("unseen", (20, 7), (20, 1)),
        ("second", (20, 19), (20, 2)),
        ("sealed", (20, 16), (20, 1)),
    ];
    assert_eq!(figures, expected, "figures that got better belong here, too");
}
