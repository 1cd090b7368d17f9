//! Language models, configured in the file or in one environment variable.
//!
//! An API key alone does not enable a model. The key may be set for other programs, so memories are sent to a provider
//! only if a model is named.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use saegim_core::{Phrase, Thought, phrase};
use saegim_language::RuleThinker;
use saegim_provider::{Dialect, Endpoint, LanguageModel, ModelThinker, RemoteModel, Secret, Thinker, shown_address};
use serde::Deserialize;

use super::providers::{PROVIDERS, Provider};

/// Provider name of the built-in runner. The model's name is the path of a GGUF file.
const LOCAL: &str = "local";

/// Thoughts that use rules unless the file assigns them a model explicitly. Both run for every stored or imported
/// memory, and extraction from a conversation already returns them.
const RULES_WILL_DO: [Thought; 2] = [Thought::Appraise, Thought::Feel];

/// One `[model.NAME]` table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelSettings {
    /// Provider: openai, anthropic, gemini, gemini-openai, ollama, lmstudio, vllm, llamacpp or local.
    pub(super) provider: String,
    /// Name of the model at the provider.
    pub(super) name: String,
    /// Address of the server, if it is not the provider's default.
    pub(super) base_url: Option<String>,
    /// API key.
    pub(super) key: Option<Secret>,
    /// Environment variable that holds the API key.
    pub(super) key_variable: Option<String>,
    /// Request timeout in seconds; 30 by default, clamped to 1..=600.
    pub(super) timeout_seconds: Option<u32>,
    /// Maximum number of tokens in an answer, including reasoning tokens; clamped to 100..=1,000,000.
    pub(super) most_tokens: Option<u32>,
}

/// The configured models by name, and the assignment of thoughts to models.
#[derive(Clone, Debug, Default)]
pub(crate) struct Models {
    pub(crate) named: BTreeMap<String, ModelSettings>,
    /// Model name by thought; the key `model` is the default for all thoughts.
    pub(crate) thinker: BTreeMap<String, String>,
}

/// Looks up an environment variable. Tests pass their own.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Returns a variable of the process environment, or `None` if it is blank.
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

impl ModelSettings {
    /// Creates settings with only a provider and a name.
    pub(super) fn named(provider: &str, name: &str) -> Self {
        Self {
            provider: provider.to_owned(),
            name: name.to_owned(),
            base_url: None,
            key: None,
            key_variable: None,
            timeout_seconds: None,
            most_tokens: None,
        }
    }

    /// Creates the model. A local model is loaded from its file; a remote model connects on its first request.
    fn model(&self, environment: Environment<'_>) -> Result<Arc<dyn LanguageModel>, Phrase> {
        if self.provider != LOCAL {
            return Ok(Arc::new(RemoteModel::at(self.endpoint(environment)?)));
        }
        Err(phrase!("settings.models.model_server_missing"))
    }

    pub(super) fn endpoint(&self, environment: Environment<'_>) -> Result<Endpoint, Phrase> {
        let known = PROVIDERS.map(|provider| provider.name).join(", ");
        let provider = PROVIDERS
            .into_iter()
            .find(|provider| provider.name == self.provider)
            .ok_or_else(|| phrase!("settings.models.unknown_provider", provider = self.provider, known))?;
        if self.name.trim().is_empty() {
            return Err(phrase!("settings.models.model_name_missing", provider = self.provider));
        }
        let from = |names: &[&str]| names.iter().find_map(|name| environment(name));
        let key = match (&self.key, &self.key_variable) {
            (Some(key), _) => Some(key.clone()),
            (None, Some(variable)) => environment(variable).and_then(|key| Secret::new(&key)),
            (None, None) => from(provider.key_names).and_then(|key| Secret::new(&key)),
        };
        let base =
            self.base_url.clone().or_else(|| from(provider.base_names)).map_or(provider.base.to_owned(), |base| address(&base, &provider));
        let within = Duration::from_secs(u64::from(self.timeout_seconds.unwrap_or(30).clamp(1, 600)));
        Ok(Endpoint {
            dialect: provider.dialect,
            provider: provider.name.to_owned(),
            base,
            key,
            model: self.name.trim().to_owned(),
            within,
            most_tokens: self.most_tokens.map(|most| most.clamp(100, 1_000_000)),
        })
    }
}

