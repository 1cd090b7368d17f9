//! Retries of a commit that another process made outdated.

use std::time::Duration;

use crate::EngineError;
use crate::engine::Inner;
use crate::intake::Intake;

/// Maximum number of retries. One writer always succeeds, so few retries are enough with few speakers; the limit only prevents an
/// endless loop on a broken store.
const MOST_RETRIES: u32 = 200;

/// Longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_millis(32);

/// Counts the retries of one request.
pub(crate) struct Retries<'a> {
    inner: &'a Inner,
    made: u32,
}

impl Intake<'_> {
    pub(crate) fn retries(&self) -> Retries<'_> {
        Retries { inner: &self.mind.inner, made: 0 }
    }
}

impl Retries<'_> {
    /// Pauses before the next attempt if `error` is a conflict; returns every other error. The pause doubles from 1 ms up to 32 ms,
    /// of which a random share is skipped, so that two processes do not collide again and again.
    pub(crate) async fn after(&mut self, error: EngineError) -> Result<(), EngineError> {
        if !matches!(error, EngineError::Conflict(_)) || self.made >= MOST_RETRIES {
            return Err(error);
        }
        let longest = LONGEST_PAUSE.min(Duration::from_millis(1 << self.made.min(16)));
        self.made += 1;
        let share = f64::from(self.inner.config.dice.roll()[0]) / 255.0;
        tokio::time::sleep(longest.mul_f64(share)).await;
        Ok(())
    }
}
