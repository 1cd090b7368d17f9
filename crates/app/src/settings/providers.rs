//! Known providers of models: their addresses, keys and what they offer.

use saegim_provider::Dialect;

/// A provider of language models.
pub(super) struct Provider {
    pub(super) name: &'static str,
    pub(super) dialect: Dialect,
    /// Default address.
    pub(super) base: &'static str,
    /// Environment variables that may hold the address, in order of precedence.
    pub(super) base_names: &'static [&'static str],
    /// Environment variables that may hold the API key, in order of precedence.
    pub(super) key_names: &'static [&'static str],
    /// Environment variable that names the model.
    pub(super) model_name: Option<&'static str>,
}

pub(super) const PROVIDERS: [Provider; 8] = [
    Provider {
        name: "openai",
        dialect: Dialect::OpenAi,
        base: Dialect::OpenAi.home(),
        base_names: &["OPENAI_BASE_URL", "OPENAI_API_BASE"],
        key_names: &["OPENAI_API_KEY"],
        model_name: Some("OPENAI_MODEL"),
    },
    Provider {
        name: "anthropic",
        dialect: Dialect::Anthropic,
        base: Dialect::Anthropic.home(),
        base_names: &["ANTHROPIC_BASE_URL"],
        key_names: &["ANTHROPIC_API_KEY"],
        model_name: Some("ANTHROPIC_MODEL"),
    },
    Provider {
        name: "gemini",
        dialect: Dialect::Gemini,
        base: Dialect::Gemini.home(),
        base_names: &["GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"],
        key_names: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        model_name: Some("GEMINI_MODEL"),
    },
    Provider {
        name: "gemini-openai",
        dialect: Dialect::OpenAi,
        base: "https://generativelanguage.googleapis.com/v1beta/openai",
        base_names: &["GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"],
        key_names: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        model_name: None,
    },
    Provider {
        name: "ollama",
        dialect: Dialect::OpenAi,
        base: "http://127.0.0.1:11434/v1",
        base_names: &["OLLAMA_HOST"],
        key_names: &["OLLAMA_API_KEY"],
        model_name: Some("OLLAMA_MODEL"),
    },
    Provider {
        name: "lmstudio",
        dialect: Dialect::OpenAi,
        base: "http://127.0.0.1:1234/v1",
        base_names: &["LMSTUDIO_BASE_URL"],
        key_names: &["LMSTUDIO_API_KEY"],
        model_name: None,
    },
    Provider {
        name: "vllm",
        dialect: Dialect::OpenAi,
        base: "http://127.0.0.1:8000/v1",
        base_names: &["VLLM_BASE_URL"],
        key_names: &["VLLM_API_KEY"],
        model_name: None,
    },
    Provider {
        name: "llamacpp",
        dialect: Dialect::OpenAi,
        base: "http://127.0.0.1:8080/v1",
        base_names: &["LLAMACPP_BASE_URL"],
        key_names: &["LLAMA_API_KEY"],
        model_name: None,
    },
];

/// A provider the user can choose.
pub(crate) struct Offer {
    pub(crate) name: &'static str,
    /// Default address.
    pub(crate) base_url: &'static str,
    /// Whether it runs on this machine and needs no key.
    pub(crate) local: bool,
}

/// Returns all providers that are reached over HTTP.
pub(crate) fn offers() -> Vec<Offer> {
    PROVIDERS
        .iter()
        .map(|provider| Offer { name: provider.name, base_url: provider.base, local: provider.base.starts_with("http://127.0.0.1") })
        .collect()
}
