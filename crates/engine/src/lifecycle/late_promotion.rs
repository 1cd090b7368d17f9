//! What earns a longer term between two rounds, and would run out before the next.

use std::collections::HashSet;

use saegim_core::{Memory, Round, Subjects, Tier, Timestamp, last_round, stands_out};
use saegim_provider::rules::uncounted;

use crate::lifecycle::essences::Together;
use crate::{EngineError, MindHandle};

impl MindHandle {
    /// Raises what of `due` runs out its term and has earned a longer one since the last round: what somebody asked to remember
    /// yesterday must not fall today because Monday is the day after tomorrow.
    pub(crate) async fn raise_earned(&self, due: &[Memory], as_of: Timestamp) -> Result<(), EngineError> {
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
            if !self.may_have_earned(&bare, &memories, (as_of, round)) {
                continue;
            }
            let (kept, mut together) = (self.kept(to).await?, Together::default());
            for rise in self.rises(&memories, &kept, as_of).await? {
                let own = rise.members.iter().filter(|member| bare.iter().any(|due| due.id == member.id));
                // Whenever somebody looks, its new term begins where the old one ended.
                if let Some(at) = own.filter_map(|member| member.expires_at).min() {
                    self.raise(&mut together, rise, (to, at)).await?;
                }
            }
            self.write_together(together).await?;
        }
        Ok(())
    }

    /// Whether one of these can have earned a longer tier since the last round: by itself, or because something of its topic has
    /// come since.
    fn may_have_earned(&self, due: &[&Memory], memories: &[Memory], (as_of, round): (Timestamp, Round)) -> bool {
        let policy = &self.policy().promotion;
        if due.iter().any(|memory| stands_out(memory, as_of, policy).is_some() || memory.told() >= policy.m30_topic) {
            return true;
        }
        let Some(last) = last_round(as_of, round, &self.inner.config.time_zone).filter(|_| round == Round::Weekly) else { return false };
        let names = self.names();
        let about = |memory: &Memory| Subjects::of(uncounted(&memory.content)).numbers(&names);
        let since: HashSet<u64> = memories.iter().filter(|memory| memory.created_at >= last).flat_map(about).collect();
        due.iter().any(|memory| about(memory).iter().any(|subject| since.contains(subject)))
    }
}
