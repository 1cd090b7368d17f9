//! Tasks that run to completion after their client disconnected, such as an answer or a write.
//!
//! The count is global because a process runs only one server; callers need no reference to it.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio::task::JoinHandle;

static GOING_ON: AtomicUsize = AtomicUsize::new(0);
static ENDED: Notify = Notify::const_new();

/// Counts a task as running until it is dropped.
struct GoingOn;

impl Drop for GoingOn {
    fn drop(&mut self) {
        GOING_ON.fetch_sub(1, Ordering::SeqCst);
        ENDED.notify_waiters();
    }
}

/// Spawns a task that runs to completion even if the caller is cancelled.
pub(crate) fn finish<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    GOING_ON.fetch_add(1, Ordering::SeqCst);
    let going_on = GoingOn;
    tokio::spawn(async move {
        let _going_on = going_on;
        work.await
    })
}

/// Waits until no task is running.
pub(crate) async fn all() {
    loop {
        let ended = ENDED.notified();
        tokio::pin!(ended);
        // Register before reading the count, so that a task that ends in between is not missed.
        ended.as_mut().enable();
        if GOING_ON.load(Ordering::SeqCst) == 0 {
            return;
        }
        ended.await;
    }
}
