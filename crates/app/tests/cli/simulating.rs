//! The `simulate` command: generated lives and stories.

use crate::home::Home;

const STORY: &str = "day 0: remember \"우산을 잃어버렸다\" as umbrella\nday 30: expect umbrella on cliff because expired\n";

#[test]
fn a_life_is_reported_drawn_and_kept_and_leaves_ones_own_mind_alone() {
    for home in Home::both() {
        let (chart, kept) = (home.name("life.svg"), home.name("life.db"));
        let said = home.run(&["simulate", "--days", "8", "--turns-per-day", "20", "--seed", "3", "--chart", &chart, "--keep", &kept]);
        assert_eq!(said.code, 0, "{}", said.words);
        let (days, took) =
            if home.is_korean() { ("8일, 2026-01-01부터", "초 걸렸어요") } else { ("8 days, 2026-01-01 to", "seconds") };
        assert!(said.data.starts_with(days) && said.words.contains(took), "{}{}", said.data, said.words);
        let drawn = std::fs::read_to_string(&chart).unwrap();
        assert!(drawn.contains(if home.is_korean() { "절벽" } else { "cliff" }), "{drawn}");
        let facts = home.run(&["--db", &kept, "facts"]);
        assert!(facts.code == 0 && !facts.data.is_empty(), "{}", facts.words);
        assert!(!home.path("mind.db").exists(), "the mind of its owner was not touched");
        let again = home.run(&["simulate", "--days", "2", "--keep", &kept]);
        assert!(again.code == 1 && again.words.contains("life.db"), "nothing is written over: {}", again.words);
    }
}

#[test]
fn the_same_seed_prints_the_same() {
    let home = Home::english();
    let life =
        |seed: &str| home.run(&["simulate", "--days", "6", "--turns-per-day", "16", "--language", "ko", "--seed", seed, "--json"]).data;
    assert_eq!(life("1"), life("1"));
    assert_ne!(life("1"), life("2"));
    let report: serde_json::Value = serde_json::from_str(&life("1")).unwrap();
    assert_eq!((&report["days"], &report["tally"]["turns"], &report["seed"]), (&6.into(), &96.into(), &1.into()));
    assert_eq!(report["samples"].as_array().unwrap().len(), 6);
}

#[test]
fn a_story_that_comes_otherwise_fails_and_one_that_cannot_be_read_says_how() {
    for home in Home::both() {
        let story = home.write("umbrella.story", STORY).display().to_string();
        assert_eq!(home.run(&["simulate", "--story", &story]).code, 0);
        home.write("umbrella.story", format!("{STORY}day 31: expect umbrella gone\n"));
        let failed = home.run(&["simulate", "--story", &story]);
        let line = if home.is_korean() {
            "3번째 줄(31일째): expect umbrella gone — 실제로는: 절벽"
        } else {
            "line 3 (day 31): expect umbrella gone; found: on the cliff"
        };
        assert!(failed.code == 1 && failed.data.contains(line), "{}", failed.data);
        home.write("umbrella.story", "day 0: remembr \"x\"\n");
        let wrong = home.run(&["simulate", "--story", &story]);
        let line = if home.is_korean() {
            "1번째 줄: `remembr`는 알 수 없는 단계예요"
        } else {
            "line 1: `remembr` is not a step; start with one of: user"
        };
        assert!(wrong.code != 0 && wrong.words.contains(line) && wrong.words.contains("umbrella.story"), "{}", wrong.words);
        assert_eq!(home.run(&["simulate", "--story", &story, "--days", "3"]).code, 2);
        home.write("umbrella.story", "# 아직 아무것도\n");
        assert!(home.refused(1, &["simulate", "--story", &story]).contains(if home.is_korean() {
            "단계가 없어요"
        } else {
            "no steps"
        }));
        let drawn = home.refused(2, &["simulate", "--days", "2", "--chart", &home.name("life.png")]);
        assert!(drawn.contains("life.svg") && !home.path("life.png").exists(), "{drawn}");
    }
}
