//! Proposals: changes that wait for the owner's word. Each holds the exact change, so that a yes is a yes to just that.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{
    BeliefChange, CandidateId, Fact, FactId, Facts, Hash, Island, IslandId, Language, MemoryId, Phrase, Principal, ProposalId,
    ProposalPolicy, Span, Statement, Tier, Timestamp, TurnId,
};

word_enum! {
    /// What a proposal would change.
    ProposalKind "proposal" {
        /// A memory would become core.
        CorePromotion = "core_promotion",
        /// A core memory would be rewritten.
        CoreEdit = "core_edit",
        /// A core memory would go.
        CoreDeletion = "core_deletion",
        /// An ordinary memory would go, because an agent wants more gone than it may let go itself.
        Forget = "forget",
        /// Beliefs would be added, changed or dropped.
        Belief = "belief",
        /// An island would rise.
        Island = "island",
        /// A message that tried to command the memory waits here.
        HeldMessage = "held_message",
        /// Facts would no longer hold, because a model doubts them.
        FactEnd = "fact_end",
    }
}

word_enum! {
    /// How a proposal stands.
    ProposalStatus "status" {
        /// It waits.
        Pending = "pending",
        /// The owner said yes.
        Approved = "approved",
        /// The owner said no.
        Rejected = "rejected",
        /// Nobody said anything in time, or what it spoke of is gone.
        Lapsed = "lapsed",
        /// The owner said yes and took it back.
        Undone = "undone",
    }
}

/// The exact change a proposal asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Proposed {
    /// This memory would be kept for ever.
    Core {
        /// Which memory.
        memory: MemoryId,
        /// What it says.
        content: String,
        /// The tier it has.
        from: Tier,
    },
    /// This core memory would say something else.
    CoreEdit {
        /// Which memory.
        memory: MemoryId,
        /// What it says.
        before: String,
        /// What it would say.
        after: String,
    },
    /// This memory would go to the cliff.
    Forget {
        /// Which memory.
        memory: MemoryId,
        /// What it says.
        content: String,
        /// The islands that would shake.
        shakes: Vec<IslandId>,
    },
    /// The self would be different.
    Beliefs {
        /// How.
        changes: Vec<BeliefChange>,
    },
    /// This island would rise.
    Island {
        /// The island.
        island: Box<Island>,
    },
    /// This message would be remembered after all.
    Held {
        /// How it was judged.
        candidate: CandidateId,
        /// What it says.
        content: String,
    },
    /// These facts would no longer hold.
    FactEnd {
        /// Which; the first is the one that is doubted, the others would end with it.
        over: Vec<ShownFact>,
        /// The fact it cannot be so beside, which stays.
        beside: Option<ShownFact>,
        /// The turns whose words it repeats; the first speaks for it.
        turns: Vec<TurnId>,
        /// What would hold in the place of the first, where the turn tells that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead: Option<Box<Statement>>,
    },
    /// What it spoke of was erased, and so was what it said.
    Gone,
}

/// A fact as it was shown to the owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownFact {
    /// Which fact.
    pub fact: FactId,
    /// The canonical subject.
    pub subject: String,
    /// The value.
    pub value: String,
}

impl ShownFact {
    /// A fact as it is.
    pub fn of(fact: &Fact) -> Self {
        Self { fact: fact.id, subject: fact.subject.clone(), value: fact.value.clone() }
    }

    /// Whether it still holds, and says what was shown.
    pub fn holds(&self, facts: &Facts) -> bool {
        facts.get(self.fact).is_some_and(|fact| fact.is_current() && Self::of(fact) == *self)
    }
}

/// One line of a diff: what goes, what comes, what stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    /// `-`, `+` or a blank.
    pub sign: char,
    /// The line.
    pub text: String,
}

impl DiffLine {
    fn new(sign: char, text: impl Into<String>) -> Self {
        Self { sign, text: text.into() }
    }
}

impl Proposed {
    /// The change, before and after, line by line.
    pub fn diff(&self) -> Vec<DiffLine> {
        self.diff_naming(str::to_owned)
    }

    /// The same, with subjects of facts named for a reader.
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

    /// The memories whose text it holds, beside its evidence.
    pub fn speaks_of(&self) -> Vec<MemoryId> {
        match self {
            Self::Core { memory, .. } | Self::CoreEdit { memory, .. } | Self::Forget { memory, .. } => vec![*memory],
            Self::Beliefs { changes } => changes.iter().flat_map(|change| change.evidence().iter().copied()).collect(),
            Self::Island { island } => island.founding.clone(),
            Self::Held { .. } | Self::FactEnd { .. } | Self::Gone => Vec::new(),
        }
    }

