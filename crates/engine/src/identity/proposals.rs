//! The owner's inbox: proposals with their proposer, reasons and expiry.

use saegim_core::{
    Belief, BeliefChange, CandidateVerdict, Change, Commit, Deed, Filing, Inbox, IntakeDecision, MemoryId, Op, Phrase, Principal, Proposal,
    ProposalId, ProposalKind, ProposalStatus, Proposed, Reason, Round, Span, Standing, Thing, Tier, Timestamp, Turn, Wish,
    belief_confidence, content, filed, next_round, phrase, promotion, statement, supports,
};
use saegim_language::asks_to_keep_forever;
use saegim_store::{CandidatePage, ProposalPage};

use crate::access::grants::meant;
use crate::engine::retrying;
use crate::identity::islands::IslandDraft;
use crate::{EngineError, MindHandle};

/// Number of recent proposals that are checked for duplicates.
const LOOKS_BACK: usize = 500;

/// A request to the owner.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Make this memory a core memory.
    Core(MemoryId),
    /// Rewrite this core memory.
    EditCore(MemoryId, String),
    /// Forget this memory.
    Forget(MemoryId),
    /// Adopt this belief, based on these memories.
    Belief(String, Vec<MemoryId>),
    /// Create this island.
    Island(IslandDraft),
}

impl MindHandle {
    /// Returns proposals with this status, or all, newest first.
    pub async fn proposals(&self, status: Option<ProposalStatus>) -> Result<Vec<Proposal>, EngineError> {
        self.may(Deed::Read).await?;
        Ok(self.store().proposals(self.id, ProposalPage { limit: LOOKS_BACK, status }).await?)
    }

    /// Returns one proposal.
    pub async fn proposal(&self, id: ProposalId) -> Result<Proposal, EngineError> {
        self.may(Deed::Read).await?;
        self.asked(id).await
    }

    pub(crate) async fn asked(&self, id: ProposalId) -> Result<Proposal, EngineError> {
        let found = self.store().proposal(self.id, id).await?;
        found.ok_or_else(|| EngineError::NotFound(phrase!("engine.proposals.not_found")))
    }

    /// Resolves a proposal by digits of its id.
    pub async fn resolve_proposal(&self, digits: &str) -> Result<ProposalId, EngineError> {
        let all = self.store().proposals(self.id, ProposalPage { limit: LOOKS_BACK, status: None }).await?;
        let ids: Vec<ProposalId> = all.into_iter().map(|proposal| proposal.id).collect();
        meant(&ids, digits, || phrase!("engine.proposals.no_match", digits))
    }

    /// Submits a proposal to the owner. Nothing changes until the owner approves it.
    pub async fn propose(&self, ask: Ask) -> Result<Proposal, EngineError> {
        self.may(Deed::Propose).await?;
        let wish = self.wish_of(ask).await?;
        match self.file(wish, self.principal(), self.now()).await? {
            Filing::Filed(proposal) => self.asked(proposal.id).await,
            Filing::Waits(id) => self.asked(id).await,
            Filing::Refused => Err(EngineError::Conflict(phrase!("engine.proposals.already_rejected"))),
            Filing::Full => {
                let why = phrase!("engine.proposals.inbox_full");
                // The refusal is recorded like every other one; the caller may try again later.
                let _ = self.refused_because(Deed::Propose, why.clone()).await;
                Err(EngineError::NotYet(why, self.now().plus(Span::days(1))))
            }
        }
    }

