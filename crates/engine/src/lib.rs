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

/// Permissions, grants and API keys.
mod access;
/// Clock and randomness.
mod clock;
/// Opens the engine and its minds.
mod engine;
/// Errors.
mod error;
/// Import and export in the formats of other programs.
mod exchange;
/// Checks, backup and repair.
mod health;
/// Beliefs, islands, SOUL.md, imagination, and the proposals that change them.
mod identity;
/// Turns and memories on their way in: observe, judge, store, edit, retract.
mod intake;
/// Maintenance of a mind over time: promotion, distillation, consolidation, zones.
mod lifecycle;
/// A handle to one mind.
mod mind;
/// Calls to thinkers and embedders, and the background jobs that use them.
mod models;
/// Dialogues between personas.
mod orchestrate;
/// Forgetting, archiving and permanent erasure.
mod removal;
/// Ledger, reports, change feed and webhooks.
mod reporting;
/// Recall, context, and read-only views of a mind.
mod retrieval;

pub use access::grants::GrantWish;
pub use clock::{Clock, Dice, SeededDice, SetClock, SystemClock, SystemDice};
pub use engine::{Config, Engine};
pub use error::EngineError;
pub use exchange::import::ImportResult;
pub use exchange::{
    Conversation, ExportChunk, ExportSummary, ForeignMemory, Format, ImportData, ImportItem, ImportLink, ImportName, ImportedConversation,
    Selfhood, SkippedItem,
};
pub use identity::approvals::Decision;
pub use identity::imagine::{Imagining, Opinion};
pub use identity::islands::IslandDraft;
pub use identity::proposals::ProposalRequest;
pub use intake::edit::{Before, Edit, Ends, Pinned};
pub use intake::idempotency::Request;
pub use intake::observe::{Exchange, FactNews, NewMessage, Observed};
pub use intake::remember::{Draft, Remembered};
pub use intake::retract::Withdrawn;
pub use lifecycle::maintenance::TickResult;
pub use lifecycle::zones::Move;
pub use mind::MindHandle;
pub use models::background_jobs::JobsResult;
pub use models::embed::{MissingVectors, RefusedTexts};
pub use models::embedding_progress::Progress;
pub use models::reply::{ModelReply, ReplyRequest};
pub use orchestrate::evaluate::HostEvaluation;
pub use orchestrate::registry::{DEFAULT_PERSONAS, PersonaFile, built_in_personas, read_personas};
pub use orchestrate::run::{OrchestratedStep, OrchestrationEvent, OrchestrationRequest, RunStart, ShownOrchestration, ShownStep};
pub use removal::erase::ErasedItems;
pub use removal::forget::Core;
pub use reporting::audit::SignedHead;
pub use reporting::change_feed::{Changed, News};
pub use reporting::report::{Loss, PromotedEssence, Report};
pub use retrieval::context::{Context, ContextQuery, Section};
pub use retrieval::inspect::MemoryDetails;
pub use retrieval::knowledge::{RelationshipState, TimelineEntry, TimelineQuery};
pub use retrieval::recall::{Depth, Found, Query, Recalled};
pub use retrieval::statements::{KnownStatement, Person, StatementHistory};
pub use retrieval::turn_search::FoundTurn;
pub use saegim_core::MindKey;
pub use saegim_store::{
    CandidatePage, CliffMemory, Counts, Durability, EarlierRequest, Erased, Filter, Health, MindSearch, OrchestrationPage, Page,
    RecordedResponse, RestoredBackup, StoreError, TurnPage, VerifiedBackup, manifest_path, restore_backup, verify_backup,
};
