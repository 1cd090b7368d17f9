//! Proposals that follow from other changes: held messages, recommendations, expiry and erasure.

use saegim_core::{
    CandidateVerdict, Change, Commit, Filing, IntakeDecision, MemoryId, Op, Phrase, Principal, Proposal, ProposalKind, ProposalStatus,
    Proposed, Reason, Round, Thing, Tier, Timestamp, Turn, Wish, next_round, phrase, promotion,
};
use saegim_language::asks_to_keep_forever;
use saegim_store::{CandidatePage, ProposalPage};

use crate::EngineError;
use crate::identity::SelfModel;
use crate::identity::proposals::{LOOKS_BACK, Submission};

impl SelfModel<'_> {
    /// Builds the proposal for a held message that tries to command the memory.
    fn wish_for_candidate(candidate: &saegim_core::Candidate) -> Wish {
        Wish {
            kind: ProposalKind::HeldMessage,
            subject: format!("candidate:{}", candidate.id),
            change: Proposed::Held { candidate: candidate.id, content: candidate.content.clone() },
            reasons: vec![phrase!("engine.proposal_upkeep.injection").into()],
            evidence: Vec::new(),
            recalls: 0,
        }
    }

    /// Builds the proposal for a memory that the user asked to keep permanently.
    fn wish_for_memory(memory: &saegim_core::Memory) -> Wish {
        Wish {
            kind: ProposalKind::CorePromotion,
            subject: format!("memory:{}", memory.id),
            change: Proposed::Core { memory: memory.id, content: memory.content.clone(), from: memory.tier },
            reasons: vec![phrase!("engine.proposal_upkeep.asked_to_remember").into()],
            evidence: vec![memory.id],
            recalls: memory.recalls,
        }
    }

    /// Files proposals for the held candidates of this exchange and for memories the user asked to keep permanently, as part of
    /// its commit.
    pub(crate) async fn hold(&self, commit: &mut Commit, decision: &IntakeDecision) -> Result<(), EngineError> {
        let held = decision.candidates.iter().filter(|candidate| candidate.verdict == CandidateVerdict::Held);
        let mut wishes: Vec<Wish> = held.map(Self::wish_for_candidate).collect();
        // A request to remember something permanently is a request for a core memory, which only the owner can approve.
        let asked = decision.created.iter().map(|created| &created.memory).filter(|memory| memory.remember_this);
        wishes.extend(
            asked
                .filter(|memory| asks_to_keep_forever(memory.original_event.as_deref().unwrap_or(&memory.content)))
                .map(Self::wish_for_memory),
        );
        if wishes.is_empty() {
            return Ok(());
        }
        let mut proposals = self.recently_decided().await?;
        for wish in wishes {
            // If the inbox is full, the candidate stays held and is filed later by `file_held`.
            if let Filing::Filed(proposal) =
                self.filing(wish, Submission { known: &proposals, principal: Principal::Worker, now: self.mind.now() })
            {
                commit.things.push(Thing::Proposal(proposal.id));
                commit.changes.push(Change::ProposalSet(proposal.clone()));
                proposals.push(*proposal);
            }
        }
        Ok(())
    }

    /// Files proposals for held candidates for which the inbox had no room before.
    pub(crate) async fn file_held(&self) -> Result<(), EngineError> {
        let page = CandidatePage { limit: 50, turn: None, verdict: Some(CandidateVerdict::Held) };
        let held = self.mind.store().candidates(self.mind.id, page).await?;
        if held.is_empty() {
            return Ok(());
        }
        let known = self.mind.store().proposals(self.mind.id, ProposalPage { limit: LOOKS_BACK, status: None }).await?;
        for candidate in held.iter().rev() {
            let wish = Self::wish_for_candidate(candidate);
            let asked = known.iter().any(|proposal| proposal.subject == wish.subject);
            if !asked && self.file(wish, Principal::Worker, self.mind.now()).await? == Filing::Full {
                break;
            }
        }
        Ok(())
    }

    /// Returns the changes that blank proposals which contain text of turns to be erased.
    pub(crate) async fn blank_turn_proposals(&self, turns: &[Turn]) -> Result<Vec<Change>, EngineError> {
        let mut changes = Vec::new();
        let known = self.recently_decided().await?;
        let gone = blanked;
        let repeats = |proposal: &&Proposal| match &proposal.change {
            Proposed::FactEnd { turns: repeated, .. } => turns.iter().any(|turn| repeated.contains(&turn.id)),
            _ => false,
        };
        changes.extend(known.iter().filter(repeats).map(gone));
        for turn in turns {
            for candidate in
                self.mind.store().candidates(self.mind.id, CandidatePage { limit: 1000, turn: Some(turn.id), verdict: None }).await?
            {
                let subject = format!("candidate:{}", candidate.id);
                changes.extend(known.iter().filter(|proposal| proposal.subject == subject).map(gone));
            }
        }
        Ok(changes)
    }

    /// Returns the changes that blank proposals about essences which are reworded because one of their originals is erased.
    pub(crate) async fn blank_essence_proposals(&self, reworded: &[saegim_core::Memory]) -> Result<Vec<Change>, EngineError> {
        if reworded.is_empty() {
            return Ok(Vec::new());
        }
        let subjects: Vec<String> = reworded.iter().map(|memory| format!("memory:{}", memory.id)).collect();
        let about = |proposal: &&Proposal| subjects.contains(&proposal.subject) && proposal.change != Proposed::Gone;
        let known = self.recently_decided().await?;
        Ok(known.iter().filter(about).map(blanked).collect())
    }

    /// Proposes core promotion for M365 memories that qualify, those with the most reasons first. Only the owner can approve it.
    pub(crate) async fn recommend(&self, at: Timestamp) -> Result<usize, EngineError> {
        // Texts that a client stores under its own name do not describe the owner's life, so they cannot become core.
        let long: Vec<_> = self.mind.lifecycle().alive(Tier::M365).await?.into_iter().filter(|memory| !memory.is_endless()).collect();
        let islands = self.mind.store().islands(self.mind.id).await?;
        let believed = self.mind.store().current_self(self.mind.id).await?.map(|version| version.beliefs).unwrap_or_default();
        let mut earned: Vec<(usize, Wish)> = Vec::new();
        let zone = &self.mind.inner.config.time_zone;
        let next = next_round(at, Round::Monthly, zone);
        for memory in &long {
            // A memory that expires before the next round is evaluated at its expiry, so that it can complete its year.
            let ends = memory.expires_at.filter(|end| *end >= at && !memory.pinned && next.is_none_or(|next| *end < next));
            let around = saegim_core::Around {
                topic: 1,
                belief: believed.iter().any(|belief| belief.supporting.contains(&memory.id)),
                founds: islands.iter().any(|island| island.founding.contains(&memory.id)),
            };
            let Some(promotion) = promotion(memory, around, ends.unwrap_or(at), &self.mind.policy().promotion) else { continue };
            let mut reasons: Vec<Reason> = promotion.reasons.iter().map(|reason| Reason::from(reason_words(*reason, memory))).collect();
            reasons.extend(ends.map(|end| Reason::from(ends_words(&end.civil(zone).strftime("%Y-%m-%d").to_string()))));
            let change = Proposed::Core { memory: memory.id, content: memory.content.clone(), from: memory.tier };
            let wish = Wish {
                kind: ProposalKind::CorePromotion,
                subject: format!("memory:{}", memory.id),
                change,
                reasons,
                evidence: vec![memory.id],
                recalls: memory.recalls,
            };
            earned.push((promotion.reasons.len(), wish));
        }
        earned.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.recalls.cmp(&a.1.recalls)).then(a.1.subject.cmp(&b.1.subject)));
        let mut filed = 0;
        for (_, wish) in earned {
            match self.file(wish, Principal::Worker, self.mind.now()).await? {
                Filing::Filed(_) => filed += 1,
                Filing::Full => break,
                Filing::Waits(_) | Filing::Refused => {}
            }
        }
        Ok(filed)
    }

    /// Returns the memories with a pending proposal for core promotion.
    pub(crate) async fn proposed_for_core(&self, memories: &[saegim_core::Memory]) -> Result<Vec<MemoryId>, EngineError> {
        if memories.iter().all(|memory| memory.tier != Tier::M365) {
            return Ok(Vec::new());
        }
        let waiting =
            self.mind.store().proposals(self.mind.id, ProposalPage { limit: LOOKS_BACK, status: Some(ProposalStatus::Pending) }).await?;
        let kept = |proposal: &Proposal| match &proposal.change {
            Proposed::Core { memory, .. } => Some(*memory),
            _ => None,
        };
        Ok(waiting.iter().filter_map(kept).collect())
    }

    /// Expires proposals that were not answered in time, and doubts about facts that have changed since.
    pub(crate) async fn lapse(&self) -> Result<(), EngineError> {
        let (now, waiting) = (self.mind.now(), self.mind.store().waiting(self.mind.id).await?);
        if !waiting.doubts && waiting.lapses_at.is_none_or(|first| now < first) {
            return Ok(());
        }
        let mut facts = None;
        for proposal in
            self.mind.store().proposals(self.mind.id, ProposalPage { limit: LOOKS_BACK, status: Some(ProposalStatus::Pending) }).await?
        {
            if now >= proposal.lapses_at {
                self.reject_stale(proposal, "nobody answered in time").await?;
                continue;
            }
            let Proposed::FactEnd { over, beside, .. } = &proposal.change else { continue };
            let known = match &facts {
                Some(known) => known,
                None => facts.insert(saegim_core::Facts::known(self.mind.store().facts(self.mind.id).await?)),
            };
            if !over.iter().chain(beside).all(|fact| fact.holds(known)) {
                self.reject_stale(proposal, "the facts are different by now").await?;
            }
        }
        Ok(())
    }

    /// Marks a proposal as lapsed.
    pub(crate) async fn reject_stale(&self, proposal: Proposal, why: &str) -> Result<(), EngineError> {
        let mut commit = self.mind.lifecycle().worker_commit(Op::Lapse).because(why).about(Thing::Proposal(proposal.id));
        let lapsed = Proposal { status: ProposalStatus::Lapsed, decided_at: Some(self.mind.now()), ..proposal };
        commit.changes.push(Change::ProposalSet(Box::new(lapsed)));
        self.mind.write(commit).await.map(drop)
    }

    /// Lapses the proposals about a memory that the owner has removed directly.
    pub(crate) async fn settle_proposals(&self, id: MemoryId) -> Result<(), EngineError> {
        let subject = format!("memory:{id}");
        for proposal in
            self.mind.store().proposals(self.mind.id, ProposalPage { limit: LOOKS_BACK, status: Some(ProposalStatus::Pending) }).await?
        {
            if proposal.subject == subject {
                self.reject_stale(proposal, "what it asked about is done").await?;
            }
        }
        Ok(())
    }
}

