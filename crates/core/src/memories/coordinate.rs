//! Position in time, space and dialogue at which a memory was created.

use serde::{Deserialize, Serialize};

use crate::SessionId;
use crate::primitives::word_enum::word_enum;

word_enum! {
    /// Kind of text a coordinate refers to.
    ContentType "content_type" {
        /// Message by the user.
        UserInput = "user_input",
        /// Message by a persona.
        PersonaResponse = "persona_response",
        /// Event reported by the host.
        SystemEvent = "system_event",
    }
}

word_enum! {
    /// Rhythm phase of the dialogue.
    RhythmPhase "rhythm_phase" {
        /// Combines what was said so far.
        Integration = "integration",
        /// Looks back at what was said.
        Reflection = "reflection",
        /// Lays out next steps.
        Planning = "planning",
        /// Explores new directions.
        Exploration = "exploration",
    }
}

/// Position in time, space and dialogue at which a memory was created. Every field may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Coordinate {
    /// Session it was created in.
    pub session: Option<SessionId>,
    /// Position in the session.
    pub sequence: Option<u32>,
    /// Minutes since the session started.
    pub minutes: Option<f64>,
    /// Current project.
    pub project: Option<String>,
    /// Domain of work or life.
    pub domain: Option<String>,
    /// Open files.
    pub file_context: Vec<String>,
    /// Recursion depth of personas.
    pub depth_index: Option<u32>,
    /// Id of the persona.
    pub persona_id: Option<String>,
    /// Name of the persona.
    pub persona_name: Option<String>,
    /// Role of the persona.
    pub persona_role: Option<String>,
    /// Backend that answered for the persona.
    pub backend: Option<String>,
    /// Kind of text it came from.
    pub content_type: Option<ContentType>,
    /// First 500 characters of the prompt.
    pub prompt_digest: Option<String>,
    /// Number of tokens in the text.
    pub token_count: Option<u32>,
    /// Whether the phase controller had injected an instruction.
    pub phase_injection_applied: bool,
    /// Whether an error had occurred.
    pub error_occurred: bool,
    /// Rhythm phase of the dialogue at that time.
    pub rhythm_phase: Option<RhythmPhase>,
    /// Priority, 1..=4.
    pub priority: Option<u8>,
}
