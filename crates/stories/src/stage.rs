//! The environment of a simulation: a temporary file, a controlled clock, and a worker that runs whenever maintenance is due, as
//! on a server.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use saegim_core::{Memory, MemoryId, MindKey, Span, Timestamp, Zone, phrase};
use saegim_provider::{Embedder, Thinker};

use super::ahead::{Ahead, CachedEmbedder, Readings, prepare};
use super::deed::Which;
use super::diary::{Diary, day_of};

use saegim_engine::{Config, Durability, Engine, EngineError, Filter, MindHandle, Page, SeededDice, SetClock};

/// Page size that is larger than any simulated mind.
const ALL: usize = 1_000_000;

/// Minimum time between two maintenance runs, even if one is due earlier.
const PATIENCE: Span = Span::seconds(60);

/// Settings of a simulation.
#[derive(Clone)]
pub struct Setting {
    /// Rules, time zone, embedder and thinker. The stage replaces file, clock and dice.
    pub config: Config,
    /// Key of the simulated mind.
    pub key: MindKey,
    /// Random seed. The same seed gives the same simulation.
    pub seed: u64,
}

/// A simulated mind with its environment.
pub(crate) struct Stage {
    folder: tempfile::TempDir,
    config: Config,
    key: MindKey,
    clock: Arc<SetClock>,
    engine: Engine,
    pub(crate) mind: MindHandle,
    /// Start of day 0.
    pub(crate) start: Timestamp,
    /// Real time, independent of what the clock shows.
    pub(crate) now: Timestamp,
    /// Error of the clock in milliseconds; positive if it is ahead.
    wrong_by: i64,
    looked_at: Timestamp,
    /// End of the current day.
    midnight: Timestamp,
    names: HashMap<String, Vec<MemoryId>>,
    pub(crate) diary: Diary,
    vectors: Option<CachedEmbedder>,
    readings: Option<Readings>,
}

impl Stage {
    /// Creates a new mind at `start`.
    pub(crate) async fn new(setting: &Setting, start: Timestamp, durability: Durability) -> Result<Self, EngineError> {
        let folder = tempfile::tempdir().map_err(|error| EngineError::of_file(&std::env::temp_dir(), &error))?;
        let clock = Arc::new(SetClock::at(start));
        let mut config = setting.config.clone();
        config.database = folder.path().join("mind.db");
        config.durability = durability;
        config.clock = clock.clone();
        config.dice = Arc::new(SeededDice::new(setting.seed));
        let (vectors, readings) = (config.embedder.take().map(CachedEmbedder::of), config.thinker.take().map(Readings::of));
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
        // A day has at most 25 hours, so the next midnight is in this range.
        let zone = &self.config.time_zone;
        let today = self.now.midnight(zone);
        (20..=50).map(|hours| today.plus(Span::hours(hours)).midnight(zone)).find(|midnight| *midnight > self.now).unwrap_or(self.now)
    }

    /// Returns the time zone of the simulated days.
    pub(crate) fn time_zone(&self) -> &jiff::tz::TimeZone {
        &self.config.time_zone
    }

    /// Returns the folder of the mind.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Copies the mind to a file.
    pub(crate) async fn keep(&self, to: &Path) -> Result<(), EngineError> {
        self.engine.backup(to).await
    }

    /// Advances the time to `to`. Runs maintenance whenever it is due and closes every day.
    pub(crate) async fn advance(&mut self, to: Timestamp) -> Result<(), EngineError> {
        while self.now < to {
            let due = self.due().await?.map(|due| due.max(self.looked_at.plus(PATIENCE)));
            let next = due.map_or(to, |due| due.min(to)).min(self.midnight).max(self.now);
            self.set(next);
            if due.is_some_and(|due| due <= next) {
                self.run_due().await?;
            }
            if self.midnight <= next {
                self.close_day().await?;
            }
        }
        Ok(())
    }

    /// Advances the time without maintenance, then restarts the program.
    pub(crate) async fn sleep(&mut self, until: Timestamp) -> Result<(), EngineError> {
        while self.midnight <= until {
            self.set(self.midnight);
            self.close_day().await?;
        }
        self.set(until.max(self.now));
        self.restart().await
    }

    async fn close_day(&mut self) -> Result<(), EngineError> {
        // The day that ends now, not the one that starts.
        let day = day_of(self.now, self.start) - 1;
        self.midnight = self.next_midnight();
        self.diary.close_day(&self.mind, day, self.start).await
    }

