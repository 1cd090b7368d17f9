//! Language models chosen by the user: the doctor reports what works, rules replace what fails, and no key is ever printed.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};

use saegim_provider::Dialect;
use saegim_provider::mock_server::{Behaviour, MockServer};
use serde_json::Value;

use crate::home::{Home, Said};

const CANARY: &str = "sk-canary-4f1d";

/// A mock model server with its own runtime.
struct Server {
    stand_in: MockServer,
    _runtime: tokio::runtime::Runtime,
}

impl Server {
    fn begin(behaviour: Behaviour) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        Self { stand_in: runtime.block_on(MockServer::begin(behaviour)).unwrap(), _runtime: runtime }
    }
}

/// Command that runs the binary with a model of this server configured in the environment.
fn asking(home: &Home, server: &Server, arguments: &[&str]) -> std::process::Command {
    let mut command = home.command(arguments);
    command
        .env("OPENAI_BASE_URL", server.stand_in.base(Dialect::OpenAi))
        .env("OPENAI_API_KEY", CANARY)
        .env("SAEGIM_MODEL", "openai/stand-in");
    command
}

fn run(home: &Home, server: &Server, arguments: &[&str]) -> Said {
    Said::of(asking(home, server, arguments).output().unwrap())
}

#[test]
fn doctor_tries_each_model_and_says_what_works() {
    for (behaviour, code, word) in [
        (Behaviour::Well, 0, "openai/stand-in works"),
        (Behaviour::Failing, 1, "openai/stand-in does not respond"),
        (Behaviour::Leaking, 1, "openai/stand-in does not respond"),
    ] {
        let (home, server) = (Home::english(), Server::begin(behaviour));
        let said = run(&home, &server, &["doctor"]);
        assert_eq!(said.code, code, "{} {}", said.data, said.words);
        assert!(said.data.contains(word) && said.data.contains("extract"), "{}", said.data);
        assert_eq!(said.data.contains("comes from OPENAI_API_KEY"), behaviour == Behaviour::Leaking, "{}", said.data);
    }
    let home = Home::korean();
    let said = run(&home, &Server::begin(Behaviour::Well), &["doctor"]);
    assert!(said.data.contains("모델 openai/stand-in 정상"), "{}", said.data);
}

#[test]
fn a_key_alone_sends_nothing_anywhere() {
    let (home, server) = (Home::english(), Server::begin(Behaviour::Well));
    let mut outputs = String::new();
    for arguments in [&["observe", "--user", "I live in Busan"][..], &["doctor"], &["remember", "I like tea"], &["tick"]] {
        let said = Said::of(asking(&home, &server, arguments).env_remove("SAEGIM_MODEL").output().unwrap());
        assert_eq!(said.code, 0, "{arguments:?}: {}", said.words);
        outputs += &said.data;
    }
    assert_eq!(server.stand_in.requests(), 0);
    assert!(outputs.contains("OPENAI_API_KEY is set, but no model is selected"), "{outputs}");
}

