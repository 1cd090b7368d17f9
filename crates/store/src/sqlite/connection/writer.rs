//! The single writer of a process. Writes queued commits in one transaction (group commit) and acknowledges them afterwards.

use std::path::Path;
use std::sync::{Arc, mpsc};

use rusqlite::{Connection, TransactionBehavior};
use saegim_core::{Commit, phrase};
use tokio::sync::oneshot;

use super::lock::WriteLock;
use super::presence::Presence;
use super::single_connection::SingleConnection;
use crate::{Receipt, StoreError};

/// Maximum number of commits per transaction. The next group accumulates during the current fsync, so no commit waits for a
/// group to fill.
const GROUP: usize = 64;

type Work = Box<dyn FnOnce(Result<&mut Connection, StoreError>) + Send>;

pub(crate) enum Order {
    Commit(Box<Commit>, oneshot::Sender<Result<Receipt, StoreError>>),
    Work(Work),
}

/// Handle to the writer.
#[derive(Clone)]
pub(crate) enum Writer {
    /// A writer thread. It drains its queue and exits when the last handle is dropped.
    Thread(mpsc::Sender<Order>, Arc<Presence>),
    /// The caller's thread, in single-connection mode.
    Caller(SingleConnection),
}

fn stopped() -> StoreError {
    StoreError::Broken(phrase!("store.writer.stopped"))
}

impl Writer {
    /// Starts the writer thread.
    pub(crate) fn start(connection: Connection, path: &Path) -> Result<Self, StoreError> {
        let lock = WriteLock::beside(path)?;
        let presence = Arc::new(Presence::of(path)?);
        let watched = Arc::clone(&presence);
        let (sender, orders) = mpsc::channel();
        let thread = std::thread::Builder::new().name("saegim-writer".into());
        thread
            .spawn(move || run(connection, Guards { lock: &lock, presence: &watched }, &orders))
            .map_err(|error| StoreError::Broken(phrase!("store.writer.not_started", error)))?;
        Ok(Self::Thread(sender, presence))
    }

    /// Fails if the file was deleted, replaced or cut off while it was open.
    pub(crate) fn check_file(&self) -> Result<(), StoreError> {
        match self {
            Self::Thread(_, presence) => presence.check(),
            Self::Caller(_) => Ok(()),
        }
    }

    /// Writes a commit; returns once it is durable.
    pub(crate) async fn commit(&self, commit: Commit) -> Result<Receipt, StoreError> {
        let sender = match self {
            Self::Thread(sender, _) => sender,
            Self::Caller(alone) => return alone.commit(&commit),
        };
        let (answer, waiting) = oneshot::channel();
        sender.send(Order::Commit(Box::new(commit), answer)).map_err(|_| stopped())?;
        waiting.await.map_err(|_| stopped())?
    }

    /// Runs a single atomic statement on the writer's connection, under the lock.
    pub(crate) async fn note<T, F>(&self, note: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    {
        match self {
            Self::Thread(..) => self.run(note).await,
            Self::Caller(alone) => alone.note(note),
        }
    }

    /// Runs `work` exclusively on the writer's connection, under the lock.
    pub(crate) async fn run<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (sender, presence) = match self {
            Self::Thread(sender, presence) => (sender, Arc::clone(presence)),
            Self::Caller(alone) => return alone.write(work),
        };
        let (answer, waiting) = oneshot::channel();
        let work = Box::new(move |connection: Result<&mut Connection, StoreError>| {
            let done = connection.and_then(|connection| {
                presence.check()?;
                let done = work(connection)?;
                presence.check()?;
                Ok(done)
            });
            let _ = answer.send(done);
        });
        sender.send(Order::Work(work)).map_err(|_| stopped())?;
        waiting.await.map_err(|_| stopped())?
    }
}

/// What every write needs: the lock against other processes, and a file that is still there.
#[derive(Clone, Copy)]
struct Guards<'a> {
    lock: &'a WriteLock,
    presence: &'a Presence,
}

