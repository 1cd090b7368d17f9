//! Import from other programs and export to their formats. The stellar files were written by stellar-memory 1.0.0 and 3.0.0 and
//! by the celestial engine 2.0.0.

/// Bundles, backups and files of other programs.
mod files;

use std::path::Path;

use serde_json::{Value, json};

use crate::home::{Home, day, texts};

/// Path of a fixture file that another program wrote.
fn theirs(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/exchange").join(name).display().to_string()
}

fn import(home: &Home, format: &str, name: &str) -> Value {
    home.json(&["import", format, &theirs(name), "--now", &day(0)])
}

/// All live memories, oldest first.
fn everything(home: &Home) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    for zone in home.json(&["zones", "--limit", "1000"])["zones"].as_array().unwrap() {
        all.extend(zone["memories"].as_array().unwrap().iter().cloned());
    }
    all.sort_by_key(|memory| memory["created_at"].as_str().unwrap().to_owned() + memory["content"].as_str().unwrap());
    all
}

/// Items that an import skipped.
fn left_out(report: &Value) -> Vec<&str> {
    report["left_out"].as_array().unwrap().iter().map(|left| left["what"].as_str().unwrap()).collect()
}

#[test]
fn what_stellar_memory_kept_is_taken_in_once() {
    for (name, taken, held, links) in
        [("stellar-1.0.0.db", 3, 0, 1), ("stellar-3.0.0.db", 3, 0, 1), ("stellar-3.0.0.json", 4, 1, 0), ("celestial-2.0.0.db", 3, 0, 0)]
    {
        let home = Home::english();
        let before = std::fs::read(theirs(name)).unwrap();
        let first = import(&home, "stellar", name);
        assert_eq!((&first["imported"], &first["known"], &first["links"]), (&json!(taken), &json!(0), &json!(links)), "{name}: {first}");
        // An edge may point at a memory of an inner zone, which no export file contains; only skipped commands are counted.
        let commands =
            first["left_out"].as_array().unwrap().iter().filter(|left| left["why"].as_str().unwrap().contains("looks like an instruction"));
        assert_eq!(commands.count(), held, "{name}: {first}");
        let again = import(&home, "stellar", name);
        assert_eq!((&again["imported"], &again["known"], &again["links"]), (&json!(0), &json!(taken), &json!(0)), "{name}: {again}");
        let all = everything(&home);
        assert!(all.iter().all(|memory| memory["source"] == "import" && memory["tier"] == "M365" && memory["external_id"].is_string()));
        assert!(all.iter().all(|memory| (memory["trust"].as_f64().unwrap() - 0.7).abs() < 1e-6), "{name}");
        assert_eq!(std::fs::read(theirs(name)).unwrap(), before, "{name} was changed");
        assert_eq!(home.json(&["doctor"])["well"], true);
    }
}

#[test]
fn an_items_numbers_and_labels_come_along() {
    let home = Home::korean();
    import(&home, "stellar", "stellar-3.0.0.json");
    let found = home.json(&["recall", "떡볶이"])["results"][0].clone();
    assert_eq!((&found["recalls"], &found["tags"]), (&json!(2), &json!(["role:user", "topic:음식"])));
    assert!((found["appraisal"].as_f64().unwrap() - 0.9).abs() < 1e-6 && found["last_recalled_at"].is_string());
    let meeting = home.json(&["recall", "Tuesday meeting"])["results"][0].clone();
    assert_eq!(meeting["tags"], json!(["meeting", "source:chat", "work"]));
}

#[test]
fn old_memories_are_not_forgotten_the_moment_they_come() {
    let home = Home::english();
    home.json(&["import", "coordinates", &theirs("coordinates"), "--now", &day(200)]);
    home.json(&["tick", "--now", &day(201)]);
    assert!(home.cliff().is_empty());
    home.json(&["tick", "--now", &day(300)]);
    assert_eq!(home.cliff().len(), 2, "what nobody recalls falls in the end");
}

#[test]
fn what_mem0_kept_is_taken_in_once() {
    for home in Home::both() {
        let first = import(&home, "mem0", "mem0.json");
        assert_eq!((&first["imported"], &first["known"]), (&json!(3), &json!(0)), "{first}");
        let ends: Vec<&str> = left_out(&first).iter().map(|id| &id[id.len() - 2..]).collect();
        assert_eq!(ends, ["05", "03", "04", "06"]);
        assert_eq!(first["notes"].as_array().unwrap().len(), 1, "a nested value has no place: {first}");
        assert_eq!(import(&home, "mem0", "mem0.json")["known"], 3);
        let all = everything(&home);
        assert_eq!(texts(&json!(all))[..2], ["Likes to walk by the sea in the evening", "민수의 여동생 이름은 지우다"]);
        let (walk, sister) = (&all[0], &all[1]);
        assert_eq!((&walk["created_at"], &walk["edited_at"]), (&json!("2025-10-12T16:30:22.123Z"), &json!("2025-11-01T17:00:00.000Z")));
        assert_eq!((&walk["tags"], &walk["coordinate"]["session"]), (&json!(["hobbies", "mood:calm"]), &json!("evening")));
        assert_eq!((&sister["tier"], &sister["expires_at"]), (&json!("M30"), &json!("2026-01-22T00:00:00.000Z")));
    }
}

