//! Conversations: observing turns, the facts learned from them, and the context for a model.

use serde_json::{Value, json};

use crate::home::Home;

fn observe(home: &Home, user: &str, assistant: &str) -> Value {
    home.json(&["observe", "--user", user, "--assistant", assistant])
}

fn known(home: &Home, subject: &str) -> Vec<String> {
    let facts = home.json(&["facts", subject]);
    facts["facts"].as_array().unwrap().iter().map(|fact| fact["value"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_turn_says_what_was_judged_and_learned() {
    let home = Home::english();
    let observed = observe(&home, "I live in Seoul with my dog Biscuit", "How lovely!");
    assert_eq!(observed["turns"].as_array().unwrap().len(), 2);
    assert_eq!(observed["turns"][0]["role"], "user");
    let candidate = &observed["candidates"][0];
    for field in ["content", "score", "verdict", "reason", "factors"] {
        assert!(!candidate[field].is_null(), "{field}");
    }
    assert!(observed["facts"].as_array().unwrap().iter().any(|fact| fact["subject"] == "residence" && fact["change"] == "new"));
    let face = observed["face"].as_object().unwrap();
    assert_eq!(face.values().filter(|value| **value == json!(1)).count(), 1);
    assert!(observed["relationship"]["familiarity"].as_f64().unwrap() > 0.0);
    assert!(observed["mood"].is_object() && observed["context_used"].is_array());
}

#[test]
fn moving_house_changes_one_fact_across_processes_and_forgetting_the_turn_undoes_it() {
    let home = Home::english();
    observe(&home, "나는 서울 살아", "그렇구나.");
    let moved = home.json(&["--now", "2030-01-01T00:00:00Z", "observe", "--user", "이번에 부산으로 이사했어", "--assistant", "우와!"]);
    assert_eq!(known(&home, "residence"), ["부산"]);
    assert_eq!(home.json(&["facts", "거주지", "--history"])["facts"].as_array().unwrap().len(), 2);
    let turn = moved["turns"][0]["id"].as_str().unwrap();
    home.json(&["forget", turn]);
    assert_eq!(known(&home, "residence"), ["서울"]);
    home.json(&["restore", turn]);
    assert_eq!(known(&home, "residence"), ["부산"]);
    home.done(&["ledger", "verify"]);
    home.done(&["doctor"]);
}

#[test]
fn a_file_of_turns_is_taken_pair_by_pair_and_a_bad_line_takes_nothing() {
    let home = Home::english();
    let file = home.path("turns.jsonl");
    let lines = [
        json!({"session": "a", "role": "user", "content": "내 이름은 지우야", "at": "2026-01-01T00:00:00Z"}),
        json!({"session": "a", "role": "assistant", "content": "반가워, 지우야.", "at": "2026-01-01T00:00:05Z", "speaker": "루나"}),
        json!({"session": "a", "role": "user", "content": "나는 매운 음식을 싫어해", "at": "2026-01-01T00:01:00Z"}),
    ];
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    std::fs::write(&file, format!("{text}{{\"role\":\"user\"}}\n")).unwrap();
    home.refused(1, &["observe", "--file", file.to_str().unwrap()]);
    home.refused(1, &["facts"]);
    std::fs::write(&file, text).unwrap();
    let out = home.done(&["observe", "--file", file.to_str().unwrap(), "--json"]);
    let pairs: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(pairs.len(), 2);
    assert_eq!(known(&home, "name"), ["지우"]);
    assert_eq!(home.json(&["turns"])["turns"].as_array().unwrap().len(), 3);
    let context = home.json(&["context", "내 이름이 뭐야?", "--budget", "400", "--now", "2026-01-02T00:00:00Z"]);
    assert!(context["text"].as_str().unwrap().contains("지우"));
    assert!(context["tokens"].as_u64().unwrap() <= 400);
    assert!(context["sections"].as_array().unwrap().iter().any(|section| section["name"] == "identity facts"));
}

#[test]
fn the_user_is_named_before_observe_and_speaks_after_it() {
    let home = Home::english();
    home.json(&["--user", "minsu", "--character", "luna", "observe", "--user", "나는 광주에 살아"]);
    let facts = home.json(&["--user", "minsu", "--character", "luna", "facts"]);
    assert_eq!(facts["facts"][0]["value"], "광주");
    home.refused(1, &["facts"]);
}

#[test]
fn those_present_hear_it_and_others_do_not() {
    let home = Home::english();
    home.json(&["--character", "luna", "observe", "--user", "나는 전주에 살아", "--assistant", "좋겠다", "--present", "sol"]);
    let facts = |character: &str| home.json(&["--character", character, "facts"])["facts"][0]["value"].clone();
    assert_eq!((facts("luna"), facts("sol")), (json!("전주"), json!("전주")));
    home.refused(1, &["--character", "rigel", "facts"]);
    let turns = home.json(&["--character", "sol", "turns"]);
    assert_eq!(turns["turns"][1]["role"], "persona");
}

#[test]
fn chat_answers_from_what_it_knows() {
    let home = Home::english();
    observe(&home, "우리 강아지 이름은 모찌야", "귀엽다!");
    let out = home.piped(&["chat", "--json"], "우리 강아지 이름이 뭐라고 했지?\n");
    let answer: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert!(answer["answer"].as_str().unwrap().contains("모찌"), "{answer}");
}

#[test]
fn the_owner_states_a_fact_and_the_relationship_and_timeline_show() {
    let home = Home::english();
    observe(&home, "고마워, 넌 정말 좋은 친구야", "나도 고마워");
    home.json(&["facts", "residence", "--set", "Jeju"]);
    assert_eq!(known(&home, "residence"), ["Jeju"]);
    home.refused(1, &["--as", "agent", "facts", "residence", "--set", "Mars"]);
    home.refused(1, &["facts", "no-such-thing"]);
    let relationship = home.json(&["relationship", "--speech", "casual"]);
    assert_eq!(relationship["speech_style"], "casual");
    assert!(relationship["affection"].as_f64().unwrap() > 0.0);
    assert!(!relationship["changes"].as_array().unwrap().is_empty());
    let moments = home.json(&["timeline", "--turns"]);
    assert!(moments["moments"].as_array().unwrap().len() >= 3);
    for call in
        [&["facts"][..], &["relationship"], &["timeline", "--turns"], &["turns"], &["mood"], &["context", "안녕"], &["facts", "--subjects"]]
    {
        assert!(!home.done(call).trim().is_empty(), "{call:?}");
    }
}

#[test]
fn rewording_and_branching_turns_change_what_is_known() {
    let home = Home::english();
    let told = home.json(&["observe", "--user", "나는 대전에 살아", "--session", "first"]);
    let id = told["turns"][0]["id"].as_str().unwrap().to_owned();
    home.json(&["turns", "edit", &id, "나는 대구에 살아"]);
    assert_eq!(known(&home, "residence"), ["대구"]);
    home.json(&["turns", "branch", &id, "second"]);
    home.json(&["--now", "2030-01-01T00:00:00Z", "observe", "--user", "나 울산으로 이사했어", "--session", "second"]);
    assert_eq!(known(&home, "residence"), ["울산"]);
    home.json(&["turns", "follow", "first"]);
    assert_eq!(known(&home, "residence"), ["대구"]);
    assert!(home.done(&["turns", "why", &id]).contains("confidence"));
}
