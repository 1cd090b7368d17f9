//! Checks the statements of ARCHITECTURE.md about the structure of the code.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Our crates with those each one depends on.
const ARROWS: [(&str, &[&str]); 11] = [
    ("encoder", &[]),
    ("messages", &[]),
    ("core", &["messages"]),
    ("store", &["core"]),
    ("language", &["core", "encoder"]),
    ("provider", &["core", "encoder", "language"]),
    ("engine", &["core", "language", "provider", "store"]),
    ("stories", &["core", "engine", "language", "provider"]),
    ("app", &["core", "engine", "language", "provider", "stories"]),
    ("python", &["app"]),
    ("sim", &["core", "engine", "language", "provider", "store"]),
];

/// Dependencies of the rules: hashing, calendars, text and data, but no I/O.
const CORE_DEPENDENCIES: [&str; 9] =
    ["blake3", "jiff", "regex", "saegim-messages", "serde", "serde_json", "thiserror", "unicode-normalization", "uuid"];

/// I/O, clocks and environment, which the rules must not use.
const IMPURE: [&str; 7] = ["std::fs", "std::net", "std::env", "tokio", "println!", "SystemTime::now", "Instant::now"];

/// Files that may be longer than [`LONGEST`], each with the reason.
const LONG: [(&str, &str); 2] = [
    ("crates/store/src/conformance.rs", "the cases of one suite are read side by side"),
    ("crates/store/src/sqlite/store.rs", "one line or two per query of the trait; an `impl` of a trait cannot be split"),
];

/// Maximum number of lines of a file, without its tests.
const LONGEST: usize = 400;

/// Folders that may hold more than [`FULLEST`] files, each with the reason.
const FULL: [(&str, &str); 1] = [("crates/store/src/sqlite/migrations", "migrations are numbered and never change")];

/// Maximum number of source files in a folder, without the `mod.rs`, `lib.rs` or `main.rs` that lists the others.
const FULLEST: usize = 15;

