//! Extraction of findings from a message.

/// Answers to the previous question.
pub(crate) mod answer;
/// The claim tables.
pub(crate) mod claim_pattern;
/// Corrections.
pub(crate) mod correct;
/// Events in unusual verb forms.
pub(crate) mod deed;
/// Findings before normalisation and dating.
pub(crate) mod draft;
/// Canonical subjects of facts.
pub(crate) mod fact_subject;
/// Promises, boundaries, plans, events.
pub(crate) mod kind;
/// Names and relations of people and pets.
pub(crate) mod person_name;
/// Reading of a message.
pub(crate) mod reader;
/// Requests to remember.
pub(crate) mod remember;
/// Resolution of corrections, answers and confirmations.
pub(crate) mod settle;
/// Statements without claims.
pub(crate) mod tell;
