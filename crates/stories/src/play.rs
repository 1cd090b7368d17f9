//! Runs a story on a stage: executes every step at its time and collects the failures.

use saegim_core::{Phrase, phrase};
use serde::Serialize;

use super::check::StableState;
use super::deed::StoryAction;
use super::expectation::Expectation;
use super::report::SimulationReport;
use super::stage::{Setting, Stage};
use super::story::{Act, Story, StoryStep};
use saegim_engine::{Durability, EngineError};

/// An expectation that does not hold, or an action that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoryFailure {
    /// Line of the story.
    pub line: usize,
    /// Day of the step.
    pub day: i64,
    /// Text of the step.
    pub expected: String,
    /// Actual state or error.
    pub found: Phrase,
}

impl StoryFailure {
    /// Describes the failure for the user.
    pub fn phrase(&self) -> Phrase {
        let Self { line, day, expected, found } = self;
        phrase!("engine.play.failure", line, day, expected, found)
    }
}

/// Whether the program really stops where a story says `sleep`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sleep {
    Sound,
    Never,
}

/// Runs a story and returns the report. Calls `progress` with the day of each step.
pub(crate) async fn play(story: &Story, setting: &Setting, progress: &dyn Fn(i64)) -> Result<(SimulationReport, Stage), EngineError> {
    let mut stage = on_stage(story, setting).await?;
    let mut failures = Vec::new();
    for (place, step) in story.steps.iter().enumerate() {
        progress(step.day);
        if let Some(found) = take(&mut stage, step, story, Sleep::Sound).await {
            failures.push(StoryFailure { line: step.line, day: step.day, expected: step.said.clone(), found });
        }
        if step.act == Act::Expect(Expectation::AsAwake) {
            let found = awake(story, place, setting, &stage).await?;
            failures.extend(found.map(|found| StoryFailure { line: step.line, day: step.day, expected: step.said.clone(), found }));
        }
    }
    stage.close().await?;
    let report = SimulationReport::of(&stage, None, failures).await?;
    Ok((report, stage))
}

async fn on_stage(story: &Story, setting: &Setting) -> Result<Stage, EngineError> {
    let mut setting = setting.clone();
    setting.config.policy = story.policy.clone();
    setting.config.time_zone = story.time_zone.clone();
    let first = story.steps.first().map_or(story.start, |step| story.moment(step.day, step.minute));
    // A story may inspect the bytes of its file or restart on it, so every commit must be written immediately.
    Stage::new(&setting, story.start.min(first), Durability::Throwaway).await
}

/// Executes one step. Returns the actual state or the error if it fails.
async fn take(stage: &mut Stage, step: &StoryStep, story: &Story, sleep: Sleep) -> Option<Phrase> {
    let done = async {
        stage.advance(story.moment(step.day, step.minute)).await?;
        match &step.act {
            Act::Do(StoryAction::Sleep(_)) if sleep == Sleep::Never => Ok(None),
            Act::Do(deed) => stage.act(deed, step.round, story).await.map(|()| None),
            Act::Expect(expected) => stage.check(expected, story).await,
        }
    };
    done.await.unwrap_or_else(|error: EngineError| Some(error.phrase()))
}

/// Compares the living memories with those of a simulation without downtime. Returns the differences, if there are any.
async fn awake(story: &Story, place: usize, setting: &Setting, asleep: &Stage) -> Result<Option<Phrase>, EngineError> {
    let mut stage = on_stage(story, setting).await?;
    for step in story.steps[..=place].iter().filter(|step| matches!(step.act, Act::Do(_))) {
        take(&mut stage, step, story, Sleep::Never).await;
    }
    stage.advance(asleep.now).await?;
    let (here, there) = (asleep.state().await?, stage.state().await?);
    if here == there {
        return Ok(None);
    }
    let only = |some: &[StableState], others: &[StableState]| {
        format!("{:?}", some.iter().filter(|item| !others.contains(item)).collect::<Vec<_>>())
    };
    let (more, less) = (only(&here, &there), only(&there, &here));
    Ok(Some(phrase!("engine.play.changed_by_pause", more, less)))
}
