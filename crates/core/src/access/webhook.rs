//! Webhooks: an address that is told what changes in a mind, in order and signed, until it has heard all of it.

use std::fmt;

use serde::Serialize;

use crate::{Span, Timestamp, WebhookId};

/// What a webhook's tellings are signed with. Whoever prints it prints `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret([u8; 32]);

impl SigningSecret {
    /// A secret of these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, for signing and for the one time they are shown.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// How far into the network a webhook may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// The internet, over TLS. For owners of some minds on a server they do not run: what lies behind it is none of theirs.
    Public,
    /// The server's own network too. For who runs the server.
    Everywhere,
}

/// An address that is told what changes in a mind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Webhook {
    /// Its identity.
    pub id: WebhookId,
    /// Where it is told.
    pub url: String,
    /// How far it may reach.
    pub reach: Reach,
    /// What its tellings are signed with; kept because signing needs it, and in no listing, ledger or export.
    #[serde(skip)]
    pub secret: SigningSecret,
    /// When it was made.
    pub made_at: Timestamp,
    /// The last entry of the ledger it has heard of.
    pub after: u64,
    /// How often in a row it could not be told.
    pub attempts: u32,
    /// When it may be told again.
    pub due_at: Timestamp,
    /// Since when it cannot be told.
    pub failing_since: Option<Timestamp>,
    /// Why not, the last time.
    pub problem: Option<String>,
    /// Since when it is told nothing any more.
    pub ended_at: Option<Timestamp>,
}

/// How long the first try after a failure waits; each further one four times as long.
const FIRST_WAIT: Span = Span::seconds(5);

/// The longest a try waits.
const LONGEST_WAIT: Span = Span::hours(6);

/// After so long without being heard nobody is there.
const PATIENCE: Span = Span::days(3);

impl Webhook {
    /// It has heard everything up to `sequence`.
    pub fn told(self, sequence: u64, now: Timestamp) -> Self {
        Self { after: self.after.max(sequence), attempts: 0, due_at: now, failing_since: None, problem: None, ..self }
    }

    /// It could not be told. It is tried again later, not before it `asked` to be, and for three days at most.
    pub fn failed(self, problem: String, asked: Option<Span>, now: Timestamp) -> Self {
        let attempts = self.attempts.saturating_add(1);
        let since = self.failing_since.unwrap_or(now).min(now);
        let wait = Span::millis(FIRST_WAIT.as_millis() * 4_i64.pow(attempts.saturating_sub(1).min(10)));
        let wait = wait.max(asked.unwrap_or(Span::ZERO)).min(LONGEST_WAIT);
        let ended_at = if now.since(since) >= PATIENCE { Some(now) } else { self.ended_at };
        Self { attempts, due_at: now.plus(wait), failing_since: Some(since), problem: Some(problem), ended_at, ..self }
    }

    /// It said that nobody is there any more.
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
