//! What texts are about.

/// The subject that several sentences have in common.
pub(crate) mod common_subject;
/// Themes of everyday life.
pub(crate) mod everyday;
/// Groups memories by topic.
pub(crate) mod grouping;
/// Topic of one sentence.
pub(crate) mod sentence_topic;
/// Things and people a text names.
pub(crate) mod subject;
/// Whether a text mentions a subject.
pub(crate) mod topic_name;
