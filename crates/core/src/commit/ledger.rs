//! The ledger: an append-only, hash-chained record of every event in a mind. It contains ids and salted hashes but never
//! remembered text, so it can be kept indefinitely.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{
    BeliefId, Coordinate, Deed, Emotions, GrantId, ImaginationId, IslandId, Judge, Memory, MemoryId, MindId, Phrase, Principal, ProposalId,
    SessionId, Timestamp, Unit, WebhookId, phrase,
};

word_enum! {
    /// Recorded operation.
    Op "operation" {
        /// A mind was created.
        Begin = "begin",
        /// A memory was stored.
        Remember = "remember",
        /// Memories were recalled and used.
        Recall = "recall",
        /// A memory was edited.
        Edit = "edit",
        /// A memory was rated.
        Rate = "rate",
        /// A memory was pinned or unpinned.
        Pin = "pin",
        /// Memories were linked or unlinked.
        Link = "link",
        /// A principal moved a memory to the cliff.
        Forget = "forget",
        /// A memory expired and entered the cliff.
        Expire = "expire",
        /// A memory was restored from the cliff.
        Restore = "restore",
        /// A memory's time on the cliff ended and it was deleted permanently.
        Purge = "purge",
        /// Data was erased immediately for privacy.
        Erase = "erase",
        /// Memories moved between zones.
        Rebalance = "rebalance",
        /// The worker recomputed importance.
        Weigh = "weigh",
        /// Memories were imported.
        Import = "import",
        /// Embeddings were computed.
        Embed = "embed",
        /// A message was ingested and judged.
        Observe = "observe",
        /// A message was retracted, together with everything learned only from it.
        Withdraw = "withdraw",
        /// A retracted message was restored.
        Reinstate = "reinstate",
        /// A message was edited.
        Reword = "reword",
        /// A memory was promoted and distilled into its essence.
        Promote = "promote",
        /// Memories about the same event were merged.
        Consolidate = "consolidate",
        /// Faded memories were pruned.
        Prune = "prune",
        /// Memories of a session were archived or restored from the archive.
        Archive = "archive",
        /// A yearly report was written.
        Report = "report",
        /// The owner set a fact or the speech style directly.
        State = "state",
        /// A request was denied for lack of permission.
        Refuse = "refuse",
        /// The operator read or acted under the owner's grant.
        Access = "access",
        /// The owner gave the operator a grant.
        Grant = "grant",
        /// The owner revoked a grant.
        Revoke = "revoke",
        /// A change was proposed to the owner.
        Propose = "propose",
        /// The owner approved a proposal.
        Approve = "approve",
        /// The owner rejected a proposal.
        Reject = "reject",
        /// A proposal expired unanswered, or its subject no longer exists.
        Lapse = "lapse",
        /// The owner undid an approval.
        Undo = "undo",
        /// An island was created, renamed or removed, or its strength changed.
        Island = "island",
        /// All founding memories of an island are gone.
        Shake = "shake",
        /// An island collapsed.
        Collapse = "collapse",
        /// New core memories on an island's theme were created.
        Rebuild = "rebuild",
        /// An island is active again.
        Stand = "stand",
        /// The owner returned to an earlier version of the self.
        Return = "return",
        /// SOUL.md was written.
        Soul = "soul",
        /// An imagination was generated.
        Imagine = "imagine",
        /// An imagination received feedback or was ignored.
        Feedback = "feedback",
        /// A conversation was analysed, or a model call failed.
        Think = "think",
    }
}

/// A 32-byte BLAKE3 hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hash([u8; 32]);

impl Hash {
    /// Predecessor hash of the first entry of a chain.
    pub const NONE: Self = Self([0; 32]);

    /// Creates a hash from its stored bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns its bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Hashes `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// Hashes `text` keyed with a mind's secret; useless without the secret.
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

/// Reference from an entry to a memory, with a salted hash of its content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerRef {
    /// The memory.
    pub memory: MemoryId,
    /// Salted hash of its content at the end of the operation.
    pub digest: Hash,
}

impl LedgerRef {
    /// Creates a reference to `memory` in its current state.
    pub fn to(memory: &Memory, salt: &[u8; 32]) -> Self {
        Self { memory: memory.id, digest: Hash::salted(salt, &memory.content) }
    }
}

/// Reference from an entry to another object, by id only.
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
    /// An action that was attempted.
    Deed(Deed),
}

