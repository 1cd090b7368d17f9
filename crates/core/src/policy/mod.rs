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
                        $crate::phrase!("core.policy.out_of_range", value = format_args!("{:?}", self.$field), low = format_args!("{:?}", $low), high = format_args!("{:?}", $high)),
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
    /// Intrinsic value of a memory.
    ImportancePolicy "importance" {
        /// Importance of an ordinary memory before adjustments.
        base: f32 = 0.3, 0.0 => 1.0;
        /// Amount that a rating of five stars adds.
        rating: f32 = 0.3, 0.0 => 1.0;
        /// Amount that each incoming link adds.
        per_reference: f32 = 0.05, 0.0 => 1.0;
        /// Maximum amount that incoming links add.
        references_at_most: f32 = 0.2, 0.0 => 1.0;
        /// Amount that the strongest sentiment adds.
        feeling: f32 = 0.2, 0.0 => 1.0;
    }
}

policy! {
    /// Weights of the four questions of an appraisal; they are normalised to a sum of 1.
    AppraisalPolicy "appraisal" {
        /// Weight of the question: does it contain a concrete fact or figure?
        factual: f32 = 0.3, 0.0 => 1.0;
        /// Weight of the question: does it contain a strong emotion or experience?
        emotional: f32 = 0.2, 0.0 => 1.0;
        /// Weight of the question: can it be acted upon?
        actionable: f32 = 0.3, 0.0 => 1.0;
        /// Weight of the question: did somebody state that it is important?
        explicit: f32 = 0.2, 0.0 => 1.0;
    }
}

policy! {
    /// Zone scores: closeness of a memory to working memory.
    ZonePolicy "zone" {
        /// Weight of the number of recalls.
        recall_weight: f32 = 0.25, 0.0 => 1.0;
        /// Weight of the time since the last recall; it only lowers the score.
        freshness_weight: f32 = 0.30, 0.0 => 1.0;
        /// Weight of the appraisal.
        appraisal_weight: f32 = 0.25, 0.0 => 1.0;
        /// Weight of the similarity to the current conversation.
        context_weight: f32 = 0.20, 0.0 => 1.0;
        /// Number of recalls at which the recall score would be 1; it is clamped just below, so it never reaches 1.
        recall_cap: u32 = 1000, 2 => 1_000_000;
        /// Days without a recall until freshness reaches its floor of -1.
        floor_days: f64 = 30.0, 0.01 => 36_500.0;
        /// Minimum score of the core zone.
        core_from: f32 = 0.50, -1.0 => 1.0;
        /// Minimum score of the inner zone.
        inner_from: f32 = 0.30, -1.0 => 1.0;
        /// Minimum score of the outer zone.
        outer_from: f32 = 0.10, -1.0 => 1.0;
        /// Minimum score of the belt zone; lower scores are in the cloud zone.
        belt_from: f32 = -0.10, -1.0 => 1.0;
        /// Capacity of the core zone, in memories.
        core_room: usize = 20, 1 => 100_000;
        /// Capacity of the inner zone, in memories.
        inner_room: usize = 100, 1 => 1_000_000;
        /// Capacity of the outer zone, in memories.
        outer_room: usize = 1000, 1 => 10_000_000;
        /// Days without a recall after which a memory in the cloud zone moves to the cliff.
        auto_forget_days: u32 = 90, 1 => 36_500;
        /// Seconds between two rebalances of an active mind.
        rebalance_seconds: u32 = 300, 1 => 86_400;
        /// Number of messages in the running average of the context.
        context_turns: usize = 6, 1 => 100;
        /// Weight of a message relative to the next newer one in the running average.
        context_keeps: f32 = 0.8, 0.0 => 1.0;
    }
}

