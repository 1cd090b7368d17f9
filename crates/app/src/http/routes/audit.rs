//! The ledger, live events and export.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Json, body::Body};
use futures_util::Stream;
use saegim_core::{Deed, Phrase, Tier, Verdict, phrase};
use saegim_engine::{Format, ImportData, MindHandle};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::talk::event;
use super::{Stopping, limit};
use crate::http::access::{Access, Known};
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::streams::change_feed::{Heard, News};
use crate::http::streams::listeners::Listening;
use crate::http::{Asked, Body as Given, Moment, Server};
use crate::import::store;
use crate::shapes::{Entry, maybe_tiers};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LedgerAsked {
    /// Only entries after this sequence number: `next_cursor` of the previous page.
    #[serde(default)]
    after: u64,
    /// Maximum number of items.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// Page of the ledger.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ledger {
    entries: Vec<SealedEntry>,
    /// Value of `after` for the next page; null on the last page.
    next_cursor: Option<u64>,
}

/// Ledger entry with its own hash.
#[derive(Serialize, ToSchema)]
pub(crate) struct SealedEntry {
    #[serde(flatten)]
    entry: Entry,
    hash: String,
}

/// List ledger entries in order
#[utoipa::path(get, path = "/v1/minds/{mind}/ledger", tag = "audit", params(("mind" = String, Path, description = "Id or key of the mind"), LedgerAsked), responses(
    (status = 200, body = Ledger),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn ledger(Known(mind): Known, Asked(asked): Asked<LedgerAsked>) -> Result<Json<Ledger>, Problem> {
    let limit = limit(asked.limit, 100, 1..=1000)?;
    // Sequence numbers are limited to the range of an SQL integer.
    if i64::try_from(asked.after).is_err() {
        return Err(Problem::bad(phrase!("http.audit.beyond_end")));
    }
    let page = mind.ledger(asked.after, limit).await?;
    let next_cursor = page.last().filter(|_| page.len() == limit).map(|(entry, _)| entry.sequence);
    let entries = page.iter().map(|(entry, hash)| SealedEntry { entry: Entry::from(entry), hash: hash.to_string() }).collect();
    Ok(Json(Ledger { entries, next_cursor }))
}

/// Result of verifying the ledger.
#[derive(Serialize, ToSchema)]
pub(crate) struct Verified {
    whole: bool,
    /// Number of entries, if the ledger is intact.
    entries: Option<u64>,
    /// Hash of the last entry.
    head: Option<String>,
    /// First broken entry.
    broken_at: Option<u64>,
    /// What is wrong with it.
    problem: Option<String>,
}

/// Verify the hash chain of the ledger
#[utoipa::path(get, path = "/v1/minds/{mind}/ledger/verify", tag = "audit", params(("mind" = String, Path, description = "Id or key of the mind")), responses(
    (status = 200, body = Verified),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn verify(Known(mind): Known) -> Result<Json<Verified>, Problem> {
    Ok(Json(match mind.verify_ledger(None).await? {
        Verdict::Whole { entries, head } => {
            Verified { whole: true, entries: Some(entries), head: Some(head.to_string()), broken_at: None, problem: None }
        }
        Verdict::Broken { sequence, problem } => Verified {
            whole: false,
            entries: None,
            head: None,
            broken_at: Some(sequence),
            problem: Some(problem.in_language(crate::http::spoken())),
        },
    }))
}

/// Export a mind as a bundle of JSON lines
#[utoipa::path(get, path = "/v1/minds/{mind}/export", tag = "audit", params(("mind" = String, Path, description = "Id or key of the mind")), responses(
    (status = 200, body = String, content_type = "application/jsonl"),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn export(Known(mind): Known) -> Result<Response, Problem> {
    let mut text = String::new();
    mind.export(Format::Bundle, |piece| {
        text += &piece.text;
        Ok::<_, saegim_engine::EngineError>(())
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, "application/jsonl")], Body::from(text)).into_response())
}

/// Format of an imported text.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TextFormat {
    /// saegim's own JSON lines.
    Bundle,
    /// stellar-memory's JSON export.
    Stellar,
    /// mem0's export.
    Mem0,
    /// JSON lines of the reference MCP memory server.
    McpMemory,
}

impl From<TextFormat> for Format {
    fn from(format: TextFormat) -> Self {
        match format {
            TextFormat::Bundle => Self::Bundle,
            TextFormat::Stellar => Self::Stellar,
            TextFormat::Mem0 => Self::Mem0,
            TextFormat::McpMemory => Self::McpMemory,
        }
    }
}

/// Exported text to import.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    format: TextFormat,
    /// Contents of the exported file.
    text: String,
    /// Tier of memories from other programs; default: M365.
    #[schema(schema_with = maybe_tiers)]
    tier: Option<Tier>,
}