#[test]
fn a_key_appears_in_no_output_and_no_file() {
    let home = Home::english();
    home.write(
        "config.toml",
        "[model.strong]\nprovider = \"anthropic\"\nname = \"c\"\nkey = \"sk-canary-file\"\n[thinker]\nmodel = \"strong\"\n",
    );
    let (config, bundle, folder) = (home.name("config.toml"), home.name("out.jsonl"), home.name("ledger"));
    let mut shown = String::new();
    for behaviour in [Behaviour::Leaking, Behaviour::Failing, Behaviour::Well] {
        let server = Server::begin(behaviour);
        let calls: [&[&str]; 12] = [
            &["observe", "--user", "I live in Busan", "--assistant", "Nice!"],
            &["remember", "I like tea"],
            &["tick"],
            &["doctor"],
            &["config"],
            &["config", "--json"],
            &["--config", &config, "config"],
            &["--config", &config, "doctor"],
            &["ledger", "--json"],
            &["ledger"],
            &["export", "bundle", &bundle],
            &["ledger", "export", &folder],
        ];
        for arguments in calls {
            let mut command = asking(&home, &server, arguments);
            command.env("ANTHROPIC_API_KEY", "sk-canary-other").env("ANTHROPIC_BASE_URL", server.stand_in.base(Dialect::Anthropic));
            if arguments.contains(&"--config") {
                command.env_remove("SAEGIM_MODEL");
            }
            let said = Said::of(command.output().unwrap());
            shown += &format!("{}\n{}\n", said.data, said.words);
        }
        let mut chat =
            asking(&home, &server, &["chat"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        chat.stdin.take().unwrap().write_all("hello there\n".as_bytes()).unwrap();
        let said = Said::of(chat.wait_with_output().unwrap());
        shown += &format!("{}\n{}\n", said.data, said.words);
    }
    assert!(shown.contains("key = \"***\"") && shown.contains("unaccepted"), "{shown}");
    for canary in [CANARY, "sk-canary"] {
        assert!(!shown.contains(canary), "{shown}");
    }
    let written = std::fs::read(&bundle).unwrap();
    let ledgers = std::fs::read_dir(&folder).unwrap().flat_map(|file| std::fs::read(file.unwrap().path()).unwrap());
    let files: Vec<u8> = home.at_rest().into_iter().chain(written).chain(ledgers).collect();
    assert!(!files.windows(9).any(|nine| nine == b"sk-canary"), "a key was written to a file");
}

#[test]
fn a_fallback_is_to_be_seen_in_the_ledger() {
    let (home, server) = (Home::english(), Server::begin(Behaviour::Failing));
    assert_eq!(run(&home, &server, &["observe", "--user", "I live in Busan"]).code, 0);
    let told = home.done(&["ledger"]);
    assert!(told.contains("[extract: rules@1 for openai/stand-in, failing]"), "{told}");
    assert!(home.done(&["facts"]).contains("Busan"), "rules have stood in");
}

/// A running `saegim serve` process, killed on drop.
struct Serving {
    child: Child,
    address: String,
}

impl Serving {
    fn begin(mut command: std::process::Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        Self { address: told["listening"].as_str().unwrap().to_owned(), child }
    }

    fn post(&self, path: &str, body: &Value) -> String {
        let mut stream = std::net::TcpStream::connect(&self.address).unwrap();
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_proxy_and_the_chat_pass_on_what_the_model_says_as_it_says_it() {
    let (home, server) = (Home::english(), Server::begin(Behaviour::Well));
    let serving = Serving::begin(asking(&home, &server, &["serve", "--addr", "127.0.0.1:0", "--json"]));
    let asked = |stream: bool| {
        serde_json::json!({ "model": "any", "stream": stream, "user": "minsu", "messages": [
            { "role": "system", "content": "Be kind." }, { "role": "user", "content": "I live in Busan" }] })
    };
    let whole = serving.post("/v1/chat/completions", &asked(false));
    assert!(whole.contains("200 OK") && whole.contains("I heard: I live in Busan"), "{whole}");
    let streamed = serving.post("/v1/chat/completions", &asked(true));
    let pieces = streamed.matches("\"delta\"").count();
    assert!(pieces > 5 && streamed.contains("[DONE]") && streamed.contains("\"content\":\"Busan\""), "{streamed}");
    let chat = serving.post("/v1/minds/minsu%2Fassistant/chat", &serde_json::json!({ "message": "hello there" }));
    for word in ["event: context", "event: token", "event: memory_update", "event: done", "I heard: hello there"] {
        assert!(chat.contains(word), "no {word} in {chat}");
    }
    // If the model fails, rules answer instead and the client still gets a reply.
    server.stand_in.behave(Behaviour::Failing);
    let stood_in = serving.post("/v1/chat/completions", &asked(false));
    assert!(stood_in.contains("200 OK") && !stood_in.contains("I heard"), "{stood_in}");
}

#[test]
fn a_request_is_passed_on_whole_with_what_is_remembered_beside_the_message() {
    let (home, server) = (Home::english(), Server::begin(Behaviour::Well));
    home.done(&["--user", "minsu", "observe", "--user", "My name is Minsu and I live in Busan", "--assistant", "ok"]);
    let mut command = asking(&home, &server, &["serve", "--addr", "127.0.0.1:0", "--json"]);
    command.env("SAEGIM_MODEL", "reply=openai/stand-in");
    let serving = Serving::begin(command);
    let tools = serde_json::json!([{ "type": "function", "function": { "name": "weather", "parameters": {} } }]);
    let asked = serde_json::json!({ "model": "saegim", "stream": null, "user": "minsu", "temperature": 0.3, "tools": tools, "messages": [
        { "role": "system", "content": "Be kind." }, { "role": "user", "content": "Where do I live?" },
        { "role": "assistant", "content": null, "tool_calls": [{ "id": "1", "type": "function" }] },
        { "role": "tool", "tool_call_id": "1", "content": "sunny" }] });
    let whole = serving.post("/v1/chat/completions", &asked);
    assert!(whole.contains("200 OK") && whole.contains("\"prompt_tokens\":100"), "{whole}");
    let passed = server.stand_in.last();
    assert_eq!((&passed["model"], &passed["temperature"], &passed["tools"]), (&"stand-in".into(), &0.3.into(), &tools));
    assert_eq!((&passed["messages"][0], &passed["messages"][3]), (&asked["messages"][0], &asked["messages"][3]));
    let beside = passed["messages"][1]["content"].as_str().unwrap();
    assert!(beside.contains("Busan") && beside.ends_with("\n\nWhere do I live?"), "{beside}");
    server.stand_in.behave(Behaviour::Musing);
    let streamed = serving.post(
        "/v1/chat/completions",
        &serde_json::json!({ "stream": true, "user": "minsu", "messages": [
        { "role": "user", "content": "I like tea" }] }),
    );
    assert!(streamed.contains("200 OK") && streamed.contains("[DONE]") && !streamed.contains("SECRET"), "{streamed}");
    let turns = home.done(&["--user", "minsu", "recall", "tea"]);
    assert!(turns.contains("tea"), "{turns}");
    server.stand_in.behave(Behaviour::Rambling);
    let endless = serving.post(
        "/v1/chat/completions",
        &serde_json::json!({ "stream": true, "user": "minsu", "messages": [
        { "role": "user", "content": "Tell me more" }] }),
    );
    assert!(endless.contains("\"finish_reason\":\"length\"") && endless.contains("[DONE]"), "{}", endless.len());
}

#[test]
fn what_a_client_wishes_of_an_answer_is_passed_on_in_the_model_s_own_words_or_refused() {
    for (provider, dialect, variable) in
        [("anthropic", Dialect::Anthropic, "ANTHROPIC_BASE_URL"), ("gemini", Dialect::Gemini, "GEMINI_BASE_URL")]
    {
        let (home, server) = (Home::english(), Server::begin(Behaviour::Well));
        let mut command = home.command(&["serve", "--addr", "127.0.0.1:0", "--json"]);
        command.env(variable, server.stand_in.base(dialect)).env("SAEGIM_MODEL", format!("reply={provider}/stand-in"));
        let serving = Serving::begin(command);
        let asked = |wishes: Value| {
            let mut asked =
                serde_json::json!({ "model": "saegim", "user": "minsu", "messages": [{ "role": "user", "content": "I like tea" }] });
            wishes.as_object().into_iter().flatten().for_each(|(name, value)| asked[name.as_str()] = value.clone());
            serving.post("/v1/chat/completions", &asked)
        };
        for stream in [false, true] {
            let wishes =
                serde_json::json!({ "temperature": 0.25, "top_p": 0.5, "stop": "END", "max_tokens": 60, "n": 1, "stream": stream });
            let answer = asked(wishes);
            assert!(answer.contains("200 OK") && answer.contains("tea"), "{provider}: {answer}");
            let passed = server.stand_in.last();
            let drawn = if provider == "gemini" {
                let config = &passed["generationConfig"];
                serde_json::json!([config["temperature"], config["topP"], config["stopSequences"], config["maxOutputTokens"]])
            } else {
                serde_json::json!([passed["temperature"], passed["top_p"], passed["stop_sequences"], passed["max_tokens"]])
            };
            assert_eq!(drawn, serde_json::json!([0.25, 0.5, ["END"], 60]), "{provider}, streaming: {stream}: {passed}");
        }
        let before = server.stand_in.requests();
        for (wish, field) in [
            (serde_json::json!({ "n": 2 }), "n"),
            (serde_json::json!({ "logprobs": true }), "logprobs"),
            (serde_json::json!({ "tools": [{ "type": "function", "function": { "name": "f" } }] }), "tools"),
            (serde_json::json!({ "response_format": { "type": "json_object" } }), "response_format"),
            (serde_json::json!({ "logit_bias": { "1": 5 } }), "logit_bias"),
            (serde_json::json!({ "reasoning_effort": "high" }), "reasoning_effort"),
            (serde_json::json!({ "temperature": 3 }), "temperature"),
            (
                serde_json::json!({ "messages": [{ "role": "user", "content": [{ "type": "image_url" }, { "type": "text", "text": "hi" }] }] }),
                "messages[0].content",
            ),
        ] {
            for stream in [false, true] {
                let mut wish = wish.clone();
                wish["stream"] = stream.into();
                let refused = asked(wish);
                assert!(
                    refused.contains("400 Bad Request") && refused.contains("\"invalid_request_error\""),
                    "{provider} {field}: {refused}"
                );
                assert!(refused.contains(&format!("\"param\":\"{field}\"")), "{provider} {field}: {refused}");
            }
        }
        for field in ["seed", "presence_penalty", "frequency_penalty"] {
            let answer = asked(serde_json::json!({ field: 1 }));
            let granted = answer.contains("200 OK");
            assert_eq!(granted, provider == "gemini", "{provider} {field}: {answer}");
            assert!(granted || answer.contains(&format!("\"param\":\"{field}\"")), "{provider} {field}: {answer}");
        }
        assert_eq!(server.stand_in.requests(), before + if provider == "gemini" { 3 } else { 0 }, "what is refused is not asked");
        // A parameter that only the model's server rejects is refused as well; rules never answer in place of the model.
        server.stand_in.behave(Behaviour::Headstrong);
        let refused = asked(serde_json::json!({ "temperature": 0.5 }));
        assert!(refused.contains("400 Bad Request") && refused.contains("\"error\""), "{provider}: {refused}");
        assert!(asked(serde_json::json!({})).contains("200 OK"));
    }
    // Rules do not sample, so sampling parameters are accepted and ignored.
    let home = Home::english();
    let serving = Serving::begin(home.command(&["serve", "--addr", "127.0.0.1:0", "--json"]));
    let asked = serde_json::json!({ "temperature": 0.5, "seed": 1, "max_tokens": 50, "stop": ["END"], "messages": [{ "role": "user", "content": "hi" }] });
    assert!(serving.post("/v1/chat/completions", &asked).contains("200 OK"));
    let two = serde_json::json!({ "n": 2, "messages": [{ "role": "user", "content": "hi" }] });
    assert!(serving.post("/v1/chat/completions", &two).contains("400 Bad Request"));
}

#[test]
fn a_fact_a_model_doubts_is_shown_with_the_words_against_it_and_ends_only_by_a_yes() {
    let analysis = r#"{"note":"","toward":[],"conflicts":[{"one":0,"other":1}],"outdated":[]}"#;
    for (home, said, shown, over) in [
        (
            Home::korean(),
            ["나는 고양이 알레르기가 있어", "나는 땅콩 알레르기가 있어"],
            [
                "더는 사실이 아닐 수 있는 내용",
                "- 알레르기: 고양이",
                "알레르기: 땅콩",
                "서로 모순된다고",
                "\"나는 땅콩 알레르기가 있어\"",
                "승인: saegim approve",
            ],
            "고양이",
        ),
        (
            Home::english(),
            ["I am allergic to cats", "I am allergic to peanuts"],
            [
                "fact that may have ended",
                "- allergy: cats",
                "allergy: peanuts",
                "contradict each other",
                "\"I am allergic to peanuts\"",
                "saegim approve",
            ],
            "cats",
        ),
    ] {
        let server = Server::begin(Behaviour::Analysing(analysis));
        let run = |arguments: &[&str]| {
            let said = Said::of(asking(&home, &server, arguments).env("SAEGIM_MODEL", "analyse=openai/stand-in").output().unwrap());
            assert_eq!(said.code, 0, "{arguments:?}: {} {}", said.data, said.words);
            said.data
        };
        for text in said {
            run(&["observe", "--user", text]);
        }
        run(&["tick"]);
        let before = run(&["facts"]);
        let proposals = run(&["proposals"]);
        for words in shown {
            assert!(proposals.contains(words), "no {words} in {proposals}");
        }
        assert!(before.contains(over), "{before}");
        let told: Value = serde_json::from_str(&run(&["proposals", "--json"])).unwrap();
        let proposal = &told["proposals"][0];
        assert_eq!((proposal["kind"].as_str(), proposal["made_by"].as_str()), (Some("fact_end"), Some("worker")));
        run(&["approve", proposal["id"].as_str().unwrap()]);
        assert!(!run(&["facts"]).contains(over) && run(&["facts", "--history"]).contains(over));
        run(&["undo", proposal["id"].as_str().unwrap()]);
        assert_eq!(run(&["facts"]).lines().count(), before.lines().count());
        let ledger = run(&["ledger"]);
        assert!(ledger.contains("analyse: openai/stand-in"), "{ledger}");
    }
}