/// Words that are not used in names and comments, with `_` read as a space; strings may contain them.
const PRIVATE_WORDS: [&str; 13] = [
    "whoever",
    "lest",
    "whence",
    "let go",
    "told of",
    "at hand",
    "for ever",
    "put away",
    "twins",
    "births",
    "nursery",
    "bereft",
    "caretaker",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names in one table of a manifest; our manifests name one dependency a line.
fn names(manifest: &str, table: &str) -> BTreeSet<String> {
    let text = read(manifest);
    assert!(!text.contains("dependencies."), "{manifest} has a table this test cannot read");
    let lines = text.lines().skip_while(|line| *line != format!("[{table}]")).skip(1).take_while(|line| !line.starts_with('['));
    let names = lines.filter(|line| line.starts_with(|first: char| first.is_ascii_alphanumeric()));
    names.map(|line| line.split(['.', ' ', '=']).next().unwrap_or_default().to_owned()).collect()
}

/// The manifest of one of our crates.
fn manifest(name: &str) -> String {
    format!("crates/{name}/Cargo.toml")
}

/// The tables of a manifest that list dependencies.
const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// Every text file of the project by its path from the root, without generated folders.
fn texts() -> Vec<(String, String)> {
    let generated = [".git", "target", "out", "node_modules", "__pycache__"];
    let (root, mut found) = (root(), Vec::new());
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if generated.contains(&name.as_str()) || name.starts_with(".venv") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                found.push((path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    found.sort();
    found
}

/// Rust files in the `src` folders of our crates.
fn sources() -> Vec<(String, String)> {
    let source = |name: &str| name.starts_with("crates/") && name.contains("/src/") && name.ends_with(".rs");
    let sources: Vec<_> = texts().into_iter().filter(|(name, _)| source(name)).collect();
    assert!(sources.len() > 50, "only {} sources were found", sources.len());
    sources
}

#[test]
fn crates_depend_on_each_other_only_as_listed() {
    let folders = std::fs::read_dir(root().join("crates")).unwrap();
    let folders: BTreeSet<String> = folders.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(folders, ARROWS.map(|(name, _)| name.to_owned()).into(), "a new crate needs a line in ARCHITECTURE.md and here");
    for (name, may) in ARROWS {
        for table in TABLES {
            let ours = names(&manifest(name), table).into_iter().filter_map(|name| name.strip_prefix("saegim-").map(str::to_owned));
            // A crate's tests may turn on a feature of the crate itself.
            let depends_on: Vec<String> = ours.filter(|other| other != name).collect();
            if table == "dependencies" {
                assert_eq!(depends_on, may, "dependencies of {name}");
            } else {
                assert!(depends_on.iter().all(|other| may.contains(&other.as_str())), "{table} of {name}: {depends_on:?}");
            }
        }
    }
}

#[test]
fn the_rules_are_pure() {
    let depends_on = names(&manifest("core"), "dependencies");
    let more: Vec<_> = depends_on.iter().filter(|name| !CORE_DEPENDENCIES.contains(&name.as_str())).collect();
    assert!(more.is_empty(), "core must not depend on {more:?}");
    for (name, text) in sources().iter().filter(|(name, _)| name.starts_with("crates/core/")) {
        for way in IMPURE {
            assert!(!text.contains(way), "{name} uses {way}");
        }
    }
}

#[test]
fn no_file_is_too_long() {
    for (name, text) in sources() {
        let length = text.lines().take_while(|line| *line != "#[cfg(test)]").count();
        let excused = LONG.iter().any(|(long, _)| *long == name);
        assert!(length <= LONGEST || excused, "{name} has {length} lines before its tests; split it by concept");
    }
    for (name, _) in LONG {
        assert!(root().join(name).exists(), "{name} is excused but does not exist");
    }
}

#[test]
fn no_folder_is_too_full() {
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for (name, _) in texts() {
        let Some((folder, file)) = name.rsplit_once('/') else { continue };
        let counts = ["rs", "sql", "ts", "tsx", "py"].iter().any(|kind| file.ends_with(&format!(".{kind}")));
        if counts && !["mod.rs", "lib.rs", "main.rs", "__init__.py"].contains(&file) {
            *folders.entry(folder.to_owned()).or_default() += 1;
        }
    }
    assert!(folders.len() > 50, "only {} folders were found", folders.len());
    let full: Vec<_> = folders.iter().filter(|(name, files)| **files > FULLEST && FULL.iter().all(|(full, _)| full != name)).collect();
    assert!(full.is_empty(), "group the files of these folders by concept: {full:?}");
    for (name, _) in FULL {
        assert!(folders.get(name).is_some_and(|files| *files > FULLEST), "{name} is excused but not full");
    }
}

#[test]
fn no_work_is_left_open() {
    // Joined here so that this file does not contain them.
    let marks = [["TO", "DO"], ["FIX", "ME"], ["to", "do!("], ["unimple", "mented!("]].map(|halves| halves.concat());
    for (name, text) in texts() {
        for mark in &marks {
            assert!(!text.contains(mark.as_str()), "{name} contains {mark}");
        }
    }
}

#[test]
fn no_file_contains_a_path_of_a_development_machine() {
    let folders = ["work", "tmp", "root", "home"].map(|name| format!("/{name}/"));
    for (name, text) in texts() {
        for folder in &folders {
            for (at, _) in text.match_indices(folder.as_str()) {
                let before = text[..at].chars().next_back();
                let inside = before.is_some_and(|before| before.is_alphanumeric() || "]}>._-*~".contains(before));
                assert!(inside, "{name} names {}", text[at..].lines().next().unwrap_or_default());
            }
        }
    }
}

#[test]
fn every_dependency_is_explained_and_used() {
    let foreign = |name: &String| !name.starts_with("saegim-");
    let named: BTreeSet<String> = names("Cargo.toml", "workspace.dependencies").into_iter().filter(foreign).collect();
    assert!(named.len() > 10, "only {named:?} were found");

    let architecture = read("ARCHITECTURE.md");
    let section = architecture.split("\n## ").find(|section| section.starts_with("Dependencies")).expect("a section of dependencies");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let reasoned = rows.map(|(name, reason)| {
        assert!(reason.len() > 15, "{name} has no reason");
        name.to_owned()
    });
    assert_eq!(named, reasoned.collect(), "[workspace.dependencies] on the left, ARCHITECTURE.md on the right");

    let used = ARROWS.iter().flat_map(|(name, _)| TABLES.map(|table| names(&manifest(name), table))).flatten();
    assert_eq!(named, used.filter(foreign).collect(), "[workspace.dependencies] on the left, what the crates use on the right");
}

#[test]
fn every_link_in_the_documents_has_a_target() {
    let (mut links, mut lost) = (0, Vec::new());
    for (name, text) in texts().iter().filter(|(name, _)| name.ends_with(".md")) {
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") || file.starts_with("mailto:") {
                continue;
            }
            links += 1;
            if !root().join(name).parent().unwrap().join(file).exists() {
                lost.push(format!("{name} -> {target}"));
            }
        }
    }
    assert!(links > 0 && lost.is_empty(), "{links} links; without a target: {lost:?}");
}

/// Rust code without the contents of its strings, which may say anything.
fn without_strings(text: &str) -> String {
    let (mut code, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            'r' if rest.starts_with("r\"") || rest.starts_with("r#") => raw_string(rest).unwrap_or(1),
            '"' => string(rest),
            '\'' if rest.starts_with("'\"'") => 3,
            '\'' if rest.starts_with("'\\") => 4 + rest[3..].find('\'').unwrap_or(0),
            _ => first.len_utf8(),
        };
        let keeps = first == '/' || end == first.len_utf8();
        code.push_str(if keeps { &rest[..end] } else { "\"" });
        rest = &rest[end..];
    }
    code
}

