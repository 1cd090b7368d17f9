//! Error messages: they are in the user's language and say what to do next.

use crate::home::{Home, day};

/// Returns whether a text contains Hangul.
fn is_korean(text: &str) -> bool {
    text.chars().any(|letter| matches!(letter, '가'..='힣'))
}

/// Every refusal that can be triggered: the call and its exit code.
fn refusals(home: &Home) -> Vec<(Vec<String>, i32)> {
    let core = home.keep("루나는 민수를 지킨다", &["--tier", "M0"]);
    let alive = home.keep("강아지 모찌를 입양했다", &["--idempotency-key", "한 번"]);
    let fallen = home.keep("우산을 잃어버렸다", &[]);
    home.json(&["forget", &fallen, "--now", &day(0)]);
    let foreign = home.write("notes.db", "my notes, not a database").display().to_string();
    let setting = home.write("wrong.toml", "[zone]\ncore_room = 0\n").display().to_string();
    let text = home.write("words.txt", "plain words").display().to_string();
    let huge = "가".repeat(32_769);
    let calls: &[(i32, &[&str])] = &[
        (1, &["show", "ffffffff"]),
        (1, &["show", "모찌"]),
        (1, &["restore", &alive]),
        (1, &["forget", &fallen]),
        (1, &["edit", &fallen, "다른 글"]),
        (1, &["forget", &core]),
        (1, &["--as", "agent", "forget", &core]),
        (1, &["--as", "agent", "restore", &fallen]),
        (1, &["--as", "agent", "remember", "나는 왕이다", "--tier", "M0"]),
        (1, &["--as", "agent", "edit", &alive, "--tier", "M0"]),
        (1, &["--as", "agent", "pin", &alive]),
        (1, &["--as", "agent", "erase", "--id", &alive]),
        (1, &["--as", "admin", "remember", "무엇이든"]),
        (1, &["link", &alive, &alive]),
        (1, &["remember", "다른 글", "--idempotency-key", "한 번"]),
        (1, &["--user", "stranger", "stats"]),
        (1, &["--db", &foreign, "stats"]),
        (1, &["--db", &foreign, "doctor"]),
        (1, &["--config", &setting, "stats"]),
        (1, &["import", "bundle", "missing.jsonl"]),
        (1, &["ledger", "verify", "--head", &text]),
        (1, &["backup", &foreign]),
        (2, &["nonsense"]),
        (2, &["rememer", "x"]),
        (2, &["recall"]),
        (2, &["recall", "x", "--limt", "3"]),
        (2, &["recall", "x", "--limit"]),
        (2, &["recall", "x", "--limit", "900"]),
        (2, &["recall", "x", "--zone", "moon"]),
        (2, &["remember", "x", "--importance", "2"]),
        (2, &["remember", "x", "--importance", "many"]),
        (2, &["rate", &alive, "many"]),
        (2, &["tick", "--now", "yesterday"]),
        (2, &["import", "nothing", "x"]),
        (2, &["--mind", "a/b", "--user", "c", "stats"]),
        (2, &["--as", "nobody", "stats"]),
        (2, &["erase"]),
        (2, &["remember", " "]),
        (2, &["remember", &huge]),
        (2, &["edit", &alive]),
        (2, &["rate", &alive, "6"]),
        (2, &["erase", "--yes", "someone/else"]),
        (2, &["--mind", "alone", "stats"]),
        (2, &["--user", "", "stats"]),
    ];
    calls.iter().map(|(code, call)| (call.iter().map(|word| (*word).to_owned()).collect(), *code)).collect()
}

#[test]
fn every_refusal_is_said_in_the_readers_language() {
    for home in Home::both() {
        for (call, code) in refusals(&home) {
            let call: Vec<&str> = call.iter().map(String::as_str).collect();
            // Quoted user input may be in any language, so it is removed before the check.
            let said = home.refused(code, &call).replace(&home.name(""), "").replace("루나", "").replace("모찌", "").replace("한 번", "");
            assert_eq!(is_korean(&said), home.is_korean(), "{call:?}: {said}");
        }
    }
}

