//! Detects from the ledger whether rules or a model worded an essence.

use crate::{LedgerEntry, MemoryId, Op, Thought};

/// Returns the originals of an essence worded by rules, given the ledger entries that refer to it, in order. Returns `None` if a
/// model worded it or was asked to since, and for memories that were never promoted.
pub fn worded_by_rules(essence: MemoryId, entries: &[LedgerEntry]) -> Option<Vec<MemoryId>> {
    let (mut originals, mut by_rules) = (Vec::new(), false);
    for entry in entries {
        // The essence is the first memory of its own entries. In later positions it is an original of another essence.
        let Some((_, others)) = entry.memories.split_first().filter(|(first, _)| first.memory == essence) else { continue };
        let mut judges = entry.judges.iter().filter(|judge| judge.thought == Thought::Distil).peekable();
        match entry.operation {
            Op::Promote => {
                originals.extend(others.iter().map(|original| original.memory));
                by_rules = judges.peek().is_none() || judges.any(|judge| judge.instead_of.is_some());
            }
            Op::Edit | Op::Think if judges.peek().is_some() => by_rules = false,
            _ => {}
        }
    }
    (by_rules && !originals.is_empty()).then_some(originals)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cause, Hash, Judge, LedgerCoordinate, LedgerRef, MindId, Principal, Timestamp};

    const AT: Timestamp = Timestamp::from_millis(1_780_000_000_000);

    fn id(number: u8) -> MemoryId {
        MemoryId::new(AT, [number; 10])
    }

    /// Builds an entry about these memories; `by` is `m` for a model, `r` for rules used instead of it, blank for no judge.
    fn entry(operation: Op, about: &[u8], by: &str) -> LedgerEntry {
        let judge = |instead_of: Option<&str>| Judge {
            thought: Thought::Distil,
            by: if instead_of.is_some() { "rules@1".into() } else { "openai/m".into() },
            instead_of: instead_of.map(str::to_owned),
            cause: instead_of.map(|_| Cause::TimedOut),
            times: 1,
        };
        LedgerEntry {
            mind: MindId::new(AT, [0; 10]),
            sequence: 1,
            at: AT,
            session: None,
            principal: Principal::Worker,
            operation,
            note: None,
            coordinate: LedgerCoordinate::default(),
            memories: about.iter().map(|number| LedgerRef { memory: id(*number), digest: Hash::NONE }).collect(),
            evaluation: None,
            plan_adjustment: crate::PlanAdjustments::default(),
            things: Vec::new(),
            used: Vec::new(),
            times: None,
            judges: match by {
                "m" => vec![judge(None)],
                "r" => vec![judge(Some("openai/m"))],
                _ => Vec::new(),
            },
            previous: Hash::NONE,
        }
    }

    fn check(entries: &[LedgerEntry], originals: Option<&[u8]>) {
        let expected = originals.map(|originals| originals.iter().copied().map(id).collect::<Vec<_>>());
        assert_eq!(worded_by_rules(id(1), entries), expected);
    }

    #[test]
    fn the_ledger_tells_whose_words_they_are() {
        check(&[], None);
        check(&[entry(Op::Promote, &[1, 2, 3], "")], Some(&[2, 3]));
        check(&[entry(Op::Promote, &[1, 2], "r")], Some(&[2]));
        check(&[entry(Op::Promote, &[1, 2], "m")], None);
        check(&[entry(Op::Promote, &[1, 2], "r"), entry(Op::Edit, &[1], "m")], None);
        check(&[entry(Op::Promote, &[1, 2], ""), entry(Op::Think, &[1], "r")], None);
        check(&[entry(Op::Promote, &[1, 2], ""), entry(Op::Recall, &[1], ""), entry(Op::Think, &[], "m")], Some(&[2]));
        // The essence grew while the model was unavailable.
        check(&[entry(Op::Promote, &[1, 2], "m"), entry(Op::Promote, &[1, 3], "r")], Some(&[2, 3]));
        // Being an original of another essence does not affect its own wording.
        check(&[entry(Op::Promote, &[1, 2], "r"), entry(Op::Promote, &[9, 1], "m")], Some(&[2]));
        check(&[entry(Op::Promote, &[9, 1], "r")], None);
        check(&[entry(Op::Consolidate, &[1, 2], "")], None);
    }
}
