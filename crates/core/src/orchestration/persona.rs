//! Personas: the voices of an orchestrated dialogue.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{Invalid, Language, phrase};

word_enum! {
    /// What a voice does in the dialogue.
    Stance "stance" {
        /// States a position.
        Assert = "assert",
        /// Opposes it.
        Oppose = "oppose",
        /// Joins both.
        Join = "join",
    }
}

/// Backend that answers by rules.
pub const RULES_BACKEND: &str = "rules";

/// Backend that is the model for replies, or rules if none is configured.
pub const DEFAULT_BACKEND: &str = "default";

/// A voice of the dialogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Persona {
    /// Id, unique in its registry: letters, digits, `-` and `_`.
    pub id: String,
    /// Name.
    pub name: String,
    /// Name in Korean, if it has another one.
    #[serde(default)]
    pub name_ko: Option<String>,
    /// Role in a few words.
    pub role: String,
    /// What it does.
    pub stance: Stance,
    /// System prompt in English.
    pub system_en: String,
    /// System prompt in Korean.
    pub system_ko: String,
    /// What answers: `rules`, `default`, or the name of a configured model.
    pub backend: String,
    /// Position in the cycle; equal positions keep the order of the file.
    pub order: i64,
}

impl Persona {
    /// Returns the name in a language.
    pub fn name_in(&self, language: Language) -> &str {
        self.name_ko.as_deref().filter(|_| language == Language::Korean).unwrap_or(&self.name)
    }

    /// Returns the system prompt in a language, or the other one if that is empty.
    pub fn system(&self, language: Language) -> &str {
        let (own, other) = match language {
            Language::English => (&self.system_en, &self.system_ko),
            Language::Korean => (&self.system_ko, &self.system_en),
        };
        if own.trim().is_empty() { other } else { own }
    }

    /// Checks the form of the id.
    pub fn check_id(id: &str) -> Result<(), Invalid> {
        let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
        if (1..=50).contains(&id.chars().count()) && id.chars().all(plain) {
            return Ok(());
        }
        Err(Invalid::new("persona", phrase!("core.persona.id_form")))
    }
}

/// Returns the order of a cycle in which the first persona of a stance comes first; `None` if that changes nothing.
pub fn first_in_cycle(order: &[String], personas: &[Persona], stance: Stance) -> Option<Vec<String>> {
    let place = order.iter().position(|id| personas.iter().any(|persona| persona.id == *id && persona.stance == stance))?;
    if place == 0 {
        return None;
    }
    let mut order = order.to_vec();
    order[..=place].rotate_right(1);
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn persona(id: &str, stance: Stance) -> Persona {
        Persona {
            id: id.into(),
            name: id.into(),
            name_ko: None,
            role: String::new(),
            stance,
            system_en: "Speak.".into(),
            system_ko: String::new(),
            backend: RULES_BACKEND.into(),
            order: 0,
        }
    }

    #[test]
    fn a_stance_comes_first_and_the_others_keep_their_order() {
        let personas = [persona("thesis", Stance::Assert), persona("antithesis", Stance::Oppose), persona("synthesis", Stance::Join)];
        let order: Vec<String> = personas.iter().map(|persona| persona.id.clone()).collect();
        let check = |stance, expected: Option<[&str; 3]>| {
            assert_eq!(first_in_cycle(&order, &personas, stance), expected.map(|ids| ids.map(str::to_owned).to_vec()), "{stance}");
        };
        check(Stance::Assert, None);
        check(Stance::Oppose, Some(["antithesis", "thesis", "synthesis"]));
        check(Stance::Join, Some(["synthesis", "thesis", "antithesis"]));
        assert_eq!(first_in_cycle(&order[..1], &personas, Stance::Join), None);
    }

    #[test]
    fn a_missing_language_falls_back_to_the_other() {
        assert_eq!(persona("a", Stance::Join).system(Language::Korean), "Speak.");
    }

    #[test]
    fn an_id_is_one_plain_word() {
        for (id, right) in [("thesis", true), ("정립", true), ("a-b_1", true), ("", false), ("a b", false), ("a/b", false)] {
            assert_eq!(Persona::check_id(id).is_ok(), right, "{id}");
        }
    }
}
