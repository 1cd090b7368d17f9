//! Recall confidence separates questions that a memory answers from questions about the same subject that no memory answers.

use std::sync::Arc;

use saegim_core::Timestamp;
use saegim_engine::{Config, Draft, Engine, MindKey, Query, SeededDice, SetClock};

/// Area under the ROC curve: share of (answered, unanswered) pairs in which the answered question has the higher confidence.
fn area(answered: &[f32], unanswered: &[f32]) -> f32 {
    let mut wins = 0.0;
    for sure in answered {
        for unsure in unanswered {
            wins += if sure > unsure { 1.0 } else { f32::from(u8::from(sure == unsure)) / 2.0 };
        }
    }
    wins / (answered.len() * unanswered.len()) as f32
}

#[tokio::test]
async fn what_cannot_be_answered_is_held_for_less_sure_in_both_languages() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::local(folder.path().join("mind.db"));
    config.clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-01T09:00:00Z").unwrap()));
    config.dice = Arc::new(SeededDice::new(1));
    let mind = Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    let lines: Vec<Vec<&str>> =
        include_str!("answerable.tsv").lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    for line in &lines {
        mind.remember(Draft::text(line[0])).await.unwrap();
    }
    for korean in [true, false] {
        let (mut answered, mut unanswered) = (Vec::new(), Vec::new());
        for line in lines.iter().filter(|line| line[0].is_ascii() != korean) {
            answered.push(mind.recall(Query::text(line[1])).await.unwrap().confidence.get());
            unanswered.push(mind.recall(Query::text(line[2])).await.unwrap().confidence.get());
        }
        let area = area(&answered, &unanswered);
        assert!(area >= 0.8, "korean {korean}: {area} {answered:?} {unanswered:?}");
    }
}
