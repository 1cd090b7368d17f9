//! Language models: asked over HTTP in three dialects, bounded in time and length, and never trusted.

/// When a server is left alone.
mod circuit_breaker;
/// How servers are spoken to.
mod dialect;
/// An embedder behind HTTP.
mod embedder;
/// The one interface of everything that continues a conversation.
mod language_model;
/// A model behind HTTP.
mod model;
/// Answers of personas.
mod persona;
/// One request.
mod post;
/// The prompts.
mod prompt;
/// Requests that are passed on as they are.
mod relay;
/// The messages of a reply request.
mod reply_prompt;
/// How a caller wants an answer drawn.
mod sampling;
/// In what shape a server takes its requests.
mod server_capabilities;
/// A thinker that asks models.
mod thinker;
/// Token usage of models.
mod usage;
/// Checks model output before it is used.
mod verify;

pub use dialect::Dialect;
pub use embedder::{EmbeddingEndpoint, RemoteEmbedder, USUAL_DIMS};
pub use language_model::{LanguageModel, ModelAnswer, ModelRequest, Relayed, Saying, Speaker};
pub use model::{Endpoint, RemoteModel};
pub use persona::persona_answer;
pub use prompt::schema as schema_of;
pub use sampling::Sampling;
pub use thinker::ModelThinker;
pub use usage::{ModelCalls, Used, following, gathering};
