//! saegim over HTTP: one server for programs, pages and other doors, with the caretaker inside.

/// Who asks, and which minds they may touch.
mod access;
/// Doors for clients people already have.
mod doors;
/// What every request passes.
mod guard;
/// How many listen at once.
mod listeners;
/// Answers on their way.
mod live;
/// Which revision a request is meant for.
mod matching;
/// MCP over HTTP.
mod mcp;
/// What changes, told in order.
mod news;
/// What was done under a caller's key is answered again.
mod once;
/// The page a person sees a mind on.
mod page;
/// Whoever never reads, and how many connections a peer has.
mod patience;
/// What is wrong.
mod problem;
/// The contract, and its page.
mod reference;
/// How much memory a server holds on to.
mod resident;
/// What can be asked.
mod routes;
/// Listening, and stopping without losing anything.
mod serving;
#[cfg(test)]
mod tests;
/// What is finished although nobody waits for it.
mod unfinished;
/// Calling those who asked to be told.
mod webhooks;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::{FromRequest, FromRequestParts};
use saegim_core::MindKey;
use saegim_engine::{Engine, EngineError};

use self::guard::{Buckets, Tally};
use self::listeners::Listeners;
use self::problem::Problem;
use crate::settings::Thinking;

pub(crate) use problem::spoken;
pub(crate) use resident::few_heaps;
pub(crate) use serving::{Failure, Serving, serve};

/// A moment for measuring how long something takes; what happens in a mind is dated by the engine's clock.
pub(crate) type Moment = tokio::time::Instant;

pub(crate) fn now() -> Moment {
    Moment::now()
}

/// What every request works with.
pub(crate) struct Server {
    pub(crate) engine: Engine,
    /// Whether only this machine can reach it.
    loopback: bool,
    /// Names it goes by beside the machine's own.
    hosts: Vec<String>,
    /// Other pages that may ask here.
    origins: Vec<String>,
    /// Whether a key was ever made; from then on every request needs one.
    keyed: AtomicBool,
    tally: Tally,
    buckets: Buckets,
    listeners: Listeners,
    /// Whose turn it is to write texts under names of their own.
    writers: doors::Writers,
    /// Requests that are to be answered once and are not yet.
    at_work: once::AtWork,
    doors: mcp::Doors,
    /// The SOUL.md that is kept in step, and the mind it tells of.
    soul: Option<(MindKey, PathBuf)>,
    /// Who thinks, and where that is written down.
    thinking: Thinking,
    /// Whether each request is told on standard error.
    logs: bool,
}

impl Server {
    /// Whether whoever comes is the owner: on loopback, as long as no key was made.
    async fn is_open(&self) -> Result<bool, EngineError> {
        if !self.loopback {
            return Ok(false);
        }
        if !self.keyed.load(Ordering::Relaxed) && !self.engine.keys().await?.is_empty() {
            self.keyed.store(true, Ordering::Relaxed);
        }
        Ok(!self.keyed.load(Ordering::Relaxed))
    }

    fn moment(&self) -> Moment {
        now()
    }
}

/// A body of JSON; what is wrong with one is told as a problem.
#[derive(FromRequest)]
#[from_request(via(axum::Json), rejection(Problem))]
pub(crate) struct Body<T>(pub(crate) T);

/// What the address asks for after its question mark.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Problem))]
pub(crate) struct Asked<T>(pub(crate) T);

/// What an address names.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Problem))]
pub(crate) struct At<T>(pub(crate) T);
