//! Reinforces a known memory that a finding mentions again.

use crate::intake::draft::DecisionDraft;
use crate::intake::nearest::Nearest;
use crate::intake::reason::Reason;
use crate::{Again, Candidate, CandidateVerdict, Memory, Source, TurnId};

/// A mention of a known memory.
pub(crate) struct Reinforcement<'a> {
    pub(crate) target: Nearest<'a>,
    /// Earlier mentions that the memory has not counted yet.
    pub(crate) earlier: &'a [TurnId],
    /// Whether the user asked to remember it.
    pub(crate) remember_this: bool,
}

impl DecisionDraft<'_> {
    /// Reinforces a memory and the essences above it, and counts this mention and the earlier ones.
    pub(crate) fn reinforce(&mut self, reinforcement: Reinforcement<'_>, candidate: &mut Candidate) {
        let Reinforcement { target, earlier, remember_this } = reinforcement;
        candidate.verdict = CandidateVerdict::Reinforced;
        candidate.reason = Reason::Known { similarity: target.similarity }.for_text(&target.memory.content);
        candidate.memory = Some(target.memory.id);
        let (policy, turn, at) = (self.policy, self.context.turns, candidate.id.made_at());
        let mentioned_in: Vec<TurnId> = earlier.iter().copied().chain([candidate.turn]).collect();
        let again = Again { times: 0, told_at: at, at, turn };
        let strengthen = |memory: &mut Memory| {
            if memory.source != Source::Distillation {
                memory.strength = memory.strength.renewed(turn, &memory.fading(), &policy.strength);
            }
            memory.remember_this |= remember_this;
            memory.heard_in(&mentioned_in);
        };
        if let Some(created) = self.created.iter_mut().find(|created| created.memory.id == target.memory.id) {
            strengthen(&mut created.memory);
            return;
        }
        self.change(&target.memory, |mut known| {
            strengthen(&mut known);
            if known.source == Source::Distillation { known.told_again(again, policy) } else { known }
        });
        for essence in target.essences {
            self.change(essence, |mut known| {
                known.heard_in(&mentioned_in);
                known.told_again(again, policy)
            });
        }
    }
}
