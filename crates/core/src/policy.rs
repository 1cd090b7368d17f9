//! Every number a rule uses, by name, with its default, its range and the reason for it.

use serde::{Deserialize, Serialize};

use crate::Invalid;

/// One tunable as documents and the commented configuration file show it.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyField {
    /// The table it stands in.
    pub table: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its default, written as in the configuration file.
    pub default: String,
    /// The values it may take.
    pub range: String,
    /// Why it is there and why it has this default.
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
                        $crate::phrase!("{:?} is not in the range {:?} to {:?}", "{:?}은(는) 쓸 수 없어요. {:?}에서 {:?} 사이여야 해요", self.$field, $low, $high),
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

/// The self, and who may touch it.
mod selfhood;
/// Models that think.
mod thinking;
/// Terms, promotion, thinning, the cliff.
mod time;
/// Candidates, admission, the relationship, the context.
mod turns;

pub use selfhood::*;
pub use thinking::*;
pub use time::*;
pub use turns::*;

policy! {
    /// How much a memory matters in itself.
    ImportancePolicy "importance" {
        /// What an ordinary memory starts from.
        base: f32 = 0.3, 0.0 => 1.0;
        /// What five stars add.
        rating: f32 = 0.3, 0.0 => 1.0;
        /// What each memory that refers to it adds.
        per_reference: f32 = 0.05, 0.0 => 1.0;
        /// The most that references can add.
        references_at_most: f32 = 0.2, 0.0 => 1.0;
        /// What the strongest sentiment adds.
        feeling: f32 = 0.2, 0.0 => 1.0;
    }
}

policy! {
    /// How the four questions of an appraisal weigh; they are brought to a sum of one.
    AppraisalPolicy "appraisal" {
        /// Does it hold a concrete fact or figure?
        factual: f32 = 0.3, 0.0 => 1.0;
        /// Does it hold a strong feeling or experience?
        emotional: f32 = 0.2, 0.0 => 1.0;
        /// Can something be done about it?
        actionable: f32 = 0.3, 0.0 => 1.0;
        /// Did someone say that it is important?
        explicit: f32 = 0.2, 0.0 => 1.0;
    }
}

policy! {
    /// How near to mind a memory is.
    ZonePolicy "zone" {
        /// Weight of how often it was recalled.
        recall_weight: f32 = 0.25, 0.0 => 1.0;
        /// Weight of how long ago it was recalled; always counts against it.
        freshness_weight: f32 = 0.30, 0.0 => 1.0;
        /// Weight of its appraisal.
        appraisal_weight: f32 = 0.25, 0.0 => 1.0;
        /// Weight of its similarity to the conversation at hand.
        context_weight: f32 = 0.20, 0.0 => 1.0;
        /// Recalls at which the recall score would reach one; it is clamped just below, so it never does.
        recall_cap: u32 = 1000, 2 => 1_000_000;
        /// Days without a recall until freshness rests at its floor of -1.
        floor_days: f64 = 30.0, 0.01 => 36_500.0;
        /// Least score of the core.
        core_from: f32 = 0.50, -1.0 => 1.0;
        /// Least score of the inner zone.
        inner_from: f32 = 0.30, -1.0 => 1.0;
        /// Least score of the outer zone.
        outer_from: f32 = 0.10, -1.0 => 1.0;
        /// Least score of the belt; below it lies the cloud.
        belt_from: f32 = -0.10, -1.0 => 1.0;
        /// How many memories the core has room for.
        core_room: usize = 20, 1 => 100_000;
        /// How many memories the inner zone has room for.
        inner_room: usize = 100, 1 => 1_000_000;
        /// How many memories the outer zone has room for.
        outer_room: usize = 1000, 1 => 10_000_000;
        /// Days a memory in the cloud may go unrecalled before it enters the cliff.
        auto_forget_days: u32 = 90, 1 => 36_500;
        /// Seconds between two rebalances of an active mind.
        rebalance_seconds: u32 = 300, 1 => 86_400;
        /// Messages the context is the running average of.
        context_turns: usize = 6, 1 => 100;
        /// What each message counts of the one after it.
        context_keeps: f32 = 0.8, 0.0 => 1.0;
    }
}

