//! First run, configuration, exit codes, concurrent processes.

use std::process::Stdio;

use serde_json::json;

use crate::home::{Home, Said, day};

#[test]
fn the_first_run_says_what_it_made_and_what_to_try() {
    for (home, made, again) in [(Home::english(), "Created a new database", "minds: 1"), (Home::korean(), "새 데이터베이스", "마음 1개")]
    {
        let first = home.run(&[]);
        assert_eq!((first.code, first.data.as_str()), (0, ""));
        let path = home.name("mind.db");
        for word in [made, &path, "saegim remember", "saegim recall", "saegim --help"] {
            assert!(first.words.contains(word), "{word}: {}", first.words);
        }
        assert!(home.path("mind.db").exists());
        home.keep("하나", &[]);
        let second = home.run(&[]);
        assert!(second.words.contains(again) && !second.words.contains(made), "{}", second.words);
    }
}

#[test]
fn without_a_name_the_file_lies_in_the_data_folder() {
    let home = Home::english();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_saegim"));
    command.env_clear().env("HOME", home.path("")).env("XDG_DATA_HOME", home.path("data")).args(["remember", "하나"]);
    let said = Said::of(command.output().unwrap());
    assert_eq!(said.code, 0, "{}", said.words);
    #[cfg(not(any(windows, target_os = "macos")))]
    assert!(home.path("data/saegim/saegim.db").exists());
}

#[test]
fn a_wrong_call_is_two_and_a_failure_is_one() {
    for home in Home::both() {
        let id = home.keep("하나", &[]);
        for (code, call) in [
            (2, &["nonsense"][..]),
            (2, &["recall"]),
            (2, &["recall", "x", "--limit", "0"]),
            (2, &["recall", "x", "--zone", "moon"]),
            (2, &["remember", ""]),
            (2, &["remember", " \n "]),
            (2, &["remember", "x", "--importance", "1.5"]),
            (2, &["remember", "x", "--tier", "M7"]),
            (2, &["remember", "x", "--emotion", "hunger"]),
            (2, &["rate", &id, "6"]),
            (2, &["rate", &id, "many"]),
            (2, &["edit", &id]),
            (2, &["tick", "--now", "yesterday"]),
            (2, &["--mind", "alone", "stats"]),
            (2, &["--mind", "a/b", "--user", "c", "stats"]),
            (2, &["--as", "nobody", "stats"]),
            (2, &["erase"]),
            (1, &["show", "ffffffff"]),
            (1, &["restore", &id]),
            (1, &["--user", "stranger", "stats"]),
            (1, &["import", "bundle", "missing.jsonl"]),
            (1, &["--config", "missing.toml", "stats"]),
        ] {
            home.refused(code, call);
        }
        assert_eq!(home.json(&["stats"])["memories"], 1);
        assert_eq!(home.done(&["minds"]), "me/assistant\n");
    }
}

#[test]
fn with_json_an_error_is_json_on_standard_error() {
    let home = Home::english();
    let id = home.keep("하나", &["--tier", "M0"]);
    let words = home.refused(1, &["--as", "agent", "forget", &id, "--json"]);
    let error: serde_json::Value = serde_json::from_str(&words).unwrap();
    assert!(error["error"].as_str().unwrap().contains("core") && error["hint"].is_string(), "{error}");
}

#[test]
fn looking_begins_nothing() {
    let home = Home::english();
    assert!(home.recall("하나").is_empty());
    for call in ["cliff", "zones", "stats", "ledger", "mood"] {
        let words = home.refused(1, &[call]);
        assert!(words.contains("saegim remember"), "{call}: {words}");
    }
    assert_eq!(home.done(&["minds"]), "");
    home.json(&["tick"]);
    assert_eq!(home.done(&["minds"]), "");
}

#[test]
fn the_default_configuration_is_a_configuration() {
    let home = Home::english();
    let config = home.write("config.toml", home.done(&["default-config"])).display().to_string();
    assert_eq!(home.json(&["config", "--config", &config]), home.json(&["config"]));
}

#[test]
fn the_configuration_is_obeyed() {
    let home = Home::english();
    let config = home.write("config.toml", "user = \"minsu\"\ncharacter = \"luna\"\n\n[tier]\nm30_days = 3\n").display().to_string();
    let kept = home.json(&["remember", "하나", "--now", &day(0), "--config", &config]);
    assert_eq!(kept["expires_at"], "2026-01-04T00:00:00.000Z");
    assert_eq!(home.done(&["minds"]), "minsu/luna\n");
    assert_eq!(home.json(&["config", "--config", &config])["policy"]["tier"]["m30_days"], 3);
}

