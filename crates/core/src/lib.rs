//! Memory model: what a memory is and how it changes, as pure functions of state, time and policy.
//!
//! This crate does no I/O and reads no clock or random source. Rules receive the current state, the time and the policy, and
//! return [`Change`]s for the store to commit.
//!
//! ```
//! use saegim_core::{Tier, TierPolicy, Timestamp};
//!
//! let born = Timestamp::parse("2026-01-01T00:00:00Z")?;
//! let ends = Tier::M30.expires(born, &TierPolicy::default()).expect("M30 has a term");
//! assert_eq!(ends.to_string(), "2026-01-31T00:00:00.000Z");
//! # Ok::<(), saegim_core::Invalid>(())
//! ```

/// Principals, permissions, keys, grants and webhooks.
mod access;
/// What one commit contains: changes, ledger entry, jobs, model operations.
mod commit;
/// Turns, scenes, facts, mood and relationship.
mod conversation;
/// The character's beliefs, islands, self document and the proposals that change them.
mod identity;
/// Decides what an exchange of messages changes.
mod intake;
/// How memories are promoted, merged, expired and forgotten over time.
mod lifecycle;
/// The memory and mind records, and the numbers that describe a memory.
mod memories;
/// Dialogues between personas.
mod orchestration;
/// Policies: every tunable number.
mod policy;
/// Identifiers, time, bounded numbers and small text helpers that every rule uses.
mod primitives;
/// Scoring of recall: similarity, relevance, and what a question asks for.
mod retrieval;