policy! {
    /// How vividness fades with conversation.
    StrengthPolicy "strength" {
        /// Turns from one step of fading to the next.
        every_turns: u32 = 5, 1 => 10_000;
        /// At or below this a memory fades no further; pruning decides what becomes of it.
        fades_above: f32 = 0.1, 0.0 => 1.0;
        /// What an episodic memory keeps of its strength at each step.
        episodic: f32 = 0.95, 0.0 => 1.0;
        /// What an emotional memory keeps.
        emotional: f32 = 0.97, 0.0 => 1.0;
        /// What a semantic memory keeps.
        semantic: f32 = 0.98, 0.0 => 1.0;
        /// How much intensity slows fading.
        intensity_share: f32 = 0.4, 0.0 => 1.0;
        /// How much importance slows fading.
        importance_share: f32 = 0.3, 0.0 => 1.0;
        /// What being recalled or met again adds, up to full strength.
        renewal: f32 = 0.2, 0.0 => 1.0;
        /// No memory keeps more than this at a step: everything fades a little.
        keeps_at_most: f32 = 0.995, 0.0 => 1.0;
    }
}

policy! {
    /// What the character feels now, and how that passes.
    MoodPolicy "mood" {
        /// Minutes in which a mood falls to half.
        half_life_minutes: u32 = 120, 1 => 100_000;
        /// How far a recalled memory of full intensity draws the mood toward its feeling.
        recall_pull: f32 = 0.5, 0.0 => 1.0;
        /// Below this every emotion of a mood is gone and it is neutral.
        neutral_below: f32 = 0.05, 0.0 => 1.0;
    }
}

policy! {
    /// How recall ranks what it found.
    RecallPolicy "recall" {
        /// Weight of how well it fits the question.
        relevance_weight: f32 = 0.7, 0.0 => 1.0;
        /// Weight of importance.
        importance_weight: f32 = 0.2, 0.0 => 1.0;
        /// Weight of strength.
        strength_weight: f32 = 0.1, 0.0 => 1.0;
        /// How many memories with the best evidence of their own are looked at closely.
        pool: usize = 200, 10 => 10_000;
        /// Relevance below which nothing is said to fit.
        fits_from: f32 = 0.25, 0.0 => 1.0;
        /// Minds up to this many memories are indexed in memory at the first question; larger ones in the background.
        index_at_once: u64 = 30_000, 0 => 10_000_000;
        /// How many memories are read into an index at a time: a large mind is never held twice.
        index_page: usize = 8192, 16 => 1_000_000;
        /// Minds up to this many memories are searched right where the question comes in; larger ones on a thread of their
        /// own, so that nobody else waits.
        ask_at_once: usize = 10_000, 0 => 10_000_000;
        /// Megabytes all indexes together may take; the mind unused longest goes first.
        index_megabytes: usize = 4096, 1 => 1_000_000;
        /// Megabytes the indexes of small minds may take together, of memories and of turns each. A small mind is soon read
        /// again, and a thousand of them that somebody talked to today must not fill a machine.
        small_index_megabytes: usize = 6, 1 => 1_000_000;
    }
}

