//! Keyword search among thousands of memories, and arbitrary queries.

use std::fmt::Write;

use serde_json::json;

use crate::home::{Home, lines};

/// Parts of the 5,000 filler sentences; none contains a word that is searched for.
const WHEN: [&str; 10] = ["어제", "오늘", "지난주", "아침에", "저녁마다", "봄에", "주말이면", "가끔", "요즘", "방금"];
const WHO: [&str; 10] = ["친구와", "동생이", "엄마랑", "혼자", "선배가", "이웃이", "고양이와", "아이들과", "옆집에서", "공원에서"];
const WHAT: [&str; 10] = ["산책을", "영화를", "노래를", "수영을", "운동을", "요리를", "그림을", "게임을", "청소를", "여행을"];
const DONE: [&str; 5] = ["했다", "좋아한다", "시작했다", "미뤘다", "이야기했다"];

#[test]
fn korean_words_are_found_with_their_particles_among_five_thousand() {
    let home = Home::korean();
    let told = [
        ("커피", "아침마다 커피를 두 잔 마신다"),
        ("회사", "회사에서 늦게까지 일했다"),
        ("생일", "다음 주에 누나 생일이 있다"),
        ("puppy", "I adopted a puppy called Mochi"),
    ];
    for (_, text) in told {
        home.done(&["remember", text]);
    }
    let bundle = home.path("told.jsonl");
    home.done(&["export", "bundle", &bundle.display().to_string()]);
    let written = lines(&bundle);
    let mut line = written.iter().find(|line| line["type"] == "memory").unwrap().clone();
    let mut others = format!("{}\n", written[0]);
    for number in 0..5000 {
        line["id"] = json!(format!("019b76da-a800-7ada-bc4d-{number:012x}"));
        line["content"] =
            json!(format!("{} {} {} {}", WHEN[number % 10], WHO[number / 10 % 10], WHAT[number / 100 % 10], DONE[number / 1000]));
        writeln!(others, "{line}").unwrap();
    }
    let path = home.write("others.jsonl", others);
    let report = home.json(&["import", "bundle", &path.display().to_string()]);
    assert_eq!((&report["imported"], &report["known"]), (&json!(5000), &json!(0)));
    for (word, text) in told {
        let answer = home.json(&["recall", word]);
        assert_eq!((&answer["results"][0]["content"], &answer["degraded"]), (&json!(text), &json!(null)), "{word}");
    }
}

#[test]
fn no_question_is_an_error() {
    let home = Home::english();
    home.keep("커피 AND NEAR(밥) \"quoted\" * ^ : - ( ) { } '", &[]);
    let long = "가나다라마바사 ".repeat(3000);
    let one_word = "x".repeat(100_000);
    for question in [
        "",
        " ",
        "\n\t",
        "\"",
        "'",
        "\"\"",
        "*",
        "커피*",
        "*커피",
        "AND",
        "OR NOT",
        "NEAR(",
        "NEAR(커피 밥, 3)",
        "a:b",
        "terms:커피",
        "^커피",
        "-커피",
        "--limit",
        "(",
        ")",
        "{}",
        "[]",
        "\\",
        "%",
        "_",
        "'; DROP TABLE memory;--",
        "?1",
        ":mind",
        "@x",
        "$x",
        "\u{1}",
        "\u{E000}",
        "1\u{E000}커피",
        "💥",
        "👨\u{200D}👩\u{200D}👧",
        "नमस्ते",
        "ﷺ",
        "ㅋㅋㅋ",
        "ㄱ",
        "\u{1112}\u{1161}\u{11ab}",
        "e\u{301}",
        "\u{202E}커피",
        "\u{FEFF}",
        &long,
        &one_word,
    ] {
        let said = home.run(&["recall", "--json", "--", question]);
        let start: String = question.chars().take(40).collect();
        assert_eq!((said.code, said.words.as_str()), (0, ""), "{start:?}");
    }
    assert_eq!(home.recall("near").len(), 1);
}