/// Result of an import.
#[derive(Serialize, ToSchema)]
pub(crate) struct Imported {
    imported: usize,
    /// Number of memories that existed before.
    known: usize,
    on_cliff: usize,
    links: usize,
    turns: usize,
    facts: usize,
    /// Items that were not imported.
    left_out: Vec<LeftOut>,
    /// Messages about the file.
    notes: Vec<String>,
}

/// Item that was not imported.
#[derive(Serialize, ToSchema)]
pub(crate) struct LeftOut {
    /// The item.
    what: String,
    /// The reason.
    why: String,
}

/// Import an export of this or another program; existing memories stay unchanged
#[utoipa::path(post, path = "/v1/minds/{mind}/import", tag = "audit", params(("mind" = String, Path, description = "Id or key of the mind")), request_body = Import, responses(
    (status = 200, body = Imported),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn import(Known(mind): Known, Given(body): Given<Import>) -> Result<Json<Imported>, Problem> {
    mind.allowed(Deed::Import).await?;
    let parcel = ImportData::read_text(body.format.into(), &body.text, mind.key())?;
    let done = store(&mind, parcel, body.tier.unwrap_or(Tier::M365), &|_| ()).await?;
    let words = |phrase: &Phrase| phrase.in_language(crate::http::spoken());
    Ok(Json(Imported {
        imported: done.all.added,
        known: done.all.known,
        on_cliff: done.all.on_cliff,
        links: done.links,
        turns: done.heard.turns,
        facts: done.heard.facts,
        left_out: done.all.left_out.iter().map(|left| LeftOut { what: left.what.clone(), why: words(&left.why) }).collect(),
        notes: done.notes.iter().map(words).collect(),
    }))
}

/// Interval at which a mind is polled for changes of other processes.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Interval at which a watcher's key is checked while there are no events. It is also checked before events are sent.
const CHECK_EVERY: Duration = Duration::from_secs(2);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventsAsked {
    /// Only entries after this sequence number; default: only new entries.
    after: Option<u64>,
}

/// Stream all changes: each ledger entry under the name of its operation, `memory` for each changed memory, `mood` and `face`. Resumable with `Last-Event-ID`
#[utoipa::path(get, path = "/v1/minds/{mind}/events", tag = "audit",
    params(("mind" = String, Path, description = "Id or key of the mind"), EventsAsked, ("Last-Event-ID" = Option<String>, Header, description = "Last sequence number received")), responses(
    (status = 200, body = String, content_type = "text/event-stream"),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn events(
    (Known(mind), access): (Known, Access),
    State(server): State<Arc<Server>>,
    (Asked(asked), headers): (Asked<EventsAsked>, HeaderMap),
    Extension(Stopping(stopping)): Extension<Stopping>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let resumed = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.trim().parse::<u64>().ok());
    let listening = server.listeners.one_more(access.name())?;
    let head = mind.head().await?;
    let after = resumed.or(asked.after).unwrap_or(head).min(head);
    let (heard, checked) = (Heard::up_to(after), server.moment());
    let watcher = Watcher { mind, heard, waiting: VecDeque::new(), stopping, access, server, checked, _listening: listening };
    let stream = futures_util::stream::unfold(watcher, |mut watcher| async move {
        let next = watcher.next().await?;
        Some((Ok(next), watcher))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// A client of an event stream.
struct Watcher {
    mind: MindHandle,
    heard: Heard,
    /// Events to send.
    waiting: VecDeque<News>,
    stopping: tokio::sync::watch::Receiver<bool>,
    /// The caller. The stream ends when the key is revoked.
    access: Access,
    server: Arc<Server>,
    /// Time of the last access check.
    checked: Moment,
    _listening: Listening,
}

impl Watcher {
    /// Returns the next event. Returns `None` if the server stops, the mind cannot be read, or access was revoked.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if *self.stopping.borrow() {
                return None;
            }
            if let Some(news) = self.waiting.pop_front() {
                let told = event(news.event, &news.data);
                return Some(match news.id {
                    Some(sequence) => told.id(sequence.to_string()),
                    None => told,
                });
            }
            self.waiting = self.heard.listen(&self.mind).await.ok()?.into();
            if (!self.waiting.is_empty() || self.server.moment().duration_since(self.checked) >= CHECK_EVERY) && !self.may_stay().await {
                return None;
            }
            if self.waiting.is_empty() {
                tokio::select! {
                    () = tokio::time::sleep(LOOK_EVERY) => {}
                    _ = self.stopping.changed() => return None,
                }
            }
        }
    }

    /// Checks whether the caller still has access.
    async fn may_stay(&mut self) -> bool {
        self.checked = self.server.moment();
        self.access.still_holds(&self.server).await
    }
}
