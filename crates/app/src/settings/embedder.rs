//! Embedder settings of the configuration file.

use std::path::PathBuf;

use saegim_core::{Calibration, Hash, Phrase, phrase};
use saegim_provider::{EmbeddingEndpoint, Secret, USUAL_DIMS};
use serde::Deserialize;

use super::keys::is_usual;
use super::models::{Environment, ModelSettings};
use crate::cli::Choice;

/// Environment variable that selects a remote embedder.
const NAMED: &str = "SAEGIM_EMBEDDING_MODEL";

/// The `[embedder]` table.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct EmbedderSettings {
    /// Selected embedder.
    pub(super) choice: Option<Choice>,
    /// Path of the larger model.
    pub(super) path: Option<PathBuf>,
    /// Provider of the remote embedder.
    provider: Option<String>,
    /// Name of the model at the provider.
    name: Option<String>,
    /// Address of the server, if it is not the provider's default.
    base_url: Option<String>,
    /// API key.
    key: Option<Secret>,
    /// Environment variable that holds the API key.
    key_variable: Option<String>,
    /// Number of dimensions the vectors are reduced to; clamped to 8..=4096.
    dims: Option<usize>,
    /// Pairs of cosine and similarity, as measured by `saegim model calibrate`.
    calibration: Option<Vec<(f32, f32)>>,
    /// Request timeout in seconds; 10 by default.
    timeout_seconds: Option<u32>,
}

impl EmbedderSettings {
    /// Returns the endpoint of the remote embedder: the environment, then the file.
    pub(super) fn remote(&self, environment: Environment<'_>) -> Result<EmbeddingEndpoint, Phrase> {
        let nowhere = || phrase!("settings.embedder.not_configured", named = NAMED);
        let mut settings = match environment(NAMED) {
            Some(named) => {
                let (provider, name) = named.split_once('/').ok_or_else(nowhere)?;
                ModelSettings::named(provider, name)
            }
            None => ModelSettings::named(self.provider.as_deref().ok_or_else(nowhere)?, self.name.as_deref().ok_or_else(nowhere)?),
        };
        settings.base_url.clone_from(&self.base_url);
        settings.key.clone_from(&self.key);
        settings.key_variable.clone_from(&self.key_variable);
        settings.timeout_seconds = Some(self.timeout_seconds.unwrap_or(10));
        let calibration = self.calibration.clone().map(Calibration::new).transpose().map_err(|invalid| invalid.phrase())?;
        let dims = self.dims.unwrap_or(USUAL_DIMS).clamp(8, 4096);
        let mut endpoint = settings.endpoint(environment)?;
        // Self-hosted servers may use one name for different models. The address becomes part of the embedder's id so
        // that their vectors are never compared.
        if !is_usual(&endpoint.provider, &endpoint.base) {
            let address = Hash::of(endpoint.base.trim_end_matches('/').as_bytes()).to_string();
            endpoint.provider = format!("{}+{}", endpoint.provider, &address[..6]);
        }
        Ok(EmbeddingEndpoint { endpoint, dims, calibration })
    }
}
