//! The clock and randomness of the engine. All other code gets both from here.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use saegim_core::{Hash, Timestamp};

/// Source of the current time.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[allow(clippy::disallowed_methods, reason = "this is the one place that asks the machine for the time")]
        Timestamp::from_millis(jiff::Timestamp::now().as_millisecond())
    }
}

/// A clock that only changes when it is set, for tests, games and simulations.
#[derive(Debug)]
pub struct SetClock(AtomicI64);

impl SetClock {
    /// Creates a clock that shows `now`.
    pub fn at(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.millis()))
    }

    /// Sets the clock, forward or back.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.millis(), Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// Source of randomness.
pub trait Dice: Send + Sync {
    /// Returns 32 unpredictable bytes, or the next value of a seeded sequence.
    fn roll(&self) -> [u8; 32];

    /// Returns ten bytes, enough for unique ids.
    fn chance(&self) -> [u8; 10] {
        let mut bytes = [0; 10];
        bytes.copy_from_slice(&self.roll()[..10]);
        bytes
    }
}

/// The randomness of the operating system.
#[derive(Debug, Default)]
pub struct SystemDice;

impl Dice for SystemDice {
    fn roll(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        #[allow(clippy::disallowed_methods, reason = "this is the one place that asks the machine for chance")]
        getrandom::fill(&mut bytes).expect("every system saegim runs on has randomness");
        bytes
    }
}

/// A deterministic source: the same seed returns the same sequence.
#[derive(Debug)]
pub struct SeededDice {
    seed: u64,
    throws: AtomicU64,
}

impl SeededDice {
    /// Creates a source with this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, throws: AtomicU64::new(0) }
    }
}

impl Dice for SeededDice {
    fn roll(&self) -> [u8; 32] {
        let throw = self.throws.fetch_add(1, Ordering::SeqCst);
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.seed.to_le_bytes());
        bytes[8..].copy_from_slice(&throw.to_le_bytes());
        *Hash::of(&bytes).bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_throws_the_same() {
        let (first, second) = (SeededDice::new(4), SeededDice::new(4));
        assert_eq!([first.roll(), first.roll()], [second.roll(), second.roll()]);
        assert_ne!(first.roll(), SeededDice::new(5).roll());
        assert_ne!(SystemDice.roll(), SystemDice.roll());
    }
}
