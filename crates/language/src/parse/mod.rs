//! Shallow parsing of Korean and English sentences.

/// Completion of open clauses.
pub(crate) mod closing;
/// Shallow parsing of English.
pub(crate) mod english;
/// Shallow parsing of Korean.
pub(crate) mod korean;
/// Korean predicates without their endings.
pub(crate) mod predicate;
/// Content words of a sentence with their grammatical roles.
pub(crate) mod sentence_parse;
/// Stance of a statement.
pub(crate) mod stance;
/// Person a clause is about.
pub(crate) mod who;
