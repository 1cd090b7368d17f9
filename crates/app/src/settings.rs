//! The configuration file, its defaults and the values derived from it.

/// Embedder settings.
mod embedder;
/// Sources of API keys.
mod keys;
/// Language model settings.
mod models;
/// Known providers of models.
mod providers;
/// Changing the thinker while the server runs.
mod thinking;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use embedder::EmbedderSettings;
use saegim_core::{Invalid, MindKey, Phrase, Policy, phrase};
use saegim_provider::{Embedder, LanguageModel, LargerEmbedder, LocalEmbedder, RemoteEmbedder, Thinker, UnusableEmbedder, shown_address};
use serde::Deserialize;

use crate::cli::{Choice, Global};
use crate::error::AppError;

pub(crate) use keys::key_sources;
use models::Models;
pub(crate) use models::{environment, keys_not_there, keys_without_model};
pub(crate) use providers::{Offer as ModelOffer, offers as model_offers};
pub(crate) use thinking::{Choice as ThinkerChoice, LONGEST as LONGEST_SETTING, RULES, Refusal, Thinking};

/// Contents of the configuration file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Path of the database file.
    pub(crate) database: Option<PathBuf>,
    /// User part of the default mind key.
    pub(crate) user: Option<String>,
    /// Character part of the default mind key.
    pub(crate) character: Option<String>,
    /// Work part of the default mind key.
    pub(crate) work: Option<String>,
    /// Time zone of calendar days, e.g. "Asia/Seoul". The system time zone if not set.
    pub(crate) time_zone: Option<String>,
    /// Whether recall uses vectors in addition to words.
    pub(crate) vectors: Option<bool>,
    /// SOUL.md file that is rewritten when the owner approves a change.
    pub(crate) soul: Option<PathBuf>,
    /// Folder that holds a coordinate export of the mind and follows its changes.
    pub(crate) coordinates: Option<PathBuf>,
    /// Embedder settings.
    embedder: EmbedderSettings,
    /// Language models and the tasks assigned to them.
    models: Models,
    /// Policy values set in the file, in the policy's own tables.
    policy: toml::Table,
}

