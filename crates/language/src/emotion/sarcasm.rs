//! Detects sarcasm and hyperbole marked by laughter: "ㅋㅋ 죽고 싶다 과제 너무 많아" is about homework, not a death wish. Sentences are
//! stored without their laughter, so this is decided while it is still known.

use saegim_core::{Emotion, Feeling};

use crate::emotion::bare::says_more;
use crate::emotion::feeling::feeling;
use crate::emotion::life_event::is_life_event;
use crate::patterns::table::Pattern;
use crate::tokenize::split::Sentence;

/// Intensity from which laughter changes the reading.
const STRONG: f32 = 0.7;
/// Intensity from which a feeling is severe.
const GRAVE: f32 = 0.75;

static WISH: Pattern = Pattern::new(
    r"(?:죽고|죽어 ?버리고|사라지고|없어지고|살고|끝내고) ?싶\S*(?: ?않\S*)?|살기 ?싫\S*|\b(?:i )?(?:just |really |literally |kinda )*(?:want to|wanna|wish i (?:was|were)|could|going to|gonna) (?:just )?(?:die|dead|disappear|kill myself|kms)\b|\bkill me\b|\bkms\b",
);

/// Checks whether a sentence is a joke: it contains laughter, and a death wish in it is a figure of speech about something else
/// in the message. A death wish on its own is taken seriously, with or without laughter.
pub(crate) fn is_laughed_off(sentences: &[Sentence], at: usize) -> bool {
    sentences[at].laughs && {
        let wishes = sentences.iter().any(|sentence| WISH.fits(&sentence.text));
        let rest = |sentence: &Sentence| WISH.without(&sentence.text.to_lowercase()).unwrap_or_else(|| sentence.text.to_lowercase());
        !wishes || sentences.iter().any(|sentence| says_more(&rest(sentence)))
    }
}

/// Returns the feeling of a piece of a message; it is not strong if it is a joke.
pub(crate) fn felt(text: &str, laughed_off: bool) -> Feeling {
    let felt = feeling(text);
    let dark = felt.intensity.get() >= STRONG && !felt.emotions.holds(Emotion::Joy);
    if dark && laughed_off { feeling(&laughing(text)) } else { felt }
}

/// Checks whether a piece of a message is grave: a death, an assault, a death wish.
pub(crate) fn is_grave(text: &str, laughed_off: bool) -> bool {
    let felt = felt(text, laughed_off);
    felt.intensity.get() >= GRAVE && felt.sentiment.get() < 0.0
}

/// Checks whether a piece of a message describes a major life event.
pub(crate) fn turns_a_life(text: &str, laughed_off: bool) -> bool {
    is_life_event(text) && (!laughed_off || is_life_event(&laughing(text)))
}

fn laughing(text: &str) -> String {
    format!("{text} ㅋㅋ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::split::sentences;

    #[test]
    fn a_wish_to_die_is_laughed_off_only_with_a_cause() {
        for (text, laughed_off) in [
            ("ㅋㅋ 죽고싶다 과제 너무 많아", true),
            ("죽고 싶다 ㅋㅋ 과제 너무 많아", true),
            ("lol i want to die, so much homework", true),
            ("나 진짜 죽고 싶어 ㅋㅋ", false),
            ("haha I want to die", false),
            ("과제 너무 많아서 죽고 싶어", false),
            ("I want to die, so much homework", false),
        ] {
            assert_eq!(is_laughed_off(&sentences(text), 0), laughed_off, "{text}");
        }
    }

    #[test]
    fn laughter_takes_the_strength_out_of_what_is_dark_only() {
        assert!(felt("죽고싶다 과제 너무 많아", true).intensity.get() < STRONG);
        assert!(felt("죽고싶다 과제 너무 많아", false).intensity.get() >= STRONG);
        assert_eq!(felt("드디어 취업했어", true), feeling("드디어 취업했어"));
        assert!(turns_a_life("나 파산", false) && !turns_a_life("나 파산", true));
    }
}
