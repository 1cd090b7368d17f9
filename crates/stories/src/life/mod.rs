//! A seeded life: a generated person who talks every day. All messages go through the normal ingestion; now and then the owner
//! also edits the mind directly.

mod bank;
mod chance;
mod day;
mod person;

use saegim_core::{CandidateVerdict, Language, MemoryId, Role, Span, Tier, Timestamp};

use self::bank::Bank;
use self::chance::Chance;
use self::day::{Day, Planned, PlannedEvents};
use self::person::Person;
use super::ahead::{Ahead, Coming};
use super::report::SimulationReport;
use super::stage::{Setting, Stage};
use saegim_engine::{Core, Durability, Edit, EngineError, Exchange, Filter, NewMessage, Page, Query};

/// Placeholder for a memory in an answer.
const MEMORY: &str = "{memory}";

/// Minimum importance of a memory on the cliff that the owner restores.
const WORTH_SAVING: f32 = 0.5;

/// Parameters of a generated life.
#[derive(Clone, Debug, PartialEq)]
pub struct Life {
    /// Start time.
    pub start: Timestamp,
    /// Number of days.
    pub days: i64,
    /// Number of messages per day, including answers.
    pub turns_per_day: usize,
    /// Language.
    pub language: Language,
}

/// Generates the messages of a person, day by day.
struct Author {
    bank: Bank,
    person: Person,
    fate: PlannedEvents,
    chance: Chance,
}

/// A generated exchange. The answer to a question depends on the recall.
struct Scripted {
    second: i64,
    topic: &'static str,
    said: String,
    answer: Answer,
}

enum Answer {
    Said(String),
    /// Answer if a memory was found, and answer if none was.
    Recalled(String, String),
}

/// A mind with its owner.
struct Living {
    stage: Stage,
    chance: Chance,
}

/// Simulates a life and returns the report. Calls `progress` at the start of each day.
pub(crate) async fn live(life: &Life, setting: &Setting, progress: &dyn Fn(i64)) -> Result<(SimulationReport, Stage), EngineError> {
    let zone = &setting.config.time_zone;
    let (bank, mut chance) = (Bank::of(life.language), Chance::new(setting.seed));
    let person = Person::born(&bank, &mut chance);
    let mut author = Author { bank, person, fate: PlannedEvents::default(), chance };
    // The owner uses a separate generator, so that the messages do not depend on what is remembered.
    let mut living = Living { stage: Stage::new(setting, life.start, Durability::Gathered).await?, chance: Chance::new(!setting.seed) };
    let mut midnight = life.start.midnight(zone);
    let day = |number, midnight: Timestamp| Day { number, date: midnight.civil(zone).date(), exchanges: life.turns_per_day.div_ceil(2) };
    let mut next = author.day(day(0, midnight));
    for number in 0..life.days {
        progress(number);
        // A day has 23 to 25 hours, so midnight plus 36 hours is always within the next day.
        let tomorrow = midnight.plus(Span::hours(36)).midnight(zone);
        let today = std::mem::replace(&mut next, author.day(day(number + 1, tomorrow)));
        living.stage.will_be_said(living.coming(&next, tomorrow));
        for scripted in today {
            let at = midnight.plus(Span::seconds(scripted.second));
            living.stage.advance(at.max(life.start)).await?;
            living.say(scripted).await?;
        }
        living.look_in(number).await?;
        midnight = tomorrow;
        living.stage.advance(midnight).await?;
    }
    let stage = living.stage;
    let report = SimulationReport::of(&stage, Some(setting.seed), Vec::new()).await?;
    Ok((report, stage))
}

impl Author {
    /// Generates the exchanges of a day.
    fn day(&mut self, day: Day) -> Vec<Scripted> {
        let planned = self.fate.plan(day, (&self.bank, &mut self.person), &mut self.chance);
        planned.into_iter().map(|planned| self.exchange(&planned)).collect()
    }

