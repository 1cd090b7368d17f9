//! An open database.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use saegim_app::local::{Local, LocalAnswer, LocalImport, LocalRequest, LocalSettings};
use tokio::task::AbortHandle;

use crate::Refused;
use crate::interpreter::{check_alive, in_python, outside, wait};
use crate::runtime::runtime;

/// Settings of [`Engine::open`], a dictionary in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct OpenSettings {
    database: PathBuf,
    config: Option<PathBuf>,
    embedder: Option<String>,
    model: Option<String>,
    principal: Option<String>,
}

/// A file to import, a dictionary in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ImportFile {
    mind: String,
    format: String,
    path: String,
    tier: Option<String>,
}

/// Method, path, body and idempotency key.
type Asked<'py> = (String, String, Option<Bound<'py, PyBytes>>, Option<String>);

/// Status and body.
type Answered = (u16, Py<PyBytes>);

/// An open database.
#[pyclass(frozen)]
pub(crate) struct Engine {
    /// Process that opened it. A forked child must not touch it.
    process: u32,
    local: RwLock<Option<Arc<Local>>>,
}

#[pymethods]
impl Engine {
    /// Opens a database and creates the file if it does not exist.
    #[staticmethod]
    fn open(py: Python<'_>, settings: OpenSettings) -> PyResult<Self> {
        let OpenSettings { database, config, embedder, model, principal } = settings;
        let opened = wait(py, || Local::open(LocalSettings { database, config, embedder, model, principal }))?;
        let local = opened.map_err(|answer| refused(py, answer))?;
        Ok(Self { process: std::process::id(), local: RwLock::new(Some(Arc::new(local))) })
    }

    /// Whether this process opened the database.
    fn is_own(&self) -> bool {
        self.process == std::process::id()
    }

    /// Answers a request and blocks until it is done.
    fn request(&self, py: Python<'_>, asked: Asked<'_>) -> PyResult<Answered> {
        let (local, request) = (self.local()?, request(asked));
        Ok(answered(py, wait(py, || async move { local.answer(request).await })?))
    }

    /// Starts a request. Calls `done(status, body)` from another thread when it is finished.
    fn start(&self, py: Python<'_>, asked: Asked<'_>, done: Py<PyAny>) -> PyResult<Call> {
        check_alive()?;
        let (local, request) = (self.local()?, request(asked));
        let task = runtime(py)?.spawn(async move {
            let answer = local.answer(request).await;
            in_python(|py| {
                if let Err(error) = done.call1(py, answered(py, answer)) {
                    error.write_unraisable(py, None);
                }
            });
        });
        Ok(Call(task.abort_handle()))
    }

    /// Sets the time of all following requests in milliseconds since 1970; `None` is the system clock.
    fn set_time(&self, milliseconds: Option<i64>) -> PyResult<()> {
        self.local()?.set_time(milliseconds);
        Ok(())
    }

    /// Imports a file. Calls `progress(done, total)` after each batch.
    fn import_file(&self, py: Python<'_>, file: ImportFile, progress: Option<Py<PyAny>>) -> PyResult<Py<PyBytes>> {
        let (local, reporter) = (self.local()?, Reporter::new(progress));
        let ImportFile { mind, format, path, tier } = file;
        let import = LocalImport { mind, format, path, tier };
        let done = wait(py, || async { reporter.or_failure(local.import(import, &|done, total| reporter.report(done, total))).await })?;
        bytes(py, done?)
    }

    /// Writes a copy of the database to a new file.
    fn backup(&self, py: Python<'_>, path: PathBuf) -> PyResult<Py<PyBytes>> {
        let local = self.local()?;
        bytes(py, wait(py, || async move { local.backup(&path).await })?)
    }

    /// Closes the database. Requests that are running finish first.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let local = self.local.write().unwrap_or_else(PoisonError::into_inner).take();
        let Some(local) = local else { return Ok(()) };
        if !self.is_own() {
            std::mem::forget(local);
            return Ok(());
        }
        let settled = wait(py, || async { local.settle().await })?;
        outside(py, runtime(py)?, move || drop(local));
        settled.map_err(|answer| refused(py, answer))
    }
}

impl Engine {
    fn local(&self) -> PyResult<Arc<Local>> {
        let local = self.local.read().unwrap_or_else(PoisonError::into_inner).clone();
        match local {
            Some(local) if self.is_own() => Ok(local),
            other => {
                std::mem::forget(other);
                Err(PyRuntimeError::new_err("this database is closed"))
            }
        }
    }
}

impl Drop for Engine {
    /// A forked child forgets its parent's database: closing it would write to a file the parent still uses.
    fn drop(&mut self) {
        if !self.is_own() {
            std::mem::forget(self.local.write().unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}

/// A started request.
#[pyclass(frozen)]
pub(crate) struct Call(AbortHandle);

#[pymethods]
impl Call {
    /// Stops the request. A change that is already committed stays.
    fn cancel(&self) {
        self.0.abort();
    }
}

/// Passes the progress of a long operation to Python. The first exception of the callback stops the operation.
pub(crate) struct Reporter {
    progress: Option<Py<PyAny>>,
    failure: Mutex<Option<PyErr>>,
    failed: tokio::sync::Notify,
}

impl Reporter {
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Self {
        Self { progress, failure: Mutex::default(), failed: tokio::sync::Notify::new() }
    }

    /// Calls the callback.
    pub(crate) fn report(&self, done: u64, total: Option<u64>) {
        let Some(progress) = &self.progress else { return };
        if let Some(Err(error)) = in_python(|py| progress.call1(py, (done, total)).map(drop)) {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.failed.notify_one();
        }
    }

    /// Runs `work` until it ends or the callback raises.
    pub(crate) async fn or_failure<T>(&self, work: impl Future<Output = T>) -> PyResult<T> {
        let done = tokio::select! {
            biased;
            () = self.failed.notified() => None,
            done = work => Some(done),
        };
        match (self.failure.lock().unwrap_or_else(PoisonError::into_inner).take(), done) {
            (Some(error), _) => Err(error),
            (None, Some(done)) => Ok(done),
            (None, None) => Err(PyRuntimeError::new_err("the progress callback failed")),
        }
    }
}

fn request((method, path, body, idempotency_key): Asked<'_>) -> LocalRequest {
    LocalRequest { method, path, body: body.map(|body| body.as_bytes().to_vec()).unwrap_or_default(), idempotency_key }
}

fn answered(py: Python<'_>, answer: LocalAnswer) -> Answered {
    (answer.status, PyBytes::new(py, &answer.body).unbind())
}

/// Converts a failure to the exception that carries it.
pub(crate) fn refused(py: Python<'_>, answer: LocalAnswer) -> PyErr {
    Refused::new_err(answered(py, answer))
}

/// Converts the JSON of a finished operation.
pub(crate) fn bytes(py: Python<'_>, done: Result<Vec<u8>, LocalAnswer>) -> PyResult<Py<PyBytes>> {
    done.map(|body| PyBytes::new(py, &body).unbind()).map_err(|answer| refused(py, answer))
}
