//! Isolation between minds: one owner uses every read path many times while all other minds contain canary words, which
//! must never be returned.

use saegim_core::{Tier, Timestamp};
use saegim_engine::{Draft, Exchange, Imagining, NewMessage};

use super::Place;

/// Read requests of people and clients. `{own}` is the caller's mind, `{other}` one of another owner.
const READS: &str = include_str!("reads.txt");

/// Number of other minds.
const OTHERS: usize = 12;

/// Returns a word that exists only in the mind with this number.
fn canary(number: usize) -> String {
    format!("카나리아{}호", 70_000 + number * 37)
}

/// Creates a mind in which all data contains the word.
async fn fill(place: &Place, user: &str, word: &str) -> Vec<String> {
    let mind = place.mind(user, "luna").await;
    let mut ids = Vec::new();
    for text in ["{}와 강아지 모찌를 산책시켰다", "나는 {} 때문에 바다를 좋아한다", "{}에게 국수를 사 주었다"]
    {
        ids.push(mind.remember(Draft::text(text.replace("{}", word))).await.unwrap().memory.id.to_string());
    }
    let core = Draft { tier: Some(Tier::M0), ..Draft::text(format!("{word}를 입양했다")) };
    ids.push(mind.remember(core).await.unwrap().memory.id.to_string());
    let said = vec![NewMessage::user(format!("나는 {word} 근처에 살아")), NewMessage::assistant(format!("{word}이라니 반가워요"))];
    mind.observe(Exchange { said, ..Exchange::default() }).await.unwrap();
    mind.imagine(Imagining { trigger: None, context: Some(format!("{word} 소식")) }).await.unwrap();
    for proposal in mind.proposals(None).await.unwrap() {
        mind.approve(proposal.id, proposal.digest).await.unwrap();
    }
    ids
}

/// Returns the number of responses to check; set `SAEGIM_READS` for a longer run.
fn wanted() -> usize {
    std::env::var("SAEGIM_READS").ok().and_then(|count| count.parse().ok()).unwrap_or(2_000)
}

#[tokio::test]
async fn no_answer_holds_a_word_of_another_mind() {
    let place = Place::new().await;
    let own = fill(&place, "jiwoo", &canary(0)).await;
    let mut others = Vec::new();
    for number in 1..=OTHERS {
        others.push(fill(&place, &format!("user{number}"), &canary(number)).await);
    }
    let reads: Vec<(&str, &str, &str)> = READS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let (asked, body) = line.split_once('|').unwrap_or((line, ""));
            let (method, path) = asked.trim().split_once(' ').unwrap();
            (method, path.trim(), body.trim())
        })
        .collect();
    let (mut answers, mut with_own, mut round) = (0, 0, 0);
    while answers < wanted() {
        let number = 1 + round % OTHERS;
        for (method, path, body) in &reads {
            let fill = |text: &str| {
                text.replace("{own}", &own[round % own.len()])
                    .replace("{other}", &others[number - 1][round % 4])
                    .replace("{user}", &format!("user{number}"))
                    .replace("{word}", &canary(number))
                    .replace("{since}", &Timestamp::from_millis(0).to_string())
            };
            let (path, body) = (fill(path), fill(body));
            let answered = place.ask("stranger", (method, &path, &body)).await;
            assert!(!answered.status.is_server_error(), "{method} {path}: {}", answered.text);
            // A response may repeat the words of the request, but no others.
            for other in (1..=OTHERS).filter(|other| *other != number || !body.contains(&canary(number))) {
                assert!(!answered.text.contains(&canary(other)), "{method} {path} {body}: {}", answered.text);
            }
            with_own += usize::from(answered.text.contains(&canary(0)));
            answers += 1;
        }
        round += 1;
    }
    assert!(with_own * 4 > answers, "the answers do hold what is one's own: {with_own} of {answers}");
}
