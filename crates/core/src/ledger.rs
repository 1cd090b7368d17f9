//! The ledger: an append-only, hash-chained record of everything that happened to a mind. It holds ids and
//! salted hashes, never remembered text, so it can be kept for ever.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::word_enum::word_enum;
use crate::{
    BeliefId, Coordinate, Deed, Emotions, GrantId, ImaginationId, IslandId, Judge, Memory, MemoryId, MindId, Phrase, Principal, ProposalId,
    SessionId, Timestamp, Unit, WebhookId, phrase,
};

word_enum! {
    /// What was done.
    Op "operation" {
        /// A mind began.
        Begin = "begin",
        /// A memory was kept.
        Remember = "remember",
        /// Memories were brought back and used.
        Recall = "recall",
        /// A memory was rewritten.
        Edit = "edit",
        /// A memory was rated.
        Rate = "rate",
        /// A memory was pinned or let loose.
        Pin = "pin",
        /// Memories were linked or unlinked.
        Link = "link",
        /// A memory was sent to the cliff by someone.
        Forget = "forget",
        /// A memory's time ran out and it went to the cliff.
        Expire = "expire",
        /// A memory came back from the cliff.
        Restore = "restore",
        /// A memory's seven days ended and it is gone.
        Purge = "purge",
        /// Something was erased at once for privacy.
        Erase = "erase",
        /// Memories moved between zones.
        Rebalance = "rebalance",
        /// The caretaker worked out importance anew.
        Weigh = "weigh",
        /// Memories were brought in from elsewhere.
        Import = "import",
        /// Vectors were made.
        Embed = "embed",
        /// Something was said and judged.
        Observe = "observe",
        /// What was said is no longer part of the conversation, and what was learned from it alone went with it.
        Withdraw = "withdraw",
        /// What was said is part of the conversation again.
        Reinstate = "reinstate",
        /// What was said was put in other words.
        Reword = "reword",
        /// A memory was promoted, distilled into its essence.
        Promote = "promote",
        /// Memories that told one thing were joined.
        Consolidate = "consolidate",
        /// Faded memories were let go.
        Prune = "prune",
        /// Memories of a session were put away, or brought out again.
        Archive = "archive",
        /// A year was looked back on.
        Report = "report",
        /// The owner said by hand what is so, or how they speak.
        State = "state",
        /// Someone tried what they may not.
        Refuse = "refuse",
        /// The operator looked or acted under the owner's grant.
        Access = "access",
        /// The owner granted something to the operator.
        Grant = "grant",
        /// The owner took a grant back.
        Revoke = "revoke",
        /// A change was put before the owner.
        Propose = "propose",
        /// The owner said yes.
        Approve = "approve",
        /// The owner said no.
        Reject = "reject",
        /// A proposal was not answered in time, or what it spoke of is gone.
        Lapse = "lapse",
        /// The owner took a yes back.
        Undo = "undo",
        /// An island was made, renamed, removed or found stronger or weaker.
        Island = "island",
        /// Everything an island was founded on is gone.
        Shake = "shake",
        /// An island collapsed.
        Collapse = "collapse",
        /// New core memories gather on an island's theme.
        Rebuild = "rebuild",
        /// An island stands again.
        Stand = "stand",
        /// The owner returned to an earlier self.
        Return = "return",
        /// SOUL.md was written.
        Soul = "soul",
        /// Something was imagined.
        Imagine = "imagine",
        /// Someone said how an imagination was, or nobody did.
        Feedback = "feedback",
        /// A conversation was thought over, or a thought failed.
        Think = "think",
    }
}

/// A 32-byte BLAKE3 hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hash([u8; 32]);

impl Hash {
    /// What stands before the first entry of a chain.
    pub const NONE: Self = Self([0; 32]);

    /// The hash kept as these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The hash of `text` under a mind's secret; worthless to anyone without it.
    pub fn salted(salt: &[u8; 32], text: &str) -> Self {
        Self(*blake3::keyed_hash(salt, text.as_bytes()).as_bytes())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = (0..64).step_by(2).map(|at| text.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()));
        let bytes: Option<Vec<u8>> = bytes.collect();
        let bytes = bytes.filter(|_| text.len() == 64).and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or_else(|| serde::de::Error::custom("not a hash of 64 hexadecimal digits"))
    }
}

/// A memory an entry speaks of, and a salted hash of what it held then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerRef {
    /// Which memory.
    pub memory: MemoryId,
    /// The salted hash of its content at the end of the operation.
    pub digest: Hash,
}

