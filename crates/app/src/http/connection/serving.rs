//! Accepts connections, runs the background worker and shuts down gracefully.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use saegim_core::{MindKey, Principal};
use saegim_engine::{Engine, EngineError};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use super::slow_clients::{Peers, Pulses};
use super::{allocator, detached_tasks};
use crate::http::{Server, routes};
use crate::settings::Thinking;

/// Maximum number of open connections; further ones wait to be accepted.
const CONNECTIONS: usize = 1024;

/// Maximum number of connections per address, so that one client cannot use all of them.
const OF_ONE_PEER: usize = CONNECTIONS / 2;

/// Maximum time to receive the request headers. Protects against slow headers.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);

/// Maximum time for running requests to finish during shutdown.
const FAREWELL: Duration = Duration::from_secs(20);

/// Interval between worker runs.
const CARE_EVERY: Duration = Duration::from_secs(15);

/// Number of worker runs after which idle minds are removed from memory. A mind stays for 10 to 20 minutes.
const REST_AFTER: u32 = 40;

/// Number of worker runs after which free memory is returned to the system: every 30 s, which takes a few milliseconds.
const GIVE_BACK_AFTER: u32 = 2;

/// Options of the server.
pub(crate) struct Serving {
    /// Address to listen on.
    pub(crate) address: SocketAddr,
    /// Additional host names of this server.
    pub(crate) hosts: Vec<String>,
    /// Additional allowed origins.
    pub(crate) origins: Vec<String>,
    /// Requests per second allowed for each key.
    pub(crate) rate: f64,
    /// The SOUL.md file that is kept up to date, and its mind.
    pub(crate) soul: Option<(MindKey, PathBuf)>,
    /// Thinker settings that can be changed at run time.
    pub(crate) thinking: Thinking,
}

/// What the server reports when it starts to listen.
pub(crate) struct Listening {
    /// The actual address.
    pub(crate) address: SocketAddr,
    /// A new key, created because the server is reachable from other machines and had none.
    pub(crate) key: Option<String>,
}

/// Serves until the process receives a termination signal. Calls `told` once it listens.
pub(crate) async fn serve(engine: Engine, serving: Serving, told: impl FnOnce(&Listening)) -> Result<(), Failure> {
    let listener = TcpListener::bind(serving.address).await.map_err(Failure::Address)?;
    let address = listener.local_addr().map_err(Failure::Address)?;
    let loopback = is_loopback(address.ip());
    let key = match (loopback, engine.keys().await?.is_empty()) {
        (false, true) => Some(engine.make_key(Principal::Owner, Vec::new()).await?.1),
        _ => None,
    };
    let server = Arc::new(Server::new(engine.clone(), Serving { address, ..serving }));
    told(&Listening { address, key });
    let (stop, stopping) = watch::channel(false);
    let teller = tokio::spawn(crate::http::webhooks::tell(engine.clone(), stopping.clone()));
    let worker = tokio::spawn(look_after(engine, stopping.clone()));
    accept((listener, CONNECTIONS), &server, (stop, stopping), ended()).await;
    // Wait for detached tasks, the worker and webhook deliveries.
    let _ = tokio::time::timeout(FAREWELL, async { tokio::join!(detached_tasks::all(), worker, teller) }).await;
    Ok(())
}

/// Why a server could not start.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The address could not be bound.
    Address(std::io::Error),
    /// The engine refused the operation or failed.
    Engine(EngineError),
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Maximum number of open event streams. The remaining connections are for other requests.
pub(crate) const LISTENERS: usize = CONNECTIONS / 2;

/// Accepts connections up to a limit until `ended` completes, then waits for running requests.
pub(crate) async fn accept(
    (listener, connections): (TcpListener, usize),
    server: &Arc<Server>,
    (stop, stopping): (watch::Sender<bool>, watch::Receiver<bool>),
    ended: impl Future<Output = ()>,
) {
    let app = routes::router(server, stopping.clone());
    let (graceful, room) = (GracefulShutdown::new(), Arc::new(Semaphore::new(connections)));
    let (pulses, peers) = (Arc::<Pulses>::default(), Arc::<Peers>::default());
    let watching = tokio::spawn(Arc::clone(&pulses).look_after(Arc::clone(&room), stopping));
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN);
    tokio::pin!(ended);
    loop {
        // The termination signal must be noticed also while all slots are in use.
        let next = async {
            let permit = Arc::clone(&room).acquire_owned().await.expect("it is never closed");
            (permit, listener.accept().await)
        };
        let (permit, stream, address) = tokio::select! {
            (permit, accepted) = next => match accepted {
                Ok((stream, address)) => (permit, stream, address.ip()),
                // Too many open files, or the client disconnected at once. Retry after a pause.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut ended => break,
        };
        // Drop connections of an address that has reached its limit.
        let Some(place) = peers.place(address, OF_ONE_PEER) else { continue };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(app.clone());
        let (stream, pulse) = pulses.watch(stream);
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            // Neither a dropped connection nor a client that stopped reading is an error.
            tokio::select! {
                _ = watched => {}
                () = pulse.lost() => {}
            }
            drop((permit, place));
        });
    }
    drop(listener);
    // End event streams first; the graceful shutdown would otherwise wait for them.
    let _ = stop.send(true);
    let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
    watching.abort();
}

/// Completes when the process receives a termination signal.
async fn ended() {
    let interrupted = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    #[cfg(unix)]
    {
        let Ok(mut terminated) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) else {
            return interrupted.await;
        };
        tokio::select! {
            () = interrupted => {}
            _ = terminated.recv() => {}
        }
    }
    #[cfg(not(unix))]
    interrupted.await;
}

/// Reports a failure of the background worker: on standard error for the operator, and in the log if there is one.
fn report(error: &EngineError) {
    tracing::error!(target: "saegim::worker", kind = error.kind(), "background work failed");
    crate::view::tell(format!("saegim: {}", error.phrase()));
}

/// Runs due jobs until the server stops. Also computes missing embeddings in the background, for example after the
/// embedder was changed.
async fn look_after(engine: Engine, mut stopping: watch::Receiver<bool>) {
    let (embedding, mut ending) = (engine.clone(), stopping.clone());
    tokio::spawn(async move {
        tokio::select! {
            made = embedding.embed_missing(|_| ()) => if let Err(error) = made {
                report(&error);
            },
            _ = ending.changed() => {}
        }
    });
    let mut rounds = 0;
    loop {
        match engine.sweep(10).await {
            Ok(swept) if swept.len() == 10 && !*stopping.borrow() => continue,
            Ok(_) => {}
            Err(error) => report(&error),
        }
        tokio::select! {
            () = tokio::time::sleep(CARE_EVERY) => {}
            _ = stopping.changed() => return,
        }
        rounds += 1;
        if rounds % REST_AFTER == 0 {
            engine.rest().await;
        }
        if rounds % GIVE_BACK_AFTER == 0 {
            allocator::give_back();
        }
    }
}
