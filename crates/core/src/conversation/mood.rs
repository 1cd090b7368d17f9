//! What the character feels now: moved by what is said and recalled, returning to rest by itself.

use serde::{Deserialize, Serialize};

use crate::{Emotion, Emotions, Feeling, MoodPolicy, Timestamp, Unit};

/// A level for each emotion but neutral, as of a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mood {
    levels: [Unit; 9],
    as_of: Timestamp,
}

impl Mood {
    /// At rest.
    pub const fn neutral(as_of: Timestamp) -> Self {
        Self { levels: [Unit::ZERO; 9], as_of }
    }

    /// The same mood, worked out no later than for `now`.
    pub fn felt_by(self, now: Timestamp) -> Self {
        Self { as_of: self.as_of.min(now), ..self }
    }

    /// The moment this mood was last worked out for.
    pub const fn as_of(&self) -> Timestamp {
        self.as_of
    }

    /// How much of `emotion` there is; neutral is what the strongest of the others leaves.
    pub fn level(&self, emotion: Emotion) -> Unit {
        match emotion {
            Emotion::Neutral => Unit::clamped(1.0 - self.levels.iter().map(|level| level.get()).fold(0.0, f32::max)),
            felt => self.levels[felt as usize],
        }
    }

    /// The same mood at a later moment: `level * 2^(-time / half-life)`, nothing once it is under a ten-thousandth. An earlier moment changes nothing.
    pub fn at(&self, now: Timestamp, policy: &MoodPolicy) -> Self {
        let half_lives = now.since(self.as_of).as_millis() as f64 / (f64::from(policy.half_life_minutes) * 60_000.0);
        let share = 0.5f64.powf(half_lives) as f32;
        let levels = self.levels.map(|level| {
            let level = level.get() * share;
            Unit::clamped(if level < 1e-4 { 0.0 } else { level })
        });
        Self { levels, as_of: self.as_of.max(now) }
    }

    /// The mood after meeting `feeling`: each level moves toward the feeling's by `pull * intensity`.
    pub fn moved(&self, feeling: &Feeling, now: Timestamp, policy: &MoodPolicy) -> Self {
        let mut mood = self.at(now, policy);
        if feeling.emotions.is_empty() {
            return mood;
        }
        let pull = policy.recall_pull * feeling.intensity.get();
        for emotion in Emotion::ALL.into_iter().filter(|&emotion| emotion != Emotion::Neutral) {
            let target = if feeling.emotions.holds(emotion) { 1.0 } else { 0.0 };
            let level = &mut mood.levels[emotion as usize];
            *level = Unit::clamped(level.get() + pull * (target - level.get()));
        }
        mood
    }

    /// The emotions that hold now.
    pub fn emotions(&self, policy: &MoodPolicy) -> Emotions {
        let felt = Emotion::ALL.into_iter().filter(|&emotion| emotion != Emotion::Neutral);
        let felt: Vec<_> = felt.filter(|&emotion| self.level(emotion).get() >= policy.neutral_below.max(f32::EPSILON)).collect();
        Emotions::mix(if felt.is_empty() { vec![Emotion::Neutral] } else { felt })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Span;

    fn joy(intensity: f32) -> Feeling {
        Feeling::named(Emotions::mix([Emotion::Joy]), Unit::clamped(intensity))
    }

    #[test]
    fn a_mood_falls_to_half_in_two_hours() {
        let policy = MoodPolicy::default();
        let start = Timestamp::from_millis(0);
        let happy = Mood::neutral(start).moved(&joy(1.0), start, &policy);
        assert_eq!(happy.level(Emotion::Joy).get(), 0.5);
        let later = happy.at(start.plus(Span::hours(2)), &policy);
        assert!((later.level(Emotion::Joy).get() - 0.25).abs() < 1e-6);
        let much_later = happy.at(start.plus(Span::days(3)), &policy);
        assert_eq!(much_later, Mood::neutral(start.plus(Span::days(3))));
    }

    #[test]
    fn a_clock_that_goes_back_changes_no_mood() {
        let policy = MoodPolicy::default();
        let start = Timestamp::from_millis(1_000_000_000);
        let happy = Mood::neutral(start).moved(&joy(0.8), start, &policy);
        assert_eq!(happy.at(Timestamp::from_millis(0), &policy), happy);
    }

    #[test]
    fn a_mood_at_rest_is_neutral_and_one_that_is_felt_is_not() {
        let policy = MoodPolicy::default();
        let start = Timestamp::from_millis(0);
        let happy = Mood::neutral(start).moved(&joy(1.0), start, &policy);
        assert_eq!(happy.emotions(&policy), Emotions::mix([Emotion::Joy]));
        assert_eq!(happy.at(start.plus(Span::days(1)), &policy).emotions(&policy), Emotions::mix([Emotion::Neutral]));
        assert_eq!(Mood::neutral(start).emotions(&policy), Emotions::mix([Emotion::Neutral]));
    }

    proptest! {
        #[test]
        fn a_stronger_feeling_moves_the_mood_further(low in 0.0f32..1.0, more in 0.0f32..1.0, before in 0.0f32..1.0) {
            let policy = MoodPolicy::default();
            let now = Timestamp::from_millis(0);
            let mood = Mood::neutral(now).moved(&joy(before), now, &policy);
            let high = (low + more).min(1.0);
            let weak = mood.moved(&joy(low), now, &policy).level(Emotion::Joy);
            let strong = mood.moved(&joy(high), now, &policy).level(Emotion::Joy);
            prop_assert!(strong >= weak && weak >= mood.at(now, &policy).level(Emotion::Joy));
        }

        #[test]
        fn what_is_not_felt_is_neutral(intensity in 0.0f32..1.0, more in 0.0f32..1.0) {
            let policy = MoodPolicy::default();
            let now = Timestamp::from_millis(0);
            let mood = Mood::neutral(now).moved(&joy(intensity), now, &policy);
            prop_assert!((mood.level(Emotion::Neutral).get() + mood.level(Emotion::Joy).get() - 1.0).abs() < 1e-6);
            prop_assert!(mood.moved(&joy(more), now, &policy).level(Emotion::Neutral) <= mood.level(Emotion::Neutral));
        }

        #[test]
        fn a_mood_left_alone_never_grows(intensity in 0.0f32..1.0, first in 0i64..10_000_000, second in 0i64..10_000_000) {
            let policy = MoodPolicy::default();
            let start = Timestamp::from_millis(0);
            let mood = Mood::neutral(start).moved(&joy(intensity), start, &policy);
            let (near, far) = (first.min(second), first.max(second));
            let near = mood.at(start.plus(Span::millis(near)), &policy).level(Emotion::Joy);
            let far = mood.at(start.plus(Span::millis(far)), &policy).level(Emotion::Joy);
            prop_assert!(far <= near && near <= mood.level(Emotion::Joy));
        }
    }
}
