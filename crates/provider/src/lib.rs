//! Embedders and thinkers: what turns text into vectors, and what judges and writes text.
/// Addresses on the web.
mod address;
/// Measuring an embedder's scale.
mod calibrate;
mod embedder;
mod error;
/// Language models.
mod llm;
mod local;
/// How long a server asks to be left alone.
mod retry_after;
/// A key that cannot be shown.
mod secret;
/// A stand-in for a model's server.
#[cfg(feature = "stand-in")]
pub mod stand_in;
mod thinker;
/// An embedder that cannot be used.
mod unusable;
/// Telling a webhook.
mod webhook;

pub use address::{LONGEST_ADDRESS, address_pattern, is_address, shown_address};
pub use calibrate::{Band, Measured, PAIRS, measure};
pub use embedder::{Embedder, Purpose};
pub use error::ProviderError;
pub use llm::{
    Ask, Course, Dialect, EmbeddingEndpoint, Endpoint, LanguageModel, ModelThinker, Relayed, RemoteEmbedder, RemoteModel, Sampling, Saying,
    Speaker, Told, USUAL_DIMS, Used, following, gathering, schema_of,
};
pub use local::{LargerEmbedder, LocalEmbedder, extract_from_wheel, install_larger};
pub use secret::Secret;
pub use thinker::{AnalyseFrom, Analysis, Conflict, InterpretFrom, ReflectFrom, Settlement, Thinker, Trial};
pub use unusable::UnusableEmbedder;
pub use webhook::{Courier, Delivery, Telling, check_webhook, within_reach, written_secret};
