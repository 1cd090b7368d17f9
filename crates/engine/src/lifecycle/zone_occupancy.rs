//! Caches the turn count and per-zone counts of a mind, so that new memories get a zone without extra queries. The cache may lag a
//! few memories behind other processes until the next rebalance.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use saegim_core::{MindId, Zone, ZonePolicy};

use crate::EngineError;
use crate::lifecycle::Lifecycle;

/// Turn count and zone occupancy of one mind.
#[derive(Clone, Copy)]
pub(crate) struct ZoneOccupancy {
    pub(crate) turns: u64,
    /// Number of memories per zone, counted only up to the capacity of the zone.
    held: [usize; 5],
}

impl ZoneOccupancy {
    /// Counts a new memory.
    pub(crate) fn born(&mut self, zone: Zone) {
        self.held[zone as usize] += 1;
    }

    /// Returns the wanted zone or, if it is full, the next outer zone with capacity.
    pub(crate) fn zone(&self, wanted: Zone, policy: &ZonePolicy) -> Zone {
        let has_room = |zone: &&Zone| zone.room(policy).is_none_or(|room| self.held[**zone as usize] < room);
        *Zone::ALL[wanted as usize..].iter().find(has_room).expect("the belt and the cloud have no limit")
    }
}

/// Occupancy cache of the minds that recently got new memories.
#[derive(Default)]
pub(crate) struct ZoneOccupancyCache(Mutex<HashMap<MindId, ZoneOccupancy>>);

impl ZoneOccupancyCache {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<MindId, ZoneOccupancy>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a new memory, if the mind is cached.
    pub(crate) fn born(&self, mind: MindId, zone: Zone) {
        if let Some(occupancy) = self.lock().get_mut(&mind) {
            occupancy.born(zone);
        }
    }

    /// Updates the turn count, if the mind is cached.
    pub(crate) fn turned(&self, mind: MindId, turns: u64) {
        if let Some(occupancy) = self.lock().get_mut(&mind) {
            occupancy.turns = turns;
        }
    }

    /// Invalidates the entry of a mind, because memories moved or were removed.
    pub(crate) fn unknown(&self, mind: MindId) {
        self.lock().remove(&mind);
    }
}

impl Lifecycle<'_> {
    /// Returns the zone occupancy of this mind, from the cache or counted once.
    pub(crate) async fn occupancy(&self) -> Result<ZoneOccupancy, EngineError> {
        if let Some(occupancy) = self.mind.inner.occupancy.lock().get(&self.mind.id) {
            return Ok(*occupancy);
        }
        let mut occupancy = ZoneOccupancy { turns: self.mind.mind().await?.turns, held: [0; 5] };
        for &zone in Zone::ALL {
            if let Some(room) = zone.room(&self.mind.policy().zone) {
                occupancy.held[zone as usize] = self.mind.store().zone_holds(self.mind.id, zone, room).await?;
            }
        }
        self.mind.inner.occupancy.lock().insert(self.mind.id, occupancy);
        Ok(occupancy)
    }
}
