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
/// The rule thinker and the table of subjects.
pub mod rules;
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
    Dialect, EmbeddingEndpoint, Endpoint, LanguageModel, ModelAnswer, ModelRequest, ModelThinker, ModelUsage, Relayed, RemoteEmbedder,
    RemoteModel, Sampling, Saying, Speaker, USUAL_DIMS, Used, following, gathering, schema_of,
};
pub use local::{LargerEmbedder, LocalEmbedder, extract_from_wheel, install_larger};
pub use rules::RuleThinker;
pub use secret::Secret;
pub use thinker::{
    About, AnalyseFrom, Analysis, BelieveFrom, Claim, Conflict, Conviction, Daydream, Finding, ImagineFrom, InterpretFrom, Landmark,
    LeftAlone, Reading, ReflectFrom, ReplyTo, Settlement, Thinker, Toward, Trial, Utterance,
};
pub use unusable::UnusableEmbedder;
pub use webhook::{Courier, Delivery, WebhookRequest, check_webhook, within_reach, written_secret};
