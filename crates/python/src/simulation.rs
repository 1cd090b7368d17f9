//! Simulations on a temporary database.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use saegim_app::local::{self, LocalSimulation};

use crate::engine::{Reporter, bytes};
use crate::interpreter::wait;

/// A simulation, a dictionary in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Wanted {
    story: Option<String>,
    days: Option<i64>,
    turns_per_day: Option<usize>,
    seed: u64,
    language: Option<String>,
    keep: Option<String>,
}

/// Runs a simulation. Calls `progress(day, days)` at the start of each day.
#[pyfunction]
pub(crate) fn simulate(py: Python<'_>, wanted: Wanted, progress: Option<Py<PyAny>>) -> PyResult<Py<PyBytes>> {
    let Wanted { story, days, turns_per_day, seed, language, keep } = wanted;
    let (simulation, reporter) = (LocalSimulation { story, days, turns_per_day, seed, language, keep }, Reporter::new(progress));
    let done = wait(py, || async { reporter.or_failure(local::simulate(simulation, &|day, days| reporter.report(day, days))).await })?;
    bytes(py, done?)
}
