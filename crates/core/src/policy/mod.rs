//! Policies: every tunable number used by a rule, with its name, default, range and reason.

use serde::{Deserialize, Serialize};

use crate::Invalid;

/// One tunable as it appears in the docs and in the commented configuration file.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyField {
    /// Table it belongs to.
    pub table: &'static str,
    /// Name of the field.
    pub name: &'static str,
    /// Default value, formatted as in the configuration file.
    pub default: String,
    /// Allowed values.
    pub range: String,
    /// Meaning of the field and reason for its default.
    pub reason: &'static str,
}

macro_rules! policy {
    ($(#[doc = $about:literal])* $name:ident $table:literal {
        $($(#[doc = $reason:literal])+ $field:ident: $kind:ty = $default:expr, $low:expr => $high:expr;)*
    }) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = $reason])+ pub $field: $kind,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $name {
            pub(crate) fn check(&self) -> Result<(), Invalid> {
                $(if !($low..=$high).contains(&self.$field) {
                    return Err(Invalid::new(
                        concat!($table, ".", stringify!($field)),
                        $crate::phrase!("{:?} is outside {:?} to {:?}", "{:?}: {:?}에서 {:?} 사이여야 합니다", self.$field, $low, $high),
                    ));
                })*
                Ok(())
            }

            pub(crate) fn fields() -> Vec<PolicyField> {
                vec![$(PolicyField {
                    table: $table,
                    name: stringify!($field),
                    default: format!("{:?}", $default),
                    range: format!("{:?} to {:?}", $low, $high),
                    reason: concat!($($reason),+).trim_ascii(),
                },)*]
            }
        }
    };
}

/// Islands, beliefs, proposals, imagination and agents.
mod selfhood;
/// Language models.
mod thinking;
/// Tiers, promotion, consolidation, pruning, the cliff and retention.
mod time;
/// Candidates, admission, the relationship and the context.
mod turns;

pub use selfhood::{AgentPolicy, BeliefPolicy, ImaginationPolicy, IslandPolicy, ProposalPolicy};
pub use thinking::ThinkingPolicy;
pub use time::{CliffPolicy, PromotionPolicy, RetentionPolicy, ThinningPolicy, TierPolicy};
pub use turns::{AdmissionPolicy, CandidatePolicy, ContextPolicy, RelationshipPolicy};

policy! {
    /// Intrinsic importance of a memory.
    ImportancePolicy "importance" {
        /// Importance of an ordinary memory.
        base: f32 = 0.3, 0.0 => 1.0;
        /// Importance added by a five-star rating.
        rating: f32 = 0.3, 0.0 => 1.0;
        /// Importance added by each memory that links to it.
        per_reference: f32 = 0.05, 0.0 => 1.0;
        /// Maximum importance added by links.
        references_at_most: f32 = 0.2, 0.0 => 1.0;
        /// Importance added by the strongest sentiment.
        feeling: f32 = 0.2, 0.0 => 1.0;
    }
}

policy! {
    /// Weights of the four appraisal questions, normalized to a sum of one.
    AppraisalPolicy "appraisal" {
        /// Does it contain a concrete fact or figure?
        factual: f32 = 0.3, 0.0 => 1.0;
        /// Does it contain a strong emotion or experience?
        emotional: f32 = 0.2, 0.0 => 1.0;
        /// Can the character act on it?
        actionable: f32 = 0.3, 0.0 => 1.0;
        /// Was it explicitly called important?
        explicit: f32 = 0.2, 0.0 => 1.0;
    }
}

policy! {
    /// Zones: closeness of a memory to working memory.
    ZonePolicy "zone" {
        /// Weight of the number of recalls.
        recall_weight: f32 = 0.25, 0.0 => 1.0;
        /// Weight of the time since the last recall; it always lowers the score.
        freshness_weight: f32 = 0.30, 0.0 => 1.0;
        /// Weight of the appraisal.
        appraisal_weight: f32 = 0.25, 0.0 => 1.0;
        /// Weight of the similarity to the current conversation.
        context_weight: f32 = 0.20, 0.0 => 1.0;
        /// Recalls at which the recall score would reach one; it is clamped just below.
        recall_cap: u32 = 1000, 2 => 1_000_000;
        /// Days without a recall until freshness reaches its floor of -1.
        floor_days: f64 = 30.0, 0.01 => 36_500.0;
        /// Minimum score of the core zone.
        core_from: f32 = 0.50, -1.0 => 1.0;
        /// Minimum score of the inner zone.
        inner_from: f32 = 0.30, -1.0 => 1.0;
        /// Minimum score of the outer zone.
        outer_from: f32 = 0.10, -1.0 => 1.0;
        /// Minimum score of the belt; lower scores are in the cloud.
        belt_from: f32 = -0.10, -1.0 => 1.0;
        /// Capacity of the core zone, in memories.
        core_room: usize = 20, 1 => 100_000;
        /// Capacity of the inner zone, in memories.
        inner_room: usize = 100, 1 => 1_000_000;
        /// Capacity of the outer zone, in memories.
        outer_room: usize = 1000, 1 => 10_000_000;
        /// Days without a recall after which a memory in the cloud enters the cliff.
        auto_forget_days: u32 = 90, 1 => 36_500;
        /// Seconds between two rebalances of an active mind.
        rebalance_seconds: u32 = 300, 1 => 86_400;
        /// Number of messages in the moving average that forms the context.
        context_turns: usize = 6, 1 => 100;
        /// Weight of each message relative to the message after it.
        context_keeps: f32 = 0.8, 0.0 => 1.0;
    }
}

