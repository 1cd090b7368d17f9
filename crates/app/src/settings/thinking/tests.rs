use super::*;

fn choice(provider: &str, key: Option<&str>) -> Choice {
    Choice { provider: provider.into(), name: Some("m".into()), base_url: None, key: key.map(str::to_owned) }
}

fn written(text: &str, choice: &Choice) -> Result<String, String> {
    choice.written_into(text).map_err(|refusal| match refusal {
        Refusal::Wrong(what) | Refusal::Stands(what) => what.to_string(),
    })
}

#[test]
fn a_choice_is_written_and_every_other_byte_stays() {
    let new = "[thinker]\nmodel = \"page\"\n\n[model.page]\nprovider = \"openai\"\nname = \"m\"\nkey = \"k\"\n";
    for (before, after) in [
        (String::new(), new.to_owned()),
        ("user = \"me\" # mine".into(), format!("user = \"me\" # mine\n\n{new}")),
        ("# a\r\nuser = \"me\"\r\n".into(), format!("# a\r\nuser = \"me\"\r\n\r\n{}", new.replace('\n', "\r\n"))),
        (
            "[thinker]\n# who\nmodel = \"fast\"  # quick\nanalyse = \"rules\"\n\n[model.fast]\nprovider = \"ollama\"\nname = \"q\"\n".into(),
            "[thinker]\nmodel = \"page\"\n# who\nanalyse = \"rules\"\n\n[model.fast]\nprovider = \"ollama\"\nname = \"q\"\n\n[model.page]\nprovider = \"openai\"\nname = \"m\"\nkey = \"k\"\n".into(),
        ),
        (
            "[model.page]\nname = \"old\"\nprovider = \"gemini\"\nbase_url = \"https://h/v1\"\n# slow\ntimeout_seconds = 90\n[thinker]".into(),
            "[model.page]\nprovider = \"openai\"\nname = \"m\"\nkey = \"k\"\n# slow\ntimeout_seconds = 90\n[thinker]\nmodel = \"page\"\n".into(),
        ),
    ] {
        assert_eq!(written(&before, &choice("openai", Some(" k "))).as_deref(), Ok(after.as_str()));
    }
    let whole = super::super::default_file();
    let next = written(&whole, &choice("openai", None)).unwrap();
    let mut lines = next.lines();
    assert!(whole.lines().all(|known| lines.any(|line| line == known)), "no line of the commented file is lost or moved");
    assert_eq!(written(&next, &choice("openai", None)).unwrap(), next, "the same choice changes nothing");
}

#[test]
fn a_key_goes_to_no_other_server() {
    let first = written("", &choice("openai", Some("sk-canary"))).unwrap();
    let named = Choice { name: Some("larger".into()), ..choice("openai", None) };
    assert!(written(&first, &named).unwrap().contains("sk-canary"), "another model of the same server keeps it");
    for other in [
        choice("anthropic", None),
        choice("openai", Some("")),
        Choice { base_url: Some("https://elsewhere.example/v1".into()), ..choice("openai", None) },
    ] {
        let next = written(&first, &other).unwrap();
        assert!(!next.contains("canary"), "{next}");
        assert_eq!(next.contains("key_variable = \"\""), other.base_url.is_some(), "nor does the environment's: {next}");
    }
    let rules = written(&first, &choice("rules", None)).unwrap();
    assert!(rules.contains("sk-canary") && rules.contains("model = \"rules\""), "it waits until the model is chosen again");
    assert!(!written(&first, &choice("rules", Some(""))).unwrap().contains("sk-canary"));
    let own = "[thinker]\nmodel = \"mine\"\n[model.mine]\nprovider = \"openai\"\nname = \"a\"\nkey_variable = \"MINE\"\n";
    assert_eq!(written(own, &choice("openai", None)).unwrap().matches("key_variable = \"MINE\"").count(), 2);
}

#[test]
fn what_cannot_be_obeyed_is_refused_and_quotes_no_key() {
    let at = |base: &str| Choice { base_url: Some(base.into()), ..choice("openai", Some("sk-canary")) };
    for (text, wrong, word) in [
        ("", choice("nobody", Some("sk-canary")), "anthropic"),
        ("", Choice { name: Some(" ".into()), ..choice("openai", Some("sk-canary")) }, "the model name is missing"),
        ("", choice("openai", Some("sk-canary two")), "without spaces"),
        ("", at("ftp://host"), "https://host/v1"),
        ("", at("host:80"), "https://host/v1"),
        ("", at("http://"), "https://host/v1"),
        ("", at("https://me:pass@host/v1"), "https://host/v1"),
        ("", at("https://host/v1?key=1"), "https://host/v1"),
        ("key = \"sk-canary", choice("openai", None), "cannot be read"),
        ("thinker = { model = \"rules\" }", choice("openai", None), "yourself"),
        ("thinker.model = \"rules\"", choice("openai", None), "yourself"),
        ("soul = '''\n[thinker]\n'''\n", choice("openai", None), "yourself"),
    ] {
        let refused = written(text, &wrong).unwrap_err();
        assert!(refused.contains(word) && !refused.contains("canary"), "{text}: {refused}");
    }
    assert!(written("", &at("http://127.0.0.1:8080/v1/")).unwrap().contains("base_url = \"http://127.0.0.1:8080/v1\""));
}

#[test]
fn what_the_command_line_chose_stands() {
    let thinking = Thinking { fixed: true, ..Thinking::at("nowhere.toml".into()) };
    assert!(matches!(thinking.choose(&choice("rules", None)), Err(Refusal::Stands(_))));
}