    async fn wish_of(&self, ask: Ask) -> Result<Wish, EngineError> {
        let by: Reason = match self.principal() {
            Principal::Agent => phrase!("engine.proposals.requested_by_agent").into(),
            _ => phrase!("engine.proposals.requested_by_owner").into(),
        };
        let wish =
            |kind, subject: String, change, evidence| Wish { kind, subject, change, reasons: vec![by.clone()], evidence, recalls: 0 };
        Ok(match ask {
            Ask::Core(id) => {
                let memory = self.living(id).await?;
                if memory.tier == Tier::M0 {
                    return Err(EngineError::Conflict(phrase!("engine.proposals.already_core")));
                }
                if memory.trust.get() < self.policy().promotion.core_trust {
                    let why = phrase!("engine.proposals.own_statement");
                    return Err(self.refused_because(Deed::MakeCore, why).await);
                }
                let change = Proposed::Core { memory: id, content: memory.content, from: memory.tier };
                Wish { recalls: memory.recalls, ..wish(ProposalKind::CorePromotion, format!("memory:{id}"), change, vec![id]) }
            }
            Ask::EditCore(id, text) => {
                let memory = self.living(id).await?;
                if memory.tier != Tier::M0 {
                    return Err(EngineError::Conflict(phrase!("engine.proposals.not_core")));
                }
                let change = Proposed::CoreEdit { memory: id, before: memory.content, after: content(&text)? };
                wish(ProposalKind::CoreEdit, format!("memory:{id}"), change, vec![id])
            }
            Ask::Forget(id) => {
                let memory = self.living(id).await?;
                let shaking = self.would_shake(id).await?;
                let kind = if memory.tier == Tier::M0 { ProposalKind::CoreDeletion } else { ProposalKind::Forget };
                let shakes = shaking.iter().map(|island| island.id).collect();
                let mut wish =
                    wish(kind, format!("memory:{id}"), Proposed::Forget { memory: id, content: memory.content, shakes }, vec![id]);
                wish.reasons.extend(shaking.iter().map(|island| Reason::from(shakes_words(&island.name))));
                wish
            }
            Ask::Belief(text, evidence) => self.belief_wish(&statement(&text)?, evidence, by).await?,
            Ask::Island(draft) => {
                let evidence = draft.founding.clone();
                let island = self.drafted_island(draft).await?;
                let subject = format!("island:{}", island.name);
                wish(ProposalKind::Island, subject, Proposed::Island { island: Box::new(island) }, evidence)
            }
        })
    }

    /// Builds the proposal for a suggested belief. Refuses it unless every evidence memory can support a belief.
    async fn belief_wish(&self, text: &str, evidence: Vec<MemoryId>, by: Reason) -> Result<Wish, EngineError> {
        let memories = self.store().memories(self.id, &evidence).await?;
        let policy = &self.policy().belief;
        let carries = |memory: &&saegim_core::Memory| {
            memory.standing == Standing::Alive && matches!(memory.tier, Tier::M0 | Tier::M365) && supports(memory, policy)
        };
        let supporting: Vec<&saegim_core::Memory> = memories.iter().filter(carries).collect();
        if supporting.is_empty() || supporting.len() < evidence.len() {
            let why = phrase!("engine.proposals.evidence_missing");
            return Err(self.refused_because(Deed::WriteSelf, why).await);
        }
        let belief = Belief {
            id: self.belief_id(text),
            statement: text.to_owned(),
            confidence: belief_confidence(&supporting, policy),
            supporting: evidence.clone(),
            island: None,
            formed_at: supporting.iter().map(|memory| memory.created_at).max().unwrap_or_default(),
        };
        let change = BeliefChange::Added { belief };
        let subject = change.subject();
        Ok(Wish {
            kind: ProposalKind::Belief,
            subject,
            change: Proposed::Beliefs { changes: vec![change] },
            reasons: vec![by],
            evidence,
            recalls: 0,
        })
    }

    async fn living(&self, id: MemoryId) -> Result<saegim_core::Memory, EngineError> {
        let memory = self.fetch(id).await?;
        if memory.standing == Standing::OnCliff {
            return Err(EngineError::NotFound(phrase!("engine.proposals.on_cliff", id)));
        }
        Ok(memory)
    }

