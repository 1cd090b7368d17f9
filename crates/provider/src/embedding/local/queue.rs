//! A queue of texts to embed. Requests that arrive while all cores are busy are embedded in one batch, which costs less per
//! text. No request waits for a batch to fill.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use saegim_core::Embedding;
use tokio::sync::oneshot;

use crate::ProviderError;

/// Maximum number of texts per batch. The first request of a batch waits for its last.
const GROUP: usize = 8;

/// Maximum number of embedding threads. More would only compete for the cores.
static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

type Answer = Result<Vec<Embedding>, ProviderError>;

/// Shared state: the pending jobs and the number of active threads.
#[derive(Clone, Default)]
pub(super) struct Queue(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    at_work: usize,
}

struct Job {
    texts: Vec<String>,
    answer: oneshot::Sender<Answer>,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends texts to the queue. If it returns a [`Shift`], another thread is needed and the caller must run the shift on
    /// one.
    pub(super) fn put(&self, texts: Vec<String>) -> (oneshot::Receiver<Answer>, Option<Shift>) {
        let (answer, answered) = oneshot::channel();
        let mut waiting = self.lock();
        waiting.jobs.push_back(Job { texts, answer });
        let wanted = waiting.at_work < *CORES;
        waiting.at_work += usize::from(wanted);
        (answered, wanted.then(|| Shift { queue: self.clone(), over: false }))
    }

    /// Returns the next batch of jobs whose receiver still exists. Returns `None` and deregisters the thread if there are none.
    fn next(&self) -> Option<Vec<Job>> {
        let mut waiting = self.lock();
        let (mut jobs, mut texts): (Vec<Job>, usize) = (Vec::new(), 0);
        while waiting.jobs.front().is_some_and(|job| jobs.is_empty() || texts + job.texts.len() <= GROUP) {
            // Skip jobs whose caller has stopped waiting.
            if let Some(job) = waiting.jobs.pop_front().filter(|job| !job.answer.is_closed()) {
                texts += job.texts.len();
                jobs.push(job);
            }
        }
        if jobs.is_empty() {
            waiting.at_work -= 1;
        }
        Some(jobs).filter(|jobs| !jobs.is_empty())
    }
}

/// The active time of one worker thread, counted from the request for it. If the thread panics, or never starts because the
/// program exits, dropping the shift cancels the pending jobs so that no caller waits forever.
pub(super) struct Shift {
    queue: Queue,
    /// Whether it ended because the queue was empty.
    over: bool,
}

impl Shift {
    /// Embeds jobs until the queue is empty.
    pub(super) fn work(mut self, embed: impl Fn(&[&str]) -> Answer) {
        while let Some(jobs) = self.queue.next() {
            let texts: Vec<&str> = jobs.iter().flat_map(|job| &job.texts).map(String::as_str).collect();
            match embed(&texts) {
                Ok(vectors) => {
                    let mut vectors = vectors.into_iter();
                    for job in jobs {
                        let own = vectors.by_ref().take(job.texts.len()).collect();
                        // Ignore a closed receiver: the caller has stopped waiting.
                        let _ = job.answer.send(Ok(own));
                    }
                }
                // One job has failed: embed each on its own, so that the error reaches only its own caller.
                Err(_) => {
                    for job in jobs {
                        let _ = job.answer.send(embed(&job.texts.iter().map(String::as_str).collect::<Vec<_>>()));
                    }
                }
            }
        }
        self.over = true;
    }
}

impl Drop for Shift {
    fn drop(&mut self) {
        if !self.over {
            let mut waiting = self.queue.lock();
            waiting.at_work -= 1;
            waiting.jobs.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a vector that identifies its text.
    fn made(texts: &[&str]) -> Answer {
        let one = |text: &&str| match *text {
            "" => Err(ProviderError::Invalid("blank".into())),
            text => Ok(Embedding::new(vec![text.len() as f32, 1.0]).expect("it is finite")),
        };
        texts.iter().map(one).collect()
    }

    fn texts(count: usize, from: usize) -> Vec<String> {
        (from..from + count).map(|length| "x".repeat(length)).collect()
    }

    #[test]
    fn everyone_gets_their_own_and_nobody_anothers_failure() {
        let queue = Queue::default();
        let asked = [texts(1, 1), texts(3, 4), vec![String::new()], texts(20, 1), texts(2, 30), vec!["x".into(), String::new()]];
        let (answers, shifts): (Vec<_>, Vec<_>) = asked.iter().map(|texts| queue.put(texts.clone())).unzip();
        let shifts: Vec<Shift> = shifts.into_iter().flatten().collect();
        assert_eq!(shifts.len(), asked.len().min(*CORES));
        shifts.into_iter().for_each(|shift| shift.work(made));
        for (mut answer, texts) in answers.into_iter().zip(&asked) {
            let (answer, alone) = (answer.try_recv().unwrap(), made(&texts.iter().map(String::as_str).collect::<Vec<_>>()));
            assert_eq!(answer.map_err(|error| error.to_string()), alone.map_err(|error| error.to_string()), "{texts:?}");
        }
        assert_eq!(queue.lock().at_work, 0);
    }

    #[test]
    fn a_group_is_embedded_in_one_go_and_who_left_is_left_out() {
        let queue = Queue::default();
        let (answers, shifts): (Vec<_>, Vec<_>) = (0..12).map(|place| queue.put(texts(1, place + 1))).unzip();
        drop(queue.put(texts(1, 40)).0);
        let groups = Mutex::new(Vec::new());
        let embed = |texts: &[&str]| {
            groups.lock().unwrap().push(texts.len());
            made(texts)
        };
        let mut shifts = shifts.into_iter().flatten();
        shifts.next().unwrap().work(embed);
        drop(shifts);
        assert_eq!(groups.into_inner().unwrap(), [8, 4]);
        assert!(answers.into_iter().all(|mut answer| answer.try_recv().is_ok()));
    }

    #[test]
    fn a_failed_or_missing_worker_leaves_no_caller_waiting() {
        let queue = Queue::default();
        let put = || -> (Vec<_>, Vec<_>) { (0..10).map(|place| queue.put(texts(1, place + 1))).unzip() };
        let (mut answers, shifts) = put();
        let mut shifts = shifts.into_iter().flatten();
        let first = shifts.next().unwrap();
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| first.work(|_| panic!("a fault"))));
        assert!(broken.is_err() && answers.iter_mut().all(|answer| answer.try_recv().is_err()));
        shifts.for_each(drop);
        // The program exits before any of the requested threads has started.
        let (mut answers, shifts) = put();
        drop(shifts);
        assert!(answers.iter_mut().all(|answer| matches!(answer.try_recv(), Err(oneshot::error::TryRecvError::Closed))));
        let (mut answer, shift) = queue.put(texts(1, 3));
        shift.unwrap().work(made);
        assert!(answer.try_recv().unwrap().is_ok());
    }
}