policy! {
    /// How strength decays with the number of turns.
    StrengthPolicy "strength" {
        /// Turns between two decay steps.
        every_turns: u32 = 5, 1 => 10_000;
        /// Strength at or below which decay stops; pruning decides about such memories.
        fades_above: f32 = 0.1, 0.0 => 1.0;
        /// Share of its strength an episodic memory retains at each step.
        episodic: f32 = 0.95, 0.0 => 1.0;
        /// Share of its strength an emotional memory retains at each step.
        emotional: f32 = 0.97, 0.0 => 1.0;
        /// Share of its strength a semantic memory retains at each step.
        semantic: f32 = 0.98, 0.0 => 1.0;
        /// How much intensity slows decay.
        intensity_share: f32 = 0.4, 0.0 => 1.0;
        /// How much importance slows decay.
        importance_share: f32 = 0.3, 0.0 => 1.0;
        /// Strength added by a recall or a repeated mention, up to full strength.
        renewal: f32 = 0.2, 0.0 => 1.0;
        /// Maximum share retained at each step, so that every memory decays a little.
        keeps_at_most: f32 = 0.995, 0.0 => 1.0;
    }
}

policy! {
    /// The character's current mood and its decay.
    MoodPolicy "mood" {
        /// Half-life of the mood in minutes.
        half_life_minutes: u32 = 120, 1 => 100_000;
        /// How far a recalled memory of full intensity moves the mood toward its emotion.
        recall_pull: f32 = 0.5, 0.0 => 1.0;
        /// Level below which an emotion of the mood is dropped; a mood without emotions is neutral.
        neutral_below: f32 = 0.05, 0.0 => 1.0;
    }
}

policy! {
    /// Ranking of search results.
    RecallPolicy "recall" {
        /// Weight of relevance to the query.
        relevance_weight: f32 = 0.7, 0.0 => 1.0;
        /// Weight of importance.
        importance_weight: f32 = 0.2, 0.0 => 1.0;
        /// Weight of strength.
        strength_weight: f32 = 0.1, 0.0 => 1.0;
        /// Number of memories with the best own evidence that are scored in full.
        pool: usize = 200, 10 => 10_000;
        /// Relevance below which a result does not count as a match.
        fits_from: f32 = 0.25, 0.0 => 1.0;
        /// Minds with up to this many memories are indexed in memory on the first query; larger ones in the background.
        index_at_once: u64 = 30_000, 0 => 10_000_000;
        /// Number of memories read per page when building an index, so that a large mind is never held in memory twice.
        index_page: usize = 8192, 16 => 1_000_000;
        /// Minds with up to this many memories are searched on the calling thread; larger ones on a separate thread, so that
        /// other requests do not wait.
        ask_at_once: usize = 10_000, 0 => 10_000_000;
        /// Memory limit of all indexes together in megabytes; the least recently used mind is evicted first.
        index_megabytes: usize = 4096, 1 => 1_000_000;
        /// Memory limit in megabytes for the indexes of all small minds together, separately for memories and for turns. A small
        /// mind is quick to read again, and a thousand of them used in one day must not fill the memory of a machine.
        small_index_megabytes: usize = 6, 1 => 1_000_000;
    }
}

