//! Listening, looking after minds, and stopping without losing anything.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use saegim_core::{MindKey, Principal};
use saegim_engine::{Engine, EngineError};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use super::guard::{Buckets, Tally};
use super::listeners::Listeners;
use super::patience::{Peers, Pulses};
use super::{Server, resident, routes, unfinished};
use crate::settings::Thinking;

/// How many connections are held at once; more wait to be accepted.
const CONNECTIONS: usize = 1024;

/// How many of them one peer may have: the others are for everyone else.
const OF_ONE_PEER: usize = CONNECTIONS / 2;

/// How long a client may take to say what it wants: whoever drips headers holds nothing for long.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);

/// How long requests that have begun may take to end once the server stops.
const FAREWELL: Duration = Duration::from_secs(20);

/// How often minds are looked for that have to be looked after.
const CARE_EVERY: Duration = Duration::from_secs(15);

/// After how many looks minds nobody asks for leave memory: a mind stays for ten to twenty minutes.
const REST_AFTER: u32 = 40;

/// After how many looks what is free goes back to the system: every half minute, some milliseconds of work.
const GIVE_BACK_AFTER: u32 = 2;

/// How a server listens.
pub(crate) struct Serving {
    /// Where.
    pub(crate) address: SocketAddr,
    /// Names it goes by beside the machine's own.
    pub(crate) hosts: Vec<String>,
    /// Other pages that may ask here.
    pub(crate) origins: Vec<String>,
    /// Requests a second each key may make.
    pub(crate) rate: f64,
    /// The SOUL.md that is kept in step, and the mind it tells of.
    pub(crate) soul: Option<(MindKey, PathBuf)>,
    /// Who thinks, and where that is written down.
    pub(crate) thinking: Thinking,
    /// Whether each request is told on standard error.
    pub(crate) logs: bool,
}

/// What a server tells once it listens.
pub(crate) struct Listening {
    /// Where it really listens.
    pub(crate) address: SocketAddr,
    /// A key that was made because others can reach it and there was none.
    pub(crate) key: Option<String>,
}

/// Serves until the process is asked to end; `told` hears where.
pub(crate) async fn serve(engine: Engine, serving: Serving, told: impl FnOnce(&Listening)) -> Result<(), Failure> {
    let listener = TcpListener::bind(serving.address).await.map_err(Failure::Address)?;
    let address = listener.local_addr().map_err(Failure::Address)?;
    let loopback = is_loopback(address.ip());
    let key = match (loopback, engine.keys().await?.is_empty()) {
        (false, true) => Some(engine.make_key(Principal::Owner, Vec::new()).await?.1),
        _ => None,
    };
    let server = Arc::new(Server {
        engine: engine.clone(),
        loopback,
        hosts: serving.hosts,
        origins: serving.origins.iter().map(|origin| origin.trim_end_matches('/').to_ascii_lowercase()).collect(),
        keyed: AtomicBool::new(false),
        tally: Tally::default(),
        buckets: Buckets::new(serving.rate),
        listeners: Listeners::default(),
        writers: super::doors::Writers::default(),
        at_work: super::once::AtWork::default(),
        doors: super::mcp::Doors::default(),
        soul: serving.soul,
        thinking: serving.thinking,
        logs: serving.logs,
    });
    told(&Listening { address, key });
    let (stop, stopping) = watch::channel(false);
    let teller = tokio::spawn(super::webhooks::tell(engine.clone(), stopping.clone()));
    let caretaker = tokio::spawn(look_after(engine, stopping.clone()));
    accept((listener, CONNECTIONS), &server, (stop, stopping), ended()).await;
    // What was begun is finished, also what nobody hears any more, and the caretaker puts down what it holds.
    let _ = tokio::time::timeout(FAREWELL, async { tokio::join!(unfinished::all(), caretaker, teller) }).await;
    Ok(())
}

/// What keeps a server from starting.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The address cannot be listened at.
    Address(std::io::Error),
    /// The engine refused or failed.
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

/// How many streams of events are open at most: what is left of the connections is for those who ask something.
pub(super) const LISTENERS: usize = CONNECTIONS / 2;

/// Takes connections, so many at once, until the end; then those that have begun are waited for.
pub(super) async fn accept(
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
        // The end is heard while there is no room, too.
        let next = async {
            let permit = Arc::clone(&room).acquire_owned().await.expect("it is never closed");
            (permit, listener.accept().await)
        };
        let (permit, stream, address) = tokio::select! {
            (permit, accepted) = next => match accepted {
                Ok((stream, address)) => (permit, stream, address.ip()),
                // Too many open files, or a client that left at once: the next one may be luckier.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut ended => break,
        };
        // Whoever has enough is turned away, so that there is room for others.
        let Some(place) = peers.place(address, OF_ONE_PEER) else { continue };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(app.clone());
        let (stream, pulse) = pulses.watch(stream);
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that drops its connection is its own business, and so is one that never reads.
            tokio::select! {
                _ = watched => {}
                () = pulse.lost() => {}
            }
            drop((permit, place));
        });
    }
    drop(listener);
    // Streams end first: whoever listens would otherwise be waited for.
    let _ = stop.send(true);
    let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
    watching.abort();
}

/// When the process is asked to end.
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

/// Looks after whatever is due, until the server stops. What an embedder that was changed has not embedded yet it embeds
/// meanwhile.
async fn look_after(engine: Engine, mut stopping: watch::Receiver<bool>) {
    let (embedding, mut ending) = (engine.clone(), stopping.clone());
    tokio::spawn(async move {
        tokio::select! {
            made = embedding.embed_missing(|_| ()) => if let Err(error) = made {
                crate::view::tell(format!("saegim: {}", error.phrase()));
            },
            _ = ending.changed() => {}
        }
    });
    let mut rounds = 0;
    loop {
        match engine.sweep(10).await {
            Ok(swept) if swept.len() == 10 && !*stopping.borrow() => continue,
            Ok(_) => {}
            Err(error) => crate::view::tell(format!("saegim: {}", error.phrase())),
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
            resident::give_back();
        }
    }
}