pub use access::grant::Grant;
pub use access::key::{AccessKey, MindPattern};
pub use access::principal::Principal;
pub use access::rights::{Deed, GrantScope, Right, may_make_key, right};
pub use access::webhook::{Reach, SigningSecret, Webhook};
pub use commit::change::{Change, Commit, Idempotency, Under};
pub use commit::hash::Hash;
pub use commit::job::{Expense, Job, JobKind, Note, NoteKind};
pub use commit::ledger::{Evaluation, LedgerCoordinate, LedgerEntry, LedgerRef, Thing};
pub use commit::operation::Op;
pub use commit::thought::{Cause, Judge, Spent, Thought};
pub use commit::verification::{Flaw, Verdict, Verifier};
pub use conversation::affected_statements::{MessageTopics, affected_statements};
pub use conversation::echo::restated;
pub use conversation::face::Face;
pub use conversation::fact::{Assertion, Fact, FactCategory, Facts, Settled, Values};
pub use conversation::mood::Mood;
pub use conversation::plan_end::plan_end;
pub use conversation::relationship::{Axis, IntimacyLevel, Relationship, RelationshipChange, SpeechStyle};
pub use conversation::retraction::{CurrentSession, Freedom, freedom};
pub use conversation::scene::Scene;
pub use conversation::settle_statements::{Repetition, StatementTexts, settle_statement, settle_statements};
pub use conversation::statement::{Confirmation, StatedValue, Statement, StatementGroup, StatementStanding, StatementStatus};
pub use conversation::turn::{Role, Session, Turn};
pub use identity::belief::{Belief, BeliefChange, SelfReason, SelfVersion, belief_confidence, changed, differences, statement, supports};
pub use identity::change_limit::{TooMuch, Window, may_become};
pub use identity::filing::{Filing, Inbox, Wish, filed};
pub use identity::imagination::{Imagination, Taken, TimeOfDay, Trigger, Weight, chosen, may_imagine, taken, theme_weight, trigger_weight};
pub use identity::island::{Ground, Island, IslandEvent, IslandStatus, island_description, island_emoji, island_name};
pub use identity::proposal::{Proposal, ProposalKind, ProposalStatus, Reason};
pub use identity::proposed::{DiffLine, Proposed, ShownFact};
pub use identity::reflection::{Drawn, Reflection, Rejection, reflected};
pub use identity::soul::{SOUL_BEGINS, SOUL_ENDS, Soul, SoulFlaw, soul_in, with_soul};
pub use intake::context::{IgnoredPart, IntakeContext, ReadTurn, RelationshipEffect};
pub use intake::decide::{ApprovedCandidate, CreatedMemory, IntakeDecision, decide_approval, decide_exchange};
pub use intake::finding::{
    Appraised, EarlierMentions, FindingInput, IntakeFinding, KnownMemory, MemoryClass, SettledFact, SimilarMemory, TextRelation,
};
pub use intake::ids::DecisionIds;
pub use intake::settle::{SettleRules, settle_assertion};
pub use lifecycle::calendar::{Round, Step, last_round, next_round, steps};
pub use lifecycle::cliff::{CliffEntry, CliffReason, Fall, Look, Wait};
pub use lifecycle::clock_history::{Astray, CLOCK_SLACK, ClockHistory, Leap};
pub use lifecycle::essence::worded_by_rules;
pub use lifecycle::forecast::{Ending, MemoryForecast, Need, Outlook, fate, forgotten_at};
pub use lifecycle::habit::{EventMention, is_habit, tellings};
pub use lifecycle::inheritance::{Inheritance, inherited, tellings_of};
pub use lifecycle::lineage::{Lineage, OrphanedEssences};
pub use lifecycle::promotion::{Around, Promotion, PromotionReason, is_of_a_topic, promotion, stands_apart, stands_out};
pub use lifecycle::pruning_limits::{Faded, SelfRole, Shield, budget, is_crowded, pruned, settled, shield};
pub use lifecycle::retention::{Archive, Limit, RetainedMemory, beyond, is_to_archive};
pub use lifecycle::timestamp_repair::TimestampRepair;
pub use memories::admission::{Admission, Worth, admit};
pub use memories::candidate::{Candidate, CandidateType, CandidateVerdict, Factors, Novelty, recurrence};
pub use memories::coordinate::{ContentType, Coordinate, RhythmPhase};
pub use memories::emotion::{Emotion, Emotions, Feeling};
pub use memories::essence::Essence;
pub use memories::importance::{Appraisal, ImportanceGrounds, importance};
pub use memories::link::{Link, LinkKind};
pub use memories::memory::{Again, Category, Knowledge, LONGEST_CONTENT, Memory, MemoryState, Source, content, is_blank};
pub use memories::mind::{Mind, MindKey, Raised};
pub use memories::placement::{ZoneClaim, place};
pub use memories::strength::{Fading, Kind, Strength};
pub use memories::tier::Tier;
pub use memories::zone::{Nearness, Zone};
pub use orchestration::bqi::{BqiCues, BqiPlace, BqiSnapshot, bqi, bqi_priority, rhythm_phase};
pub use orchestration::evaluation::{AnswerSigns, Failure, evaluated, step_importance};
pub use orchestration::persona::{DEFAULT_BACKEND, Persona, RULES_BACKEND, Stance, first_in_cycle};
pub use orchestration::phase::{Balance, PhaseState};
pub use orchestration::plan::{
    CycleOutcome, PlanAction, PlanAdjustment, PlanAdjustments, PlanDetails, PlanTrigger, adjustments, asks_for, cycle_order,
};
pub use orchestration::run::{EvaluatedCycle, NextMove, Orchestration, OrchestrationStep, RunStatus};
pub use policy::{
    AdmissionPolicy, AgentPolicy, AppraisalPolicy, BeliefPolicy, CandidatePolicy, CliffPolicy, ContextPolicy, ImaginationPolicy,
    ImportancePolicy, IslandPolicy, MoodPolicy, OrchestrationPolicy, Policy, PolicyField, PromotionPolicy, ProposalPolicy, RecallPolicy,
    RelationshipPolicy, RelevancePolicy, RetentionPolicy, StrengthPolicy, ThinkingPolicy, ThinningPolicy, TierPolicy, ZonePolicy,
};
pub use primitives::age::Language;
pub use primitives::id::{
    AssertionId, BeliefId, CandidateId, FactId, GrantId, ImaginationId, IslandId, JobId, MemoryId, MindId, OrchestrationId, ProposalId,
    SceneId, SessionId, StatementId, TurnId, WebhookId,
};
pub use primitives::line_diff::linewise;
pub use primitives::lru_cache::LruCache;
pub use primitives::particle::with_particles;
pub use primitives::phrase::Phrase;
#[doc(hidden)]
pub use primitives::phrase::{Argument, Shown};
pub use primitives::score::{Part, Score, told_apart};
pub use primitives::time::{Span, Timestamp};
pub use primitives::tokens::tokens;
pub use primitives::unit::{Invalid, Rating, Sentiment, Unit, shortest};
pub use primitives::windows::{VECTOR_WINDOWS, WINDOW_WORDS, sentences, windows};
pub use retrieval::days::{Days, named_days};
pub use retrieval::idf::{Held, rarity};
pub use retrieval::marks::{Marks, said};
pub use retrieval::question::Question;
pub use retrieval::relevance::{ConversationEvidence, Evidence, Findings, Teller, closeness, confidence, own_evidence, standing_excess};
pub use retrieval::similarity::{Calibration, Embedding, cosine, running};
pub use retrieval::words::{Cut, WORDS_VERSION, WordQuery, cut, is_stop_word, stem, terms, word_queries};
#[doc(hidden)]
pub use saegim_messages::Key;
