//! Filing a proposal: whether a request becomes a proposal, updates a pending one, or is refused.

use crate::{
    Hash, MemoryId, Principal, Proposal, ProposalId, ProposalKind, ProposalPolicy, ProposalStatus, Proposed, Reason, Span, Timestamp,
};

/// Request to file a proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// Kind.
    pub kind: ProposalKind,
    /// Deduplication key.
    pub subject: String,
    /// The exact change.
    pub change: Proposed,
    /// Reasons.
    pub reasons: Vec<Reason>,
    /// Memories that support it.
    pub evidence: Vec<MemoryId>,
    /// Recalls of the memory it is about.
    pub recalls: u32,
}

/// Outcome of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Filing {
    /// A new or updated proposal.
    Filed(Box<Proposal>),
    /// The same proposal is already pending.
    Waits(ProposalId),
    /// The owner rejected it and there is no new evidence.
    Refused,
    /// A limit is reached: too many are pending or were made today.
    Full,
}

/// Context of a request.
#[derive(Clone, Debug)]
pub struct Inbox<'a> {
    /// Recent and pending proposals, in any order.
    pub proposals: &'a [Proposal],
    /// Principal that requests.
    pub principal: Principal,
    /// Current time.
    pub now: Timestamp,
    /// Digest of the requested change.
    pub digest: Hash,
    /// Id for a new proposal.
    pub id: ProposalId,
}

