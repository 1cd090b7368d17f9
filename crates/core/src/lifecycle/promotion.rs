//! Promotion: when and why a memory moves to a longer tier.

use crate::primitives::word_enum::word_enum;
use crate::{Emotion, Memory, PromotionPolicy, Source, Span, Tier, Timestamp};

word_enum! {
    /// Reason of a promotion.
    PromotionReason "reason" {
        /// The topic came up repeatedly.
        Repeated = "repeated",
        /// It was recalled often.
        Recalled = "recalled",
        /// Its emotion is intense.
        Moved = "moved",
        /// The user asked to remember it.
        Remember = "remember",
        /// It changed the character's behaviour.
        ChangedBehaviour = "changed_behaviour",
        /// It belongs to an island.
        Island = "island",
        /// It is at least a year old.
        Lasting = "lasting",
        /// It supports a belief.
        Belief = "belief",
        /// It founds an island.
        Founds = "founds",
    }
}

/// Context of a memory that its promotion depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Number of mentions of its topic among the memories of its tier, including itself.
    pub topic: u32,
    /// Whether it supports a belief.
    pub belief: bool,
    /// Whether it founds an island.
    pub founds: bool,
}

/// A promotion with all its reasons.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Promotion {
    /// Target tier.
    pub to: Tier,
    /// Reasons; never empty.
    pub reasons: Vec<PromotionReason>,
}

/// Returns the promotion a memory qualifies for at `now`, if any. A promotion to M0 is only a recommendation.
pub fn promotion(memory: &Memory, around: Around, now: Timestamp, policy: &PromotionPolicy) -> Option<Promotion> {
    let feeling = &memory.feeling;
    let (to, checks): (Tier, &[(bool, PromotionReason)]) = match memory.tier {
        Tier::M30 => (
            Tier::M90,
            &[
                (around.topic >= policy.m30_topic, PromotionReason::Repeated),
                (memory.recalls >= policy.m30_recalls, PromotionReason::Recalled),
                (feeling.intensity.get() > policy.m30_intensity, PromotionReason::Moved),
                (memory.remember_this, PromotionReason::Remember),
            ],
        ),
        Tier::M90 => (
            Tier::M365,
            &[
                (memory.recalls >= policy.m90_recalls, PromotionReason::Recalled),
                (memory.changed_behaviour, PromotionReason::ChangedBehaviour),
                (feeling.intensity.get() > policy.m90_intensity && several(memory), PromotionReason::Moved),
                (memory.island.is_some(), PromotionReason::Island),
            ],
        ),
        Tier::M365 => (
            Tier::M0,
            &[
                (now.since(memory.kept_since()) >= Span::days(i64::from(policy.m365_days)), PromotionReason::Lasting),
                (memory.recalls >= policy.m365_recalls, PromotionReason::Recalled),
                (around.belief, PromotionReason::Belief),
                (around.founds, PromotionReason::Founds),
            ],
        ),
        Tier::M0 => return None,
    };
    // The character's own messages and imaginations never become core.
    if to == Tier::M0 && memory.trust.get() < policy.core_trust {
        return None;
    }
    let reasons: Vec<PromotionReason> = checks.iter().filter(|(holds, _)| *holds).map(|(_, reason)| *reason).collect();
    (!reasons.is_empty()).then_some(Promotion { to, reasons })
}

/// Returns the promotion a memory qualifies for on its own, independent of its topic; it then keeps its own wording.
pub fn stands_out(memory: &Memory, now: Timestamp, policy: &PromotionPolicy) -> Option<Promotion> {
    promotion(memory, Around::default(), now, policy)
}

/// Whether a memory keeps its own wording even if its topic has an essence: the user asked to remember it, it changed behaviour,
/// belongs to an island, is a life event (as `is_life_event` reads its text), or is as intense as an M365 memory. One good coffee
/// among fifty does not qualify.
pub fn stands_apart(memory: &Memory, policy: &PromotionPolicy, is_life_event: fn(&str) -> bool) -> bool {
    let shown = memory.remember_this || memory.changed_behaviour || memory.island.is_some();
    shown || memory.feeling.intensity.get() > policy.m90_intensity || is_life_event(&memory.content)
}

/// Whether an essence summarizes a topic that was mentioned often enough that further mentions are added to it. An essence that
/// qualified on its own keeps its wording and absorbs nothing.
pub fn is_of_a_topic(essence: &Memory, policy: &PromotionPolicy, is_life_event: fn(&str) -> bool) -> bool {
    essence.source == Source::Distillation && essence.told() >= policy.m30_topic && !stands_apart(essence, policy, is_life_event)
}

