//! Adjustments of the plan after a cycle: ask for facts or examples, or change the order of the personas.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::primitives::word_enum::word_enum;
use crate::{Evaluation, OrchestrationPolicy, Persona, RhythmPhase, Stance, Unit, first_in_cycle};

word_enum! {
    /// Why a plan was adjusted.
    PlanTrigger "trigger" {
        /// The answers cannot be verified.
        LowVerifiability = "low_verifiability",
        /// The answers have little effect.
        LowImpact = "low_impact",
        /// The risk is high.
        HighRisk = "high_risk",
        /// The rhythm phase is integration.
        RhythmIntegration = "rhythm_integration",
    }
}

word_enum! {
    /// What changes.
    PlanAction "action" {
        /// The personas name a source for each claim and mark what they cannot confirm.
        FactChecking = "fact_checking",
        /// The personas give more examples.
        MoreExamples = "more_examples",
        /// The personas speak in another order.
        ReorderPersonaCycle = "reorder_persona_cycle",
    }
}

/// Parameters of an adjustment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanDetails {
    /// New order of the personas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_order: Vec<String>,
}

/// One adjustment of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanAdjustment {
    /// Reason.
    pub trigger: PlanTrigger,
    /// Change.
    pub action: PlanAction,
    /// Parameters.
    #[serde(default)]
    pub details: PlanDetails,
}

/// The adjustments recorded in a ledger entry. JSON is `null` for none, an object for one, and a list for several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanAdjustments(pub Vec<PlanAdjustment>);

impl Serialize for PlanAdjustments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [] => serializer.serialize_none(),
            [one] => one.serialize(serializer),
            several => several.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for PlanAdjustments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Several(Vec<PlanAdjustment>),
            One(PlanAdjustment),
        }
        Ok(Self(match Option::<Form>::deserialize(deserializer)? {
            None => Vec::new(),
            Some(Form::One(one)) => vec![one],
            Some(Form::Several(several)) => several,
        }))
    }
}

/// What is known after a cycle.
#[derive(Clone, Copy, Debug)]
pub struct CycleOutcome<'a> {
    /// Evaluation; `None` before the first cycle.
    pub evaluation: Option<&'a Evaluation>,
    /// Risk of the question, 0..=1.
    pub risk: Unit,
    /// Rhythm phase of the question.
    pub rhythm: RhythmPhase,
    /// The personas, in the default order of the cycle.
    pub personas: &'a [Persona],
}

/// Returns the adjustments: verifiability below `least_verifiability` asks for facts, impact below `least_impact` for examples; high
/// risk puts the opposing voice first, otherwise integration puts the joining voice first.
pub fn adjustments(outcome: &CycleOutcome<'_>, policy: &OrchestrationPolicy) -> Vec<PlanAdjustment> {
    let plain = |trigger, action| PlanAdjustment { trigger, action, details: PlanDetails::default() };
    let mut found = Vec::new();
    if outcome.evaluation.is_some_and(|evaluation| evaluation.verifiability.get() < policy.least_verifiability) {
        found.push(plain(PlanTrigger::LowVerifiability, PlanAction::FactChecking));
    }
    if outcome.evaluation.is_some_and(|evaluation| evaluation.impact.get() < policy.least_impact) {
        found.push(plain(PlanTrigger::LowImpact, PlanAction::MoreExamples));
    }
    let (trigger, stance) = match () {
        () if outcome.risk.get() >= policy.high_risk => (PlanTrigger::HighRisk, Stance::Oppose),
        () if outcome.rhythm == RhythmPhase::Integration => (PlanTrigger::RhythmIntegration, Stance::Join),
        () => return found,
    };
    let order: Vec<String> = outcome.personas.iter().map(|persona| persona.id.clone()).collect();
    if let Some(new_order) = first_in_cycle(&order, outcome.personas, stance) {
        found.push(PlanAdjustment { trigger, action: PlanAction::ReorderPersonaCycle, details: PlanDetails { new_order } });
    }
    found
}

/// Returns the order of the next cycle: the last new order among the adjustments that names exactly these personas, otherwise the
/// default order.
pub fn cycle_order(adjustments: &[PlanAdjustment], personas: &[Persona]) -> Vec<String> {
    let usual: Vec<String> = personas.iter().map(|persona| persona.id.clone()).collect();
    let same = |order: &&Vec<String>| {
        let (mut one, mut other) = ((*order).clone(), usual.clone());
        one.sort();
        other.sort();
        one == other
    };
    let new = adjustments.iter().rev().map(|adjustment| &adjustment.details.new_order).filter(|order| !order.is_empty());
    new.into_iter().find(same).cloned().unwrap_or(usual)
}

