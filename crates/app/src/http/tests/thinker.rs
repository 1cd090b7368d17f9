//! Changing the thinker over HTTP: takes effect immediately, is stored, and never reveals the key.

use super::Place;

const CANARY: &str = "sk-canary-7f3a91";

#[tokio::test]
async fn a_chosen_model_is_asked_at_once_and_its_key_is_never_shown() {
    let place = Place::new().await;
    let file = place.folder.path().join("config.toml");
    std::fs::write(&file, "# mine\nuser = \"minsu\"\n").unwrap();
    // No server listens at this address, so rules handle the requests, and the ledger records it.
    let wanted = format!(r#"{{"provider":"openai","name":"tiny","base_url":"http://127.0.0.1:9/v1","key":"{CANARY}"}}"#);
    let mut told = vec![place.ask("admin", ("PUT", "/v1/thinker", &wanted)).await];
    assert_eq!(told[0].status.as_u16(), 200, "{}", told[0].text);
    for part in [r#""provider":"openai""#, r#""name":"tiny""#, r#""has_key":true"#, r#""fixed":false"#, r#""kept":true"#] {
        assert!(told[0].text.contains(part), "{}", told[0].text);
    }
    let tried = place.ask("admin", ("POST", "/v1/thinker/try", "")).await;
    assert!(tried.text.contains(r#""well":false"#) && tried.text.contains("tiny"), "{}", tried.text);
    told.push(tried);
    let mind = "/v1/minds/minsu%2Fluna";
    told.push(place.ask("owner", ("POST", &format!("{mind}/chat"), r#"{"message":"나는 부산에 살아. 꼭 기억해 줘"}"#)).await);
    let ledger = place.ask("owner", ("GET", &format!("{mind}/ledger"), "")).await;
    assert!(ledger.text.contains("openai/tiny"), "the ledger names the model that could not be asked: {}", ledger.text);
    told.push(ledger);
    for (who, path) in [
        ("admin", "/v1/thinker"),
        ("admin", "/v1/doctor"),
        ("admin", "/metrics"),
        ("owner", &format!("{mind}/export")),
        ("owner", &format!("{mind}/jobs")),
        ("owner", &format!("{mind}/memories")),
    ] {
        told.push(place.ask(who, ("GET", path, "")).await);
    }
    for wrong in [
        format!(r#"{{"provider":"openai","name":"tiny","key":["{CANARY}"]}}"#),
        format!(r#""{CANARY}""#),
        format!(r#"{{"provider":"openai","name":"tiny","key":"{CANARY} and more"}}"#),
    ] {
        let refused = place.ask("admin", ("PUT", "/v1/thinker", &wrong)).await;
        assert_eq!(refused.status.as_u16(), 400);
        told.push(refused);
    }
    for answered in &told {
        assert!(!answered.text.contains("canary"), "{}", answered.text);
    }
    for entry in std::fs::read_dir(place.folder.path()).unwrap().flatten() {
        let bytes = std::fs::read(entry.path()).unwrap();
        let holds = bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes());
        assert_eq!(holds, entry.path() == file, "{}", entry.path().display());
    }
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("# mine\nuser = \"minsu\"\n"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let rules = place.ask("admin", ("PUT", "/v1/thinker", r#"{"provider":"rules","key":""}"#)).await;
    assert!(rules.text.contains(r#""provider":"rules""#) && rules.text.contains(r#""has_key":false"#), "{}", rules.text);
    assert!(!std::fs::read_to_string(&file).unwrap().contains("canary"));
    let tried = place.ask("admin", ("POST", "/v1/thinker/try", "")).await;
    assert!(tried.text.contains(r#""well":true"#), "{}", tried.text);
}