policy! {
    /// How evidence is combined into relevance. Tuned by measurement on Korean and English conversations; see docs/quality.md.
    RelevancePolicy "relevance" {
        /// Term frequency saturation (k1 in BM25).
        word_saturation: f32 = 0.9, 0.0 => 10.0;
        /// Length normalization of windows (b in BM25).
        word_length: f32 = 0.4, 0.0 => 1.0;
        /// Weight of the share of the query's words that the text contains.
        words: f32 = 4.0, 0.0 => 100.0;
        /// Weight of the share of the query's letter n-grams that the text contains.
        letters: f32 = 5.0, 0.0 => 100.0;
        /// Weight of how far its vector similarity stands out from the mind's other vectors, in standard deviations.
        meaning: f32 = 0.6, 0.0 => 100.0;
        /// Share of the evidence of the preceding message that is added.
        previous: f32 = 0.4, 0.0 => 10.0;
        /// Additional share if the preceding message is a question, because this one is its answer.
        asked: f32 = 0.2, 0.0 => 10.0;
        /// Share of the evidence of the following message that is added.
        next: f32 = 0.4, 0.0 => 10.0;
        /// Share of the evidence of messages two places away that is added.
        two_away: f32 = 0.2, 0.0 => 10.0;
        /// Texts longer than this many words share less evidence with their neighbours.
        short_words: f32 = 40.0, 1.0 => 10_000.0;
        /// Share of the best evidence in the same session that is added.
        session: f32 = 0.1, 0.0 => 10.0;
        /// Bonus for a text by the person named in the query.
        speaker: f32 = 3.0, 0.0 => 100.0;
        /// Penalty for a question asked by a person the query does not name.
        other_asks: f32 = 1.0, 0.0 => 100.0;
        /// Bonus for a text from a day named in the query.
        date: f32 = 2.5, 0.0 => 100.0;
        /// Days before a named day that still match, because people give dates loosely.
        days_before: u32 = 1, 0 => 365;
        /// Days after a named day that still match, because people report events later.
        days_after: u32 = 8, 0 => 365;
        /// Penalty for messages of the character, unless the query asks for them.
        character_said: f32 = 4.0, 0.0 => 100.0;
        /// Bonus for a standing instruction, unless the query asks about the past.
        standing: f32 = 4.0, 0.0 => 100.0;
        /// Bonus for a preference if the query asks for advice.
        preference: f32 = 1.5, 0.0 => 100.0;
        /// Bonus for a text that contains a time or number if the query asks for one.
        answer: f32 = 1.5, 0.0 => 100.0;
        /// Number of best results of which the newest ranks first if the query asks for the current state.
        newest_among: usize = 3, 0 => 100;
        /// Minimum share of the best result's own evidence to take part in that.
        newest_share: f32 = 0.45, 0.0 => 1.0;
        /// Evidence at which the probability that the answer was found is one half.
        middle: f32 = 8.0, 0.0 => 100.0;
        /// Spread of the logistic function that converts evidence into that probability.
        spread: f32 = 1.5, 0.1 => 100.0;
        /// Weight in confidence of whether the best memory contains what the query asks for.
        sure_focus: f32 = 0.6, 0.0 => 10.0;
        /// Weight in confidence of the lead of the named person over others.
        sure_lead: f32 = 0.6, 0.0 => 10.0;
        /// Negative weight in confidence of a query that requires something specific, because those are rarely answerable.
        sure_specific: f32 = 0.6, 0.0 => 10.0;
        /// Sum of these and the evidence at which an answer is as likely as not.
        sure_middle: f32 = 0.9, -10.0 => 10.0;
        /// Slope of the logistic function that converts the sum into confidence.
        sure_slope: f32 = 4.0, 0.1 => 100.0;
        /// Share of the requested information assumed present if the query does not show what it asks for.
        focus_unread: f32 = 0.5, 0.0 => 1.0;
        /// Points of evidence behind the best result at which ranking relevance reaches zero. With 1, importance and strength
        /// together make up for a little less than half a point, so they only decide between near equals.
        falls_in: f32 = 1.0, 0.1 => 100.0;
        /// Points of evidence behind the best result over which displayed relevance falls to about a third.
        shown_in: f32 = 4.0, 0.1 => 100.0;
        /// Minds with fewer text windows than this are padded with virtual ones when inverse document frequencies are computed,
        /// so that a word absent from a mind of three memories does not count as rare.
        imagined_windows: f32 = 200.0, 0.0 => 100_000.0;
        /// Virtual unrelated memories added when the spread of a mind's vectors is computed, so that the nearest vector in a mind
        /// of three does not count as an outlier.
        imagined_vectors: f32 = 20.0, 0.0 => 10_000.0;
        /// Standard deviation of the similarity of these virtual vectors around zero.
        imagined_spread: f32 = 0.12, 0.01 => 1.0;
        /// Similarity below which a vector alone is not evidence.
        similar_from: f32 = 0.35, 0.0 => 1.0;
    }
}

