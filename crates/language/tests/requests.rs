//! Requests to remember, and talk about remembering that requests nothing: only the content of the request is kept.

use saegim_core::{Role, Timestamp};
use saegim_language::{RuleThinker, Utterance};

/// Contents that a message asks to be remembered.
fn kept(said: &str) -> Vec<String> {
    let at = Timestamp::parse("2026-03-01").expect("a plain date");
    let reading =
        RuleThinker.read(&Utterance { role: Role::User, text: said, at, user: "민지", character: "루나", before: Some("응.") });
    let mut kept: Vec<String> =
        reading.findings.into_iter().filter(|finding| finding.remember_this).map(|finding| finding.content.to_lowercase()).collect();
    kept.dedup();
    kept
}

/// Number of messages in a set, and a description of each one read wrongly.
fn check(set: &str) -> (usize, Vec<String>) {
    let rows = include_str!("cases/requests.tsv").lines().filter(|line| !line.starts_with("# "));
    let rows: Vec<Vec<&str>> = rows.map(|line| line.split('\t').collect()).filter(|row: &Vec<&str>| row[0] == set).collect();
    let wrong = rows.iter().filter_map(|row| {
        let (expected, kept) = (if row[1] == "-" { Vec::new() } else { vec![row[1].to_lowercase()] }, kept(row[2]));
        (kept != expected).then(|| format!("{}\n    kept {kept:?}, not {expected:?}", row[2]))
    });
    (rows.len(), wrong.collect())
}

/// 122 of 122 messages.
#[test]
fn every_request_of_the_table_is_honoured_and_nothing_else_is() {
    let (all, wrong) = check("dev");
    assert_eq!((all, wrong.len()), (122, 0), "{}", wrong.join("\n"));
}

/// Messages written before the rules and not read until the rules were done: 70 of 70.
#[test]
fn requests_the_rules_were_not_written_with_are_honoured() {
    let (all, wrong) = check("held");
    assert_eq!((all, wrong.len()), (70, 0), "{}", wrong.join("\n"));
}