impl Settings {
    /// Reads the given configuration file, or the one in the platform's folder if it exists.
    pub(crate) fn read(global: &Global) -> Result<Self, AppError> {
        let Some(path) = Self::file(global) else { return Ok(Self::default()) };
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text).map_err(|problem| wrong(&path, &problem)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && global.config.is_none() => Ok(Self::default()),
            Err(error) => Err(AppError::file(&path, error)),
        }
    }

    /// Returns the path of the configuration file: `--config`, then the platform's folder. `None` without a home
    /// folder.
    fn file(global: &Global) -> Option<PathBuf> {
        global.config.clone().or_else(|| folder(Folder::Configuration).map(|folder| folder.join("config.toml")))
    }

    fn parse(text: &str) -> Result<Self, Phrase> {
        let mut table: toml::Table = toml::from_str(text).map_err(|error: toml::de::Error| without_quotation(text, &error))?;
        let mut settings = Self::default();
        for (name, value) in std::mem::take(&mut table) {
            if name == "embedder" {
                settings.embedder = value.try_into().map_err(|error: toml::de::Error| format!("embedder: {}", error.message()))?;
            } else if name == "model" {
                // The full error would quote the model's table, which may contain a key.
                settings.models.named = value.try_into().map_err(|error: toml::de::Error| format!("model: {}", error.message()))?;
            } else if name == "thinker" {
                settings.models.thinker = value.try_into().map_err(|error: toml::de::Error| format!("thinker: {}", error.message()))?;
            } else if value.is_table() {
                settings.policy.insert(name, value);
            } else {
                table.insert(name, value);
            }
        }
        let plain: Plain = table.try_into().map_err(|error: toml::de::Error| error.to_string())?;
        settings.database = plain.database;
        settings.user = plain.user;
        settings.character = plain.character;
        settings.work = plain.work;
        settings.time_zone = plain.time_zone;
        settings.vectors = plain.vectors;
        settings.soul = plain.soul;
        settings.coordinates = plain.coordinates;
        settings.policy()?;
        settings.models.check(&environment)?;
        Ok(settings)
    }

    /// Returns the default policy with the values of the file applied.
    pub(crate) fn policy(&self) -> Result<Policy, Phrase> {
        let policy: Policy = self.policy.clone().try_into().map_err(|error: toml::de::Error| error.to_string())?;
        policy.check().map_err(|invalid| invalid.phrase())?;
        Ok(policy)
    }

    /// Returns the database path: `--db`, then the file, then the platform's data folder.
    pub(crate) fn database(&self, global: &Global) -> Result<PathBuf, AppError> {
        let named = global.db.clone().or_else(|| self.database.clone());
        named.or_else(|| folder(Folder::Data).map(|folder| folder.join("saegim.db"))).ok_or_else(|| {
            let problem = phrase!("settings.settings.no_database_folder");
            AppError::Invalid(Invalid::new("db", problem))
        })
    }

    /// Returns the selected embedder: the command line, then the file.
    pub(crate) fn choice(&self, global: &Global) -> Choice {
        global.embedder.or(self.embedder.choice).unwrap_or_default()
    }

    /// Creates the embedder. If its model is missing or damaged, returns an [`UnusableEmbedder`] that reports the
    /// problem, so that recall by words still works.
    pub(crate) fn embedder(&self, global: &Global) -> Result<Option<Arc<dyn Embedder>>, AppError> {
        let unusable = |id: &str, why: String| Some(Arc::new(UnusableEmbedder::new(id, why)) as Arc<dyn Embedder>);
        Ok(match self.choice(global) {
            Choice::None => None,
            Choice::BuiltIn => match LocalEmbedder::built_in() {
                Ok(embedder) => Some(Arc::new(embedder)),
                Err(error) => unusable("built-in", format!("{error}; install a complete build")),
            },
            Choice::Remote => Some(Arc::new(RemoteEmbedder::at(self.embedder.remote(&environment).map_err(AppError::Content)?))),
            Choice::Larger => match LargerEmbedder::open(&self.model()?) {
                Ok(embedder) => Some(Arc::new(embedder)),
                Err(error) => unusable(LargerEmbedder::ID, format!("{error}; get it with: saegim model install")),
            },
        })
    }

    /// Returns the settings of the remote embedder for display, with the key masked. Empty for any other embedder.
    pub(crate) fn shown_embedder(&self, global: &Global) -> Vec<(&'static str, String)> {
        let remote = (self.choice(global) == Choice::Remote).then(|| self.embedder.remote(&environment).ok()).flatten();
        remote.map_or_else(Vec::new, |from| {
            vec![
                ("provider", from.endpoint.provider.clone()),
                ("name", from.endpoint.model.clone()),
                ("base_url", shown_address(&from.endpoint.base)),
                ("key", if from.endpoint.key.is_some() { "***" } else { "" }.to_owned()),
            ]
        })
    }

    /// Returns the configured models: the command line or the environment, then the file.
    pub(crate) fn models(&self, global: &Global) -> Result<Models, AppError> {
        self.models.clone().chosen(global.model.as_deref(), &environment).map_err(AppError::Content)
    }

    /// Creates the thinker: rules, overridden by the configured models.
    pub(crate) fn thinker(&self, global: &Global) -> Result<Arc<dyn Thinker>, AppError> {
        self.models(global)?.thinker(&environment).map_err(AppError::Content)
    }

    /// Returns the configured models by name, for personas.
    pub(crate) fn voices(&self, global: &Global) -> Result<BTreeMap<String, Arc<dyn LanguageModel>>, AppError> {
        Ok(self.models(global)?.voices(&environment))
    }

    /// Returns the names of the configured models.
    pub(crate) fn model_names(&self, global: &Global) -> Result<Vec<String>, AppError> {
        Ok(self.models(global)?.named.into_keys().collect())
    }

    /// Returns the path of the larger embedding model: the file, then the platform's data folder.
    pub(crate) fn model(&self) -> Result<PathBuf, AppError> {
        let named = self.embedder.path.clone();
        named.or_else(|| folder(Folder::Data).map(|folder| folder.join("e5-small-q4.bin"))).ok_or_else(|| {
            let problem = phrase!("settings.settings.no_model_folder");
            AppError::Invalid(Invalid::new("embedder.path", problem))
        })
    }

    /// Returns the key of the selected mind.
    pub(crate) fn mind(&self, global: &Global) -> Result<MindKey, Invalid> {
        if let Some(key) = &global.mind {
            return MindKey::parse(key);
        }
        let name =
            |given: &Option<String>, set: &Option<String>, default: &str| given.clone().or_else(|| set.clone()).unwrap_or(default.into());
        MindKey::in_work(
            &name(&global.user, &self.user, "me"),
            &name(&global.character, &self.character, "assistant"),
            &name(&global.work, &self.work, MindKey::DEFAULT_WORK),
        )
    }

    /// Returns the time zone of calendar days.
    pub(crate) fn time_zone(&self) -> Result<jiff::tz::TimeZone, Invalid> {
        match &self.time_zone {
            None => Ok(jiff::tz::TimeZone::system()),
            Some(name) => jiff::tz::TimeZone::get(name).map_err(|_| {
                let problem = phrase!("settings.settings.unknown_time_zone", name);
                Invalid::new("time_zone", problem)
            }),
        }
    }
}

/// Formats a parse error with its line number. Does not quote the line, which may contain a key.
fn without_quotation(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].lines().count().max(1));
    format!("line {line}: {}", error.message())
}

