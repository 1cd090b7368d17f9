//! Language models: asked over HTTP in three dialects, bounded in time and length, and never trusted.

/// What may stand of what a model writes in words of its own.
mod advice;
/// What a model found, beside what the rules read.
mod agree;
/// What of an answer is said aloud.
mod aloud;
/// What models answer.
mod answer;
/// How servers are spoken to.
mod dialect;
/// An embedder behind HTTP.
mod embedder;
/// What a model found in a message.
mod extract;
/// Whether what a model wrote comes from what was said.
mod ground;
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
/// Requests that are passed on as they are.
mod relay;
/// How a caller wants an answer drawn.
mod sampling;
/// In what shape a server takes its requests.
mod shape;
/// Whose a statement is, and whether it is so.
mod theirs;
/// A thinker that asks models.
mod thinker;
/// What models used.
mod usage;

pub use dialect::Dialect;
pub use embedder::{EmbeddingEndpoint, RemoteEmbedder, USUAL_DIMS};
pub use language_model::{Ask, LanguageModel, Relayed, Saying, Speaker, Told};
pub use model::{Endpoint, RemoteModel};
pub use prompt::schema as schema_of;
pub use sampling::Sampling;
pub use thinker::ModelThinker;
pub use usage::{Course, Used, following, gathering};
