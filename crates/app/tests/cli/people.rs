//! Statements in the user's own words, and the people they are about.

use serde_json::{Value, json};

use crate::home::Home;

/// A mind that was imported with two statements: one about the user that is not sure, one about a brother that is.
fn imported() -> Home {
    let first = Home::korean();
    let observed = first.json(&["observe", "--said", "음, 오늘은 그냥 쉬었어", "--assistant", "좋네요."]);
    let turn = observed["turns"][0]["id"].clone();
    first.run(&["export", "bundle", &first.name("out.jsonl")]);
    let mut bundle = std::fs::read_to_string(first.name("out.jsonl")).unwrap();
    let said = json!({
        "type": "statement", "id": "01900000-0000-7000-8000-00000000abcd", "turn": turn, "at": observed["turns"][0]["at"], "group": "food",
        "text": "땅콩버터 없인 못 살아", "holder": null, "status": "now", "probability": 0.5, "sure": false, "valid_until": null,
        "confirmed": null, "withdrawn_at": null, "repeated_by": null, "ended_by": null, "ended_at": null,
    });
    let mut brother = said.clone();
    brother["id"] = json!("01900000-0000-7000-8000-00000000ef01");
    (brother["holder"], brother["text"], brother["group"]) = (json!("큰형"), json!("큰형은 전주에서 교사로 일해"), json!("work"));
    (brother["sure"], brother["probability"]) = (json!(true), json!(0.9375));
    bundle.push_str(&format!("{said}\n{brother}\n"));
    let home = Home::korean();
    std::fs::write(home.name("in.jsonl"), bundle).unwrap();
    let report = home.json(&["import", "bundle", &home.name("in.jsonl")]);
    assert_eq!(report["left_out"], json!([]), "{report}");
    home
}

fn statement<'a>(known: &'a Value, text: &str) -> &'a Value {
    known["statements"].as_array().unwrap().iter().find(|said| said["text"] == text).unwrap()
}

#[test]
fn statements_stand_beside_the_facts() {
    let home = imported();
    let known = home.json(&["facts"]);
    let unsure = statement(&known, "땅콩버터 없인 못 살아");
    assert_eq!((&unsure["group"], &unsure["status"], &unsure["confirmed"]), (&json!("food"), &json!("now"), &json!(false)));
    assert!(unsure["holder"].is_null() && unsure["valid_to"].is_null() && unsure["turn"].is_string() && unsure["valid_from"].is_string());
    let brother = statement(&known, "큰형은 전주에서 교사로 일해");
    assert_eq!((&brother["holder"], &brother["confirmed"], &brother["probability"]), (&json!("큰형"), &json!(true), &json!(0.9375)));
    let context = home.json(&["context", "큰형 얘기 기억나?"]);
    let sections = context["sections"].as_array().unwrap();
    let shown = sections.iter().find(|section| section["name"] == "statements").unwrap()["text"].as_str().unwrap();
    assert!(shown.contains("큰형은 전주에서") && !shown.contains("땅콩버터"), "{shown}");
}

#[test]
fn the_owner_confirms_and_removes_a_statement() {
    let home = imported();
    let confirmed = home.json(&["facts", "--confirm", "abcd"]);
    assert_eq!(statement(&confirmed, "땅콩버터 없인 못 살아")["confirmed"], true);
    assert_eq!(statement(&home.json(&["facts"]), "땅콩버터 없인 못 살아")["current"], true);
    let removed = home.run(&["facts", "--remove", "abcd"]);
    assert!(removed.data.contains("땅콩버터"), "{}", removed.data);
    assert_eq!(home.json(&["facts", "--history"])["statements"].as_array().unwrap().len(), 1);
    home.refused(1, &["facts", "--remove", "abcd"]);
    home.refused(2, &["facts", "--remove", "abcd", "--confirm", "abcd"]);
}

#[test]
fn people_are_listed_with_what_is_known_of_them() {
    let home = imported();
    home.json(&["facts", "pet", "--set", "강아지 모찌"]);
    let people = home.json(&["people"]);
    let ids: Vec<&str> = people["people"].as_array().unwrap().iter().map(|person| person["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["모찌", "큰형"]);
    let dog = &home.json(&["people", "강아지"])["people"][0];
    assert_eq!((&dog["name"], &dog["relation"], &dog["facts"][0]["value"]), (&json!("모찌"), &json!("강아지"), &json!("강아지 모찌")));
    let brother = home.run(&["people", "큰형"]);
    assert!(brother.data.contains("큰형은 전주에서 교사로 일해"), "{}", brother.data);
    home.refused(1, &["people", "누나"]);
}
