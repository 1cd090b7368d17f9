//! Identities. Made ones are UUIDv7, so that sorting by id is sorting by birth.

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
            /// A new identity, born `at`, told apart by `chance`.
            pub fn new(at: Timestamp, chance: [u8; 10]) -> Self {
                Self(uuid::Builder::from_unix_timestamp_millis(at.millis().max(0) as u64, &chance).into_uuid())
            }

            /// The moment it was born, as the id itself tells; the beginning of time for an id made elsewhere.
            pub fn made_at(&self) -> Timestamp {
                let (seconds, nanos) = self.0.get_timestamp().map_or((0, 0), |stamp| stamp.to_unix());
                Timestamp::from_millis(seconds as i64 * 1000 + i64::from(nanos / 1_000_000))
            }

            /// Reads the written form.
            pub fn parse(text: &str) -> Result<Self, Invalid> {
                Uuid::try_parse(text).map(Self).map_err(|_| Invalid::new($field, $crate::phrase!("\"{text}\" is not a valid id", "\"{text}\"은(는) 올바른 ID가 아니에요")))
            }

            /// The sixteen bytes as they are stored.
            pub const fn bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }

            /// The identity stored as these sixteen bytes.
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
    /// A mind's identity.
    MindId "mind";
    /// A turn's identity.
    TurnId "turn";
    /// A candidate's identity.
    CandidateId "candidate";
    /// A memory's identity.
    MemoryId "memory";
    /// A statement's identity.
    StatementId "statement";
    /// A fact's identity.
    FactId "fact";
    /// A scene's identity.
    SceneId "scene";
    /// An island's identity.
    IslandId "island";
    /// A belief's identity.
    BeliefId "belief";
    /// A proposal's identity.
    ProposalId "proposal";
    /// An imagination's identity.
    ImaginationId "imagination";
    /// A grant's identity.
    GrantId "grant";
    /// A webhook's identity.
    WebhookId "webhook";
    /// A job's identity.
    JobId "job";
}

/// A session's name: the caller's own, or made here. Never empty, at most 200 characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SessionId(String);

impl SessionId {
    /// Takes a caller's name for a session.
    pub fn new(name: impl Into<String>) -> Result<Self, Invalid> {
        let name = name.into();
        let name = name.trim();
        if name.is_empty() || name.chars().count() > 200 {
            return Err(Invalid::new("session", phrase!("must have 1 to 200 characters", "1~200자로 입력해 주세요")));
        }
        Ok(Self(name.to_owned()))
    }

    /// The name.
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
    /// The id of every mind that is looked at before it has begun. No mind is ever given it: an id tells when it was born.
    pub const UNBEGUN: Self = Self(Uuid::nil());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_birth() {
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