    /// Restarts the program on the same file.
    pub(crate) async fn restart(&mut self) -> Result<(), EngineError> {
        self.engine = Engine::open(self.config.clone()).await?;
        self.mind = self.engine.mind(self.key.clone()).await?;
        Ok(())
    }

    /// Returns when the next maintenance is due, in real time.
    async fn due(&self) -> Result<Option<Timestamp>, EngineError> {
        let due = self.mind.next_maintenance().await?;
        Ok(due.map(|due| Timestamp::from_millis(due.millis() - self.wrong_by)))
    }

    fn set(&mut self, now: Timestamp) {
        self.now = now;
        self.clock.set(Timestamp::from_millis(now.millis() + self.wrong_by));
    }

    /// Sets the error of the clock in days; 0 makes it correct.
    pub(crate) fn set_wrong_by(&mut self, days: i64) {
        self.wrong_by = days * 86_400_000;
        self.set(self.now);
    }

    /// Runs the maintenance that is due, as the worker does.
    pub(crate) async fn run_due(&mut self) -> Result<(), EngineError> {
        self.looked_at = self.now;
        for (_, ticked) in self.engine.sweep(1).await? {
            self.diary.ticked(&ticked);
            if ticked.moves.iter().any(|step| step.to == Zone::Core) {
                self.diary.came_near(self.mind.counts().await?.zones);
            }
        }
        Ok(())
    }

    /// Runs maintenance on request.
    pub(crate) async fn tick(&mut self) -> Result<(), EngineError> {
        let ticked = self.mind.tick().await?;
        self.diary.ticked(&ticked);
        Ok(())
    }

    /// Closes the last, incomplete day.
    pub(crate) async fn close(&mut self) -> Result<(), EngineError> {
        self.diary.close_day(&self.mind, day_of(self.now, self.start), self.start).await
    }

    /// Starts to read and embed future messages in the background.
    pub(crate) fn will_be_said(&self, ahead: Ahead) {
        prepare(self.readings.clone(), self.vectors.clone(), ahead, self.mind.clone());
    }

    /// Checks whether a message at `at` continues a conversation whose last message was at `last`.
    pub(crate) fn goes_on(&self, last: Timestamp, at: Timestamp) -> bool {
        at.since(last) < self.mind.policy().relationship.scene_silence()
    }

    /// Adds memories to a name.
    pub(crate) fn name(&mut self, name: &str, memories: impl IntoIterator<Item = MemoryId>) {
        self.names.entry(name.to_owned()).or_default().extend(memories);
    }

    /// Returns the memories with a name, whether they still exist or not.
    pub(crate) fn named(&self, name: &str) -> Option<&[MemoryId]> {
        self.names.get(name).map(Vec::as_slice)
    }

    /// Like [`named`](Self::named), but an unknown name is an error: a typo must not pass for a deleted memory.
    pub(crate) fn called(&self, name: &str) -> Result<&[MemoryId], EngineError> {
        let unknown = || phrase!("engine.stage.unknown_name", name);
        self.named(name).ok_or_else(|| EngineError::NotFound(unknown()))
    }

    /// Returns all living memories, newest first.
    pub(crate) async fn alive(&self) -> Result<Vec<Memory>, EngineError> {
        self.mind.list(&Filter::default(), Page { limit: ALL, before: None }).await
    }

    /// Returns all memories, the living before those on the cliff.
    pub(crate) async fn everything(&self) -> Result<Vec<Memory>, EngineError> {
        let mut all = self.alive().await?;
        all.extend(self.mind.cliff().await?.into_iter().map(|fallen| fallen.memory));
        Ok(all)
    }

    /// Returns the memories a reference matches, alive or on the cliff; empty if there are none. An unknown name is an error.
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

    /// Checks whether the files of the mind contain the bytes of a text.
    pub(crate) fn holds_bytes(&self, text: &str) -> Result<bool, EngineError> {
        let folder = self.folder();
        let wrong = |error: std::io::Error| EngineError::of_file(folder, &error);
        for file in std::fs::read_dir(folder).map_err(wrong)? {
            let bytes = std::fs::read(file.map_err(wrong)?.path()).map_err(wrong)?;
            if bytes.windows(text.len().max(1)).any(|window| window == text.as_bytes()) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
