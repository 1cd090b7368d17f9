//! Turns, the ground truth, and the sessions they were said in.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{Face, Invalid, MemoryId, SessionId, Timestamp, TurnId, content};

word_enum! {
    /// Who spoke a turn.
    Role "role" {
        /// The person.
        User = "user",
        /// The character.
        Assistant = "assistant",
        /// The host's instructions.
        System = "system",
        /// A voice of an orchestrated dialogue.
        Persona = "persona",
        /// Something that happened.
        Event = "event",
    }
}

/// One message as it was said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Its identity.
    pub id: TurnId,
    /// The sitting it belongs to.
    pub session: SessionId,
    /// Its place in the session, from 1.
    pub sequence: u32,
    /// Who spoke.
    pub role: Role,
    /// The speaker's name.
    pub speaker: Option<String>,
    /// What was said.
    pub content: String,
    /// When.
    pub at: Timestamp,
    /// The face that went with it.
    pub face: Option<Face>,
    /// The memories the answer was built on.
    pub injected: Vec<MemoryId>,
    /// Since when it no longer belongs to the conversation: deleted, re-rolled or branched away from.
    pub withdrawn_at: Option<Timestamp>,
}

impl Turn {
    /// Checks what someone said: the same bounds as a memory's content.
    pub fn said(text: &str) -> Result<String, Invalid> {
        content(text).map_err(|invalid| Invalid::new("content", invalid.problem))
    }

    /// Whether it belongs to the conversation as it is now.
    pub const fn is_live(&self) -> bool {
        self.withdrawn_at.is_none()
    }
}

/// One sitting of conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Its name.
    pub name: SessionId,
    /// When it began.
    pub began_at: Timestamp,
    /// When its last turn was said.
    pub last_at: Timestamp,
    /// The place of its last turn.
    pub last_sequence: u32,
    /// The session it branched from, and after which turn of it.
    pub branched_from: Option<(SessionId, u32)>,
}