fn run(mut connection: Connection, guards: Guards<'_>, orders: &mpsc::Receiver<Order>) {
    let mut next = orders.recv().ok();
    while let Some(order) = next.take() {
        match order {
            Order::Work(work) => match guards.lock.hold() {
                Ok(_held) => work(Ok(&mut connection)),
                Err(error) => work(Err(error)),
            },
            Order::Commit(commit, answer) => {
                let mut group = vec![(commit, answer)];
                while group.len() < GROUP {
                    match orders.try_recv() {
                        Ok(Order::Commit(commit, answer)) => group.push((commit, answer)),
                        Ok(work @ Order::Work(_)) => {
                            next = Some(work);
                            break;
                        }
                        Err(_) => break,
                    }
                }
                write(&mut connection, guards, group);
            }
        }
        if next.is_none() {
            next = orders.recv().ok();
        }
    }
}

type Waiting = (Box<Commit>, oneshot::Sender<Result<Receipt, StoreError>>);

/// Writes a group in one transaction and replies after the fsync.
fn write(connection: &mut Connection, guards: Guards<'_>, group: Vec<Waiting>) {
    let (commits, answers): (Vec<_>, Vec<_>) = group.into_iter().unzip();
    let written = guards.lock.hold().and_then(|_held| {
        guards.presence.check()?;
        let receipts = match together(connection, &commits)? {
            Some(receipts) => receipts,
            None => apart(connection, &commits)?,
        };
        // What went to a file that is not there any more must not be acknowledged.
        guards.presence.check_written()?;
        Ok(receipts)
    });
    match written {
        Ok(receipts) => {
            for (receipt, answer) in receipts.into_iter().zip(answers) {
                let _ = answer.send(receipt);
            }
        }
        Err(error) => {
            // It is unknown whether a commit that failed at the very end was written; a retry with the same idempotency key
            // finds out.
            let problem = error.phrase();
            let mut first = Some(error);
            for answer in answers {
                let error = first.take().unwrap_or_else(|| StoreError::Busy(problem.clone()));
                let _ = answer.send(Err(error));
            }
        }
    }
}

/// Writes one commit in its own transaction.
pub(crate) fn one(connection: &mut Connection, commit: &Commit) -> Result<Receipt, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let receipt = crate::sqlite::apply::apply(&transaction, commit)?;
    transaction.commit()?;
    Ok(receipt)
}

/// Writes several commits in one transaction.
pub(crate) fn all(connection: &mut Connection, commits: &[Commit]) -> Result<Vec<Receipt>, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let receipts = commits.iter().map(|commit| crate::sqlite::apply::apply(&transaction, commit)).collect::<Result<_, _>>()?;
    transaction.commit()?;
    Ok(receipts)
}

type Receipts = Vec<Result<Receipt, StoreError>>;

/// Writes all commits in one transaction. Rolls back and returns `None` if one of several fails.
fn together(connection: &mut Connection, commits: &[Box<Commit>]) -> Result<Option<Receipts>, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut receipts = Vec::with_capacity(commits.len());
    for commit in commits {
        let receipt = crate::sqlite::apply::apply(&transaction, commit);
        let failed = receipt.is_err();
        receipts.push(receipt);
        if failed {
            transaction.rollback()?;
            return Ok((commits.len() == 1).then_some(receipts));
        }
    }
    transaction.commit()?;
    Ok(Some(receipts))
}

/// Writes each commit in its own savepoint, so that one failure does not affect the others. A savepoint forces FTS5 to flush
/// its pending words for each memory, which costs more than everything else, so this is only used after a group failed.
fn apart(connection: &mut Connection, commits: &[Box<Commit>]) -> Result<Receipts, StoreError> {
    let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut receipts = Vec::with_capacity(commits.len());
    for commit in commits {
        let savepoint = transaction.savepoint()?;
        let receipt = crate::sqlite::apply::apply(&savepoint, commit);
        if receipt.is_ok() {
            savepoint.commit()?;
        } else {
            drop(savepoint);
        }
        receipts.push(receipt);
    }
    transaction.commit()?;
    Ok(receipts)
}
