//! Calls into Python from threads that do not hold the interpreter lock.
//!
//! A thread that asks for the lock while the interpreter is being finalized is killed, which Rust code cannot survive. So
//! [`shutdown`], which runs before that, ends all such calls: it waits for those in progress, and later ones do not reach Python.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tokio::runtime::Runtime;

use crate::runtime::runtime;

/// Interval at which a blocking call looks for signals, such as Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Maximum time [`shutdown`] waits for calls that are about to enter Python.
const FAREWELL: Duration = Duration::from_secs(5);

/// Whether the interpreter is about to be finalized.
static EXITING: AtomicBool = AtomicBool::new(false);

/// Number of threads that are entering Python or are in it.
static ENTERING: AtomicUsize = AtomicUsize::new(0);

/// A thread that is entering Python.
struct Entering;

impl Entering {
    /// Announces the thread. Returns `None` if the interpreter exits.
    fn new() -> Option<Self> {
        ENTERING.fetch_add(1, Ordering::SeqCst);
        let entering = Self;
        (!EXITING.load(Ordering::SeqCst)).then_some(entering)
    }
}

impl Drop for Entering {
    fn drop(&mut self) {
        ENTERING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs `call` in Python. Returns `None` if the interpreter exits.
pub(crate) fn in_python<T>(call: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    let _entering = Entering::new()?;
    Python::try_attach(call)
}

/// Runs `work` to its end without the interpreter lock. A signal handler that raises (Ctrl-C) stops it.
pub(crate) fn wait<F: Future>(py: Python<'_>, work: impl FnOnce() -> F + Send) -> PyResult<F::Output>
where
    F::Output: Send,
{
    check_alive()?;
    let runtime = runtime(py)?;
    let (done, entering) = py.detach(|| {
        let done = runtime.block_on(interruptible(work()));
        // A background thread that returned now would be killed in the middle of this function.
        let entering = Entering::new().unwrap_or_else(|| {
            loop {
                std::thread::park();
            }
        });
        (done, entering)
    });
    drop(entering);
    done
}

/// Refuses new work while the interpreter exits.
pub(crate) fn check_alive() -> PyResult<()> {
    if EXITING.load(Ordering::SeqCst) {
        return Err(PyRuntimeError::new_err("the interpreter is exiting; call close() on the memory earlier"));
    }
    Ok(())
}

async fn interruptible<F: Future>(work: F) -> PyResult<F::Output> {
    let mut work = std::pin::pin!(work);
    loop {
        match tokio::time::timeout(LOOK_EVERY, &mut work).await {
            Ok(done) => return Ok(done),
            Err(_) => in_python(|py| py.check_signals()).unwrap_or(Ok(()))?,
        }
    }
}

/// Runs a closure that may wait, without the interpreter lock and inside the runtime.
pub(crate) fn outside<T: Send>(py: Python<'_>, runtime: &Runtime, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| {
        let _inside = runtime.enter();
        work()
    })
}

/// Ends all calls into Python. Registered with `atexit`.
#[pyfunction]
pub(crate) fn shutdown(py: Python<'_>) {
    EXITING.store(true, Ordering::SeqCst);
    py.detach(|| {
        let (step, mut left) = (Duration::from_millis(1), FAREWELL);
        while ENTERING.load(Ordering::SeqCst) > 0 && !left.is_zero() {
            std::thread::sleep(step);
            left = left.saturating_sub(step);
        }
    });
}