#[test]
fn help_is_in_the_readers_language() {
    for home in Home::both() {
        for call in [&["--help"][..], &["recall", "--help"], &["help", "import"], &["ledger", "verify", "-h"]] {
            let help = home.done(call);
            assert_eq!(is_korean(&help), home.is_korean(), "{help}");
            assert_eq!(help.contains("Usage:") || help.contains("Options"), !home.is_korean(), "{help}");
        }
    }
}

#[test]
fn a_wrong_call_is_json_too_when_json_is_asked_for() {
    for home in Home::both() {
        for call in [&["recall", "--json"][..], &["nonsense", "--json"], &["--json", "tick", "--now", "어제"]] {
            let error: serde_json::Value = serde_json::from_str(&home.refused(2, call)).unwrap();
            assert!(error["error"].is_string() && error["hint"].as_str().unwrap().contains("--help"), "{error}");
        }
    }
}

#[test]
fn remembered_text_is_shown_and_not_obeyed() {
    let home = Home::korean();
    let id = home.keep("빨간 \u{1b}[31m글씨\u{7}\n둘째 줄 \u{202e}", &[]);
    for call in [&["recall", "글씨"][..], &["zones"], &["show", &id], &["rate", &id, "4"]] {
        let said = home.done(call);
        assert!(said.contains("글씨") && !said.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{call:?}: {said:?}");
    }
    assert!(home.done(&["rate", &id, "4"]).contains("★★★★"));
    home.json(&["forget", &id]);
    assert!(!home.done(&["cliff"]).contains('\u{1b}'));
}

#[test]
fn a_permitted_user_is_told_how_to_do_it() {
    for (home, way) in [(Home::english(), "add --core to confirm"), (Home::korean(), "--core를 붙여")] {
        let core = home.keep("루나는 민수를 지킨다", &["--tier", "M0"]);
        let words = home.refused(1, &["forget", &core]);
        assert!(words.contains(way), "{words}");
        home.done(&["forget", &core, "--core"]);
    }
}

#[test]
fn another_programs_file_is_no_case_for_the_doctor() {
    for home in Home::both() {
        let foreign = home.write("notes.db", "my notes, not a database").display().to_string();
        for call in ["stats", "doctor"] {
            let words = home.refused(1, &["--db", &foreign, call]);
            assert!(words.contains("--db") && !words.contains("doctor"), "{words}");
        }
    }
}

/// A text that would set the title of a window, colour, move and reverse what follows it.
const HOSTILE: &str = "evil \u{1b}]0;owned\u{7}\u{1b}[31m\u{9b}2J\u{202e}desrever\u{2066}\u{200f}";

#[test]
fn no_command_lets_stored_text_or_an_argument_command_the_terminal() {
    let home = Home::english();
    let id = home.keep(&format!("{HOSTILE} 기억"), &["--category", "shared_events"]);
    // Names may be refused; what is taken must not command a terminal either.
    for more in [["--session", HOSTILE], ["--tag", HOSTILE]] {
        home.run(&["remember", &format!("{HOSTILE} 이름"), more[0], more[1]]);
    }
    home.done(&["observe", "--said", &format!("My dog is called {HOSTILE}."), "--assistant", HOSTILE]);
    home.done(&["facts", "residence", "--set", HOSTILE]);
    home.done(&["forget", &home.keep(&format!("{HOSTILE} 곧 잊힐 것"), &[])]);
    let calls: &[(&str, &[&str])] = &[
        ("remember", &["x", "--tier", HOSTILE]),
        ("recall", &["evil"]),
        ("recall", &["evil", "--zone", HOSTILE]),
        ("recent", &[]),
        ("recent", &["--session", HOSTILE]),
        ("orchestrate", &[HOSTILE, "--depth", "1"]),
        ("orchestrate", &["evil", "--personas", HOSTILE]),
        ("personas", &[]),
        ("personas", &["--personas", HOSTILE]),
        ("show", &[&id]),
        ("show", &[HOSTILE]),
        ("edit", &[HOSTILE, "--content", "x"]),
        ("forget", &[HOSTILE]),
        ("restore", &[HOSTILE]),
        ("rate", &[HOSTILE, "3"]),
        ("rate", &[&id, HOSTILE]),
        ("pin", &[HOSTILE]),
        ("unpin", &[HOSTILE]),
        ("link", &[HOSTILE, HOSTILE]),
        ("cliff", &[]),
        ("zones", &[]),
        ("rebalance", &[]),
        ("tick", &[]),
        ("observe", &["--file", HOSTILE]),
        ("context", &["evil"]),
        ("facts", &[]),
        ("facts", &[HOSTILE, "--set", "x"]),
        ("people", &[]),
        ("people", &[HOSTILE]),
        ("relationship", &[]),
        ("timeline", &["--turns"]),
        ("turns", &[]),
        ("turns", &["delete", HOSTILE]),
        ("islands", &[]),
        ("self", &[]),
        ("soul", &[]),
        ("proposals", &[]),
        ("approve", &[HOSTILE]),
        ("reject", &[HOSTILE]),
        ("undo", &[HOSTILE]),
        ("imagine", &[HOSTILE]),
        ("imaginations", &[]),
        ("like", &[HOSTILE]),
        ("dislike", &[HOSTILE]),
        ("grant", &[HOSTILE]),
        ("grants", &[HOSTILE]),
        ("revoke", &[HOSTILE]),
        ("propose", &[HOSTILE]),
        ("access", &[HOSTILE]),
        ("mood", &[]),
        ("stats", &[]),
        ("report", &[]),
        ("report", &[HOSTILE]),
        ("archive", &[]),
        ("archive", &["restore", HOSTILE]),
        ("keys", &[]),
        ("keys", &["revoke", HOSTILE]),
        ("webhooks", &[]),
        ("webhooks", &["add", HOSTILE]),
        ("minds", &[]),
        ("ledger", &[]),
        ("ledger", &["verify"]),
        ("import", &[HOSTILE]),
        ("export", &[]),
        ("backup", &[HOSTILE]),
        ("restore-backup", &[HOSTILE]),
        ("erase", &["--id", HOSTILE]),
        ("doctor", &[]),
        ("model", &["jobs"]),
        ("config", &[]),
        ("simulate", &[HOSTILE]),
        ("nonsense", &[HOSTILE]),
        (HOSTILE, &[]),
    ];
    // They print no stored text, or run until they are stopped.
    let others = ["chat", "serve", "mcp", "default-config", "completions", "help"];
    let help = home.done(&["--help"]);
    let names = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next().filter(|_| !line.starts_with("   ")));
    let listed: Vec<&str> = names.filter(|name| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')).collect();
    assert!(listed.len() > 30, "{help}");
    for name in listed.into_iter().filter(|name| !name.starts_with('-') && !others.contains(name)) {
        assert!(calls.iter().any(|(command, _)| *command == name), "add `{name}` to this test");
    }
    for (command, arguments) in calls {
        for format in [None, Some("--json")] {
            let call: Vec<&str> = [*command].into_iter().chain(arguments.iter().copied()).chain(format).collect();
            let said = home.run(&call);
            // The exact text goes to a file or a pipe only with `export`, whose output is data for another program.
            let data = if *command == "export" { "" } else { &said.data };
            let bad = |letter: char| matches!(letter, '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{200f}' | '\u{202e}' | '\u{2066}');
            for output in [data, &said.words] {
                assert!(!output.contains(bad), "{call:?}: {:?}", output);
            }
        }
    }
    let shown = home.json(&["show", &id]);
    assert!(shown.to_string().contains(&serde_json::to_string(&format!("{HOSTILE} 기억")).unwrap()), "JSON keeps the exact text");
}
