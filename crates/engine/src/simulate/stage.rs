//! A stage for a simulated life: a throwaway file, a clock that is driven, and a caretaker who looks whenever it is due,
//! as a server's would.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use saegim_core::{Memory, MemoryId, MindKey, Span, Timestamp, Zone, phrase};
use saegim_provider::{Embedder, Thinker};

use super::ahead::{Ahead, Readings, Vectors, prepare};
use super::deed::Which;
use super::diary::{Diary, day_of};
use crate::engine::{AHEAD, FARTHEST};
use crate::error::unusable;
use crate::{Config, Durability, Engine, EngineError, Filter, MindHandle, Page, SeededDice, SetClock};

/// More memories than a simulated mind holds.
const ALL: usize = 1_000_000;

/// After a look nobody looks again sooner than this, whatever is due.
const PATIENCE: Span = Span::seconds(60);

/// What a life is played with.
#[derive(Clone)]
pub struct Setting {
    /// The rules, the time zone, the embedder and the thinker; file, clock and dice are the stage's own.
    pub config: Config,
    /// Whose mind is played.
    pub key: MindKey,
    /// What chance begins from: the same seed is the same life.
    pub seed: u64,
}

/// A mind on a stage.
pub(crate) struct Stage {
    folder: tempfile::TempDir,
    config: Config,
    key: MindKey,
    clock: Arc<SetClock>,
    engine: Engine,
    pub(crate) mind: MindHandle,
    /// When day 0 began.
    pub(crate) start: Timestamp,
    /// What time it really is, whatever the clock shows.
    pub(crate) now: Timestamp,
    /// How many milliseconds the clock is ahead of that.
    wrong_by: i64,
    looked_at: Timestamp,
    /// When the day ends.
    midnight: Timestamp,
    names: HashMap<String, Vec<MemoryId>>,
    pub(crate) diary: Diary,
    vectors: Option<Vectors>,
    readings: Option<Readings>,
}

impl Stage {
    /// A new mind that begins at `start`.
    pub(crate) async fn new(setting: &Setting, start: Timestamp, durability: Durability) -> Result<Self, EngineError> {
        let folder = tempfile::tempdir().map_err(|error| unusable(&std::env::temp_dir(), &error))?;
        let clock = Arc::new(SetClock::at(start));
        let mut config = setting.config.clone();
        config.database = folder.path().join("mind.db");
        config.durability = durability;
        config.clock = clock.clone();
        config.dice = Arc::new(SeededDice::new(setting.seed));
        let (vectors, readings) = (config.embedder.take().map(Vectors::of), config.thinker.take().map(Readings::of));
        config.embedder = vectors.clone().map(|vectors| Arc::new(vectors) as Arc<dyn Embedder>);
        config.thinker = readings.clone().map(|readings| Arc::new(readings) as Arc<dyn Thinker>);
        let engine = Engine::open(config.clone()).await?;
        let mind = engine.mind(setting.key.clone()).await?;
        let day = start.midnight(&config.time_zone);
        let mut stage = Self {
            folder,
            config,
            key: setting.key.clone(),
            clock,
            engine,
            mind,
            start: day,
            now: start,
            wrong_by: 0,
            looked_at: start.minus(PATIENCE),
            midnight: day,
            names: HashMap::new(),
            diary: Diary::default(),
            vectors,
            readings,
        };
        stage.midnight = stage.next_midnight();
        Ok(stage)
    }

    fn next_midnight(&self) -> Timestamp {
        // A day is never longer than 25 hours; the midnight after that is the next one.
        let zone = &self.config.time_zone;
        let today = self.now.midnight(zone);
        (20..=50).map(|hours| today.plus(Span::hours(hours)).midnight(zone)).find(|midnight| *midnight > self.now).unwrap_or(self.now)
    }

    /// Where the life's days begin.
    pub(crate) fn time_zone(&self) -> &jiff::tz::TimeZone {
        &self.config.time_zone
    }

    /// The folder the mind is kept in.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Copies the mind to a file of its own.
    pub(crate) async fn keep(&self, to: &Path) -> Result<(), EngineError> {
        self.engine.backup(to).await
    }

    /// Lets time pass up to `to`; the caretaker looks whenever it is due, and every day is closed.
    pub(crate) async fn advance(&mut self, to: Timestamp) -> Result<(), EngineError> {
        while self.now < to {
            let due = self.due().await?.map(|due| due.max(self.looked_at.plus(PATIENCE)));
            let next = due.map_or(to, |due| due.min(to)).min(self.midnight).max(self.now);
            self.set(next);
            if due.is_some_and(|due| due <= next) {
                self.look_after().await?;
            }
            if self.midnight <= next {
                self.close_day().await?;
            }
        }
        Ok(())
    }

    /// Lets time pass with nobody there, and begins again.
    pub(crate) async fn sleep(&mut self, until: Timestamp) -> Result<(), EngineError> {
        while self.midnight <= until {
            self.set(self.midnight);
            self.close_day().await?;
        }
        self.set(until.max(self.now));
        self.restart().await
    }

    async fn close_day(&mut self) -> Result<(), EngineError> {
        // The day that ends now, not the one that begins.
        let day = day_of(self.now, self.start) - 1;
        self.midnight = self.next_midnight();
        self.diary.close_day(&self.mind, day, self.start).await
    }

