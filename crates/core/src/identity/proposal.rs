//! Proposals: changes that wait for the owner's decision. Each contains the exact change, so an approval covers only that change.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{
    BeliefChange, CandidateId, Fact, FactId, Facts, Hash, Island, IslandId, Language, MemoryId, Phrase, Principal, ProposalId,
    ProposalPolicy, Span, Statement, Tier, Timestamp, TurnId,
};

word_enum! {
    /// Kind of a proposal.
    ProposalKind "proposal" {
        /// Promotes a memory to core.
        CorePromotion = "core_promotion",
        /// Edits a core memory.
        CoreEdit = "core_edit",
        /// Deletes a core memory.
        CoreDeletion = "core_deletion",
        /// Forgets an ordinary memory, because an agent exceeded its own limit.
        Forget = "forget",
        /// Adds, changes or removes beliefs.
        Belief = "belief",
        /// Creates an island.
        Island = "island",
        /// Accepts a message that was held back because it tried to instruct the memory system.
        HeldMessage = "held_message",
        /// Ends facts that a model doubts.
        FactEnd = "fact_end",
    }
}

word_enum! {
    /// State of a proposal.
    ProposalStatus "status" {
        /// Waits for the owner.
        Pending = "pending",
        /// The owner approved it.
        Approved = "approved",
        /// The owner rejected it.
        Rejected = "rejected",
        /// It expired unanswered, or its subject no longer exists.
        Lapsed = "lapsed",
        /// The owner approved it and undid the approval.
        Undone = "undone",
    }
}

/// The exact change a proposal asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Proposed {
    /// Keep this memory permanently.
    Core {
        /// The memory.
        memory: MemoryId,
        /// Its content.
        content: String,
        /// Its current tier.
        from: Tier,
    },
    /// Change the content of this core memory.
    CoreEdit {
        /// The memory.
        memory: MemoryId,
        /// Current content.
        before: String,
        /// Proposed content.
        after: String,
    },
    /// Move this memory to the cliff.
    Forget {
        /// The memory.
        memory: MemoryId,
        /// Its content.
        content: String,
        /// Islands that would start shaking.
        shakes: Vec<IslandId>,
    },
    /// Change the self.
    Beliefs {
        /// The changes.
        changes: Vec<BeliefChange>,
    },
    /// Create this island.
    Island {
        /// The island.
        island: Box<Island>,
    },
    /// Store this held message.
    Held {
        /// The candidate with its judgement.
        candidate: CandidateId,
        /// Its content.
        content: String,
    },
    /// End these facts.
    FactEnd {
        /// Facts to end. The first is the doubted one; the others end with it.
        over: Vec<ShownFact>,
        /// Fact that contradicts it and stays.
        beside: Option<ShownFact>,
        /// Turns that serve as evidence; the first is the main one.
        turns: Vec<TurnId>,
        /// Statement that replaces the first fact, if the turn contains one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead: Option<Box<Statement>>,
    },
    /// The subject was erased, and with it the text of the proposal.
    Gone,
}

/// A fact as it was shown to the owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownFact {
    /// Id of the fact.
    pub fact: FactId,
    /// Canonical subject.
    pub subject: String,
    /// Value.
    pub value: String,
}

impl ShownFact {
    /// Copies the displayed fields of a fact.
    pub fn of(fact: &Fact) -> Self {
        Self { fact: fact.id, subject: fact.subject.clone(), value: fact.value.clone() }
    }

    /// Whether the fact is still current and unchanged.
    pub fn holds(&self, facts: &Facts) -> bool {
        facts.get(self.fact).is_some_and(|fact| fact.is_current() && Self::of(fact) == *self)
    }
}

/// One line of a diff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    /// `-`, `+` or a space.
    pub sign: char,
    /// Text of the line.
    pub text: String,
}

impl DiffLine {
    fn new(sign: char, text: impl Into<String>) -> Self {
        Self { sign, text: text.into() }
    }
}

impl Proposed {
    /// Returns the change as a diff.
    pub fn diff(&self) -> Vec<DiffLine> {
        self.diff_naming(str::to_owned)
    }

