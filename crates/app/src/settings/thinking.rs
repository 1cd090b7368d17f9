//! Changes the thinker while the server runs. Writes the choice into the configuration file and leaves all other
//! settings and comments unchanged.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use saegim_core::{Phrase, phrase};
use saegim_provider::{Thinker, is_address, shown_address};
use toml::{Table, Value};

use super::Settings;
use super::models::{Models, environment};
use super::providers::{Offer, offers};
use crate::cli::Global;
use crate::error::AppError;

/// Name of the model table that is written to the file.
const CHOSEN: &str = "page";

/// Provider name that selects rules instead of a model.
pub(crate) const RULES: &str = "rules";

/// Maximum length of a model name, an address or a key, in characters.
pub(crate) const LONGEST: usize = 500;

/// The current thinker settings and the file they are stored in.
pub(crate) struct Thinking {
    /// The configuration file. If `None`, a choice is lost when the server exits.
    file: Option<PathBuf>,
    /// Whether the command line or the environment selected the model. It cannot be changed then.
    fixed: bool,
    now: Mutex<Now>,
}

/// The active settings.
struct Now {
    /// Text of the file when it was last read.
    text: String,
    models: Models,
}

/// The current thinker, without its key.
pub(crate) struct Told {
    pub(crate) provider: String,
    pub(crate) name: Option<String>,
    /// Address set in the file.
    pub(crate) base_url: Option<String>,
    /// Address that requests are sent to.
    pub(crate) address: Option<String>,
    pub(crate) has_key: bool,
    pub(crate) fixed: bool,
    pub(crate) kept: bool,
    /// Thoughts with their own model.
    pub(crate) apart: Vec<String>,
    pub(crate) offers: Vec<Offer>,
}

/// A new thinker. Does not implement `Debug`, because it may contain a key.
pub(crate) struct Choice {
    /// `rules` or a provider.
    pub(crate) provider: String,
    pub(crate) name: Option<String>,
    pub(crate) base_url: Option<String>,
    /// A new key. An empty string removes the stored key; `None` leaves it unchanged.
    pub(crate) key: Option<String>,
}

/// Why a choice was refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The choice is invalid.
    Wrong(Phrase),
    /// The configuration or the server's start options prevent it.
    Stands(Phrase),
}

impl Thinking {
    /// Creates it from the current configuration.
    pub(crate) fn new(settings: &Settings, global: &Global) -> Result<Self, AppError> {
        let file = Settings::file(global);
        let text = file.as_deref().map(read).transpose().map_err(AppError::Content)?.unwrap_or_default();
        let now = Mutex::new(Now { text, models: settings.models(global)? });
        Ok(Self { file, fixed: global.model.is_some(), now })
    }

    /// Creates it for a program that chose its models when it opened the database. They cannot be changed.
    pub(crate) fn of(models: Models) -> Self {
        Self { file: None, fixed: true, now: Mutex::new(Now { text: String::new(), models }) }
    }

    /// Returns the same settings without a file: choices are lost when the server exits.
    pub(crate) fn passing(self) -> Self {
        Self { file: None, ..self }
    }

    /// Creates it with only rules and with the given file.
    #[cfg(test)]
    pub(crate) fn at(file: PathBuf) -> Self {
        let text = read(&file).unwrap();
        Self { file: Some(file), fixed: false, now: Mutex::new(Now { text, models: Models::default() }) }
    }

    fn now(&self) -> std::sync::MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn told(&self) -> Told {
        let now = self.now();
        let apart = now.models.thinker.iter().filter(|(thought, model)| *thought != "model" && *model != RULES);
        let mut told = Told {
            provider: RULES.to_owned(),
            name: None,
            base_url: None,
            address: None,
            has_key: false,
            fixed: self.fixed,
            kept: self.file.is_some(),
            apart: apart.map(|(thought, _)| thought.clone()).collect(),
            offers: offers(),
        };
        if let Some(model) = now.models.thinker.get("model").and_then(|name| now.models.named.get(name)) {
            let endpoint = model.endpoint(&environment).ok();
            told.provider.clone_from(&model.provider);
            told.name = Some(model.name.clone());
            told.base_url = model.base_url.as_deref().map(shown_address);
            told.address = endpoint.as_ref().map(|endpoint| shown_address(&endpoint.base));
            told.has_key = endpoint.is_some_and(|endpoint| endpoint.key.is_some());
        }
        told
    }