impl LedgerRef {
    /// A reference to `memory` as it is.
    pub fn to(memory: &Memory, salt: &[u8; 32]) -> Self {
        Self { memory: memory.id, digest: Hash::salted(salt, &memory.content) }
    }
}

/// Something else an entry speaks of, by its identity alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thing {
    /// An island.
    Island(IslandId),
    /// A belief.
    Belief(BeliefId),
    /// A version of the self.
    Version(u64),
    /// A proposal.
    Proposal(ProposalId),
    /// An imagination.
    Imagination(ImaginationId),
    /// A grant.
    Grant(GrantId),
    /// A webhook.
    Webhook(WebhookId),
    /// What someone wanted to do.
    Deed(Deed),
}

/// How good a piece of work was, each 0..=1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// How much it changed.
    pub impact: Unit,
    /// How well it can be seen through.
    pub transparency: Unit,
    /// How well it can be done again.
    pub reproducibility: Unit,
    /// How well it can be checked.
    pub verifiability: Unit,
}

/// Where an operation stood: time, space, agent, emotion and rhythm, without content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LedgerCoordinate {
    /// Its place in the session.
    pub sequence: Option<u32>,
    /// The project at hand.
    pub project: Option<String>,
    /// The field of work or life.
    pub domain: Option<String>,
    /// The persona that acted.
    pub persona_id: Option<String>,
    /// What was felt.
    pub emotions: Emotions,
    /// The dialogue's rhythm.
    pub rhythm_phase: Option<crate::RhythmPhase>,
}

impl LedgerCoordinate {
    /// What of a memory's coordinate the ledger may keep.
    pub fn of(coordinate: &Coordinate, emotions: Emotions) -> Self {
        Self {
            sequence: coordinate.sequence,
            project: coordinate.project.clone(),
            domain: coordinate.domain.clone(),
            persona_id: coordinate.persona_id.clone(),
            emotions,
            rhythm_phase: coordinate.rhythm_phase,
        }
    }
}

/// One entry, chained to the one before by its hash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// Whose ledger it is.
    pub mind: MindId,
    /// Its place in the chain, from 1.
    pub sequence: u64,
    /// When it happened.
    pub at: Timestamp,
    /// In which session.
    pub session: Option<SessionId>,
    /// Who acted.
    pub principal: Principal,
    /// What was done.
    pub operation: Op,
    /// Why, in words; never remembered text.
    pub note: Option<String>,
    /// Where it stood.
    pub coordinate: LedgerCoordinate,
    /// The memories it speaks of.
    pub memories: Vec<LedgerRef>,
    /// How good the work was, where that was judged.
    pub evaluation: Option<Evaluation>,
    /// What will be done differently.
    pub plan_adjustment: Option<String>,
    /// What else it speaks of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<Thing>,
    /// Which of the memories were recalled and used by it, where it did more than that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<MemoryId>,
    /// How many times, where several of the same were taken down as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// Who judged what, where models think; rules alone need no mention.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<Judge>,
    /// The hash of the entry before.
    pub previous: Hash,
}

impl LedgerEntry {
    /// The entry as it is kept, and its own hash: over every field, the hash before included.
    pub fn sealed(&self) -> (String, Hash) {
        let text = serde_json::to_string(self).expect("an entry is plain data");
        let hash = Hash::of(text.as_bytes());
        (text, hash)
    }

    /// The entry's own hash.
    pub fn hash(&self) -> Hash {
        self.sealed().1
    }
}

/// What checking a chain found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Every entry follows from the one before.
    Whole {
        /// How many entries there are.
        entries: u64,
        /// The hash of the last.
        head: Hash,
    },
    /// Something was altered, removed or reordered.
    Broken {
        /// The first entry that does not fit.
        sequence: u64,
        /// What is wrong with it.
        problem: Phrase,
    },
}

/// What stores find wrong with an entry before a verifier sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// There is none where one must be.
    Missing,
    /// It is not what was written.
    Altered,
    /// It is no entry at all.
    Unreadable,
    /// The index of entries by memory does not say what it says.
    Misindexed,
}

impl Flaw {
    /// The flaw as it is told to people.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::Missing => phrase!("an entry is missing here", "이 위치의 기록이 없어요"),
            Self::Altered => phrase!("the entry was altered", "기록이 수정됐어요"),
            Self::Unreadable => phrase!("the entry cannot be read", "기록을 읽을 수 없어요"),
            Self::Misindexed => phrase!(
                "the index of its memories was altered; rebuild it with `saegim doctor --repair`",
                "기억별 색인이 수정됐어요. `saegim doctor --repair`로 다시 만들어 주세요"
            ),
        }
    }

    /// The verdict on a chain whose entry `sequence` has this flaw.
    pub fn at(self, sequence: u64) -> Verdict {
        Verdict::Broken { sequence, problem: self.phrase() }
    }
}

