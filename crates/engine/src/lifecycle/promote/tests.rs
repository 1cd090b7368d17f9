use std::sync::Arc;

use saegim_core::{MindKey, Span};

use super::*;
use crate::{Config, Draft, Engine, SeededDice, SetClock};

/// A worker crashes after its promotion round but before its tick is recorded. The next worker repeats the step at a time
/// when more memories qualify.
#[tokio::test]
async fn a_step_that_raised_raises_nothing_more_when_it_is_walked_again() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(SetClock::at(Timestamp::parse("2026-01-01T09:00:00Z").unwrap()));
    let config = Config { clock: clock.clone(), dice: Arc::new(SeededDice::new(7)), ..Config::local(folder.path().join("mind.db")) };
    let mind = Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    let keep = async |texts: [&str; 3]| {
        for text in texts {
            mind.remember(Draft::text(text)).await.unwrap();
        }
    };
    keep(["동네 카페에서 라떼를 마셨어", "퇴근하고 동네 카페에 들렀어", "카페에서 라떼 마시면서 책을 읽었어"]).await;
    let monday = Timestamp::parse("2026-01-05T00:00:00Z").unwrap();
    // The clock is set to the step itself, so that memories created from here on also count for it.
    clock.set(monday);
    assert_eq!(mind.lifecycle().promote(Tier::M30, monday).await.unwrap(), 1);
    keep(["수영장에서 접영을 배웠어", "새벽에 수영장 다녀왔어", "수영장 물이 차가웠어"]).await;
    assert_eq!(mind.lifecycle().promote(Tier::M30, monday).await.unwrap(), 0, "the round of this Monday is done");
    let next = monday.plus(Span::days(7));
    clock.set(next);
    assert_eq!(mind.lifecycle().promote(Tier::M30, next).await.unwrap(), 1, "the next Monday has a round of its own");
    assert_eq!(mind.lifecycle().alive(Tier::M90).await.unwrap().len(), 2);
}
