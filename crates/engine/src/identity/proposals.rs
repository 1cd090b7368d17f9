//! The owner's inbox: proposals with their proposer, reasons and expiry.

use saegim_core::{
    Belief, BeliefChange, Change, Deed, Filing, Inbox, MemoryId, MemoryState, Op, Phrase, Principal, Proposal, ProposalId, ProposalKind,
    ProposalStatus, Proposed, Reason, Span, Thing, Tier, Timestamp, Wish, belief_confidence, content, filed, phrase, statement, supports,
};
use saegim_store::ProposalPage;

use crate::EngineError;
use crate::access::grants::meant;
use crate::engine::retrying;
use crate::identity::SelfModel;
use crate::identity::islands::IslandDraft;

/// Number of recent proposals that are checked for duplicates.
pub(crate) const LOOKS_BACK: usize = 500;

/// A request to the owner.
#[derive(Clone, Debug, PartialEq)]
pub enum ProposalRequest {
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

/// Who submits a wish and when, with the most recent proposals.
pub(crate) struct Submission<'a> {
    pub(crate) known: &'a [Proposal],
    pub(crate) principal: Principal,
    pub(crate) now: Timestamp,
}

impl SelfModel<'_> {
    pub(crate) async fn proposals(&self, status: Option<ProposalStatus>) -> Result<Vec<Proposal>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().proposals(self.mind.id, ProposalPage { limit: LOOKS_BACK, status }).await?)
    }

    pub(crate) async fn proposal(&self, id: ProposalId) -> Result<Proposal, EngineError> {
        self.mind.may(Deed::Read).await?;
        self.asked(id).await
    }

    pub(crate) async fn asked(&self, id: ProposalId) -> Result<Proposal, EngineError> {
        let found = self.mind.store().proposal(self.mind.id, id).await?;
        found.ok_or_else(|| EngineError::NotFound(phrase!("engine.proposals.not_found")))
    }

    pub(crate) async fn resolve_proposal(&self, digits: &str) -> Result<ProposalId, EngineError> {
        let all = self.mind.store().proposals(self.mind.id, ProposalPage { limit: LOOKS_BACK, status: None }).await?;
        let ids: Vec<ProposalId> = all.into_iter().map(|proposal| proposal.id).collect();
        meant(&ids, digits, || phrase!("engine.proposals.no_match", digits))
    }

    pub(crate) async fn propose(&self, ask: ProposalRequest) -> Result<Proposal, EngineError> {
        self.mind.may(Deed::Propose).await?;
        let wish = self.wish_of(ask).await?;
        match self.file(wish, self.mind.principal(), self.mind.now()).await? {
            Filing::Filed(proposal) => self.asked(proposal.id).await,
            Filing::Waits(id) => self.asked(id).await,
            Filing::Refused => Err(EngineError::Conflict(phrase!("engine.proposals.already_rejected"))),
            Filing::Full => {
                let why = phrase!("engine.proposals.inbox_full");
                // The refusal is recorded like every other one; the caller may try again later.
                let _ = self.mind.access().refused_because(Deed::Propose, why.clone()).await;
                Err(EngineError::NotYet(why, self.mind.now().plus(Span::days(1))))
            }
        }
    }

    async fn wish_of(&self, ask: ProposalRequest) -> Result<Wish, EngineError> {
        let by: Reason = match self.mind.principal() {
            Principal::Agent => phrase!("engine.proposals.requested_by_agent").into(),
            _ => phrase!("engine.proposals.requested_by_owner").into(),
        };
        let wish =
            |kind, subject: String, change, evidence| Wish { kind, subject, change, reasons: vec![by.clone()], evidence, recalls: 0 };
        Ok(match ask {
            ProposalRequest::Core(id) => {
                let memory = self.living(id).await?;
                if memory.tier == Tier::M0 {
                    return Err(EngineError::Conflict(phrase!("engine.proposals.already_core")));
                }
                if memory.trust.get() < self.mind.policy().promotion.core_trust {
                    let why = phrase!("engine.proposals.own_statement");
                    return Err(self.mind.access().refused_because(Deed::MakeCore, why).await);
                }
                let change = Proposed::Core { memory: id, content: memory.content, from: memory.tier };
                Wish { recalls: memory.recalls, ..wish(ProposalKind::CorePromotion, format!("memory:{id}"), change, vec![id]) }
            }
            ProposalRequest::EditCore(id, text) => {
                let memory = self.living(id).await?;
                if memory.tier != Tier::M0 {
                    return Err(EngineError::Conflict(phrase!("engine.proposals.not_core")));
                }
                let change = Proposed::CoreEdit { memory: id, before: memory.content, after: content(&text)? };
                wish(ProposalKind::CoreEdit, format!("memory:{id}"), change, vec![id])
            }
            ProposalRequest::Forget(id) => {
                let memory = self.living(id).await?;
                let shaking = self.endangered_islands(id).await?;
                let kind = if memory.tier == Tier::M0 { ProposalKind::CoreDeletion } else { ProposalKind::Forget };
                let shakes = shaking.iter().map(|island| island.id).collect();
                let mut wish =
                    wish(kind, format!("memory:{id}"), Proposed::Forget { memory: id, content: memory.content, shakes }, vec![id]);
                wish.reasons.extend(shaking.iter().map(|island| Reason::from(shakes_words(&island.name))));
                wish
            }
            ProposalRequest::Belief(text, evidence) => self.belief_wish(&statement(&text)?, evidence, by).await?,
            ProposalRequest::Island(draft) => {
                let evidence = draft.founding.clone();
                let island = self.drafted_island(draft).await?;
                let subject = format!("island:{}", island.name);
                wish(ProposalKind::Island, subject, Proposed::Island { island: Box::new(island) }, evidence)
            }
        })
    }

    /// Builds the proposal for a suggested belief. Refuses it unless every evidence memory can support a belief.
    async fn belief_wish(&self, text: &str, evidence: Vec<MemoryId>, by: Reason) -> Result<Wish, EngineError> {
        let memories = self.mind.store().memories(self.mind.id, &evidence).await?;
        let policy = &self.mind.policy().belief;
        let carries = |memory: &&saegim_core::Memory| {
            memory.standing == MemoryState::Alive && matches!(memory.tier, Tier::M0 | Tier::M365) && supports(memory, policy)
        };
        let supporting: Vec<&saegim_core::Memory> = memories.iter().filter(carries).collect();
        if supporting.is_empty() || supporting.len() < evidence.len() {
            let why = phrase!("engine.proposals.evidence_missing");
            return Err(self.mind.access().refused_because(Deed::WriteSelf, why).await);
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
        let memory = self.mind.fetch(id).await?;
        if memory.standing == MemoryState::OnCliff {
            return Err(EngineError::NotFound(phrase!("engine.proposals.on_cliff", id)));
        }
        Ok(memory)
    }

    /// Files a proposal, unless the inbox is full, it is already pending, or the owner has rejected it.
    pub(crate) async fn file(&self, wish: Wish, principal: Principal, now: Timestamp) -> Result<Filing, EngineError> {
        retrying(|| async {
            let proposals = self.mind.store().proposals(self.mind.id, ProposalPage { limit: LOOKS_BACK, status: None }).await?;
            let filing = self.filing(wish.clone(), Submission { known: &proposals, principal, now });
            if let Filing::Filed(proposal) = &filing {
                let mut commit =
                    self.mind.commit_as(principal, Op::Propose, &[]).because(proposal.kind.as_str()).about(Thing::Proposal(proposal.id));
                commit.changes.push(Change::ProposalSet(proposal.clone()));
                self.mind.write(commit).await?;
            }
            Ok(filing)
        })
        .await
    }

    /// Returns the most recent proposals in any status.
    pub(crate) async fn recently_decided(&self) -> Result<Vec<Proposal>, EngineError> {
        Ok(self.mind.store().proposals(self.mind.id, ProposalPage { limit: LOOKS_BACK, status: None }).await?)
    }

    /// Decides what becomes of a wish.
    pub(crate) fn filing(&self, wish: Wish, submission: Submission<'_>) -> Filing {
        let Submission { known: proposals, principal, now } = submission;
        let digest = wish.change.digest(self.mind.salt());
        let id = ProposalId::new(now, self.mind.inner.config.dice.chance());
        filed(wish, &Inbox { proposals, principal, now, digest, id }, &self.mind.policy().proposal)
    }

    /// Files a proposal to forget a core memory. Returns the error for the caller, which lists the affected islands and the
    /// command to approve.
    pub(crate) async fn ask_about(&self, memory: &saegim_core::Memory) -> Result<EngineError, EngineError> {
        let filed = self.propose(ProposalRequest::Forget(memory.id)).await?;
        let shaking = self.endangered_islands(memory.id).await?;
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

fn shakes_words(name: &str) -> Phrase {
    phrase!("engine.proposals.island_would_shake", name)
}
