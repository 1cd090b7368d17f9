//! Sources of API keys and default addresses of providers, for diagnostics.

use super::models::{Environment, Models};
use super::providers::PROVIDERS;

/// Returns pairs of model id (`openai/gpt-5-mini`) and the environment variable or table its key is read from.
pub(crate) fn key_sources(models: &Models, environment: Environment<'_>) -> Vec<(String, String)> {
    let source = |(name, model): (&String, &super::models::ModelSettings)| {
        let provider = PROVIDERS.into_iter().find(|provider| provider.name == model.provider)?;
        let usual = || provider.key_names.iter().find(|name| environment(name).is_some()).or(provider.key_names.first()).copied();
        let from = match (&model.key, &model.key_variable) {
            (Some(_), _) => format!("[model.{name}] key"),
            (None, Some(variable)) => variable.clone(),
            (None, None) => usual()?.to_owned(),
        };
        Some((format!("{}/{}", model.provider, model.name.trim()), from))
    };
    models.named.iter().filter_map(source).collect()
}

/// Checks whether an address is the provider's default.
pub(super) fn is_usual(provider: &str, base: &str) -> bool {
    PROVIDERS.iter().any(|known| known.name == provider && known.base.trim_end_matches('/') == base.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use saegim_provider::{Embedder, RemoteEmbedder};

    use super::super::embedder::EmbedderSettings;
    use super::*;

    #[test]
    fn a_key_comes_from_where_it_was_put() {
        let environment = |name: &str| (name == "GOOGLE_API_KEY").then(|| "k".to_owned());
        for (line, from) in [("openai/gpt", "OPENAI_API_KEY"), ("gemini/flash", "GOOGLE_API_KEY")] {
            let models = Models::default().chosen(Some(line), &environment).unwrap();
            assert_eq!(key_sources(&models, &environment), [(line.to_owned(), from.to_owned())]);
        }
    }

    #[test]
    fn embedders_at_addresses_of_one_s_own_are_told_apart() {
        let id = |base: Option<&str>| {
            let base = base.map(|base| format!("base_url = {base:?}\n")).unwrap_or_default();
            let settings: EmbedderSettings = toml::from_str(&format!("provider = \"openai\"\nname = \"small\"\n{base}")).unwrap();
            RemoteEmbedder::at(settings.remote(&|_| None).unwrap()).id().to_owned()
        };
        let (one, other) = (id(Some("http://127.0.0.1:9001/v1")), id(Some("http://127.0.0.1:9002/v1")));
        assert!(one != other && one == id(Some("http://127.0.0.1:9001/v1/")) && one.starts_with("openai+"), "{one} {other}");
        assert_eq!((id(None), id(Some("https://api.openai.com/v1"))), ("openai/small@256".into(), "openai/small@256".into()));
    }
}
