//! Personas from a TOML file. Every problem names the file, the line and the field.

use std::collections::BTreeSet;

use saegim_core::{DEFAULT_BACKEND, Invalid, Persona, Phrase, RULES_BACKEND, Stance, phrase};
use serde::Deserialize;
use toml::Spanned;

use crate::EngineError;

/// The built-in personas as a commented file.
pub const DEFAULT_PERSONAS: &str = include_str!("personas.toml");

/// Maximum number of personas in a cycle.
const MOST: usize = 12;

/// Maximum length of a system prompt, in characters.
const LONGEST: usize = 4_000;

/// A file of personas and what it may refer to.
#[derive(Clone, Copy, Debug)]
pub struct PersonaFile<'a> {
    /// Name of the file, for messages.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Names of the configured models.
    pub models: &'a [String],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Registry {
    #[serde(default)]
    persona: Vec<Spanned<Row>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: Spanned<String>,
    name: Option<Spanned<String>>,
    name_ko: Option<Spanned<String>>,
    role: Option<Spanned<String>>,
    stance: Option<Spanned<String>>,
    backend: Option<Spanned<String>>,
    order: Option<i64>,
    #[serde(default)]
    system_en: Option<Spanned<String>>,
    #[serde(default)]
    system_ko: Option<Spanned<String>>,
}

/// Returns thesis, antithesis and synthesis.
pub fn built_in_personas() -> Vec<Persona> {
    read_personas(&PersonaFile { name: "personas.toml", text: DEFAULT_PERSONAS, models: &[] }).expect("the built-in file is tested")
}

/// Reads personas, in the order of their cycle.
pub fn read_personas(file: &PersonaFile<'_>) -> Result<Vec<Persona>, EngineError> {
    let registry: Registry = toml::from_str(file.text).map_err(|error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start);
        file.wrong(at, "persona", error.message().to_owned())
    })?;
    if registry.persona.is_empty() || registry.persona.len() > MOST {
        return Err(file.wrong(0, "persona", phrase!("engine.registry.persona_count", most = MOST)));
    }
    let (count, mut ids) = (registry.persona.len(), BTreeSet::new());
    let mut personas = Vec::with_capacity(count);
    for (place, row) in registry.persona.into_iter().enumerate() {
        let start = row.span().start;
        let row = row.into_inner();
        let id_at = row.id.span().start;
        Persona::check_id(row.id.get_ref()).map_err(|invalid| file.wrong(id_at, "id", invalid.problem))?;
        if !ids.insert(row.id.get_ref().clone()) {
            return Err(file.wrong(id_at, "id", phrase!("engine.registry.id_twice", id = row.id.get_ref())));
        }
        let name = file.line(row.name, "name")?.unwrap_or_else(|| row.id.get_ref().clone());
        let role = file.line(row.role, "role")?.unwrap_or_else(|| name.clone());
        let stance = match row.stance {
            Some(word) => Stance::parse(word.get_ref()).map_err(|invalid| file.wrong(word.span().start, "stance", invalid.problem))?,
            None => usual_stance(place, count),
        };
        let (system_en, system_ko) = (file.prompt(row.system_en, "system_en")?, file.prompt(row.system_ko, "system_ko")?);
        if system_en.is_empty() && system_ko.is_empty() {
            return Err(file.wrong(start, "system_en", phrase!("engine.registry.system_prompt_missing")));
        }
        let backend = match row.backend {
            Some(backend) => file.backend(&backend)?,
            None => DEFAULT_BACKEND.to_owned(),
        };
        let order = row.order.unwrap_or(place as i64 + 1);
        let name_ko = file.line(row.name_ko, "name_ko")?;
        personas.push(Persona { id: row.id.into_inner(), name, name_ko, role, stance, system_en, system_ko, backend, order });
    }
    personas.sort_by_key(|persona| persona.order);
    Ok(personas)
}

/// Returns the stance of a persona that states none: the first asserts, the last joins, the others oppose.
const fn usual_stance(place: usize, count: usize) -> Stance {
    match place {
        0 => Stance::Assert,
        place if place + 1 == count && count > 2 => Stance::Join,
        _ => Stance::Oppose,
    }
}

