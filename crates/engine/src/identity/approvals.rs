//! The owner's decisions: approve or reject exactly the change that was shown, and undo an approval.

use saegim_core::{
    Belief, BeliefChange, CandidateVerdict, Change, CliffReason, Commit, Deed, Embedding, Fall, Hash, Memory, MemoryId, Op, Phrase,
    Proposal, ProposalId, ProposalKind, ProposalStatus, Proposed, Rejection, SelfReason, SelfVersion, Standing, Thing, Tier, changed,
    may_become, phrase,
};

use crate::intake::turn::turn_draft::TurnDraft;
use crate::{EngineError, MindHandle};

/// Result of a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
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

impl MindHandle {
    /// Approves the change with this digest.
    pub async fn approve(&self, id: ProposalId, digest: Hash) -> Result<Decided, EngineError> {
        self.may(Deed::Decide).await?;
        let mut proposal = self.answerable(id, digest).await?;
        // Models are asked before the lock of the mind is taken.
        let held = match &proposal.change {
            Proposed::Held { candidate, content } => Some(self.intake().read_held(*candidate, content).await?),
            _ => None,
        };
        let reworded = match &proposal.change {
            Proposed::CoreEdit { after, .. } => self.vector_of(after).await.0,
            _ => None,
        };
        let lock = self.intake().turn_lock();
        let mut cached = lock.lock().await;
        let mut commit = self.commit(Op::Approve, &[]).because(proposal.kind.as_str()).about(Thing::Proposal(id));
        let mut version = None;
        let mut came = None;
        match &proposal.change {
            Proposed::Core { memory, content, .. } => came = Some(self.promote_to_core(&mut commit, *memory, content).await?),
            Proposed::CoreEdit { memory, before, after } => {
                self.rewrite_core(&mut commit, CoreRewrite { memory: *memory, before, after, vector: reworded }).await?;
            }
            Proposed::Forget { memory, content, .. } => {
                let memory = self.as_shown(*memory, content).await?;
                let (id, companions) = (memory.id, self.companions(&memory).await?);
                let fall = Fall { at: self.now(), reason: CliffReason::Manual, note: "let go at the owner's word".into() };
                commit = self.falling_with(id, companions, self.falling(memory, fall, commit).1);
            }
            Proposed::Beliefs { changes } => version = Some(self.write_self(&mut commit, (id, changes)).await?),
            Proposed::Island { island } => self.founded(&mut commit, island).await?,
            Proposed::Held { candidate, .. } => {
                let held = held.as_ref().expect("a held candidate was read above");
                let mut draft = TurnDraft { context: self.intake().turn_context(&mut cached).await?, commit };
                let memory = self.intake().admit_held(&mut draft, held).await?;
                commit = draft.commit;
                let verdict = if memory.is_some() { CandidateVerdict::Stored } else { CandidateVerdict::Reinforced };
                commit.changes.push(Change::CandidateSettled { candidate: *candidate, verdict, memory });
                proposal.made_memory = memory;
            }
            Proposed::FactEnd { .. } => {
                self.intake().end_facts(&mut commit, &self.intake().turn_context(&mut cached).await?.facts, &proposal)?
            }
            Proposed::Gone => {
                return Err(EngineError::NotFound(phrase!("engine.approvals.subject_gone")));
            }
        }
        (proposal.status, proposal.decided_at) = (ProposalStatus::Approved, Some(self.now()));
        commit.changes.push(Change::ProposalSet(Box::new(proposal)));
        self.write(commit).await?;
        *cached = None;
        drop(cached);
        if let Some(memory) = came {
            self.core_came(&memory).await?;
        }
        self.decided(id, version).await
    }

    /// Rejects the change with this digest.
    pub async fn reject(&self, id: ProposalId, digest: Hash) -> Result<Decided, EngineError> {
        self.may(Deed::Decide).await?;
        let mut proposal = self.answerable(id, digest).await?;
        let mut commit = self.commit(Op::Reject, &[]).because(proposal.kind.as_str()).about(Thing::Proposal(id));
        match &proposal.change {
            Proposed::Beliefs { changes } => {
                let known = self.store().rejections(self.id).await?;
                for change in changes {
                    let subject = change.subject();
                    let times = known.iter().find(|rejection| rejection.subject == subject).map_or(0, |rejection| rejection.times) + 1;
                    let rejection = Rejection { subject, evidence: change.evidence().to_vec(), times, at: self.now() };
                    commit.changes.push(Change::BeliefRejected(Box::new(rejection)));
                }
            }
            Proposed::Held { candidate, .. } => {
                commit.changes.push(Change::CandidateSettled { candidate: *candidate, verdict: CandidateVerdict::Rejected, memory: None });
                proposal.change = Proposed::Gone;
            }
            _ => {}
        }
        (proposal.status, proposal.decided_at) = (ProposalStatus::Rejected, Some(self.now()));
        commit.changes.push(Change::ProposalSet(Box::new(proposal)));
        self.write(commit).await?;
        self.decided(id, None).await
    }

