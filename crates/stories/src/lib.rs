//! Simulates months or years in seconds: the real rules on a controlled clock, with a report at the end.
//!
//! A [`Story`] lists actions and expectations by day; a seeded life generates a plausible person. Both run on a temporary file
//! through the public API of the engine and end in a [`SimulationReport`].

/// Executes the actions of a story.
mod act;
/// Readings and vectors computed in advance.
mod ahead;
/// Draws a report as SVG.
mod chart;
/// Checks the expectations of a story.
mod check;
/// The actions of a story.
mod deed;
/// Statistics collected during a simulation.
mod diary;
/// The expectations of a story.
mod expectation;
/// A generated person.
mod life;
/// Runs a story.
mod play;
/// The result of a simulation.
mod report;
/// A temporary mind on a controlled clock.
mod stage;
/// The story language.
mod story;
/// A report as text.
mod text;
/// Tokens of a line.
mod words;

use std::path::Path;

pub use diary::{FactTally, LostMemory, RemainingMemory, Sample, SimulationCounts};
pub use life::Life;
pub use play::StoryFailure;
pub use report::SimulationReport;
pub use stage::Setting;
pub use story::Story;

use saegim_engine::EngineError;

/// What to simulate.
pub enum Script {
    /// A story.
    Story(Box<Story>),
    /// A generated person.
    Life(Life),
}

/// A finished simulation with its mind.
pub struct Lived {
    /// Result.
    pub report: SimulationReport,
    stage: stage::Stage,
}

impl Lived {
    /// Saves the mind to a file; otherwise it is deleted with this value.
    pub async fn keep(&self, file: &Path) -> Result<(), EngineError> {
        self.stage.keep(file).await
    }
}

/// Runs a script. Calls `progress` at the start of each day.
pub async fn live(script: &Script, setting: &Setting, progress: &dyn Fn(i64)) -> Result<Lived, EngineError> {
    let (report, stage) = match script {
        Script::Story(story) => play::play(story, setting, progress).await?,
        Script::Life(life) => life::live(life, setting, progress).await?,
    };
    Ok(Lived { report, stage })
}
