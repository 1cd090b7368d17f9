//! Statements about other people or the past, jokes, wishes and fiction are not facts about the user; statements about the user
//! right beside them are.

use saegim_core::{Role, Timestamp};
use saegim_language::{About, Reading, RuleThinker, Utterance};

fn read(said: &str, before: Option<&str>) -> Reading {
    let at = Timestamp::parse("2026-03-01").expect("a plain date");
    RuleThinker.read(&Utterance { role: Role::User, text: said, at, user: "user", character: "character", before })
}

/// Claims about the user as (subject, value). Claims that only follow from a relation (a sister, a boss) are skipped.
fn claims(reading: &Reading) -> Vec<(String, String)> {
    let own = reading.findings.iter().filter(|finding| finding.about == About::User);
    own.filter_map(|finding| finding.claim.as_ref())
        .filter(|claim| !claim.ends && !matches!(claim.subject.as_str(), "family" | "child" | "relationship_status"))
        .map(|claim| (claim.subject.clone(), format!("{} {}", claim.value, claim.canonical)))
        .collect()
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with("# ")).map(|line| line.split('\t').collect())
}

#[test]
fn nothing_said_of_others_is_known_of_the_user() {
    let wrong: Vec<String> = rows(include_str!("cases/others.tsv"))
        .map(|row| (row[1], claims(&read(row[1], None))))
        .filter(|(_, claims)| !claims.is_empty())
        .map(|(said, claims)| format!("{said}: {claims:?}"))
        .collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_said_of_oneself_is() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("cases/selves.tsv")) {
        let (subject, value) = row[0].split_once('=').expect("a subject and a value");
        let found = claims(&read(row[1], row.get(2).copied()));
        if !found.iter().any(|(known, said)| known == subject && said.to_lowercase().contains(&value.to_lowercase())) {
            wrong.push(format!("{} | {} | {found:?}", row[0], row[1]));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
