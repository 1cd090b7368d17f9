//! Comparison of statements: whether one repeats another, and whether one denies what another says.

use saegim_core::{Repetition, Sentiment, StatedValue, StatementTexts, Values};

use crate::compare::event_equivalence::{EventRelation, EventText, compare_events};
use crate::compare::value::ValueComparison;
use crate::extract::fact_subject::fact_subject;
use crate::parse::sentence_parse::{Telling, Word};

/// Comparison of the texts of statements, for settling them.
#[derive(Clone, Copy, Debug, Default)]
pub struct StatementComparison;

impl StatementTexts for StatementComparison {
    fn repetition(&self, new: &str, known: &str) -> Option<Repetition> {
        let plain = |text| EventText { text, sentiment: Sentiment::default() };
        match compare_events(plain(new), plain(known)) {
            EventRelation::Same => Some(Repetition::Same),
            EventRelation::More => Some(Repetition::More),
            EventRelation::Less => Some(Repetition::Less),
            EventRelation::Unclear | EventRelation::Different => None,
        }
    }

    fn denies(&self, denial: &str, known: &str) -> bool {
        let (denial, known) = (Telling::of(denial), Telling::of(known));
        let named: Vec<&Word> = denial.words.iter().filter(|word| names(word)).collect();
        !named.is_empty() && named.iter().all(|word| known.words.iter().any(|other| word.meets(other)))
    }

    fn replaces(&self, new: &StatedValue, known: &StatedValue) -> bool {
        let single = |said: &StatedValue| fact_subject(fact_key(&said.subject)).is_some_and(|subject| subject.single);
        let key = fact_key(&new.subject);
        new.subject == known.subject && single(new) && !ValueComparison.same(key, &new.value, &known.value)
    }
}

/// Fact subject of a marked value.
fn fact_key(subject: &str) -> &str {
    if subject == "status" { "relationship_status" } else { subject }
}

/// Words of a denial that say only that something is over.
const ENDINGS: [&str; 22] = [
    "끊",
    "그만",
    "접었",
    "관두",
    "관뒀",
    "때려",
    "포기",
    "취소",
    "헤어",
    "없어",
    "팔았",
    "quit",
    "stop",
    "stopped",
    "longer",
    "anymore",
    "more",
    "gave",
    "given",
    "used",
    "broke",
    "cancelled",
];

/// Whether a word of a denial names the thing that is denied.
fn names(word: &Word) -> bool {
    let thing = word.thing || word.named || word.person;
    let denies = matches!(word.raw.as_str(), "안" | "못" | "이제" | "이젠" | "더") || word.raw.ends_with("기로");
    thing && !denies && !word.when && !ENDINGS.iter().any(|ending| word.raw.starts_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_in_almost_the_same_words_repeats() {
        use Repetition::{Less, More, Same};
        for (new, known, expected) in [
            ("나는 커피를 좋아해", "커피 좋아해", Some(Same)),
            ("새벽마다 우유를 마셔", "새벽마다 우유 마셔", Some(Same)),
            ("I work nights at the hospital", "I work nights", Some(More)),
            ("I work nights", "I work nights at the hospital", Some(Less)),
            ("커피 안 마셔", "커피 마셔", None),
            ("부산에 살아", "서울에 살아", None),
            ("I'm allergic to nuts", "I'm allergic to shellfish", None),
            ("딸이 여섯 살이야", "딸이 7살이야", None),
        ] {
            assert_eq!(StatementComparison.repetition(new, known), expected, "{new} | {known}");
        }
    }

    #[test]
    fn a_new_value_replaces_the_old_one_where_there_is_one_at_a_time() {
        for (subject, new, known, expected) in [
            ("residence", "부산", "서울", true),
            ("residence", "부산", "부산", false),
            ("age", "여섯 살", "5살", true),
            ("age", "여섯 살", "6", false),
            ("status", "married", "single", true),
            ("likes", "tea", "coffee", false),
            ("pet", "cat", "dog", false),
        ] {
            let value = |value: &str| StatedValue { subject: subject.into(), value: value.into() };
            assert_eq!(StatementComparison.replaces(&value(new), &value(known)), expected, "{subject}: {known} then {new}");
        }
    }

    #[test]
    fn a_denial_must_name_what_it_denies() {
        for (denial, known, expected) in [
            ("이제 커피 안 마셔", "아침마다 커피 두 잔 마셔", true),
            ("담배 끊었어", "담배 하루에 한 갑 피워", true),
            ("카페 알바 그만뒀어", "주말마다 카페에서 알바해", true),
            ("제주도 안 가기로 했어", "다음 달에 제주도 가", true),
            ("I don't drink coffee anymore", "I drink coffee every morning", true),
            ("I quit smoking", "I've been smoking for ten years", true),
            ("we cancelled the trip to Lisbon", "we booked a trip to Lisbon", true),
            ("이제 안 마셔", "아침마다 커피 두 잔 마셔", false),
            ("이제 안 해", "매일 수영해", false),
            ("홍차 안 마셔", "아침마다 커피 두 잔 마셔", false),
            ("not anymore", "I drink coffee every morning", false),
            ("I stopped", "I drink coffee every morning", false),
            ("I don't eat pork", "I eat a lot of fish", false),
            ("편의점 알바 그만뒀어", "주말마다 카페에서 알바해", false),
        ] {
            let words = || Telling::of(denial).words.iter().map(|word| (word.raw.clone(), word.thing, names(word))).collect::<Vec<_>>();
            assert_eq!(StatementComparison.denies(denial, known), expected, "{denial} | {known}: {:?}", words());
        }
    }
}
