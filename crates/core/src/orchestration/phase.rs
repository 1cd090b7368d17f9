//! The phase controller: follows how far the voices differ in feeling and asks for balance when they differ too much or too little.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{OrchestrationPolicy, Sentiment, Unit};

word_enum! {
    /// Instruction that balances the dialogue.
    Balance "balance" {
        /// The voices are too alike: the affect is below the window.
        Contrast = "contrast",
        /// The voices are too far apart: the affect is above the window.
        Calm = "calm",
    }
}

/// Rhythm state of a dialogue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseState {
    /// Affect amplitude: how far the voices differ in feeling.
    pub affect: Unit,
    /// Room within the window: 1 at its centre, 0 at its borders and outside.
    pub freedom: Unit,
    /// How little the last answer moved the affect: 1 if not at all.
    pub stability: Unit,
    /// Number of completed cycles.
    pub loops: u32,
    /// Number of balancing instructions given so far.
    pub injections: u32,
    /// Sentiments of the latest answers, oldest first; as many as the cycle has voices.
    pub sentiments: Vec<Sentiment>,
    /// Instruction for the next answer.
    pub pending: Option<Balance>,
    /// Border that the affect crossed, until it is back in the window.
    pub outside: Option<Balance>,
}

impl PhaseState {
    /// Returns the state before the first answer: the affect lies in the middle of the window.
    pub fn new(policy: &OrchestrationPolicy) -> Self {
        Self {
            affect: Unit::clamped(f32::midpoint(policy.affect_from, policy.affect_to)),
            freedom: Unit::ONE,
            stability: Unit::ONE,
            loops: 0,
            injections: 0,
            sentiments: Vec::new(),
            pending: None,
            outside: None,
        }
    }

    /// Returns the instruction for the next answer, and the state in which it was given.
    pub fn inject(mut self) -> (Option<Balance>, Self) {
        let balance = self.pending.take();
        self.injections += u32::from(balance.is_some());
        (balance, self)
    }

    /// Integrates an answer:
    ///
    /// ```text
    /// spread    = (largest - smallest sentiment of the last cycle) / 2
    /// affect    = inertia * affect before + (1 - inertia) * spread        (from the second answer on)
    /// freedom   = 1 - |affect - centre of the window| / half its width
    /// stability = 1 - |affect - affect before|
    /// ```
    ///
    /// When the affect leaves the window, one instruction is due; the next one only after it was back inside or crossed the other
    /// border.
    pub fn integrate(mut self, sentiment: Sentiment, voices: usize, policy: &OrchestrationPolicy) -> Self {
        self.sentiments.push(sentiment);
        let surplus = self.sentiments.len().saturating_sub(voices.max(2));
        self.sentiments.drain(..surplus);
        let before = self.affect.get();
        if self.sentiments.len() > 1 {
            let values = self.sentiments.iter().map(|sentiment| sentiment.get());
            let (low, high) = values.fold((1.0f32, -1.0f32), |(low, high), value| (low.min(value), high.max(value)));
            let spread = (high - low) / 2.0;
            self.affect = Unit::clamped(policy.affect_inertia * before + (1.0 - policy.affect_inertia) * spread);
        }
        let (affect, centre) = (self.affect.get(), f32::midpoint(policy.affect_from, policy.affect_to));
        let half = ((policy.affect_to - policy.affect_from) / 2.0).max(f32::EPSILON);
        self.freedom = Unit::clamped(1.0 - (affect - centre).abs() / half);
        self.stability = Unit::clamped(1.0 - (affect - before).abs());
        let now = match affect {
            affect if affect < policy.affect_from => Some(Balance::Contrast),
            affect if affect > policy.affect_to => Some(Balance::Calm),
            _ => None,
        };
        if now != self.outside {
            self.pending = now;
            self.outside = now;
        }
        self
    }

    /// Counts a completed cycle.
    pub fn looped(mut self) -> Self {
        self.loops += 1;
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn state(sentiments: &[f32]) -> PhaseState {
        let policy = OrchestrationPolicy::default();
        sentiments.iter().fold(PhaseState::new(&policy), |state, value| state.integrate(Sentiment::clamped(*value), 3, &policy))
    }

    /// Checks affect, freedom and stability after these sentiments, and the instruction that is due.
    fn check(sentiments: &[f32], numbers: [f32; 3], pending: Option<Balance>) {
        let state = state(sentiments);
        let found = [state.affect, state.freedom, state.stability].map(Unit::get);
        assert!(found.iter().zip(numbers).all(|(found, number)| (found - number).abs() < 1e-5), "{sentiments:?}: {found:?}");
        assert_eq!(state.pending, pending, "{sentiments:?}");
    }

    #[test]
    fn golden_numbers() {
        check(&[], [0.5, 1.0, 1.0], None);
        check(&[0.9], [0.5, 1.0, 1.0], None);
        // Equal voices: 0.5 * 0.5 + 0.5 * 0 = 0.25, below the window.
        check(&[0.0, 0.0], [0.25, 0.0, 0.75], Some(Balance::Contrast));
        // Opposite voices: 0.5 * 0.5 + 0.5 * 1 = 0.75, above it.
        check(&[1.0, -1.0], [0.75, 0.0, 0.75], Some(Balance::Calm));
        // 0.5 * 0.5 + 0.5 * 0.5 = 0.5: the centre.
        check(&[0.5, -0.5], [0.5, 1.0, 1.0], None);
        check(&[0.4, -0.4], [0.45, 0.75, 0.95], None);
        // The first of four answers has left the window of three voices.
        check(&[1.0, 0.4, 0.0, -0.4], [0.425, 0.625, 0.975], None);
    }

    #[test]
    fn an_instruction_is_given_once_for_each_time_the_affect_leaves_the_window() {
        let policy = OrchestrationPolicy::default();
        let left = state(&[0.0, 0.0]);
        let (given, after) = left.inject();
        assert_eq!((given, after.injections), (Some(Balance::Contrast), 1));
        let still = after.integrate(Sentiment::clamped(0.0), 3, &policy);
        assert_eq!(still.clone().inject().0, None, "it is still outside");
        let back = still.integrate(Sentiment::clamped(1.0), 3, &policy);
        assert!((back.affect.get() - 0.3125).abs() < 1e-5 && back.outside.is_none());
        let again = [0.0, 0.0, 0.0].iter().fold(back, |state, value| state.integrate(Sentiment::clamped(*value), 3, &policy));
        assert_eq!(again.inject().0, Some(Balance::Contrast));
    }

    proptest! {
        #[test]
        fn instructions_never_outnumber_the_times_the_window_was_left(sentiments in prop::collection::vec(-1.0f32..=1.0, 0..60), voices in 1usize..6) {
            let policy = OrchestrationPolicy::default();
            let (mut state, mut leaves, mut before) = (PhaseState::new(&policy), 0, None);
            for value in sentiments {
                let (_, injected) = state.inject();
                state = injected.integrate(Sentiment::clamped(value), voices, &policy);
                for number in [state.affect, state.freedom, state.stability] {
                    prop_assert!((0.0..=1.0).contains(&number.get()));
                }
                prop_assert!(state.sentiments.len() <= voices.max(2));
                let inside = (policy.affect_from..=policy.affect_to).contains(&state.affect.get());
                prop_assert_eq!(inside, state.outside.is_none());
                prop_assert!(!inside || state.freedom.get() >= 0.0);
                leaves += u32::from(state.outside.is_some() && state.outside != before);
                before = state.outside;
                prop_assert!(state.injections <= leaves);
            }
        }
    }
}