    /// Returns the diff, with subjects of facts translated by `name`.
    pub fn diff_naming(&self, name: impl Fn(&str) -> String) -> Vec<DiffLine> {
        let known = |fact: &ShownFact| format!("{}: {}", name(&fact.subject), fact.value);
        let believed = |belief: &crate::Belief| format!("{} ({:.2})", belief.statement, belief.confidence.get());
        match self {
            Self::Core { content, from, .. } => {
                vec![DiffLine::new('-', format!("{from} {content}")), DiffLine::new('+', format!("M0 {content}"))]
            }
            Self::CoreEdit { before, after, .. } => vec![DiffLine::new('-', before), DiffLine::new('+', after)],
            Self::Forget { content, .. } => vec![DiffLine::new('-', content)],
            Self::Beliefs { changes } => changes
                .iter()
                .flat_map(|change| match change {
                    BeliefChange::Added { belief } => vec![DiffLine::new('+', believed(belief))],
                    BeliefChange::Dropped { belief } => vec![DiffLine::new('-', believed(belief))],
                    BeliefChange::Changed { before, after } => {
                        vec![DiffLine::new('-', believed(before)), DiffLine::new('+', believed(after))]
                    }
                })
                .collect(),
            Self::Island { island } => {
                let mut lines = vec![DiffLine::new('+', format!("{} {}", island.emoji, island.name))];
                if !island.description.is_empty() {
                    lines.push(DiffLine::new('+', format!("  {}", island.description)));
                }
                lines
            }
            Self::Held { content, .. } => vec![DiffLine::new('+', content)],
            Self::FactEnd { over, beside, instead, .. } => {
                let ended = over.iter().map(|fact| DiffLine::new('-', known(fact)));
                let new = |stated: &Statement| DiffLine::new('+', format!("{}: {}", name(&stated.subject), stated.value));
                ended
                    .chain(instead.iter().map(|stated| new(stated)))
                    .chain(beside.iter().map(|fact| DiffLine::new(' ', known(fact))))
                    .collect()
            }
            Self::Gone => Vec::new(),
        }
    }

    /// Returns the memories whose text it contains, in addition to its evidence.
    pub fn speaks_of(&self) -> Vec<MemoryId> {
        match self {
            Self::Core { memory, .. } | Self::CoreEdit { memory, .. } | Self::Forget { memory, .. } => vec![*memory],
            Self::Beliefs { changes } => changes.iter().flat_map(|change| change.evidence().iter().copied()).collect(),
            Self::Island { island } => island.founding.clone(),
            Self::Held { .. } | Self::FactEnd { .. } | Self::Gone => Vec::new(),
        }
    }

    /// Returns the digest that a decision is bound to; useless without the mind's secret.
    pub fn digest(&self, salt: &[u8; 32]) -> Hash {
        Hash::salted(salt, &serde_json::to_string(self).expect("a change is plain data"))
    }
}

/// Reason of a proposal in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// English text.
    pub en: String,
    /// Korean text.
    pub ko: String,
}

impl From<Phrase> for Reason {
    fn from(phrase: Phrase) -> Self {
        Self { en: phrase.in_language(Language::English), ko: phrase.in_language(Language::Korean) }
    }
}

impl Reason {
    /// Returns the text in `language`.
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Korean => &self.ko,
        }
    }
}

/// A change that waits for the owner's decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Id of the proposal.
    pub id: ProposalId,
    /// Revision number, incremented by each write. A change names the revision it is based on.
    pub revision: u32,
    /// Kind.
    pub kind: ProposalKind,
    /// Deduplication key: two proposals with the same kind and subject are one.
    pub subject: String,
    /// The exact change.
    pub change: Proposed,
    /// Digest that a decision is bound to.
    pub digest: Hash,
    /// Reasons.
    pub reasons: Vec<Reason>,
    /// Memories that support it.
    pub evidence: Vec<MemoryId>,
    /// Recalls of its memory at that time. A rejection holds until they have grown.
    pub recalls: u32,
    /// Principal that made it.
    pub made_by: Principal,
    /// Time it was made.
    pub made_at: Timestamp,
    /// Time it expires.
    pub lapses_at: Timestamp,
    /// State.
    pub status: ProposalStatus,
    /// Time of the decision.
    pub decided_at: Option<Timestamp>,
    /// Memory created by the approval, needed to undo it.
    pub made_memory: Option<MemoryId>,
}

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
