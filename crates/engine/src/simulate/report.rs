//! What a simulated life came to.

use std::collections::BTreeMap;

use saegim_core::{Fact, IntimacyLevel, Timestamp};
use serde::Serialize;

use super::diary::{Kept, Lost, Sample, Tally};
use super::play::Failure;
use super::stage::Stage;
use crate::EngineError;

/// What a simulated life came to: the same for the same seed, to the byte.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// When it began.
    pub start: Timestamp,
    /// When it ended.
    pub end: Timestamp,
    /// Where its days begin.
    #[serde(skip)]
    pub time_zone: jiff::tz::TimeZone,
    /// How many days it took.
    pub days: i64,
    /// What chance began from; nothing for a story, in which nothing is left to chance.
    pub seed: Option<u64>,
    /// What was counted.
    pub tally: Tally,
    /// How full tiers and zones were, day by day.
    pub samples: Vec<Sample>,
    /// Facts about the user that hold at the end.
    pub facts: BTreeMap<String, Vec<String>>,
    /// Facts that held once.
    pub past_facts: usize,
    /// How near the two have come.
    pub level: IntimacyLevel,
    /// Examples of what is still there, the longest tiers first.
    pub kept: Vec<Kept>,
    /// Examples of what was lost.
    pub lost: Vec<Lost>,
    /// What did not come as a story expected.
    pub failures: Vec<Failure>,
}

impl Report {
    /// The report of a life as it stands on its stage.
    pub(crate) async fn of(stage: &Stage, seed: Option<u64>, failures: Vec<Failure>) -> Result<Self, EngineError> {
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

    /// How full tiers and zones are at the end.
    pub fn last(&self) -> Option<&Sample> {
        self.samples.last()
    }
}