    fn exchange(&mut self, planned: &Planned) -> Scripted {
        let mut filling = self.person.filling(&mut self.chance);
        let mut line = |topic: &str, place: Option<usize>| {
            let lines = self.bank.lines(topic);
            let line = match place {
                Some(place) => lines.get(place),
                None => self.chance.one_of(lines),
            };
            self.bank.filled(line.map_or("", String::as_str), &mut filling, &mut self.chance)
        };
        let said = line(planned.topic, planned.line);
        let answer = match planned.topic {
            "ask" => Answer::Recalled(line("recalled", None), line("forgotten", None)),
            topic => Answer::Said(line(&format!("{topic} answers"), None)),
        };
        Scripted { second: planned.second, topic: planned.topic, said, answer }
    }
}

impl Living {
    /// Returns the messages of a day with the message each one follows, and the recall queries.
    fn coming(&self, day: &[Scripted], midnight: Timestamp) -> Ahead {
        let mut ahead = Ahead::default();
        let mut last: Option<(Timestamp, Option<&String>)> = None;
        for scripted in day {
            let (at, text) = (midnight.plus(Span::seconds(scripted.second)), scripted.said.clone());
            let before = match last {
                Some((then, answer)) if self.stage.goes_on(then, at) => answer.map(|answer| Some(answer.clone())),
                _ => Some(None),
            };
            match before {
                Some(before) => ahead.heard.push(Coming { role: Role::User, text, at, before }),
                None => ahead.said.push(text),
            }
            last = Some((at, None));
            match &scripted.answer {
                Answer::Said(answer) => {
                    let before = Some(scripted.said.clone());
                    ahead.heard.push(Coming { role: Role::Assistant, text: answer.clone(), at, before });
                    last = Some((at, Some(answer)));
                }
                Answer::Recalled(_, forgotten) => {
                    ahead.said.push(forgotten.clone());
                    ahead.asked.push(scripted.said.clone());
                }
            }
        }
        ahead
    }

    /// Observes a generated exchange with its answer.
    async fn say(&mut self, scripted: Scripted) -> Result<(), EngineError> {
        let mut injected = Vec::new();
        let answer = match scripted.answer {
            Answer::Said(answer) => answer,
            Answer::Recalled(found, forgotten) => {
                let recalled = self.stage.mind.recall(Query { limit: 3, ..Query::text(&scripted.said) }).await?;
                match recalled.results.into_iter().next() {
                    Some(best) => {
                        injected.push(best.memory.id);
                        found.replace(MEMORY, &best.memory.content)
                    }
                    None => forgotten,
                }
            }
        };
        let said = vec![NewMessage::user(scripted.said), NewMessage { injected, ..NewMessage::assistant(answer) }];
        let observed = self.stage.mind.observe(Exchange { said, ..Exchange::default() }).await?;
        self.stage.diary.observed(&observed);
        if scripted.topic == "boundary" {
            let stored = |candidate: &&saegim_core::Candidate| candidate.verdict == CandidateVerdict::Stored;
            for memory in observed.candidates.iter().filter(stored).filter_map(|candidate| candidate.memory) {
                self.stage.mind.edit(memory, Edit { changed_behaviour: Some(true), ..Edit::default() }).await?;
            }
        }
        Ok(())
    }

    /// Simulates the owner: restores a memory from the cliff about once a week, forgets one every 20 days and makes one core
    /// every 120 days.
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
        if day % 120 == 119
            && let Some(memory) = self.dearest().await?
        {
            self.stage.mind.edit(memory, Edit { tier: Some(Tier::M0), ..Edit::default() }).await?;
        }
        Ok(())
    }

    /// Returns the most recalled M365 memory.
    async fn dearest(&self) -> Result<Option<MemoryId>, EngineError> {
        let of_year =
            self.stage.mind.list(&Filter { tier: Some(Tier::M365), ..Filter::default() }, Page { limit: 1000, before: None }).await?;
        Ok(of_year.iter().max_by_key(|memory| (memory.recalls, memory.mentions, std::cmp::Reverse(memory.id))).map(|memory| memory.id))
    }
}
