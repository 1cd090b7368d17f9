//! Updates the relationship after a message of the user.

use crate::intake::context::{ReadTurn, RelationshipEffect};
use crate::intake::draft::DecisionDraft;
use crate::{Axis, RelationshipChange, Role};

impl DecisionDraft<'_> {
    /// Moves the axes of the relationship. Each moves at most by its limit per message.
    pub(crate) fn relate(&mut self, read: &ReadTurn) {
        let (turn, policy) = (&read.turn, &self.policy.relationship);
        if turn.role != Role::User {
            return;
        }
        let told = read.findings.iter().filter(|input| input.finding.has_claim).count();
        let points = policy.familiarity + policy.told * told as f32;
        let talked = RelationshipEffect { axis: Axis::Familiarity, points, cue: familiarity_words(told) };
        for &axis in Axis::ALL {
            let of_axis = || [&talked].into_iter().chain(&read.effects).filter(|effect| effect.axis == axis);
            let sum: f32 = of_axis().map(|effect| effect.points).sum();
            let delta = self.context.relationship.moved(axis, sum, policy);
            if delta != 0.0 {
                let reason = of_axis().map(|effect| effect.cue.as_str()).collect::<Vec<_>>().join(", ");
                self.moved.push(RelationshipChange { turn: turn.id, axis, at: turn.at, scene: self.context.scene, delta, reason });
            }
        }
    }
}

fn familiarity_words(told: usize) -> String {
    match told {
        0 => "talked".into(),
        1 => "talked, and told something of themselves".into(),
        told => format!("talked, and told {told} things of themselves"),
    }
}
