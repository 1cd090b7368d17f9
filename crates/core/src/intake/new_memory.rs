//! Builds the memory of a finding.

use crate::intake::context::ReadTurn;
use crate::intake::draft::DecisionDraft;
use crate::intake::finding::IntakeFinding;
use crate::{
    ContentType, Coordinate, Invalid, Knowledge, Memory, MemoryId, MemoryState, Role, Source, Strength, Tier, Unit, Zone, content,
};

impl DecisionDraft<'_> {
    /// Returns the memory of a finding in a message, without storing it.
    pub(crate) fn new_memory(&mut self, read: &ReadTurn, finding: &IntakeFinding, appraisal: Option<Unit>) -> Result<Memory, Invalid> {
        let (turn, policy) = (&read.turn, self.policy);
        let text = content(&finding.content)?;
        let mut memory = Memory {
            id: MemoryId::new(turn.at, self.ids.draw()),
            external_id: None,
            revision: 0,
            standing: MemoryState::Alive,
            kind: finding.class.kind,
            category: finding.class.category,
            source: if matches!(turn.role, Role::System | Role::Event) { Source::Observation } else { Source::Conversation },
            knowledge: if turn.role == Role::Persona { Knowledge::Told } else { Knowledge::Witnessed },
            turns: vec![turn.id],
            feeling: finding.feeling.clone(),
            trust: Unit::clamped(match turn.role {
                Role::User => 1.0,
                Role::System | Role::Event => 0.7,
                Role::Assistant | Role::Persona => 0.5,
            }),
            importance: Unit::ZERO,
            stated_importance: None,
            appraisal,
            counted_references: 0,
            strength: Strength::fresh(self.context.turns),
            recalls: 0,
            mentions: 0,
            last_recalled_at: None,
            created_at: turn.at,
            edited_at: None,
            tier: Tier::M30,
            // The term starts at admission, however old the message is.
            expires_at: Tier::M30.expires(turn.at.max(self.context.now), &policy.tier),
            promoted_from: None,
            pinned: false,
            remember_this: finding.remember_this,
            changed_behaviour: false,
            island: None,
            zone: Zone::Belt,
            zone_score: 0.0,
            tags: Vec::new(),
            rating: None,
            coordinate: coordinate(read),
            essence: None,
            original_event: (text != turn.content).then(|| turn.content.clone()),
            content: text,
            interpretation: None,
            summary: None,
        };
        memory.importance = memory.weighed(0, &policy.importance);
        // The zone is computed for the time of the message, which can be in the past (imports).
        memory.zone_score = memory.nearness(Unit::ZERO).score(turn.at, &policy.zone);
        memory.zone = self.context.zones[Zone::of(memory.zone_score, &policy.zone) as usize];
        Ok(memory)
    }
}

/// Returns the position of a message in the dialogue.
fn coordinate(read: &ReadTurn) -> Coordinate {
    let turn = &read.turn;
    Coordinate {
        session: Some(turn.session.clone()),
        sequence: Some(turn.sequence),
        minutes: Some(turn.at.since(read.session_began).as_millis() as f64 / 60_000.0),
        persona_name: turn.speaker.clone(),
        content_type: Some(match turn.role {
            Role::User => ContentType::UserInput,
            Role::Assistant | Role::Persona => ContentType::PersonaResponse,
            Role::System | Role::Event => ContentType::SystemEvent,
        }),
        ..Coordinate::default()
    }
}
