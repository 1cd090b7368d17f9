//! Topic detection on everyday messages: which ones share a topic in different words, which only share a common word, one sense
//! of an ambiguous word or a tone, and what the topic is called.

use std::sync::Arc;

use saegim_core::{PromotionPolicy, Span, Tier, Timestamp, cosine};
use saegim_engine::{Config, Engine, Exchange, Filter, MindKey, NewMessage, Page, SeededDice, SetClock};
use saegim_language::{EssenceSource, group_by_subject};
use saegim_provider::{Embedder, LocalEmbedder};

/// Subjects that the texts share, each with its number of texts.
fn gathered(embedder: &LocalEmbedder, texts: &[&str], least: usize) -> Vec<(String, usize)> {
    let vectors: Vec<Vec<i8>> = embedder.embed_now(texts).unwrap().into_iter().map(|vector| vector.quantised()).collect();
    let (calibration, least_alike) = (embedder.calibration(), PromotionPolicy::default().topic_common_from);
    let alike = |one: usize, other: usize| calibration.similarity(cosine(&vectors[one], &vectors[other])).get() >= least_alike;
    let told: Vec<EssenceSource<'_>> = texts.iter().map(|text| EssenceSource::text(text)).collect();
    group_by_subject(&told, &[], least, alike).into_iter().map(|(subject, places)| (subject, places.len())).collect()
}

/// Number of triples with this label in a split, and number detected as one topic.
fn found(embedder: &LocalEmbedder, half: &str, label: &str) -> (usize, usize) {
    let (mut all, mut one) = (0, 0);
    for line in include_str!("topics.tsv").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        if (columns[0], columns[1]) != (half, label) {
            continue;
        }
        let texts = &columns[2..];
        let subjects = gathered(embedder, texts, texts.len());
        all += 1;
        one += usize::from(!subjects.is_empty());
        if subjects.is_empty() == (label == "one") {
            println!("{half} {label}: {} -> {subjects:?}", texts.join(" | "));
        }
    }
    (all, one)
}

#[test]
fn what_is_one_topic_is_found_and_what_is_none_is_left_alone() {
    let embedder = LocalEmbedder::built_in().unwrap();
    let halves = ["choose", "held", "unseen", "second", "sealed"];
    let figures = halves.map(|half| (half, found(&embedder, half, "one"), found(&embedder, half, "none")));
    // Per split: (topics, topics found) and (non-topics, false topics).
    let expected = [
        ("choose", (24, 21), (27, 0)),
        ("held", (24, 23), (26, 0)),
        ("unseen", (20, 8), (20, 0)),
        ("second", (20, 19), (20, 0)),
        ("sealed", (20, 17), (20, 0)),
    ];
    assert_eq!(figures, expected, "figures that got better belong here, too");
}

/// Number of groups in a split, and number with exactly the expected subjects and counts.
fn gathered_rightly(embedder: &LocalEmbedder, half: &str) -> (usize, usize) {
    let (mut all, mut right) = (0, 0);
    for line in include_str!("subjects.tsv").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        if columns[0] != half {
            continue;
        }
        let mut found: Vec<String> =
            gathered(embedder, &columns[2..], 3).into_iter().map(|(subject, count)| format!("{subject} {count}").to_lowercase()).collect();
        let mut expected: Vec<String> =
            columns[1].split(", ").filter(|subject| *subject != "-").map(|subject| subject.to_lowercase().replace("님", "")).collect();
        found.iter_mut().for_each(|subject| *subject = subject.replace("님", ""));
        found.sort();
        expected.sort();
        all += 1;
        right += usize::from(found == expected);
        if found != expected {
            println!("{half}: {expected:?}, found {found:?}");
        }
    }
    (all, right)
}

#[test]
fn what_is_told_three_times_is_called_by_its_name_and_kept_apart_from_what_is_only_called_alike() {
    let embedder = LocalEmbedder::built_in().unwrap();
    let figures = ["choose", "held", "examined", "fresh"].map(|half| (half, gathered_rightly(&embedder, half)));
    let expected = [("choose", (26, 26)), ("held", (34, 34)), ("examined", (30, 30)), ("fresh", (35, 33))];
    assert_eq!(figures, expected, "figures that got better belong here, too");
}

/// Mention counts of the essences that three messages on different days leave.
async fn told(texts: [&str; 3]) -> Vec<u32> {
    let folder = tempfile::tempdir().unwrap();
    let began = Timestamp::parse("2026-03-02T09:00:00Z").unwrap();
    let clock = Arc::new(SetClock::at(began));
    let config = Config { clock: clock.clone(), dice: Arc::new(SeededDice::new(7)), ..Config::local(folder.path().join("mind.db")) };
    let mind = Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    for (day, text) in texts.into_iter().enumerate() {
        clock.set(began.plus(Span::days(day as i64)));
        mind.observe(Exchange { said: vec![NewMessage::user(text)], ..Exchange::default() }).await.unwrap();
    }
    clock.set(began.plus(Span::days(14)));
    mind.tick().await.unwrap();
    let kept = mind.list(&Filter { tier: Some(Tier::M90), ..Filter::default() }, Page { limit: 9, before: None }).await.unwrap();
    kept.iter().map(|essence| essence.told()).collect()
}

#[tokio::test]
async fn what_somebody_is_like_is_kept_for_all_that_was_told_of_them() {
    assert_eq!(told(["토리가 소파를 긁어 놨어", "토리 데리고 미용하고 왔어", "토리는 청소기를 무서워해"]).await, [3]);
    assert_eq!(told(["Biscuit dug up the lawn", "Brushed Biscuit for an hour", "Biscuit is scared of thunder"]).await, [3]);
}
