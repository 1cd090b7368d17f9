//! Bundles, backups and files of other programs.

use serde_json::{Value, json};

use crate::home::{Home, day, lines};

/// A home with memories that fill most fields.
fn lived() -> Home {
    let home = Home::english();
    let first = home.keep(
        "민수의 생일을 함께 보냈다 🎂",
        &["--emotion", "joy", "--emotion", "sadness", "--intensity", "0.75", "--tag", "생일", "--tag", "party", "--tier", "M365"],
    );
    home.keep("I am allergic to peanuts", &["--tier", "M0", "--kind", "semantic", "--category", "caution", "--importance", "0.9"]);
    home.keep("두 줄로\n된 \"기억\"", &["--pin", "--session", "저녁", "--project", "saegim", "--domain", "life"]);
    home.json(&["rate", &first, "4"]);
    home.json(&["recall", "생일", "--used", "--now", &day(1)]);
    home
}

/// Exports a bundle and returns its lines.
fn export(home: &Home, name: &str, more: &[&str]) -> Vec<Value> {
    let path = home.path(name);
    home.json(&[&["export", "bundle", &path.display().to_string()], more].concat());
    lines(&path)
}

/// Exports a bundle and returns it without the header line (time of writing and mind).
fn body(home: &Home, name: &str, more: &[&str]) -> String {
    export(home, name, more);
    std::fs::read_to_string(home.path(name)).unwrap().split_once('\n').unwrap().1.to_owned()
}

#[test]
fn a_bundle_loses_nothing_and_can_be_brought_in_again() {
    let home = lived();
    let (first, second) = (home.keep("우산을 샀다", &[]), home.keep("우산을 잃어버렸다", &[]));
    home.json(&["link", &first, &second, "--kind", "parent"]);
    home.json(&["forget", &second, "--now", &day(1)]);
    let written = body(&home, "out.jsonl", &[]);
    let kinds: Vec<Value> = lines(&home.path("out.jsonl")).iter().map(|line| line["type"].clone()).collect();
    assert_eq!(kinds, ["bundle", "mind", "proposal", "memory", "memory", "memory", "memory", "cliff", "link"]);
    let bundle = home.name("out.jsonl");
    for mind in [&["--mind", "jiwoo/sol"][..], &[]] {
        let other = Home::korean();
        let import = || other.json(&[&["import", "bundle", &bundle, "--now", &day(3)], mind].concat());
        let report = |imported: u32, known: u32, on_cliff: u32, links: u32| {
            json!({
                "imported": imported, "known": known, "on_cliff": on_cliff, "links": links, "turns": 0, "facts": 0, "left_out": [],
                "notes": [],
            })
        };
        assert_eq!(import(), report(5, 0, 1, 1));
        assert_eq!(import(), report(0, 5, 0, 0));
        assert_eq!(body(&other, "again.jsonl", mind), written);
        other.done(&[&["ledger", "verify"], mind].concat());
        assert_eq!(other.json(&["doctor"])["well"], true);
        // The imported memory has the same time left on the cliff.
        let fallen = other.json(&[&["cliff", "--now", &day(3)], mind].concat())["entries"][0].clone();
        assert_eq!((&fallen["seconds_left"], &fallen["reason"]), (&json!(5 * 86_400), &json!("manual")));
        other.json(&[&["restore", &second, "--now", &day(3)], mind].concat());
    }
}

#[test]
fn a_conversation_goes_along_in_a_bundle() {
    let home = Home::korean();
    for (number, user, assistant) in [
        (0, "나는 부산에 살아. 강아지 모찌를 키워!", "모찌라니, 귀여운 이름이네요."),
        (1, "이제 서울에 살아. 이사했어", "서울이군요!"),
        (2, "네 덕분에 힘이 났어. 고마워", "저도 기뻐요."),
    ] {
        home.json(&["observe", "--said", user, "--assistant", assistant, "--session", "저녁", "--now", &day(number)]);
    }
    let written = body(&home, "out.jsonl", &[]);
    for kind in ["mind", "session", "turn", "candidate", "assertion", "fact", "relationship", "relationship_change", "scene", "memory"] {
        assert!(written.contains(&format!("{{\"type\":\"{kind}\"")), "no {kind}: {written}");
    }
    let other = Home::english();
    let import = || other.json(&["import", "bundle", &home.name("out.jsonl"), "--now", &day(2)]);
    let report = import();
    assert_eq!((&report["turns"], &report["left_out"]), (&json!(6), &json!([])), "{report}");
    assert_eq!(body(&other, "again.jsonl", &[]), written);
    assert_eq!((&import()["turns"], &import()["left_out"]), (&json!(0), &json!([])));
    assert_eq!(other.json(&["facts"])["facts"], home.json(&["facts"])["facts"]);
    assert_eq!(other.json(&["relationship"]), home.json(&["relationship"]));
    assert_eq!(other.json(&["doctor"])["well"], true);
    // A mind that already has a conversation keeps its own.
    let third = Home::english();
    third.json(&["observe", "--said", "I live in Jeju", "--assistant", "Nice.", "--now", &day(0)]);
    let report = third.json(&["import", "bundle", &home.name("out.jsonl"), "--now", &day(2)]);
    assert_eq!((&report["turns"], &report["left_out"][0]["what"]), (&json!(0), &json!("conversation")));
    assert!(report["imported"].as_u64().unwrap() > 0);
}

