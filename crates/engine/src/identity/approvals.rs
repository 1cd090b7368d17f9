//! The owner's decisions: approve or reject exactly the change that was shown, and undo an approval.

use saegim_core::{
    Belief, BeliefChange, CandidateVerdict, Change, CliffReason, Commit, Deed, Embedding, Fall, Hash, Memory, MemoryId, MemoryState, Op,
    Phrase, Proposal, ProposalId, ProposalKind, ProposalStatus, Proposed, Rejection, SelfReason, SelfVersion, Thing, Tier, changed,
    may_become, phrase,
};

use crate::EngineError;
use crate::identity::SelfModel;
use crate::intake::turn::turn_draft::TurnDraft;

/// Result of a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The proposal after the decision.
    pub proposal: Proposal,
    /// Version of the self that the decision created.
    pub version: Option<u64>,
    /// Messages for the owner: islands that shake or recover because of the decision.
    pub told: Vec<Phrase>,
}

/// A new text of a core memory.
struct CoreRewrite<'a> {
    memory: MemoryId,
    before: &'a str,
    after: &'a str,
    /// Vector of the new text, if there is one.
    vector: Option<Embedding>,
}

impl SelfModel<'_> {
    pub(crate) async fn approve(&self, id: ProposalId, digest: Hash) -> Result<Decision, EngineError> {
        self.mind.may(Deed::Decide).await?;
        let mut proposal = self.answerable(id, digest).await?;
        // Models are asked before the lock of the mind is taken.
        let held = match &proposal.change {
            Proposed::Held { candidate, content } => Some(self.mind.intake().read_held(*candidate, content).await?),
            _ => None,
        };
        let reworded = match &proposal.change {
            Proposed::CoreEdit { after, .. } => self.mind.models().vector_of(after).await.0,
            _ => None,
        };
        let lock = self.mind.intake().turn_lock();
        let mut cached = lock.lock().await;
        let mut commit = self.mind.commit(Op::Approve, &[]).because(proposal.kind.as_str()).about(Thing::Proposal(id));
        let mut version = None;
        let mut came = None;
        match &proposal.change {
            Proposed::Core { memory, content, .. } => came = Some(self.promote_to_core(&mut commit, *memory, content).await?),
            Proposed::CoreEdit { memory, before, after } => {
                self.rewrite_core(&mut commit, CoreRewrite { memory: *memory, before, after, vector: reworded }).await?;
            }
            Proposed::Forget { memory, content, .. } => {
                let memory = self.as_shown(*memory, content).await?;
                let (id, companions) = (memory.id, self.mind.lifecycle().companions(&memory).await?);
                let fall = Fall { at: self.mind.now(), reason: CliffReason::Manual, note: "let go at the owner's word".into() };
                commit = self.mind.removal().with_companions(id, companions, self.mind.removal().move_to_cliff(memory, fall, commit).1);
            }
            Proposed::Beliefs { changes } => version = Some(self.write_self(&mut commit, id, changes).await?),
            Proposed::Island { island } => self.founded(&mut commit, island).await?,
            Proposed::Held { candidate, .. } => {
                let held = held.as_ref().expect("a held candidate was read above");
                let mut draft = TurnDraft { context: self.mind.intake().turn_context(&mut cached).await?, commit };
                let memory = self.mind.intake().admit_held(&mut draft, held).await?;
                commit = draft.commit;
                let verdict = if memory.is_some() { CandidateVerdict::Stored } else { CandidateVerdict::Reinforced };
                commit.changes.push(Change::CandidateSettled { candidate: *candidate, verdict, memory });
                proposal.made_memory = memory;
            }
            Proposed::FactEnd { .. } => {
                self.mind.intake().end_facts(&mut commit, &self.mind.intake().turn_context(&mut cached).await?.facts, &proposal)?
            }
            Proposed::Gone => {
                return Err(EngineError::NotFound(phrase!("engine.approvals.subject_gone")));
            }
        }
        (proposal.status, proposal.decided_at) = (ProposalStatus::Approved, Some(self.mind.now()));
        commit.changes.push(Change::ProposalSet(Box::new(proposal)));
        self.mind.write(commit).await?;
        *cached = None;
        drop(cached);
        if let Some(memory) = came {
            self.core_added(&memory).await?;
        }
        self.decided(id, version).await
    }

    pub(crate) async fn reject(&self, id: ProposalId, digest: Hash) -> Result<Decision, EngineError> {
        self.mind.may(Deed::Decide).await?;
        let mut proposal = self.answerable(id, digest).await?;
        let mut commit = self.mind.commit(Op::Reject, &[]).because(proposal.kind.as_str()).about(Thing::Proposal(id));
        match &proposal.change {
            Proposed::Beliefs { changes } => {
                let known = self.mind.store().rejections(self.mind.id).await?;
                for change in changes {
                    let subject = change.subject();
                    let times = known.iter().find(|rejection| rejection.subject == subject).map_or(0, |rejection| rejection.times) + 1;
                    let rejection = Rejection { subject, evidence: change.evidence().to_vec(), times, at: self.mind.now() };
                    commit.changes.push(Change::BeliefRejected(Box::new(rejection)));
                }
            }
            Proposed::Held { candidate, .. } => {
                commit.changes.push(Change::CandidateSettled { candidate: *candidate, verdict: CandidateVerdict::Rejected, memory: None });
                proposal.change = Proposed::Gone;
            }
            _ => {}
        }
        (proposal.status, proposal.decided_at) = (ProposalStatus::Rejected, Some(self.mind.now()));
        commit.changes.push(Change::ProposalSet(Box::new(proposal)));
        self.mind.write(commit).await?;
        self.decided(id, None).await
    }

    pub(crate) async fn undo(&self, id: ProposalId) -> Result<Decision, EngineError> {
        self.mind.may(Deed::Decide).await?;
        let mut proposal = self.asked(id).await?;
        if proposal.status != ProposalStatus::Approved {
            return Err(EngineError::Conflict(phrase!("engine.approvals.not_approved")));
        }
        let mut commit = self.mind.commit(Op::Undo, &[]).because(proposal.kind.as_str()).about(Thing::Proposal(id));
        let mut version = None;
        match &proposal.change {
            Proposed::Core { memory, from, .. } => {
                let memory = self.mind.fetch(*memory).await?;
                if memory.tier == Tier::M0 && memory.standing == MemoryState::Alive {
                    let back = Memory { tier: *from, expires_at: from.expires(self.mind.now(), &self.mind.policy().tier), ..memory };
                    commit.memories = self.mind.commit(Op::Undo, &[&back]).memories;
                    commit.changes.push(Change::MemoryChanged(Box::new(back)));
                }
            }
            Proposed::CoreEdit { memory, before, after } => {
                let vector = self.mind.models().vector_of(before).await.0;
                self.rewrite_core(&mut commit, CoreRewrite { memory: *memory, before: after, after: before, vector }).await?;
            }
            Proposed::Forget { memory, .. } => {
                let companions = self.mind.removal().fallen_together(*memory).await?;
                for memory in self.mind.store().memories(self.mind.id, &[vec![*memory], companions].concat()).await? {
                    if memory.standing == MemoryState::OnCliff {
                        let back = self.mind.removal().with_restored_state(memory).await?;
                        commit.memories.extend(self.mind.commit(Op::Undo, &[&back]).memories);
                        commit.changes.push(Change::CliffLeft(Box::new(back)));
                    }
                }
            }
            Proposed::Beliefs { changes } => version = Some(self.revert_self(&mut commit, id, changes).await?),
            Proposed::Island { island } => {
                self.island(island.id).await?;
                commit.changes.push(Change::IslandGone(island.id));
            }
            Proposed::Held { .. } => {
                if let Some(memory) = proposal.made_memory {
                    let memory = self.mind.fetch(memory).await?;
                    let fall = Fall { at: self.mind.now(), reason: CliffReason::Manual, note: "its approval was taken back".into() };
                    commit = self.mind.removal().move_to_cliff(memory, fall, commit).1;
                }
            }
            Proposed::FactEnd { .. } => self.mind.intake().unend_facts(&mut commit, id).await?,
            Proposed::Gone => {
                return Err(EngineError::NotFound(phrase!("engine.approvals.subject_gone")));
            }
        }
        (proposal.status, proposal.decided_at) = (ProposalStatus::Undone, Some(self.mind.now()));
        commit.changes.push(Change::ProposalSet(Box::new(proposal)));
        self.mind.write(commit).await?;
        self.decided(id, version).await
    }

    async fn decided(&self, id: ProposalId, version: Option<u64>) -> Result<Decision, EngineError> {
        let told = self.settle_islands().await?;
        self.reflect().await?;
        Ok(Decision { proposal: self.asked(id).await?, version, told })
    }

    /// Returns a pending proposal whose content is still what the owner was shown.
    async fn answerable(&self, id: ProposalId, digest: Hash) -> Result<Proposal, EngineError> {
        let proposal = self.asked(id).await?;
        if proposal.status != ProposalStatus::Pending || self.mind.now() >= proposal.lapses_at {
            let status = if proposal.status == ProposalStatus::Pending { ProposalStatus::Lapsed } else { proposal.status };
            return Err(EngineError::Conflict(phrase!("engine.approvals.not_pending", status)));
        }
        if proposal.digest != digest {
            let diff: Vec<String> = proposal.change.diff().iter().map(|line| format!("{} {}", line.sign, line.text)).collect();
            let (diff, short) = (diff.join("\n"), &proposal.digest.to_string()[..8]);
            return Err(EngineError::Conflict(phrase!("engine.approvals.proposal_changed", short, diff)));
        }
        Ok(proposal)
    }

    /// Returns a live memory whose content is still what was shown.
    async fn as_shown(&self, id: MemoryId, content: &str) -> Result<Memory, EngineError> {
        let memory = self.mind.fetch(id).await?;
        if memory.content != content || memory.standing == MemoryState::OnCliff {
            return Err(stale());
        }
        Ok(memory)
    }

    /// Returns a memory whose content is still what was shown. It may have expired while the proposal was pending.
    async fn as_recommended(&self, id: MemoryId, content: &str) -> Result<Memory, EngineError> {
        let memory = self.mind.fetch(id).await?;
        let fallen = self.mind.store().cliff(self.mind.id).await?;
        let ran_out = fallen.iter().any(|fallen| fallen.memory.id == id && fallen.entry.reason == CliffReason::Expired);
        if memory.content != content || (memory.standing == MemoryState::OnCliff && !ran_out) {
            return Err(stale());
        }
        Ok(memory)
    }

    async fn promote_to_core(&self, commit: &mut Commit, id: MemoryId, content: &str) -> Result<Memory, EngineError> {
        let memory = self.as_recommended(id, content).await?;
        if memory.trust.get() < self.mind.policy().promotion.core_trust {
            return Err(EngineError::Conflict(phrase!("engine.approvals.trust_too_low")));
        }
        let fell = memory.standing == MemoryState::OnCliff;
        let core = Memory { tier: Tier::M0, expires_at: None, standing: MemoryState::Alive, ..memory };
        commit.memories = self.mind.commit(commit.operation, &[&core]).memories;
        let kept = Box::new(core.clone());
        commit.changes.push(if fell { Change::CliffLeft(kept) } else { Change::MemoryChanged(kept) });
        Ok(core)
    }

    async fn rewrite_core(&self, commit: &mut Commit, rewrite: CoreRewrite<'_>) -> Result<(), EngineError> {
        let CoreRewrite { memory: id, before, after, vector } = rewrite;
        let memory = self.as_shown(id, before).await?;
        let rewritten = Memory { content: after.to_owned(), edited_at: Some(self.mind.now()), ..memory };
        commit.memories = self.mind.commit(commit.operation, &[&rewritten]).memories;
        commit.changes.push(Change::MemoryChanged(Box::new(rewritten)));
        commit.changes.extend(vector.map(|vector| self.mind.models().embedded(id, vector)));
        Ok(())
    }

    /// Writes the next version of the self, within the limits on self change.
    async fn write_self(&self, commit: &mut Commit, proposal: ProposalId, changes: &[BeliefChange]) -> Result<u64, EngineError> {
        let history = self.mind.store().self_versions(self.mind.id).await?;
        let (now, policy) = (self.mind.now(), &self.mind.policy().belief);
        let current: &[Belief] = history.last().map_or(&[], |version| &version.beliefs);
        let mut beliefs = changed(current, changes).map_err(|_| stale())?;
        for belief in beliefs.iter_mut().filter(|belief| changes.iter().any(|change| change.id() == belief.id)) {
            belief.formed_at = now;
        }
        self.check_evidence(changes).await?;
        if let Err(why) = may_become(&history, &beliefs, now, policy) {
            // The owner has the permission; too much change at once only has to wait. The attempt is recorded.
            self.mind.access().refused(Deed::WriteSelf).await;
            return Err(EngineError::NotYet(why.phrase(policy), why.again_at));
        }
        let reason = if history.is_empty() { SelfReason::Formed } else { SelfReason::Approved };
        let version = history.last().map_or(1, |version| version.version + 1);
        commit.things.push(Thing::Version(version));
        let next = SelfVersion { version, made_at: now, reason, proposal: Some(proposal), beliefs };
        commit.changes.push(Change::SelfVersioned(Box::new(next)));
        Ok(version)
    }

    /// Refuses a belief whose evidence was removed or lost its trust since it was proposed.
    async fn check_evidence(&self, changes: &[BeliefChange]) -> Result<(), EngineError> {
        for change in changes.iter().filter(|change| !matches!(change, BeliefChange::Dropped { .. })) {
            let ground = self.mind.store().memories(self.mind.id, change.evidence()).await?;
            let carries =
                |memory: &Memory| memory.standing == MemoryState::Alive && saegim_core::supports(memory, &self.mind.policy().belief);
            if !ground.iter().any(carries) {
                return Err(EngineError::Conflict(phrase!("engine.approvals.support_gone")));
            }
        }
        Ok(())
    }

    /// Reverts the self changes of an approval. The limits on self change do not apply to the owner's undo.
    async fn revert_self(&self, commit: &mut Commit, proposal: ProposalId, changes: &[BeliefChange]) -> Result<u64, EngineError> {
        let history = self.mind.store().self_versions(self.mind.id).await?;
        let made = history.iter().position(|version| version.proposal == Some(proposal) && version.reason != SelfReason::Undone);
        let (Some(current), Some(made)) = (history.last(), made) else { return Err(stale()) };
        let before: &[Belief] = made.checked_sub(1).map_or(&[], |place| &history[place].beliefs);
        let mut beliefs = current.beliefs.clone();
        for change in changes {
            let old = before.iter().find(|belief| belief.id == change.id());
            beliefs.retain(|belief| belief.id != change.id());
            beliefs.extend(old.cloned());
        }
        let version = current.version + 1;
        commit.things.push(Thing::Version(version));
        let next = SelfVersion { version, made_at: self.mind.now(), reason: SelfReason::Undone, proposal: Some(proposal), beliefs };
        commit.changes.push(Change::SelfVersioned(Box::new(next)));
        Ok(version)
    }

    pub(crate) async fn waiting(&self) -> Result<usize, EngineError> {
        Ok(self.proposals(Some(ProposalStatus::Pending)).await?.len())
    }

    pub(crate) async fn waiting_of(&self, kind: ProposalKind) -> Result<Vec<Proposal>, EngineError> {
        Ok(self.proposals(Some(ProposalStatus::Pending)).await?.into_iter().filter(|proposal| proposal.kind == kind).collect())
    }
}

/// Error for a decision about content that has changed since it was shown.
pub(crate) fn stale() -> EngineError {
    EngineError::Conflict(phrase!("engine.approvals.subject_changed"))
}
