//! Webhooks: deliver the changes of a mind to a URL, in order and signed, with retries.

use std::fmt;

use serde::Serialize;

use crate::{Span, Timestamp, WebhookId};

/// Key that signs a webhook's deliveries. Prints as `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret([u8; 32]);

impl SigningSecret {
    /// Creates a key from its bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes, for signing and for showing them once.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Network range a webhook may access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Public internet over TLS only. For owners on a server they do not operate; it must not reach the server's internal
    /// network.
    Public,
    /// Also the server's own network. For the operator of the server.
    Everywhere,
}

/// A URL that receives the changes of a mind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Webhook {
    /// Id of the webhook.
    pub id: WebhookId,
    /// Target URL.
    pub url: String,
    /// Network range it may access.
    pub reach: Reach,
    /// Key that signs its deliveries. Stored because signing needs it, but never part of a listing, the ledger or an export.
    #[serde(skip)]
    pub secret: SigningSecret,
    /// Time it was created.
    pub made_at: Timestamp,
    /// Sequence number of the last delivered ledger entry.
    pub after: u64,
    /// Number of consecutive failed attempts.
    pub attempts: u32,
    /// Time of the next attempt.
    pub due_at: Timestamp,
    /// Time of the first failure in a row.
    pub failing_since: Option<Timestamp>,
    /// Error of the last attempt.
    pub problem: Option<String>,
    /// Time it was disabled, if it was.
    pub ended_at: Option<Timestamp>,
}

/// Delay after the first failure; each further delay is four times as long.
const FIRST_WAIT: Span = Span::seconds(5);

/// Maximum delay between attempts.
const LONGEST_WAIT: Span = Span::hours(6);

/// A webhook that fails for this long is disabled.
const PATIENCE: Span = Span::days(3);

impl Webhook {
    /// Returns the webhook after a successful delivery up to `sequence`.
    pub fn told(self, sequence: u64, now: Timestamp) -> Self {
        Self { after: self.after.max(sequence), attempts: 0, due_at: now, failing_since: None, problem: None, ..self }
    }

    /// Returns the webhook after a failed delivery. The next attempt is delayed by exponential back-off or by the time the
    /// receiver `asked` for, whichever is longer, at most six hours. After three days of failures it is disabled.
    pub fn failed(self, problem: String, asked: Option<Span>, now: Timestamp) -> Self {
        let attempts = self.attempts.saturating_add(1);
        let since = self.failing_since.unwrap_or(now).min(now);
        let wait = Span::millis(FIRST_WAIT.as_millis() * 4_i64.pow(attempts.saturating_sub(1).min(10)));
        let wait = wait.max(asked.unwrap_or(Span::ZERO)).min(LONGEST_WAIT);
        let ended_at = if now.since(since) >= PATIENCE { Some(now) } else { self.ended_at };
        Self { attempts, due_at: now.plus(wait), failing_since: Some(since), problem: Some(problem), ended_at, ..self }
    }

    /// Returns the webhook disabled because the receiver no longer exists.
    pub fn gone(self, problem: String, now: Timestamp) -> Self {
        Self { ended_at: Some(now), problem: Some(problem), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn webhook() -> Webhook {
        let made_at = Timestamp::from_millis(1_000_000);
        Webhook {
            id: WebhookId::new(made_at, [3; 10]),
            url: "https://example.org/hook".into(),
            reach: Reach::Public,
            secret: SigningSecret::from_bytes([7; 32]),
            made_at,
            after: 4,
            attempts: 0,
            due_at: made_at,
            failing_since: None,
            problem: None,
            ended_at: None,
        }
    }

    #[test]
    fn it_waits_longer_each_time_and_gives_up_after_three_days() {
        let (mut hook, mut now, mut waits) = (webhook(), Timestamp::from_millis(1_000_000), Vec::new());
        while hook.ended_at.is_none() {
            hook = hook.failed("no answer".into(), None, now);
            waits.push(hook.due_at.since(now));
            now = hook.due_at;
        }
        assert_eq!(&waits[..4], [Span::seconds(5), Span::seconds(20), Span::seconds(80), Span::seconds(320)]);
        assert!(waits.iter().all(|wait| *wait <= Span::hours(6)));
        let failing = hook.ended_at.unwrap().since(hook.failing_since.unwrap());
        assert!(failing >= Span::days(3) && failing < Span::days(4), "{failing:?}");
        assert_eq!(hook.after, 4);
    }

    #[test]
    fn being_heard_ends_all_waiting_and_never_goes_back() {
        let now = Timestamp::from_millis(2_000_000);
        let hook = webhook().failed("500".into(), Some(Span::seconds(60)), now);
        assert_eq!(hook.due_at, now.plus(Span::seconds(60)));
        let hook = hook.told(9, now).told(2, now);
        assert_eq!((hook.after, hook.attempts, hook.failing_since, hook.problem), (9, 0, None, None));
    }

    #[test]
    fn its_secret_is_printed_nowhere() {
        let hook = webhook();
        assert!(!format!("{hook:?}").contains("7, 7") && !serde_json::to_string(&hook).unwrap().contains("secret"));
    }
}