    /// Undoes an approval as far as still possible.
    pub async fn undo(&self, id: ProposalId) -> Result<Decided, EngineError> {
        self.may(Deed::Decide).await?;
        let mut proposal = self.asked(id).await?;
        if proposal.status != ProposalStatus::Approved {
            return Err(EngineError::Conflict(phrase!("engine.approvals.not_approved")));
        }
        let mut commit = self.commit(Op::Undo, &[]).because(proposal.kind.as_str()).about(Thing::Proposal(id));
        let mut version = None;
        match &proposal.change {
            Proposed::Core { memory, from, .. } => {
                let memory = self.fetch(*memory).await?;
                if memory.tier == Tier::M0 && memory.standing == Standing::Alive {
                    let back = Memory { tier: *from, expires_at: from.expires(self.now(), &self.policy().tier), ..memory };
                    commit.memories = self.commit(Op::Undo, &[&back]).memories;
                    commit.changes.push(Change::MemoryChanged(Box::new(back)));
                }
            }
            Proposed::CoreEdit { memory, before, after } => {
                let vector = self.vector_of(before).await.0;
                self.rewrite_core(&mut commit, CoreRewrite { memory: *memory, before: after, after: before, vector }).await?;
            }
            Proposed::Forget { memory, .. } => {
                let companions = self.fell_with(*memory).await?;
                for memory in self.store().memories(self.id, &[vec![*memory], companions].concat()).await? {
                    if memory.standing == Standing::OnCliff {
                        let back = self.alive_again(memory).await?;
                        commit.memories.extend(self.commit(Op::Undo, &[&back]).memories);
                        commit.changes.push(Change::CliffLeft(Box::new(back)));
                    }
                }
            }
            Proposed::Beliefs { changes } => version = Some(self.unwrite_self(&mut commit, (id, changes)).await?),
            Proposed::Island { island } => {
                self.island(island.id).await?;
                commit.changes.push(Change::IslandGone(island.id));
            }
            Proposed::Held { .. } => {
                if let Some(memory) = proposal.made_memory {
                    let memory = self.fetch(memory).await?;
                    let fall = Fall { at: self.now(), reason: CliffReason::Manual, note: "its approval was taken back".into() };
                    commit = self.falling(memory, fall, commit).1;
                }
            }
            Proposed::FactEnd { .. } => self.intake().unend_facts(&mut commit, id).await?,
            Proposed::Gone => {
                return Err(EngineError::NotFound(phrase!("engine.approvals.subject_gone")));
            }
        }
        (proposal.status, proposal.decided_at) = (ProposalStatus::Undone, Some(self.now()));
        commit.changes.push(Change::ProposalSet(Box::new(proposal)));
        self.write(commit).await?;
        self.decided(id, version).await
    }

    async fn decided(&self, id: ProposalId, version: Option<u64>) -> Result<Decided, EngineError> {
        let told = self.settle_islands().await?;
        self.reflect().await?;
        Ok(Decided { proposal: self.asked(id).await?, version, told })
    }

