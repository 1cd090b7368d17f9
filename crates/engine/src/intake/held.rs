//! Admits a held candidate after the owner approved it.

use saegim_core::{
    ApprovedCandidate, Candidate, CandidateId, CandidateType, CandidateVerdict, MemoryId, ReadTurn, Role, Thought, Turn, Unit,
    decide_approval, phrase,
};
use saegim_language::{About, Finding, ReadBy};

use crate::EngineError;
use crate::intake::Intake;
use crate::intake::turn::finding_lookup::FindingLookup;
use crate::intake::turn::model_results::ModelResults;
use crate::intake::turn::turn_draft::TurnDraft;

/// A held candidate as a finding, with the answers of models about it.
pub(crate) struct HeldFinding {
    candidate: Candidate,
    turn: Turn,
    finding: Finding,
    results: ModelResults,
}

impl Intake<'_> {
    /// Reads a held candidate. Called before the lock of the mind is taken, because models are asked.
    pub(crate) async fn read_held(&self, id: CandidateId, text: &str) -> Result<HeldFinding, EngineError> {
        let gone = || EngineError::NotFound(phrase!("engine.held.message_gone"));
        let candidate = self.mind.store().candidate(self.mind.id, id).await?.ok_or_else(gone)?;
        let turn = self.mind.store().turns_by_id(self.mind.id, &[candidate.turn]).await?.pop().ok_or_else(gone)?;
        let feeling = self.mind.models().think(Thought::Feel, |thinker| thinker.feel(text)).await.unwrap_or_default();
        let finding = Finding {
            content: text.to_owned(),
            candidate_type: CandidateType::Fact,
            about: About::Both,
            claim: None,
            feeling,
            confidence: Unit::ONE,
            future_impact: Unit::clamped(0.5),
            remember_this: turn.role == Role::User,
            corrects: false,
            appraisal: None,
            read_by: ReadBy::Rules,
        };
        let mut results = ModelResults::default();
        self.embed(&mut results, &[text]).await;
        self.appraise(&mut results, &[text.to_owned()]).await?;
        Ok(HeldFinding { candidate, turn, finding, results })
    }

    /// Admits a held candidate as if the user had asked to remember it. Adds the changes to the commit and returns the new memory, or
    /// `None` if it was already known.
    pub(crate) async fn admit_held(&self, draft: &mut TurnDraft, held: &HeldFinding) -> Result<Option<MemoryId>, EngineError> {
        let HeldFinding { candidate, turn, finding, results } = held;
        let facts = &draft.context.facts;
        let lookup = FindingLookup { turn, finding, facts, injected: &[], earlier: &[], results };
        let input = self.look_up_approved(lookup).await?;
        let began = draft.context.window.iter().find(|other| other.session == turn.session).map_or(turn.at, |first| first.at);
        let read = ReadTurn {
            turn: turn.clone(),
            session_began: began,
            moves_mood: None,
            effects: Vec::new(),
            ignored: Vec::new(),
            findings: Vec::new(),
            restated: Vec::new(),
            restated_essences: Vec::new(),
        };
        let approved = ApprovedCandidate { candidate: candidate.clone(), read: &read, input: &input };
        let start = self.intake_context(&draft.context).await?;
        let mut decision = decide_approval(start, approved, self.mind.policy(), self.decision_ids())?;
        let candidate = decision.candidates.pop().expect("the decision returns the candidate it was given");
        self.apply(draft, &decision);
        Ok(candidate.memory.filter(|_| candidate.verdict == CandidateVerdict::Stored))
    }
}
