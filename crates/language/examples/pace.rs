//! Measures the rules: the time of the first message, and the times of every user line of the dialogues given on the command line
//! (files of `> ...` lines or JSON lines). Each line is read nine times and the minimum counts.

#![allow(clippy::disallowed_methods, reason = "it measures time")]

use std::time::{Duration, Instant};

use saegim_core::{Role, Timestamp};
use saegim_language::{RuleThinker, Utterance};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let at = Timestamp::parse("2026-03-01")?;
    let read = |text: &str| {
        let begun = Instant::now();
        let reading = RuleThinker.read(&Utterance {
            role: Role::User,
            text,
            at,
            user: "user",
            character: "하루",
            before: Some("그렇구나. 이름이 뭐야?"),
        });
        (begun.elapsed(), reading.findings.len())
    };
    println!(
        "first message: {:?}, first English one after it: {:?}",
        read("나 지난주에 부산으로 이사했어").0,
        read("I moved to Leeds last week").0
    );
    let mut lines = Vec::new();
    for path in std::env::args().skip(1) {
        for line in std::fs::read_to_string(path)?.lines() {
            if let Some(said) = line.strip_prefix("> ") {
                lines.push(said.split_once("] ").map_or(said, |(_, said)| said).to_owned());
            } else if line.starts_with('{') {
                let turn: serde_json::Value = serde_json::from_str(line)?;
                lines.extend(turn["content"].as_str().filter(|_| turn["role"] == "user").map(str::to_owned));
            }
        }
    }
    // The minimum is the run with the least interference.
    let mut times: Vec<Duration> = lines.iter().map(|line| (0..9).map(|_| read(line).0).min().unwrap_or_default()).collect();
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    println!(
        "{} messages: p50 {:?}, p95 {:?}, p99 {:?}, most {:?}",
        times.len(),
        at(50),
        at(95),
        at(99),
        times.last().copied().unwrap_or_default()
    );
    Ok(())
}
