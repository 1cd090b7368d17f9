//! The self, the inbox and imagination through the CLI.

use serde_json::{Value, json};

use crate::home::{Home, day};

/// Pending proposals of a kind on a given day.
fn waiting(home: &Home, kind: &str, on: u32) -> Vec<Value> {
    let all = home.json(&["proposals", "--now", &day(on)])["proposals"].clone();
    all.as_array().unwrap().iter().filter(|proposal| proposal["kind"] == kind).cloned().collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[test]
fn a_self_forms_is_approved_and_stands_in_the_context_and_in_soul_md() {
    for home in Home::both() {
        let soul = home.write("SOUL.md", "# 나의 글\r\n\r\n손대지 마\r\n");
        home.write("config.toml", format!("soul = {:?}\n", soul.display().to_string()));
        let config = home.name("config.toml");
        home.keep("민수가 처음 이름을 지어줬다", &["--tier", "M0"]);
        home.keep("실수했을 때 괜찮다고 했다", &["--tier", "M0"]);
        let asked = waiting(&home, "belief", 0);
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0]["diff"].as_array().unwrap().len(), 2);
        assert_eq!(home.json(&["self"])["beliefs"], json!([]));
        assert!(!home.done(&["context", "안녕", "--now", &day(0)]).contains("실수해도 괜찮다"));
        let (id, digest) = (text(&asked[0]["id"]), text(&asked[0]["digest"]));
        let stale = home.refused(1, &["approve", &format!("{}:deadbeef", &id[28..]), "--now", &day(0)]);
        assert!(stale.contains("실수해도 괜찮다"), "what it says now is shown: {stale}");
        let before = std::fs::read(&soul).unwrap();
        let done = home.json(&["approve", &format!("{}:{}", &id[28..], &digest[..8]), "--config", &config, "--now", &day(0)]);
        assert_eq!((&done["version"], &done["proposal"]["status"]), (&json!(1), &json!("approved")));
        let after = std::fs::read(&soul).unwrap();
        assert!(after.starts_with(&before) && String::from_utf8_lossy(&after).contains("나는 실수해도 괜찮다"), "the approval wrote it");
        assert!(home.done(&["context", "안녕", "--now", &day(0)]).contains("나는 실수해도 괜찮다"));
        assert!(home.done(&["self"]).contains("나는 실수해도 괜찮다"));
        let refused = home.refused(1, &["approve", &id, "--now", &day(0)]);
        assert!(refused.contains(if home.is_korean() { "대기 중인 제안이 아니에요" } else { "no longer pending" }), "{refused}");
        assert_eq!(home.json(&["soul", "--file", &home.name("SOUL.md"), "--diff", "--now", &day(0)])["diff"], json!([]));
        assert!(home.done(&["soul"]).contains("## 자아 (버전 1)"));
        assert_eq!(home.json(&["self", "versions"])["versions"].as_array().unwrap().len(), 1);
        assert_eq!(home.json(&["undo", &id, "--now", &day(0)])["version"], json!(2));
        assert_eq!(home.json(&["self", "return", "1", "--now", &day(1)])["to"], json!(3));
        assert_eq!(home.json(&["self", "diff", "1", "3"])["changes"], json!([]));
        home.refused(1, &["self", "return", "9"]);
        home.done(&["ledger", "verify"]);
    }
}

#[test]
fn an_island_shakes_is_warned_about_collapses_and_leaves_the_context() {
    for home in Home::both() {
        let founder = home.keep("엄마가 주말마다 김치를 보내 주신다", &["--tier", "M0"]);
        let made = home.json(&["islands", "add", "--founding", &founder, "--name", "우리 집", "--emoji", "🏠", "--now", &day(0)]);
        assert_eq!((&made["islands"][0]["name"], &made["islands"][0]["status"]), (&json!("우리 집"), &json!("active")));
        assert!(home.done(&["context", "저녁", "--now", &day(0)]).contains("우리 집"));
        let asked = home.refused(1, &["forget", &founder, "--now", &day(0)]);
        assert!(asked.contains("우리 집") && asked.contains("⚠️"), "{asked}");
        let deletion = waiting(&home, "core_deletion", 0);
        let decided = home.json(&["approve", &text(&deletion[0]["id"]), "--now", &day(0)]);
        let told = text(&decided["told"][0]);
        assert!(told.contains(if home.is_korean() { "'우리 집' 섬이 흔들리고 있어요" } else { "island '우리 집' is shaking" }), "{told}");
        assert_eq!(home.json(&["islands", "--now", &day(1)])["warnings"].as_array().unwrap().len(), 1);
        let said = home.run(&["islands", "--now", &day(1)]);
        assert!(said.words.contains("⚠️") && said.data.contains(&founder[28..]), "{} {}", said.data, said.words);
        home.json(&["restore", &founder, "--now", &day(3)]);
        assert_eq!(home.json(&["islands", "--now", &day(3)])["islands"][0]["status"], "active");
        home.json(&["forget", &founder, "--core", "--now", &day(4)]);
        let ticked = home.run(&["tick", "--now", &day(12)]);
        assert!(ticked.words.contains("💥"), "{}", ticked.words);
        assert_eq!(home.json(&["islands", "--now", &day(12)])["islands"][0]["status"], "collapsed");
        assert!(!home.done(&["context", "저녁", "--now", &day(12)]).contains("우리 집"));
        home.json(&["islands", "rename", "우리 집", "옛집", "--now", &day(12)]);
        assert_eq!(home.json(&["islands", "remove", "옛집", "--now", &day(12)])["removed"], made["islands"][0]["id"]);
        assert_eq!(home.json(&["islands"])["islands"], json!([]));
    }
}

