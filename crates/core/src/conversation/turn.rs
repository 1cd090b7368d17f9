//! Turns, the ground truth, and their sessions.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{Face, Invalid, MemoryId, SessionId, Timestamp, TurnId, content};

word_enum! {
    /// Role of a turn's author.
    Role "role" {
        /// The user.
        User = "user",
        /// The character.
        Assistant = "assistant",
        /// Instructions of the host.
        System = "system",
        /// A persona of an orchestrated dialogue.
        Persona = "persona",
        /// An event.
        Event = "event",
    }
}

/// One message as it was sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Id of the turn.
    pub id: TurnId,
    /// Session it belongs to.
    pub session: SessionId,
    /// Position in the session, starting at 1.
    pub sequence: u32,
    /// Role of the author.
    pub role: Role,
    /// Name of the author.
    pub speaker: Option<String>,
    /// Text.
    pub content: String,
    /// Time it was sent.
    pub at: Timestamp,
    /// Face shown with it.
    pub face: Option<Face>,
    /// Memories in the context of the answer.
    pub injected: Vec<MemoryId>,
    /// Time it was removed from the conversation (deleted, regenerated or on another branch); `None` if it is part of it.
    pub withdrawn_at: Option<Timestamp>,
}

impl Turn {
    /// Validates the text of a message, with the same limits as a memory's content.
    pub fn said(text: &str) -> Result<String, Invalid> {
        content(text).map_err(|invalid| Invalid::new("content", invalid.problem))
    }

    /// Whether it is part of the current conversation.
    pub const fn is_live(&self) -> bool {
        self.withdrawn_at.is_none()
    }
}

/// One continuous conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Id of the session.
    pub name: SessionId,
    /// Time it started.
    pub began_at: Timestamp,
    /// Time of its last turn.
    pub last_at: Timestamp,
    /// Position of its last turn.
    pub last_sequence: u32,
    /// Session it branched from, and the position of the turn after which it did.
    pub branched_from: Option<(SessionId, u32)>,
}
