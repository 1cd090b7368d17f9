//! Anthropic's memory tool: files under `/memories`, each stored as a memory. Behaviour and messages match the
//! published reference implementation for a local folder, because models were trained on it. A folder exists as soon as
//! it contains a file. When its last file is removed, it is stored as an empty document whose name ends with `/`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use saegim_core::{LONGEST_CONTENT, Memory};
use serde::Deserialize;
use serde_json::{Value, json};

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

/// Returns the zero-based range of lines for `[first, last]`, counted from 1; `-1` is the end.
fn shown(count: usize, range: Option<&[i64]>) -> (usize, usize) {
    let Some(&[first, last]) = range else { return (0, count) };
    let from = usize::try_from(first.max(1) - 1).unwrap_or(usize::MAX);
    let to = match last {
        -1 => count,
        ..0 => count.saturating_sub(usize::try_from(last.unsigned_abs()).unwrap_or(usize::MAX)),
        _ => usize::try_from(last).unwrap_or(usize::MAX),
    };
    (from.min(count), to.min(count).max(from.min(count)))
}

fn numbered(lines: &[&str], range: std::ops::Range<usize>) -> String {
    let wanted = lines.iter().enumerate().take(range.end).skip(range.start);
    wanted.map(|(number, line)| format!("{:>6}\t{line}", number + 1)).collect::<Vec<_>>().join("\n")
}

/// Lists the files and folders of a folder by name, two levels deep, without hidden ones.
fn tree(files: &[(&str, usize)]) -> Vec<(String, String)> {
    let mut entries: Vec<(Vec<&str>, Option<usize>)> = Vec::new();
    for (name, size) in files {
        let (name, size) = name.strip_suffix('/').map_or((*name, Some(*size)), |folder| (folder, None));
        let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty()).collect();
        for depth in 1..=parts.len().min(2) {
            let entry = (parts[..depth].to_vec(), size.filter(|_| depth == parts.len()));
            let hidden = entry.0.iter().any(|part| part.starts_with('.'));
            if !hidden && !entries.iter().any(|(known, _)| *known == entry.0) {
                entries.push(entry);
            }
        }
    }
    entries.sort();
    let told = |(parts, size): (Vec<&str>, Option<usize>)| match size {
        Some(bytes) => (size_of(bytes), parts.join("/")),
        None => (FOLDER.to_owned(), format!("{}/", parts.join("/"))),
    };
    entries.into_iter().map(told).collect()
}

/// Formats a size with a unit; with one decimal unless it is a whole number.
fn size_of(bytes: usize) -> String {
    let units = ["B", "K", "M", "G"];
    let power = if bytes == 0 { 0 } else { (bytes.ilog2() / 10).min(3) as usize };
    let size = bytes as f64 / 1024_f64.powi(power as i32);
    if size.fract() == 0.0 { format!("{size:.0}{}", units[power]) } else { format!("{size:.1}{}", units[power]) }
}

/// Replaces the only occurrence of `old`. Returns the new text and the lines around the change.
fn replaced(path: &str, text: &str, (old, new): (&str, &str)) -> Result<(String, String), Problem> {
    let line_of = |place: usize| text[..place].matches('\n').count() + 1;
    match text.matches(old).count() {
        0 => Err(bad(format!("No replacement was performed, old_str `{old}` did not appear verbatim in {path}."))),
        1 => {
            let line = text.find(old).map_or(1, line_of);
            let changed = text.replacen(old, new, 1);
            let lines: Vec<&str> = changed.split('\n').collect();
            let around = line.saturating_sub(3)..(line + 2).min(lines.len());
            let snippet = numbered(&lines, around);
            Ok((changed, snippet))
        }
        _ => {
            let places = text.char_indices().map(|(place, _)| place).chain([text.len()]);
            let lines = places.filter(|place| text[*place..].starts_with(old)).map(|place| line_of(place).to_string());
            Err(bad(format!(
                "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {}. Please ensure it is unique",
                lines.collect::<Vec<_>>().join(", ")
            )))
        }
    }
}

/// Inserts a text after the given line. The result ends with a newline.
fn inserted(text: &str, after: i64, new: &str) -> Result<String, Problem> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    lines.pop_if(|last| last.is_empty());
    let place = usize::try_from(after)
        .ok()
        .filter(|place| *place <= lines.len())
        .ok_or_else(|| bad(format!("Invalid `insert_line` parameter: {after}. It should be within the range [0, {}].", lines.len())))?;
    lines.insert(place, new.trim_end_matches('\n'));
    let joined = lines.join("\n");
    Ok(if joined.ends_with('\n') { joined } else { joined + "\n" })
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

    #[test]
    fn a_text_is_put_in_between_lines_and_nothing_else_moves() {
        for (text, after, new, becomes) in [
            ("one\ntwo\n", 0, "zero\n", Some("zero\none\ntwo\n")),
            ("one\ntwo", 2, "three", Some("one\ntwo\nthree\n")),
            ("one\n", 1, "l1\n\nl3\n", Some("one\nl1\n\nl3\n")),
            ("one\ntwo\n", 1, "\n", Some("one\n\ntwo\n")),
            ("", 0, "first", Some("first\n")),
            ("one\n", 2, "x", None),
            ("one\n", -1, "x", None),
        ] {
            assert_eq!(inserted(text, after, new).ok().as_deref(), becomes, "{text:?} {after} {new:?}");
        }
    }

    #[test]
    fn a_folder_is_shown_two_levels_deep_without_what_is_hidden() {
        let files =
            [("a.md", 3), (".hidden", 1), ("dir/b.md", 1024), ("dir/sub/c.md", 1), ("dir/sub/deep/d.md", 4), ("e", 0), ("f/.g/h", 2)];
        let shown: Vec<String> = tree(&files).into_iter().map(|(size, name)| format!("{size} {name}")).collect();
        assert_eq!(shown, ["3B a.md", "4K dir/", "1K dir/b.md", "4K dir/sub/", "0B e", "4K f/"]);
        for (bytes, size) in [(0, "0B"), (1023, "1023B"), (1024, "1K"), (1536, "1.5K"), (5 << 20, "5M")] {
            assert_eq!(size_of(bytes), size);
        }
    }

    #[test]
    fn what_is_replaced_is_there_once() {
        let text = "one\ntwo\nthree\nfour\nfive\nsix";
        let (changed, snippet) = replaced("/memories/a", text, ("four", "4")).unwrap();
        assert_eq!(changed, "one\ntwo\nthree\n4\nfive\nsix");
        assert_eq!(snippet, "     2\ttwo\n     3\tthree\n     4\t4\n     5\tfive\n     6\tsix");
        let problem = |old| replaced("/memories/a", text, (old, "x")).unwrap_err().detail();
        assert_eq!(problem("zzz"), "No replacement was performed, old_str `zzz` did not appear verbatim in /memories/a.");
        assert!(problem("e\n").ends_with("in lines: 1, 3, 5. Please ensure it is unique"), "{}", problem("e\n"));
    }
}
