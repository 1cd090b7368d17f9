//! Forgetting, restoring and erasing.

use serde_json::json;

use crate::home::{Home, day, holds, texts};

#[test]
fn what_is_forgotten_waits_on_the_cliff_and_comes_back() {
    for home in Home::both() {
        let text = "생일에 케이크를 먹었다";
        let id = home.keep(text, &[]);
        let entry = home.json(&["forget", &id, "--now", &day(2)]);
        assert_eq!((&entry["memory"], &entry["reason"]), (&json!(id), &json!("manual")));
        assert_eq!(entry["gone_at"], "2026-01-10T00:00:00.000Z");
        assert!(home.recall("케이크").is_empty());
        let waiting = home.json(&["cliff", "--now", &day(4)]);
        assert_eq!(texts(&waiting["entries"]), [text]);
        assert_eq!(waiting["entries"][0]["seconds_left"], 5 * 86_400);
        assert!(home.done(&["cliff"]).contains(text));
        home.refused(1, &["forget", &id]);
        home.refused(1, &["edit", &id, "다른 말"]);

        let back = home.json(&["restore", &id, "--now", &day(8)]);
        assert_eq!((&back["on_cliff"], &back["expires_at"]), (&json!(false), &json!("2026-02-08T00:00:00.000Z")));
        assert_eq!(home.recall("케이크"), [text]);
        assert!(home.cliff().is_empty());
        home.refused(1, &["restore", &id]);
    }
}

#[test]
fn a_neglected_memory_falls_on_day_30_and_can_be_restored_on_day_36() {
    for home in Home::both() {
        let id = home.keep("이름 모를 꽃을 보았다", &[]);
        assert_eq!(home.json(&["tick", "--now", &day(29)])["expired"], 0);
        assert_eq!(home.json(&["tick", "--now", &day(30)])["expired"], 1);
        assert!(home.recall("꽃을").is_empty());
        assert_eq!(home.json(&["cliff", "--now", &day(30)])["entries"][0]["reason"], "expired");
        assert_eq!(home.json(&["tick", "--now", &day(36)])["gone"], 0);
        let back = home.json(&["restore", &id, "--now", &day(36)]);
        assert_eq!((&back["tier"], &back["expires_at"]), (&json!("M30"), &json!("2026-03-08T00:00:00.000Z")));
        assert_eq!(home.json(&["tick", "--now", &day(38)])["gone"], 0);
        assert_eq!(home.recall("꽃을"), ["이름 모를 꽃을 보았다"]);
    }
}

#[test]
fn what_nobody_restores_leaves_nothing_behind() {
    let home = Home::korean();
    let id = home.keep("quetzalcoatl 무지갯빛달팽이", &["--tag", "xylophone앵무조개", "--session", "zeppelin"]);
    home.keep("여기 남는다", &["--tier", "M0"]);
    let words = ["quetzalcoatl", "무지갯빛달팽이", "달팽", "xylophone", "앵무조개"];
    for word in ["quetzalcoatl", "달팽", "xylophone"] {
        assert!(holds(&home.at_rest(), word), "the scan must be able to find {word}");
    }
    home.json(&["tick", "--now", &day(30)]);
    assert_eq!(home.json(&["tick", "--now", &day(36)])["gone"], 0);
    let ticked = home.json(&["tick", "--now", &day(38)]);
    assert_eq!((&ticked["gone"], &ticked["swept"]), (&json!(1), &json!(true)));
    let bytes = home.at_rest();
    for word in words {
        assert!(!holds(&bytes, word), "{word} is still there");
    }
    assert!(holds(&bytes, "여기 남는다"));
    home.refused(1, &["restore", &id]);
    assert!(home.cliff().is_empty());
    let operations: Vec<_> = home.json(&["ledger"])["entries"].as_array().unwrap().iter().map(|entry| entry["operation"].clone()).collect();
    assert!(operations.contains(&json!("expire")) && operations.contains(&json!("purge")), "{operations:?}");
    home.done(&["ledger", "verify"]);
    home.done(&["doctor"]);
}

#[test]
fn a_tick_long_overdue_still_leaves_seven_days() {
    let home = Home::english();
    home.keep("잠든 사이의 기억", &[]);
    let ticked = home.json(&["tick", "--now", &day(300)]);
    assert_eq!((&ticked["expired"], &ticked["gone"]), (&json!(1), &json!(0)));
    assert_eq!(home.json(&["tick", "--now", &day(306)])["gone"], 0);
    assert_eq!(home.json(&["tick", "--now", &day(307)])["gone"], 1);
}

#[test]
fn ticking_twice_changes_nothing() {
    let home = Home::english();
    home.keep("하나", &[]);
    home.keep("둘", &["--tier", "M90"]);
    home.json(&["tick", "--now", &day(30)]);
    let before = home.json(&["stats"]);
    let ticked = home.json(&["tick", "--now", &day(30)]);
    for count in ["expired", "gone", "moved", "weighed", "embedded"] {
        assert_eq!(ticked[count], 0, "{count}");
    }
    assert_eq!(home.json(&["stats"])["ledger_entries"], before["ledger_entries"]);
}

#[test]
fn core_and_pinned_memories_never_expire() {
    let home = Home::english();
    home.keep("나는 새김이다", &["--tier", "M0"]);
    home.keep("손에 쥔 조약돌", &["--pin"]);
    home.keep("지나가는 구름", &[]);
    for days in [31, 120, 400, 4000] {
        home.json(&["tick", "--now", &day(days)]);
        assert_eq!(home.recall("새김이다"), ["나는 새김이다"], "day {days}");
        assert_eq!(home.recall("조약돌"), ["손에 쥔 조약돌"], "day {days}");
        assert!(home.recall("구름").is_empty(), "day {days}");
    }
    assert_eq!(home.json(&["stats"])["memories"], 2);
}

