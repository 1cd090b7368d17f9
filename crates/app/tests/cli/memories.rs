//! Remembering, recalling and editing.

use std::io::Write;
use std::process::Stdio;

use serde_json::json;

use crate::home::{Home, Said, day, texts};

#[test]
fn what_one_process_keeps_another_finds() {
    for home in Home::both() {
        home.done(&["remember", "나는 아침마다 커피를 마신다"]);
        home.done(&["remember", "I adopted a puppy called Mochi"]);
        for (question, text) in [
            ("커피", "나는 아침마다 커피를 마신다"),
            ("아침에 뭘 마셔?", "나는 아침마다 커피를 마신다"),
            ("puppy", "I adopted a puppy called Mochi"),
            ("MOCHI", "I adopted a puppy called Mochi"),
        ] {
            assert_eq!(home.recall(question).first().map(String::as_str), Some(text), "{question}");
            assert!(home.done(&["recall", question]).contains(text), "{question}");
        }
        assert!(home.recall("쀍뛟").is_empty());
    }
}

#[test]
fn recall_gives_what_programs_rely_on() {
    let home = Home::english();
    let id =
        home.keep("민수는 매운 떡볶이를 좋아한다", &["--emotion", "joy", "--kind", "semantic", "--tag", "음식", "--importance", "0.5"]);
    let answer = home.json(&["recall", "떡볶이", "--now", &day(1)]);
    assert_eq!(answer["degraded"], json!(null));
    let result = &answer["results"][0];
    for (field, value) in [
        ("id", json!(id)),
        ("content", json!("민수는 매운 떡볶이를 좋아한다")),
        ("tier", json!("M30")),
        ("zone", json!("outer")),
        ("kind", json!("semantic")),
        ("emotions", json!(["joy"])),
        ("tags", json!(["음식"])),
        ("created_at", json!("2026-01-01T00:00:00.000Z")),
    ] {
        assert_eq!(result[field], value, "{field}");
    }
    let parts = result["parts"].as_array().unwrap();
    let number = |part: &serde_json::Value, field: &str| part[field].as_f64().unwrap();
    assert!(parts.len() >= 3 && parts.iter().all(|part| part["name"].is_string()), "{parts:?}");
    let sum: f64 = parts.iter().map(|part| number(part, "weight") * number(part, "value")).sum();
    assert!((sum - result["score"].as_f64().unwrap()).abs() < 1e-4, "the parts do not make the score: {result}");
}

#[test]
fn a_recall_without_vectors_says_so() {
    let home = Home::english();
    home.keep("나는 아침마다 커피를 마신다", &[]);
    let config = home.write("config.toml", "vectors = false\n").display().to_string();
    let answer = home.json(&["recall", "커피", "--config", &config]);
    assert_eq!(texts(&answer["results"]), ["나는 아침마다 커피를 마신다"]);
    assert!(answer["degraded"].as_str().unwrap().starts_with("keyword search only: "), "{answer}");
}

#[test]
fn a_score_explains_itself_to_people_too() {
    let home = Home::english();
    home.keep("나는 아침마다 커피를 마신다", &[]);
    let said = home.done(&["recall", "커피", "--explain"]);
    assert!(said.contains(" = ") && said.contains(" x ") && said.contains(" + importance 0."), "{said}");
}

#[test]
fn a_filter_lets_only_its_own_pass() {
    let home = Home::english();
    home.keep("커피를 처음 마신 날", &["--tier", "M365", "--project", "카페"]);
    home.json(&["remember", "커피를 줄이기로 했다", "--now", &day(10), "--tag", "건강", "--importance", "0.9"]);
    let (first, second) = ("커피를 처음 마신 날", "커피를 줄이기로 했다");
    for (filter, value, passes) in [
        ("--tier", "M365", first),
        ("--project", "카페", first),
        ("--until", "2026-01-05", first),
        ("--since", "2026-01-05", second),
        ("--tag", "건강", second),
        ("--min-importance", "0.5", second),
    ] {
        let found = texts(&home.json(&["recall", "커피", filter, value])["results"]);
        assert_eq!(found, [passes], "{filter} {value}");
    }
}

