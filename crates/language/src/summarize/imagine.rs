//! Imagination without a model: templates filled with the given memories, with correct particles.

use std::sync::LazyLock;

use saegim_core::{Emotion, Emotions, Language, SpeechStyle, TimeOfDay, Trigger};

use crate::patterns::table::{Pattern, rows};
use crate::reply::wording::filled_by;
use crate::summarize::distil::without_circumstances;
use crate::topics::sentence_topic::topic;
use crate::{ImagineFrom, ImaginedScenario};

/// The longest stretch of a memory that is taken into an imagination, in characters.
const LONGEST: usize = 60;

struct Template {
    when: &'static str,
    theme: &'static str,
    context: Option<Pattern>,
    language: Language,
    feeling: Emotion,
    scenario: &'static str,
    formal: &'static str,
    casual: &'static str,
}

static TEMPLATES: LazyLock<Vec<Template>> = LazyLock::new(|| {
    rows(include_str!("../../data/summarize/imaginations.tsv"))
        .filter_map(|row| match row[..] {
            [when, theme, context, language, feeling, scenario, formal, casual] => Some(Template {
                when,
                theme,
                context: (context != "-").then(|| Pattern::new(context)),
                language: Language::parse(language).ok()?,
                feeling: Emotion::parse(feeling).ok()?,
                scenario,
                formal,
                casual,
            }),
            _ => None,
        })
        .collect()
});

/// Imagines something: prefers the context, then the theme, then a generic template.
pub(crate) fn daydream(from: &ImagineFrom<'_>) -> ImaginedScenario {
    let when = match (from.trigger, from.time_of_day) {
        (Trigger::Idle, _) => "idle",
        (Trigger::Context, _) => "context",
        (Trigger::Time, Some(TimeOfDay::Morning)) => "morning",
        (Trigger::Time, _) => "evening",
    };
    let gaps = Gaps::of(from);
    let usable = |template: &&Template| {
        let words = [template.scenario, template.action(from.style)];
        template.when == when && template.language == from.language && words.iter().all(|words| gaps.fill_all(words))
    };
    let said = |template: &Template| template.context.as_ref().map(|pattern| from.context.is_some_and(|context| pattern.fits(context)));
    let own = |template: &&Template| template.theme == from.theme;
    // What needs care, and what was asked for, is not mused about like anything else.
    let grave = matches!(from.theme, "caution" | "requests");
    let rank = |template: &&Template| match (said(template), own(template)) {
        (None, true) if grave => 0,
        (Some(true), _) => 1,
        (None, true) => 2,
        (None, false) if template.theme == "any" => 3,
        _ => 4,
    };
    let best = TEMPLATES.iter().filter(usable).map(|template| rank(&template)).min().unwrap_or(4);
    // The theme's own ways and those that always go take turns, so that nothing is said the same way every time.
    let ways: Vec<&Template> = TEMPLATES
        .iter()
        .filter(usable)
        .filter(|template| {
            let rank = rank(template);
            rank == best || best == 2 && rank == 3
        })
        .collect();
    let Some(chosen) = ways.get((from.throw % ways.len().max(1) as u64) as usize).filter(|_| best < 4) else {
        return ImaginedScenario { scenario: gaps.memory.clone(), action: None, emotions: Emotions::default() };
    };
    ImaginedScenario {
        scenario: gaps.filled(chosen.scenario),
        action: Some(gaps.filled(chosen.action(from.style))),
        emotions: if chosen.feeling == Emotion::Neutral { Emotions::default() } else { Emotions::mix([chosen.feeling]) },
    }
}

impl Template {
    fn action(&self, style: SpeechStyle) -> &'static str {
        if style == SpeechStyle::Formal { self.formal } else { self.casual }
    }
}

/// The text with the apostrophes inside its words turned into letters of theirs: what is left of them are quotation marks.
fn inner_apostrophe(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let within = |at: usize| at > 0 && letters[at - 1].is_alphabetic() && letters.get(at + 1).is_some_and(|next| next.is_alphabetic());
    letters.iter().enumerate().map(|(at, letter)| if *letter == '\'' && within(at) { '’' } else { *letter }).collect()
}

/// What the gaps of a template are filled with.
struct Gaps {
    memory: String,
    other: Option<String>,
    topic: Option<String>,
    context: Option<String>,
    user: Option<String>,
}

