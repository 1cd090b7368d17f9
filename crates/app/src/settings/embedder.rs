//! What turns text into vectors, as the configuration has it.

use std::path::PathBuf;

use saegim_core::{Calibration, Hash, Phrase, phrase};
use saegim_provider::{EmbeddingEndpoint, Secret, USUAL_DIMS};
use serde::Deserialize;

use super::keys::is_usual;
use super::models::{Environment, ModelSettings};
use crate::cli::Choice;

/// The variable that names a remote embedder.
const NAMED: &str = "SAEGIM_EMBEDDING_MODEL";

/// What the configuration file says about the embedder.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct EmbedderSettings {
    /// Which one.
    pub(super) choice: Option<Choice>,
    /// Where the larger model lies.
    pub(super) path: Option<PathBuf>,
    /// Whose server a remote one is at.
    provider: Option<String>,
    /// Its name there.
    name: Option<String>,
    /// Where it is, if not at the provider's.
    base_url: Option<String>,
    /// What opens it.
    key: Option<Secret>,
    /// Which variable of the environment holds what opens it.
    key_variable: Option<String>,
    /// How many components its vectors are brought to.
    dims: Option<usize>,
    /// Knots of cosine and similarity, as `saegim model calibrate` measures them.
    calibration: Option<Vec<(f32, f32)>>,
    /// How many seconds an answer may take.
    timeout_seconds: Option<u32>,
}

impl EmbedderSettings {
    /// Where a remote embedder is: the environment's word, then the file's.
    pub(super) fn remote(&self, environment: Environment<'_>) -> Result<EmbeddingEndpoint, Phrase> {
        let nowhere = || {
            phrase!(
                "no remote embedder is configured; set provider and name in [embedder], or set {NAMED} to a model like openai/text-embedding-3-small",
                "원격 임베더가 설정되어 있지 않아요. [embedder]에 provider와 name을 입력하거나 {NAMED}=openai/text-embedding-3-small 형식으로 지정해 주세요"
            )
        };
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
        // Servers of one's own may call different models by one name: their vectors are never compared.
        if !is_usual(&endpoint.provider, &endpoint.base) {
            let address = Hash::of(endpoint.base.trim_end_matches('/').as_bytes()).to_string();
            endpoint.provider = format!("{}+{}", endpoint.provider, &address[..6]);
        }
        Ok(EmbeddingEndpoint { endpoint, dims, calibration })
    }
}
