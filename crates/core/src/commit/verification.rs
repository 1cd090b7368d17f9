//! Verification of a ledger chain.

use serde::Serialize;

use crate::{Hash, LedgerEntry, Phrase, phrase};

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
    use crate::{LedgerCoordinate, LedgerRef, MemoryId, MindId, Op, Principal, Thing, Timestamp};

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
                    plan_adjustment: crate::PlanAdjustments::default(),
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
