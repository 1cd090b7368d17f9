//! What a decision starts from: the state of the mind and the messages with their readings.

use crate::intake::finding::FindingInput;
use crate::{Axis, Calibration, CandidateVerdict, Feeling, Memory, Mood, Phrase, Relationship, SceneId, Timestamp, Turn, Zone};

/// State of the mind before the exchange.
#[derive(Clone, Debug)]
pub struct IntakeContext {
    /// Number of the user's messages so far.
    pub turns: u64,
    /// Mood of the character.
    pub mood: Mood,
    /// Relationship to the user.
    pub relationship: Relationship,
    /// Scene of the exchange.
    pub scene: Option<SceneId>,
    /// Zone of a new memory, by the zone that its score gives: a full zone passes it on to the next outer one.
    pub zones: [Zone; 5],
    /// Current time. The term of a new memory starts now, even if its message is older.
    pub now: Timestamp,
    /// Converts cosines to similarities; `None` without an embedder.
    pub calibration: Option<Calibration>,
}

/// One message with its reading.
#[derive(Clone, Debug)]
pub struct ReadTurn {
    /// The message.
    pub turn: Turn,
    /// Time of the first known message of its session.
    pub session_began: Timestamp,
    /// Feeling by which the message moves the mood; `None` if it does not, as with the character's own messages.
    pub moves_mood: Option<Feeling>,
    /// Effects on the relationship.
    pub effects: Vec<RelationshipEffect>,
    /// Parts of the message that contain nothing to remember.
    pub ignored: Vec<IgnoredPart>,
    /// Findings, in order.
    pub findings: Vec<FindingInput>,
    /// Memories from the prompt that the message restates. They count as recalled.
    pub restated: Vec<Memory>,
    /// Essences above the restated memories.
    pub restated_essences: Vec<Memory>,
}

/// A part of a message that contains nothing to remember.
#[derive(Clone, Debug)]
pub struct IgnoredPart {
    /// Text of the part.
    pub content: String,
    /// Verdict.
    pub verdict: CandidateVerdict,
    /// Reason of the verdict.
    pub reason: Phrase,
}

/// Effect of a message on one axis of the relationship.
#[derive(Clone, Debug, PartialEq)]
pub struct RelationshipEffect {
    /// Affected axis.
    pub axis: Axis,
    /// Change in points, -5..=5; usually one to three.
    pub points: f32,
    /// Words that cause it, as evidence.
    pub cue: String,
}