/// Normalizes an address: adds the scheme if it is missing, and `/v1` if an OpenAI-compatible address has no path.
fn address(written: &str, provider: &Provider) -> String {
    let written = written.trim().trim_end_matches('/');
    if provider.name == "ollama" {
        return ollama(written);
    }
    let whole = if written.contains("://") { written.to_owned() } else { format!("http://{written}") };
    // Gemini's own variable holds the server address; its OpenAI-compatible endpoint is at a subpath.
    if provider.name == "gemini-openai" && !whole.contains("/openai") {
        return format!("{}/v1beta/openai", whole.trim_end_matches("/v1beta"));
    }
    let bare = whole.split_once("://").is_some_and(|(_, rest)| !rest.contains(['/', '?']));
    if provider.dialect == Dialect::OpenAi && bare { format!("{whole}/v1") } else { whole }
}

/// Parses `OLLAMA_HOST` like Ollama's own client: a host, a port or both, with the default port 11434. Wildcard
/// addresses are replaced by the loopback address.
fn ollama(written: &str) -> String {
    let (scheme, rest) = written.split_once("://").unwrap_or(("http", written));
    let (place, path) = rest.split_once('/').map_or((rest, ""), |(place, path)| (place, path.trim_end_matches('/')));
    let port_at =
        place.rfind(':').filter(|at| place[*at..].bytes().skip(1).all(|byte| byte.is_ascii_digit()) && !place[..*at].ends_with(':'));
    let (host, port) = match port_at {
        Some(at) => (&place[..at], &place[at + 1..]),
        None => (place, ""),
    };
    let host = match host {
        "" | "0.0.0.0" => "127.0.0.1",
        "[::]" | "::" => "[::1]",
        host => host,
    };
    let usual = match (written.contains("://"), scheme) {
        (true, "https") => "443",
        (true, _) => "80",
        (false, _) => "11434",
    };
    let port = if port.is_empty() { usual } else { port };
    let path = if path.is_empty() { "v1" } else { path };
    let path = if path.ends_with("v1") { path.to_owned() } else { format!("{path}/v1") };
    format!("{scheme}://{host}:{port}/{path}")
}

impl Models {
    /// Applies a line such as `openai/gpt-5-mini` over the settings of the file. Single thoughts may have their own
    /// model: `ollama/qwen3,analyse=anthropic/claude-sonnet-4-5`. Without a line, and if the file assigns nothing, uses
    /// the model that the providers' own environment variables name.
    pub(crate) fn chosen(mut self, line: Option<&str>, environment: Environment<'_>) -> Result<Self, Phrase> {
        let line = line.map(str::to_owned).or_else(|| self.thinker.is_empty().then(|| usual(environment)).flatten());
        let Some(line) = line else { return Ok(self) };
        if matches!(line.trim(), "none" | "rules") {
            return Ok(Self::default());
        }
        self.thinker.clear();
        for part in line.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (thought, model) = part.split_once('=').unwrap_or(("model", part));
            if model != "rules" && !self.named.contains_key(model) {
                let (provider, name) = model.split_once('/').ok_or_else(|| phrase!("settings.models.not_a_model", model))?;
                self.named.insert(model.to_owned(), ModelSettings::named(provider, name));
            }
            self.thinker.insert(thought.trim().to_owned(), model.to_owned());
        }
        Ok(self)
    }

    /// Returns the name of the model for a thought, or `None` if rules handle it.
    fn of(&self, thought: Thought) -> Option<&str> {
        let own = self.thinker.get(thought.as_str());
        let usual = self.thinker.get("model").filter(|_| !RULES_WILL_DO.contains(&thought));
        own.or(usual).map(String::as_str).filter(|model| *model != "rules")
    }

    /// Checks that all thoughts, models and providers exist. Does not load or contact a model.
    pub(crate) fn check(&self, environment: Environment<'_>) -> Result<(), Phrase> {
        if let Some(word) = self.thinker.keys().find(|word| *word != "model" && Thought::parse(word).is_err()) {
            return Err(phrase!("settings.models.unknown_task", word));
        }
        for name in Thought::ALL.iter().filter_map(|thought| self.of(*thought)) {
            let settings = self.settings(name)?;
            if settings.provider != LOCAL {
                settings.endpoint(environment)?;
            }
        }
        Ok(())
    }

    fn settings(&self, name: &str) -> Result<&ModelSettings, Phrase> {
        self.named.get(name).ok_or_else(|| phrase!("settings.models.unknown_model", name))
    }

    /// Creates the thinker: rules, overridden by the configured models. Remote models connect on their first request.
    pub(crate) fn thinker(&self, environment: Environment<'_>) -> Result<Arc<dyn Thinker>, Phrase> {
        self.check(environment)?;
        let mut made: BTreeMap<&str, Arc<dyn LanguageModel>> = BTreeMap::new();
        let mut thinker = ModelThinker::new();
        for thought in Thought::ALL {
            let Some(name) = self.of(*thought) else { continue };
            let model = match made.get(name) {
                Some(model) => Arc::clone(model),
                None => self.settings(name)?.model(environment)?,
            };
            thinker = thinker.asking(&model, [*thought]);
            made.insert(name, model);
        }
        Ok(if made.is_empty() { Arc::new(RuleThinker) } else { Arc::new(thinker) })
    }

    /// Creates every named model that can be created. A persona that names another one gets an error.
    pub(crate) fn voices(&self, environment: Environment<'_>) -> BTreeMap<String, Arc<dyn LanguageModel>> {
        let made = self.named.iter().filter_map(|(name, settings)| Some((name.clone(), settings.model(environment).ok()?)));
        made.collect()
    }

    /// Returns the models' settings for display. Keys are masked.
    pub(crate) fn shown(&self, environment: Environment<'_>) -> Vec<(String, Vec<(&'static str, String)>)> {
        let mut tables = Vec::new();
        for (name, settings) in &self.named {
            let mut lines = vec![("provider", settings.provider.clone()), ("name", settings.name.clone())];
            if let Ok(endpoint) = settings.endpoint(environment) {
                lines.push(("base_url", shown_address(&endpoint.base)));
                lines.push(("key", if endpoint.key.is_some() { "***" } else { "" }.to_owned()));
            }
            lines.extend(settings.key_variable.iter().map(|variable| ("key_variable", variable.clone())));
            lines.extend(settings.most_tokens.iter().map(|most| ("most_tokens", most.to_string())));
            tables.push((name.clone(), lines));
        }
        tables
    }
}

