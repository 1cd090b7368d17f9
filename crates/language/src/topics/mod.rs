//! What texts are about.

/// Themes of everyday life.
pub(crate) mod everyday;
/// Groups memories by topic.
pub(crate) mod grouping;
/// Topic of one sentence.
pub(crate) mod sentence_topic;
/// Things and people a text names.
pub(crate) mod subject;
/// Topics shared by several texts, by name.
pub(crate) mod topic_name;
