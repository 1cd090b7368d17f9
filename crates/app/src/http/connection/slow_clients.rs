//! Slow-read protection: closes connections whose client stopped reading. Also limits the connections per address.

use std::collections::HashMap;
use std::io::{IoSlice, Result};
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{Notify, Semaphore, watch};

use crate::http::{Moment, now};

/// Maximum time without progress while data is waiting to be sent.
const READ_WITHIN: Duration = Duration::from_secs(20);

/// The same limit while all connection slots are in use or the server is stopping.
const READ_AT_ONCE: Duration = Duration::from_secs(1);

/// Interval between checks.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Write progress of one connection.
#[derive(Default)]
pub(crate) struct Pulse {
    /// Time since which a write has been blocked.
    stuck: Mutex<Option<Moment>>,
    go: Notify,
}

impl Pulse {
    fn note(&self, waits: bool) {
        let mut stuck = self.stuck.lock().unwrap_or_else(PoisonError::into_inner);
        *stuck = if waits { Some(stuck.unwrap_or_else(now)) } else { None };
    }

    fn stuck_for(&self, now: Moment) -> Option<Duration> {
        self.stuck.lock().unwrap_or_else(PoisonError::into_inner).map(|since| now.duration_since(since))
    }

    /// Completes when the connection is to be closed.
    pub(crate) async fn lost(&self) {
        self.go.notified().await;
    }
}

/// A stream that records whether its writes are blocked.
pub(crate) struct Watched<S> {
    inner: S,
    pulse: Arc<Pulse>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.pulse.note(written.is_pending());
        written
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[IoSlice<'_>]) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, bytes);
        self.pulse.note(written.is_pending());
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

/// All open connections.
#[derive(Default)]
pub(crate) struct Pulses(Mutex<Vec<Weak<Pulse>>>);

impl Pulses {
    /// Starts watching a connection.
    pub(crate) fn watch<S>(&self, inner: S) -> (Watched<S>, Arc<Pulse>) {
        let pulse = Arc::<Pulse>::default();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&pulse));
        (Watched { inner, pulse: Arc::clone(&pulse) }, pulse)
    }

    /// Signals all connections that have been blocked for at least `patience`.
    fn close_stalled(&self, patience: Duration) {
        let mut pulses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now();
        pulses.retain(|pulse| {
            let Some(pulse) = pulse.upgrade() else { return false };
            if pulse.stuck_for(now).is_some_and(|stuck| stuck >= patience) {
                pulse.go.notify_one();
            }
            true
        });
    }

    /// Checks the connections periodically until the task is aborted.
    pub(crate) async fn look_after(self: Arc<Self>, room: Arc<Semaphore>, stopping: watch::Receiver<bool>) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let hurried = *stopping.borrow() || room.available_permits() == 0;
            self.close_stalled(if hurried { READ_AT_ONCE } else { READ_WITHIN });
        }
    }
}

/// Number of connections per address. Loopback is not counted, because a local proxy serves many clients.
#[derive(Default)]
pub(crate) struct Peers(Mutex<HashMap<IpAddr, usize>>);

/// A connection slot of an address. Frees itself on drop.
pub(crate) struct Place {
    peers: Arc<Peers>,
    peer: Option<IpAddr>,
}

impl Peers {
    /// Reserves a connection slot, or returns `None` if the address already has `most` connections.
    pub(crate) fn place(self: &Arc<Self>, address: IpAddr, most: usize) -> Option<Place> {
        let peer = Some(household(address)).filter(|peer| !peer.is_loopback());
        if let Some(peer) = peer {
            let mut peers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let count = peers.entry(peer).or_default();
            if *count >= most {
                return None;
            }
            *count += 1;
        }
        Some(Place { peers: Arc::clone(self), peer })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(peer) = self.peer else { return };
        let mut peers = self.peers.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = peers.get_mut(&peer) {
            *count -= 1;
            if *count == 0 {
                peers.remove(&peer);
            }
        }
    }
}

/// Returns the address that connections are counted under: the /64 prefix for IPv6, the address itself for IPv4.
fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [first, second, third, fourth, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(first, second, third, fourth, 0, 0, 0, 0))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_is_closed_and_one_that_reads_is_not() {
        let pulses = Pulses::default();
        let (mut client, stream) = tokio::io::duplex(8);
        let (mut watched, pulse) = pulses.watch(stream);
        let writing = tokio::spawn(async move { watched.write_all(&[7; 64]).await });
        tokio::time::sleep(READ_AT_ONCE / 2).await;
        pulses.close_stalled(READ_AT_ONCE);
        assert!(tokio::time::timeout(Duration::ZERO, pulse.lost()).await.is_err(), "it has not waited long");
        // Reading a few bytes counts as progress.
        client.read_exact(&mut [0; 8]).await.unwrap();
        tokio::time::sleep(READ_AT_ONCE / 2).await;
        pulses.close_stalled(READ_AT_ONCE);
        assert!(tokio::time::timeout(Duration::ZERO, pulse.lost()).await.is_err(), "something went out meanwhile");
        tokio::time::sleep(READ_AT_ONCE).await;
        pulses.close_stalled(READ_AT_ONCE);
        tokio::time::timeout(Duration::ZERO, pulse.lost()).await.expect("nothing went out for too long");
        client.read_exact(&mut [0; 56]).await.unwrap();
        writing.await.unwrap().unwrap();
        tokio::time::sleep(READ_WITHIN * 2).await;
        pulses.close_stalled(READ_WITHIN);
        assert!(tokio::time::timeout(Duration::ZERO, pulse.lost()).await.is_err(), "nothing is left to read");
    }

    #[test]
    fn a_peer_has_so_many_connections_and_others_get_through() {
        let peers = Arc::<Peers>::default();
        let at = |address: &str| address.parse::<IpAddr>().unwrap();
        let mut held: Vec<_> = (0..3).map(|_| peers.place(at("192.0.2.1"), 3).unwrap()).collect();
        assert!(peers.place(at("192.0.2.1"), 3).is_none() && peers.place(at("::ffff:192.0.2.1"), 3).is_none());
        assert!(peers.place(at("192.0.2.2"), 3).is_some(), "another peer");
        held.pop();
        assert!(peers.place(at("192.0.2.1"), 3).is_some());
        let alike: Vec<_> = (1..=3).map(|last| peers.place(at(&format!("2001:db8::{last}")), 3).unwrap()).collect();
        assert!(peers.place(at("2001:db8::9"), 3).is_none() && peers.place(at("2001:db8:0:1::9"), 3).is_some());
        drop((held, alike));
        assert!((0..9).map(|_| peers.place(at("127.0.0.1"), 3)).all(|place| place.is_some()), "this machine is everyone's");
        assert!(peers.0.lock().unwrap().is_empty(), "who left is forgotten");
    }
}