    /// Applies a choice: writes it to the file and returns the new thinker.
    pub(crate) fn choose(&self, choice: &Choice) -> Result<Arc<dyn Thinker>, Refusal> {
        if self.fixed {
            return Err(Refusal::Stands(phrase!("settings.thinking.set_at_start")));
        }
        let mut now = self.now();
        // Read the file again so that manual changes made since the last read are not lost.
        let text = match &self.file {
            Some(file) => read(file).map_err(Refusal::Stands)?,
            None => now.text.clone(),
        };
        let next = choice.written_into(&text)?;
        let models = Settings::parse(&next).map_err(Refusal::Stands)?.models;
        let models = models.chosen(None, &environment).map_err(Refusal::Wrong)?;
        let thinker = models.thinker(&environment).map_err(Refusal::Wrong)?;
        if let Some(file) = &self.file {
            replace(file, &next).map_err(|error| Refusal::Stands(unwritable(file, &error)))?;
        }
        *now = Now { text: next, models };
        Ok(thinker)
    }
}

impl Choice {
    /// Returns the file's text with this choice. Refuses if the file's layout cannot be edited safely.
    fn written_into(&self, text: &str) -> Result<String, Refusal> {
        let before: Table = toml::from_str(text).map_err(|_| Refusal::Stands(phrase!("settings.thinking.file_not_readable")))?;
        let rules = self.provider == RULES;
        let model = if rules { self.forgetting() } else { self.model(&before)? };
        let thinker = [("model", Some(Value::from(if rules { RULES } else { CHOSEN })))];
        let there = before.get("model").and_then(|models| models.get(CHOSEN)).is_some();
        let mut next = with(text, "thinker", &thinker);
        let mut wanted = before;
        set(&mut wanted, &["thinker"], &thinker);
        if !rules || there && !model.is_empty() {
            next = with(&next, &format!("model.{CHOSEN}"), &model);
            set(&mut wanted, &["model", CHOSEN], &model);
        }
        if toml::from_str::<Table>(&next).ok().as_ref() != Some(&wanted) {
            return Err(Refusal::Stands(phrase!("settings.thinking.file_not_editable", chosen = CHOSEN)));
        }
        Ok(next)
    }

    /// Returns the changes to the stored model when rules are chosen: none, except the removal of the key on request.
    fn forgetting(&self) -> Vec<(&'static str, Option<Value>)> {
        if self.key.as_deref() == Some("") { vec![("key", None)] } else { Vec::new() }
    }

    /// Returns the settings of the model's table.
    fn model(&self, before: &Table) -> Result<Vec<(&'static str, Option<Value>)>, Refusal> {
        if !offers().iter().any(|offer| offer.name == self.provider) {
            let known = offers().iter().map(|offer| offer.name).collect::<Vec<_>>().join(", ");
            return Err(wrong(phrase!("settings.thinking.unknown_provider", known)));
        }
        let name = plain(self.name.as_deref()).ok_or_else(|| wrong(phrase!("settings.thinking.name_missing")))?;
        let base = self.base_url.as_deref().map(str::trim).filter(|base| !base.is_empty()).map(address).transpose()?;
        let (key, variable) = match self.key.as_deref().map(str::trim) {
            None => self.known_key(before, base.as_deref()),
            Some("") => (None, unlocked(base.as_deref())),
            Some(key) => {
                let key = plain(Some(key)).filter(|key| key.chars().all(|letter| letter.is_ascii_graphic()));
                let key = key.ok_or_else(|| wrong(phrase!("settings.thinking.key_not_valid")))?;
                (Some(Value::from(key)), None)
            }
        };
        Ok(vec![
            ("provider", Some(Value::from(self.provider.clone()))),
            ("name", Some(Value::from(name))),
            ("base_url", base.map(Value::from)),
            ("key", key),
            ("key_variable", variable),
        ])
    }