#[test]
fn two_who_bring_in_the_same_keep_it_once() {
    let home = Home::english();
    let items: Vec<Value> = (0..300).map(|number| json!({ "memory": format!("{number}번째로 적어 둔 것") })).collect();
    let path = home.write("many.json", json!(items).to_string()).display().to_string();
    let all = || -> Vec<_> {
        let children: Vec<_> = (0..3).map(|_| home.command(&["import", "mem0", &path]).spawn().unwrap()).collect();
        children.into_iter().map(|mut child| child.wait().unwrap().code()).collect()
    };
    assert_eq!(all(), [Some(0); 3]);
    assert_eq!(home.json(&["stats"])["memories"], 300);
    assert_eq!(home.json(&["import", "mem0", &path])["known"], 300);
    assert_eq!(home.json(&["doctor"])["well"], true);
}

#[test]
fn several_peoples_memories_are_not_mixed() {
    let home = Home::english();
    let list = json!([
        { "id": "1", "memory": "Alice likes tea", "user_id": "alice" },
        { "id": "2", "memory": "Bob likes coffee", "user_id": "bob" },
    ]);
    let path = home.write("both.json", list.to_string()).display().to_string();
    let words = home.refused(1, &["import", "mem0", &path]);
    assert!(words.contains("alice, bob") && words.contains("--user"), "{words}");
    assert_eq!(home.done(&["minds"]), "");
    let report = home.json(&["import", "mem0", &path, "--user", "bob"]);
    assert_eq!((&report["imported"], left_out(&report)), (&json!(1), vec!["1"]));
    assert_eq!(texts(&home.json(&["recall", "likes", "--user", "bob"])["results"]), ["Bob likes coffee"]);
}

#[test]
fn a_graph_becomes_memories_and_the_same_graph_again() {
    let home = Home::english();
    let first = import(&home, "mcp-memory", "memory.jsonl");
    assert_eq!((&first["imported"], &first["links"], left_out(&first)), (&json!(6), &json!(4), vec!["line 6"]));
    assert_eq!(import(&home, "mcp-memory", "memory.jsonl")["known"], 6);
    assert_eq!(home.recall("Who speaks Spanish?")[0], "John_Smith: Speaks fluent Spanish");
    assert_eq!(home.recall("모찌 산책")[0], "모찌: 산책을 좋아한다");
    assert_eq!(texts(&home.json(&["recall", "Seoul", "--tag", "relation:lives_in"])["results"]), ["John_Smith lives_in Seoul"]);
    home.json(&["export", "mcp-memory", &home.name("graph.jsonl")]);
    let lines = |path: &str| -> Vec<Value> {
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        lines.iter_mut().filter_map(|line| line["observations"].as_array_mut()).for_each(|list| list.sort_by_key(Value::to_string));
        lines.sort_by_key(Value::to_string);
        lines
    };
    let mut expected = lines(&theirs("memory.jsonl"));
    expected.sort_by_key(Value::to_string);
    assert_eq!(lines(&home.name("graph.jsonl")), expected);
}

