//! No message is left in the catalogues after the code that used it is gone. (A missing one is a compile error.)

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::collections::HashSet;
use std::path::Path;

/// Collects the text of every Rust source below a folder.
fn sources(folder: &Path, found: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn code_uses_every_message() {
    let mut code = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut code);
    let quoted: HashSet<&str> = code.split('"').collect();
    let named = |word: &str| quoted.contains(word);
    // The name of a domain value is found by its group and word.
    let used = |key: &&str| match key.strip_prefix("name.").and_then(|name| name.split_once('.')) {
        Some((group, word)) => named(group) && named(word),
        None => named(key),
    };
    let unused: Vec<&str> = saegim_messages::keys().filter(|key| !used(key)).collect();
    assert!(unused.is_empty(), "no code uses these messages: {unused:#?}");
}
