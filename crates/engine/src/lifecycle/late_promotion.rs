//! Promotes memories that earn a longer term between two rounds and would expire before the next round.

use std::collections::HashSet;

use saegim_core::{Memory, Round, Tier, Timestamp, last_round, stands_out};
use saegim_language::subject_numbers;

use crate::EngineError;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::essences::Together;
use crate::lifecycle::promote::Target;

/// A kind of round at a time between two rounds.
struct RoundAt {
    round: Round,
    at: Timestamp,
}

impl Lifecycle<'_> {
    /// Promotes the memories in `due` that earned a longer term since the last round. A memory that the user asked to keep
    /// yesterday must not expire today only because the weekly round is two days away.
    pub(crate) async fn promote_expiring(&self, due: &[Memory], as_of: Timestamp) -> Result<(), EngineError> {
        for (tier, to, round) in [(Tier::M30, Tier::M90, Round::Weekly), (Tier::M90, Tier::M365, Round::Monthly)] {
            let mut bare: Vec<&Memory> = Vec::new();
            for memory in due.iter().filter(|memory| memory.tier == tier) {
                if self.above(&[memory.id]).await?.essences.is_empty() {
                    bare.push(memory);
                }
            }
            if bare.is_empty() {
                continue;
            }
            let memories = self.alive(tier).await?;
            if !self.may_qualify(&bare, &memories, RoundAt { round, at: as_of }) {
                continue;
            }
            let (kept, mut together) = (self.kept(to).await?, Together::default());
            for rise in self.rises(&memories, &kept, as_of).await? {
                let own = rise.members.iter().filter(|member| bare.iter().any(|due| due.id == member.id));
                // The new term starts where the old one ended, independent of when the worker runs.
                if let Some(at) = own.filter_map(|member| member.expires_at).min() {
                    self.raise(&mut together, rise, Target { to, at }).await?;
                }
            }
            self.write_commits(together).await?;
        }
        Ok(())
    }

    /// Checks whether one of `due` may have earned a longer tier since the last round: by itself, or because a memory on the same
    /// topic was added.
    fn may_qualify(&self, due: &[&Memory], memories: &[Memory], round: RoundAt) -> bool {
        let RoundAt { round, at: as_of } = round;
        let policy = &self.mind.policy().promotion;
        if due.iter().any(|memory| stands_out(memory, as_of, policy).is_some() || memory.told() >= policy.m30_topic) {
            return true;
        }
        let Some(last) = last_round(as_of, round, &self.mind.inner.config.time_zone).filter(|_| round == Round::Weekly) else {
            return false;
        };
        let names = self.names();
        let about = |memory: &Memory| subject_numbers(memory.said(), &names);
        let since: HashSet<u64> = memories.iter().filter(|memory| memory.created_at >= last).flat_map(about).collect();
        due.iter().any(|memory| about(memory).iter().any(|subject| since.contains(subject)))
    }
}