/// Checks a chain as it is read, entry by entry with the hash stored beside it.
#[derive(Debug)]
pub struct Verifier {
    next: u64,
    head: Hash,
}

impl Default for Verifier {
    fn default() -> Self {
        Self { next: 1, head: Hash::NONE }
    }
}

impl Verifier {
    /// Takes the next entry, or says why it cannot be the next.
    pub fn take(&mut self, entry: &LedgerEntry, stored: Hash) -> Result<(), Verdict> {
        let broken = |problem: Phrase| Err(Verdict::Broken { sequence: entry.sequence.min(self.next), problem });
        if entry.sequence > self.next {
            return broken(Flaw::Missing.phrase());
        }
        if entry.sequence < self.next {
            return broken(phrase!("entries are out of order", "기록의 순서가 바뀌었어요"));
        }
        if entry.previous != self.head {
            return broken(phrase!("the entry does not follow from the previous one", "앞 기록과 이어지지 않아요"));
        }
        if entry.hash() != stored {
            return broken(Flaw::Altered.phrase());
        }
        self.head = stored;
        self.next += 1;
        Ok(())
    }

    /// The verdict when everything was read.
    pub fn finish(self) -> Verdict {
        Verdict::Whole { entries: self.next - 1, head: self.head }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(length: u64) -> Vec<(LedgerEntry, Hash)> {
        let mind = MindId::new(Timestamp::from_millis(0), [1; 10]);
        let mut previous = Hash::NONE;
        (1..=length)
            .map(|sequence| {
                let entry = LedgerEntry {
                    mind,
                    sequence,
                    at: Timestamp::from_millis(sequence as i64),
                    session: None,
                    principal: Principal::Owner,
                    operation: Op::Remember,
                    note: None,
                    coordinate: LedgerCoordinate::default(),
                    memories: vec![LedgerRef { memory: MemoryId::new(Timestamp::from_millis(5), [2; 10]), digest: Hash::of(b"x") }],
                    evaluation: None,
                    plan_adjustment: None,
                    things: Vec::new(),
                    used: Vec::new(),
                    times: None,
                    judges: Vec::new(),
                    previous,
                };
                previous = entry.hash();
                (entry, previous)
            })
            .collect()
    }

    fn verdict(chain: &[(LedgerEntry, Hash)]) -> Verdict {
        let mut verifier = Verifier::default();
        match chain.iter().try_for_each(|(entry, hash)| verifier.take(entry, *hash)) {
            Ok(()) => verifier.finish(),
            Err(broken) => broken,
        }
    }

    fn check(tamper: impl Fn(&mut Vec<(LedgerEntry, Hash)>), first_bad: u64) {
        let mut entries = chain(9);
        tamper(&mut entries);
        match verdict(&entries) {
            Verdict::Broken { sequence, .. } => assert_eq!(sequence, first_bad),
            whole => panic!("not noticed: {whole:?}"),
        }
    }

    #[test]
    fn an_untouched_chain_is_whole() {
        assert!(matches!(verdict(&chain(9)), Verdict::Whole { entries: 9, .. }));
        assert_eq!(verdict(&[]), Verdict::Whole { entries: 0, head: Hash::NONE });
    }

    #[test]
    fn any_tampering_names_the_first_bad_entry() {
        check(|entries| entries[3].0.at = Timestamp::from_millis(99), 4);
        check(|entries| entries[3].0.note = Some("x".into()), 4);
        check(|entries| entries[3].0.principal = Principal::Agent, 4);
        check(|entries| entries[3].0.memories.clear(), 4);
        check(|entries| entries[3].0.times = Some(2), 4);
        check(|entries| entries[3].0.things.push(Thing::Version(1)), 4);
        check(|entries| entries[3].1 = Hash::of(b"y"), 4);
        check(|entries| drop(entries.remove(3)), 4);
        check(|entries| entries.swap(3, 4), 4);
        check(|entries| drop(entries.remove(0)), 1);
        check(
            |entries| {
                entries[3].0.note = Some("rehashed".into());
                entries[3].1 = entries[3].0.hash();
            },
            5,
        );
    }

    #[test]
    fn a_hash_reads_back_as_it_was_written() {
        let hash = Hash::of(b"saegim");
        let text = serde_json::to_string(&hash).unwrap();
        assert_eq!(serde_json::from_str::<Hash>(&text).unwrap(), hash);
        assert!(serde_json::from_str::<Hash>("\"가나다\"").is_err());
    }
}
