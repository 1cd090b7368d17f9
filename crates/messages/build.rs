//! Compiles the message catalogues into tables. Fails if a key or a placeholder is missing in a language.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use toml::{Table, Value};

/// Texts of one language by key.
type Catalogue = BTreeMap<String, String>;

fn main() {
    let (english, korean) = (catalogue("en"), catalogue("ko"));
    let lacking = |one: &Catalogue, other: &Catalogue| one.keys().filter(|key| !other.contains_key(*key)).cloned().collect::<Vec<_>>();
    assert_eq!((lacking(&english, &korean), lacking(&korean, &english)), (vec![], vec![]), "(not in ko, not in en)");

    let (mut keys, mut tables) = (String::new(), [String::new(), String::new()]);
    for (key, text) in &english {
        let (names, _) = parsed(text, Vec::new());
        writeln!(keys, "({key:?}, &{names:?}),").expect("a string accepts text");
        for (table, text) in tables.iter_mut().zip([text, &korean[key]]) {
            let (found, pieces) = parsed(text, names.clone());
            assert_eq!(found.len(), names.len(), "{key} has other placeholders in Korean: {text}");
            assert!(names.iter().all(|name| text.contains(&format!("{{{name}}}"))), "{key} lacks a placeholder in Korean: {text}");
            writeln!(table, "&[{pieces}],").expect("a string accepts text");
        }
    }
    let [english_table, korean_table] = tables;
    let code = format!(
        "const KEYS: &[(&str, &[&str])] = &[\n{keys}];\n\
         static ENGLISH: &[&[Piece]] = &[\n{english_table}];\n\
         static KOREAN: &[&[Piece]] = &[\n{korean_table}];\n"
    );
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("catalogue.rs"), code).expect("the output folder is writable");
}

/// Reads every catalogue of a language. The first part of a key is the name of its file.
fn catalogue(language: &str) -> Catalogue {
    println!("cargo::rerun-if-changed={language}");
    let mut texts = Catalogue::new();
    for entry in fs::read_dir(language).expect("the folder of a language") {
        let path = entry.expect("the folder of a language").path();
        let file = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let table: Table = file.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        assert!(table.keys().all(|area| area == stem), "{}: every key must begin with {stem}", path.display());
        collect(&mut texts, "", table);
    }
    texts
}

fn collect(texts: &mut Catalogue, before: &str, table: Table) {
    for (name, value) in table {
        let key = if before.is_empty() { name } else { format!("{before}.{name}") };
        match value {
            Value::Table(table) => collect(texts, &key, table),
            Value::String(text) => drop(texts.insert(key, text)),
            other => panic!("{key} is not a text: {other}"),
        }
    }
}

/// Splits a text at its placeholders and returns their names, after the ones that are known already, and the pieces as Rust code.
fn parsed(text: &str, mut names: Vec<String>) -> (Vec<String>, String) {
    let (mut pieces, mut plain, mut rest) = (String::new(), String::new(), text);
    let end = |pieces: &mut String, plain: &mut String| {
        if !plain.is_empty() {
            write!(pieces, "Piece::Text({plain:?}), ").expect("a string accepts text");
            plain.clear();
        }
    };
    while let Some(at) = rest.find(['{', '}']) {
        plain.push_str(&rest[..at]);
        let brace = &rest[at..];
        if brace.starts_with("{{") || brace.starts_with("}}") {
            plain.push_str(&brace[..1]);
            rest = &brace[2..];
            continue;
        }
        let (name, after) =
            brace.strip_prefix('{').and_then(|brace| brace.split_once('}')).unwrap_or_else(|| panic!("a brace in {text:?}"));
        let place = names.iter().position(|known| known == name).unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        end(&mut pieces, &mut plain);
        write!(pieces, "Piece::Value({place}), ").expect("a string accepts text");
        rest = after;
    }
    plain.push_str(rest);
    end(&mut pieces, &mut plain);
    (names, pieces)
}
