//! The asynchronous runtime of this process. A forked child has none of its parent's threads, so it gets its own.

use std::sync::OnceLock;

use pyo3::PyResult;
use pyo3::Python;
use pyo3::exceptions::PyOSError;
use tokio::runtime::{Builder, Runtime};

/// The runtime of one process. A child keeps its parent's entry, which it must neither use nor drop, and adds its own.
struct Generation {
    process: u32,
    runtime: Runtime,
    next: OnceLock<Box<Generation>>,
}

static FIRST: OnceLock<Box<Generation>> = OnceLock::new();

/// Returns the runtime of this process. The caller holds the interpreter lock, and so does a thread that forks: no fork can happen
/// while a cell is being filled.
pub(crate) fn runtime(_py: Python<'_>) -> PyResult<&'static Runtime> {
    let process = std::process::id();
    let mut cell = &FIRST;
    loop {
        match cell.get() {
            Some(generation) if generation.process == process => return Ok(&generation.runtime),
            Some(generation) => cell = &generation.next,
            None => {
                let generation = Box::new(Generation { process, runtime: built()?, next: OnceLock::new() });
                cell.get_or_init(|| generation);
            }
        }
    }
}

fn built() -> PyResult<Runtime> {
    // Blocking tasks compete for the processors anyway; more threads than this only use more memory.
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let runtime = Builder::new_multi_thread()
        .worker_threads(processors.min(4))
        .max_blocking_threads(8 + 4 * processors)
        .thread_name("saegim")
        .enable_all()
        .build();
    runtime.map_err(PyOSError::new_err)
}