    /// Files a proposal, unless the inbox is full, it is already pending, or the owner has rejected it.
    pub(crate) async fn file(&self, wish: Wish, principal: Principal, now: Timestamp) -> Result<Filing, EngineError> {
        retrying(|| async {
            let proposals = self.store().proposals(self.id, ProposalPage { limit: LOOKS_BACK, status: None }).await?;
            let filing = self.filing(wish.clone(), (&proposals, principal), now);
            if let Filing::Filed(proposal) = &filing {
                let mut commit =
                    self.commit_as(principal, Op::Propose, &[]).because(proposal.kind.as_str()).about(Thing::Proposal(proposal.id));
                commit.changes.push(Change::ProposalSet(proposal.clone()));
                self.write(commit).await?;
            }
            Ok(filing)
        })
        .await
    }

    /// Returns the most recent proposals in any status.
    pub(crate) async fn looked_back(&self) -> Result<Vec<Proposal>, EngineError> {
        Ok(self.store().proposals(self.id, ProposalPage { limit: LOOKS_BACK, status: None }).await?)
    }

    pub(crate) fn filing(&self, wish: Wish, (proposals, principal): (&[Proposal], Principal), now: Timestamp) -> Filing {
        let digest = wish.change.digest(self.salt());
        let id = ProposalId::new(now, self.inner.config.dice.chance());
        filed(wish, &Inbox { proposals, principal, now, digest, id }, &self.policy().proposal)
    }

    /// Builds the proposal for a held message that tries to command the memory.
    fn held_wish(candidate: &saegim_core::Candidate) -> Wish {
        Wish {
            kind: ProposalKind::HeldMessage,
            subject: format!("candidate:{}", candidate.id),
            change: Proposed::Held { candidate: candidate.id, content: candidate.content.clone() },
            reasons: vec![phrase!("engine.proposals.injection").into()],
            evidence: Vec::new(),
            recalls: 0,
        }
    }

    /// Builds the proposal for a memory that the user asked to keep permanently.
    fn kept_wish(memory: &saegim_core::Memory) -> Wish {
        Wish {
            kind: ProposalKind::CorePromotion,
            subject: format!("memory:{}", memory.id),
            change: Proposed::Core { memory: memory.id, content: memory.content.clone(), from: memory.tier },
            reasons: vec![phrase!("engine.proposals.asked_to_remember").into()],
            evidence: vec![memory.id],
            recalls: memory.recalls,
        }
    }