fn several(memory: &Memory) -> bool {
    memory.feeling.emotions.iter().filter(|emotion| *emotion != Emotion::Neutral).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memories::memory::tests::plain;
    use crate::{Emotions, Feeling, IslandId, Unit};

    const AT: Timestamp = Timestamp::from_millis(1_780_000_000_000);

    fn check(change: impl FnOnce(&mut Memory, &mut Around), to: Option<(Tier, &[PromotionReason])>) {
        let (mut memory, mut around) = (plain(AT), Around { topic: 1, ..Around::default() });
        change(&mut memory, &mut around);
        let now = AT.plus(Span::days(20));
        let found = promotion(&memory, around, now, &PromotionPolicy::default());
        assert_eq!(found.as_ref().map(|found| (found.to, found.reasons.as_slice())), to);
    }

    fn felt(intensity: f32, emotions: &[Emotion]) -> Feeling {
        Feeling::named(Emotions::mix(emotions.iter().copied()), Unit::clamped(intensity))
    }

    #[test]
    fn the_table_of_moves() {
        use PromotionReason::*;
        check(|_, _| {}, None);
        check(|_, around| around.topic = 3, Some((Tier::M90, &[Repeated])));
        check(|_, around| around.topic = 2, None);
        check(|memory, _| memory.recalls = 3, Some((Tier::M90, &[Recalled])));
        check(|memory, _| memory.feeling = felt(0.71, &[Emotion::Joy]), Some((Tier::M90, &[Moved])));
        check(|memory, _| memory.feeling = felt(0.7, &[Emotion::Joy]), None);
        check(|memory, _| memory.remember_this = true, Some((Tier::M90, &[Remember])));
        let m90 = |memory: &mut Memory| memory.tier = Tier::M90;
        check(|memory, around| (m90(memory), around.topic = 9).1, None);
        check(|memory, _| (m90(memory), memory.recalls = 5).1, Some((Tier::M365, &[Recalled])));
        check(|memory, _| (m90(memory), memory.changed_behaviour = true).1, Some((Tier::M365, &[ChangedBehaviour])));
        check(|memory, _| (m90(memory), memory.feeling = felt(0.9, &[Emotion::Joy])).1, None);
        check(|memory, _| (m90(memory), memory.feeling = felt(0.9, &[Emotion::Joy, Emotion::Fear])).1, Some((Tier::M365, &[Moved])));
        check(|memory, _| (m90(memory), memory.island = Some(IslandId::new(AT, [1; 10]))).1, Some((Tier::M365, &[Island])));
        let m365 = |memory: &mut Memory| memory.tier = Tier::M365;
        check(|memory, _| (m365(memory), memory.recalls = 10).1, Some((Tier::M0, &[Recalled])));
        check(|memory, _| (m365(memory), memory.recalls = 9).1, None);
        check(|memory, around| (m365(memory), around.belief = true, around.founds = true).2, Some((Tier::M0, &[Belief, Founds])));
        check(|memory, _| (m365(memory), memory.created_at = AT.minus(Span::days(345))).1, Some((Tier::M0, &[Lasting])));
        check(|memory, around| (m365(memory), memory.trust = Unit::clamped(0.5), around.belief = true).2, None);
        check(|memory, _| (memory.tier = Tier::M0, memory.recalls = 999).1, None);
    }

    #[test]
    fn only_what_was_told_often_and_never_stood_out_is_of_a_topic() {
        let policy = PromotionPolicy::default();
        let essence = Memory { source: Source::Distillation, mentions: 2, ..plain(AT) };
        let is_life_event = |text: &str| text.contains("wedding");
        assert!(is_of_a_topic(&essence, &policy, is_life_event));
        for other in [
            Memory { mentions: 1, ..essence.clone() },
            Memory { content: "the wedding".into(), ..essence.clone() },
            Memory { source: Source::User, ..essence.clone() },
            Memory { remember_this: true, ..essence.clone() },
            Memory { feeling: felt(0.9, &[Emotion::Sadness]), ..essence.clone() },
        ] {
            assert!(!is_of_a_topic(&other, &policy, is_life_event), "{other:?}");
        }
        assert!(stands_out(&Memory { remember_this: true, ..plain(AT) }, AT, &policy).is_some());
        assert!(stands_out(&Memory { mentions: 9, ..plain(AT) }, AT, &policy).is_none(), "that is repetition");
    }
}
