//! How well a memory answers a question: its own evidence, its neighbours', and what the question is after.

use crate::{Marks, Part, Question, RelevancePolicy};

/// How much of a question a memory holds by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The share of the question's words it holds; about one when it holds them all.
    pub words: f32,
    /// The share of the question's letters it holds.
    pub letters: f32,
    /// How far its vector stands out from the mind's others, in standard deviations.
    pub meaning: f32,
}

/// A memory's own evidence as one number.
pub fn own_evidence(evidence: Evidence, policy: &RelevancePolicy) -> f32 {
    policy.words * evidence.words + policy.letters * evidence.letters + policy.meaning * evidence.meaning
}

/// Who told a memory, as far as ranking cares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Teller {
    /// Nobody in particular.
    #[default]
    Unknown,
    /// The user.
    User,
    /// The character.
    Character,
}

/// A memory as it was told: by whom, next to what, on which day, in which words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Told {
    /// Its own evidence.
    pub own: Evidence,
    /// The evidence of what was said right before, right after, and two places away, each held back where long.
    pub previous: f32,
    /// See `previous`.
    pub next: f32,
    /// See `previous`; both sides together.
    pub two_away: f32,
    /// Whether what was said right before is a question.
    pub answers: bool,
    /// How much it lends and borrows: 1 for short texts, less for long ones.
    pub openness: f32,
    /// The best own evidence in its session.
    pub session: f32,
    /// Whether the person the question names said it; `None` when it names nobody or everybody.
    pub named_speaker: Option<bool>,
    /// Whether it was said on a day the question names.
    pub on_day: bool,
    /// Who told it.
    pub teller: Teller,
    /// What it says about itself.
    pub marks: Marks,
}

impl Told {
    /// Everything that speaks for and against it, part by part. The sum is its evidence.
    pub fn parts(&self, question: &Question, policy: &RelevancePolicy) -> Vec<Part> {
        let set = |seen: bool| f32::from(u8::from(seen));
        let by_user = self.teller != Teller::Character;
        let answer = set(self.answers) * self.previous.max(0.0);
        let around = policy.previous * self.previous + policy.asked * answer + policy.next * self.next + policy.two_away * self.two_away;
        let speaker = match self.named_speaker {
            Some(true) => policy.speaker,
            Some(false) if self.marks.asks => -policy.other_asks,
            _ => 0.0,
        };
        let kept_back = self.teller == Teller::Character && !question.asks_character;
        let asked_for = set(question.when && self.marks.time) + set(question.how_many && self.marks.number);
        let all = [
            ("words", policy.words, self.own.words),
            ("letters", policy.letters, self.own.letters),
            ("meaning", policy.meaning, self.own.meaning),
            ("neighbours", self.openness, around),
            ("session", policy.session, self.session),
            ("speaker", 1.0, speaker),
            ("date", policy.date, set(self.on_day)),
            ("role", policy.character_said, -set(kept_back)),
            ("standing", policy.standing, set(self.marks.standing && !question.looks_back && own_evidence(self.own, policy) > 0.0)),
            ("preference", policy.preference, set(by_user && question.advice && self.marks.preference)),
            ("answer", policy.answer, if by_user { asked_for } else { 0.0 }),
        ];
        let spoken = |(name, weight, value): (&'static str, f32, f32)| (value != 0.0).then(|| Part::new(name, weight, value));
        all.into_iter().filter_map(spoken).collect()
    }
}

/// What the best memories say about whether the question can be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Findings {
    /// The best evidence.
    pub best: f32,
    /// How much of what is asked for the best memory holds, 0..=1.
    pub focus: f32,
    /// How far the named person's memories lead over others', -1..=1.
    pub lead: f32,
}

/// How sure it is that the question can be answered at all, 0..=1.
pub fn confidence(found: Findings, question: &Question, policy: &RelevancePolicy) -> f32 {
    let Findings { best, focus, lead } = found;
    let found = sigmoid((best - policy.middle) / policy.spread);
    let exacting = if question.specific { policy.sure_specific } else { 0.0 };
    let speaks = found + policy.sure_focus * focus + policy.sure_lead * lead - exacting;
    sigmoid(policy.sure_slope * (speaks - policy.sure_middle))
}

/// How close a memory's evidence comes to the best one's: 1 for the best, less by the same step for every point it lacks,
/// below zero for what is far behind. A straight line keeps importance from outweighing points of evidence anywhere.
///
/// `closeness = 1 - (best - evidence) / falls_in`
pub fn closeness(evidence: f32, best: f32, policy: &RelevancePolicy) -> f32 {
    1.0 - (best - evidence) / policy.falls_in
}

/// What an order for good loses of its bonus so that the bonus alone does not put it before the best other memory.
pub fn standing_excess(evidence: f32, best_other: f32, policy: &RelevancePolicy) -> f32 {
    (evidence - best_other + 0.01).clamp(0.0, policy.standing)
}

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn total(told: &Told, question: &str) -> f32 {
        told.parts(&Question::of(question), &RelevancePolicy::default()).iter().map(|part| part.weight * part.value).sum()
    }

    proptest! {
        /// More of the question's words, letters or meaning never makes a memory less relevant.
        #[test]
        fn evidence_only_helps(words in 0.0f32..1.5, letters in 0.0f32..1.5, meaning in -3.0f32..6.0, more in 0.0f32..1.0) {
            let told = |words, letters, meaning| Told { own: Evidence { words, letters, meaning }, openness: 1.0, ..Told::default() };
            let plain = total(&told(words, letters, meaning), "커피 좋아해?");
            prop_assert!(total(&told(words + more, letters, meaning), "커피 좋아해?") >= plain);
            prop_assert!(total(&told(words, letters + more, meaning), "커피 좋아해?") >= plain);
            prop_assert!(total(&told(words, letters, meaning + more), "커피 좋아해?") >= plain);
        }

        #[test]
        fn confidence_grows_with_evidence(best in 0.0f32..20.0, more in 0.0f32..5.0, focus in 0.0f32..1.0) {
            let (question, policy) = (Question::of("which specific book?"), RelevancePolicy::default());
            let sure = |best, focus| confidence(Findings { best, focus, lead: 0.0 }, &question, &policy);
            let plain = sure(best, focus);
            let easy = confidence(Findings { best, focus, lead: 0.0 }, &Question::of("which book?"), &policy);
            prop_assert!(plain < easy, "insisting on something specific makes less sure");
            prop_assert!((0.0..=1.0).contains(&plain));
            prop_assert!(sure(best + more, focus) >= plain);
            prop_assert!(sure(best, (focus + more).min(1.0)) >= plain);
        }
    }

    #[test]
    fn what_the_character_said_is_held_back_unless_asked_for() {
        let told = Told { teller: Teller::Character, ..Told::default() };
        assert!(total(&told, "Where do I live?") < 0.0);
        assert_eq!(total(&told, "What did you recommend?"), 0.0);
    }

    #[test]
    fn the_named_person_is_preferred() {
        let by = |named| Told { named_speaker: named, marks: Marks { asks: true, ..Marks::default() }, ..Told::default() };
        assert!(total(&by(Some(true)), "What does Mina like?") > total(&by(None), "What does Mina like?"));
        assert!(total(&by(Some(false)), "What does Mina like?") < total(&by(None), "What does Mina like?"));
    }
}
