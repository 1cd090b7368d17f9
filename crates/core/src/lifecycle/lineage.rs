//! Lineage: which essences derive from which memories, and what happens to them when originals are deleted.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Link, LinkKind, MemoryId};

/// Which essences derive from which memories.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lineage {
    /// Originals of every essence.
    originals: BTreeMap<MemoryId, BTreeSet<MemoryId>>,
}

/// Effect of deleted memories on the essences derived from them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrphanedEssences {
    /// Essences with no remaining originals, directly or transitively.
    pub alone: Vec<MemoryId>,
    /// Essences with remaining originals, in dependency order, each with its remaining originals.
    pub beside: Vec<(MemoryId, Vec<MemoryId>)>,
}

impl Lineage {
    /// Builds the lineage from links.
    pub fn of(links: &[Link]) -> Self {
        let mut originals: BTreeMap<MemoryId, BTreeSet<MemoryId>> = BTreeMap::new();
        for link in links.iter().filter(|link| link.kind == LinkKind::DistilledFrom && link.from != link.to) {
            originals.entry(link.from).or_default().insert(link.to);
        }
        Self { originals }
    }

    /// Returns the originals an essence is still linked to.
    pub fn originals(&self, essence: MemoryId) -> impl Iterator<Item = MemoryId> {
        self.originals.get(&essence).into_iter().flatten().copied()
    }

    /// Returns the effect of deleting `going`. Originals for which `is_there` returns false cannot be read and do not count.
    pub fn without(&self, going: &[MemoryId], is_there: impl Fn(MemoryId) -> bool) -> OrphanedEssences {
        let mut gone: BTreeSet<MemoryId> = going.iter().copied().collect();
        let mut orphaned = OrphanedEssences::default();
        loop {
            let touched = self.touched(&gone);
            let left = |essence: &MemoryId| -> Vec<MemoryId> {
                self.originals(*essence).filter(|original| !gone.contains(original) && is_there(*original)).collect()
            };
            let (alone, beside): (Vec<MemoryId>, Vec<MemoryId>) = touched.into_iter().partition(|essence| left(essence).is_empty());
            if alone.is_empty() {
                orphaned.beside = beside.into_iter().map(|essence| (essence, left(&essence))).collect();
                return orphaned;
            }
            gone.extend(alone.iter().copied());
            orphaned.alone.extend(alone);
        }
    }

    /// Returns the essences that derive from a deleted memory, directly or transitively, in dependency order.
    fn touched(&self, gone: &BTreeSet<MemoryId>) -> Vec<MemoryId> {
        let mut touched: Vec<MemoryId> = Vec::new();
        loop {
            let stands = |originals: &BTreeSet<MemoryId>| originals.iter().any(|id| gone.contains(id) || touched.contains(id));
            let open: Vec<_> = self
                .originals
                .iter()
                .filter(|(essence, originals)| !gone.contains(essence) && !touched.contains(essence) && stands(originals))
                .collect();
            let waits = |id: &MemoryId| !touched.contains(id) && !gone.contains(id) && self.stands_on(*id, gone);
            // Manually created links may form a cycle; then any essence of the cycle comes first.
            let next = open.iter().find(|(_, originals)| !originals.iter().any(waits)).or(open.first());
            match next {
                Some((essence, _)) => touched.push(**essence),
                None => return touched,
            }
        }
    }

    /// Whether an essence derives from a deleted memory, directly or transitively.
    fn stands_on(&self, essence: MemoryId, gone: &BTreeSet<MemoryId>) -> bool {
        let (mut seen, mut next) = (BTreeSet::from([essence]), vec![essence]);
        while let Some(id) = next.pop() {
            for original in self.originals(id) {
                if gone.contains(&original) {
                    return true;
                }
                if seen.insert(original) {
                    next.push(original);
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    fn id(number: u8) -> MemoryId {
        MemoryId::new(Timestamp::from_millis(1_780_000_000_000), [number; 10])
    }

    fn check(links: &[(u8, &[u8])], going: &[u8], unread: &[u8], (alone, beside): (&[u8], &[(u8, &[u8])])) {
        let link = |from: u8, to: u8| Link { from: id(from), to: id(to), kind: LinkKind::DistilledFrom };
        let links: Vec<Link> = links.iter().flat_map(|(from, to)| to.iter().map(|to| link(*from, *to))).collect();
        let going: Vec<MemoryId> = going.iter().copied().map(id).collect();
        let orphaned = Lineage::of(&links).without(&going, |original| !unread.iter().any(|number| id(*number) == original));
        let ids = |numbers: &[u8]| numbers.iter().copied().map(id).collect::<Vec<_>>();
        assert_eq!(orphaned.alone, ids(alone));
        assert_eq!(orphaned.beside, beside.iter().map(|(essence, left)| (id(*essence), ids(left))).collect::<Vec<_>>());
    }

    #[test]
    fn what_stood_on_the_gone_alone_goes_and_what_stands_on_others_too_is_named_from_below() {
        check(&[], &[1], &[], (&[], &[]));
        check(&[(9, &[1])], &[1], &[], (&[9], &[]));
        check(&[(9, &[1]), (8, &[9])], &[1], &[], (&[9, 8], &[]));
        check(&[(9, &[1, 2, 3])], &[1, 2, 3], &[], (&[9], &[]));
        check(&[(9, &[1, 2, 3])], &[2], &[], (&[], &[(9, &[1, 3])]));
        check(&[(9, &[1, 2])], &[2], &[1], (&[9], &[]));
        // The yearly essence derives from a quarterly one that must be reworded, so it must be reworded after it.
        check(&[(8, &[9]), (9, &[1, 2])], &[2], &[], (&[], &[(9, &[1]), (8, &[9])]));
        check(&[(8, &[9, 7]), (9, &[1]), (7, &[2])], &[1], &[], (&[9], &[(8, &[7])]));
        check(&[(9, &[1])], &[2], &[], (&[], &[]));
    }
}
