//! Findings before normalisation and dating.

use saegim_core::CandidateType;

use crate::{About, Claim};

/// Person a claim is about, and the confidence of that.
pub(crate) struct Attribution {
    pub(crate) about: About,
    pub(crate) confidence: f32,
}

/// A finding before normalisation and dating.
pub(crate) struct Draft<'a> {
    pub(crate) content: &'a str,
    pub(crate) kind: CandidateType,
    pub(crate) about: About,
    pub(crate) claim: Option<Claim>,
    pub(crate) confidence: f32,
}
