//! The imperative shell around the rules: reads the clock, calls the store and the models, and lets `core` decide.
//!
//! ```
//! use saegim_engine::{Config, Draft, Engine, MindKey, Query};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let engine = Engine::open(Config::local(folder.path().join("luna.db"))).await?;
//! let mind = engine.mind(MindKey::new("minsu", "luna")?).await?;
//! mind.remember(Draft::text("파이썬은 1991년에 만들어졌다")).await?;
//! let found = mind.recall(Query::text("파이썬 역사")).await?;
//! assert_eq!(found.results[0].memory.content, "파이썬은 1991년에 만들어졌다");
//! # Ok(())
//! # }
//! ```

/// Session limits and archived memories.
mod archive;
/// Jobs that need a model.
mod attend;
/// Ledger export and verification for the owner.
mod audit;
/// Cached turn count and zone occupancy for new memories.
mod births;
/// Periodic maintenance of a mind.
mod care;
/// Clock and randomness.
mod clock;
/// Retrieval without an in-memory index.
mod cold;
/// The context for the model.
mod context;
/// Approval and rejection of proposals.
mod decide;
/// Rewriting rule-based essences with a model.
mod distil_again;
/// Facts a model doubts.
mod doubt;
/// When the next maintenance of a mind is due.
mod due;
/// Promotion of memories right before they expire.
mod earned;
/// Rewriting, rating, pinning, linking.
mod edit;
/// Computation of missing vectors.
mod embed;
/// Opening the engine and minds.
mod engine;
/// Immediate permanent deletion.
mod erase;
/// Errors.
mod error;
/// Essences and the memories they are based on.
mod essences;
/// Import and export in the formats of other programs.
mod exchange;
/// Keeps an in-memory index up to date with the store.
mod follow;
/// Forgetting and restoring.
mod forget;
/// The owner's grants to the operator.
mod grants;
/// Repeated mentions: habits and topics.
mod habit;
/// Imagination: what the character generates on its own.
mod imagine;
/// Import of memories.
mod import;
/// The in-memory index of a mind.
mod index;
/// Islands: aspects of the personality.
mod islands;
/// Judging the findings of a turn.
mod judge;
/// Ingestion of turns that a model reads.
mod keep_first;
/// Kind and category of a finding.
mod kept_as;
/// API keys.
mod keys;
/// Facts, the relationship, the timeline.
mod known;
/// Facts that rest only on forgotten memories.
mod let_go;
/// Queries: one memory in detail, lists, zones, counts.
mod look;
/// A handle to one mind.
mod mind;
/// Ingestion of an exchange.
mod observe;
/// Idempotency of requests and exchanges.
mod once;
/// Cached state of a mind for the next turn.
mod present;
/// Progress of the embedding.
mod progress;
/// Promotion to longer tiers.
mod promote;
/// Proposals to the owner.
mod proposals;
/// Retrieval of memories.
mod recall;
/// Creation of memories.
mod remember;
/// Answers without a model.
mod reply;
/// A summary of what happened in a period.
mod report;
/// Access control and its refusals.
mod rights;
/// Search in turns.
mod said;
/// The scene of a turn.
mod scene;
/// Beliefs and versions of the self.
mod selfhood;
/// Repair of timestamps after a wrong clock.
mod set_right;
/// Simulated conversations over a long time, run in seconds.
pub mod simulate;
/// The SOUL.md document.
mod soul;
/// Statements of a finding.
mod stated;
/// Merging and pruning by turn count.
mod thin;
/// Calls to the thinker.
mod think;
/// Atomic creation of several memories.
mod together;
/// Topics that may be promoted.
mod topic;
/// Merging of duplicate essences.
mod twins;
/// The change feed of a mind.
mod watch;
/// Webhooks.
mod webhooks;
/// Withdrawing and editing turns.
mod withdraw;
/// Rebalancing of zones.
mod zones;

pub use attend::Attended;
pub use audit::SignedHead;
pub use care::Ticked;
pub use clock::{Clock, Dice, SeededDice, SetClock, SystemClock, SystemDice};
pub use context::{Context, ContextQuery, Section};
pub use decide::Decided;
pub use edit::{Before, Edit, Ends, Pinned};
pub use embed::{Lacking, Refused};
pub use engine::{Config, Engine};
pub use erase::Gone;
pub use error::EngineError;
pub use exchange::{Arrival, Bond, Conversation, Format, Heard, LeftOut, Name, Newcomer, Parcel, Piece, Selfhood, Written};
pub use forget::Core;
pub use grants::GrantWish;
pub use imagine::Imagining;
pub use import::Imported;
pub use islands::IslandDraft;
pub use known::{Moment, Standing, TimelineQuery};
pub use look::Shown;
pub use mind::MindHandle;
pub use observe::{Exchange, FactNews, Observed, Said};
pub use once::Request;
pub use progress::Progress;
pub use proposals::Ask;
pub use recall::{Depth, Found, Query, Recalled};
pub use remember::{Draft, Remembered};
pub use reply::{Answered, Spoken};
pub use report::{Loss, Report, Risen};
pub use saegim_core::MindKey;
pub use saegim_store::{
    Answer, CandidatePage, Counts, Durability, Earlier, Erased, Fallen, Filter, Health, MindSearch, Page, StoreError, TurnPage,
};
pub use said::FoundTurn;
pub use watch::{Changed, News};
pub use withdraw::Withdrawn;
pub use zones::Move;
