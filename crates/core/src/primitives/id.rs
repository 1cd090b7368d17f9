//! Typed ids. Generated ids are UUIDv7, so sorting by id sorts by creation time.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Invalid, Timestamp, phrase};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $field:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(Uuid);

        impl $name {
            /// Creates an id from a creation time and random bytes.
            pub fn new(at: Timestamp, chance: [u8; 10]) -> Self {
                Self(uuid::Builder::from_unix_timestamp_millis(at.millis().max(0) as u64, &chance).into_uuid())
            }

            /// Returns the creation time encoded in the id; the Unix epoch for ids that are not time-based.
            pub fn made_at(&self) -> Timestamp {
                let (seconds, nanos) = self.0.get_timestamp().map_or((0, 0), |stamp| stamp.to_unix());
                Timestamp::from_millis(seconds as i64 * 1000 + i64::from(nanos / 1_000_000))
            }

            /// Parses the text form.
            pub fn parse(text: &str) -> Result<Self, Invalid> {
                Uuid::try_parse(text).map(Self).map_err(|_| Invalid::new($field, $crate::phrase!("core.id.not_an_id", text)))
            }

            /// Returns the sixteen bytes as stored.
            pub const fn bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }

            /// Creates an id from its sixteen stored bytes.
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Uuid::from_bytes(bytes))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }
    )*};
}

ids! {
    /// Id of a mind.
    MindId "mind";
    /// Id of a turn.
    TurnId "turn";
    /// Id of a candidate.
    CandidateId "candidate";
    /// Id of a memory.
    MemoryId "memory";
    /// Id of an assertion.
    AssertionId "assertion";
    /// Id of a statement.
    StatementId "statement";
    /// Id of a fact.
    FactId "fact";
    /// Id of a scene.
    SceneId "scene";
    /// Id of an island.
    IslandId "island";
    /// Id of a belief.
    BeliefId "belief";
    /// Id of a proposal.
    ProposalId "proposal";
    /// Id of an imagination.
    ImaginationId "imagination";
    /// Id of a grant.
    GrantId "grant";
    /// Id of a webhook.
    WebhookId "webhook";
    /// Id of a job.
    JobId "job";
    /// Id of an orchestration.
    OrchestrationId "orchestration";
}

/// Id of a session: supplied by the caller or generated. Not empty, at most 200 characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SessionId(String);

impl SessionId {
    /// Validates a session id supplied by a caller.
    pub fn new(name: impl Into<String>) -> Result<Self, Invalid> {
        let name = name.into();
        let name = name.trim();
        if name.is_empty() || name.chars().count() > 200 {
            return Err(Invalid::new("session", phrase!("core.id.session_length")));
        }
        Ok(Self(name.to_owned()))
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SessionId {
    type Error = Invalid;
    fn try_from(name: String) -> Result<Self, Invalid> {
        Self::new(name)
    }
}

impl From<SessionId> for String {
    fn from(session: SessionId) -> String {
        session.0
    }
}

impl MindId {
    /// Id used to read a mind that does not exist yet. No mind is ever created with it, because real ids contain a creation time.
    pub const UNBEGUN: Self = Self(Uuid::nil());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_creation() {
        let early = MemoryId::new(Timestamp::from_millis(1_000), [255; 10]);
        let late = MemoryId::new(Timestamp::from_millis(1_001), [0; 10]);
        assert!(early < late && early.to_string() < late.to_string());
        assert_eq!(MemoryId::parse(&early.to_string()).unwrap(), early);
    }

    #[test]
    fn a_session_has_a_name() {
        assert!(SessionId::new("  ").is_err());
        assert_eq!(SessionId::new(" 저녁 산책 ").unwrap().as_str(), "저녁 산책");
    }
}
