//! Assigns memories to zones within the capacity of each zone.

use crate::{Timestamp, Zone, ZonePolicy};

/// A memory that competes for a zone: its score and the tie breakers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZoneClaim<I> {
    /// Id of the memory.
    pub id: I,
    /// Current score I(m).
    pub score: f32,
    /// Creation time; the younger of two equals ranks higher.
    pub born: Timestamp,
    /// Current zone.
    pub at: Zone,
}

/// Minimum number of buffered claims before the best are selected.
const HELD: usize = 1024;

/// Assigns every claim to a zone and returns the claims that must move, with their target: the zone of the score or, if that is
/// full, the next one outward with capacity. The result depends only on scores, creation times and ids, so placing twice changes
/// nothing.
///
/// Only as many claims as all limited zones hold together are sorted, because any later claim finds every limited zone from its
/// own outward full. Time grows linearly with the number of claims, and memory stays bounded.
pub fn place<I: Copy + Ord>(claims: impl IntoIterator<Item = ZoneClaim<I>>, policy: &ZonePolicy) -> Vec<(ZoneClaim<I>, Zone)> {
    let nearer_first = |a: &ZoneClaim<I>, b: &ZoneClaim<I>| b.score.total_cmp(&a.score).then(b.born.cmp(&a.born)).then(a.id.cmp(&b.id));
    let rooms: usize = Zone::ALL.iter().filter_map(|zone| zone.room(policy)).sum();
    let (mut held, mut moves) = (Vec::new(), Vec::new());
    let mut go = |claim: ZoneClaim<I>, to| {
        if claim.at != to {
            moves.push((claim, to));
        }
    };
    for claim in claims {
        let zone = Zone::of(claim.score, policy);
        if zone.room(policy).is_none() {
            go(claim, zone);
            continue;
        }
        held.push(claim);
        if held.len() >= HELD.max(2 * rooms) {
            held.select_nth_unstable_by(rooms, nearer_first);
            held.drain(rooms..).for_each(|late| go(late, Zone::Belt));
        }
    }
    held.sort_unstable_by(nearer_first);
    let mut taken = [0usize; 5];
    for claim in held {
        let has_room = |zone: &Zone| zone.room(policy).is_none_or(|room| taken[*zone as usize] < room);
        let from = Zone::of(claim.score, policy) as usize;
        let zone = Zone::ALL[from..].iter().copied().find(has_room).expect("the belt and the cloud have no limit");
        taken[zone as usize] += 1;
        go(claim, zone);
    }
    moves
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn among_equals_the_younger_stays_nearer_then_the_smaller_id() {
        let policy = ZonePolicy { core_room: 1, ..ZonePolicy::default() };
        let claim = |id: u32, born: i64| ZoneClaim { id, score: 0.6, born: Timestamp::from_millis(born), at: Zone::Belt };
        assert_eq!(placed(&[claim(1, 10), claim(2, 20)], &policy), [Zone::Inner, Zone::Core]);
        assert_eq!(placed(&[claim(4, 10), claim(3, 10)], &policy), [Zone::Inner, Zone::Core]);
    }

    /// Returns the zone of each claim after all moves.
    fn placed(claims: &[ZoneClaim<u32>], policy: &ZonePolicy) -> Vec<Zone> {
        let moves: std::collections::HashMap<u32, Zone> =
            place(claims.iter().copied(), policy).into_iter().map(|(claim, to)| (claim.id, to)).collect();
        assert!(claims.iter().all(|claim| moves.get(&claim.id) != Some(&claim.at)), "nobody moves to where they are");
        claims.iter().map(|claim| moves.get(&claim.id).copied().unwrap_or(claim.at)).collect()
    }

    fn small_policy() -> ZonePolicy {
        ZonePolicy { core_room: 2, inner_room: 3, outer_room: 5, ..ZonePolicy::default() }
    }

    fn any_claims() -> impl Strategy<Value = Vec<ZoneClaim<u32>>> {
        // Scores on a coarse grid, so that ties happen.
        prop::collection::vec((0i32..15, 0i64..3, 0usize..5), 0..40).prop_map(|rows| {
            let claim = |(id, (score, born, at)): (usize, (i32, i64, usize))| ZoneClaim {
                id: id as u32,
                score: score as f32 * 0.05 - 0.15,
                born: Timestamp::from_millis(born),
                at: Zone::ALL[at],
            };
            rows.into_iter().enumerate().map(claim).collect()
        })
    }

    /// Slow reference placement: put every claim in the zone of its score, then push the weakest out of every overfull zone, from
    /// the centre outward.
    fn oracle(claims: &[ZoneClaim<u32>], policy: &ZonePolicy) -> Vec<Zone> {
        let mut placed: Vec<(ZoneClaim<u32>, usize)> =
            claims.iter().map(|&claim| (claim, Zone::of(claim.score, policy) as usize)).collect();
        for zone in 0..5 {
            let Some(room) = Zone::ALL[zone].room(policy) else { continue };
            while placed.iter().filter(|(_, at)| *at == zone).count() > room {
                let weaker = |a: &ZoneClaim<u32>, b: &ZoneClaim<u32>| {
                    a.score < b.score || (a.score == b.score && (a.born < b.born || (a.born == b.born && a.id > b.id)))
                };
                let weakest = (0..placed.len())
                    .filter(|&index| placed[index].1 == zone)
                    .reduce(|found, index| if weaker(&placed[index].0, &placed[found].0) { index } else { found })
                    .expect("a zone that is too full holds someone");
                placed[weakest].1 += 1;
            }
        }
        placed.into_iter().map(|(_, zone)| Zone::ALL[zone]).collect()
    }

    proptest! {
        #[test]
        fn placement_agrees_with_the_slow_way(claims in any_claims()) {
            let policy = small_policy();
            prop_assert_eq!(placed(&claims, &policy), oracle(&claims, &policy));
        }

        #[test]
        fn room_is_never_exceeded_and_nobody_is_lost(claims in any_claims()) {
            let policy = small_policy();
            let placed = placed(&claims, &policy);
            prop_assert_eq!(placed.len(), claims.len());
            for &zone in Zone::ALL {
                if let Some(room) = zone.room(&policy) {
                    prop_assert!(placed.iter().filter(|at| **at == zone).count() <= room);
                }
            }
        }

        #[test]
        fn placing_in_any_order_gives_the_same(claims in any_claims()) {
            let policy = small_policy();
            let mut turned: Vec<_> = claims.iter().rev().copied().collect();
            turned.rotate_left(claims.len() / 2);
            let by_id = |claims: &[ZoneClaim<u32>]| {
                let ids = claims.iter().map(|claim| claim.id);
                ids.zip(placed(claims, &policy)).collect::<std::collections::BTreeMap<_, _>>()
            };
            prop_assert_eq!(by_id(&claims), by_id(&turned));
        }

        /// Many more claims than the buffer holds, in any order, end where the reference puts them.
        #[test]
        fn crowds_are_placed_alike(seed in any::<u64>()) {
            let policy = small_policy();
            let mut claims: Vec<ZoneClaim<u32>> = (0..3000u32)
                .map(|id| {
                    let mixed = (u64::from(id) ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    let score = (mixed >> 40) as f32 / (1u64 << 24) as f32 * 0.8 - 0.15;
                    ZoneClaim { id, score, born: Timestamp::from_millis((mixed % 3) as i64), at: Zone::ALL[(mixed >> 20) as usize % 5] }
                })
                .collect();
            if seed % 2 == 0 {
                // Worst case for the buffer: each claim ranks above all before.
                claims.sort_by(|a, b| a.score.total_cmp(&b.score));
            }
            let found = placed(&claims, &policy);
            let mut order: Vec<usize> = (0..claims.len()).collect();
            let nearer = |a: &ZoneClaim<u32>, b: &ZoneClaim<u32>| b.score.total_cmp(&a.score).then(b.born.cmp(&a.born)).then(a.id.cmp(&b.id));
            order.sort_by(|a, b| nearer(&claims[*a], &claims[*b]));
            let mut taken = [0; 5];
            for one in order {
                let from = Zone::of(claims[one].score, &policy);
                let free = |zone: &&Zone| **zone >= from && zone.room(&policy).is_none_or(|room| taken[**zone as usize] < room);
                let zone = *Zone::ALL.iter().find(free).unwrap();
                taken[zone as usize] += 1;
                prop_assert_eq!(found[one], zone);
            }
        }

        /// A lower score never occupies a zone while a higher score that belongs there is further out.
        #[test]
        fn a_higher_score_is_never_further_out(claims in any_claims()) {
            let policy = small_policy();
            let placed = placed(&claims, &policy);
            for (a, a_at) in claims.iter().zip(&placed) {
                for (b, b_at) in claims.iter().zip(&placed) {
                    prop_assert!(a.score <= b.score || a_at <= b_at);
                }
            }
        }
    }
}
