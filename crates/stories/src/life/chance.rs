//! Seeded random numbers: the same seed gives the same sequence on every machine.

/// A pseudorandom number generator.
#[derive(Clone, Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x5ae9_1a11_fe00_0001)
    }

    fn next(&mut self) -> u64 {
        // SplitMix64: the state is a counter, and every output is a hash of it.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`; 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.next() % end as u64) as usize }
    }

    /// Returns true with probability `share`.
    pub(crate) fn happens(&mut self, share: f64) -> bool {
        ((self.next() >> 11) as f64 / (1u64 << 53) as f64) < share
    }

    /// Returns a random item.
    pub(crate) fn one_of<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Returns a random item by weight.
    pub(crate) fn weighed(&mut self, items: &[(&'static str, u32)]) -> &'static str {
        let total: u32 = items.iter().map(|(_, weight)| weight).sum();
        let mut left = self.below(total as usize) as u32;
        for (item, weight) in items {
            if left < *weight {
                return item;
            }
            left -= weight;
        }
        items.first().map_or("chat", |(item, _)| item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_is_the_same_row() {
        let row = |seed| (0..20).map(|_| 0).scan(Chance::new(seed), |chance, _: u64| Some(chance.below(1000))).collect::<Vec<_>>();
        assert_eq!(row(3), row(3));
        assert_ne!(row(3), row(4));
        let mut chance = Chance::new(1);
        assert_eq!((0..1000).filter(|_| chance.happens(0.25)).count() / 100, 2);
        assert_eq!(chance.below(0), 0);
        assert_eq!(chance.weighed(&[("a", 0), ("b", 5)]), "b");
    }
}
