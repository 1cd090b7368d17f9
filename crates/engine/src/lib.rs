//! The imperative shell around the rules: it knows the clock, asks the store and the models, and lets `core` decide.
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

/// Limits by session, and what was put away.
mod archive;
/// What waits for a model is done.
mod attend;
/// The ledger as its owner sees it.
mod audit;
/// What newborn memories need to know.
mod births;
/// The care of a mind over time.
mod care;
/// Time and chance.
mod clock;
/// Bringing back without an index in memory.
mod cold;
/// What is given to the model.
mod context;
/// The owner's word on proposals.
mod decide;
/// What rules distilled, in a model's words.
mod distil_again;
/// Facts a model doubts.
mod doubt;
/// When a mind has to be looked after again.
mod due;
/// What earns a longer term right before it runs out.
mod earned;
/// Rewriting, rating, pinning, linking.
mod edit;
/// Vectors that are missing are made.
mod embed;
/// Opening, and minds.
mod engine;
/// Gone for good at once.
mod erase;
/// What can go wrong.
mod error;
/// Essences and what they stand on.
mod essences;
/// What other programs wrote, and what they read.
mod exchange;
/// Keeping a mind in memory up with the store.
mod follow;
/// Letting go and restoring.
mod forget;
/// What the owner lets the operator do.
mod grants;
/// What was told again and again.
mod habit;
/// What the character thinks of by itself.
mod imagine;
/// Memories from elsewhere.
mod import;
/// A mind in memory, ready to be asked.
mod index;
/// Sides of the personality.
mod islands;
/// Judging what was said.
mod judge;
/// A turn is taken where a model reads.
mod keep_first;
/// As what a finding is kept.
mod kept_as;
/// Keys for those who come from outside.
mod keys;
/// Facts, the relationship, the line of time.
mod known;
/// What is known by nothing but what somebody let go.
mod let_go;
/// Looking at a mind.
mod look;
/// A handle to one mind.
mod mind;
/// A turn is taken.
mod observe;
/// What was done under a caller's key is not done again.
mod once;
/// A mind as a turn finds it.
mod present;
/// How far vectors have come.
mod progress;
/// What deserves it is kept longer.
mod promote;
/// What waits for the owner's word.
mod proposals;
/// A memory is brought back.
mod recall;
/// A memory is born.
mod remember;
/// An answer without a model.
mod reply;
/// What happened in a stretch of time.
mod report;
/// Who may do what, and what was refused.
mod rights;
/// What was said, found again.
mod said;
/// The scene a turn plays in.
mod scene;
/// Beliefs, and the versions of the self.
mod selfhood;
/// What wrong clocks have left.
mod set_right;
/// Lives lived in seconds.
pub mod simulate;
/// SOUL.md.
mod soul;
/// What a finding states.
mod stated;
/// Joining and pruning by turn count.
mod thin;
/// Asking the thinker.
mod think;
/// Several memories, all or none.
mod together;
/// Topics on their way up.
mod topic;
/// Two essences of one subject.
mod twins;
/// Watching a mind.
mod watch;
/// Who is told what changes.
mod webhooks;
/// What was said, taken back or put differently.
mod withdraw;
/// How near to mind memories are.
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
