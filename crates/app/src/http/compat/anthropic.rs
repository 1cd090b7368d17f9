//! Anthropic's memory tool: files under `/memories`, each stored as a memory. Behaviour and messages match the
//! published reference implementation for a local folder, because models were trained on it. A folder exists as soon as
//! it contains a file. When its last file is removed, it is stored as an empty document whose name ends with `/`.

/// How files and folders are shown, and edits of a text.
mod text;

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use saegim_core::{LONGEST_CONTENT, Memory};
use serde::Deserialize;
use serde_json::{Value, json};

use self::text::{inserted, numbered, replaced, shown, tree};
use super::documents::{Document, Shelf, TRIES, text_of};
use crate::http::access::Named;
use crate::http::problem::Problem;
use crate::http::{Body, Server};

/// Root folder.
pub(super) const ROOT: &str = "/memories";

/// Prefix of all file names.
pub(super) const BELOW: &str = "/memories/";

/// Maximum length of a path in characters.
const LONGEST_PATH: usize = 500;

/// Tag of all memories stored here.
const TAG: &str = "memory-tool";

/// Displayed size of a folder: the usual block size of a disk.
const FOLDER: &str = "4K";

pub(super) fn router() -> Router<Arc<Server>> {
    Router::new().route("/v1/minds/{mind}/memory-tool", post(run))
}

/// One command of the tool.
#[derive(Clone, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
enum Command {
    View { path: String, view_range: Option<Vec<i64>> },
    Create { path: String, file_text: String },
    StrReplace { path: String, old_str: String, new_str: Option<String> },
    Insert { path: String, insert_line: i64, insert_text: String },
    Delete { path: String },
    Rename { old_path: String, new_path: String },
}

async fn run(State(server): State<Arc<Server>>, named: Named, Body(command): Body<Command>) -> Result<Json<Value>, Problem> {
    let now = server.engine.now();
    // Only `create` with a valid file may create the mind.
    let mind = match &command {
        Command::Create { path, file_text } => {
            place_of(path)?;
            fits(path, file_text)?;
            named.begun(&server).await?
        }
        _ => named.looked_at(&server).await?,
    };
    let shelf = Shelf { mind, now };
    if let Command::View { path, view_range } = command {
        return Ok(Json(json!({ "result": view(&shelf, &path, view_range).await? })));
    }
    let _turn = server.writers.turn(shelf.mind.id()).await;
    for _ in 1..TRIES {
        match done(&shelf, command.clone()).await {
            // Another process changed the file first. Retry the command on the current content.
            Err(problem) if problem.status() == StatusCode::PRECONDITION_FAILED => {}
            answered => return Ok(Json(json!({ "result": answered? }))),
        }
    }
    Ok(Json(json!({ "result": done(&shelf, command).await? })))
}

async fn done(shelf: &Shelf, command: Command) -> Result<String, Problem> {
    match command {
        Command::View { path, view_range } => view(shelf, &path, view_range).await,
        Command::Create { path, file_text } => create(shelf, &path, file_text).await,
        Command::StrReplace { path, old_str, new_str } => {
            let (place, known) = read(shelf, &path).await?;
            let (text, snippet) = replaced(&path, &text_of(&known), (&old_str, &new_str.unwrap_or_default()))?;
            write(shelf, (&path, place), text, Some(&known)).await?;
            Ok(format!("The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"))
        }
        Command::Insert { path, insert_line, insert_text } => {
            let (place, known) = read(shelf, &path).await?;
            write(shelf, (&path, place), inserted(&text_of(&known), insert_line, &insert_text)?, Some(&known)).await?;
            Ok(format!("The file {path} has been edited."))
        }
        Command::Delete { path } => delete(shelf, &path).await,
        Command::Rename { old_path, new_path } => rename(shelf, &old_path, &new_path).await,
    }
}

/// Creates an error with the tool's own English message. The model reads it, independent of the user's language.
fn wrong(status: StatusCode, what: String) -> Problem {
    Problem::new(status, "memory tool", what.into())
}

fn bad(what: String) -> Problem {
    wrong(StatusCode::BAD_REQUEST, what)
}

fn missing(path: &str) -> Problem {
    wrong(StatusCode::NOT_FOUND, format!("The path {path} does not exist. Please provide a valid path."))
}

