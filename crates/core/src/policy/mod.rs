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

/// Importance, appraisal, zones, strength and mood.
mod memories;
/// Dialogues between personas.
mod orchestration;
/// Ranking of results and the evidence behind it.
mod retrieval;
/// Islands, beliefs, proposals, imagination and agents.
mod selfhood;
/// Language models.
mod thinking;
/// Tiers, promotion, consolidation, pruning, the cliff and retention.
mod time;
/// Candidates, admission, the relationship and the context.
mod turns;

pub use memories::{AppraisalPolicy, ImportancePolicy, MoodPolicy, StrengthPolicy, ZonePolicy};
pub use orchestration::OrchestrationPolicy;
pub use retrieval::{RecallPolicy, RelevancePolicy};
pub use selfhood::{AgentPolicy, BeliefPolicy, ImaginationPolicy, IslandPolicy, ProposalPolicy};
pub use thinking::ThinkingPolicy;
pub use time::{CliffPolicy, PromotionPolicy, RetentionPolicy, ThinningPolicy, TierPolicy};
pub use turns::{AdmissionPolicy, CandidatePolicy, ContextPolicy, RelationshipPolicy};

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
    /// Personas.
    pub orchestration: OrchestrationPolicy,
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
        self.orchestration.check()?;
        let zone = &self.zone;
        let ordered = zone.core_from > zone.inner_from && zone.inner_from > zone.outer_from && zone.outer_from > zone.belt_from;
        if !ordered {
            let problem = crate::phrase!("core.policy.zones_out_of_order");
            return Err(Invalid::new("zone", problem));
        }
        if self.orchestration.affect_from >= self.orchestration.affect_to {
            return Err(Invalid::new("orchestration.affect_from", crate::phrase!("core.policy.affect_window_empty")));
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
            OrchestrationPolicy::fields(),
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
