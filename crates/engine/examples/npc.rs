//! A game character that lives by the clock of the story: `cargo run -p saegim-engine --example npc`.
//!
//! The game sets the time. Two months pass in an instant: what mattered stays, the rest moves to the cliff.

use std::sync::Arc;

use saegim_core::Timestamp;
use saegim_engine::{Config, Draft, Engine, MindKey, Query, SetClock};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let story = Arc::new(SetClock::at(Timestamp::parse("1402-03-01T08:00:00Z")?));
    let config = Config { clock: story.clone(), ..Config::local(folder.path().join("save-1.db")) };
    let engine = Engine::open(config).await?;
    let smith = engine.mind(MindKey::in_work("player", "smith", "the-old-kingdom")?).await?;
    smith.remember(Draft { pinned: true, ..Draft::text("The player saved my daughter from the fire.") }).await?;
    smith.remember(Draft::text("The player bought three horseshoes.")).await?;

    story.set(Timestamp::parse("1402-05-01T08:00:00Z")?);
    let due = smith.tick().await?;
    println!("two months later, {} memory is on the cliff", due.expired);
    for found in smith.recall(Query::text("what did the player do for my family?")).await?.results {
        println!("{:.2}  {}", found.score.total(), found.memory.content);
    }
    Ok(())
}