/// All policies of a mind, as stored in the configuration file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Importance.
    pub importance: ImportancePolicy,
    /// Appraisal.
    pub appraisal: AppraisalPolicy,
    /// Zones.
    pub zone: ZonePolicy,
    /// Strength.
    pub strength: StrengthPolicy,
    /// Tiers.
    pub tier: TierPolicy,
    /// Promotion.
    pub promotion: PromotionPolicy,
    /// Consolidation and pruning limits.
    pub thinning: ThinningPolicy,
    /// Retention limits per session.
    pub retention: RetentionPolicy,
    /// The cliff.
    pub cliff: CliffPolicy,
    /// Mood.
    pub mood: MoodPolicy,
    /// Candidates.
    pub candidate: CandidatePolicy,
    /// Admission.
    pub admission: AdmissionPolicy,
    /// Relationship.
    pub relationship: RelationshipPolicy,
    /// Context.
    pub context: ContextPolicy,
    /// Recall.
    pub recall: RecallPolicy,
    /// Relevance.
    pub relevance: RelevancePolicy,
    /// Islands.
    pub island: IslandPolicy,
    /// Beliefs.
    pub belief: BeliefPolicy,
    /// Proposals.
    pub proposal: ProposalPolicy,
    /// Imagination.
    pub imagination: ImaginationPolicy,
    /// Agents.
    pub agent: AgentPolicy,
    /// Models.
    pub thinking: ThinkingPolicy,
}

impl Policy {
    /// Checks that every field is in its range and that the zone thresholds are in order.
    pub fn check(&self) -> Result<(), Invalid> {
        self.importance.check()?;
        self.appraisal.check()?;
        self.zone.check()?;
        self.strength.check()?;
        self.tier.check()?;
        self.promotion.check()?;
        self.thinning.check()?;
        self.retention.check()?;
        self.cliff.check()?;
        self.mood.check()?;
        self.candidate.check()?;
        self.admission.check()?;
        self.relationship.check()?;
        self.context.check()?;
        self.recall.check()?;
        self.relevance.check()?;
        self.island.check()?;
        self.belief.check()?;
        self.proposal.check()?;
        self.imagination.check()?;
        self.agent.check()?;
        self.thinking.check()?;
        let zone = &self.zone;
        let ordered = zone.core_from > zone.inner_from && zone.inner_from > zone.outer_from && zone.outer_from > zone.belt_from;
        if !ordered {
            let problem = crate::phrase!(
                "core_from, inner_from, outer_from and belt_from must fall in this order",
                "core_from, inner_from, outer_from, belt_from 순서로 작아져야 합니다"
            );
            return Err(Invalid::new("zone", problem));
        }
        Ok(())
    }

    /// Returns every tunable in the order of the configuration file.
    pub fn fields() -> Vec<PolicyField> {
        [
            ImportancePolicy::fields(),
            AppraisalPolicy::fields(),
            ZonePolicy::fields(),
            StrengthPolicy::fields(),
            TierPolicy::fields(),
            PromotionPolicy::fields(),
            ThinningPolicy::fields(),
            RetentionPolicy::fields(),
            CliffPolicy::fields(),
            MoodPolicy::fields(),
            CandidatePolicy::fields(),
            AdmissionPolicy::fields(),
            RelationshipPolicy::fields(),
            ContextPolicy::fields(),
            RecallPolicy::fields(),
            RelevancePolicy::fields(),
            IslandPolicy::fields(),
            BeliefPolicy::fields(),
            ProposalPolicy::fields(),
            ImaginationPolicy::fields(),
            AgentPolicy::fields(),
            ThinkingPolicy::fields(),
        ]
        .concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_lie_in_their_ranges() {
        Policy::default().check().unwrap();
    }

    #[test]
    fn every_tunable_says_why() {
        for field in Policy::fields() {
            assert!(field.reason.ends_with(['.', '?']), "{}.{}", field.table, field.name);
        }
    }

    #[test]
    fn a_value_outside_its_range_is_named() {
        let mut policy = Policy::default();
        policy.zone.core_room = 0;
        assert_eq!(policy.check().unwrap_err().field, "zone.core_room");
        let mut policy = Policy::default();
        policy.zone.inner_from = 0.6;
        assert_eq!(policy.check().unwrap_err().field, "zone");
        let mut policy = Policy::default();
        policy.recall.fits_from = f32::NAN;
        assert_eq!(policy.check().unwrap_err().field, "recall.fits_from");
    }
}