policy! {
    /// Decay of strength (vividness) as the conversation continues.
    StrengthPolicy "strength" {
        /// Exchanges between two decay steps.
        every_turns: u32 = 5, 1 => 10_000;
        /// Strength at or below which a memory decays no further; pruning handles it from there.
        fades_above: f32 = 0.1, 0.0 => 1.0;
        /// Share of its strength that an episodic memory keeps at each step.
        episodic: f32 = 0.95, 0.0 => 1.0;
        /// Share of its strength that an emotional memory keeps at each step.
        emotional: f32 = 0.97, 0.0 => 1.0;
        /// Share of its strength that a semantic memory keeps at each step.
        semantic: f32 = 0.98, 0.0 => 1.0;
        /// How much intensity slows the decay.
        intensity_share: f32 = 0.4, 0.0 => 1.0;
        /// How much importance slows the decay.
        importance_share: f32 = 0.3, 0.0 => 1.0;
        /// Strength that a recall or a new mention adds, up to 1.
        renewal: f32 = 0.2, 0.0 => 1.0;
        /// Maximum share that a memory keeps at each step, so that every memory decays a little.
        keeps_at_most: f32 = 0.995, 0.0 => 1.0;
    }
}

policy! {
    /// Mood of the character and its decay.
    MoodPolicy "mood" {
        /// Half-life of a mood in minutes.
        half_life_minutes: u32 = 120, 1 => 100_000;
        /// How far recalling a memory of full intensity moves the mood towards its emotion.
        recall_pull: f32 = 0.5, 0.0 => 1.0;
        /// Level below which all emotions of a mood count as gone and the mood is neutral.
        neutral_below: f32 = 0.05, 0.0 => 1.0;
    }
}

policy! {
    /// Ranking of search results.
    RecallPolicy "recall" {
        /// Weight of the relevance to the query.
        relevance_weight: f32 = 0.7, 0.0 => 1.0;
        /// Weight of importance.
        importance_weight: f32 = 0.2, 0.0 => 1.0;
        /// Weight of strength.
        strength_weight: f32 = 0.1, 0.0 => 1.0;
        /// Number of memories with the best own evidence that are scored in detail.
        pool: usize = 200, 10 => 10_000;
        /// Relevance below which a memory does not count as a match.
        fits_from: f32 = 0.25, 0.0 => 1.0;
        /// Maximum number of memories for which the in-memory index is built at the first query; larger minds are indexed in the
        /// background.
        index_at_once: u64 = 30_000, 0 => 10_000_000;
        /// Number of memories read into an index at a time, so that a large mind is never in memory twice.
        index_page: usize = 8192, 16 => 1_000_000;
        /// Maximum number of memories searched on the calling thread; larger minds are searched on a separate thread, so that other
        /// requests do not wait.
        ask_at_once: usize = 10_000, 0 => 10_000_000;
        /// Maximum size of all indexes in megabytes; the least recently used mind is evicted first.
        index_megabytes: usize = 4096, 1 => 1_000_000;
        /// Maximum size in megabytes of the indexes of small minds, for memories and for messages each. A small mind is quick to read
        /// again, and a thousand recently used ones must not fill the memory of the machine.
        small_index_megabytes: usize = 6, 1 => 1_000_000;
    }
}

