//! The language side of a dialogue between personas: cues, prompts, and answers without a model.

/// Cues of rhythm, urgency, risk and evidence.
pub(crate) mod cues;
/// Prompts of the personas.
pub(crate) mod prompt;
/// Answers by rules.
pub(crate) mod voice;
