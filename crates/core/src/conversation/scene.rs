//! Scenes: stretches of conversation in one place and time.

use serde::{Deserialize, Serialize};

use crate::{RelationshipPolicy, SceneId, SessionId, Span, Timestamp};

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

impl Scene {
    /// Whether something said in `session` after so long a `quiet` still plays here: the same sitting, and no long silence.
    pub fn goes_on(&self, session: &SessionId, quiet: Span, policy: &RelationshipPolicy) -> bool {
        let silence = Span::seconds(i64::from(policy.scene_silence_minutes) * 60);
        self.session == *session && self.ended_at.is_none() && quiet < silence
    }
}
