//! The clock of a local database.

use std::sync::atomic::{AtomicI64, Ordering};

use saegim_core::Timestamp;
use saegim_engine::{Clock, SystemClock};

/// Value that means "use the system clock"; no event is this old.
const SYSTEM: i64 = i64::MIN;

/// Shows the system time until it is set, then the set time: tests and games bring their own time.
#[derive(Debug)]
pub(super) struct LocalClock(AtomicI64);

impl Default for LocalClock {
    fn default() -> Self {
        Self(AtomicI64::new(SYSTEM))
    }
}

impl LocalClock {
    /// Sets the time; `None` returns to the system clock.
    pub(super) fn set(&self, now: Option<Timestamp>) {
        self.0.store(now.map_or(SYSTEM, Timestamp::millis), Ordering::SeqCst);
    }
}

impl Clock for LocalClock {
    fn now(&self) -> Timestamp {
        match self.0.load(Ordering::SeqCst) {
            SYSTEM => SystemClock.now(),
            set => Timestamp::from_millis(set),
        }
    }
}
