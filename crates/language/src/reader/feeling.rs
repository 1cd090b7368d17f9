//! The feeling of a message from the reader's heads.

use saegim_core::{Emotion, Emotions, Feeling, Sentiment, Unit};

use crate::reader::analysis::{EMOTIONS, MessageAnalysis};
use crate::reader::calibration::calibration;

/// The most emotions of one message.
const MOST: usize = 3;

/// Returns the feeling of a message. The words that express it are those the rules found.
pub(crate) fn felt(rules: &Feeling, analysis: &MessageAnalysis) -> Feeling {
    let mut levels: Vec<(Emotion, f32)> = EMOTIONS
        .iter()
        .zip(analysis.emotions)
        .filter_map(|(name, score)| Some((Emotion::parse(name).ok()?, calibration("emotion", name).probability(score))))
        .collect();
    levels.sort_by(|one, other| other.1.total_cmp(&one.1));
    let holds = |(place, (emotion, level)): (usize, &(Emotion, f32))| {
        (place == 0 || *level >= calibration("emotion", emotion.as_str()).kept_from).then_some(*emotion)
    };
    let strongest = levels.iter().take(MOST).enumerate().filter_map(holds);
    let emotions = if levels.first().is_some_and(|(emotion, _)| *emotion == Emotion::Neutral) {
        Emotions::mix([Emotion::Neutral])
    } else {
        Emotions::mix(strongest.filter(|emotion| *emotion != Emotion::Neutral))
    };
    if emotions.holds(Emotion::Neutral) {
        return Feeling { emotions, keywords: rules.keywords.clone(), ..Feeling::default() };
    }
    let intensity = Unit::clamped(analysis.intensity / 3.0);
    let pleasant: Vec<f32> = emotions.iter().map(Emotion::sentiment).collect();
    let (low, high) = pleasant.iter().fold((0.0f32, 0.0f32), |(low, high), value| (low.min(*value), high.max(*value)));
    Feeling {
        emotions,
        intensity,
        sentiment: Sentiment::clamped(emotions.sentiment().get() * intensity.get().max(0.25)),
        affect_amplitude: Unit::clamped((high - low) / 2.0 * intensity.get()),
        confidence: Unit::clamped(levels.first().map_or(0.0, |(_, level)| *level)),
        keywords: rules.keywords.clone(),
    }
}
