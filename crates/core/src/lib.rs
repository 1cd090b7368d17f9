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

/// Novelty check: whether a candidate is new enough to store.
mod admission;
/// Relative ages in natural language ("3 days ago").
mod age;
/// Beliefs of the character about itself.
mod belief;
/// Schedule of periodic work.
mod calendar;
/// Candidates extracted from a turn, and their score.
mod candidate;
/// Changes returned by rules, grouped into commits.
mod change;
/// Cliff entries of forgotten memories.
mod cliff;
/// Clock history: detects clock jumps and decides which timestamps to trust.
mod course;
/// Date ranges named in a question.
mod days;
/// Lineage: which essences derive from which memories.
mod descent;
/// Activities: sentences reduced to what was done.
mod doing;
/// Share of a text that another text repeats.
mod echo;
/// The ten emotions and how they blend.
mod emotion;
/// Detects essences worded by rules.
mod essence;
/// Everyday topics.
mod everyday;
/// One-hot face emotion.
mod face;
/// Facts and statements about the user.
mod fact;
/// Forecast of what will happen to a memory and when.
mod fate;
/// Operator access granted by the owner.
mod grant;
/// Limits on how much of the self may change at once.
mod guard;
/// Repeated events.
mod habit;
/// Typed ids.
mod id;
/// Imaginations: texts the character generates on its own.
mod imagination;
/// Importance of a memory.
mod importance;
/// Fields an essence inherits from its originals.
mod inheritance;
/// Islands: aspects of the personality.
mod island;
/// Jobs that wait for a model.
mod job;
/// Merged text of memories about the same event.
mod joining;
/// API keys.
mod key;
/// Small LRU cache.
mod lately;
/// Hash-chained ledger of every event.
mod ledger;
/// Life events.
mod life_event;
/// Line diff of two texts.
mod linewise;
/// Links between memories.
mod link;
/// Textual features of a message.
mod marks;
/// The memory type.
mod memory;
/// The mind type.
mod mind;
/// Current mood of the character.
mod mood;
/// Pairs of contradicting words.
mod opposites;
/// Korean particles, chosen by the preceding sound.
mod particle;
/// User-facing messages in English and Korean.
mod phrase;
/// Policies: every tunable number.
mod policy;
/// Korean predicates without their endings.
mod predicate;
/// Principals: who performs an operation.
mod principal;
/// Promotion of memories to longer tiers.
mod promotion;
/// Proposals that wait for the owner's decision.
mod proposal;
/// Features of a question.
mod question;
/// Inverse document frequency of query terms.
mod rarity;
/// Repair of timestamps written by a wrong clock.
mod redating;
/// Beliefs derived from memories.
mod reflection;
/// Relationship between character and user.
mod relationship;
/// Combines evidence into relevance.
mod relevance;
/// Optional retention limits per session.
mod retention;
/// Permissions.
mod rights;
/// Event equivalence: whether two sentences can describe the same event.
mod sameness;
/// Scenes of a conversation.
mod scene;
/// Scores with a breakdown.
mod score;
/// Embeddings and calibrated similarity.
mod similarity;
/// The generated section of SOUL.md.
mod soul;
/// Strength of a memory.
mod strength;
/// Topics a text may be about.
mod subject;
/// Retraction limits: how freely messages may be retracted or edited.
mod taking_back;
/// Sentence parsing.
mod telling;
/// Limits for consolidation and pruning.
mod thinning;
/// Requests to a thinker.
mod thought;
/// Tiers: how long a memory is kept.
mod tier;
/// Timestamps and durations.
mod time;
/// Token estimates.
mod tokens;
/// Groups memories by topic.
mod topics;
/// Turns and sessions.
mod turn;
/// Numbers with a checked range.
mod unit;
/// Webhooks that receive change events.
mod webhook;
/// Updates to the importance of a memory.
mod weighing;
/// Splits long texts into windows.
mod windows;
/// Macro for enums whose variants are single words.
mod word_enum;
/// Tokenizer for word search.
mod words;
/// Zones: closeness to working memory.
mod zone;

pub use admission::*;
pub use age::*;
pub use belief::*;
pub use calendar::*;
pub use candidate::*;
pub use change::*;
pub use cliff::*;
pub use course::{Astray, CLOCK_SLACK, Course, Leap};
pub use days::{Days, named_days};
pub use descent::{Bereft, Descent};
pub use doing::Doing;
pub use echo::restated;
pub use emotion::*;
pub use essence::worded_by_rules;
pub use everyday::{Touch, theme_called, theme_head};
pub use face::*;
pub use fact::*;
pub use fate::*;
pub use grant::*;
pub use guard::{TooMuch, Window, may_become};
pub use habit::*;
pub use id::*;
pub use imagination::*;
pub use importance::*;
pub use inheritance::{Inheritance, inherited, tellings_of};
pub use island::*;
pub use job::*;
pub use joining::joined;
pub use key::*;
pub use lately::Lately;
pub use ledger::*;
pub use life_event::{LifeFeeling, life_feeling, tells_life_event, tells_story};
pub use linewise::linewise;
pub use link::*;
pub use marks::{Marks, said};
pub use memory::*;
pub use mind::*;
pub use mood::*;
pub use particle::with_particles;
pub use phrase::Phrase;
pub use policy::*;
pub use principal::*;
pub use promotion::*;
pub use proposal::*;
pub use question::Question;
pub use rarity::{Held, rarity};
pub use reflection::*;
pub use relationship::*;
pub use relevance::{Evidence, Findings, Teller, Told, closeness, confidence, own_evidence, standing_excess};
pub use retention::*;
pub use rights::*;
pub use sameness::*;
pub use scene::*;
pub use score::*;
pub use similarity::*;
pub use soul::*;
pub use strength::*;
pub use subject::{Subject, Subjects, is_theme};
pub use taking_back::*;
pub use telling::{fits_sound, is_whole_noun};
pub use thinning::*;
pub use thought::*;
pub use tier::*;
pub use time::*;
pub use tokens::tokens;
pub use topics::*;
pub use turn::*;
pub use unit::*;
pub use webhook::*;
pub use windows::*;
pub use words::{Cut, WORDS_VERSION, WordQuery, cut, terms, word_queries};
pub use zone::*;