/// Decides whether a request becomes a proposal. A pending proposal on the same subject is updated. A rejection holds until there
/// are new reasons with new evidence or many more recalls. The number of pending proposals is limited.
pub fn filed(wish: Wish, inbox: &Inbox<'_>, policy: &ProposalPolicy) -> Filing {
    let Wish { kind, subject, change, reasons, evidence, recalls } = wish;
    let lapses_at = inbox.now.plus(Span::days(i64::from(policy.lapse_days)));
    let same = |proposal: &&Proposal| proposal.kind == kind && proposal.subject == subject;
    let pending = |proposal: &&Proposal| proposal.status == ProposalStatus::Pending;
    if let Some(known) = inbox.proposals.iter().filter(pending).find(same) {
        if known.digest == inbox.digest && known.reasons == reasons {
            return Filing::Waits(known.id);
        }
        // A request by an agent never changes a proposal made by another principal.
        if inbox.principal == Principal::Agent && known.made_by != Principal::Agent {
            return Filing::Waits(known.id);
        }
        let known = Proposal { change, digest: inbox.digest, reasons, evidence, recalls, lapses_at, ..known.clone() };
        return Filing::Filed(Box::new(known));
    }
    let no = inbox
        .proposals
        .iter()
        .filter(same)
        .filter(|proposal| proposal.status == ProposalStatus::Rejected)
        .max_by_key(|proposal| proposal.decided_at);
    if let Some(no) = no.filter(|_| inbox.principal != Principal::Owner) {
        let more = reasons.iter().any(|reason| !no.reasons.contains(reason)) && evidence.iter().any(|memory| !no.evidence.contains(memory));
        if !more && recalls < no.recalls.max(1).saturating_mul(policy.again_at) {
            return Filing::Refused;
        }
    }
    let today = |proposal: &&Proposal| inbox.now.since(proposal.made_at) < Span::days(1);
    let by_agents = inbox.proposals.iter().filter(today).filter(|proposal| proposal.made_by == Principal::Agent).count();
    let full = inbox.proposals.iter().filter(pending).filter(|proposal| proposal.kind == kind).count() >= policy.pending_per_kind
        || inbox.proposals.iter().filter(today).count() >= policy.per_day
        || inbox.principal == Principal::Agent && by_agents >= policy.agent_per_day;
    if full && inbox.principal != Principal::Owner {
        return Filing::Full;
    }
    Filing::Filed(Box::new(Proposal {
        id: inbox.id,
        revision: 0,
        kind,
        subject,
        change,
        digest: inbox.digest,
        reasons,
        evidence,
        recalls,
        made_by: inbox.principal,
        made_at: inbox.now,
        lapses_at,
        status: ProposalStatus::Pending,
        decided_at: None,
        made_memory: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Phrase, Tier};

    const AT: Timestamp = Timestamp::from_millis(1_780_000_000_000);

    fn wish(number: u8) -> Wish {
        let memory = MemoryId::new(AT, [number; 10]);
        Wish {
            kind: ProposalKind::CorePromotion,
            subject: format!("memory:{memory}"),
            change: Proposed::Core { memory, content: format!("기억 {number}"), from: Tier::M365 },
            reasons: vec![Phrase::new("recalled 12 times", "12번 떠올림").into()],
            evidence: vec![memory],
            recalls: 12,
        }
    }

    fn file(wish: Wish, proposals: &[Proposal], principal: Principal, now: Timestamp) -> Filing {
        let digest = wish.change.digest(&[7; 32]);
        let id = ProposalId::new(now, [proposals.len() as u8; 10]);
        filed(wish, &Inbox { proposals, principal, now, digest, id }, &ProposalPolicy::default())
    }

    fn new(filing: Filing) -> Proposal {
        match filing {
            Filing::Filed(proposal) => *proposal,
            other => panic!("not filed: {other:?}"),
        }
    }

    #[test]
    fn the_same_subject_is_one_proposal_and_says_the_newest() {
        let first = new(file(wish(1), &[], Principal::Worker, AT));
        let all = [first.clone()];
        assert_eq!(file(wish(1), &all, Principal::Worker, AT), Filing::Waits(first.id));
        let more = Wish { reasons: vec![Phrase::new("alive for a year", "1년 넘게 남음").into()], ..wish(1) };
        let updated = new(file(more, &all, Principal::Worker, AT));
        assert_eq!((updated.id, updated.made_at, updated.reasons.len()), (first.id, AT, 1));
        assert_ne!(updated.reasons, first.reasons);
        let sly = Wish {
            change: Proposed::Core { memory: MemoryId::new(AT, [1; 10]), content: "다른 말".into(), from: Tier::M30 },
            ..wish(1)
        };
        assert_eq!(file(sly, &all, Principal::Agent, AT), Filing::Waits(first.id), "an agent does not put other words into it");
    }

    #[test]
    fn the_inbox_is_never_flooded() {
        let mut all: Vec<Proposal> = Vec::new();
        for number in 0..5 {
            all.push(new(file(wish(number), &all, Principal::Worker, AT)));
        }
        assert_eq!(file(wish(9), &all, Principal::Worker, AT), Filing::Full);
        assert!(matches!(file(wish(9), &all, Principal::Owner, AT), Filing::Filed(_)), "the owner's own word is never turned away");
        for proposal in &mut all {
            (proposal.status, proposal.made_by) = (ProposalStatus::Approved, Principal::Agent);
        }
        assert_eq!(file(wish(9), &all, Principal::Agent, AT), Filing::Full, "five a day are enough for an agent");
        assert!(matches!(file(wish(9), &all, Principal::Agent, AT.plus(Span::days(1))), Filing::Filed(_)));
    }

    #[test]
    fn a_no_holds_until_more_speaks_for_it() {
        let no = Proposal { status: ProposalStatus::Rejected, decided_at: Some(AT), ..new(file(wish(1), &[], Principal::Worker, AT)) };
        let all = [no];
        assert_eq!(file(wish(1), &all, Principal::Worker, AT), Filing::Refused);
        assert_eq!(file(wish(1), &all, Principal::Agent, AT), Filing::Refused);
        assert!(matches!(file(Wish { recalls: 24, ..wish(1) }, &all, Principal::Worker, AT), Filing::Filed(_)));
        assert!(matches!(file(wish(1), &all, Principal::Owner, AT), Filing::Filed(_)));
    }

    #[test]
    fn a_digest_is_of_just_this_change() {
        let one = wish(1).change;
        let other = Proposed::Core { memory: MemoryId::new(AT, [1; 10]), content: "기억 1 ".into(), from: Tier::M365 };
        assert_eq!(one.digest(&[7; 32]), wish(1).change.digest(&[7; 32]));
        assert_ne!(one.digest(&[7; 32]), other.digest(&[7; 32]));
        assert_ne!(one.digest(&[7; 32]), one.digest(&[8; 32]), "nobody can guess it without the mind's secret");
        let text = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<Proposed>(&text).unwrap(), one);
    }
}
