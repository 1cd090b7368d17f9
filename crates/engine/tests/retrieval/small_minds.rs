//! Recall in small minds: matching memories are found and unrelated ones are not, from one memory to a hundred.

use std::sync::Arc;

use saegim_core::Timestamp;
use saegim_engine::{Config, Draft, Engine, MindHandle, MindKey, Query, SeededDice, SetClock};

/// A memory and a query that it answers.
type Pair = (&'static str, &'static str);

struct Lines {
    pairs: Vec<Pair>,
    unrelated: Vec<&'static str>,
    fillers: Vec<&'static str>,
}

fn lines() -> Lines {
    let mut lines = Lines { pairs: Vec::new(), unrelated: Vec::new(), fillers: Vec::new() };
    for line in include_str!("small_minds.tsv").lines().filter(|line| !line.starts_with('#')) {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["pair", memory, question] => lines.pairs.push((memory, question)),
            ["unrelated", question] => lines.unrelated.push(question),
            ["filler", memory] => lines.fillers.push(memory),
            _ => panic!("not a line of this file: {line}"),
        }
    }
    lines
}

async fn found(mind: &MindHandle, question: &str) -> Vec<String> {
    let recalled = mind.recall(Query::text(question)).await.unwrap();
    recalled.results.into_iter().map(|found| found.memory.content).collect()
}

/// Creates minds of `size` memories that together contain every pair, padded with fillers, and runs the pairs' queries and the
/// unanswerable ones on each. At most 1 in 20 queries may miss its memory (a query in one language whose memory is in the other
/// loses to a near match in its own language), and at most 1 in 10 unanswerable queries may find a memory that only shares its
/// words.
async fn check(size: usize) {
    let lines = lines();
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::local(folder.path().join("minds.db"));
    config.clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-01T09:00:00Z").unwrap()));
    config.dice = Arc::new(SeededDice::new(size as u64));
    let engine = Engine::open(config).await.unwrap();
    let (mut missed, mut padded, mut in_vain) = (Vec::new(), Vec::new(), 0);
    for (number, pairs) in lines.pairs.chunks(size).enumerate() {
        let mind = engine.mind(MindKey::new(&format!("user{number}"), "luna").unwrap()).await.unwrap();
        for memory in pairs.iter().map(|(memory, _)| *memory).chain(lines.fillers.iter().copied()).take(size) {
            mind.remember(Draft::text(memory)).await.unwrap();
        }
        for (memory, question) in pairs {
            let found = found(&mind, question).await;
            if !found.iter().take(3).any(|found| found == memory) {
                missed.push(format!("{question} -> {found:?}"));
            }
        }
        // There are many minds of one memory, so each runs only a third of the unanswerable queries.
        for question in lines.unrelated.iter().skip(number % 3).step_by(if size == 1 { 3 } else { 1 }) {
            in_vain += 1;
            let found = found(&mind, question).await;
            if !found.is_empty() {
                padded.push(format!("{question} -> {found:?}"));
            }
        }
    }
    assert!(missed.len() * 20 <= lines.pairs.len(), "{missed:#?}");
    assert!(padded.len() * 10 <= in_vain, "{padded:#?}");
}

#[tokio::test]
async fn a_mind_of_one_memory_finds_what_fits_and_nothing_else() {
    check(1).await;
}

#[tokio::test]
async fn a_mind_of_three_memories_finds_what_fits_and_nothing_else() {
    check(3).await;
}

#[tokio::test]
async fn a_mind_of_ten_memories_finds_what_fits_and_nothing_else() {
    check(10).await;
}

#[tokio::test]
async fn a_mind_of_a_hundred_memories_finds_what_fits_and_nothing_else() {
    check(100).await;
}