    /// Files proposals for the held candidates of this exchange and for memories the user asked to keep permanently, as part of
    /// its commit.
    pub(crate) async fn hold(&self, commit: &mut Commit, decision: &IntakeDecision) -> Result<(), EngineError> {
        let held = decision.candidates.iter().filter(|candidate| candidate.verdict == CandidateVerdict::Held);
        let mut wishes: Vec<Wish> = held.map(Self::held_wish).collect();
        // A request to remember something permanently is a request for a core memory, which only the owner can approve.
        let asked = decision.created.iter().map(|created| &created.memory).filter(|memory| memory.remember_this);
        wishes.extend(
            asked.filter(|memory| asks_to_keep_forever(memory.original_event.as_deref().unwrap_or(&memory.content))).map(Self::kept_wish),
        );
        if wishes.is_empty() {
            return Ok(());
        }
        let mut proposals = self.looked_back().await?;
        for wish in wishes {
            // If the inbox is full, the candidate stays held and is filed later by `file_held`.
            if let Filing::Filed(proposal) = self.filing(wish, (&proposals, Principal::Worker), self.now()) {
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
        let held = self.store().candidates(self.id, page).await?;
        if held.is_empty() {
            return Ok(());
        }
        let known = self.store().proposals(self.id, ProposalPage { limit: LOOKS_BACK, status: None }).await?;
        for candidate in held.iter().rev() {
            let wish = Self::held_wish(candidate);
            let asked = known.iter().any(|proposal| proposal.subject == wish.subject);
            if !asked && self.file(wish, Principal::Worker, self.now()).await? == Filing::Full {
                break;
            }
        }
        Ok(())
    }

    /// Returns the changes that blank proposals which contain text of turns to be erased.
    pub(crate) async fn held_from(&self, turns: &[Turn]) -> Result<Vec<Change>, EngineError> {
        let mut changes = Vec::new();
        let known = self.looked_back().await?;
        let gone = blanked;
        let repeats = |proposal: &&Proposal| match &proposal.change {
            Proposed::FactEnd { turns: repeated, .. } => turns.iter().any(|turn| repeated.contains(&turn.id)),
            _ => false,
        };
        changes.extend(known.iter().filter(repeats).map(gone));
        for turn in turns {
            for candidate in self.store().candidates(self.id, CandidatePage { limit: 1000, turn: Some(turn.id), verdict: None }).await? {
                let subject = format!("candidate:{}", candidate.id);
                changes.extend(known.iter().filter(|proposal| proposal.subject == subject).map(gone));
            }
        }
        Ok(changes)
    }

    /// Returns the changes that blank proposals about essences which are reworded because one of their originals is erased.
    pub(crate) async fn spoken_of(&self, reworded: &[saegim_core::Memory]) -> Result<Vec<Change>, EngineError> {
        if reworded.is_empty() {
            return Ok(Vec::new());
        }
        let subjects: Vec<String> = reworded.iter().map(|memory| format!("memory:{}", memory.id)).collect();
        let about = |proposal: &&Proposal| subjects.contains(&proposal.subject) && proposal.change != Proposed::Gone;
        let known = self.looked_back().await?;
        Ok(known.iter().filter(about).map(blanked).collect())
    }

    /// Proposes core promotion for M365 memories that qualify, those with the most reasons first. Only the owner can approve it.
    pub(crate) async fn recommend(&self, at: Timestamp) -> Result<usize, EngineError> {
        // Texts that a client stores under its own name do not describe the owner's life, so they cannot become core.
        let long: Vec<_> = self.alive(Tier::M365).await?.into_iter().filter(|memory| !memory.is_endless()).collect();
        let islands = self.store().islands(self.id).await?;
        let believed = self.store().current_self(self.id).await?.map(|version| version.beliefs).unwrap_or_default();
        let mut earned: Vec<(usize, Wish)> = Vec::new();
        let zone = &self.inner.config.time_zone;
        let next = next_round(at, Round::Monthly, zone);
        for memory in &long {
            // A memory that expires before the next round is evaluated at its expiry, so that it can complete its year.
            let ends = memory.expires_at.filter(|end| *end >= at && !memory.pinned && next.is_none_or(|next| *end < next));
            let around = saegim_core::Around {
                topic: 1,
                belief: believed.iter().any(|belief| belief.supporting.contains(&memory.id)),
                founds: islands.iter().any(|island| island.founding.contains(&memory.id)),
            };
            let Some(promotion) = promotion(memory, around, ends.unwrap_or(at), &self.policy().promotion) else { continue };
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
            match self.file(wish, Principal::Worker, self.now()).await? {
                Filing::Filed(_) => filed += 1,
                Filing::Full => break,
                Filing::Waits(_) | Filing::Refused => {}
            }
        }
        Ok(filed)
    }

    /// Returns the memories with a pending proposal for core promotion.
    pub(crate) async fn asked_to_keep(&self, memories: &[saegim_core::Memory]) -> Result<Vec<MemoryId>, EngineError> {
        if memories.iter().all(|memory| memory.tier != Tier::M365) {
            return Ok(Vec::new());
        }
        let waiting = self.store().proposals(self.id, ProposalPage { limit: LOOKS_BACK, status: Some(ProposalStatus::Pending) }).await?;
        let kept = |proposal: &Proposal| match &proposal.change {
            Proposed::Core { memory, .. } => Some(*memory),
            _ => None,
        };
        Ok(waiting.iter().filter_map(kept).collect())
    }

    /// Expires proposals that were not answered in time, and doubts about facts that have changed since.
    pub(crate) async fn lapse(&self) -> Result<(), EngineError> {
        let (now, waiting) = (self.now(), self.store().waiting(self.id).await?);
        if !waiting.doubts && waiting.lapses_at.is_none_or(|first| now < first) {
            return Ok(());
        }
        let mut facts = None;
        for proposal in self.store().proposals(self.id, ProposalPage { limit: LOOKS_BACK, status: Some(ProposalStatus::Pending) }).await? {
            if now >= proposal.lapses_at {
                self.set_aside(proposal, "nobody answered in time").await?;
                continue;
            }
            let Proposed::FactEnd { over, beside, .. } = &proposal.change else { continue };
            let known = match &facts {
                Some(known) => known,
                None => facts.insert(saegim_core::Facts::known(self.store().facts(self.id).await?)),
            };
            if !over.iter().chain(beside).all(|fact| fact.holds(known)) {
                self.set_aside(proposal, "the facts are different by now").await?;
            }
        }
        Ok(())
    }

    /// Marks a proposal as lapsed.
    pub(crate) async fn set_aside(&self, proposal: Proposal, why: &str) -> Result<(), EngineError> {
        let mut commit = self.worker_commit(Op::Lapse).because(why).about(Thing::Proposal(proposal.id));
        let lapsed = Proposal { status: ProposalStatus::Lapsed, decided_at: Some(self.now()), ..proposal };
        commit.changes.push(Change::ProposalSet(Box::new(lapsed)));
        self.write(commit).await.map(drop)
    }

    /// Lapses the proposals about a memory that the owner has removed directly.
    pub(crate) async fn answer_for(&self, id: MemoryId) -> Result<(), EngineError> {
        let subject = format!("memory:{id}");
        for proposal in self.store().proposals(self.id, ProposalPage { limit: LOOKS_BACK, status: Some(ProposalStatus::Pending) }).await? {
            if proposal.subject == subject {
                self.set_aside(proposal, "what it asked about is done").await?;
            }
        }
        Ok(())
    }

    /// Files a proposal to forget a core memory. Returns the error for the caller, which lists the affected islands and the
    /// command to approve.
    pub(crate) async fn ask_about(&self, memory: &saegim_core::Memory) -> Result<EngineError, EngineError> {
        let filed = self.propose(Ask::Forget(memory.id)).await?;
        let shaking = self.would_shake(memory.id).await?;
        let names: Vec<String> = shaking.iter().map(|island| format!("'{}'", island.name)).collect();
        let names = names.join(", ");
        let id = filed.id.to_string();
        let short = &id[id.len() - 8..];
        Ok(EngineError::Unsure(if shaking.is_empty() {
            phrase!("engine.proposals.confirm_core_change", short)
        } else {
            phrase!("engine.proposals.confirm_island_shake", names, short)
        }))
    }
}

/// Returns the change that removes the content of a proposal.
fn blanked(proposal: &Proposal) -> Change {
    let status = if proposal.status == ProposalStatus::Pending { ProposalStatus::Lapsed } else { proposal.status };
    Change::ProposalSet(Box::new(Proposal { change: Proposed::Gone, status, ..proposal.clone() }))
}

fn shakes_words(name: &str) -> Phrase {
    phrase!("engine.proposals.island_would_shake", name)
}

/// States when the memory expires without an answer.
fn ends_words(day: &str) -> Phrase {
    phrase!("engine.proposals.expires", day)
}

/// States why a memory qualifies for core.
fn reason_words(reason: saegim_core::PromotionReason, memory: &saegim_core::Memory) -> Phrase {
    use saegim_core::PromotionReason::*;
    let recalls = memory.recalls;
    match reason {
        Lasting => phrase!("engine.proposals.reason_lasting"),
        Recalled => phrase!("engine.proposals.reason_recalled", recalls),
        Belief => phrase!("engine.proposals.reason_belief"),
        Founds => phrase!("engine.proposals.reason_founds"),
        Repeated => phrase!("engine.proposals.reason_repeated"),
        Moved => phrase!("engine.proposals.reason_moved"),
        Remember => phrase!("engine.proposals.reason_remember"),
        ChangedBehaviour => phrase!("engine.proposals.reason_changed_behaviour"),
        Island => phrase!("engine.proposals.reason_island"),
    }
}
