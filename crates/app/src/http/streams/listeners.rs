//! Limits open event streams. A stream occupies its connection until the client closes it, so there is a limit per key
//! and a total limit that leaves connections for other requests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use saegim_core::phrase;

use crate::http::connection::serving::LISTENERS;
use crate::http::problem::Problem;

/// Maximum number of open streams per key.
const EACH: usize = 64;

/// Number of open streams by key name.
#[derive(Clone, Default)]
pub(crate) struct Listeners(Arc<Mutex<BTreeMap<String, usize>>>);

/// An open stream. Frees its slot on drop.
pub(crate) struct Listening {
    all: Listeners,
    name: String,
}

impl Listeners {
    /// Reserves a slot for one more stream, or returns a 429 problem if a limit is reached.
    pub(crate) fn one_more(&self, name: &str) -> Result<Listening, Problem> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let open: usize = all.values().sum();
        let own = all.get(name).copied().unwrap_or(0);
        if own >= EACH || open >= LISTENERS {
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too many streams", phrase!("http.listeners.too_many", each = EACH))
                .with_hint(phrase!("http.listeners.close_one")));
        }
        all.insert(name.to_owned(), own + 1);
        Ok(Listening { all: self.clone(), name: name.to_owned() })
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut all = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = all.get_mut(&self.name) {
            *own -= 1;
            if *own == 0 {
                all.remove(&self.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_so_many_streams_and_all_together_leave_room() {
        let listeners = Listeners::default();
        let mut open: Vec<Listening> = (0..EACH).map(|_| listeners.one_more("a").unwrap()).collect();
        assert!(listeners.one_more("a").is_err());
        open.pop();
        open.push(listeners.one_more("a").unwrap());
        for key in 0..100 {
            open.extend((0..EACH).filter_map(|_| listeners.one_more(&format!("b{key}")).ok()));
        }
        assert_eq!(open.len(), LISTENERS);
        drop(open);
        assert!(listeners.0.lock().unwrap().is_empty(), "nothing is kept of those who left");
    }
}