/// The length of the string that a text begins with.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, letter)| {
        let ends = *letter == '"' && !escaped;
        escaped = *letter == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The length of the raw string that a text begins with, if it is one.
fn raw_string(text: &str) -> Option<usize> {
    let hashes: String = text[1..].chars().take_while(|letter| *letter == '#').collect();
    let inside = text[1 + hashes.len()..].strip_prefix('"')?;
    Some(2 + hashes.len() + inside.find(&format!("\"{hashes}"))? + 1 + hashes.len())
}

#[test]
fn strings_are_left_out_of_code() {
    for (text, code) in [
        (r#"let a = "let go"; // let go"#, r#"let a = "; // let go"#),
        (r##"f(r"\", r#"a "b" c"#, 'x', '"', '\'')"##, r#"f(", ", 'x', ", ")"#),
        (r#"for r in "a\"b" {}"#, r#"for r in " {}"#),
    ] {
        assert_eq!(without_strings(text), code, "{text}");
    }
}

#[test]
fn every_public_type_name_is_unique() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in sources() {
        let declared = text.lines().filter_map(|line| line.strip_prefix("pub ")).filter_map(|line| {
            let name = ["struct ", "enum ", "trait ", "type "].iter().find_map(|kind| line.strip_prefix(kind))?;
            name.split(|letter: char| !letter.is_alphanumeric()).next()
        });
        for name in declared {
            places.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    assert!(places.len() > 100, "only {} types were found", places.len());
    let twice: Vec<_> = places.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "declared more than once: {twice:#?}");
}

#[test]
fn names_and_comments_use_common_words() {
    let mut found = Vec::new();
    for (file, text) in sources() {
        for line in without_strings(&text).lines() {
            let words = line.to_lowercase().replace('_', " ");
            let words = words.replace(|letter: char| !letter.is_alphanumeric() && letter != ' ', " . ");
            let words = format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "));
            let private = PRIVATE_WORDS.iter().filter(|word| words.contains(&format!(" {word} ")));
            found.extend(private.map(|word| format!("{file}: \"{word}\" in {}", line.trim())));
        }
    }
    assert!(found.is_empty(), "use the word that engineers use: {found:#?}");
}
