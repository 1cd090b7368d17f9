//! Lives as text: every file under `stories` is played by the real rules on a clock that is driven.
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::path::{Path, PathBuf};

use saegim_core::Policy;
use saegim_engine::simulate::{Script, Setting, Story, live};
use saegim_engine::{Config, MindKey};

fn setting() -> Setting {
    Setting { config: Config::local("unused.db"), key: MindKey::new("minsu", "luna").unwrap(), seed: 7 }
}

fn stories() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stories");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// What did not come as a story expected, each with its file and line.
async fn troubles(file: &Path) -> Vec<String> {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(file).unwrap();
    let story = match Story::parse(&text, &Policy::default()) {
        Ok(story) => story,
        Err(wrong) => return vec![format!("{name}, {}", wrong.problem)],
    };
    let lived = live(&Script::Story(Box::new(story)), &setting(), &|_| ()).await.unwrap();
    lived.report.failures.iter().map(|failure| format!("{name}, {}", failure.phrase())).collect()
}

#[tokio::test]
async fn every_story_comes_as_it_is_told() {
    let wanted = std::env::var("STORY").unwrap_or_default();
    let (mut told, mut played) = (Vec::new(), 0);
    for file in stories().iter().filter(|file| file.to_string_lossy().contains(&wanted)) {
        told.extend(troubles(file).await);
        played += 1;
    }
    assert!(played > 0 && told.is_empty(), "\n{}", told.join("\n"));
}