/// Normalizes a path. It must be inside the root and must not escape it with `..`.
fn place_of(path: &str) -> Result<String, Problem> {
    let below = path.strip_prefix(ROOT).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let below = below.ok_or_else(|| bad(format!("Path must start with {ROOT}, got: {path}")))?;
    let mut parts: Vec<&str> = Vec::new();
    for part in below.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or_else(|| bad(format!("Path {path} would escape {ROOT} directory")))?;
            }
            other => parts.push(other),
        }
    }
    let place = std::iter::once(ROOT).chain(parts).collect::<Vec<_>>().join("/");
    if place.contains('\0') || place.chars().count() > LONGEST_PATH {
        return Err(bad(format!("Path {path} cannot be used; name one of at most {LONGEST_PATH} characters")));
    }
    Ok(place)
}

/// What exists at a path.
enum Lies {
    File(Box<Memory>),
    /// A folder with all its contents by name, including its own entry if it was left empty.
    Folder(Vec<(String, Memory)>),
    Nothing,
}

async fn look(shelf: &Shelf, place: &str) -> Result<Lies, Problem> {
    if let Some(memory) = shelf.find(place).await? {
        return Ok(Lies::File(Box::new(memory)));
    }
    let below = shelf.under(&format!("{place}/")).await?;
    Ok(if below.is_empty() && place != ROOT { Lies::Nothing } else { Lies::Folder(below) })
}

async fn read(shelf: &Shelf, path: &str) -> Result<(String, Memory), Problem> {
    let place = place_of(path)?;
    match look(shelf, &place).await? {
        Lies::File(memory) => Ok((place, *memory)),
        Lies::Folder(_) => Err(bad(format!("The path {path} is not a file."))),
        Lies::Nothing => Err(missing(path)),
    }
}

/// Refuses a text that is too long for one file.
fn fits(path: &str, text: &str) -> Result<(), Problem> {
    let letters = text.trim().chars().count();
    if letters > LONGEST_CONTENT {
        return Err(bad(format!(
            "File {path} would have {letters} characters; at most {LONGEST_CONTENT} are kept in one file. Split it into several files."
        )));
    }
    Ok(())
}

/// Writes a file over its previous version `known`, or creates it.
async fn write(shelf: &Shelf, (path, place): (&str, String), text: String, known: Option<&Memory>) -> Result<(), Problem> {
    fits(path, &text)?;
    let tags = vec![TAG.to_owned()];
    shelf.put_over(&Document { name: place, text, tags, ends_at: None }, known).await?;
    Ok(())
}

/// Refuses a path below a file, because a file is not a folder.
async fn room_at(shelf: &Shelf, path: &str, place: &str) -> Result<(), Problem> {
    let mut above = place;
    while let Some((folder, _)) = above.rsplit_once('/').filter(|(folder, _)| folder.len() > ROOT.len()) {
        if shelf.find(folder).await?.is_some() {
            return Err(bad(format!("The path {path} lies below {folder}, which is a file and not a directory.")));
        }
        above = folder;
    }
    Ok(())
}

/// Keeps the parent folder if `leaving` is its last content. Runs before the removal, so that an error leaves
/// everything unchanged.
async fn hold(shelf: &Shelf, leaving: &str, new: Option<&str>) -> Result<(), Problem> {
    let Some((folder, _)) = leaving.rsplit_once('/').filter(|(folder, _)| *folder != ROOT) else { return Ok(()) };
    let name = format!("{folder}/");
    let leaves = |other: &str| other.strip_prefix(leaving).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let stays = new.is_some_and(|new| new.starts_with(&name));
    if !stays && shelf.under(&name).await?.iter().all(|(other, _)| leaves(other)) {
        let tags = vec![TAG.to_owned()];
        shelf.put(Document { name, text: String::new(), tags, ends_at: None }).await?;
    }
    Ok(())
}

async fn create(shelf: &Shelf, path: &str, text: String) -> Result<String, Problem> {
    let place = place_of(path)?;
    if !matches!(look(shelf, &place).await?, Lies::Nothing) {
        return Err(wrong(StatusCode::CONFLICT, format!("File {path} already exists")));
    }
    room_at(shelf, path, &place).await?;
    write(shelf, (path, place), text, None).await?;
    Ok(format!("File created successfully at: {path}"))
}