policy! {
    /// How evidence adds up to relevance. Set by measurement on Korean and English conversations; see docs/quality.md.
    RelevancePolicy "relevance" {
        /// How soon repeating a word stops counting.
        word_saturation: f32 = 0.9, 0.0 => 10.0;
        /// How much long windows are held back.
        word_length: f32 = 0.4, 0.0 => 1.0;
        /// Weight of the share of the question's words it holds.
        words: f32 = 4.0, 0.0 => 100.0;
        /// Weight of the share of the question's letters it holds.
        letters: f32 = 5.0, 0.0 => 100.0;
        /// Weight of how far its vector stands out from the mind's others, in standard deviations.
        meaning: f32 = 0.6, 0.0 => 100.0;
        /// Share of the evidence of what was said right before.
        previous: f32 = 0.4, 0.0 => 10.0;
        /// A further share when that was a question: this is its answer.
        asked: f32 = 0.2, 0.0 => 10.0;
        /// Share of the evidence of what was said right after.
        next: f32 = 0.4, 0.0 => 10.0;
        /// Share of the evidence of what was said two places away.
        two_away: f32 = 0.2, 0.0 => 10.0;
        /// Texts longer than this many words lend and borrow less.
        short_words: f32 = 40.0, 1.0 => 10_000.0;
        /// Share of the best evidence in the same session.
        session: f32 = 0.1, 0.0 => 10.0;
        /// Said by the person the question names.
        speaker: f32 = 3.0, 0.0 => 100.0;
        /// Asked by someone the question does not name.
        other_asks: f32 = 1.0, 0.0 => 100.0;
        /// Said on a day the question names.
        date: f32 = 2.5, 0.0 => 100.0;
        /// Days before a named day that still count: people date things loosely.
        days_before: u32 = 1, 0 => 365;
        /// Days after a named day that still count: people tell later what happened.
        days_after: u32 = 8, 0 => 365;
        /// Held against what the character said, unless the question asks for that.
        character_said: f32 = 4.0, 0.0 => 100.0;
        /// An order for good, unless the question looks back.
        standing: f32 = 4.0, 0.0 => 100.0;
        /// A taste, when advice is asked for.
        preference: f32 = 1.5, 0.0 => 100.0;
        /// It names a time or a number when one is asked for.
        answer: f32 = 1.5, 0.0 => 100.0;
        /// Of so many best, the newest goes first when the question asks how things stand.
        newest_among: usize = 3, 0 => 100;
        /// Only those with this share of the best one's own evidence take part in that.
        newest_share: f32 = 0.45, 0.0 => 1.0;
        /// The evidence at which it is as likely as not that the answer was found.
        middle: f32 = 8.0, 0.0 => 100.0;
        /// How much evidence turns a doubt into certainty.
        spread: f32 = 1.5, 0.1 => 100.0;
        /// How much it tells about being answerable that the best memory holds what is asked for.
        sure_focus: f32 = 0.6, 0.0 => 10.0;
        /// How much it tells that the person named leads over others.
        sure_lead: f32 = 0.6, 0.0 => 10.0;
        /// How much it tells against it that the question insists on something specific: those are seldom answered.
        sure_specific: f32 = 0.6, 0.0 => 10.0;
        /// The sum of these and the evidence's own share at which it is as likely as not that there is an answer.
        sure_middle: f32 = 0.9, -10.0 => 10.0;
        /// How steeply a larger sum turns doubt into certainty.
        sure_slope: f32 = 4.0, 0.1 => 100.0;
        /// The share of what is asked for that counts as held where the question does not show what it asks for.
        focus_unread: f32 = 0.5, 0.0 => 1.0;
        /// Points of evidence short of the best at which relevance to the ranking is nothing. With one, all of importance and
        /// strength together can make up for a little less than half a point: they decide among near equals.
        falls_in: f32 = 1.0, 0.1 => 100.0;
        /// Points of evidence short of the best in which relevance falls to about a third: what is still shown as fitting.
        shown_in: f32 = 4.0, 0.1 => 100.0;
        /// A mind with fewer windows of text than this is filled up with imagined ones when the rarity of words is worked
        /// out: what a mind of three memories has not heard is not therefore rare.
        imagined_windows: f32 = 200.0, 0.0 => 100_000.0;
        /// Unrelated memories a mind is imagined to have beside its own when the spread of its vectors is worked out, so
        /// that in a mind of three the nearest is not taken for outstanding.
        imagined_vectors: f32 = 20.0, 0.0 => 10_000.0;
        /// How far the vectors of these spread around nothing in common.
        imagined_spread: f32 = 0.12, 0.01 => 1.0;
        /// Similarity below which a vector alone speaks for nothing.
        similar_from: f32 = 0.35, 0.0 => 1.0;
    }
}

/// All policies of a mind, as the configuration file holds them.
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
    /// Consolidation and pruning.
    pub thinning: ThinningPolicy,
    /// Retention by session.
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
    /// Checks every field against its range, and that zones lie in order.
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
                "core_from, inner_from, outer_from and belt_from must decrease in this order",
                "core_from, inner_from, outer_from, belt_from 순서로 작아져야 해요"
            );
            return Err(Invalid::new("zone", problem));
        }
        Ok(())
    }

    /// Every tunable there is, in the order of the configuration file.
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