    /// Returns the key of the previous model if the provider and address are the same. A key is never sent to another
    /// server.
    fn known_key(&self, before: &Table, base: Option<&str>) -> (Option<Value>, Option<Value>) {
        let usual = before.get("thinker").and_then(|thinker| thinker.get("model")).and_then(Value::as_str).filter(|name| *name != RULES);
        let model = before.get("model").and_then(|models| models.get(usual.unwrap_or(CHOSEN)));
        let said = |name: &str| model.and_then(|model| model.get(name));
        if said("provider").and_then(Value::as_str) == Some(&self.provider) && said("base_url").and_then(Value::as_str) == base {
            return (said("key").cloned(), said("key_variable").cloned());
        }
        (None, unlocked(base))
    }
}

/// Returns the key variable for a model without a key. A custom address gets an empty one, so that the provider's key
/// from the environment is not sent to it.
fn unlocked(base: Option<&str>) -> Option<Value> {
    base.map(|_| Value::from(""))
}

fn wrong(what: Phrase) -> Refusal {
    Refusal::Wrong(what)
}

/// Trims the text. Returns `None` if it is empty, too long or contains control characters.
fn plain(text: Option<&str>) -> Option<String> {
    let text = text?.trim();
    (!text.is_empty() && text.chars().count() <= LONGEST && !text.contains(char::is_control)).then(|| text.to_owned())
}

/// Checks the address of a model server and removes trailing slashes.
fn address(written: &str) -> Result<String, Refusal> {
    let bad = || wrong(phrase!("settings.thinking.base_url_not_valid"));
    let plain = plain(Some(written)).filter(|text| is_address(text, false)).ok_or_else(bad)?;
    Ok(plain.trim_end_matches('/').to_owned())
}

/// Returns the text with these settings at the start of the table, one per line. Settings without a value are removed.
/// All other lines stay unchanged.
fn with(text: &str, table: &str, settings: &[(&str, Option<Value>)]) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines: String = settings.iter().filter_map(|(name, value)| Some(format!("{name} = {}{newline}", value.as_ref()?))).collect();
    let (mut next, mut inside, mut found) = (String::new(), false, false);
    for line in text.split_inclusive('\n') {
        let bare = line.split('#').next().unwrap_or_default().trim();
        if bare.starts_with('[') {
            inside = bare == format!("[{table}]");
        } else if inside && settings.iter().any(|(name, _)| bare.split('=').next().is_some_and(|key| key.trim() == *name)) {
            continue;
        }
        next.push_str(line);
        if inside && bare.starts_with('[') {
            found = true;
            if !line.ends_with('\n') {
                next.push_str(newline);
            }
            next.push_str(&lines);
        }
    }
    if !found {
        if !next.is_empty() && !next.ends_with('\n') {
            next.push_str(newline);
        }
        if !next.is_empty() {
            next.push_str(newline);
        }
        next.push_str(&format!("[{table}]{newline}{lines}"));
    }
    next
}

/// Applies the same settings to a parsed table.
fn set(table: &mut Table, path: &[&str], settings: &[(&str, Option<Value>)]) {
    let Some((first, rest)) = path.split_first() else {
        for (name, value) in settings {
            match value {
                Some(value) => drop(table.insert((*name).to_owned(), value.clone())),
                None => drop(table.remove(*name)),
            }
        }
        return;
    };
    let inner = table.entry((*first).to_owned()).or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(inner) = inner {
        set(inner, rest, settings);
    }
}

/// Reads a file. Returns an empty string if it does not exist.
fn read(file: &Path) -> Result<String, Phrase> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(unwritable(file, &error)),
    }
}

fn unwritable(file: &Path, error: &std::io::Error) -> Phrase {
    let (file, why) = (file.display(), Phrase::of_system(error));
    phrase!("settings.thinking.file_not_writable", file, why)
}

/// Replaces the file atomically. The new file is readable only by its owner, because it may contain a key.
fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    let target = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    // A temporary file has owner-only permissions and keeps them after the rename.
    let mut part = tempfile::NamedTempFile::new_in(folder)?;
    part.write_all(text.as_bytes())?;
    part.as_file().sync_all()?;
    part.persist(&target).map_err(|error| error.error).map(drop)
}

#[cfg(test)]
mod tests;
