//! Relevance of a memory to a query: its own evidence, that of its neighbours, and what the query asks for.

use crate::{Marks, Part, Question, RelevancePolicy};

/// Evidence in a memory's own text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Share of the query's words it contains, weighted by rarity; about 1 if it contains all.
    pub words: f32,
    /// Share of the query's letter n-grams it contains.
    pub letters: f32,
    /// How far its vector similarity stands out from the mind's others, in standard deviations.
    pub meaning: f32,
}

/// Combines a memory's own evidence into one number.
pub fn own_evidence(evidence: Evidence, policy: &RelevancePolicy) -> f32 {
    policy.words * evidence.words + policy.letters * evidence.letters + policy.meaning * evidence.meaning
}

/// Author of a memory, as far as ranking depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Teller {
    /// Unknown.
    #[default]
    Unknown,
    /// The user.
    User,
    /// The character.
    Character,
}

/// A memory in its conversation: author, neighbours, date and text features.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConversationEvidence {
    /// Own evidence.
    pub own: Evidence,
    /// Evidence of the preceding message, reduced for long texts.
    pub previous: f32,
    /// Evidence of the following message, reduced for long texts.
    pub next: f32,
    /// Evidence of the messages two places away on both sides, reduced for long texts.
    pub two_away: f32,
    /// Whether the preceding message is a question.
    pub answers: bool,
    /// How much evidence it shares with its neighbours: 1 for short texts, less for long ones.
    pub openness: f32,
    /// Best own evidence in its session.
    pub session: f32,
    /// Whether the person named in the query is the author; `None` if the query names no one or everyone.
    pub named_speaker: Option<bool>,
    /// Whether it is from a day named in the query.
    pub on_day: bool,
    /// Author.
    pub teller: Teller,
    /// Features of its text.
    pub marks: Marks,
}

impl ConversationEvidence {
    /// Returns all contributions to its evidence; their sum is the total evidence.
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

/// Features of the best results from which the confidence is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Findings {
    /// Highest evidence.
    pub best: f32,
    /// How much of the requested information the best memory contains, 0..=1.
    pub focus: f32,
    /// Lead of the named person's memories over others', -1..=1.
    pub lead: f32,
}

/// Returns the probability that the query can be answered at all, 0..=1.
pub fn confidence(found: Findings, question: &Question, policy: &RelevancePolicy) -> f32 {
    let Findings { best, focus, lead } = found;
    let found = sigmoid((best - policy.middle) / policy.spread);
    let exacting = if question.specific { policy.sure_specific } else { 0.0 };
    let speaks = found + policy.sure_focus * focus + policy.sure_lead * lead - exacting;
    sigmoid(policy.sure_slope * (speaks - policy.sure_middle))
}

/// Returns how close a memory's evidence is to the best: 1 for the best, falling linearly with each point behind, negative for
/// results far behind. A linear scale prevents importance from outweighing several points of evidence.
///
/// `closeness = 1 - (best - evidence) / falls_in`
pub fn closeness(evidence: f32, best: f32, policy: &RelevancePolicy) -> f32 {
    1.0 - (best - evidence) / policy.falls_in
}

/// Returns the part of the bonus to subtract from a standing instruction, so that the bonus alone does not rank it above the best
/// other memory.
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

    fn total(told: &ConversationEvidence, question: &str) -> f32 {
        told.parts(&Question::of(question), &RelevancePolicy::default()).iter().map(|part| part.weight * part.value).sum()
    }

    proptest! {
        /// More words, letters or similarity never make a memory less relevant.
        #[test]
        fn evidence_only_helps(words in 0.0f32..1.5, letters in 0.0f32..1.5, meaning in -3.0f32..6.0, more in 0.0f32..1.0) {
            let told = |words, letters, meaning| ConversationEvidence { own: Evidence { words, letters, meaning }, openness: 1.0, ..ConversationEvidence::default() };
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
        let told = ConversationEvidence { teller: Teller::Character, ..ConversationEvidence::default() };
        assert!(total(&told, "Where do I live?") < 0.0);
        assert_eq!(total(&told, "What did you recommend?"), 0.0);
    }

    #[test]
    fn the_named_person_is_preferred() {
        let by = |named| ConversationEvidence {
            named_speaker: named,
            marks: Marks { asks: true, ..Marks::default() },
            ..ConversationEvidence::default()
        };
        assert!(total(&by(Some(true)), "What does Mina like?") > total(&by(None), "What does Mina like?"));
        assert!(total(&by(Some(false)), "What does Mina like?") < total(&by(None), "What does Mina like?"));
    }
}