    /// The digest a yes or no is bound to, worthless to anyone without the mind's secret.
    pub fn digest(&self, salt: &[u8; 32]) -> Hash {
        Hash::salted(salt, &serde_json::to_string(self).expect("a change is plain data"))
    }
}

/// Why something is proposed, in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// In English.
    pub en: String,
    /// In Korean.
    pub ko: String,
}

impl From<Phrase> for Reason {
    fn from(phrase: Phrase) -> Self {
        Self { en: phrase.in_language(Language::English).into(), ko: phrase.in_language(Language::Korean).into() }
    }
}

impl Reason {
    /// The reason for a reader of `language`.
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Korean => &self.ko,
        }
    }
}

/// A change that waits for the owner's word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its identity.
    pub id: ProposalId,
    /// How often it was written; a change names the revision it was made from.
    pub revision: u32,
    /// What it would change.
    pub kind: ProposalKind,
    /// What it is about: two proposals about the same are one.
    pub subject: String,
    /// The exact change.
    pub change: Proposed,
    /// What a yes or no is bound to.
    pub digest: Hash,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The memories that speak for it.
    pub evidence: Vec<MemoryId>,
    /// How often the memory it is about had been recalled; a no holds until that has grown.
    pub recalls: u32,
    /// Who made it.
    pub made_by: Principal,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it lapses.
    pub lapses_at: Timestamp,
    /// How it stands.
    pub status: ProposalStatus,
    /// When that was decided.
    pub decided_at: Option<Timestamp>,
    /// The memory an approval made, for taking it back.
    pub made_memory: Option<MemoryId>,
}

/// What is to be proposed.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// Of what kind.
    pub kind: ProposalKind,
    /// About what.
    pub subject: String,
    /// The exact change.
    pub change: Proposed,
    /// Why.
    pub reasons: Vec<Reason>,
    /// What speaks for it.
    pub evidence: Vec<MemoryId>,
    /// How often the memory it is about was recalled.
    pub recalls: u32,
}

/// What becomes of a wish.
#[derive(Clone, Debug, PartialEq)]
pub enum Filing {
    /// It is a new proposal, or one that says something else now.
    Filed(Box<Proposal>),
    /// It waits already, just so.
    Waits(ProposalId),
    /// The owner said no, and nothing more speaks for it.
    Refused,
    /// There is no room: so many wait, or were made today.
    Full,
}

/// What a filing is weighed by.
#[derive(Clone, Debug)]
pub struct Inbox<'a> {
    /// Proposals made lately or waiting, in any order.
    pub proposals: &'a [Proposal],
    /// Who wishes.
    pub principal: Principal,
    /// When.
    pub now: Timestamp,
    /// The digest of the wish.
    pub digest: Hash,
    /// The identity it would have.
    pub id: ProposalId,
}

/// Whether a wish becomes a proposal. The same subject updates what waits; a no holds until there are other reasons or
/// many more recalls; and no more wait than an owner can read.
pub fn filed(wish: Wish, inbox: &Inbox<'_>, policy: &ProposalPolicy) -> Filing {
    let Wish { kind, subject, change, reasons, evidence, recalls } = wish;
    let lapses_at = inbox.now.plus(Span::days(i64::from(policy.lapse_days)));
    let same = |proposal: &&Proposal| proposal.kind == kind && proposal.subject == subject;
    let pending = |proposal: &&Proposal| proposal.status == ProposalStatus::Pending;
    if let Some(known) = inbox.proposals.iter().filter(pending).find(same) {
        if known.digest == inbox.digest && known.reasons == reasons {
            return Filing::Waits(known.id);
        }
        // What an agent wishes never rewords what someone else has put before the owner.
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
    use crate::phrase;

    const AT: Timestamp = Timestamp::from_millis(1_780_000_000_000);

    fn wish(number: u8) -> Wish {
        let memory = MemoryId::new(AT, [number; 10]);
        Wish {
            kind: ProposalKind::CorePromotion,
            subject: format!("memory:{memory}"),
            change: Proposed::Core { memory, content: format!("기억 {number}"), from: Tier::M365 },
            reasons: vec![phrase!("recalled {} times", "{}번 떠올림", 12).into()],
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
        let more = Wish { reasons: vec![phrase!("alive for a year", "1년 넘게 남음").into()], ..wish(1) };
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
