//! Anthropic's memory tool: files under `/memories`, each kept as a memory of the mind.

use std::sync::Arc;

use axum::routing::post;
use axum::{Json, Router};
use saegim_core::{Phrase, Tier, phrase};
use saegim_engine::MindHandle;
use serde::Deserialize;
use serde_json::{Value, json};

use super::documents::{self, Document};
use crate::http::access::Begun;
use crate::http::problem::Problem;
use crate::http::{Body, Server};

/// Where files lie.
const ROOT: &str = "/memories";

pub(super) fn router() -> Router<Arc<Server>> {
    Router::new().route("/v1/minds/{mind}/memory-tool", post(run))
}

/// One command of the tool.
#[derive(Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
enum Command {
    View { path: String, view_range: Option<(usize, i64)> },
    Create { path: String, file_text: String },
    StrReplace { path: String, old_str: String, new_str: Option<String> },
    Insert { path: String, insert_line: usize, insert_text: String },
    Delete { path: String },
    Rename { old_path: String, new_path: String },
}

async fn run(Begun(mind): Begun, Body(command): Body<Command>) -> Result<Json<Value>, Problem> {
    Ok(Json(json!({ "result": done(&mind, command).await? })))
}

async fn done(mind: &MindHandle, command: Command) -> Result<String, Problem> {
    match command {
        Command::View { path, view_range } => view(mind, &checked(&path)?, view_range).await,
        Command::Create { path, file_text } => {
            let path = file(&path)?;
            put(mind, &path, &file_text).await?;
            Ok(format!("File created successfully at: {path}"))
        }
        Command::StrReplace { path, old_str, new_str } => {
            let (path, text) = read(mind, &path).await?;
            let found = text.matches(old_str.as_str()).count();
            if old_str.is_empty() || found != 1 {
                let what = phrase!(
                    "old_str occurs {found} times in {path}; it has to occur once",
                    "old_str이 {path} 에 {found}번 나옵니다. 한 번만 나와야 합니다"
                );
                return Err(Problem::bad(what));
            }
            put(mind, &path, &text.replacen(&old_str, new_str.as_deref().unwrap_or_default(), 1)).await?;
            Ok(format!("File {path} has been edited"))
        }
        Command::Insert { path, insert_line, insert_text } => {
            let (path, text) = read(mind, &path).await?;
            let mut lines: Vec<&str> = text.lines().collect();
            if insert_line > lines.len() {
                let what = phrase!("{path} has {} lines", "{path} 은(는) {}줄입니다", lines.len());
                return Err(Problem::bad(what));
            }
            lines.splice(insert_line..insert_line, insert_text.trim_end_matches('\n').lines());
            put(mind, &path, &lines.join("\n")).await?;
            Ok(format!("Text inserted at line {insert_line} in {path}"))
        }
        Command::Delete { path } => delete(mind, &checked(&path)?).await,
        Command::Rename { old_path, new_path } => {
            let ((old, text), new) = (read(mind, &old_path).await?, file(&new_path)?);
            if documents::find(mind, &new).await?.is_some() {
                return Err(Problem::bad(phrase!("{new} is there already", "{new}: 이미 있습니다")));
            }
            put(mind, &new, &text).await?;
            documents::remove(mind, &old).await?;
            Ok(format!("Renamed {old} to {new}"))
        }
    }
}

/// A path below the root, without tricks.
fn checked(path: &str) -> Result<String, Problem> {
    let path = path.trim().trim_end_matches('/');
    let below = path == ROOT || path.starts_with("/memories/");
    let plain = path.split('/').skip(1).all(|part| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', '\0', '%']));
    if !below || !plain || path.chars().count() > 500 {
        return Err(Problem::bad(phrase!("name a path under /memories", "/memories 아래의 경로를 적어 주세요")));
    }
    Ok(path.to_owned())
}

fn file(path: &str) -> Result<String, Problem> {
    let path = checked(path)?;
    if path == ROOT {
        return Err(Problem::bad(phrase!("name a file, not the folder", "폴더가 아니라 파일을 적어 주세요")));
    }
    Ok(path)
}

fn missing(path: &str) -> Problem {
    Problem::not_found(Phrase::new(format!("Path not found: {path}"), format!("그런 경로가 없습니다: {path}")))
}

async fn read(mind: &MindHandle, path: &str) -> Result<(String, String), Problem> {
    let path = file(path)?;
    let memory = documents::find(mind, &path).await?.ok_or_else(|| missing(&path))?;
    Ok((path, memory.content))
}

async fn put(mind: &MindHandle, path: &str, text: &str) -> Result<(), Problem> {
    let tags = vec!["memory-tool".to_owned()];
    documents::put(mind, Document { name: path.to_owned(), text: text.to_owned(), tags, tier: Tier::M365 }).await?;
    Ok(())
}

async fn view(mind: &MindHandle, path: &str, range: Option<(usize, i64)>) -> Result<String, Problem> {
    if let Some(memory) = documents::find(mind, path).await? {
        let lines: Vec<&str> = memory.content.lines().collect();
        let (from, to) =
            range.map_or((1, lines.len()), |(from, to)| (from.max(1), usize::try_from(to).unwrap_or(lines.len()).min(lines.len())));
        let numbered = lines.iter().enumerate().take(to).skip(from - 1).map(|(number, line)| format!("{:>6}\t{line}", number + 1));
        return Ok(format!("Here's the content of {path} with line numbers:\n{}", numbered.collect::<Vec<_>>().join("\n")));
    }
    let below = documents::under(mind, &format!("{path}/")).await?;
    if below.is_empty() && path != ROOT {
        return Err(missing(path));
    }
    let names = below.iter().map(|(name, memory)| format!("{}\t{name}", memory.content.len()));
    Ok(std::iter::once(format!("Here're the files under {path}:")).chain(names).collect::<Vec<_>>().join("\n"))
}

async fn delete(mind: &MindHandle, path: &str) -> Result<String, Problem> {
    if documents::remove(mind, path).await? {
        return Ok(format!("Successfully deleted {path}"));
    }
    let below = documents::under(mind, &format!("{path}/")).await?;
    if below.is_empty() || path == ROOT {
        return Err(missing(path));
    }
    for (name, _) in below {
        documents::remove(mind, &name).await?;
    }
    Ok(format!("Successfully deleted {path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leaves_its_folder() {
        for path in ["/memories", "/memories/a.md", "/memories/친구/민지.md", "/memories/a/"] {
            assert!(checked(path).is_ok(), "{path}");
        }
        for path in
            ["/etc/passwd", "/memories/../x", "memories/a", "/memories//a", "/memories/%2e%2e/x", "/memoriesx", "", "/memories/a\\b"]
        {
            assert!(checked(path).is_err(), "{path}");
        }
    }
}
