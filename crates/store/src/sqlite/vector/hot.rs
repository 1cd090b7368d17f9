//! Vectors of busy minds, kept in memory. They follow the file by its stamps and can be thrown away at any time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rusqlite::Connection;
use saegim_core::MemoryId;

use super::passing;
use crate::{Filter, StoreError, VectorHit};

/// A mind and an embedder, by their numbers in the file.
type Space = (i64, i64);

/// Copies of vectors in memory, up to a number of bytes; the space unused longest goes first.
pub(in super::super) struct Hot {
    most_bytes: usize,
    spaces: Mutex<Spaces>,
}

#[derive(Default)]
struct Spaces {
    by_space: HashMap<Space, Entry>,
    asked: u64,
}

struct Entry {
    copy: Arc<RwLock<Copy>>,
    last_asked: u64,
}

/// One space: rows side by side, each a memory's number, id and components.
#[derive(Default)]
struct Copy {
    stamp: u64,
    purges: u64,
    dims: usize,
    keys: Vec<i64>,
    ids: Vec<MemoryId>,
    lengths: Vec<f32>,
    components: Vec<i8>,
    row_of: HashMap<i64, usize>,
}

impl Hot {
    pub(in super::super) fn new(most_bytes: usize) -> Self {
        Self { most_bytes, spaces: Mutex::default() }
    }

    /// The nearest of a space, from memory. The first question of a space is left to the file, so that a mind asked
    /// once costs nothing; `None` says so.
    pub(in super::super) fn search(
        &self,
        connection: &Connection,
        space: Space,
        question: Question<'_>,
    ) -> Result<Option<Vec<VectorHit>>, StoreError> {
        let Some(copy) = self.copy(space) else { return Ok(None) };
        let allowed = if question.filter.is_open() { None } else { Some(passing(connection, space.0, question.filter)?) };
        let (head, purges) = freshness(connection, space.0)?;
        let current = {
            let copy = copy.read().unwrap_or_else(PoisonError::into_inner);
            (copy.stamp >= head && copy.purges == purges).then(|| copy.nearest(&question, allowed.as_deref()))
        };
        if let Some(hits) = current {
            return Ok(Some(hits));
        }
        let mut copy = copy.write().unwrap_or_else(PoisonError::into_inner);
        copy.catch_up(connection, space, (head, purges))?;
        let bytes = copy.components.len();
        let hits = copy.nearest(&question, allowed.as_deref());
        drop(copy);
        self.make_room(space, bytes);
        Ok(Some(hits))
    }

    /// The copy of a space asked before; an empty one is made on the second question.
    fn copy(&self, space: Space) -> Option<Arc<RwLock<Copy>>> {
        let mut spaces = self.spaces.lock().unwrap_or_else(PoisonError::into_inner);
        spaces.asked += 1;
        let asked = spaces.asked;
        if let Some(entry) = spaces.by_space.get_mut(&space) {
            entry.last_asked = asked;
            return Some(Arc::clone(&entry.copy));
        }
        spaces.by_space.insert(space, Entry { copy: Arc::default(), last_asked: asked });
        None
    }

    /// Lets go of the spaces unused longest until what is left fits. A space too large by itself goes too.
    fn make_room(&self, newest: Space, bytes: usize) {
        let mut spaces = self.spaces.lock().unwrap_or_else(PoisonError::into_inner);
        let size = |space: &Space, entry: &Entry| {
            if *space == newest { bytes } else { entry.copy.try_read().map_or(0, |copy| copy.components.len()) }
        };
        let mut total: usize = spaces.by_space.iter().map(|(space, entry)| size(space, entry)).sum();
        while total > self.most_bytes {
            let Some((&oldest, entry)) =
                spaces.by_space.iter().filter(|(space, entry)| size(space, entry) > 0).min_by_key(|(_, entry)| entry.last_asked)
            else {
                return;
            };
            total -= size(&oldest, entry);
            spaces.by_space.remove(&oldest);
        }
    }
}

/// What is looked for in a space.
#[derive(Clone, Copy)]
pub(in super::super) struct Question<'a> {
    pub(in super::super) vector: &'a [i8],
    pub(in super::super) filter: &'a Filter,
    pub(in super::super) limit: usize,
}

