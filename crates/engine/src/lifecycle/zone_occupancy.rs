//! What a newborn memory needs to know of its mind, kept between births: how many turns have passed, and which zones
//! still have room. It may lag behind other processes by a few memories; the next rebalance puts that right.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use saegim_core::{MindId, Zone, ZonePolicy};

use crate::{EngineError, MindHandle};

/// A mind as its newborns see it.
#[derive(Clone, Copy)]
pub(crate) struct Nursery {
    pub(crate) turns: u64,
    /// How many memories each zone holds, counted no further than its room.
    held: [usize; 5],
}

impl Nursery {
    /// Takes down a birth.
    pub(crate) fn born(&mut self, zone: Zone) {
        self.held[zone as usize] += 1;
    }

    /// The zone a newcomer belongs to or, where that is full, the next one outward with room.
    pub(crate) fn zone(&self, wanted: Zone, policy: &ZonePolicy) -> Zone {
        let has_room = |zone: &&Zone| zone.room(policy).is_none_or(|room| self.held[**zone as usize] < room);
        *Zone::ALL[wanted as usize..].iter().find(has_room).expect("the belt and the cloud have no limit")
    }
}

/// The nurseries of minds that were born into lately.
#[derive(Default)]
pub(crate) struct Births(Mutex<HashMap<MindId, Nursery>>);

impl Births {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<MindId, Nursery>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes down a birth.
    pub(crate) fn born(&self, mind: MindId, zone: Zone) {
        if let Some(nursery) = self.lock().get_mut(&mind) {
            nursery.born(zone);
        }
    }

    /// Takes down how many turns have passed.
    pub(crate) fn turned(&self, mind: MindId, turns: u64) {
        if let Some(nursery) = self.lock().get_mut(&mind) {
            nursery.turns = turns;
        }
    }

    /// Forgets what is known of a mind: memories moved or left.
    pub(crate) fn unknown(&self, mind: MindId) {
        self.lock().remove(&mind);
    }
}

impl MindHandle {
    /// The mind as its newborns see it, counted once and kept.
    pub(crate) async fn nursery(&self) -> Result<Nursery, EngineError> {
        if let Some(nursery) = self.inner.births.lock().get(&self.id) {
            return Ok(*nursery);
        }
        let mut nursery = Nursery { turns: self.mind().await?.turns, held: [0; 5] };
        for &zone in Zone::ALL {
            if let Some(room) = zone.room(&self.policy().zone) {
                nursery.held[zone as usize] = self.store().zone_holds(self.id, zone, room).await?;
            }
        }
        self.inner.births.lock().insert(self.id, nursery);
        Ok(nursery)
    }
}