/// Evaluation of an operation; each value is 0..=1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Impact.
    pub impact: Unit,
    /// Transparency.
    pub transparency: Unit,
    /// Reproducibility.
    pub reproducibility: Unit,
    /// Verifiability.
    pub verifiability: Unit,
}

/// Position of an operation in time, space, agent, emotion and rhythm, without content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LedgerCoordinate {
    /// Position in the session.
    pub sequence: Option<u32>,
    /// Current project.
    pub project: Option<String>,
    /// Domain of work or life.
    pub domain: Option<String>,
    /// Persona that acted.
    pub persona_id: Option<String>,
    /// Emotions.
    pub emotions: Emotions,
    /// Rhythm phase of the dialogue.
    pub rhythm_phase: Option<crate::RhythmPhase>,
}

impl LedgerCoordinate {
    /// Returns the part of a memory's coordinate that the ledger may store.
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

/// One entry, linked to the previous one by its hash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// Mind it belongs to.
    pub mind: MindId,
    /// Position in the chain, starting at 1.
    pub sequence: u64,
    /// Time of the event.
    pub at: Timestamp,
    /// Session.
    pub session: Option<SessionId>,
    /// Principal that acted.
    pub principal: Principal,
    /// Operation.
    pub operation: Op,
    /// Reason in words. Never contains remembered text.
    pub note: Option<String>,
    /// Coordinate.
    pub coordinate: LedgerCoordinate,
    /// Memories it refers to.
    pub memories: Vec<LedgerRef>,
    /// Evaluation, if one was made.
    pub evaluation: Option<Evaluation>,
    /// Planned adjustment.
    pub plan_adjustment: Option<String>,
    /// Other objects it refers to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<Thing>,
    /// Memories that the operation recalled and used, if recall was not the operation itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<MemoryId>,
    /// Number of occurrences, if several equal events are recorded as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// Models that judged, if models were used. Decisions by rules alone are not listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<Judge>,
    /// Hash of the previous entry.
    pub previous: Hash,
}

impl LedgerEntry {
    /// Returns the stored form of the entry and its hash, computed over every field including `previous`.
    pub fn sealed(&self) -> (String, Hash) {
        let text = serde_json::to_string(self).expect("an entry is plain data");
        let hash = Hash::of(text.as_bytes());
        (text, hash)
    }

    /// Returns the entry's hash.
    pub fn hash(&self) -> Hash {
        self.sealed().1
    }
}

/// Result of verifying a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Every entry follows from the previous one.
    Whole {
        /// Number of entries.
        entries: u64,
        /// Hash of the last entry.
        head: Hash,
    },
    /// An entry was altered, removed or reordered.
    Broken {
        /// First invalid entry.
        sequence: u64,
        /// What is wrong with it.
        problem: Phrase,
    },
}

/// Problem with an entry that a store detects before verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The entry does not exist.
    Missing,
    /// The entry differs from what was written.
    Altered,
    /// The entry cannot be parsed.
    Unreadable,
    /// The index of entries by memory does not match the entry.
    Misindexed,
}

impl Flaw {
    /// Returns the message for people.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::Missing => phrase!("core.ledger.entry_missing"),
            Self::Altered => phrase!("core.ledger.entry_altered"),
            Self::Unreadable => phrase!("core.ledger.entry_not_readable"),
            Self::Misindexed => phrase!("core.ledger.index_altered"),
        }
    }

    /// Returns the verdict on a chain whose entry `sequence` has this flaw.
    pub fn at(self, sequence: u64) -> Verdict {
        Verdict::Broken { sequence, problem: self.phrase() }
    }
}

/// Verifies a chain incrementally, entry by entry with its stored hash.
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
    /// Verifies the next entry. Returns the verdict if it is invalid.
    pub fn take(&mut self, entry: &LedgerEntry, stored: Hash) -> Result<(), Verdict> {
        let broken = |problem: Phrase| Err(Verdict::Broken { sequence: entry.sequence.min(self.next), problem });
        if entry.sequence > self.next {
            return broken(Flaw::Missing.phrase());
        }
        if entry.sequence < self.next {
            return broken(phrase!("core.ledger.out_of_order"));
        }
        if entry.previous != self.head {
            return broken(phrase!("core.ledger.chain_broken"));
        }
        if entry.hash() != stored {
            return broken(Flaw::Altered.phrase());
        }
        self.head = stored;
        self.next += 1;
        Ok(())
    }

    /// Returns the verdict after the last entry.
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
