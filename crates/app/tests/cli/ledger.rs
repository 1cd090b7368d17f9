//! The ledger and its verification.

use serde_json::json;

use crate::home::{Home, day};

#[test]
fn everything_that_happens_is_recorded_and_verifies() {
    for home in Home::both() {
        let id = home.keep("강아지 모찌를 입양했다", &[]);
        home.json(&["rate", &id, "5", "--now", &day(1)]);
        home.json(&["recall", "모찌", "--used", "--now", &day(2)]);
        home.json(&["forget", &id, "--now", &day(3)]);
        home.json(&["restore", &id, "--now", &day(4)]);
        home.json(&["--as", "agent", "remember", "모찌가 짖었다", "--now", &day(5)]);
        let entries = home.json(&["ledger"])["entries"].clone();
        let told: Vec<_> =
            entries.as_array().unwrap().iter().map(|entry| (entry["principal"].clone(), entry["operation"].clone())).collect();
        let expected = [
            ("owner", "begin"),
            ("owner", "remember"),
            ("owner", "rate"),
            ("owner", "recall"),
            ("owner", "forget"),
            ("owner", "restore"),
            ("agent", "remember"),
        ];
        assert_eq!(told, expected.map(|(principal, operation)| (json!(principal), json!(operation))));
        for pair in entries.as_array().unwrap().windows(2) {
            assert_eq!(pair[1]["previous"], pair[0]["hash"]);
        }
        assert!(!entries.to_string().contains("모찌"), "the ledger holds remembered text");
        let verdict = home.json(&["ledger", "verify"]);
        assert_eq!((&verdict["verdict"], &verdict["entries"]), (&json!("whole"), &json!(7)));
        let since = home.json(&["ledger", "--since", &day(4)]);
        assert_eq!(since["entries"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn a_tail_that_was_cut_off_is_noticed() {
    for home in Home::both() {
        home.keep("첫째", &[]);
        let copy = home.name("older.db");
        home.done(&["backup", &copy]);
        home.keep("둘째", &[]);
        let head = home.write("head.json", home.done(&["ledger", "head"])).display().to_string();
        home.keep("셋째", &[]);
        home.done(&["ledger", "verify", "--head", &head]);

        // Replace the file with an older copy: its chain is valid, but it does not reach the signed head.
        for end in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(home.path(&format!("mind.db{end}")));
        }
        std::fs::copy(&copy, home.path("mind.db")).unwrap();
        home.done(&["ledger", "verify"]);
        let said = home.run(&["ledger", "verify", "--head", &head, "--json"]);
        assert_eq!(said.code, 1);
        let verdict: serde_json::Value = serde_json::from_str(&said.data).unwrap();
        assert_eq!((&verdict["verdict"], &verdict["sequence"]), (&json!("broken"), &json!(3)), "{verdict}");
        let words = home.refused(1, &["ledger", "verify", "--head", &head]);
        assert!(words.contains('3'), "{words}");

        // A different entry at the same sequence number does not match the signed head.
        home.keep("둘째가 아닌 것", &[]);
        home.refused(1, &["ledger", "verify", "--head", &head]);
    }
}

#[test]
fn a_head_that_was_forged_is_noticed() {
    let home = Home::english();
    home.keep("첫째", &[]);
    let head: serde_json::Value = serde_json::from_str(&home.done(&["ledger", "head"])).unwrap();
    let check = |field: &str, value: serde_json::Value| {
        let mut forged = head.clone();
        forged[field] = value;
        let path = home.write("forged.json", forged.to_string()).display().to_string();
        home.refused(1, &["ledger", "verify", "--head", &path])
    };
    check("sequence", json!(1));
    check("at", json!("2020-01-01T00:00:00.000Z"));
    check("signature", json!("00".repeat(64)));
    check("key", json!("00".repeat(32)));
    check("hash", json!("00".repeat(32)));
    let other = json!(head["mind"].as_str().unwrap().replace(|digit: char| digit != '-', "1"));
    check("mind", other);
    let path = home.write("words.json", "not a head").display().to_string();
    home.refused(1, &["ledger", "verify", "--head", &path]);
}

#[test]
fn the_ledger_is_written_out_by_day() {
    let home = Home::english();
    let config = home.write("config.toml", "time_zone = \"UTC\"\n").display().to_string();
    for number in [0, 0, 1] {
        home.json(&["remember", "하루가 지났다", "--now", &day(number)]);
    }
    home.done(&["ledger", "export", &home.name("out"), "--config", &config]);
    let read = |name: &str| std::fs::read_to_string(home.path("out").join(name)).unwrap();
    assert_eq!(read("ledger-20260101.jsonl").lines().count(), 3);
    assert_eq!(read("ledger-20260102.jsonl").lines().count(), 1);
    assert!(!read("ledger-20260101.jsonl").contains("하루"));
    home.write("kept.json", read("head.json"));
    home.done(&["ledger", "verify", "--head", &home.name("kept.json")]);
}
