//! Language models over HTTP, in three wire formats, with limits on time and length. Their output is never trusted.

/// Filter for free text that models write for the character.
mod advice;
/// Reconciliation of model findings with the rules.
mod agree;
/// Removal of reasoning from answers.
mod aloud;
/// Parsing of model answers.
mod answer;
/// Wire formats.
mod dialect;
/// An embedder over HTTP.
mod embedder;
/// Validation of extracted findings.
mod extract;
/// Grounding of model output in its input.
mod ground;
/// The language model interface.
mod language_model;
/// A language model over HTTP.
mod model;
/// Circuit breaker per server.
mod patience;
/// A single HTTP request.
mod post;
/// Prompts.
mod prompt;
/// Relayed requests.
mod relay;
/// Sampling parameters.
mod sampling;
/// Detected server capabilities.
mod shape;
/// Attribution and factuality of statements.
mod theirs;
/// A thinker that uses models.
mod thinker;
/// Usage metering.
mod usage;

pub use dialect::Dialect;
pub use embedder::{EmbeddingEndpoint, RemoteEmbedder, USUAL_DIMS};
pub use language_model::{Ask, LanguageModel, Relayed, Saying, Speaker, Told};
pub use model::{Endpoint, RemoteModel};
pub use prompt::schema as schema_of;
pub use sampling::Sampling;
pub use thinker::ModelThinker;
#[cfg(feature = "instruct")]
pub(crate) use usage::note;
pub use usage::{Course, Used, following, gathering};
