//! Scenes: parts of a conversation in one place and time.

use serde::{Deserialize, Serialize};

use crate::{RelationshipPolicy, SceneId, SessionId, Span, Timestamp};

/// A part of a conversation in one place and time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Id of the scene.
    pub id: SceneId,
    /// Session it belongs to.
    pub session: SessionId,
    /// Place.
    pub place: Option<String>,
    /// Time within the story, in words.
    pub time: Option<String>,
    /// People present.
    pub people: Vec<String>,
    /// Tone.
    pub tone: Option<String>,
    /// Topic.
    pub topic: Option<String>,
    /// Time it started.
    pub began_at: Timestamp,
    /// Time it ended.
    pub ended_at: Option<Timestamp>,
}

impl Scene {
    /// Whether a message in `session` after a silence of `quiet` still belongs to this scene: the same session and no long
    /// silence.
    pub fn goes_on(&self, session: &SessionId, quiet: Span, policy: &RelationshipPolicy) -> bool {
        let silence = policy.scene_silence();
        self.session == *session && self.ended_at.is_none() && quiet < silence
    }
}