/// Builds the error for an unusable configuration file.
fn wrong(path: &Path, problem: &Phrase) -> AppError {
    let path = path.display();
    AppError::Content(phrase!("settings.settings.file_not_valid", path, problem))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain {
    database: Option<PathBuf>,
    user: Option<String>,
    character: Option<String>,
    work: Option<String>,
    time_zone: Option<String>,
    vectors: Option<bool>,
    soul: Option<PathBuf>,
    coordinates: Option<PathBuf>,
}

/// Returns a configuration file in which every setting has its default, commented out, with a reason.
pub(crate) fn default_file() -> String {
    let mut file = String::from(
        "# saegim configuration. Every line shows a default; remove the # to change it.\n\n\
         # Database file. Default: saegim.db in the platform's data folder.\n# database = \"/path/to/saegim.db\"\n\
         # Mind used when the command line does not name one.\n# user = \"me\"\n# character = \"assistant\"\n# work = \"default\"\n\
         # Time zone of calendar days. Default: the system's time zone.\n# time_zone = \"Asia/Seoul\"\n\
         # Whether vector search is used in addition to keywords.\n# vectors = true\n\
         # SOUL.md file that is updated when you approve a change. Default: none.\n# soul = \"/path/to/SOUL.md\"\n\
         # Folder that holds a coordinate export of the mind and follows its changes. Default: none.\n# coordinates = \"/path/to/memory\"\n\n\
         [embedder]\n\
         # Embedder: \"built-in\" for Korean and English, \"larger\" for about 100 languages, \"remote\" for a model behind an HTTP API\n\
         # (provider, name, base_url, key_variable, dims, calibration), or \"none\".\n\
         # choice = \"built-in\"\n\
         # Path of the larger model. Default: the platform's data folder, where `saegim model install` puts it.\n\
         # path = \"/path/to/e5-small-q4.bin\"\n\n\
         [thinker]\n\
         # Thinker: \"rules\", or a [model.NAME] of this file for all tasks. A single task can have its own model: extract,\n\
         # appraise, feel, interpret, distil, settle, reflect, believe, name, imagine, analyse, reply.\n\
         # model = \"rules\"\n\n\
         # Model: its provider (openai, anthropic, gemini, gemini-openai, ollama, lmstudio, vllm, llamacpp) and name. Keep the API key\n\
         # in an environment variable.\n\
         #[model.fast]\n\
         #provider = \"openai\"\n\
         #name = \"gpt-5-mini\"\n\
         #base_url = \"https://api.openai.com/v1\"\n\
         #key_variable = \"OPENAI_API_KEY\"\n\
         #timeout_seconds = 30\n\
         # Maximum number of tokens of an answer, reasoning included. The default is enough for a reasoning model.\n\
         #most_tokens = 8000\n",
    );
    let mut table = "";
    for field in Policy::fields() {
        if field.table != table {
            table = field.table;
            file.push_str(&format!("\n[{table}]\n"));
        }
        file.push_str(&format!("# {} ({})\n# {} = {}\n", field.reason, field.range, field.name, field.default));
    }
    file
}

enum Folder {
    Data,
    Configuration,
}

/// Returns saegim's folder of this kind on this platform, or `None` without a home folder.
fn folder(kind: Folder) -> Option<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        from("APPDATA")
    } else if cfg!(target_os = "macos") {
        from("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        let (variable, fallback) = match kind {
            Folder::Data => ("XDG_DATA_HOME", ".local/share"),
            Folder::Configuration => ("XDG_CONFIG_HOME", ".config"),
        };
        from(variable).filter(|path| path.is_absolute()).or_else(|| from("HOME").map(|home| home.join(Path::new(fallback))))
    };
    base.map(|base| base.join("saegim"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_file_says_nothing_new() {
        let uncommented: String = default_file()
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(setting) if setting.contains(" = ") && !setting.starts_with("database") => format!("{setting}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let settings = Settings::parse(&uncommented).unwrap();
        assert_eq!(settings.policy().unwrap(), Policy::default());
        assert_eq!(settings.user.as_deref(), Some("me"));
    }

    #[test]
    fn a_wrong_setting_is_named() {
        for (text, word) in [
            ("[zone]\ncore_rom = 3", "core_rom"),
            ("[zone]\ncore_room = 0", "core_room"),
            ("colour = 3", "colour"),
            ("[zones]\na = 1", "zones"),
            ("user = 7", "user"),
            ("[embedder]\nchoice = \"huge\"", "huge"),
            ("[embedder]\nmodel = 3", "model"),
            ("[thinker]\ndream = \"x\"", "dream"),
            ("[thinker]\nmodel = \"x\"", "x"),
            ("[model.a]\nprovider = \"openai\"", "name"),
        ] {
            let problem = Settings::parse(text).unwrap_err().to_string();
            assert!(problem.contains(word), "{text}: {problem}");
        }
    }

    #[test]
    fn no_complaint_quotes_a_key() {
        for text in [
            "[model.a]\nprovider = \"openai\"\nname = \"m\"\nkey = \"sk-canary\"\ncolour = 1",
            "[model.a]\nkey = \"sk-canary",
            "[model.a]\nkey = [\"sk-canary\"]",
            "key = \"sk-canary\"",
            "[model.a]\nprovider = \"nobody\"\nname = \"m\"\nkey = \"sk-canary\"\n[thinker]\nmodel = \"a\"",
        ] {
            let problem = Settings::parse(text).unwrap_err().to_string();
            assert!(!problem.contains("canary"), "{problem}");
        }
    }
}