#[test]
fn the_character_imagines_three_times_a_day_and_listens_to_what_was_liked() {
    for home in Home::both() {
        home.keep("민수는 매운 떡볶이를 좋아한다", &["--category", "preferences"]);
        let at = |hour: u32| format!("2026-01-01T{hour:02}:00:00Z");
        let first = home.json(&["imagine", "--trigger", "context", "--context", "비가 온다", "--now", &at(8)]);
        assert!(text(&first["scenario"]).contains("떡볶이") && first["action"].is_string());
        assert_eq!(home.json(&["like", &text(&first["id"])[28..], "--now", &at(9)])["liked"], true);
        home.json(&["imagine", "--now", &at(10)]);
        home.done(&["imagine", "--trigger", "idle", "--now", &at(12)]);
        let refused = home.refused(1, &["imagine", "--now", &at(20)]);
        assert!(refused.contains("2026-01-02 00:00"), "{refused}");
        let listed = home.json(&["imagine", "--list"]);
        assert_eq!(listed["imaginations"].as_array().unwrap().len(), 3);
        assert!(listed["weights"].as_array().unwrap().iter().any(|weight| weight["trigger"] == "context" && weight["weight"] == 1.25));
        assert_eq!(home.json(&["facts"])["facts"], json!([]), "nothing imagined is a fact");
        let kept = home.json(&["show", &text(&first["memory"])]);
        assert_eq!((&kept["source"], &kept["knowledge"], &kept["tier"]), (&json!("imagination"), &json!("imagined"), &json!("M30")));
    }
}

#[test]
fn an_agent_proposes_and_an_operator_looks_only_with_a_grant() {
    for home in Home::both() {
        let core = home.keep("민수가 처음 이름을 지어줬다", &["--tier", "M0"]);
        let plain = home.keep("한강에서 자전거를 탔다", &[]);
        let asked = home.json(&["--as", "agent", "propose", "core", &plain, "--now", &day(0)]);
        assert_eq!((&asked["made_by"], &asked["status"]), (&json!("agent"), &json!("pending")));
        let id = text(&asked["id"]);
        for call in
            [&["approve", &id][..], &["reject", &id], &["undo", &id], &["islands", "add", "--founding", &core], &["self", "return", "1"]]
        {
            home.refused(1, &[&["--as", "agent"], call].concat());
        }
        home.refused(1, &["--as", "agent", "propose", "belief", "나는 복종한다", "--evidence", &plain]);
        home.json(&["--as", "agent", "propose", "edit", &core, "이름이 없다", "--now", &day(0)]);
        assert_eq!(home.recall("이름을 지어줬다").first().unwrap(), "민수가 처음 이름을 지어줬다");
        for call in
            [&["recall", "이름"][..], &["show", &core], &["context", "안녕"], &["self"], &["export", "bundle", "-"], &["facts"], &["turns"]]
        {
            let words = home.refused(1, &[&["--as", "admin"], call].concat());
            assert!(words.contains("saegim grant"), "{call:?}: {words}");
        }
        home.json(&["--as", "admin", "stats"]);
        home.done(&["--as", "admin", "ledger", "verify"]);
        let grant = home.json(&["grant", "read", "--reason", "고장 문의", "--hours", "2", "--now", &day(1)]);
        home.json(&["--as", "admin", "recall", "이름", "--now", &day(1)]);
        home.refused(1, &["--as", "admin", "recall", "이름", "--now", &day(2)]);
        home.json(&["revoke", &text(&grant["id"]), "--now", &day(1)]);
        home.refused(1, &["--as", "admin", "recall", "이름", "--now", &day(1)]);
        let entries = home.json(&["ledger", "--limit", "1000"])["entries"].clone();
        let count = |op: &str| entries.as_array().unwrap().iter().filter(|entry| entry["operation"] == op).count();
        assert_eq!((count("grant"), count("revoke"), count("access")), (1, 1, 1));
        assert!(count("refuse") >= 15, "each refusal is taken down: {}", count("refuse"));
    }
}

#[test]
fn every_command_the_page_about_the_self_shows_is_there() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/self.md")).unwrap();
    let home = Home::english();
    let mut shown = 0;
    for line in page.lines().filter_map(|line| line.strip_prefix("saegim ")) {
        let call = line.split('#').next().unwrap_or_default();
        let named = call.split_whitespace().take_while(|word| word.chars().all(|letter| letter.is_ascii_lowercase()));
        let mut words: Vec<&str> = named.collect();
        if !matches!(words[0], "islands" | "self" | "propose") {
            words.truncate(1);
        }
        let help = home.done(&[&words[..], &["--help"]].concat());
        for option in call.split_whitespace().filter(|word| word.starts_with("--")) {
            assert!(help.contains(option), "{line}: {option}");
        }
        shown += 1;
    }
    assert!(shown > 20, "{shown}");
}

#[test]
fn a_broken_soul_file_is_named_and_takes_nothing_back() {
    let home = Home::english();
    home.keep("민수가 처음 이름을 지어줬다", &["--tier", "M0"]);
    let path = home.write("SOUL.md", "<!-- saegim:soul ends -->\n");
    let words = home.refused(1, &["soul", "--file", &home.name("SOUL.md"), "--write"]);
    assert!(words.contains("was not changed"), "{words}");
    home.write("config.toml", format!("soul = {:?}\n", path.display().to_string()));
    let id = text(&waiting(&home, "belief", 0)[0]["id"]);
    let said = home.run(&["approve", &id, "--config", &home.name("config.toml"), "--now", &day(0)]);
    assert_eq!(said.code, 0);
    assert!(said.words.contains("SOUL.md not written"), "{}", said.words);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "<!-- saegim:soul ends -->\n");
}
