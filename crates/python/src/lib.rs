//! The native module `saegim._native`: opens a database in the Python process and answers the requests of the HTTP API without a
//! network. It converts, releases the interpreter lock and calls [`saegim_app::local`]; classes for people are in `python/saegim`.

#![allow(missing_docs, reason = "the classes and functions here are documented for Python, in _native.pyi")]
#![allow(clippy::too_many_arguments, reason = "the macros of pyo3 generate functions with five")]

/// An open database.
mod engine;
/// Calls into Python from threads that do not hold the interpreter lock, also while the interpreter exits.
mod interpreter;
/// The asynchronous runtime of this process.
mod runtime;
/// Simulations.
mod simulation;

use pyo3::create_exception;
use pyo3::exceptions::PyException;

create_exception!(saegim._native, Refused, PyException, "A failed operation: HTTP status and problem document.");

#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use super::Refused;
    #[pymodule_export]
    use super::engine::{Call, Engine};
    #[pymodule_export]
    use super::interpreter::shutdown;
    #[pymodule_export]
    use super::simulation::simulate;
}