#[test]
fn a_wrong_setting_is_refused_by_name() {
    for home in Home::both() {
        for (text, name) in [
            ("colour = 3", "colour"),
            ("[zone]\ncore_rom = 3", "core_rom"),
            ("[zone]\ncore_room = 0", "core_room"),
            ("[zones]\ncore_room = 3", "zones"),
            ("[cliff]\ndays = 1", "days"),
            ("user = 7", "user"),
            ("time_zone = \"Mars/Olympus\"", "time_zone"),
        ] {
            let config = home.write("config.toml", text).display().to_string();
            let said = home.run(&["stats", "--config", &config]);
            assert!(matches!(said.code, 1 | 2) && said.words.contains(name), "{text}: {}", said.words);
        }
        assert!(!home.path("mind.db").exists(), "a wrong configuration made a database");
    }
}

#[test]
fn shells_can_complete() {
    let home = Home::english();
    for shell in ["bash", "zsh", "fish"] {
        let script = home.done(&["completions", shell]);
        assert!(script.contains("remember") && script.contains("recall"), "{shell}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_fuss() {
    let home = Home::english();
    for number in 0..20 {
        home.keep(&format!("{number}번째 바다"), &[]);
    }
    for call in [&["recall", "바다", "--limit", "20"][..], &["zones", "--limit", "20"], &["ledger"], &["recall", "바다", "--json"]] {
        let mut child = home.command(call).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let said = Said::of(child.wait_with_output().unwrap());
        assert_eq!((said.code, said.words.as_str()), (0, ""), "{call:?}");
    }
}

#[test]
fn the_doctor_finds_all_well() {
    for (home, well) in [(Home::english(), "no problems found"), (Home::korean(), "문제가 없어요")] {
        let id = home.keep("하나", &[]);
        home.keep("둘", &[]);
        home.json(&["forget", &id]);
        for call in [&["doctor"][..], &["doctor", "--repair"], &["doctor"]] {
            let said = home.done(call);
            assert!(said.contains(well) && !said.contains("WRONG"), "{said}");
        }
        let looked = home.json(&["doctor"]);
        assert_eq!((&looked["well"], &looked["problems"]), (&json!(true), &json!([])));
    }
}

#[test]
fn four_at_once_lose_nothing_and_see_no_error() {
    let home = Home::english();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let home = &home;
            scope.spawn(move || {
                for number in 0..15 {
                    let said = home.run(&["remember", &format!("{writer}번 작가의 {number}번째 문장"), "--json"]);
                    assert_eq!((said.code, said.words.as_str()), (0, ""));
                }
            });
        }
    });
    assert_eq!(home.json(&["stats"])["memories"], 60);
    assert_eq!(home.json(&["ledger", "verify"])["entries"], 61);
    assert_eq!(home.json(&["doctor"])["well"], true);
}

#[test]
fn keys_are_made_as_the_documents_say() {
    for home in Home::both() {
        home.keep("하나", &[]);
        for (call, principal) in [
            (&["keys", "new", "agent", "--for", "minsu/luna"][..], "agent"),
            (&["keys", "new", "--for", "minsu/*"], "agent"),
            (&["keys", "new"], "agent"),
            (&["keys", "new", "owner"], "owner"),
            (&["keys", "new", "admin", "--as", "admin"], "admin"),
        ] {
            let made = home.json(call);
            assert_eq!(made["principal"], principal, "{call:?}: {made}");
        }
        for call in
            [&["keys", "new", "agent", "--as", "admin"][..], &["keys", "new", "owner", "--as", "admin"], &["keys", "new", "--as", "agent"]]
        {
            home.refused(1, call);
        }
        assert_eq!(home.json(&["keys"])["keys"].as_array().unwrap().len(), 5);
    }
}

#[test]
fn a_client_is_told_where_the_file_lies() {
    let home = Home::english();
    let told = home.done(&["--db", "here.db", "mcp", "--install", "claude"]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let arguments = &told["mcpServers"]["saegim"]["args"];
    assert_eq!(arguments[1], home.name("here.db"), "{told}");
    let told = home.done(&["--db", "here.db", "mcp", "--install", "claude", "--tools", "all"]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let arguments = told["mcpServers"]["saegim"]["args"].as_array().unwrap();
    assert_eq!(arguments[arguments.len() - 3..], ["mcp", "--tools", "all"], "what is asked for is what is written");
}