    /// Ends the program and begins it again on the same file.
    pub(crate) async fn restart(&mut self) -> Result<(), EngineError> {
        self.engine = Engine::open(self.config.clone()).await?;
        self.mind = self.engine.mind(self.key.clone()).await?;
        Ok(())
    }

    /// When the caretaker has to look again, in real time.
    async fn due(&self) -> Result<Option<Timestamp>, EngineError> {
        let mind = self.mind.mind().await?;
        let real = |at: Timestamp| Timestamp::from_millis(at.millis() - self.wrong_by);
        if mind.ticked_at.is_some_and(|looked| real(looked) > self.now.plus(AHEAD)) {
            return Ok(Some(self.now));
        }
        let due = mind.care_due_at.map(real);
        Ok(due.map(|due| if due > self.now.plus(FARTHEST) { self.now } else { due }))
    }

    fn set(&mut self, now: Timestamp) {
        self.now = now;
        self.clock.set(Timestamp::from_millis(now.millis() + self.wrong_by));
    }

    /// Makes the clock wrong by so many days, or right.
    pub(crate) fn set_wrong_by(&mut self, days: i64) {
        self.wrong_by = days * 86_400_000;
        self.set(self.now);
    }

    /// The caretaker looks, as it would by itself.
    pub(crate) async fn look_after(&mut self) -> Result<(), EngineError> {
        self.looked_at = self.now;
        for (_, ticked) in self.engine.sweep(1).await? {
            self.diary.ticked(&ticked);
            if ticked.moves.iter().any(|step| step.to == Zone::Core) {
                self.diary.came_near(self.mind.counts().await?.zones);
            }
        }
        Ok(())
    }

    /// The caretaker looks because someone asked.
    pub(crate) async fn tick(&mut self) -> Result<(), EngineError> {
        let ticked = self.mind.tick().await?;
        self.diary.ticked(&ticked);
        Ok(())
    }

    /// Writes down the last day, which has not ended.
    pub(crate) async fn close(&mut self) -> Result<(), EngineError> {
        self.diary.close_day(&self.mind, day_of(self.now, self.start), self.start).await
    }

    /// Tells what will be said, so that it can be made ready meanwhile.
    pub(crate) fn will_be_said(&self, ahead: Ahead) {
        prepare(self.readings.clone(), self.vectors.clone(), ahead, self.mind.clone());
    }

    /// Whether what is said at `at` goes on with a conversation in which something was last said at `last`.
    pub(crate) fn goes_on(&self, last: Timestamp, at: Timestamp) -> bool {
        at.since(last) < self.mind.silence()
    }

    /// Gives memories a name, beside those that bear it already.
    pub(crate) fn name(&mut self, name: &str, memories: impl IntoIterator<Item = MemoryId>) {
        self.names.entry(name.to_owned()).or_default().extend(memories);
    }

    /// The memories that were given a name, whether they are still there or not.
    pub(crate) fn named(&self, name: &str) -> Option<&[MemoryId]> {
        self.names.get(name).map(Vec::as_slice)
    }

    /// The same for whoever needs the name to be there: a mistyped one must not pass for what is gone.
    pub(crate) fn called(&self, name: &str) -> Result<&[MemoryId], EngineError> {
        let unknown = || {
            phrase!(
                "no earlier step is named {name}; name one with `as {name}`",
                "앞에 {name}(이)라는 이름이 없어요. `as {name}`으로 이름을 붙여 주세요"
            )
        };
        self.named(name).ok_or_else(|| EngineError::NotFound(unknown()))
    }

    /// Every living memory, newest first.
    pub(crate) async fn alive(&self) -> Result<Vec<Memory>, EngineError> {
        self.mind.list(&Filter::default(), Page { limit: ALL, before: None }).await
    }

    /// Every memory there is, the living before those on the cliff.
    pub(crate) async fn everything(&self) -> Result<Vec<Memory>, EngineError> {
        let mut all = self.alive().await?;
        all.extend(self.mind.cliff().await?.into_iter().map(|fallen| fallen.memory));
        Ok(all)
    }

    /// The memories that are meant, alive or on the cliff; nothing when there are none, or no such name.
    pub(crate) async fn meant(&self, which: &Which) -> Result<Vec<Memory>, EngineError> {
        let all = self.everything().await?;
        Ok(match which {
            Which::Holding(text) => all.into_iter().filter(|memory| memory.content.contains(text.as_str())).collect(),
            Which::Named(name) => {
                let ids = self.called(name)?;
                all.into_iter().filter(|memory| ids.contains(&memory.id)).collect()
            }
        })
    }

    /// Whether a text is anywhere in the files of the mind, byte by byte.
    pub(crate) fn holds_bytes(&self, text: &str) -> Result<bool, EngineError> {
        let folder = self.folder();
        let wrong = |error: std::io::Error| unusable(folder, &error);
        for file in std::fs::read_dir(folder).map_err(wrong)? {
            let bytes = std::fs::read(file.map_err(wrong)?.path()).map_err(wrong)?;
            if bytes.windows(text.len().max(1)).any(|window| window == text.as_bytes()) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