#[test]
fn standard_input_is_remembered() {
    let home = Home::english();
    let mut child =
        home.command(&["remember", "-", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all("여러 줄로\n된 기억\n".as_bytes()).unwrap();
    let said = Said::of(child.wait_with_output().unwrap());
    assert_eq!(said.code, 0, "{}", said.words);
    assert_eq!(home.recall("기억"), ["여러 줄로\n된 기억"]);
}

#[test]
fn one_key_keeps_one_memory() {
    for home in Home::both() {
        let ask = |text| home.json(&["remember", text, "--idempotency-key", "k1"]);
        let (first, again) = (ask("한 번만 남는다"), ask("한 번만 남는다"));
        assert_eq!((&first["repeated"], &again["repeated"]), (&json!(false), &json!(true)));
        assert_eq!(first["id"], again["id"]);
        let words = home.refused(1, &["remember", "다른 이야기", "--idempotency-key", "k1"]);
        assert!(words.contains("k1"), "{words}");
        assert_eq!(home.json(&["stats"])["memories"], 1);
    }
}

#[test]
fn an_edit_changes_what_is_found() {
    let home = Home::english();
    let id = home.keep("서울에 산다", &["--tag", "집"]);
    let edited = home.json(&["edit", &id, "부산에 산다", "--importance", "0.9", "--tag", "이사", "--tier", "M90", "--now", &day(3)]);
    assert_eq!((&edited["content"], &edited["tags"], &edited["tier"]), (&json!("부산에 산다"), &json!(["이사"]), &json!("M90")));
    assert_eq!(edited["expires_at"], "2026-04-04T00:00:00.000Z");
    assert_eq!(home.recall("부산"), ["부산에 산다"]);
    assert!(home.recall("서울에서").iter().all(|text| !text.contains("서울")));
    let shown = home.json(&["show", &id]);
    assert_eq!(shown["edited_at"], "2026-01-04T00:00:00.000Z");
    assert!(shown["importance"].as_f64().unwrap() > 0.5, "{shown}");
    let operations: Vec<_> = shown["history"].as_array().unwrap().iter().map(|entry| entry["operation"].clone()).collect();
    assert_eq!(operations, ["remember", "edit"]);
}

#[test]
fn stars_raise_importance() {
    let home = Home::english();
    let id = home.keep("바다를 보러 갔다", &[]);
    let before = home.json(&["show", &id])["importance"].as_f64().unwrap();
    let rated = home.json(&["rate", &id, "5"]);
    assert_eq!(rated["rating"], 5);
    assert!((rated["importance"].as_f64().unwrap() - before - 0.3).abs() < 1e-3, "{rated}");
    assert!(home.done(&["show", &id]).contains("★★★★★"));
}

#[test]
fn a_pin_holds_until_it_is_taken_out() {
    let home = Home::english();
    let id = home.keep("바다를 보러 갔다", &[]);
    assert_eq!(home.json(&["pin", &id])["pinned"], true);
    assert_eq!(home.json(&["show", &id])["pinned"], true);
    assert_eq!(home.json(&["unpin", &id])["pinned"], false);
    assert_eq!(home.json(&["show", &id])["pinned"], false);
}

#[test]
fn a_link_is_seen_from_both_ends_and_weighs() {
    let home = Home::english();
    let (from, to) = (home.keep("비를 맞았다", &[]), home.keep("우산을 잃어버렸다", &[]));
    home.json(&["link", &from, &to, "--kind", "supports"]);
    let link = json!([{ "from": from, "to": to, "kind": "supports" }]);
    assert_eq!(home.json(&["show", &from])["links"], link);
    assert_eq!(home.json(&["show", &to])["links"], link);
    let before = home.json(&["show", &to])["importance"].as_f64().unwrap();
    assert_eq!(home.json(&["tick", "--now", &day(1)])["weighed"], 1);
    assert!(home.json(&["show", &to])["importance"].as_f64().unwrap() > before);
    home.json(&["link", &from, &to, "--kind", "supports", "--remove"]);
    assert_eq!(home.json(&["show", &to])["links"], json!([]));
    home.refused(1, &["link", &from, &from]);
}

#[test]
fn the_end_of_an_id_names_a_memory() {
    let home = Home::english();
    let id = home.keep("바다를 보러 갔다", &[]);
    assert_eq!(home.json(&["show", &id[id.len() - 8..]])["id"], json!(id));
    home.refused(1, &["show", "ffffffff"]);
    home.refused(1, &["show", "바다"]);
}

#[test]
fn what_is_used_comes_nearer() {
    let home = Home::english();
    let id = home.keep("할머니의 정원", &["--emotion", "joy", "--intensity", "1"]);
    home.json(&["recall", "정원", "--now", &day(2)]);
    assert_eq!(home.json(&["show", &id])["recalls"], 0);
    home.json(&["recall", "정원", "--used", "--now", &day(2)]);
    let shown = home.json(&["show", &id]);
    assert_eq!((&shown["recalls"], &shown["last_recalled_at"]), (&json!(1), &json!("2026-01-03T00:00:00.000Z")));
    assert_eq!(home.json(&["mood", "--now", &day(2)])["emotions"], json!(["joy"]));
}

#[test]
fn minds_of_one_file_do_not_see_each_other() {
    let home = Home::english();
    home.done(&["remember", "비밀번호는 달빛이다", "--user", "jiwoo", "--character", "luna"]);
    let id = home.json(&["recall", "달빛", "--mind", "jiwoo/luna"])["results"][0]["id"].as_str().unwrap().to_owned();
    home.done(&["remember", "나는 해를 좋아한다", "--user", "minsu", "--character", "luna"]);
    for other in ["minsu/luna", "jiwoo/sol", "jiwoo/luna/game"] {
        assert_eq!(home.json(&["recall", "비밀번호 달빛", "--mind", other])["results"], json!([]), "{other}");
        home.refused(1, &["show", &id, "--mind", other]);
        home.refused(1, &["forget", &id, "--mind", other]);
    }
    assert_eq!(home.done(&["minds"]), "jiwoo/luna\nminsu/luna\n");
}

#[test]
fn zones_show_where_memories_are() {
    for home in Home::both() {
        home.keep("바다를 보러 갔다", &["--importance", "0.5"]);
        home.keep("I saw the sea", &["--importance", "0.5"]);
        let zones = home.json(&["zones"]);
        let names: Vec<_> = zones["zones"].as_array().unwrap().iter().map(|zone| (zone["zone"].clone(), zone["count"].clone())).collect();
        let expected = [("core", 0), ("inner", 0), ("outer", 2), ("belt", 0), ("cloud", 0)];
        assert_eq!(names, expected.map(|(zone, count)| (json!(zone), json!(count))));
        assert!(home.done(&["zones"]).contains(if home.is_korean() { "바깥 2/1000" } else { "outer 2/1000" }));
        // After a month without a recall, both memories have left the outer zone.
        home.json(&["tick", "--now", &day(29)]);
        assert_eq!(home.json(&["zones", "outer"])["zones"][0]["count"], 0);
    }
}
