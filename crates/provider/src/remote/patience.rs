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

/// How long that moment is.
const BREATH: Duration = Duration::from_secs(10);

/// How one server has behaved lately.
#[derive(Default)]
pub(crate) struct Patience(Mutex<State>);

#[derive(Default)]
struct State {
    left_alone_until: Option<Instant>,
    failures: u32,
}

impl Patience {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the server may be asked now.
    pub(crate) fn rested(&self) -> Result<(), ProviderError> {
        let until = self.state().left_alone_until;
        match until.map(|until| until.saturating_duration_since(Instant::now())) {
            Some(left) if !left.is_zero() => {
                Err(ProviderError::unanswered(Cause::Limited, format!("left alone for {} s more", left.as_secs() + 1)))
            }
            _ => Ok(()),
        }
    }

    /// Takes down how a request went.
    pub(crate) fn learned<T>(&self, went: Result<T, ProviderError>) -> Result<T, ProviderError> {
        let mut state = self.state();
        match &went {
            Ok(_) => (state.failures, state.left_alone_until) = (0, None),
            Err(error) if matches!(error.cause(), Cause::TimedOut | Cause::Unreachable | Cause::Failing) => {
                state.failures += 1;
                if state.failures >= PATIENCE {
                    state.left_alone_until = Some(Instant::now() + BREATH);
                }
            }
            Err(_) => {}
        }
        went
    }

    /// What an answer that is no success means; a server that has had enough is left alone from now on.
    pub(crate) fn failed(&self, answer: &Answer, key: Option<&Secret>) -> ProviderError {
        let word = serde_json::from_slice(&answer.body).map_or_else(|_| "no reason given".into(), |body: Value| word_of(&body));
        // A server may give the key back in place of a reason.
        let word = key.map_or_else(|| word.clone(), |key| key.hidden_in(&word));
        let status = answer.status;
        let cause = match status {
            429 => {
                let pause = answer.retry_after.unwrap_or(PAUSE).min(LONGEST_PAUSE);
                self.state().left_alone_until = Some(Instant::now() + pause);
                Cause::Limited
            }
            408 | 504 => Cause::TimedOut,
            500.. => Cause::Failing,
            _ => Cause::Unaccepted,
        };
        ProviderError::unanswered(cause, format!("HTTP {status}, {word}"))
    }
}