policy! {
    /// Combination of evidence into relevance. Measured on Korean and English conversations; see docs/quality.md.
    RelevancePolicy "relevance" {
        /// How quickly repetitions of a word stop counting.
        word_saturation: f32 = 0.9, 0.0 => 10.0;
        /// How much long windows are penalised.
        word_length: f32 = 0.4, 0.0 => 1.0;
        /// Weight of the share of the query's words that the text contains.
        words: f32 = 4.0, 0.0 => 100.0;
        /// Weight of the share of the query's letters that the text contains.
        letters: f32 = 5.0, 0.0 => 100.0;
        /// Weight of the vector similarity, in standard deviations above the other memories of the mind.
        meaning: f32 = 0.6, 0.0 => 100.0;
        /// Share of the evidence of the previous message.
        previous: f32 = 0.4, 0.0 => 10.0;
        /// Additional share if the previous message was a question, because this one answers it.
        asked: f32 = 0.2, 0.0 => 10.0;
        /// Share of the evidence of the next message.
        next: f32 = 0.4, 0.0 => 10.0;
        /// Share of the evidence of a message two positions away.
        two_away: f32 = 0.2, 0.0 => 10.0;
        /// Number of words above which a text passes on and receives less evidence.
        short_words: f32 = 40.0, 1.0 => 10_000.0;
        /// Share of the best evidence in the same session that is added.
        session: f32 = 0.1, 0.0 => 10.0;
        /// Bonus if the person named in the query said it.
        speaker: f32 = 3.0, 0.0 => 100.0;
        /// Penalty if it is a question of somebody the query does not name.
        other_asks: f32 = 1.0, 0.0 => 100.0;
        /// Bonus if it was said on a day named in the query.
        date: f32 = 2.5, 0.0 => 100.0;
        /// Days before a named day that still count, because people give dates loosely.
        days_before: u32 = 1, 0 => 365;
        /// Days after a named day that still count, because people report events later.
        days_after: u32 = 8, 0 => 365;
        /// Penalty for messages of the character, unless the query asks for them.
        character_said: f32 = 4.0, 0.0 => 100.0;
        /// Bonus for a standing instruction, unless the query is about the past.
        standing: f32 = 4.0, 0.0 => 100.0;
        /// Bonus for a preference if the query asks for advice.
        preference: f32 = 1.5, 0.0 => 100.0;
        /// Bonus for naming a time or a number if the query asks for one.
        answer: f32 = 1.5, 0.0 => 100.0;
        /// Number of best results of which the newest is ranked first if the query asks for the current state.
        newest_among: usize = 3, 0 => 100;
        /// Minimum own evidence, as a share of the best result's, to take part in that.
        newest_share: f32 = 0.45, 0.0 => 1.0;
        /// Evidence at which the probability that the answer was found is one half.
        middle: f32 = 8.0, 0.0 => 100.0;
        /// Evidence over which that probability rises from low to high.
        spread: f32 = 1.5, 0.1 => 100.0;
        /// Effect on answerability if the best memory contains what is asked for.
        sure_focus: f32 = 0.6, 0.0 => 10.0;
        /// Effect on answerability if the named person leads over others.
        sure_lead: f32 = 0.6, 0.0 => 10.0;
        /// Negative effect on answerability of a very specific query, which is rarely answered.
        sure_specific: f32 = 0.6, 0.0 => 10.0;
        /// Sum of these effects and the evidence at which an answer is as likely as not.
        sure_middle: f32 = 0.9, -10.0 => 10.0;
        /// How steeply a larger sum raises that probability.
        sure_slope: f32 = 4.0, 0.1 => 100.0;
        /// Share counted as contained if the query does not show what it asks for.
        focus_unread: f32 = 0.5, 0.0 => 1.0;
        /// Points of evidence below the best result at which the relevance used for ranking is 0. At 1, importance and strength together
        /// outweigh a little less than half a point, so they decide among near equals.
        falls_in: f32 = 1.0, 0.1 => 100.0;
        /// Points of evidence below the best result at which the shown relevance falls to about a third.
        shown_in: f32 = 4.0, 0.1 => 100.0;
        /// Number of text windows below which a mind is padded with virtual ones for inverse document frequencies, because an unseen word
        /// is not rare in a mind of three memories.
        imagined_windows: f32 = 200.0, 0.0 => 100_000.0;
        /// Number of virtual unrelated memories added when the spread of the vectors is computed, so that the nearest of three memories
        /// does not count as outstanding.
        imagined_vectors: f32 = 20.0, 0.0 => 10_000.0;
        /// Spread of the vectors of these virtual memories.
        imagined_spread: f32 = 0.12, 0.01 => 1.0;
        /// Similarity below which a vector alone is no evidence.
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
            let problem = crate::phrase!("core.policy.zones_out_of_order");
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