#[test]
fn what_was_over_on_the_cliff_stays_gone() {
    let home = Home::english();
    let id = home.keep("우산을 잃어버렸다", &[]);
    home.json(&["forget", &id, "--now", &day(0)]);
    export(&home, "out.jsonl", &[]);
    let report = Home::korean().json(&["import", "bundle", &home.name("out.jsonl"), "--now", &day(8)]);
    assert_eq!((&report["imported"], &report["left_out"][0]["what"]), (&json!(0), &json!(id)));
}

#[test]
fn a_damaged_bundle_brings_nothing_in() {
    let home = lived();
    export(&home, "out.jsonl", &[]);
    let whole = std::fs::read_to_string(home.path("out.jsonl")).unwrap();
    let newer = whole.replacen("\"version\":1", "\"version\":2", 1);
    for (text, said) in [
        (whole.clone() + "{\"id\": \"half a mem", "line 7"),
        (newer, "version 2"),
        (whole.split_once('\n').unwrap().1.to_owned(), "line 1"),
    ] {
        let path = home.write("torn.jsonl", text).display().to_string();
        let words = home.refused(1, &["import", "bundle", &path, "--mind", "jiwoo/sol"]);
        assert!(words.contains(said) && words.contains("nothing was imported"), "{words}");
    }
    assert_eq!(home.done(&["minds"]), "me/assistant\n");
    home.refused(1, &["import", "bundle", &home.name("missing.jsonl")]);
    // Record types of a newer version are reported and skipped.
    let path = home.write("more.jsonl", whole + "{\"type\":\"dream\",\"id\":1}\n").display().to_string();
    let report = home.json(&["import", "bundle", &path, "--mind", "jiwoo/sol"]);
    assert_eq!((&report["imported"], &report["left_out"][0]["what"]), (&json!(3), &json!("dream")));
}

#[test]
fn a_backup_opens_and_is_the_same() {
    for home in [lived(), Home::korean()] {
        home.keep("마지막에 더한 것", &[]);
        let copy = home.name("copy.db");
        home.done(&["backup", &copy]);
        assert_eq!(body(&home, "mine.jsonl", &[]), body(&home, "copied.jsonl", &["--db", &copy]));
        assert_eq!(home.json(&["ledger", "verify"]), home.json(&["ledger", "verify", "--db", &copy]));
        assert_eq!(home.json(&["recall", "마지막"])["results"], home.json(&["recall", "마지막", "--db", &copy])["results"]);
        assert_eq!(home.json(&["doctor", "--db", &copy])["well"], true);
        home.refused(1, &["backup", &copy]);
    }
}

#[test]
fn a_backup_says_where_the_signing_key_is() {
    for home in Home::both() {
        home.keep("하나", &[]);
        assert_eq!(home.json(&["backup", &home.name("first.db")])["signing_key_left_at"], Value::Null);
        let head = home.write("head.json", home.done(&["ledger", "head"])).display().to_string();
        let said = home.run(&["backup", &home.name("second.db")]);
        assert!(said.words.contains("mind.db-key") && !home.path("second.db-key").exists(), "{}", said.words);
        // A head signed earlier verifies without the key.
        home.done(&["ledger", "verify", "--head", &head, "--db", &home.name("second.db")]);
    }
}

#[test]
fn another_programs_file_is_refused_and_untouched() {
    let noise: Vec<u8> = (0..8192u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for home in Home::both() {
        for (name, content) in [("noise.db", &noise[..]), ("notes.db", b"my notes\n"), ("zeros.db", &[0; 4096])] {
            let path = home.write(name, content);
            let name = path.display().to_string();
            for call in [&["stats"][..], &["remember", "하나"], &["recall", "하나"], &["doctor"], &["tick"], &[]] {
                let words = home.refused(1, &[&["--db", &name], call].concat());
                assert!(words.contains("--db"), "{call:?}: {words}");
            }
            assert!(std::fs::read(&path).unwrap() == content, "{name} was changed");
            let beside = |end: &str| path.with_file_name(format!("{}{end}", path.file_name().unwrap().to_string_lossy()));
            assert!(["-wal", "-shm", "-lock", "-key"].iter().all(|end| !beside(end).exists()));
        }
        assert!(!home.path("mind.db").exists());
    }
}
