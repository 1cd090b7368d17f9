//! Habits: what was told before, in other words and at other times, found among the turns of the mind in memory.

use saegim_core::{CandidateType, Category, Memory, Role, Telling, Tier, Turn, TurnId, Unit, denies, is_habit, tellings};
use saegim_provider::Finding;

use crate::observe::Working;
use crate::{EngineError, MindHandle};

/// How many of the nearest turns are looked at: more than a month of daily tellings brings up with what answered them.
const NEAREST: usize = 64;
/// A habit matters later as much as any other fact about a person.
const IMPACT: f32 = 0.9;

impl MindHandle {
    /// The turns in which the user told the same kind of thing before, one for each sitting, the oldest first. Only what
    /// happened can become a habit.
    pub(crate) async fn told_before(&self, working: &Working<'_>, turn: &Turn, finding: &Finding) -> Result<Vec<TurnId>, EngineError> {
        if turn.role != Role::User || finding.candidate_type != CandidateType::Event || finding.claim.is_some() {
            return Ok(Vec::new());
        }
        let Some(vector) = working.vectors.get(&finding.content) else { return Ok(Vec::new()) };
        let Some(embedder) = self.inner.config.embedder.clone() else { return Ok(Vec::new()) };
        let (calibration, least) = (embedder.calibration(), self.policy().admission.predictable_from);
        let term = Tier::M30.term(&self.policy().tier);
        let index = self.near_turn_index().await?.read_owned().await;
        // Years of tellings must not take the room of those that count.
        let near = index.nearest_since(&vector.quantised(), NEAREST, term.map(|term| turn.at.minus(term))).into_iter();
        let alike: Vec<TurnId> = near
            .filter(|(_, cosine)| calibration.similarity(*cosine).get() >= least)
            .map(|(id, _)| TurnId::from_bytes(*id.bytes()))
            .filter(|id| *id != turn.id)
            .collect();
        drop(index);
        if alike.is_empty() {
            return Ok(Vec::new());
        }
        let zone = &self.inner.config.time_zone;
        let telling = |turn: &Turn| Telling { turn: turn.id, session: turn.session.clone(), at: turn.at, day: turn.at.midnight(zone) };
        let counts =
            |other: &&Turn| other.role == Role::User && other.withdrawn_at.is_none() && same_doing(&finding.content, &other.content);
        let earlier = self.store().turns_by_id(self.id, &alike).await?;
        let earlier = earlier.iter().filter(counts).map(telling).collect();
        Ok(tellings(&telling(turn), earlier, term))
    }

    /// A finding as it is judged after so many tellings: an event told often enough tells what one does, which is a fact.
    pub(crate) fn after_tellings(&self, finding: &Finding, times: u32) -> Finding {
        if !is_habit(finding.candidate_type, times, &self.policy().candidate) {
            return finding.clone();
        }
        let future_impact = Unit::clamped(finding.future_impact.get().max(IMPACT));
        Finding { candidate_type: CandidateType::Fact, future_impact, ..finding.clone() }
    }
}

/// Whether a finding, clearly related to a memory of something that happened, tells it at least for the third time.
pub(crate) fn tells_again(finding: &Finding, memory: &Memory, fully: u32) -> bool {
    finding.candidate_type == CandidateType::Event
        && finding.claim.is_none()
        && memory.category == Some(Category::SharedEvents)
        && memory.mentions.saturating_add(2) >= fully
        && same_doing(&finding.content, &memory.content)
}

/// Whether two tellings can be of one habit. At which hour it was and how it was this time does not make it another thing
/// one does; not having done it does.
fn same_doing(one: &str, other: &str) -> bool {
    // To stop by somewhere, or at it, is not to stop.
    let doing = |text: &str| {
        let text = text.to_lowercase().replace("stopped by", "came by").replace("stopped at", "came by").replace("stopped in", "came by");
        text.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>()
    };
    !denies(&doing(one), &doing(other))
}
