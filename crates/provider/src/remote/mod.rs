//! Language models: asked over HTTP in three dialects, bounded in time and length, and never trusted.

/// What models answer.
mod answer;
/// How servers are spoken to.
mod dialect;
/// An embedder behind HTTP.
mod embedder;
/// What a model found in a message.
mod extract;
/// The one interface of everything that continues a conversation.
mod language_model;
/// A model behind HTTP.
mod model;
/// When a server is left alone.
mod patience;
/// One request.
mod post;
/// The prompts.
mod prompt;
/// A thinker that asks models.
mod thinker;
/// What models used.
mod usage;

pub use dialect::Dialect;
pub use embedder::{EmbeddingEndpoint, RemoteEmbedder, USUAL_DIMS};
pub use language_model::{Ask, LanguageModel, Saying, Speaker, Told};
pub use model::{Endpoint, RemoteModel};
pub use prompt::schema as schema_of;
pub use thinker::ModelThinker;
#[cfg(feature = "instruct")]
pub(crate) use usage::note;
pub use usage::{Used, gathering};