impl PersonaFile<'_> {
    fn wrong(&self, at: usize, field: &str, problem: impl Into<Phrase>) -> EngineError {
        let line = self.text[..at.min(self.text.len())].matches('\n').count() + 1;
        let (file, problem): (&str, Phrase) = (self.name, problem.into());
        EngineError::Invalid(Invalid::new("persona", phrase!("engine.registry.wrong_line", file, line, field, problem)))
    }

    fn backend(&self, backend: &Spanned<String>) -> Result<String, EngineError> {
        let name = backend.get_ref().trim();
        if matches!(name, RULES_BACKEND | DEFAULT_BACKEND) || self.models.iter().any(|model| model == name) {
            return Ok(name.to_owned());
        }
        Err(self.wrong(backend.span().start, "backend", phrase!("engine.registry.unknown_backend", name)))
    }

    /// Returns a short text of one line.
    fn line(&self, text: Option<Spanned<String>>, field: &str) -> Result<Option<String>, EngineError> {
        let Some(text) = text else { return Ok(None) };
        let (at, line) = (text.span().start, text.into_inner().trim().to_owned());
        if line.is_empty() || line.chars().count() > 100 || line.chars().any(char::is_control) {
            return Err(self.wrong(at, field, phrase!("engine.registry.line_form")));
        }
        Ok(Some(line))
    }

    fn prompt(&self, text: Option<Spanned<String>>, field: &str) -> Result<String, EngineError> {
        let Some(text) = text else { return Ok(String::new()) };
        let (at, prompt) = (text.span().start, text.into_inner().trim().to_owned());
        if prompt.chars().count() > LONGEST {
            return Err(self.wrong(at, field, phrase!("engine.registry.prompt_too_long", most = LONGEST)));
        }
        Ok(prompt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_personas_are_thesis_antithesis_and_synthesis() {
        let personas = built_in_personas();
        let told: Vec<_> = personas.iter().map(|persona| (persona.id.as_str(), persona.stance, persona.backend.as_str())).collect();
        let expected = [("thesis", Stance::Assert), ("antithesis", Stance::Oppose), ("synthesis", Stance::Join)];
        assert_eq!(told, expected.map(|(id, stance)| (id, stance, DEFAULT_BACKEND)));
        assert!(personas.iter().all(|persona| !persona.system_en.is_empty() && !persona.system_ko.is_empty()));
    }

    fn check(text: &str, line: usize, field: &str) {
        let file = PersonaFile { name: "mine.toml", text, models: &["fast".to_owned()] };
        let problem = read_personas(&file).unwrap_err().phrase().to_string();
        assert!(problem.contains("mine.toml") && problem.contains(&format!("line {line}")) && problem.contains(field), "{text}: {problem}");
    }

    #[test]
    fn every_problem_names_the_file_the_line_and_the_field() {
        let row = "[[persona]]\nid = \"a\"\nsystem_en = \"x\"\n";
        check("", 1, "persona");
        check("[[persona]]\nname = \"a\"\n", 1, "id");
        check("[[persona]]\nid = \"a b\"\nsystem_en = \"x\"\n", 2, "id");
        check(&format!("{row}{row}"), 5, "id");
        check(&format!("{row}backend = \"slow\"\n"), 4, "backend");
        check(&format!("{row}stance = \"shout\"\n"), 4, "stance");
        check(&format!("{row}colour = \"red\"\n"), 4, "colour");
        check(&format!("{row}name = \"\"\n"), 4, "name");
        check("[[persona]]\nid = \"a\"\n", 1, "system_en");
        check(&format!("{row}system_ko = \"{}\"\n", "x".repeat(5000)), 4, "system_ko");
        check("[[persona]]\nid = \n", 2, "persona");
    }

    #[test]
    fn a_short_file_is_completed_and_sorted() {
        let text = "[[persona]]\nid = \"b\"\norder = 2\nsystem_en = \"x\"\nbackend = \"fast\"\n[[persona]]\nid = \"a\"\norder = 1\nsystem_ko = \"y\"\n";
        let personas = read_personas(&PersonaFile { name: "mine.toml", text, models: &["fast".to_owned()] }).unwrap();
        assert_eq!(personas.iter().map(|persona| persona.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((personas[1].backend.as_str(), personas[0].backend.as_str()), ("fast", DEFAULT_BACKEND));
    }
}
