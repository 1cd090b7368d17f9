//! What is finished although nobody waits for it any more: a turn whose client left, a write whose answer nobody hears.
//!
//! A process serves once, so there is one count of them: whoever begins something needs to know no server for it.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio::task::JoinHandle;

static GOING_ON: AtomicUsize = AtomicUsize::new(0);
static ENDED: Notify = Notify::const_new();

/// Counts as going on for as long as it lives.
struct GoingOn;

impl Drop for GoingOn {
    fn drop(&mut self) {
        GOING_ON.fetch_sub(1, Ordering::SeqCst);
        ENDED.notify_waiters();
    }
}

/// Lets something go on to its end, whoever leaves meanwhile.
pub(super) fn finish<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    GOING_ON.fetch_add(1, Ordering::SeqCst);
    let going_on = GoingOn;
    tokio::spawn(async move {
        let _going_on = going_on;
        work.await
    })
}

/// Waits until nothing goes on any more.
pub(super) async fn all() {
    loop {
        let ended = ENDED.notified();
        tokio::pin!(ended);
        // Listening before looking: whatever ends in between is heard.
        ended.as_mut().enable();
        if GOING_ON.load(Ordering::SeqCst) == 0 {
            return;
        }
        ended.await;
    }
}
