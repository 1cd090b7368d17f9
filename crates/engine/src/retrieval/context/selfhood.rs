//! The character's self in the context: its beliefs and its active islands.

use saegim_core::{Belief, Island, SelfVersion};

use super::{Line, data};

/// Returns the lines of the self: beliefs by confidence, then islands by strength, both descending. Skips islands that collapsed or
/// are not rebuilt yet, and beliefs that belong to them.
pub(super) fn lines(version: Option<&SelfVersion>, islands: &[Island]) -> Vec<Line> {
    let shows = |belief: &&Belief| belief.island_among(islands).is_none_or(|island| island.status.shows());
    let mut beliefs: Vec<&Belief> = version.iter().flat_map(|version| &version.beliefs).filter(shows).collect();
    beliefs.sort_by(|a, b| b.confidence.get().total_cmp(&a.confidence.get()).then_with(|| a.statement.cmp(&b.statement)));
    let mut standing: Vec<&Island> = islands.iter().filter(|island| island.status.shows()).collect();
    standing.sort_by(|a, b| b.strength.get().total_cmp(&a.strength.get()).then_with(|| a.name.cmp(&b.name)));
    let believed =
        beliefs.into_iter().map(|belief| Line { text: format!("- {}", data(&belief.statement)), id: belief.id.to_string(), memory: None });
    let side = |island: &Island| {
        let means = if island.description.is_empty() { String::new() } else { format!(": {}", data(&island.description)) };
        Line { text: format!("- {} {}{means}", data(&island.emoji), data(&island.name)), id: island.id.to_string(), memory: None }
    };
    believed.chain(standing.into_iter().map(side)).collect()
}