/// Returns the model named by a provider's own environment variables, if its key or address is also set.
fn usual(environment: Environment<'_>) -> Option<String> {
    PROVIDERS.iter().find_map(|provider| {
        let model = environment(provider.model_name?)?;
        let reachable = provider.key_names.iter().chain(provider.base_names).any(|name| environment(name).is_some());
        reachable.then(|| format!("{}/{}", provider.name, model.trim()))
    })
}

/// Returns key variables that are configured but not set, with the names of their models.
pub(crate) fn keys_not_there(models: &Models, environment: Environment<'_>) -> Vec<(String, String)> {
    let named = |(name, model): (&String, &ModelSettings)| {
        let variable = model.key_variable.clone().filter(|variable| !variable.is_empty() && model.key.is_none())?;
        environment(&variable).is_none().then(|| (variable, name.clone()))
    };
    models.named.iter().filter_map(named).collect()
}

/// Returns key variables of providers that have a key in the environment but no configured model.
pub(crate) fn keys_without_model(models: &Models, environment: Environment<'_>) -> Vec<&'static str> {
    let used = |provider: &Provider| models.named.values().any(|model| model.provider == provider.name);
    let keyed = |provider: &&Provider| provider.model_name.is_some() && provider.key_names.iter().any(|name| environment(name).is_some());
    PROVIDERS.iter().filter(keyed).filter(|provider| !used(provider)).map(|provider| provider.key_names[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(line: Option<&str>, variables: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let environment = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        let models = Models::default().chosen(line, &environment).map_err(|problem| problem.to_string())?;
        let thinker = models.thinker(&environment).map_err(|problem| problem.to_string())?;
        Ok(Thought::ALL.iter().filter_map(|thought| Some(format!("{thought}={}", thinker.asks(*thought)?))).collect())
    }

    #[test]
    fn a_model_is_asked_only_where_one_was_named() {
        let key = ("OPENAI_API_KEY", "sk-canary");
        assert_eq!(chosen(None, &[]), Ok(vec![]));
        assert_eq!(chosen(None, &[key]), Ok(vec![]), "a key alone chooses nothing");
        assert_eq!(chosen(Some("none"), &[key, ("OPENAI_MODEL", "m")]), Ok(vec![]));
        let all = chosen(None, &[key, ("OPENAI_MODEL", "m")]).unwrap();
        assert!(all.contains(&"extract=openai/m".into()) && !all.iter().any(|one| one.starts_with("feel")), "{all:?}");
        let mixed = chosen(Some("ollama/q,analyse=anthropic/c, feel=ollama/q, reply=rules"), &[]).unwrap();
        for one in ["extract=ollama/q", "analyse=anthropic/c", "feel=ollama/q"] {
            assert!(mixed.contains(&one.to_owned()), "{mixed:?} lacks {one}");
        }
        assert!(!mixed.iter().any(|one| one.starts_with("reply")), "{mixed:?}");
        assert!(chosen(Some("local/model.gguf"), &[]).unwrap_err().contains("ollama/qwen3"));
        for (wrong, word) in [("gpt", "gpt"), ("nobody/x", "nobody"), ("dream=openai/x", "dream"), ("openai/", "no name")] {
            let problem = chosen(Some(wrong), &[]).unwrap_err();
            assert!(problem.contains(word), "{wrong}: {problem}");
        }
    }

    #[test]
    fn an_address_means_what_its_own_client_makes_of_it() {
        let base = |provider: &str, variable: &str, value: &str| {
            let environment = |name: &str| (name == variable).then(|| value.to_owned());
            ModelSettings::named(provider, "m").endpoint(&environment).unwrap().base
        };
        for (host, base_url) in [
            ("0.0.0.0", "http://127.0.0.1:11434/v1"),
            ("0.0.0.0:5000", "http://127.0.0.1:5000/v1"),
            ("localhost", "http://localhost:11434/v1"),
            (":11434", "http://127.0.0.1:11434/v1"),
            ("[::]:5000", "http://[::1]:5000/v1"),
            ("[::1]", "http://[::1]:11434/v1"),
            ("box:5000", "http://box:5000/v1"),
            ("box", "http://box:11434/v1"),
            ("https://box", "https://box:443/v1"),
            ("http://box:5000/", "http://box:5000/v1"),
            ("http://0.0.0.0:11434", "http://127.0.0.1:11434/v1"),
            ("http://box:5000/ollama", "http://box:5000/ollama/v1"),
            ("http://box:5000/v1", "http://box:5000/v1"),
        ] {
            assert_eq!(base("ollama", "OLLAMA_HOST", host), base_url, "{host}");
        }
        for (provider, variable, written, base_url) in [
            ("openai", "OPENAI_BASE_URL", "http://box:9000", "http://box:9000/v1"),
            ("openai", "OPENAI_BASE_URL", "http://box:9000/v1/", "http://box:9000/v1"),
            ("openai", "OPENAI_BASE_URL", "https://host/openai/deployments/x", "https://host/openai/deployments/x"),
            ("vllm", "VLLM_BASE_URL", "box:8000", "http://box:8000/v1"),
            ("gemini", "GEMINI_BASE_URL", "https://proxy", "https://proxy"),
            ("gemini", "GEMINI_BASE_URL", "https://proxy/gemini/", "https://proxy/gemini"),
            ("gemini", "GOOGLE_GEMINI_BASE_URL", "http://box:8080", "http://box:8080"),
            ("anthropic", "ANTHROPIC_BASE_URL", "https://proxy/anthropic", "https://proxy/anthropic"),
            ("gemini-openai", "GEMINI_BASE_URL", "https://proxy", "https://proxy/v1beta/openai"),
            ("gemini-openai", "GEMINI_BASE_URL", "https://proxy/v1beta/", "https://proxy/v1beta/openai"),
            ("gemini-openai", "GEMINI_BASE_URL", "https://proxy/x/openai", "https://proxy/x/openai"),
        ] {
            assert_eq!(base(provider, variable, written), base_url, "{written}");
        }
    }

    #[test]
    fn an_answer_is_waited_for_and_given_room_as_the_file_says() {
        let check = |lines: &str, seconds: u64, room: Option<u32>| {
            let settings: ModelSettings = toml::from_str(&format!("provider = 'ollama'\nname = 'm'\n{lines}")).unwrap();
            let endpoint = settings.endpoint(&|_: &str| None).unwrap();
            assert_eq!((endpoint.within, endpoint.most_tokens), (Duration::from_secs(seconds), room), "{lines}");
            assert_eq!((endpoint.provider.as_str(), endpoint.model.as_str()), ("ollama", "m"));
        };
        check("", 30, None);
        check("timeout_seconds = 90\nmost_tokens = 500", 90, Some(500));
        check("timeout_seconds = 0\nmost_tokens = 1", 1, Some(100));
        check("timeout_seconds = 100000", 600, None);
    }

    #[test]
    fn what_is_shown_holds_no_key() {
        let environment = |name: &str| {
            [("OPENAI_API_KEY", "sk-canary"), ("OLLAMA_HOST", "0.0.0.0:11434")]
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        };
        let file = "[a]\nprovider = 'openai'\nname = 'm'\nbase_url = 'https://me:pass-canary@host/v1'\n[b]\nprovider = 'anthropic'\nname = 'c'\nkey = 'sk-canary-2'\n[c]\nprovider = 'ollama'\nname = 'q'\n";
        let models = Models { named: toml::from_str(file).unwrap(), thinker: BTreeMap::new() };
        let shown = format!("{:?} {models:?}", models.shown(&environment));
        assert!(!shown.contains("sk-canary") && shown.contains("***") && shown.contains("http://127.0.0.1:11434/v1"), "{shown}");
        assert!(!format!("{:?}", models.shown(&environment)).contains("pass-canary"));
        assert_eq!(keys_without_model(&Models::default(), &environment), ["OPENAI_API_KEY"]);
    }
}