/// Returns the change that removes the content of a proposal.
fn blanked(proposal: &Proposal) -> Change {
    let status = if proposal.status == ProposalStatus::Pending { ProposalStatus::Lapsed } else { proposal.status };
    Change::ProposalSet(Box::new(Proposal { change: Proposed::Gone, status, ..proposal.clone() }))
}

/// States when the memory expires without an answer.
fn ends_words(day: &str) -> Phrase {
    phrase!("engine.proposal_upkeep.expires", day)
}

/// States why a memory qualifies for core.
fn reason_words(reason: saegim_core::PromotionReason, memory: &saegim_core::Memory) -> Phrase {
    use saegim_core::PromotionReason::*;
    let recalls = memory.recalls;
    match reason {
        Lasting => phrase!("engine.proposal_upkeep.reason_lasting"),
        Recalled => phrase!("engine.proposal_upkeep.reason_recalled", recalls),
        Belief => phrase!("engine.proposal_upkeep.reason_belief"),
        Founds => phrase!("engine.proposal_upkeep.reason_founds"),
        Repeated => phrase!("engine.proposal_upkeep.reason_repeated"),
        Moved => phrase!("engine.proposal_upkeep.reason_moved"),
        Remember => phrase!("engine.proposal_upkeep.reason_remember"),
        ChangedBehaviour => phrase!("engine.proposal_upkeep.reason_changed_behaviour"),
        Island => phrase!("engine.proposal_upkeep.reason_island"),
    }
}
