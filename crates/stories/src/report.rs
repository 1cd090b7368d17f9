//! The result of a simulation.

use std::collections::BTreeMap;

use saegim_core::{Fact, IntimacyLevel, Timestamp};
use serde::Serialize;

use super::diary::{LostMemory, RemainingMemory, Sample, SimulationCounts};
use super::play::StoryFailure;
use super::stage::Stage;
use saegim_engine::EngineError;

/// Result of a simulation; identical for the same seed, byte by byte.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulationReport {
    /// Start time.
    pub start: Timestamp,
    /// End time.
    pub end: Timestamp,
    /// Time zone of the simulated days.
    #[serde(skip)]
    pub time_zone: jiff::tz::TimeZone,
    /// Number of days.
    pub days: i64,
    /// Random seed; `None` for a story, which is deterministic.
    pub seed: Option<u64>,
    /// Counts.
    pub tally: SimulationCounts,
    /// Occupancy of tiers and zones by day.
    pub samples: Vec<Sample>,
    /// Current facts about the user at the end.
    pub facts: BTreeMap<String, Vec<String>>,
    /// Number of facts that are no longer valid.
    pub past_facts: usize,
    /// Intimacy level at the end.
    pub level: IntimacyLevel,
    /// Examples of remaining memories, longest tiers first.
    pub kept: Vec<RemainingMemory>,
    /// Examples of lost memories.
    pub lost: Vec<LostMemory>,
    /// Failures of the story.
    pub failures: Vec<StoryFailure>,
}

impl SimulationReport {
    /// Creates the report of a stage.
    pub(crate) async fn of(stage: &Stage, seed: Option<u64>, failures: Vec<StoryFailure>) -> Result<Self, EngineError> {
        let known = stage.mind.facts().await?;
        let mut facts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for fact in known.current() {
            facts.entry(fact.subject.clone()).or_default().push(fact.value.clone());
        }
        facts.values_mut().for_each(|values| values.sort());
        let (diary, alive) = (&stage.diary, stage.alive().await?);
        Ok(Self {
            start: stage.start,
            end: stage.now,
            time_zone: stage.time_zone().clone(),
            days: diary.samples.last().map_or(0, |sample| sample.day + 1),
            seed,
            tally: diary.tally.clone(),
            samples: diary.samples.clone(),
            past_facts: known.all().iter().filter(|fact: &&Fact| !fact.is_current()).count(),
            facts,
            level: stage.mind.standing(0).await?.relationship.level(),
            kept: diary.kept(&alive, stage.now),
            lost: diary.lost(&alive),
            failures,
        })
    }

    /// Returns the occupancy of tiers and zones at the end.
    pub fn last(&self) -> Option<&Sample> {
        self.samples.last()
    }
}
