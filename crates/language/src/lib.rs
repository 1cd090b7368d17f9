//! Reads messages and compares texts by rules, in Korean and English.
//!
//! Everything here is a pure function of the text and the data files of this crate; nothing does I/O or reads a clock. Parsed
//! texts are cached, because a message is compared with the same texts many times.

/// Comparison of two texts or values.
mod compare;
/// Feelings, their causes and their effects.
mod emotion;
/// Extraction of findings from a message.
mod extract;
/// Checks of messages and of model output.
mod guard;
/// A message and the result of reading it.
mod message;
/// Shallow parsing of Korean and English sentences.
mod parse;
/// Vocabulary tables and their pattern language.
mod patterns;
/// Replies without a model.
mod reply;
/// What the rules write on request.
mod request;
/// The rule-based thinker.
mod rule_thinker;
/// Essences, beliefs, island names and imagined scenes without a model.
mod summarize;
/// Splits and normalises text.
mod tokenize;
/// What texts are about.
mod topics;

pub use compare::activity::Doing;
pub use compare::event_equivalence::{EventText, Sameness, denies, is_denial, sameness};
pub use compare::merge_text::joined;
pub use compare::value::{RuleValues, canonical};
pub use emotion::feeling::is_felt;
pub use emotion::life_event::tells_life_event;
pub use extract::fact_subject::{Subject, subject, subjects};
pub use extract::remember::for_ever;
pub use guard::advice::{Ground, advice_points, described, restated};
pub use guard::attribution::with_person;
pub use guard::grounding::{against, becomes, beyond, grounded, misleads};
pub use guard::instruction::commands;
pub use guard::reconcile::{PART, standing, with_what_was_stated};
pub use message::{About, Claim, Finding, LeftAlone, Reading, Toward, Utterance};
pub use reply::brief::subjects_asked;
pub use request::{BelieveFrom, Conviction, Daydream, ImagineFrom, Landmark, ReplyTo};
pub use rule_thinker::RuleThinker;
pub use summarize::distil::{essence, essence_subject, recounted, told_of, told_often, uncounted};
pub use topics::grouping::{Theme, shares_subject, topics};
pub use topics::subject::{Subjects, is_theme};
pub use topics::topic_name::{Said, Sought, shared_subjects};
