//! Runs of personas from the command line, and the example of the documentation.

use serde_json::Value;

use crate::home::Home;

/// The example blocks of docs/personas.md: each line as arguments.
fn examples() -> Vec<Vec<Vec<String>>> {
    let text = include_str!("../../../../docs/personas.md");
    let blocks = text.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    blocks.take(2).map(|block| block.lines().map(arguments).collect()).collect()
}

/// Splits a line at spaces outside quotation marks and leaves out the name of the program.
fn arguments(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (place, piece) in line.split('"').enumerate() {
        match place % 2 {
            0 => words.extend(piece.split_whitespace().map(str::to_owned)),
            _ => words.push(piece.to_owned()),
        }
    }
    words.split_off(1)
}

/// Runs a command with `--json` and returns its lines.
fn lines(home: &Home, arguments: &[String]) -> Vec<Value> {
    let mut all: Vec<&str> = arguments.iter().map(String::as_str).collect();
    all.push("--json");
    let said = home.run(&all);
    assert_eq!(said.code, 0, "{arguments:?}: {}", said.words);
    said.data.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_example_of_the_documentation_improves_from_run_to_run_in_both_languages() {
    let blocks = examples();
    for (home, block) in [Home::english(), Home::korean()].into_iter().zip(blocks) {
        assert_eq!(block.len(), 10, "ten lines");
        let mut scores = Vec::new();
        for line in &block {
            if line[0] != "orchestrate" || line[1] == "--list" {
                let arguments: Vec<&str> = line.iter().map(String::as_str).collect();
                let said = home.run(&arguments);
                assert_eq!(said.code, 0, "{line:?}: {}", said.words);
                continue;
            }
            let events = lines(&home, line);
            let steps: Vec<&Value> = events.iter().filter(|event| event["event"] == "step").map(|event| &event["step"]).collect();
            assert_eq!(steps.len(), 3, "{line:?}");
            assert_eq!(steps.iter().all(|step| !step["examples"].as_array().unwrap().is_empty()), !scores.is_empty(), "{line:?}");
            let cycle = events.iter().find(|event| event["event"] == "adjustment").unwrap();
            let score = |name: &str| cycle["cycle"]["evaluation"][name].as_f64().unwrap();
            scores.push((score("verifiability"), score("impact")));
        }
        assert!(scores[0].0 < 0.6 && scores[1].0 >= 0.6 && scores[1].1 > scores[0].1, "{scores:?}");
    }
}

#[test]
fn a_personas_file_is_written_checked_and_used() {
    let home = Home::english();
    let file = home.run(&["personas", "--default"]);
    home.write("personas.toml", &file.data);
    assert_eq!(home.run(&["personas", "personas.toml"]).code, 0);
    home.write("mine.toml", file.data.replace("backend = \"default\"", "backend = \"fast\""));
    let said = home.run(&["personas", "mine.toml"]);
    assert!(
        said.code != 0 && said.words.contains("mine.toml") && said.words.contains("backend") && said.words.contains("line"),
        "{}",
        said.words
    );
    let optimist = "[[persona]]\nid = \"optimist\"\nstance = \"assert\"\nsystem_en = \"Hope.\"\n[[persona]]\nid = \"sceptic\"\nstance = \"oppose\"\nsystem_en = \"Doubt.\"\n";
    home.write("two.toml", optimist);
    let events = lines(&home, &arguments("saegim orchestrate \"Shall we dance?\" --personas two.toml --depth 2 --session s1"));
    let speakers: Vec<&str> = events.iter().filter_map(|event| event["step"]["persona"].as_str()).collect();
    assert_eq!(speakers, ["optimist", "sceptic", "optimist", "sceptic"]);
    let shown = home.json(&["orchestrate", "--show", events[0]["run"]["id"].as_str().unwrap()]);
    assert_eq!((shown["steps"].as_array().unwrap().len(), shown["status"].as_str()), (4, Some("done")));
    assert_ne!(home.run(&["orchestrate", "--resume"]).code, 0, "nothing is interrupted");
}

#[test]
fn sessions_and_tags_are_forgotten_after_a_preview() {
    let home = Home::english();
    home.keep("The first draft", &["--session", "s1", "--tag", "test", "--tag", "temporary"]);
    home.keep("The second draft", &["--session", "s1", "--tag", "test"]);
    home.keep("A walk in the rain", &["--session", "s2"]);
    let count = |arguments: &[&str]| home.json(arguments)["memories"].as_array().unwrap().len();
    assert_eq!(count(&["recent", "10"]), 3);
    assert_eq!(count(&["recent", "10", "--session", "s1"]), 2);
    assert_eq!(count(&["forget", "--tag", "test", "--tag", "temporary", "--preview"]), 1);
    assert_eq!(count(&["recent"]), 3, "a preview changes nothing");
    assert_eq!(count(&["forget", "--tag", "test", "--tag", "temporary"]), 1);
    assert_eq!(count(&["forget", "--session", "s1"]), 1);
    assert_eq!(count(&["recent"]), 1);
    assert_ne!(home.run(&["forget"]).code, 0);
}

#[test]
fn a_configured_export_follows_the_mind() {
    let home = Home::english();
    let folder = home.name("memory").replace('\\', "/");
    home.write("follow.toml", format!("coordinates = \"{folder}\"\n"));
    let kept = home.json(&["remember", "A walk in the rain", "--session", "s1", "--config", "follow.toml"]);
    let index = || -> Value { serde_json::from_str(&std::fs::read_to_string(home.path("memory/index.json")).unwrap()).unwrap() };
    assert_eq!(index()["total_memories"], 1);
    home.run(&["orchestrate", "Where shall we walk?", "--session", "s2", "--config", "follow.toml"]);
    assert_eq!(index()["total_memories"], 4);
    assert!(home.path("memory/sessions/s1.jsonl").exists());
    home.json(&["forget", kept["id"].as_str().unwrap(), "--config", "follow.toml"]);
    assert_eq!(index()["total_memories"], 3);
    assert!(!home.path("memory/sessions/s1.jsonl").exists(), "forgotten text stays in the folder");
}

#[test]
fn the_exported_layout_has_the_fields_of_the_design() {
    let home = Home::english();
    home.keep("The balcony gets sun", &[]);
    home.run(&["orchestrate", "What should I grow on the balcony?", "--session", "sess_1"]);
    home.json(&["export", "coordinates", &home.name("out")]);
    let read = |name: &str| std::fs::read_to_string(home.path("out").join(name)).unwrap();
    let fields = |value: &Value| -> Vec<String> {
        let mut names: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        names.sort();
        names
    };
    let steps: Vec<Value> = read("sessions/sess_1.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(steps.len(), 3);
    for (part, names) in [
        ("time", "relative_time_minutes sequence session_id"),
        ("space", "depth_index domain file_context project"),
        ("agent", "backend persona_id persona_name role"),
        ("emotion", "affect_amplitude confidence keywords sentiment_score"),
        ("content", "prompt_digest response_full response_summary token_count type"),
        ("metadata", "bqi_snapshot error_occurred importance phase_injection_applied tags user_rating"),
        ("relations", "child_memory_ids parent_memory_id related_memory_ids"),
    ] {
        for step in &steps {
            assert_eq!(fields(&step[part]).join(" "), names);
        }
    }
    assert!(steps[0]["relations"]["parent_memory_id"].is_null());
    assert_eq!(steps[1]["relations"]["parent_memory_id"], steps[0]["memory_id"]);
    assert_eq!(steps[0]["relations"]["child_memory_ids"][0], steps[1]["memory_id"]);
    assert!(
        steps
            .iter()
            .all(|step| step["content"]["type"] == "persona_response" && step["metadata"]["bqi_snapshot"]["rhythm_phase"].is_string())
    );
    let config: Value = serde_json::from_str(&read("config.json")).unwrap();
    assert_eq!(
        (&config["retention_policy"]["max_sessions"], &config["retention_policy"]["max_memories_per_session"]),
        (&10.into(), &500.into())
    );
    let index: Value = serde_json::from_str(&read("index.json")).unwrap();
    assert_eq!(index["persona_index"]["synthesis"].as_array().unwrap().len(), 1);
    let files = std::fs::read_dir(home.path("out").join("resonance_ledger")).unwrap();
    let text: String = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answered: Vec<&Value> = events.iter().filter(|event| event["event_type"] == "persona_response").collect();
    assert_eq!(answered.len(), 3);
    for event in answered {
        assert!(event["bqi_coordinate"]["rhythm_phase"].is_string() && event["bqi_coordinate"]["emotion"]["affect"].is_number(), "{event}");
        assert!(
            event["impact_score"].is_number() && event["verifiability"].is_number() && !event["memory_refs"].as_array().unwrap().is_empty()
        );
    }
    let judged = events.iter().find(|event| event["event_type"] == "evaluation").unwrap();
    assert!(judged["plan_adjustment"][0]["trigger"] == "low_verifiability" || judged["plan_adjustment"]["trigger"].is_string(), "{judged}");
}
