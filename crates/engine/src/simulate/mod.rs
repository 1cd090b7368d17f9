//! Months and years in seconds: a life lived by the real rules on a clock that is driven, and what came of it.
//!
//! A [`Story`] says what happens on which day and what is expected then; a seeded life makes up a plausible person. Both
//! are played on a throwaway file through the same doors everyone else uses, and end in a [`Report`].

/// Doing what a story says.
mod act;
/// Vectors made ahead of time.
mod ahead;
/// A report drawn.
mod chart;
/// Checking what a story expects.
mod check;
/// What can be done in a story.
mod deed;
/// What is written down on the way.
mod diary;
/// What can be expected in a story.
mod expectation;
/// A person who was made up.
mod life;
/// Playing a story.
mod play;
/// What a life came to.
mod report;
/// A throwaway mind on a clock that is driven.
mod stage;
/// The language of stories.
mod story;
/// A report in words.
mod text;
/// The words of a line.
mod words;

use std::path::Path;

pub use diary::{FactTally, Kept, Lost, Sample, Tally};
pub use life::Life;
pub use play::Failure;
pub use report::Report;
pub use stage::Setting;
pub use story::Story;

use crate::EngineError;

/// A life to be lived.
pub enum Script {
    /// What a story says.
    Story(Box<Story>),
    /// A person who is made up.
    Life(Life),
}

/// A life that was lived, with the mind it left.
pub struct Lived {
    /// What came of it.
    pub report: Report,
    stage: stage::Stage,
}

impl Lived {
    /// Keeps the mind in a file of its own; otherwise it goes with this value.
    pub async fn keep(&self, file: &Path) -> Result<(), EngineError> {
        self.stage.keep(file).await
    }
}

/// Lives through a script; `progress` is told each day that begins.
pub async fn live(script: &Script, setting: &Setting, progress: &dyn Fn(i64)) -> Result<Lived, EngineError> {
    let (report, stage) = match script {
        Script::Story(story) => play::play(story, setting, progress).await?,
        Script::Life(life) => life::live(life, setting, progress).await?,
    };
    Ok(Lived { report, stage })
}
