//! BQI: the coordinate of a prompt and its answer in time, space, agent, emotion and rhythm. The cues of both languages are found
//! by `language`; the rules here decide what they mean.

use serde::{Deserialize, Serialize};

use crate::{OrchestrationPolicy, RhythmPhase, Timestamp, Unit};

/// Cues found in a prompt and its answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BqiCues {
    /// Rhythm phases with a cue in the prompt.
    pub prompt_phases: Vec<RhythmPhase>,
    /// Rhythm phases with a cue in the answer.
    pub answer_phases: Vec<RhythmPhase>,
    /// Number of different cues of urgency.
    pub urgent: usize,
    /// Sum of the weights of the different cues of risk.
    pub risk: f32,
    /// Words of emotion, in order of appearance.
    pub emotion_keywords: Vec<String>,
    /// Intensity of the emotion.
    pub intensity: Unit,
}

/// Where, when and by whom something was said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BqiPlace<'a> {
    /// Time.
    pub time: Timestamp,
    /// Domain of work.
    pub space: &'a str,
    /// Persona; empty for the prompt itself.
    pub agent: &'a str,
}

/// Coordinate of a prompt and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BqiSnapshot {
    /// Time.
    pub time: Timestamp,
    /// Domain of work.
    pub space: String,
    /// Persona; empty for the prompt itself.
    pub agent: String,
    /// Words of emotion.
    pub emotion_keywords: Vec<String>,
    /// Rhythm phase.
    pub rhythm_phase: RhythmPhase,
    /// Priority, 1..=4; 4 is the most urgent.
    pub priority: u8,
    /// Risk, 0..=1.
    pub risk: Unit,
}

/// Returns the first phase with a cue, in the order integration, reflection, planning, exploration: first in the prompt, then in
/// the answer. A text without a cue explores.
pub fn rhythm_phase(cues: &BqiCues) -> RhythmPhase {
    let first = |found: &[RhythmPhase]| RhythmPhase::ALL.iter().copied().find(|phase| found.contains(phase));
    first(&cues.prompt_phases).or_else(|| first(&cues.answer_phases)).unwrap_or(RhythmPhase::Exploration)
}

/// Returns `1 + urgent cues (at most 2) + 1 if the risk is high or the emotion strong`, at most 4.
pub fn bqi_priority(cues: &BqiCues, policy: &OrchestrationPolicy) -> u8 {
    let grave = cues.risk >= policy.high_risk || cues.intensity.get() >= policy.strong_emotion;
    (1 + cues.urgent.min(2) as u8 + u8::from(grave)).min(4)
}

/// Returns the coordinate of a prompt and its answer.
pub fn bqi(cues: BqiCues, place: BqiPlace<'_>, policy: &OrchestrationPolicy) -> BqiSnapshot {
    BqiSnapshot {
        time: place.time,
        space: place.space.to_owned(),
        agent: place.agent.to_owned(),
        rhythm_phase: rhythm_phase(&cues),
        priority: bqi_priority(&cues, policy),
        risk: Unit::clamped(cues.risk),
        emotion_keywords: cues.emotion_keywords,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use RhythmPhase::*;

    fn check(prompt: &[RhythmPhase], answer: &[RhythmPhase], expected: RhythmPhase) {
        let cues = BqiCues { prompt_phases: prompt.to_vec(), answer_phases: answer.to_vec(), ..BqiCues::default() };
        assert_eq!(rhythm_phase(&cues), expected, "{prompt:?} {answer:?}");
    }

    #[test]
    fn the_first_phase_in_order_wins_and_the_prompt_comes_before_the_answer() {
        check(&[], &[], Exploration);
        check(&[Exploration, Planning], &[], Planning);
        check(&[Planning, Reflection], &[], Reflection);
        check(&[Exploration, Planning, Reflection, Integration], &[], Integration);
        check(&[Planning], &[Integration], Planning);
        check(&[], &[Planning, Reflection], Reflection);
    }

    #[test]
    fn golden_priorities() {
        for (urgent, risk, intensity, priority) in
            [(0, 0.0, 0.0, 1), (1, 0.0, 0.0, 2), (0, 0.7, 0.0, 2), (0, 0.0, 0.8, 2), (2, 0.0, 0.0, 3), (9, 0.0, 0.0, 3), (2, 1.0, 1.0, 4)]
        {
            let cues = BqiCues { urgent, risk, intensity: Unit::clamped(intensity), ..BqiCues::default() };
            assert_eq!(bqi_priority(&cues, &OrchestrationPolicy::default()), priority, "{urgent} {risk} {intensity}");
        }
    }

    proptest! {
        #[test]
        fn another_cue_never_lowers_the_priority(urgent in 0usize..6, risk in 0.0f32..3.0, more in 0.0f32..3.0, intensity in 0.0f32..1.0) {
            let policy = OrchestrationPolicy::default();
            let of = |urgent, risk| bqi_priority(&BqiCues { urgent, risk, intensity: Unit::clamped(intensity), ..BqiCues::default() }, &policy);
            let plain = of(urgent, risk);
            prop_assert!((1..=4).contains(&plain));
            prop_assert!(of(urgent + 1, risk) >= plain && of(urgent, risk + more) >= plain);
        }
    }
}
