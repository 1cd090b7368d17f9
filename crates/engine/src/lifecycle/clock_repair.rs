//! Repairs timestamps that a wrong clock wrote, once a trusted clock reading is available. The rules are in
//! [`saegim_core::ClockHistory`].

use std::collections::HashMap;

use saegim_core::{
    Assertion, Astray, CLOCK_SLACK, Change, ClockHistory, Facts, Memory, MemoryId, MemoryState, Op, Principal, Proposal, ProposalStatus,
    Proposed, Span, Timestamp, TimestampRepair, Wait,
};
use saegim_language::ValueComparison;
use saegim_store::{CliffMemory, Misdated, ProposalPage};

use crate::EngineError;
use crate::engine::retrying;
use crate::lifecycle::Lifecycle;

/// Maximum number of memories per commit, so that other writers do not wait long.
const BATCH: usize = 500;

/// Maximum number of proposals that are checked.
const PROPOSALS: usize = 1000;

/// Ledger note of a repair.
const WHY: &str = "the clock had been wrong";

impl Lifecycle<'_> {
    /// Records the current clock reading and repairs timestamps of earlier wrong readings. Returns the clock history.
    pub(crate) async fn observe_clock(&self) -> Result<ClockHistory, EngineError> {
        if !self.mind.exists() {
            return Ok(ClockHistory::default());
        }
        let (now, kept) = (self.mind.now(), self.mind.store().course(self.mind.id).await?);
        let seen = kept.seen(now);
        let goes_on = kept.latest.is_some_and(|latest| latest <= now && now.since(latest) < Span::hours(1));
        if goes_on && seen.astray.is_nothing() && seen.clone().at(kept.latest) == kept {
            return Ok(seen);
        }
        let seen = self.mind.store().showed(self.mind.id, now).await?;
        if seen.is_behind() || seen.astray.is_nothing() {
            return Ok(seen);
        }
        let worker = self.mind.as_worker();
        retrying(|| async { worker.lifecycle().repair(seen.astray, now).await }).await?;
        Ok(seen.repaired())
    }

    async fn repair(&self, astray: Astray, now: Timestamp) -> Result<(), EngineError> {
        if astray.ahead.is_some() {
            for archive in self.mind.store().archives(self.mind.id).await?.iter().filter(|archive| archive.made_at > now.plus(CLOCK_SLACK))
            {
                self.mind.removal().restore_from_archive(archive, now).await?;
            }
        }
        for batch in self.redated(&astray, now).await?.chunks(BATCH) {
            let about: Vec<&Memory> = batch.iter().map(|(memory, _)| memory).collect();
            let mut commit = self.mind.commit_as(Principal::Worker, Op::Restore, &about).because(WHY);
            commit.changes.extend(batch.iter().map(|(_, change)| change.clone()));
            self.mind.write(commit).await?;
        }
        let mut changes = Vec::new();
        if astray.ahead.is_some() {
            changes.push(Change::DatedBack(now));
            let mind = self.mind.mind().await?;
            if mind.mood.as_of() > now {
                changes.push(Change::MoodSet(mind.mood.felt_by(now)));
            }
            changes.extend(self.refolded_facts(now).await?);
            changes.extend(self.postdated_proposals(now).await?);
        }
        changes.push(Change::ClockSetRight { from: astray.ahead, now });
        let mut commit = self.worker_commit(Op::Restore).because(WHY);
        commit.changes = changes;
        self.mind.write(commit).await.map(drop)
    }

    /// Returns memories with wrong timestamps and the changes that correct them.
    async fn redated(&self, astray: &Astray, now: Timestamp) -> Result<Vec<(Memory, Change)>, EngineError> {
        let policy = self.mind.policy();
        let repair = TimestampRepair { now, policy: &policy.tier };
        let mut dated: HashMap<MemoryId, Memory> = HashMap::new();
        if let Some(behind) = astray.behind {
            for Misdated { memory, known_at } in self.mind.store().misdated(self.mind.id).await? {
                let right = memory.dated_on(known_at.min(now), behind, repair);
                dated.extend(right.map(|memory| (memory.id, memory)));
            }
        }
        if astray.ahead.is_some() {
            for memory in self.mind.store().dated_ahead(self.mind.id, now).await? {
                let history = self.mind.store().ledger_of(self.mind.id, memory.id).await?;
                let ahead: Vec<Timestamp> = history.iter().map(|entry| entry.at).filter(|at| *at > now).collect();
                let memory = dated.remove(&memory.id).unwrap_or(memory);
                let right = memory.clone().dated_back(&ahead, repair).unwrap_or(memory);
                dated.insert(right.id, right);
            }
        }
        let mut changed: Vec<(Memory, Change)> = Vec::new();
        for CliffMemory { entry, memory } in self.mind.store().cliff(self.mind.id).await? {
            let known = dated.remove(&memory.id);
            let memory = known.clone().unwrap_or(memory);
            let change = match entry.repaired(astray, now, &policy.cliff) {
                Some(Wait::Mistaken) => Change::CliffLeft(Box::new(Memory { standing: MemoryState::Alive, ..memory.clone() })),
                Some(Wait::Anew(entry)) => Change::CliffEntered(Box::new(memory.clone()), entry),
                _ if known.is_some() => Change::CliffEntered(Box::new(memory.clone()), entry),
                _ => continue,
            };
            changed.push((memory, change));
        }
        let mut alive: Vec<Memory> = dated.into_values().filter(|memory| memory.standing == MemoryState::Alive).collect();
        alive.sort_by_key(|memory| memory.id);
        changed.extend(alive.into_iter().map(|memory| (memory.clone(), Change::MemoryChanged(Box::new(memory)))));
        Ok(changed)
    }

    /// Recomputes the facts from all assertions, with assertion times limited to `now`.
    async fn refolded_facts(&self, now: Timestamp) -> Result<Vec<Change>, EngineError> {
        let mut assertions: Vec<Assertion> = self.mind.store().assertions(self.mind.id).await?;
        assertions.iter_mut().for_each(|assertion| assertion.at = assertion.at.min(now));
        let before = Facts::known(self.mind.store().facts(self.mind.id).await?);
        let after = Facts::from_assertions(&self.mind.intake().live_assertions(assertions).await?, &ValueComparison);
        let (changed, gone) = after.differences(&before);
        let mut changes: Vec<Change> = gone.into_iter().map(Change::FactGone).collect();
        changes.extend(changed.into_iter().map(|fact| Change::FactSet(Box::new(fact))));
        Ok(changes)
    }

    /// Returns the corrections of proposals made by a clock that was ahead. A core promotion by the worker lapses, because its
    /// waiting time had not really passed; other proposals are moved to `now` and keep their duration.
    async fn postdated_proposals(&self, now: Timestamp) -> Result<Vec<Change>, EngineError> {
        let waiting = ProposalPage { limit: PROPOSALS, status: Some(ProposalStatus::Pending) };
        let ahead = |proposal: &Proposal| proposal.made_at > now.plus(CLOCK_SLACK);
        let right = |proposal: Proposal| match proposal.change {
            Proposed::Core { .. } if proposal.made_by == Principal::Worker => {
                Proposal { status: ProposalStatus::Lapsed, decided_at: Some(now), ..proposal }
            }
            _ => Proposal { lapses_at: now.plus(proposal.lapses_at.since(proposal.made_at)), made_at: now, ..proposal },
        };
        let proposals = self.mind.store().proposals(self.mind.id, waiting).await?.into_iter().filter(ahead);
        Ok(proposals.map(|proposal| Change::ProposalSet(Box::new(right(proposal)))).collect())
    }
}
