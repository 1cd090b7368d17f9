//! Access control, checked before anything reaches the store, and the record of refusals.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use saegim_core::{
    AgentPolicy, Deed, Grant, GrantScope, Memory, MindId, Op, Phrase, Principal, Right, Span, Thing, Tier, Timestamp, phrase, right,
};

use crate::access::Access;
use crate::{Engine, EngineError, MindHandle};

/// Counter key: mind, principal, ledger operation, deed.
type Key = (MindId, Principal, Op, Deed);

/// Counts of refusals and of accesses under a grant that are not written yet. The first of a kind is written immediately and
/// later ones are batched, so that each is counted but repeated attempts cannot fill the disk.
#[derive(Default)]
pub(crate) struct AttemptCounter(Mutex<HashMap<Key, Gathered>>);

struct Gathered {
    count: u64,
    written_at: Timestamp,
}

impl AttemptCounter {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Gathered>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts one attempt. Returns the number to write now, if a batch is due.
    fn count(&self, key: Key, now: Timestamp, policy: &AgentPolicy) -> Option<u64> {
        let mut all = self.lock();
        let Some(gathered) = all.get_mut(&key) else {
            all.insert(key, Gathered { count: 0, written_at: now });
            return Some(1);
        };
        gathered.count += 1;
        let old = now.since(gathered.written_at) >= Span::seconds(i64::from(policy.refusals_seconds)) || now < gathered.written_at;
        if gathered.count < policy.refusals_gathered && !old {
            return None;
        }
        gathered.written_at = now;
        Some(std::mem::take(&mut gathered.count))
    }

    /// Adds counts that could not be written back to the batch.
    fn put_back(&self, key: Key, count: u64) {
        if let Some(gathered) = self.lock().get_mut(&key) {
            gathered.count += count;
        }
    }

    /// Takes all pending counts of a mind, or of all minds.
    fn take(&self, mind: Option<MindId>) -> Vec<(Key, u64)> {
        let mut all = self.lock();
        let waiting = all.iter_mut().filter(|(key, gathered)| gathered.count > 0 && mind.is_none_or(|mind| key.0 == mind));
        waiting.map(|(key, gathered)| (*key, std::mem::take(&mut gathered.count))).collect()
    }
}

impl Access<'_> {
    /// Checks whether the principal may do this; records a refusal or an access under a grant.
    pub(crate) async fn may(&self, deed: Deed) -> Result<(), EngineError> {
        match right(self.mind.principal(), deed) {
            Right::Yes | Right::Limited => Ok(()),
            Right::Granted(scope) => match self.granted(scope).await? {
                Some(grant) => self.record_attempt(Op::Access, deed, Some(grant.id)).await,
                None => Err(self.refused(deed).await),
            },
            Right::No => Err(self.refused(deed).await),
        }
    }

    pub(crate) async fn allowed(&self, deed: Deed) -> Result<(), EngineError> {
        self.mind.may(deed).await
    }

    /// Like `may`; additionally, only the owner may change core and pinned memories.
    pub(crate) async fn may_change(&self, memory: &Memory, deed: Deed) -> Result<(), EngineError> {
        self.mind.may(deed).await?;
        if memory.tier == Tier::M0 || memory.pinned {
            self.mind.may(Deed::TouchCore).await?;
        }
        Ok(())
    }

    /// Records the refusal of a deed in the ledger and returns the error.
    pub(crate) async fn refused(&self, deed: Deed) -> EngineError {
        self.refused_because(deed, deed.refusal(self.mind.principal())).await
    }

    /// Like `refused`, with a specific reason.
    pub(crate) async fn refused_because(&self, deed: Deed, why: Phrase) -> EngineError {
        match self.record_attempt(Op::Refuse, deed, None).await {
            // The deed is refused even if the record could not be written; the count stays pending.
            Ok(()) | Err(_) => EngineError::Forbidden(why),
        }
    }

    async fn record_attempt(&self, operation: Op, deed: Deed, grant: Option<saegim_core::GrantId>) -> Result<(), EngineError> {
        let key = (self.mind.id, self.mind.principal(), operation, deed);
        match self.mind.inner.tally.count(key, self.mind.now(), &self.mind.policy().agent) {
            Some(count) => self.write_attempts(key, count, grant).await,
            None => Ok(()),
        }
    }

    async fn write_attempts(&self, key: Key, count: u64, grant: Option<saegim_core::GrantId>) -> Result<(), EngineError> {
        let (_, principal, operation, deed) = key;
        let mut commit = self.mind.commit_as(principal, operation, &[]).about(Thing::Deed(deed));
        commit.things.extend(grant.map(Thing::Grant));
        commit.times = Some(count);
        let written = self.mind.write(commit).await.map(drop);
        if written.is_err() {
            self.mind.inner.tally.put_back(key, count);
        }
        written
    }

    /// Writes all pending counts of this mind, so that a reader of the ledger sees all of them.
    pub(crate) async fn flush_attempts(&self) -> Result<(), EngineError> {
        for (key, count) in self.mind.inner.tally.take(Some(self.mind.id)) {
            self.write_attempts(key, count, None).await?;
        }
        Ok(())
    }

    /// Returns the owner's grant for a scope, if one is in force.
    async fn granted(&self, scope: GrantScope) -> Result<Option<Grant>, EngineError> {
        let now = self.mind.now();
        Ok(self.mind.store().grants(self.mind.id).await?.into_iter().find(|grant| grant.allows(scope, now)))
    }
}

impl Engine {
    /// Returns an engine for the same store with the rights of `principal`. Handles to minds inherit them.
    pub fn acting_as(mut self, principal: Principal) -> Self {
        if self.principal == Principal::Owner {
            self.principal = principal;
        }
        self
    }

    /// Returns the principal of this engine.
    pub fn principal(&self) -> Principal {
        self.principal
    }

    /// Checks a permission that does not concern a particular mind; the refusal is not recorded.
    pub fn may(&self, deed: Deed) -> Result<(), EngineError> {
        match right(self.principal, deed) {
            Right::Yes | Right::Limited => Ok(()),
            Right::Granted(_) | Right::No => Err(EngineError::Forbidden(deed.refusal(self.principal))),
        }
    }

    /// Writes all pending counts of all minds. Call it before the program exits.
    pub async fn settle(&self) -> Result<(), EngineError> {
        for (key, count) in self.inner.tally.take(None) {
            let mind = self.inner.store.mind_by_id(key.0).await?;
            let mind = mind.ok_or_else(|| EngineError::NotFound(phrase!("engine.rights.mind_gone")))?;
            MindHandle::new(std::sync::Arc::clone(&self.inner), &mind, Principal::Worker).access().write_attempts(key, count, None).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_try_is_counted_once_and_few_are_written() {
        let (tally, policy) = (AttemptCounter::default(), AgentPolicy::default());
        let at = Timestamp::from_millis(1_000_000);
        let key = (MindId::new(at, [1; 10]), Principal::Agent, Op::Refuse, Deed::Decide);
        let written: Vec<u64> = (0..1000).filter_map(|_| tally.count(key, at, &policy)).collect();
        assert_eq!(written.len(), 10);
        let rest: u64 = tally.take(None).iter().map(|(_, count)| count).sum();
        assert_eq!(written.iter().sum::<u64>() + rest, 1000);
        assert!(tally.take(None).is_empty());
        assert_eq!(tally.count(key, at.plus(Span::seconds(60)), &policy), Some(1), "after a minute the next is written");
    }
}