    /// Returns a pending proposal whose content is still what the owner was shown.
    async fn answerable(&self, id: ProposalId, digest: Hash) -> Result<Proposal, EngineError> {
        let proposal = self.asked(id).await?;
        if proposal.status != ProposalStatus::Pending || self.now() >= proposal.lapses_at {
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
        let memory = self.fetch(id).await?;
        if memory.content != content || memory.standing == Standing::OnCliff {
            return Err(stale());
        }
        Ok(memory)
    }

    /// Returns a memory whose content is still what was shown. It may have expired while the proposal was pending.
    async fn as_recommended(&self, id: MemoryId, content: &str) -> Result<Memory, EngineError> {
        let memory = self.fetch(id).await?;
        let fallen = self.store().cliff(self.id).await?;
        let ran_out = fallen.iter().any(|fallen| fallen.memory.id == id && fallen.entry.reason == CliffReason::Expired);
        if memory.content != content || (memory.standing == Standing::OnCliff && !ran_out) {
            return Err(stale());
        }
        Ok(memory)
    }

    async fn promote_to_core(&self, commit: &mut Commit, id: MemoryId, content: &str) -> Result<Memory, EngineError> {
        let memory = self.as_recommended(id, content).await?;
        if memory.trust.get() < self.policy().promotion.core_trust {
            return Err(EngineError::Conflict(phrase!("engine.approvals.trust_too_low")));
        }
        let fell = memory.standing == Standing::OnCliff;
        let core = Memory { tier: Tier::M0, expires_at: None, standing: Standing::Alive, ..memory };
        commit.memories = self.commit(commit.operation, &[&core]).memories;
        let kept = Box::new(core.clone());
        commit.changes.push(if fell { Change::CliffLeft(kept) } else { Change::MemoryChanged(kept) });
        Ok(core)
    }

    async fn rewrite_core(&self, commit: &mut Commit, rewrite: CoreRewrite<'_>) -> Result<(), EngineError> {
        let CoreRewrite { memory: id, before, after, vector } = rewrite;
        let memory = self.as_shown(id, before).await?;
        let rewritten = Memory { content: after.to_owned(), edited_at: Some(self.now()), ..memory };
        commit.memories = self.commit(commit.operation, &[&rewritten]).memories;
        commit.changes.push(Change::MemoryChanged(Box::new(rewritten)));
        commit.changes.extend(vector.map(|vector| self.embedded(id, vector)));
        Ok(())
    }

    /// Writes the next version of the self, within the limits on self change.
    async fn write_self(&self, commit: &mut Commit, (proposal, changes): (ProposalId, &[BeliefChange])) -> Result<u64, EngineError> {
        let history = self.store().self_versions(self.id).await?;
        let (now, policy) = (self.now(), &self.policy().belief);
        let current: &[Belief] = history.last().map_or(&[], |version| &version.beliefs);
        let mut beliefs = changed(current, changes).map_err(|_| stale())?;
        for belief in beliefs.iter_mut().filter(|belief| changes.iter().any(|change| change.id() == belief.id)) {
            belief.formed_at = now;
        }
        self.still_carried(changes).await?;
        if let Err(why) = may_become(&history, &beliefs, now, policy) {
            // The owner has the permission; too much change at once only has to wait. The attempt is recorded.
            self.refused(Deed::WriteSelf).await;
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
    async fn still_carried(&self, changes: &[BeliefChange]) -> Result<(), EngineError> {
        for change in changes.iter().filter(|change| !matches!(change, BeliefChange::Dropped { .. })) {
            let ground = self.store().memories(self.id, change.evidence()).await?;
            let carries = |memory: &Memory| memory.standing == Standing::Alive && saegim_core::supports(memory, &self.policy().belief);
            if !ground.iter().any(carries) {
                return Err(EngineError::Conflict(phrase!("engine.approvals.support_gone")));
            }
        }
        Ok(())
    }

    /// Reverts the self changes of an approval. The limits on self change do not apply to the owner's undo.
    async fn unwrite_self(&self, commit: &mut Commit, (proposal, changes): (ProposalId, &[BeliefChange])) -> Result<u64, EngineError> {
        let history = self.store().self_versions(self.id).await?;
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
        let next = SelfVersion { version, made_at: self.now(), reason: SelfReason::Undone, proposal: Some(proposal), beliefs };
        commit.changes.push(Change::SelfVersioned(Box::new(next)));
        Ok(version)
    }

    /// Returns the number of pending proposals.
    pub async fn waiting(&self) -> Result<usize, EngineError> {
        Ok(self.proposals(Some(ProposalStatus::Pending)).await?.len())
    }

    /// Returns the pending proposals of one kind.
    pub async fn waiting_of(&self, kind: ProposalKind) -> Result<Vec<Proposal>, EngineError> {
        Ok(self.proposals(Some(ProposalStatus::Pending)).await?.into_iter().filter(|proposal| proposal.kind == kind).collect())
    }
}

/// Error for a decision about content that has changed since it was shown.
pub(crate) fn stale() -> EngineError {
    EngineError::Conflict(phrase!("engine.approvals.subject_changed"))
}
