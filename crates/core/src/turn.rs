//! Turns, the ground truth, and what is taken from them: candidates, facts, scenes.

use serde::{Deserialize, Serialize};

use crate::word_enum::word_enum;
use crate::{CandidateId, Face, FactId, Feeling, MemoryId, SceneId, SessionId, Timestamp, TurnId, Unit};

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
}

word_enum! {
    /// What a candidate is.
    CandidateType "type" {
        /// Something promised.
        Promise = "promise",
        /// Something not to be done.
        Boundary = "boundary",
        /// Something that is so.
        Fact = "fact",
        /// How the two stand to each other.
        Relationship = "relationship",
        /// Something intended.
        Plan = "plan",
        /// Something liked or disliked.
        Preference = "preference",
        /// Something felt.
        Feeling = "feeling",
        /// Something that happened.
        Event = "event",
        /// Nothing worth keeping.
        SmallTalk = "small_talk",
    }
}

word_enum! {
    /// What became of a candidate.
    CandidateVerdict "verdict" {
        /// It became a memory.
        Stored = "stored",
        /// It was joined to a memory.
        Merged = "merged",
        /// It made a memory stronger.
        Reinforced = "reinforced",
        /// It was not worth keeping.
        Skipped = "skipped",
        /// It waits for the owner.
        Held = "held",
        /// It must not be kept.
        Rejected = "rejected",
    }
}

/// Something taken from a turn that may be worth remembering, with how it was judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its identity.
    pub id: CandidateId,
    /// The turn it was taken from.
    pub turn: TurnId,
    /// What it says.
    pub content: String,
    /// What it is.
    #[serde(rename = "type")]
    pub candidate_type: CandidateType,
    /// The six factors it was scored by.
    pub factors: Factors,
    /// The score.
    pub score: Unit,
    /// What became of it.
    pub verdict: CandidateVerdict,
    /// Why, in words.
    pub reason: String,
    /// The memory it became or touched.
    pub memory: Option<MemoryId>,
}

/// The six factors of a candidate's score, each 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Factors {
    /// What its type weighs.
    pub type_weight: Unit,
    /// How sure the extraction is.
    pub confidence: Unit,
    /// How much it will matter later.
    pub future_impact: Unit,
    /// How strong the feeling is.
    pub emotion_intensity: Unit,
    /// How often it came up.
    pub recurrence: Unit,
    /// How new it is.
    pub novelty: Unit,
}

word_enum! {
    /// What a fact is about.
    FactCategory "category" {
        /// Who the user is; always given to the model.
        Identity = "identity",
        /// What the user likes and dislikes.
        Preference = "preference",
        /// How things stand.
        Situation = "situation",
        /// What someone did: a shared experience, not a fact.
        Behaviour = "behaviour",
    }
}

/// A structured thing known about the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Its identity.
    pub id: FactId,
    /// The canonical subject, e.g. `residence`.
    pub subject: String,
    /// The value in the user's words.
    pub value: String,
    /// What it is about.
    pub category: FactCategory,
    /// Whether the subject holds one value at a time.
    pub single: bool,
    /// What goes with it.
    pub feeling: Feeling,
    /// How much it matters.
    pub importance: Unit,
    /// How sure it is.
    pub confidence: Unit,
    /// Since when it holds.
    pub valid_from: Timestamp,
    /// Until when it held; open for a current fact.
    pub valid_to: Option<Timestamp>,
    /// The fact that took its place.
    pub superseded_by: Option<FactId>,
    /// How often it was said again.
    pub mentions: u32,
    /// The turns it was learned from.
    pub turns: Vec<TurnId>,
}

/// A stretch of conversation in one place and time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Its identity.
    pub id: SceneId,
    /// The sitting it belongs to.
    pub session: SessionId,
    /// Where it plays.
    pub place: Option<String>,
    /// When it plays, in the story's words.
    pub time: Option<String>,
    /// Who is there.
    pub people: Vec<String>,
    /// How it sounds.
    pub tone: Option<String>,
    /// What it is about.
    pub topic: Option<String>,
    /// When it began.
    pub began_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}
