//! How a caller wants an answer drawn, in OpenAI's terms, and in the words of each dialect.

use serde_json::{Map, Value, json};

use crate::llm::dialect::Dialect;

/// What a caller wants of an answer beside its content. What is not set is the model's own to choose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sampling {
    /// How freely words are drawn, 0..=2.
    pub temperature: Option<f64>,
    /// The share of likeliest words that are drawn from, 0..=1.
    pub top_p: Option<f64>,
    /// How many of the likeliest words are drawn from.
    pub top_k: Option<u32>,
    /// Texts at which the answer ends before them.
    pub stop: Vec<String>,
    /// How many tokens the answer may have, its thoughts included.
    pub most_tokens: Option<u32>,
    /// How much a word that has been said is held against saying it again, -2..=2.
    pub presence_penalty: Option<f64>,
    /// The same, by how often it has been said, -2..=2.
    pub frequency_penalty: Option<f64>,
    /// What the drawing starts from.
    pub seed: Option<i64>,
}

impl Sampling {
    /// The first thing asked for that a model of this dialect has no word for, as OpenAI calls it. What changes nothing is not
    /// asked for.
    pub(crate) fn unsaid(&self, dialect: Dialect) -> Option<&'static str> {
        let above = |value: Option<f64>, most: f64| value.is_some_and(|value| value > most);
        let moves = |penalty: Option<f64>| penalty.is_some_and(|penalty| penalty != 0.0);
        match dialect {
            Dialect::OpenAi => None,
            Dialect::Anthropic if above(self.temperature, 1.0) => Some("temperature"),
            Dialect::Anthropic if moves(self.presence_penalty) => Some("presence_penalty"),
            Dialect::Anthropic if moves(self.frequency_penalty) => Some("frequency_penalty"),
            Dialect::Anthropic if self.seed.is_some() => Some("seed"),
            Dialect::Gemini if self.seed.is_some_and(|seed| i32::try_from(seed).is_err()) => Some("seed"),
            Dialect::Gemini if self.stop.len() > 5 => Some("stop"),
            Dialect::Anthropic | Dialect::Gemini => None,
        }
    }

    /// The same of a model that always says the likeliest word.
    pub(crate) fn undrawn(&self) -> Option<&'static str> {
        let other = |value: Option<f64>, plain: f64| value.is_some_and(|value| value != plain);
        match () {
            () if other(self.temperature, 0.0) => Some("temperature"),
            () if other(self.top_p, 1.0) => Some("top_p"),
            () if self.top_k.is_some() => Some("top_k"),
            () if !self.stop.is_empty() => Some("stop"),
            () if other(self.presence_penalty, 0.0) => Some("presence_penalty"),
            () if other(self.frequency_penalty, 0.0) => Some("frequency_penalty"),
            () => None,
        }
    }

    /// Puts what is set where the dialect has it, under its own names.
    pub(crate) fn put_into(&self, fields: &mut Map<String, Value>, dialect: Dialect) {
        let [top_p, top_k, stop, presence, frequency] = match dialect {
            Dialect::OpenAi => ["top_p", "top_k", "stop", "presence_penalty", "frequency_penalty"],
            Dialect::Anthropic => ["top_p", "top_k", "stop_sequences", "", ""],
            Dialect::Gemini => ["topP", "topK", "stopSequences", "presencePenalty", "frequencyPenalty"],
        };
        let seed = if dialect == Dialect::Anthropic { "" } else { "seed" };
        for (name, value) in [
            ("temperature", self.temperature.map(Value::from)),
            (top_p, self.top_p.map(Value::from)),
            (top_k, self.top_k.map(Value::from)),
            (stop, Some(json!(self.stop)).filter(|_| !self.stop.is_empty())),
            (presence, self.presence_penalty.map(Value::from)),
            (frequency, self.frequency_penalty.map(Value::from)),
            (seed, self.seed.map(Value::from)),
        ] {
            if let Some(value) = value.filter(|_| !name.is_empty()) {
                fields.insert(name.to_owned(), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dialect_has_no_word_for_is_named_and_what_changes_nothing_is_not() {
        let check = |sampling: Sampling, anthropic: Option<&str>, gemini: Option<&str>, likeliest: Option<&str>| {
            let named = [sampling.unsaid(Dialect::OpenAi), sampling.unsaid(Dialect::Anthropic), sampling.unsaid(Dialect::Gemini)];
            assert_eq!((named, sampling.undrawn()), ([None, anthropic, gemini], likeliest), "{sampling:?}");
        };
        let plain = Sampling::default();
        check(plain.clone(), None, None, None);
        check(Sampling { temperature: Some(0.0), top_p: Some(1.0), presence_penalty: Some(0.0), ..plain.clone() }, None, None, None);
        check(Sampling { temperature: Some(0.7), ..plain.clone() }, None, None, Some("temperature"));
        check(Sampling { temperature: Some(1.2), ..plain.clone() }, Some("temperature"), None, Some("temperature"));
        check(Sampling { top_p: Some(0.9), top_k: Some(5), ..plain.clone() }, None, None, Some("top_p"));
        check(Sampling { presence_penalty: Some(0.5), ..plain.clone() }, Some("presence_penalty"), None, Some("presence_penalty"));
        check(Sampling { frequency_penalty: Some(-1.0), ..plain.clone() }, Some("frequency_penalty"), None, Some("frequency_penalty"));
        check(Sampling { seed: Some(7), ..plain.clone() }, Some("seed"), None, None);
        check(Sampling { seed: Some(1 << 40), ..plain.clone() }, Some("seed"), Some("seed"), None);
        check(Sampling { stop: vec!["\n".into()], most_tokens: Some(5), ..plain.clone() }, None, None, Some("stop"));
        check(Sampling { stop: vec!["a".into(); 6], ..plain }, None, Some("stop"), Some("stop"));
    }
}
