//! Forecasts for a memory, reports for a period, and what the worker did.

use serde_json::json;

use crate::home::{Home, day};

#[test]
fn anyone_can_say_that_a_memory_changed_behaviour_and_it_is_kept_longer() {
    for home in Home::both() {
        let id = home.keep("매운 것을 못 먹는다고 했다", &["--tier", "M90"]);
        let (needs, behaves) = if home.is_korean() {
            ("캐릭터의 행동을 바꾼 기억으로 표시하기", "행동을 바꿈")
        } else {
            ("a change in the character's behaviour", "changed the character's behaviour")
        };
        let shown = home.done(&["show", &id, "--now", &day(1)]);
        assert!(
            shown.contains(needs) && shown.contains(if home.is_korean() { "섬에 속하기" } else { "becoming part of an island" }),
            "{shown}"
        );
        let edited = home.json(&["edit", &id, "--changed-behaviour", "--now", &day(1)]);
        assert_eq!((&edited["changed_behaviour"], &edited["edited_at"]), (&json!(true), &json!(null)));
        let shown = home.done(&["show", &id, "--now", &day(1)]);
        assert!(shown.contains("M365") && shown.contains("2026-02-01") && shown.contains(behaves), "{shown}");
        assert_eq!(home.json(&["edit", &id, "--changed-behaviour=false", "--now", &day(1)])["changed_behaviour"], false);
        home.json(&["edit", &id, "--changed-behaviour", "--now", &day(1)]);
        assert_eq!(home.json(&["tick", "--now", &day(32)])["promoted"], 1);
        let essence = home.done(&["show", &id, "--now", &day(32)]);
        for wrong in ["(으)로", "이(가)", "정수"] {
            assert!(!essence.contains(wrong), "{essence}");
        }
        assert!(essence.contains(if home.is_korean() { "<- 본질" } else { "<- essence" }), "{essence}");
    }
}

#[test]
fn a_year_that_nobody_recalls_is_told_to_end_when_it_does() {
    for home in Home::both() {
        let id = home.keep("회사 워크숍으로 제주에 다녀왔다", &["--tier", "M365"]);
        let shown = home.done(&["show", &id, "--now", &day(0)]);
        let why = if home.is_korean() { "90일 동안 회상하지 않으면" } else { "unless it is recalled within 90 days" };
        assert!(shown.contains("2026-04-01") && shown.contains(why), "{shown}");
        home.json(&["tick", "--now", &day(89)]);
        assert!(home.cliff().is_empty());
        assert_eq!(home.json(&["tick", "--now", &day(90)])["expired"], 1);
    }
}

#[test]
fn an_idle_mind_costs_no_entry_a_day() {
    let home = Home::english();
    home.keep("감나무에 올라갔다", &["--tier", "M365", "--importance", "1"]);
    for number in 0..3 {
        home.json(&["tick", "--due", "--now", &day(number)]);
    }
    let entries = |home: &Home| home.json(&["stats"])["ledger_entries"].clone();
    let before = entries(&home);
    for number in 3..60 {
        if number % 9 == 0 {
            home.json(&["tick", "--now", &day(number)]);
        }
        home.json(&["tick", "--due", "--now", &day(number)]);
    }
    let moved = entries(&home).as_u64().unwrap() - before.as_u64().unwrap();
    assert!(moved <= 2, "{moved} entries in two idle months");
}

#[test]
fn a_report_mentions_more_entries_and_where_forgotten_memories_are() {
    for home in Home::both() {
        for number in 0..12 {
            let id = home.keep(&format!("{number}번째 여행에서 본 바다와 노을"), &[]);
            home.json(&["forget", &id, "--now", &day(1)]);
        }
        let report = home.done(&["report", "week", "--now", &day(2)]);
        assert!(report.contains(if home.is_korean() { "외 2개" } else { "and 2 more" }), "{report}");
        for question in ["이번 주에 뭘 잊었지?", "what did I forget this week"] {
            let said = home.run(&["recall", question, "--now", &day(2)]);
            assert!(said.code == 0 && said.words.contains("saegim report week"), "{}", said.words);
        }
        assert!(!home.run(&["recall", "바다", "--now", &day(2)]).words.contains("report week"));
    }
}

#[test]
fn the_zones_and_what_a_session_was_given_are_told_in_the_readers_words() {
    let home = Home::korean();
    let id = home.keep("우산을 버스에 두고 내렸다", &["--session", "s1"]);
    let zones = home.done(&["zones", "--now", &day(1)]);
    assert!(zones.contains("구름") && !zones.contains("cloud") && !zones.contains("0.00"), "{zones}");
    assert!(!home.done(&["show", &id, "--now", &day(1)]).contains("outer"));
    assert_eq!(home.json(&["archive", "put", "s1"])["memories"], 1, "a session that is known from what was remembered in it");
    home.refused(1, &["archive", "put", "s2"]);
}