/// Whether an action is among the adjustments.
pub fn asks_for(adjustments: &[PlanAdjustment], action: PlanAction) -> bool {
    adjustments.iter().any(|adjustment| adjustment.action == action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RULES_BACKEND;

    fn personas() -> Vec<Persona> {
        let persona = |id: &str, stance| Persona {
            id: id.into(),
            name: id.into(),
            name_ko: None,
            role: id.into(),
            stance,
            system_en: String::new(),
            system_ko: String::new(),
            backend: RULES_BACKEND.into(),
            order: 0,
        };
        vec![persona("thesis", Stance::Assert), persona("antithesis", Stance::Oppose), persona("synthesis", Stance::Join)]
    }

    fn evaluation(impact: f32, verifiability: f32) -> Evaluation {
        let [impact, verifiability] = [impact, verifiability].map(Unit::clamped);
        Evaluation { impact, transparency: Unit::ONE, reproducibility: Unit::ONE, verifiability }
    }

    fn check(scores: Option<(f32, f32)>, (risk, rhythm): (f32, RhythmPhase), actions: &[&str], first: &str) {
        let (personas, policy) = (personas(), OrchestrationPolicy::default());
        let evaluation = scores.map(|(impact, verifiability)| evaluation(impact, verifiability));
        let outcome = CycleOutcome { evaluation: evaluation.as_ref(), risk: Unit::clamped(risk), rhythm, personas: &personas };
        let found = adjustments(&outcome, &policy);
        assert_eq!(found.iter().map(|one| one.action.as_str()).collect::<Vec<_>>(), actions, "{scores:?} {risk} {rhythm}");
        assert_eq!(cycle_order(&found, &personas)[0], first, "{scores:?} {risk} {rhythm}");
    }

    #[test]
    fn a_cycle_is_followed_by_the_reactions_of_the_specification() {
        use RhythmPhase::{Exploration, Integration};
        check(None, (0.0, Exploration), &[], "thesis");
        check(Some((0.9, 0.9)), (0.0, Exploration), &[], "thesis");
        check(Some((0.9, 0.4)), (0.0, Exploration), &["fact_checking"], "thesis");
        check(Some((0.9, 0.6)), (0.0, Exploration), &[], "thesis");
        check(Some((0.4, 0.9)), (0.0, Exploration), &["more_examples"], "thesis");
        check(Some((0.5, 0.9)), (0.0, Exploration), &[], "thesis");
        check(Some((0.9, 0.9)), (0.7, Exploration), &["reorder_persona_cycle"], "antithesis");
        check(Some((0.9, 0.9)), (0.0, Integration), &["reorder_persona_cycle"], "synthesis");
        check(Some((0.1, 0.1)), (1.0, Integration), &["fact_checking", "more_examples", "reorder_persona_cycle"], "antithesis");
    }

    #[test]
    fn an_order_of_other_personas_does_not_apply() {
        let stale = PlanAdjustment {
            trigger: PlanTrigger::HighRisk,
            action: PlanAction::ReorderPersonaCycle,
            details: PlanDetails { new_order: vec!["critic".into(), "thesis".into(), "synthesis".into()] },
        };
        assert_eq!(cycle_order(&[stale], &personas()), ["thesis", "antithesis", "synthesis"]);
    }

    #[test]
    fn adjustments_are_written_as_the_document_writes_one() {
        let policy = OrchestrationPolicy::default();
        let (low, personas) = (evaluation(0.1, 0.1), personas());
        let outcome = CycleOutcome { evaluation: Some(&low), risk: Unit::ONE, rhythm: RhythmPhase::Planning, personas: &personas };
        let several = PlanAdjustments(adjustments(&outcome, &policy));
        let json = |adjustments: &PlanAdjustments| serde_json::to_value(adjustments).unwrap();
        assert_eq!(json(&PlanAdjustments::default()), serde_json::Value::Null);
        let one = json(&PlanAdjustments(several.0[2..].to_vec()));
        let order = serde_json::json!({ "new_order": ["antithesis", "thesis", "synthesis"] });
        assert_eq!(one, serde_json::json!({ "trigger": "high_risk", "action": "reorder_persona_cycle", "details": order }));
        assert_eq!(json(&several).as_array().map(Vec::len), Some(3));
        for adjustments in [PlanAdjustments::default(), PlanAdjustments(several.0[..1].to_vec()), several] {
            assert_eq!(serde_json::from_value::<PlanAdjustments>(json(&adjustments)).unwrap(), adjustments);
        }
    }
}
