//! Keyword search: Korean words with every particle among thousands of memories, and queries of arbitrary characters.

use std::sync::Arc;

use saegim_core::{MemoryId, Timestamp, cut};
use saegim_engine::{Config, Depth, Dice, Draft, Engine, MindHandle, MindKey, Query, SeededDice, SetClock};

const FIRST: &str = "가강고공국금기남대동문미민백보산상서선성수시신안양";
const SECOND: &str = "구군당도력명무물방복사석실심원월장점주화";
const PARTICLES: [&str; 24] = [
    "", "은", "는", "이", "가", "을", "를", "에", "의", "도", "만", "와", "과", "로", "에서", "부터", "까지", "보다", "처럼", "이랑",
    "에게", "한테", "마다", "에는",
];

/// Five hundred two-syllable words, some of which end like a particle.
fn words() -> Vec<String> {
    FIRST.chars().flat_map(|first| SECOND.chars().map(move |second| format!("{first}{second}"))).collect()
}

async fn mind(folder: &tempfile::TempDir, change: impl FnOnce(&mut Config)) -> MindHandle {
    let mut config = Config::local(folder.path().join("mind.db"));
    config.clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-01T09:00:00Z").unwrap()));
    config.dice = Arc::new(SeededDice::new(7));
    change(&mut config);
    Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
}

/// Remembers texts in concurrent batches.
async fn keep(mind: &MindHandle, texts: Vec<String>) -> Vec<MemoryId> {
    let mut ids = Vec::new();
    for batch in texts.chunks(64) {
        let spawn = |text: &String| {
            let (mind, draft) = (mind.clone(), Draft::text(text));
            tokio::spawn(async move { mind.remember(draft).await.unwrap().memory.id })
        };
        for task in batch.iter().map(spawn).collect::<Vec<_>>() {
            ids.push(task.await.unwrap());
        }
    }
    ids
}

#[test]
fn a_word_and_the_same_word_with_any_particle_share_a_term() {
    for word in words() {
        let bare = cut(&word);
        for particle in PARTICLES {
            let with = cut(&format!("{word}{particle}"));
            assert!(with.words.iter().any(|term| bare.words.contains(term)), "{word}{particle}");
            assert!(with.letters.contains(&word), "{word}{particle}");
        }
    }
}

#[tokio::test]
async fn five_hundred_words_with_any_particle_are_found_among_five_thousand_memories() {
    let folder = tempfile::tempdir().unwrap();
    // Keyword search only: vectors would hide misses.
    let mind = mind(&folder, |config| config.embedder = None).await;
    let who = ["나는", "엄마가", "친구랑", "누나는", "동네 형이", "이모가", "선배는", "우리 팀은", "옆집 아이가", "할아버지는"];
    let what = ["빵을", "라면을", "노래를", "그림을", "편지를", "전화를", "자전거를", "우산을", "꽃을", "영화를"];
    let how = ["천천히", "급하게", "몰래", "즐겁게", "혼자", "다 같이", "밤늦게", "일찍", "겨우", "억지로"];
    let did = ["골랐다", "잊었다", "찾았다", "끝냈다", "미뤘다"];
    let mut others = Vec::new();
    for who in who {
        for what in what {
            others.extend(how.iter().flat_map(|how| did.iter().map(move |did| format!("{who} {what} {how} {did}"))));
        }
    }
    assert_eq!(others.len(), 5000);
    keep(&mind, others).await;
    let words = words();
    assert_eq!(words.len(), 500);
    let texts = words.iter().enumerate().map(|(at, word)| format!("그날 {word}{} 떠올렸던 일", PARTICLES[at % PARTICLES.len()]));
    let ids = keep(&mind, texts.collect()).await;
    for (at, (word, id)) in words.iter().zip(ids).enumerate() {
        // Query the bare word, and the word with a particle other than the stored one.
        for question in [word.clone(), format!("{word}{}", PARTICLES[(at * 7 + 5) % PARTICLES.len()])] {
            let recalled = mind.recall(Query::text(&question)).await.unwrap();
            assert!(recalled.results.iter().any(|found| found.memory.id == id), "{question}");
        }
    }
}

/// Random string over many Unicode ranges.
fn strange(dice: &SeededDice) -> String {
    const RANGES: [(u32, u32); 12] = [
        (0, 0x7F),
        (0x20, 0x2F),
        (0x80, 0x24F),
        (0x300, 0x36F),
        (0x590, 0x6FF),
        (0x1100, 0x11FF),
        (0x2000, 0x206F),
        (0x3040, 0x9FFF),
        (0xAC00, 0xD7A3),
        (0xE000, 0xFFFF),
        (0x1F300, 0x1FAFF),
        (0, 0x10FFFF),
    ];
    let roll = dice.roll();
    let number = |at: usize| u32::from_le_bytes([roll[at % 32], roll[(at + 1) % 32], roll[(at + 5) % 32], roll[(at + 11) % 32]]);
    (0..roll[0] as usize % 40)
        .filter_map(|at| {
            let (low, high) = RANGES[number(at) as usize % RANGES.len()];
            char::from_u32(low + number(at + 3).wrapping_mul(at as u32 + 1) % (high - low + 1))
        })
        .collect()
}

#[tokio::test]
async fn no_question_of_any_characters_is_an_error() {
    let dice = SeededDice::new(42);
    let mut questions: Vec<String> = (0..400).map(|_| strange(&dice)).collect();
    let long = ["가".repeat(50_000), "a ".repeat(20_000), "\u{301}".repeat(5_000), "9,".repeat(3_000)];
    questions.extend(long);
    let nasty = [
        "",
        " ",
        "\0",
        "\u{FEFF}",
        "\"",
        "'",
        "\"\"\"",
        "* AND OR NOT NEAR",
        "NEAR(a b, 5)",
        "content:강아지",
        "a^2",
        "-강아지",
        "(",
        ")",
        "{}",
        "%_%",
        "'; DROP TABLE memory; --",
        "강아지\u{0}고양이",
        "\u{202E}tac",
        "👩‍👩‍👧‍👦",
        "ㅋㅋㅋㅋ",
        "ㄱ",
        "\u{1100}\u{1161}",
        "2026-99-99",
        "99월 99일",
        "in 99999",
        "99999999999999999999 years ago",
        "what",
        "what what what",
        "뭐",
        "[",
        "[[",
        "]",
        "?",
        "???",
    ];
    questions.extend(nasty.map(String::from));
    for index_at_once in [0, 30_000] {
        let folder = tempfile::tempdir().unwrap();
        let mind = mind(&folder, |config| config.policy.recall.index_at_once = index_at_once).await;
        let texts =
            ["강아지 모찌를 입양했어", "I drink coffee", "犬と散歩", "'; DROP TABLE memory; --", "👍", "a.b*c(d)", "[photo: a cat]"];
        keep(&mind, texts.map(String::from).to_vec()).await;
        for question in &questions {
            for depth in [Depth::Fitting, Depth::Everything] {
                let recalled = mind.recall(Query { depth, ..Query::text(question) }).await;
                let recalled = recalled.unwrap_or_else(|error| panic!("{question:?}: {error}"));
                assert!(recalled.results.iter().all(|found| found.score.total().is_finite()), "{question:?}");
            }
        }
    }
}
