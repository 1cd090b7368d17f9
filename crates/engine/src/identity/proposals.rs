//! The owner's inbox: proposals with their proposer, reasons and expiry.

use saegim_core::{
    Belief, BeliefChange, CandidateVerdict, Change, Deed, Filing, Inbox, MemoryId, MemoryState, Op, Phrase, Principal, Proposal,
    ProposalId, ProposalKind, ProposalStatus, Proposed, Reason, Round, Span, Thing, Tier, Timestamp, Turn, Wish, belief_confidence,
    content, filed, next_round, phrase, promotion, statement, supports,
};
use saegim_provider::rules::asks_permanence;
use saegim_store::{CandidatePage, ProposalPage};

use crate::EngineError;
use crate::access::grants::meant;
use crate::engine::retrying;
use crate::identity::SelfModel;
use crate::identity::islands::IslandDraft;
use crate::intake::observe::Working;

/// Number of recent proposals that are checked for duplicates.
const LOOKS_BACK: usize = 500;

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
        found.ok_or_else(|| EngineError::NotFound(phrase!("this proposal does not exist", "없는 제안이에요")))
    }

    pub(crate) async fn resolve_proposal(&self, digits: &str) -> Result<ProposalId, EngineError> {
        let all = self.mind.store().proposals(self.mind.id, ProposalPage { limit: LOOKS_BACK, status: None }).await?;
        let ids: Vec<ProposalId> = all.into_iter().map(|proposal| proposal.id).collect();
        meant(&ids, digits, || {
            phrase!(
                "no proposal id starts or ends with {digits}; list them with `saegim proposals`",
                "{digits}(으)로 시작하거나 끝나는 제안 ID가 없어요. `saegim proposals`로 확인해 주세요"
            )
        })
    }

    pub(crate) async fn propose(&self, ask: ProposalRequest) -> Result<Proposal, EngineError> {
        self.mind.may(Deed::Propose).await?;
        let wish = self.wish_of(ask).await?;
        match self.file(wish, self.mind.principal(), self.mind.now()).await? {
            Filing::Filed(proposal) => self.asked(proposal.id).await,
            Filing::Waits(id) => self.asked(id).await,
            Filing::Refused => Err(EngineError::Conflict(phrase!(
                "the owner already rejected this, and there is no new evidence",
                "소유자가 이미 거절했고 새로운 근거가 없어요"
            ))),
            Filing::Full => {
                let why = phrase!(
                    "the inbox is full or the daily limit of proposals is reached; wait until some are decided",
                    "제안함이 가득 찼거나 하루 제안 한도에 도달했어요. 기존 제안이 처리될 때까지 기다려 주세요"
                );
                // The refusal is recorded like every other one; the caller may try again later.
                let _ = self.mind.access().refused_because(Deed::Propose, why.clone()).await;
                Err(EngineError::NotYet(why, self.mind.now().plus(Span::days(1))))
            }
        }
    }

    async fn wish_of(&self, ask: ProposalRequest) -> Result<Wish, EngineError> {
        let by: Reason = match self.mind.principal() {
            Principal::Agent => phrase!("requested by the character's program", "캐릭터를 실행하는 프로그램이 요청했어요").into(),
            _ => phrase!("requested by the owner", "소유자가 요청했어요").into(),
        };
        let wish =
            |kind, subject: String, change, evidence| Wish { kind, subject, change, reasons: vec![by.clone()], evidence, recalls: 0 };
        Ok(match ask {
            ProposalRequest::Core(id) => {
                let memory = self.living(id).await?;
                if memory.tier == Tier::M0 {
                    return Err(EngineError::Conflict(phrase!("it is already a core memory", "이미 핵심 기억이에요")));
                }
                if memory.trust.get() < self.mind.policy().promotion.core_trust {
                    let why = phrase!(
                        "statements and imaginations of the character itself cannot become core memories",
                        "캐릭터가 스스로 한 말이나 상상은 핵심 기억이 될 수 없어요"
                    );
                    return Err(self.mind.access().refused_because(Deed::MakeCore, why).await);
                }
                let change = Proposed::Core { memory: id, content: memory.content, from: memory.tier };
                Wish { recalls: memory.recalls, ..wish(ProposalKind::CorePromotion, format!("memory:{id}"), change, vec![id]) }
            }
            ProposalRequest::EditCore(id, text) => {
                let memory = self.living(id).await?;
                if memory.tier != Tier::M0 {
                    return Err(EngineError::Conflict(phrase!(
                        "it is not a core memory; edit it directly",
                        "핵심 기억이 아니에요. 제안 없이 바로 수정해 주세요"
                    )));
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
            let why = phrase!(
                "a belief needs trusted core or long-term memories; choose them with --evidence",
                "믿음에는 신뢰할 수 있는 핵심 기억이나 장기 기억이 필요해요. --evidence로 선택해 주세요"
            );
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
            return Err(EngineError::NotFound(phrase!(
                "memory {id} is on the cliff; restore it first",
                "{id} 기억은 절벽에 있어요. 먼저 복원해 주세요"
            )));
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

    /// Builds the proposal for a held message that tries to command the memory.
    fn wish_for_candidate(candidate: &saegim_core::Candidate) -> Wish {
        Wish {
            kind: ProposalKind::HeldMessage,
            subject: format!("candidate:{}", candidate.id),
            change: Proposed::Held { candidate: candidate.id, content: candidate.content.clone() },
            reasons: vec![
                phrase!("it looks like an instruction to the memory or the character", "기억이나 캐릭터에 내리는 명령처럼 보여요").into(),
            ],
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
            reasons: vec![phrase!("the user asked to remember it permanently", "사용자가 계속 기억해 달라고 요청했어요").into()],
            evidence: vec![memory.id],
            recalls: memory.recalls,
        }
    }

    /// Files proposals for the held candidates of this exchange and for memories the user asked to keep permanently, as part of
    /// its commit.
    pub(crate) async fn hold(&self, working: &mut Working<'_>) -> Result<(), EngineError> {
        let held = working.candidates.iter().filter(|candidate| candidate.verdict == CandidateVerdict::Held);
        let mut wishes: Vec<Wish> = held.map(Self::wish_for_candidate).collect();
        // A request to remember something permanently is a request for a core memory, which only the owner can approve.
        let asked = working.born.iter().map(|(memory, _)| memory).filter(|memory| memory.remember_this);
        wishes.extend(
            asked.filter(|memory| asks_permanence(memory.original_event.as_deref().unwrap_or(&memory.content))).map(Self::wish_for_memory),
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
                working.commit.things.push(Thing::Proposal(proposal.id));
                working.commit.changes.push(Change::ProposalSet(proposal.clone()));
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
    pub(crate) async fn held_from(&self, turns: &[Turn]) -> Result<Vec<Change>, EngineError> {
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
    pub(crate) async fn mention_count(&self, reworded: &[saegim_core::Memory]) -> Result<Vec<Change>, EngineError> {
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
    pub(crate) async fn asked_to_keep(&self, memories: &[saegim_core::Memory]) -> Result<Vec<MemoryId>, EngineError> {
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
            phrase!(
                "this is a core memory, so a proposal was added to your inbox; to confirm, run: saegim approve {short}",
                "핵심 기억이라 제안함에 올려 뒀어요. 계속하려면 승인해 주세요: saegim approve {short}"
            )
        } else {
            phrase!(
                "⚠️ this is a core memory; without it the island {names} would shake. A proposal was added to your inbox; to confirm, run: saegim approve {short}",
                "⚠️ 핵심 기억이에요. 이 기억이 사라지면 {names} 섬이 흔들려요. 제안함에 올려 뒀으니 계속하려면 승인해 주세요: saegim approve {short}"
            )
        }))
    }
}

/// Returns the change that removes the content of a proposal.
fn blanked(proposal: &Proposal) -> Change {
    let status = if proposal.status == ProposalStatus::Pending { ProposalStatus::Lapsed } else { proposal.status };
    Change::ProposalSet(Box::new(Proposal { change: Proposed::Gone, status, ..proposal.clone() }))
}

fn shakes_words(name: &str) -> Phrase {
    phrase!("⚠️ island '{name}' would shake", "⚠️ '{name}' 섬이 흔들려요")
}

/// States when the memory expires without an answer.
fn ends_words(day: &str) -> Phrase {
    phrase!(
        "it expires on {day}; without a decision it moves to the cliff",
        "{day}에 보관 기간이 끝나요. 결정하지 않으면 절벽으로 이동해요"
    )
}

/// States why a memory qualifies for core.
fn reason_words(reason: saegim_core::PromotionReason, memory: &saegim_core::Memory) -> Phrase {
    use saegim_core::PromotionReason::*;
    let recalls = memory.recalls;
    match reason {
        Lasting => phrase!("kept for a whole year", "1년 동안 유지됐어요"),
        Recalled => phrase!("recalled {recalls} times", "{recalls}번 회상했어요"),
        Belief => phrase!("it supports a belief", "믿음의 근거예요"),
        Founds => phrase!("it founds an island", "섬의 바탕이 되는 기억이에요"),
        Repeated => phrase!("mentioned repeatedly", "여러 번 나온 이야기예요"),
        Moved => phrase!("strong emotion", "감정이 강했어요"),
        Remember => phrase!("requested to be remembered", "기억해 달라고 요청했어요"),
        ChangedBehaviour => phrase!("it changed the character's behaviour", "캐릭터의 행동을 바꿨어요"),
        Island => phrase!("it belongs to an island", "섬에 속한 기억이에요"),
    }
}
