//! Random parts of the ids that one decision assigns. They follow from a seed, so the decision itself uses no randomness.

use crate::Hash;

/// A sequence of id parts.
#[derive(Clone, Debug)]
pub struct DecisionIds {
    seed: [u8; 32],
    drawn: u64,
}

impl DecisionIds {
    /// Creates a sequence. Two decisions need different seeds.
    pub const fn new(seed: [u8; 32]) -> Self {
        Self { seed, drawn: 0 }
    }

    /// Returns the next ten bytes.
    pub fn draw(&mut self) -> [u8; 10] {
        let mut input = self.seed.to_vec();
        input.extend(self.drawn.to_le_bytes());
        self.drawn += 1;
        Hash::of(&input).bytes()[..10].try_into().expect("a hash has more than ten bytes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_sequence_without_repetition() {
        let draw = |seed: u8| {
            let mut ids = DecisionIds::new([seed; 32]);
            [ids.draw(), ids.draw(), ids.draw()]
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(draw(1)[0] != draw(1)[1] && draw(1)[1] != draw(1)[2]);
    }
}
