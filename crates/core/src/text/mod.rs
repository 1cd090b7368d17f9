//! Rule-based parsing and comparison of Korean and English sentences.

/// The activity a sentence describes.
pub(crate) mod activity;
/// Whether two sentences describe the same event.
pub(crate) mod event_equivalence;
/// Themes of everyday life.
pub(crate) mod everyday;
/// Detects major life events.
pub(crate) mod life_event;
/// Pairs of words that contradict each other.
pub(crate) mod opposites;
/// Korean predicates without their endings.
pub(crate) mod predicate;
/// Splits a sentence into subject, object and predicate.
pub(crate) mod sentence_parse;
/// What a text is about.
pub(crate) mod subject;
/// Groups memories by topic.
pub(crate) mod topics;
/// Search terms of a text.
pub(crate) mod words;
