//! A circuit breaker per server.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use saegim_core::Cause;
use serde_json::Value;
use tokio::time::Instant;

use crate::llm::dialect::word_of;
use crate::llm::post::Answer;
use crate::{ProviderError, Secret};

/// Back-off after HTTP 429 without `Retry-After`.
const PAUSE: Duration = Duration::from_secs(60);

/// Maximum accepted `Retry-After`.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// Number of consecutive failures after which the circuit opens, so that not every turn waits for a dead server.
const PATIENCE: u32 = 3;

/// Initial open time of the circuit. Doubles with each further failure, up to [`PAUSE`].
const BREATH: Duration = Duration::from_secs(10);

/// Circuit breaker state of one server.
#[derive(Default)]
pub(crate) struct Patience(Mutex<State>);

#[derive(Default)]
struct State {
    /// End of the back-off and its cause.
    left_alone: Option<(Instant, Cause)>,
    failures: u32,
}

impl State {
    /// Opens the circuit. Does not shorten a back-off requested by the server.
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

    /// Returns an error while the circuit is open.
    pub(crate) fn rested(&self) -> Result<(), ProviderError> {
        let left_alone = self.state().left_alone;
        match left_alone.map(|(until, cause)| (until.saturating_duration_since(Instant::now()), cause)) {
            Some((left, cause)) if !left.is_zero() => {
                Err(ProviderError::unanswered(cause, format!("circuit breaker open for {} s", left.as_secs() + 1)))
            }
            _ => Ok(()),
        }
    }

    /// Records the outcome of a request.
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

    /// Records a timeout of a waiting caller and opens the circuit, so that the next caller does not wait in vain.
    pub(crate) fn gave_up(&self) {
        let mut state = self.state();
        // Count concurrent callers that time out together only once.
        if state.left_alone.is_none_or(|(until, _)| until <= Instant::now()) {
            state.failures = (state.failures + 1).max(PATIENCE);
            state.breathe(Cause::TimedOut);
        }
    }

    /// Converts an unsuccessful response to an error, and starts the back-off if the server requests it.
    pub(crate) fn failed(&self, answer: &Answer, key: Option<&Secret>) -> ProviderError {
        let word = serde_json::from_slice(&answer.body).map_or_else(|_| "no reason given".into(), |body: Value| word_of(&body));
        // The server may have echoed the key in its error code.
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
