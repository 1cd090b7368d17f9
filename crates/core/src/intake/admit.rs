//! Decides by surprise whether a finding becomes a new memory.

use crate::intake::context::ReadTurn;
use crate::intake::draft::{Created, DecisionDraft};
use crate::intake::finding::{Appraised, EarlierMentions, FindingInput, IntakeFinding};
use crate::intake::nearest::Nearest;
use crate::intake::reason::Reason;
use crate::intake::reinforce::Reinforcement;
use crate::{Admission, Candidate, CandidateVerdict, Category, Invalid, Memory, Settled, Unit, Worth, admit};

/// A finding that scored high enough to be admitted.
pub(crate) struct Promoted<'a> {
    pub(crate) read: &'a ReadTurn,
    pub(crate) input: &'a FindingInput,
    /// The finding as judged after its mentions.
    pub(crate) finding: &'a IntakeFinding,
    pub(crate) nearest: Option<Nearest<'a>>,
    /// Earlier mentions that make it a habit or topic; `None` if it is neither.
    pub(crate) mentions: Option<&'a EarlierMentions>,
}

impl DecisionDraft<'_> {
    /// Stores a promoted finding as a memory, reinforces the memory it repeats, or skips it as predictable.
    pub(crate) fn admit(&mut self, promoted: Promoted<'_>, candidate: &mut Candidate) -> Result<(), Invalid> {
        let Promoted { input, finding, .. } = promoted;
        let mut memory = self.conceive(&promoted)?;
        let similarity = promoted.nearest.as_ref().map_or(Unit::ZERO, |nearest| nearest.similarity);
        let admission = self.admission(&promoted, &memory);
        match (admission, promoted.nearest) {
            (Admission::NotNew, Some(target)) => {
                self.reinforce(Reinforcement { target, earlier: &[], remember_this: finding.remember_this }, candidate);
            }
            (Admission::Expected | Admission::NotNew, _) => {
                candidate.reason = Reason::Predictable { similarity }.for_text(&finding.content);
            }
            (Admission::Predictable(importance) | Admission::Surprising(importance), _) => {
                memory.importance = importance;
                memory.appraisal = memory.appraisal.map(|appraisal| appraisal.max(importance));
                candidate.verdict = CandidateVerdict::Stored;
                let times = memory.mentions + 1;
                let reason = match (admission, promoted.mentions) {
                    (Admission::Predictable(_), _) => Reason::Important { similarity },
                    _ if finding.remember_this => Reason::Requested,
                    (_, Some(mentions)) if mentions.is_topic => Reason::Topic { times },
                    (_, Some(_)) => Reason::Habit { times },
                    _ => Reason::New { similarity },
                };
                candidate.reason = reason.for_text(&finding.content);
                candidate.memory = Some(memory.id);
                self.created.push(Created { memory, vector: input.vector.clone(), finding: self.decided });
            }
        }
        Ok(())
    }

    /// Returns the memory of a finding. A habit or topic counts its earlier mentions.
    fn conceive(&mut self, promoted: &Promoted<'_>) -> Result<Memory, Invalid> {
        let appraisal = match promoted.input.appraisal {
            Appraised::Done(appraisal) => appraisal,
            Appraised::NotYet => {
                self.unappraised.push(promoted.finding.content.clone());
                None
            }
        };
        let mut memory = self.new_memory(promoted.read, promoted.finding, appraisal)?;
        if let Some(mentions) = promoted.mentions {
            if !promoted.finding.has_claim {
                memory.category = Some(Category::SharedEvents);
            }
            memory.mentions = mentions.turns.len() as u32;
            memory.turns.splice(0..0, mentions.turns.iter().copied());
        }
        Ok(memory)
    }

    /// Compares the finding with the nearest memory. A changed value of a fact is never skipped as predictable.
    fn admission(&self, promoted: &Promoted<'_>, memory: &Memory) -> Admission {
        let (finding, policy) = (promoted.finding, &self.policy.admission);
        let similarity = promoted.nearest.as_ref().map_or(Unit::ZERO, |nearest| nearest.similarity);
        let changes_fact =
            matches!(promoted.input.fact.effect, Settled::New(_) | Settled::Superseded { .. } | Settled::Ended(_) | Settled::Past(_));
        let worth = if finding.is_great(self.policy) { Worth::Great(memory.importance) } else { Worth::Ordinary(memory.importance) };
        // A habit is always worth storing, however similar other memories are. A finding that is already known is not stored
        // again just because it settled a fact again.
        let known = similarity.get() >= policy.known_from;
        if promoted.mentions.is_some() || !known && (changes_fact || finding.remember_this) {
            return admit(Unit::clamped(similarity.get().min(policy.predictable_from - 1e-3)), worth, policy);
        }
        admit(similarity, worth, policy)
    }
}