#[test]
fn a_core_memory_is_let_go_only_by_name() {
    for home in Home::both() {
        let id = home.keep("엄마의 이름은 정희다", &["--tier", "M0"]);
        let words = home.refused(1, &["forget", &id]);
        assert!(words.contains("--core"), "{words}");
        assert_eq!(home.recall("정희"), ["엄마의 이름은 정희다"]);
        home.json(&["forget", &id, "--core"]);
        assert_eq!(home.cliff(), ["엄마의 이름은 정희다"]);
    }
}

#[test]
fn an_agent_cannot_touch_what_is_the_owners() {
    for home in Home::both() {
        let core = home.keep("나는 루나다", &["--tier", "M0"]);
        let plain = home.keep("오늘은 비가 왔다", &[]);
        let fallen = home.keep("어제는 눈이 왔다", &[]);
        home.json(&["forget", &fallen]);
        home.done(&["export", "bundle", &home.name("out.jsonl")]);
        let entries = home.json(&["stats"])["ledger_entries"].as_u64().unwrap();
        let calls = [
            &["forget", &core][..],
            &["forget", &core, "--core"],
            &["edit", &core, "나는 솔이다"],
            &["edit", &core, "--tier", "M30"],
            &["rate", &core, "1"],
            &["pin", &core],
            &["pin", &plain],
            &["unpin", &plain],
            &["edit", &plain, "--tier", "M0"],
            &["remember", "나는 신이다", "--tier", "M0"],
            &["remember", "나는 신이다", "--pin"],
            &["restore", &fallen],
            &["erase", "--id", &plain],
            &["erase", "--yes", "me/assistant"],
            &["import", "bundle", &home.name("out.jsonl")],
        ];
        for call in calls {
            let words = home.refused(1, &[&["--as", "agent"], call].concat());
            assert!(words.lines().count() >= 2, "{call:?} was refused without a hint: {words}");
        }
        let after = home.json(&["stats"])["ledger_entries"].as_u64().unwrap();
        assert_eq!(after, entries + calls.len() as u64, "a refusal is taken down, and nothing else happens");
        let last = home.json(&["ledger", "--limit", "1"])["entries"][0].clone();
        assert_eq!((&last["operation"], &last["principal"], &last["times"]), (&json!("refuse"), &json!("agent"), &json!(1)));
        // An agent may remember and forget ordinary memories.
        home.json(&["--as", "agent", "remember", "민수가 웃었다"]);
        home.json(&["--as", "agent", "forget", &plain]);
        assert_eq!(home.recall("웃었다"), ["민수가 웃었다"]);
    }
}

#[test]
fn an_erased_memory_is_gone_at_once() {
    let home = Home::english();
    let id = home.keep("quetzalcoatl의 비밀", &[]);
    home.keep("여기 남는다", &[]);
    assert_eq!(
        home.json(&["erase", "--id", &id])["erased"],
        json!({ "memories": 1, "reworded": 0, "turns": 0, "facts": 0, "assertions": 0, "statements": 0, "candidates": 0, "swept": true })
    );
    let bytes = home.at_rest();
    assert!(!holds(&bytes, "quetzalcoatl") && holds(&bytes, "여기 남는다"));
    home.refused(1, &["restore", &id]);
    home.done(&["ledger", "verify"]);
    home.done(&["doctor"]);
}

#[test]
fn an_erased_mind_is_gone_at_once_and_only_when_meant() {
    let home = Home::english();
    home.keep("quetzalcoatl의 비밀", &[]);
    home.done(&["remember", "남의 기억", "--user", "jiwoo"]);
    let words = home.refused(2, &["erase", "--yes", "jiwoo/assistant"]);
    assert!(words.contains("me/assistant"), "{words}");
    let erased = home.json(&["erase", "--yes", "me/assistant"]);
    assert_eq!(erased["erased"], json!({ "memories": 1, "turns": 0, "facts": 0, "links": 0, "vectors": 1, "swept": true }));
    let bytes = home.at_rest();
    assert!(!holds(&bytes, "quetzalcoatl") && holds(&bytes, "남의 기억"));
    assert!(!home.json(&["minds"]).to_string().contains("me/assistant"), "only an id is left");
    home.done(&["ledger", "verify", "--mind", erased_key(&home).as_str()]);
}

/// Key under which the erased mind is listed.
fn erased_key(home: &Home) -> String {
    let minds = home.json(&["minds"]).to_string();
    let key = &minds[minds.find("erased/").unwrap()..];
    key.chars().take_while(|letter| *letter == '/' || letter.is_ascii_alphanumeric()).collect()
}

#[test]
fn letting_go_says_that_what_was_said_stays_and_erasing_takes_the_answer_along() {
    let home = Home::english();
    let (said, answer) = ("Please remember that my locker code is 482913", "Sure, your locker code is 482913.");
    let observed = home.json(&["observe", "--said", said, "--assistant", answer]);
    let id = observed["candidates"].as_array().unwrap().iter().find_map(|candidate| candidate["memory_id"].as_str()).unwrap().to_owned();
    let words = home.run(&["forget", &id]).words;
    assert!(words.contains("saegim erase --id"), "{words}");
    let erased = home.json(&["erase", "--id", &id]);
    assert_eq!(erased["erased"]["turns"], json!(2), "{erased}");
    assert!(!holds(&home.at_rest(), "482913"));
}