/// The newest ledger sequence of a mind, and how many of its memories were ever purged.
fn freshness(connection: &Connection, mind: i64) -> Result<(u64, u64), StoreError> {
    let mut select = connection.prepare_cached(include_str!("freshness.sql"))?;
    Ok(select.query_row([mind], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

impl Copy {
    /// Reads what was written since; after a purge everything is read again, as purged rows leave no stamp.
    fn catch_up(&mut self, connection: &Connection, (mind, embedder): Space, (head, purges): (u64, u64)) -> Result<(), StoreError> {
        if self.purges != purges {
            *self = Self { purges, ..Self::default() };
        }
        let mut select = connection.prepare_cached(include_str!("since.sql"))?;
        let mut rows = select.query((mind, embedder, self.stamp))?;
        while let Some(row) = rows.next()? {
            let (key, alive): (i64, bool) = (row.get(0)?, row.get(2)?);
            if alive {
                let vector = row.get_ref(3)?.as_blob().map_err(|_| super::broken("a vector is not a blob"))?;
                self.put(key, MemoryId::from_bytes(row.get(1)?), vector);
            } else {
                self.remove(key);
            }
        }
        self.stamp = head;
        Ok(())
    }

    fn put(&mut self, key: i64, id: MemoryId, vector: &[u8]) {
        if self.dims == 0 {
            self.dims = vector.len();
        }
        if vector.len() != self.dims {
            return;
        }
        let components = vector.iter().map(|&byte| byte as i8);
        let length = components.clone().map(|component| f32::from(component).powi(2)).sum::<f32>().sqrt().max(1.0);
        if let Some(&row) = self.row_of.get(&key) {
            self.lengths[row] = length;
            for (kept, component) in self.components[row * self.dims..].iter_mut().zip(components) {
                *kept = component;
            }
            return;
        }
        self.row_of.insert(key, self.keys.len());
        self.keys.push(key);
        self.ids.push(id);
        self.lengths.push(length);
        self.components.extend(components);
    }

    /// Takes a row out by moving the last one into its place.
    fn remove(&mut self, key: i64) {
        let Some(row) = self.row_of.remove(&key) else { return };
        let last = self.keys.len() - 1;
        if row != last {
            self.components.copy_within(last * self.dims.., row * self.dims);
            self.row_of.insert(self.keys[last], row);
        }
        self.components.truncate(last * self.dims);
        self.keys.swap_remove(row);
        self.ids.swap_remove(row);
        self.lengths.swap_remove(row);
    }

    /// The nearest rows, nearest first; only `allowed` ones (sorted) where given.
    fn nearest(&self, question: &Question<'_>, allowed: Option<&[i64]>) -> Vec<VectorHit> {
        if question.vector.len() != self.dims || question.limit == 0 {
            return Vec::new();
        }
        let length = question.vector.iter().map(|&component| f32::from(component).powi(2)).sum::<f32>().sqrt().max(1.0);
        let cosine = |row: usize| {
            let components = &self.components[row * self.dims..(row + 1) * self.dims];
            dot(question.vector, components) as f32 / (length * self.lengths[row])
        };
        let mut scored: Vec<(f32, usize)> = match allowed {
            None => self.components.chunks_exact(self.dims).enumerate().map(|(row, _)| (cosine(row), row)).collect(),
            Some(keys) => keys.iter().filter_map(|key| self.row_of.get(key)).map(|&row| (cosine(row), row)).collect(),
        };
        let nearer = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then_with(|| self.ids[a.1].cmp(&self.ids[b.1]));
        if scored.len() > question.limit {
            scored.select_nth_unstable_by(question.limit - 1, nearer);
            scored.truncate(question.limit);
        }
        scored.sort_unstable_by(nearer);
        scored.into_iter().map(|(cosine, row)| VectorHit { memory: self.ids[row], cosine: cosine.clamp(-1.0, 1.0) }).collect()
    }
}

/// The dot product, in pieces a processor can do many of at once.
fn dot(a: &[i8], b: &[i8]) -> i32 {
    let (mut a, mut b) = (a.chunks_exact(32), b.chunks_exact(32));
    let mut sum = 0i32;
    for (left, right) in a.by_ref().zip(b.by_ref()) {
        sum += left.iter().zip(right).map(|(&x, &y)| i32::from(i16::from(x) * i16::from(y))).sum::<i32>();
    }
    sum + a.remainder().iter().zip(b.remainder()).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum::<i32>()
}
