//! How files and folders are shown, and edits of a text.

use super::{FOLDER, bad};
use crate::http::problem::Problem;

/// Returns the zero-based range of lines for `[first, last]`, counted from 1; `-1` is the end.
pub(super) fn shown(count: usize, range: Option<&[i64]>) -> (usize, usize) {
    let Some(&[first, last]) = range else { return (0, count) };
    let from = usize::try_from(first.max(1) - 1).unwrap_or(usize::MAX);
    let to = match last {
        -1 => count,
        ..0 => count.saturating_sub(usize::try_from(last.unsigned_abs()).unwrap_or(usize::MAX)),
        _ => usize::try_from(last).unwrap_or(usize::MAX),
    };
    (from.min(count), to.min(count).max(from.min(count)))
}

pub(super) fn numbered(lines: &[&str], range: std::ops::Range<usize>) -> String {
    let wanted = lines.iter().enumerate().take(range.end).skip(range.start);
    wanted.map(|(number, line)| format!("{:>6}\t{line}", number + 1)).collect::<Vec<_>>().join("\n")
}

/// Lists the files and folders of a folder by name, two levels deep, without hidden ones.
pub(super) fn tree(files: &[(&str, usize)]) -> Vec<(String, String)> {
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
pub(super) fn size_of(bytes: usize) -> String {
    let units = ["B", "K", "M", "G"];
    let power = if bytes == 0 { 0 } else { (bytes.ilog2() / 10).min(3) as usize };
    let size = bytes as f64 / 1024_f64.powi(power as i32);
    if size.fract() == 0.0 { format!("{size:.0}{}", units[power]) } else { format!("{size:.1}{}", units[power]) }
}

/// Replaces the only occurrence of `old`. Returns the new text and the lines around the change.
pub(super) fn replaced(path: &str, text: &str, (old, new): (&str, &str)) -> Result<(String, String), Problem> {
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
pub(super) fn inserted(text: &str, after: i64, new: &str) -> Result<String, Problem> {
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
