//! A seeded life: a plausible person who was made up, talking day after day. Everything they say goes the way everything
//! said goes; now and then the owner looks after the mind by hand, too.

mod bank;
mod chance;
mod day;
mod person;

use saegim_core::{CandidateVerdict, Language, MemoryId, Span, Tier, Timestamp};

use self::bank::Bank;
use self::chance::Chance;
use self::day::{Day, Fate, Planned};
use self::person::Person;
use super::report::Report;
use super::stage::{Setting, Stage};
use crate::{Core, Edit, EngineError, Exchange, Filter, Page, Query, Said};

/// How important something on the cliff has to be for the owner to reach for it.
const WORTH_SAVING: f32 = 0.5;

/// A life to be made up.
#[derive(Clone, Debug, PartialEq)]
pub struct Life {
    /// When it begins.
    pub start: Timestamp,
    /// How many days it takes.
    pub days: i64,
    /// How many messages are said a day, answers included.
    pub turns_per_day: usize,
    /// What language it is lived in.
    pub language: Language,
}

/// Someone living on a stage.
struct Living {
    stage: Stage,
    bank: Bank,
    person: Person,
    chance: Chance,
}

/// Lives a life and reports; `progress` is told the day.
pub(crate) async fn live(life: &Life, setting: &Setting, progress: &dyn Fn(i64)) -> Result<(Report, Stage), EngineError> {
    let zone = &setting.config.time_zone;
    let (bank, mut chance) = (Bank::of(life.language), Chance::new(setting.seed));
    let person = Person::born(&bank, &mut chance);
    let stage = Stage::new(setting, life.start).await?;
    let mut living = Living { stage, bank, person, chance };
    let mut fate = Fate::default();
    let mut midnight = life.start.midnight(zone);
    for number in 0..life.days {
        progress(number);
        let day = Day { number, date: midnight.civil(zone).date(), exchanges: life.turns_per_day.div_ceil(2) };
        let planned = fate.plan(day, &living.bank, &mut living.person, &mut living.chance);
        for planned in planned {
            let at = midnight.plus(Span::seconds(planned.second));
            living.stage.advance(at.max(life.start)).await?;
            living.say(&planned).await?;
        }
        living.look_in(number).await?;
        // Some days have 23 hours and some 25; the middle of the next one is always within 36.
        midnight = midnight.plus(Span::hours(36)).midnight(zone);
        living.stage.advance(midnight).await?;
    }
    let stage = living.stage;
    let report = Report::of(&stage, Some(setting.seed), Vec::new()).await?;
    Ok((report, stage))
}

impl Living {
    /// Says what was planned, and answers.
    async fn say(&mut self, planned: &Planned) -> Result<(), EngineError> {
        let mut filling = self.person.filling(&mut self.chance);
        let lines = self.bank.lines(planned.topic);
        let line = match planned.line {
            Some(line) => lines.get(line),
            None => self.chance.one_of(lines),
        };
        let said = self.bank.filled(line.map_or("", String::as_str), &mut filling, &mut self.chance);
        let mut injected = Vec::new();
        let answers = if planned.topic == "ask" {
            let found = self.stage.mind.recall(Query { limit: 3, ..Query::text(&said) }).await?.results.into_iter().next();
            let recalled = found.map(|found| {
                filling.put("memory", found.memory.content.clone());
                injected.push(found.memory.id);
            });
            if recalled.is_some() { "recalled".to_owned() } else { "forgotten".to_owned() }
        } else {
            format!("{} answers", planned.topic)
        };
        let answer = self.chance.one_of(self.bank.lines(&answers)).cloned().unwrap_or_default();
        let answer = self.bank.filled(&answer, &mut filling, &mut self.chance);
        let said = vec![Said::user(said), Said { injected, ..Said::assistant(answer) }];
        let observed = self.stage.mind.observe(Exchange { said, ..Exchange::default() }).await?;
        self.stage.diary.observed(&observed);
        if planned.topic == "boundary" {
            let stored = |candidate: &&saegim_core::Candidate| candidate.verdict == CandidateVerdict::Stored;
            for memory in observed.candidates.iter().filter(stored).filter_map(|candidate| candidate.memory) {
                self.stage.mind.changed_behaviour(memory).await?;
            }
        }
        Ok(())
    }

    /// The owner looks in: saves something from the cliff once a week, tidies up, and lets something become core.
    async fn look_in(&mut self, day: i64) -> Result<(), EngineError> {
        if day % 7 == 6 && self.chance.happens(0.6) {
            let cliff = self.stage.mind.cliff().await?;
            let best = cliff
                .iter()
                .max_by(|a, b| a.memory.importance.get().total_cmp(&b.memory.importance.get()).then(b.memory.id.cmp(&a.memory.id)));
            if let Some(fallen) = best.filter(|fallen| fallen.memory.importance.get() >= WORTH_SAVING) {
                self.stage.mind.restore(fallen.memory.id).await?;
            }
        }
        if day % 20 == 19 {
            let mind = &self.stage.mind;
            let young = mind.list(&Filter { tier: Some(Tier::M30), ..Filter::default() }, Page { limit: 20, before: None }).await?;
            if let Some(memory) = self.chance.one_of(&young) {
                mind.forget(memory.id, Core::Kept).await?;
            }
        }
        if day % 120 == 119 {
            if let Some(memory) = self.dearest().await? {
                self.stage.mind.edit(memory, Edit { tier: Some(Tier::M0), ..Edit::default() }).await?;
            }
        }
        Ok(())
    }

    /// The memory of a year that came to mind most often.
    async fn dearest(&self) -> Result<Option<MemoryId>, EngineError> {
        let of_year =
            self.stage.mind.list(&Filter { tier: Some(Tier::M365), ..Filter::default() }, Page { limit: 1000, before: None }).await?;
        Ok(of_year.iter().max_by_key(|memory| (memory.recalls, memory.mentions, std::cmp::Reverse(memory.id))).map(|memory| memory.id))
    }
}
