//! Guarantees that need whole processes: a short version of what `.ci/run` does at length.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::process::Command;

fn check(arguments: &[&str], promise: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_saegim-sim")).args(arguments).output().unwrap();
    let (data, words) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && data.contains(promise), "{arguments:?}: {data}{words}");
}

#[test]
fn four_processes_on_one_file_lose_nothing() {
    check(&["writers", "--processes", "4", "--writes", "60"], "240 acknowledged, 240 kept, 0 problems");
}

#[test]
fn no_byte_of_a_deleted_text_is_left() {
    check(&["residue", "--seeds", "2", "--gone", "16"], ", 0 found");
}

#[test]
fn runs_of_personas_survive_being_killed() {
    check(&["orchestrate-kills", "--count", "6"], " 0 lost, ");
}

#[test]
fn what_was_acknowledged_survives_being_killed() {
    check(&["kills", "--count", "20"], " 0 lost, ");
}
