//! When a server is left alone, and for how long.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use saegim_core::Cause;
use serde_json::Value;
use tokio::time::Instant;

use super::dialect::word_of;
use super::post::Answer;
use crate::{ProviderError, Secret};

/// How long a server that has had enough is left alone, unless it says how long.
const PAUSE: Duration = Duration::from_secs(60);

/// No server can ask to be left alone longer than this.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// After so many failures in a row a server is left alone for a moment, so that not every turn waits for it in vain.
const PATIENCE: u32 = 3;

/// How long that moment is; twice as long each time it fails again, up to the pause.
const BREATH: Duration = Duration::from_secs(10);

/// How one server has behaved lately.
#[derive(Default)]
pub(crate) struct Patience(Mutex<State>);

#[derive(Default)]
struct State {
    /// Until when it is left alone, and why.
    left_alone: Option<(Instant, Cause)>,
    failures: u32,
}

impl State {
    /// Leaves the server alone for a moment. A pause it has asked for is not cut short by that.
    fn breathe(&mut self, cause: Cause) {
        let again = self.failures.saturating_sub(PATIENCE).min(8);
        let until = Instant::now() + (BREATH * 2u32.pow(again)).min(PAUSE);
        self.left_alone = Some(self.left_alone.filter(|(known, _)| *known > until).unwrap_or((until, cause)));
    }
}

impl Patience {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the server may be asked now.
    pub(crate) fn rested(&self) -> Result<(), ProviderError> {
        let left_alone = self.state().left_alone;
        match left_alone.map(|(until, cause)| (until.saturating_duration_since(Instant::now()), cause)) {
            Some((left, cause)) if !left.is_zero() => {
                Err(ProviderError::unanswered(cause, format!("circuit breaker open for {} s", left.as_secs() + 1)))
            }
            _ => Ok(()),
        }
    }

    /// Takes down how a request went.
    pub(crate) fn learned<T>(&self, went: Result<T, ProviderError>) -> Result<T, ProviderError> {
        let mut state = self.state();
        match &went {
            Ok(_) => (state.failures, state.left_alone) = (0, None),
            Err(error) if matches!(error.cause(), Cause::TimedOut | Cause::Unreachable | Cause::Failing) => {
                state.failures += 1;
                if state.failures >= PATIENCE {
                    state.breathe(error.cause());
                }
            }
            Err(_) => {}
        }
        went
    }

    /// Takes down that nobody waited for the server any longer: the next who asks is not to wait in vain, too.
    pub(crate) fn gave_up(&self) {
        let mut state = self.state();
        // Whoever waited beside the first to give up has learned nothing new.
        if state.left_alone.is_none_or(|(until, _)| until <= Instant::now()) {
            state.failures = (state.failures + 1).max(PATIENCE);
            state.breathe(Cause::TimedOut);
        }
    }

    /// What an answer that is no success means; a server that has had enough is left alone from now on.
    pub(crate) fn failed(&self, answer: &Answer, key: Option<&Secret>) -> ProviderError {
        let word = serde_json::from_slice(&answer.body).map_or_else(|_| "no reason given".into(), |body: Value| word_of(&body));
        // A server may give the key back in place of a reason.
        let word = key.map_or_else(|| word.clone(), |key| key.hidden_in(&word));
        let status = answer.status;
        let pause = |pause: Duration| self.state().left_alone = Some((Instant::now() + pause.min(LONGEST_PAUSE), Cause::Limited));
        let hint = if status == 404 { "; check the address, with or without /v1, and the model name" } else { "" };
        let cause = match status {
            429 => {
                pause(answer.retry_after.unwrap_or(PAUSE));
                Cause::Limited
            }
            503 if answer.retry_after.is_some() => {
                answer.retry_after.into_iter().for_each(pause);
                Cause::Limited
            }
            408 | 504 => Cause::TimedOut,
            500.. => Cause::Failing,
            _ => Cause::Unaccepted,
        };
        ProviderError::unanswered(cause, format!("HTTP {status}, {word}{hint}"))
    }
}
