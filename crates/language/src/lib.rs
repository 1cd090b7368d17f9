//! Reads messages and compares texts by rules, in Korean and English.
//!
//! Everything here is a pure function of the text and the data files of this crate; nothing does I/O or reads a clock. Parsed
//! texts are cached, because a message is compared with the same texts many times.
//!
//! ```
//! use saegim_core::{Role, Timestamp};
//! use saegim_language::{RuleThinker, Utterance};
//!
//! let at = Timestamp::parse("2026-03-01")?;
//! let message = Utterance { role: Role::User, text: "나는 부산에 살아", at, user: "minsu", character: "luna", before: None };
//! let reading = RuleThinker.read(&message);
//! let claim = reading.findings[0].claim.as_ref().expect("a statement about the user");
//! assert_eq!((claim.subject.as_str(), claim.value.as_str()), ("residence", "부산"));
//! # Ok::<(), saegim_core::Invalid>(())
//! ```

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
/// The reader of messages.
mod message_reader;
/// Dialogues between personas.
mod orchestrate;
/// Shallow parsing of Korean and English sentences.
mod parse;
/// Vocabulary tables and their pattern language.
mod patterns;
/// The trained reader.
mod reader;
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

pub use compare::activity::Activity;
pub use compare::event_equivalence::{EventRelation, EventText, compare_events, negates};
pub use compare::merge_text::merge_texts;
pub use compare::statement::StatementComparison;
pub use compare::value::{ValueComparison, canonical_value};
pub use emotion::life_event::is_life_event;
pub use extract::fact_subject::{FactSubject, fact_subject, fact_subjects, group_of_subject};
pub use extract::person_name::PersonName;
pub use extract::remember::asks_to_keep_forever;
pub use guard::advice::{SourceVocabulary, advice_points, checked_description, restate_advice};
pub use guard::attribution::with_person;
pub use guard::grounding::{essence_problem, grounded_share, is_part_of, profile_problem};
pub use guard::instruction::is_instruction;
pub use guard::reconcile::{add_missed_statements, reconcile_finding};
pub use guard::unsafe_text::{assigns_identity, is_harmful};
pub use message::{About, Claim, Factor, Finding, ReadBy, Reading, SkipReason, StatedClause, Utterance};
pub use message_reader::MessageReader;
pub use orchestrate::cues::{AnswerInContext, answer_signs, bqi_cues};
pub use orchestrate::prompt::{PastExample, PersonaPrompt, persona_prompt, prompt_digest};
pub use orchestrate::voice::{RememberedEvidence, VoiceAnswer, VoiceFrom, voice_actions, voice_answer};
pub use reply::brief::fact_subjects_asked;
pub use request::{BelieveFrom, DerivedBelief, ImagineFrom, ImaginedScenario, IslandLabel, ReplyTo};
pub use rule_thinker::RuleThinker;
pub use summarize::distil::{EssenceSource, WordedEssence, counted_essence, topic_essence, without_circumstances};
pub use topics::common_subject::group_by_subject;
pub use topics::grouping::{TopicProfile, group_by_topic};
pub use topics::subject::{is_theme_number, subject_numbers};
pub use topics::topic_name::{TopicMentions, TopicName};