#[test]
fn coordinates_come_in_whole_and_go_out_the_same() {
    let home = Home::english();
    let first = import(&home, "coordinates", "coordinates");
    assert_eq!((&first["imported"], &first["links"]), (&json!(2), &json!(2)), "{first}");
    assert_eq!(left_out(&first), ["mem_20251012_094000_0000", "mem_20251012_093022_a4f3 -> mem_20251012_093145_0c91"]);
    let found = home.json(&["recall", "좌표", "--persona", "thesis", "--domain", "AGI_prototype"])["results"][0].clone();
    assert_eq!((&found["external_id"], &found["rating"]), (&json!("mem_20251012_092800_07b2"), &json!(4)));

    home.json(&["export", "coordinates", &home.name("out")]);
    let read = |path: &Path| -> Vec<Value> {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let session = "sessions/sess_20251012_090000.jsonl";
    let mut written = read(&home.path("out").join(session));
    let mut came = read(&Path::new(&theirs("coordinates")).join(session));
    came.truncate(2);
    // Timestamps have millisecond precision, links to missing memories are dropped, and unset values are written as null.
    for (line, stamp) in came.iter_mut().zip(["2025-10-12T09:28:00.000Z", "2025-10-12T09:30:22.123Z"]) {
        line["timestamp"] = json!(stamp);
    }
    came[1]["relations"]["child_memory_ids"] = json!([]);
    came[1]["metadata"]["bqi_snapshot"] = Value::Null;
    assert_eq!(written, came);

    let index: Value = serde_json::from_str(&std::fs::read_to_string(home.path("out").join("index.json")).unwrap()).unwrap();
    assert_eq!((&index["total_memories"], &index["persona_index"]["thesis"]), (&json!(2), &json!(["mem_20251012_092800_07b2"])));
    assert_eq!(index["importance_index"][0]["memory_id"], "mem_20251012_092800_07b2");
    assert!(home.path("out").join("config.json").exists());
    let ledger = read(&home.path("out").join("resonance_ledger/ledger-20260101.jsonl"));
    assert_eq!(ledger.iter().map(|event| event["event_type"].as_str().unwrap()).collect::<Vec<_>>(), ["begin", "import", "import"]);
    assert_eq!(ledger[1]["memory_refs"], json!(["mem_20251012_092800_07b2", "mem_20251012_093022_a4f3"]));

    // A second import and export produces the same lines.
    let other = Home::korean();
    other.json(&["import", "coordinates", &home.name("out"), "--now", &day(0)]);
    other.json(&["export", "coordinates", &other.name("out")]);
    written.sort_by_key(Value::to_string);
    let mut again = read(&other.path("out").join(session));
    again.sort_by_key(Value::to_string);
    assert_eq!(again, written);
}

#[test]
fn what_goes_out_comes_in_elsewhere() {
    let home = Home::english();
    let first = home.keep("강아지 모찌를 입양했다", &["--tag", "개", "--importance", "0.75", "--session", "저녁"]);
    let second = home.keep("I am allergic to peanuts", &["--kind", "semantic", "--category", "caution", "--importance", "0.5"]);
    home.json(&["link", &first, &second]);
    for format in ["stellar", "mem0", "mcp-memory", "coordinates", "bundle"] {
        let path = home.name(format);
        assert_eq!(home.json(&["export", format, &path])["exported"], 2);
        let other = Home::korean();
        let report = other.json(&["import", format, &path, "--now", &day(0)]);
        assert_eq!((&report["imported"], left_out(&report)), (&json!(2), vec![]), "{format}: {report}");
        assert_eq!(other.json(&["import", format, &path])["known"], 2, "{format}");
        // Importing the file into its original database finds every memory already there.
        if format != "mcp-memory" {
            assert_eq!(home.json(&["import", format, &path])["known"], 2, "{format}");
        }
        let all = everything(&other);
        let contents = texts(&json!(all)).join(" ");
        assert!(contents.contains("강아지 모찌를 입양했다") && contents.contains("peanuts"), "{format}: {contents}");
        if matches!(format, "stellar" | "mem0" | "coordinates") {
            let puppy = other.json(&["recall", "강아지"])["results"][0].clone();
            assert_eq!((&puppy["tags"], &puppy["coordinate"]["session"]), (&json!(["개"]), &json!("저녁")), "{format}");
            assert_eq!(puppy["external_id"], json!(first), "{format}");
        }
    }
}

#[test]
fn an_export_writes_over_nothing_unasked() {
    for home in Home::both() {
        home.keep("하나", &[]);
        let path = home.write("mine.txt", "my own notes").display().to_string();
        for format in ["bundle", "stellar", "mem0", "mcp-memory", "coordinates"] {
            let words = home.refused(1, &["export", format, &path]);
            assert_eq!(words.contains("--replace"), format != "coordinates", "{words}");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my own notes");
        home.refused(1, &["export", "bundle", &home.name("mind.db"), "--replace"]);
        home.done(&["export", "bundle", &path, "--replace"]);
        assert!(std::fs::read_to_string(&path).unwrap().contains("하나"));
        assert_eq!(home.json(&["doctor"])["well"], true);
        home.refused(1, &["export", "bundle", &home.name("no/such/folder")]);
        let data = home.done(&["export", "bundle", "-"]);
        assert_eq!(data.lines().count(), 3);
    }
}

#[test]
fn an_agent_is_refused_before_the_file_is_read() {
    for home in Home::both() {
        let empty = home.write("empty.jsonl", "").display().to_string();
        for path in [&empty, "missing.jsonl"] {
            let words = home.refused(1, &["--as", "agent", "import", "bundle", path]);
            assert!(!words.contains(path) && words.contains(if home.is_korean() { "소유자" } else { "owner" }), "{words}");
        }
        assert_eq!(home.done(&["minds"]), "");
    }
}

#[test]
fn a_file_of_another_kind_is_refused_whole() {
    for home in Home::both() {
        let noise: Vec<u8> = (0..4096u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        home.write("noise", noise);
        home.write("words", "just words");
        home.write("list.json", "[1, 2]");
        home.write("object.json", "{}");
        for format in ["bundle", "stellar", "mem0", "mcp-memory", "coordinates"] {
            for name in ["noise", "words", "object.json", "mind.db", "nowhere"] {
                if format == "coordinates" && matches!(name, "words" | "object.json") {
                    continue;
                }
                home.refused(1, &["import", format, &home.name(name)]);
            }
        }
        assert_eq!(home.done(&["minds"]), "");
    }
}