async fn delete(shelf: &Shelf, path: &str) -> Result<String, Problem> {
    let place = place_of(path)?;
    if place == ROOT {
        return Err(bad(format!("Cannot delete the {ROOT} directory itself")));
    }
    let lies = look(shelf, &place).await?;
    if matches!(lies, Lies::Nothing) {
        return Err(wrong(StatusCode::NOT_FOUND, format!("The path {path} does not exist")));
    }
    hold(shelf, &place, None).await?;
    match lies {
        Lies::Folder(below) => {
            let (folders, files): (Vec<_>, Vec<_>) = below.into_iter().partition(|(name, _)| name.ends_with('/'));
            let of = |named: Vec<(String, Memory)>| named.into_iter().map(|(_, memory)| memory).collect::<Vec<_>>();
            shelf.remove_all(&of(files)).await?;
            // Empty folder entries contain no information. They expire instead of being forgotten, so they do not count
            // toward the limits on forgetting.
            shelf.end_all(&of(folders)).await?;
        }
        Lies::File(_) | Lies::Nothing => {
            shelf.remove(&place).await?;
        }
    }
    Ok(format!("Successfully deleted {path}"))
}

async fn rename(shelf: &Shelf, old_path: &str, new_path: &str) -> Result<String, Problem> {
    let (old, new) = (place_of(old_path)?, place_of(new_path)?);
    if old == ROOT {
        return Err(bad(format!("Cannot rename the {ROOT} directory itself")));
    }
    if !matches!(look(shelf, &new).await?, Lies::Nothing) {
        return Err(wrong(StatusCode::CONFLICT, format!("The destination {new_path} already exists")));
    }
    let moved = match look(shelf, &old).await? {
        Lies::File(memory) => vec![(*memory, new.clone())],
        Lies::Folder(below) => {
            let renamed = below.into_iter().map(|(name, memory)| (memory, format!("{new}{}", &name[old.len()..])));
            renamed.collect()
        }
        Lies::Nothing => return Err(wrong(StatusCode::NOT_FOUND, format!("The path {old_path} does not exist"))),
    };
    if new.starts_with(&format!("{old}/")) {
        return Err(bad(format!("The path {old_path} cannot be moved into itself: {new_path}")));
    }
    room_at(shelf, new_path, &new).await?;
    if moved.iter().any(|(_, name)| name.chars().count() > LONGEST_PATH) {
        return Err(bad(format!("Path {new_path} cannot be used; paths have at most {LONGEST_PATH} characters")));
    }
    hold(shelf, &old, Some(&new)).await?;
    shelf.rename_all(moved).await?;
    Ok(format!("Successfully renamed {old_path} to {new_path}"))
}

/// Returns the content of a file or the listing of a folder.
async fn view(shelf: &Shelf, path: &str, range: Option<Vec<i64>>) -> Result<String, Problem> {
    let place = place_of(path)?;
    match look(shelf, &place).await? {
        Lies::File(memory) => {
            let text = text_of(&memory);
            let lines: Vec<&str> = text.split('\n').collect();
            let (from, to) = shown(lines.len(), range.as_deref());
            let numbered = numbered(&lines, from..to);
            Ok(format!("Here's the content of {path} with line numbers:\n{numbered}"))
        }
        Lies::Folder(below) => {
            let mut lines = vec![
                format!("Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"),
                format!("{FOLDER}\t{path}"),
            ];
            let files: Vec<(&str, usize)> = below.iter().map(|(name, memory)| (&name[place.len() + 1..], text_of(memory).len())).collect();
            lines.extend(tree(&files).into_iter().map(|(size, name)| format!("{size}\t{path}/{name}")));
            Ok(lines.join("\n"))
        }
        Lies::Nothing => Err(missing(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leaves_its_folder() {
        for (path, place) in [
            ("/memories", "/memories"),
            ("/memories/", "/memories"),
            ("/memories/a.md", "/memories/a.md"),
            ("/memories/친구/민지.md", "/memories/친구/민지.md"),
            ("/memories/a//b/./c/", "/memories/a/b/c"),
            ("/memories/a/../b", "/memories/b"),
            ("/memories/100%.md", "/memories/100%.md"),
            ("/memories/%2e%2e/x", "/memories/%2e%2e/x"),
        ] {
            assert_eq!(place_of(path).ok().as_deref(), Some(place), "{path}");
        }
        for path in ["/etc/passwd", "/memories/../x", "/memories/a/../../x", "memories/a", "/memoriesx", "", "/memories/a\0b"] {
            assert!(place_of(path).is_err(), "{path}");
        }
    }
}
