//! Runs every story under `stories` and in the documents with the real rules on a simulated clock, and generated lives: the same
//! seed produces the same life.
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::path::{Path, PathBuf};

use saegim_core::{Language, Policy, Timestamp};
use saegim_engine::{Config, MindKey};
use saegim_stories::{Life, Lived, Script, Setting, Story, live};

fn setting(seed: u64) -> Setting {
    Setting { config: Config::local("unused.db"), key: MindKey::new("minsu", "luna").unwrap(), seed }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every story with its name.
fn stories() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stories");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let told = |file: &PathBuf| (file.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(file).unwrap());
    let mut stories: Vec<(String, String)> = files.iter().map(told).collect();
    let page = std::fs::read_to_string(root().join("docs/simulate.md")).unwrap();
    let examples: Vec<&str> = page.split("```story\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(files.len() > 20 && examples.len() == 2, "{} files, {} examples", files.len(), examples.len());
    stories
        .extend(examples.iter().enumerate().map(|(number, text)| (format!("docs/simulate.md, story {}", number + 1), (*text).to_owned())));
    stories
}

async fn play(text: &str) -> Result<Lived, String> {
    let story = Story::parse(text, &Policy::default()).map_err(|wrong| wrong.problem.to_string())?;
    Ok(live(&Script::Story(Box::new(story)), &setting(7), &|_| ()).await.unwrap())
}

#[tokio::test]
async fn every_story_comes_as_it_is_told() {
    // STORY=cafe runs only the stories whose name contains "cafe".
    let wanted = std::env::var("STORY").unwrap_or_default();
    let (mut troubles, mut played) = (Vec::new(), 0);
    for (name, text) in stories().iter().filter(|(name, _)| name.contains(&wanted)) {
        match play(text).await {
            Ok(lived) => troubles.extend(lived.report.failures.iter().map(|failure| format!("{name}, {}", failure.phrase()))),
            Err(wrong) => troubles.push(format!("{name}, {wrong}")),
        }
        played += 1;
    }
    assert!(played > 0 && troubles.is_empty(), "\n{}", troubles.join("\n"));
}

#[tokio::test]
async fn what_comes_otherwise_names_its_line_and_what_was_found_in_both_languages() {
    let story = "day 0: remember \"비가 왔다\" as rain\n\n# 하루 뒤\nday 1: expect rain in M90\nday 1: forget \"눈\"\nday 2: expect count alive = 2\n\
                 day 2: expect rain on cliff because manual\nday 2: expect recall \"비\" finds nothing\nday 2: expect fact residence = \"서울\"";
    let failures = play(story).await.unwrap().report.failures;
    let told = |language: Language| failures.iter().map(|failure| failure.phrase().in_language(language)).collect::<Vec<_>>();
    let (english, korean) = (told(Language::English), told(Language::Korean));
    for (number, (said, found, words)) in [
        ("line 4 (day 1): expect rain in M90; found: ", "M30/", "4번째 줄(1일째): expect rain in M90 — 실제로는: M30/"),
        ("line 5 (day 1): forget \"눈\"; found: ", "memory \"눈\" does not exist", "기억이 없어요"),
        ("line 6 (day 2): expect count alive = 2; found: ", "1", "6번째 줄(2일째)"),
        ("line 7", "\"비가 왔다\"", "7번째 줄"),
        ("line 8", "\"비가 왔다\"", "8번째 줄"),
        ("line 9", "nothing", "아무것도 없음"),
    ]
    .into_iter()
    .enumerate()
    {
        assert!(english[number].starts_with(said) && english[number].contains(found), "{}", english[number]);
        assert!(korean[number].contains(words), "{}", korean[number]);
    }
    assert_eq!(failures.len(), 6);
}

async fn made_up(seed: u64, language: Language, days: i64) -> Lived {
    let start = Timestamp::parse("2026-01-01").unwrap();
    live(&Script::Life(Life { start, days, turns_per_day: 30, language }), &setting(seed), &|_| ()).await.unwrap()
}

#[tokio::test]
async fn the_same_seed_is_the_same_life_to_the_byte_and_another_is_another() {
    let all = |lived: &Lived| {
        let report = &lived.report;
        (report.text(Language::Korean), report.chart(Language::Korean), serde_json::to_string(report).unwrap())
    };
    let (one, same, other) =
        (made_up(5, Language::Korean, 12).await, made_up(5, Language::Korean, 12).await, made_up(6, Language::Korean, 12).await);
    assert_eq!(all(&one), all(&same));
    assert_ne!(all(&one).0, all(&other).0);
}

#[tokio::test]
async fn a_life_in_either_language_leaves_memories_facts_and_a_file_that_can_be_kept() {
    for language in [Language::Korean, Language::English] {
        let lived = made_up(3, language, 16).await;
        let report = &lived.report;
        assert_eq!((report.tally.exchanges, report.tally.turns, report.days), (16 * 15, 16 * 30, 16));
        assert_eq!(report.samples.len(), 16);
        let last = report.last().unwrap();
        assert!(last.tiers[0] > 5 && last.tiers[1] > 0, "{language}: {last:?}");
        assert!(report.facts.len() > 5, "{language}: {:?}", report.facts);
        let own = report.kept.iter().filter(|kept| Language::of(&kept.content) == language).count();
        assert!(own * 10 >= report.kept.len() * 9, "{language}: {:?}", report.kept);
        for told in Language::ALL {
            let (text, chart) = (report.text(*told), report.chart(*told));
            assert!(text.contains("M30") && text.contains('█'), "{text}");
            assert!(chart.starts_with("<svg") && chart.ends_with("</svg>\n") && chart.matches("<polygon").count() >= 3);
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kept.db");
        lived.keep(&file).await.unwrap();
        let engine = saegim_engine::Engine::open(Config::local(&file)).await.unwrap();
        let mind = engine.existing_mind(&MindKey::new("minsu", "luna").unwrap()).await.unwrap().unwrap();
        assert_eq!(mind.counts().await.unwrap().tiers, last.tiers);
        assert!(matches!(mind.verify_ledger(None).await.unwrap(), saegim_core::Verdict::Whole { .. }));
    }
}
