//! What a memory is and what should happen to it: pure functions of state, time and policy.
//!
//! Nothing here reads a file, a clock or a random number, and nothing here writes. Rules take what is known,
//! the moment and the policy, and give back [`Change`]s for the store to commit.
//!
//! ```
//! use saegim_core::{Tier, TierPolicy, Timestamp};
//!
//! let born = Timestamp::parse("2026-01-01T00:00:00Z")?;
//! let ends = Tier::M30.expires(born, &TierPolicy::default()).expect("M30 has a term");
//! assert_eq!(ends.to_string(), "2026-01-31T00:00:00.000Z");
//! # Ok::<(), saegim_core::Invalid>(())
//! ```

/// Whether something is new enough to be kept.
mod admission;
/// How long ago, as people say it.
mod age;
/// What the character believes of itself.
mod belief;
/// What is due when.
mod calendar;
/// What may be worth remembering of a turn.
mod candidate;
/// What a rule decides, gathered into commits.
mod change;
/// Where forgotten memories wait.
mod cliff;
/// Which moments of a mind's clock are to be believed.
mod course;
/// Days a question names.
mod days;
/// Which essences stand on which memories.
mod descent;
/// What a telling is of, as something one does.
mod doing;
/// How much of one text another says again.
mod echo;
/// The ten emotions and how they mix.
mod emotion;
/// Whose words an essence is in.
mod essence;
/// Themes of everyday life.
mod everyday;
/// The one-hot face.
mod face;
/// What is known about the user.
mod fact;
/// What awaits a memory.
mod fate;
/// What the owner lets the operator do.
mod grant;
/// How much of the self may change at once.
mod guard;
/// Events told again and again.
mod habit;
/// Identities.
mod id;
/// What the character thinks of by itself.
mod imagination;
/// How much a memory matters.
mod importance;
/// What an essence takes over from its originals.
mod inheritance;
/// Sides of the personality.
mod island;
/// What waits for a model.
mod job;
/// The words of memories that tell one thing.
mod joining;
/// Keys for those who come from outside.
mod key;
/// What was worked out lately.
mod lately;
/// The hash-chained record of everything that happened.
mod ledger;
/// What turns a life.
mod life_event;
/// Two texts side by side.
mod linewise;
/// How memories hang together.
mod link;
/// What a text says about itself at a glance.
mod marks;
/// A memory.
mod memory;
/// A mind.
mod mind;
/// What the character feels now.
mod mood;
/// Words that cannot both be said of one thing.
mod opposites;
/// Korean particles that go by the sound before them.
mod particle;
/// What is said to people, in both languages.
mod phrase;
/// Every number a rule uses.
mod policy;
/// Korean predicates without their endings.
mod predicate;
/// Who acts.
mod principal;
/// When a memory deserves to be kept longer.
mod promotion;
/// What waits for the owner's word.
mod proposal;
/// What a question says about itself.
mod question;
/// How much a term of a question tells.
mod rarity;
/// What a wrong clock has dated, dated anew.
mod redating;
/// What memories say about the self.
mod reflection;
/// How character and user stand to each other.
mod relationship;
/// How evidence adds up to relevance.
mod relevance;
/// Limits by session, for hosts that want them.
mod retention;
/// Who may do what.
mod rights;
/// Whether two sentences can tell the same thing.
mod sameness;
/// Stretches of conversation.
mod scene;
/// Scores that explain themselves.
mod score;
/// Embeddings, and similarity on one scale.
mod similarity;
/// The fenced section of SOUL.md.
mod soul;
/// How vivid a memory is.
mod strength;
/// What a text may be about.
mod subject;
/// How freely what was said may be taken back.
mod taking_back;
/// What a sentence tells, word by word.
mod telling;
/// Consolidation and pruning.
mod thinning;
/// What a thinker is asked.
mod thought;
/// How long a memory is kept.
mod tier;
/// Moments and spans.
mod time;
/// How many tokens a text has.
mod tokens;
/// Which memories are about the same thing.
mod topics;
/// Turns and sessions.
mod turn;
/// Numbers with a range.
mod unit;
/// Who is told what changes.
mod webhook;
/// How much a memory matters, as that changes.
mod weighing;
/// Long texts in windows.
mod windows;
/// Enumerations of single words.
mod word_enum;
/// The words of a text, as search knows them.
mod words;
/// How near to mind a memory is.
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
