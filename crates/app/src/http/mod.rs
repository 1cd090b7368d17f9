//! The HTTP server: API, web page, MCP and compatible APIs, with the background worker in the same process.

/// Authentication and access to minds.
mod access;
/// Compatible APIs for existing clients.
mod compat;
/// Accepting connections, their limits and their shutdown.
mod connection;
/// Idempotent requests.
mod idempotency;
/// Requests of the same process, without a network.
mod in_process;
/// MCP over HTTP.
mod mcp;
/// Request counts and durations for Prometheus.
mod metrics;
/// Middleware for every request.
mod middleware;
/// The web page and the API reference.
mod pages;
/// Errors as problem documents.
mod problem;
/// Preconditions (`If-Match`).
mod revisions;
/// API routes.
mod routes;
/// Change events and streaming answers.
mod streams;
#[cfg(test)]
mod tests;
/// Webhook delivery.
mod webhooks;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::{FromRequest, FromRequestParts};
use saegim_core::MindKey;
use saegim_engine::{Engine, EngineError};

use self::metrics::Metrics;
use self::middleware::{Buckets, RequestIds};
use self::problem::Problem;
use self::streams::listeners::Listeners;
use crate::settings::Thinking;

pub(crate) use connection::few_heaps;
pub(crate) use connection::serving::{Failure, Serving, serve};
pub(crate) use in_process::InProcess;
pub(crate) use problem::spoken;

/// Monotonic time for durations. Events in a mind are dated by the engine's clock.
pub(crate) type Moment = tokio::time::Instant;

pub(crate) fn now() -> Moment {
    Moment::now()
}

/// Shared state of all requests.
pub(crate) struct Server {
    pub(crate) engine: Engine,
    /// Whether the server listens only on loopback.
    loopback: bool,
    /// Additional host names of this server.
    hosts: Vec<String>,
    /// Additional allowed origins.
    origins: Vec<String>,
    /// Whether a key was ever created. From then on every request needs one.
    keyed: AtomicBool,
    metrics: Metrics,
    request_ids: RequestIds,
    buckets: Buckets,
    listeners: Listeners,
    /// Locks for documents that are written under client-chosen names.
    writers: compat::Writers,
    /// Idempotent requests that are being processed.
    at_work: idempotency::AtWork,
    doors: mcp::Doors,
    /// The SOUL.md file that is kept up to date, and its mind.
    soul: Option<(MindKey, PathBuf)>,
    /// Thinker settings that can be changed at run time.
    thinking: Thinking,
}

impl Server {
    /// Creates the state of a server that listens on the address of `serving`.
    fn new(engine: Engine, serving: Serving) -> Self {
        Self {
            loopback: serving.address.ip().to_canonical().is_loopback(),
            hosts: serving.hosts,
            origins: serving.origins.iter().map(|origin| origin.trim_end_matches('/').to_ascii_lowercase()).collect(),
            keyed: AtomicBool::new(false),
            metrics: Metrics::default(),
            request_ids: RequestIds::new(engine.now()),
            buckets: Buckets::new(serving.rate),
            listeners: Listeners::default(),
            writers: compat::Writers::default(),
            at_work: idempotency::AtWork::default(),
            doors: mcp::Doors::default(),
            soul: serving.soul,
            thinking: serving.thinking,
            engine,
        }
    }

    /// Checks whether requests without a key act as the owner: on loopback, as long as no key was created.
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

/// JSON body extractor that rejects with a [`Problem`].
#[derive(FromRequest)]
#[from_request(via(axum::Json), rejection(Problem))]
pub(crate) struct Body<T>(pub(crate) T);

/// Query string extractor that rejects with a [`Problem`].
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Problem))]
pub(crate) struct Asked<T>(pub(crate) T);

/// Path parameter extractor that rejects with a [`Problem`].
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Problem))]
pub(crate) struct At<T>(pub(crate) T);
