//! Scoring of recall: similarity, relevance, and what a question asks for.

/// Time expressions in a question.
pub(crate) mod days;
/// Inverse document frequency of query terms.
pub(crate) mod idf;
/// Surface features of a text.
pub(crate) mod marks;
/// What a question asks for.
pub(crate) mod question;
/// Combines evidence into relevance.
pub(crate) mod relevance;
/// Embeddings and calibrated similarity.
pub(crate) mod similarity;
/// Search terms of a text.
pub(crate) mod words;