impl Gaps {
    fn of(from: &ImagineFrom<'_>) -> Self {
        let gist = |text: &str| {
            // What is short is told as it was: "Sophie's wedding is on March 21" says nothing without its day.
            let text = if text.chars().count() > LONGEST { without_circumstances(text) } else { text.to_owned() };
            let text = inner_apostrophe(text.trim());
            let text = text.trim().trim_end_matches(['.', '!', '~', ' ']);
            let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(['\'', '"', '{', '}'], "");
            if text.chars().count() > LONGEST { text.chars().take(LONGEST).chain("…".chars()).collect() } else { text }
        };
        let named = !matches!(from.user.trim().to_lowercase().as_str(), "" | "me" | "user" | "default" | "owner");
        Self {
            memory: from.memories.first().map(|text| gist(text)).unwrap_or_default(),
            other: from.memories.get(1).map(|text| gist(text)),
            topic: from.memories.first().and_then(|text| topic(text)).filter(|topic| Language::of(topic) == from.language),
            context: from.context.map(gist).filter(|context| !context.is_empty()),
            user: named.then(|| from.user.trim().to_owned()),
        }
    }

    fn gap(&self, name: &str) -> Option<&str> {
        match name {
            "m" => Some(&self.memory),
            "n" => self.other.as_deref(),
            "t" => self.topic.as_deref(),
            "c" => self.context.as_deref(),
            "user" => self.user.as_deref(),
            _ => None,
        }
    }

    /// Whether there is something for every gap.
    fn fill_all(&self, words: &str) -> bool {
        words
            .split('{')
            .skip(1)
            .filter_map(|rest| rest.split_once('}'))
            .all(|(name, _)| self.gap(name).is_some_and(|value| !value.is_empty()))
    }

    fn filled(&self, words: &str) -> String {
        filled_by(words, |name| self.gap(name).unwrap_or_default().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn from<'a>(trigger: Trigger, context: Option<&'a str>, memories: &'a [&'a str]) -> ImagineFrom<'a> {
        ImagineFrom {
            trigger,
            time_of_day: None,
            context,
            theme: "preferences",
            memories,
            user: "민수",
            language: Language::Korean,
            style: SpeechStyle::Casual,
            throw: 0,
        }
    }

    #[test]
    fn the_document_s_evening_in_the_rain() {
        let memories = ["삐돌이는 카페를 좋아한다", "요즘 야근이 잦다"];
        let dream = daydream(&from(Trigger::Context, Some("비가 오는 저녁 7시, 코딩 앱을 2시간째 사용 중"), &memories));
        assert!(dream.scenario.contains("카페를 좋아한다") && dream.scenario.contains("비가 오는"), "{dream:?}");
        assert!(dream.action.unwrap().ends_with('!') && dream.emotions.holds(Emotion::Anxiety));
    }

    #[test]
    fn particles_and_levels_of_speech_are_right() {
        let memories = ["우리 강아지 모찌를 입양했어"];
        let mut said = BTreeSet::new();
        for throw in 0..20 {
            let casual = daydream(&ImagineFrom { throw, theme: "people", ..from(Trigger::Idle, None, &memories) });
            let formal =
                daydream(&ImagineFrom { throw, theme: "people", style: SpeechStyle::Formal, ..from(Trigger::Idle, None, &memories) });
            assert!(!casual.scenario.contains(['(', '{', '/']) && !casual.action.clone().unwrap().contains(['(', '{', '/']), "{casual:?}");
            assert!(formal.action.as_ref().unwrap().trim_end_matches(['.', '?', '!']).ends_with(['요', '죠']), "{formal:?}");
            said.insert(casual.scenario);
        }
        assert!(said.len() > 3, "{said:?}");
        assert!(said.iter().any(|scenario| scenario.contains("입양했어'라는") || scenario.contains("입양했어', 그")), "{said:?}");
    }

    #[test]
    fn every_template_can_be_used() {
        for language in [Language::Korean, Language::English] {
            let count = TEMPLATES.iter().filter(|template| template.language == language).count();
            assert!(count >= 35, "{language}: {count}");
        }
        let lines = include_str!("../../data/summarize/imaginations.tsv")
            .lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
            .count();
        assert_eq!(lines, TEMPLATES.len(), "a row that cannot be read");
        for template in TEMPLATES.iter() {
            assert!(template.context.as_ref().is_none_or(|pattern| pattern.get().is_some()), "{}", template.scenario);
            assert!(["idle", "context", "morning", "evening"].contains(&template.when));
            assert!(template.scenario.contains("{m}"), "it must take up the memory: {}", template.scenario);
            for words in [template.scenario, template.formal, template.casual] {
                let said = filled_by(words, |_| "노래".into());
                assert!(!said.contains(['{', '}', '/']), "{said}");
            }
        }
    }

    #[test]
    fn a_memory_without_a_noun_still_gives_something() {
        for trigger in [Trigger::Idle, Trigger::Time, Trigger::Context] {
            let dream = daydream(&ImagineFrom { theme: "moments", context: Some("창밖"), ..from(trigger, None, &["좋았다"]) });
            assert!(dream.scenario.contains("좋았다"), "{dream:?}");
        }
    }
}
