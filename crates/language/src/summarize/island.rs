//! Names islands without a model: by the topic of most memories, or else by a shared word.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use saegim_core::Language;

use crate::IslandLabel;
use crate::patterns::table::{Pattern, rows};
use crate::topics::sentence_topic::topic;

struct Kind {
    speaks: Pattern,
    emoji: &'static str,
    korean: &'static str,
    english: &'static str,
}

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    rows(include_str!("../../data/summarize/islands.tsv"))
        .filter_map(|row| match row[..] {
            [speaks, emoji, korean, english, ..] => Some(Kind { speaks: Pattern::new(speaks), emoji, korean, english }),
            _ => None,
        })
        .collect()
});

/// Returns a name for the island of these memories. The description does not quote them.
pub(crate) fn landmark(texts: &[&str]) -> IslandLabel {
    let korean = texts.iter().filter(|text| Language::of(text) == Language::Korean).count() * 2 >= texts.len();
    let most = KINDS.iter().map(|kind| (kind, texts.iter().filter(|text| kind.speaks.fits(text)).count()));
    // The first of equals stands higher in the table.
    let best = most.fold(
        None,
        |best: Option<(&Kind, usize)>, (kind, count)| if best.is_none_or(|(_, most)| count > most) { Some((kind, count)) } else { best },
    );
    let (name, emoji) = match best.filter(|(_, count)| *count * 2 >= texts.len() && *count > 0) {
        Some((kind, _)) => (if korean { kind.korean } else { kind.english }.to_owned(), kind.emoji),
        None => (shared(texts).unwrap_or_else(|| if korean { "간직한 것들".into() } else { "What is treasured".into() }), "🏝️"),
    };
    let count = texts.len();
    let description = match (korean, count) {
        (true, 1) => "핵심 기억 하나에서 자라난 마음".to_owned(),
        (true, _) => format!("핵심 기억 {count}개에서 자라난 마음"),
        (false, 1) => "What grew out of one core memory".to_owned(),
        (false, _) => format!("What grew out of {count} core memories"),
    };
    IslandLabel { name, emoji: emoji.to_owned(), description }
}

/// What most of the texts are about.
fn shared(texts: &[&str]) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for found in texts.iter().filter_map(|text| topic(text)) {
        *counts.entry(found).or_default() += 1;
    }
    let (word, _) = counts.into_iter().max_by_key(|(word, count)| (*count, std::cmp::Reverse(word.chars().count())))?;
    let word = word.strip_prefix("your ").map_or_else(|| word.clone(), str::to_owned);
    (word.chars().count() <= 20).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], name: &str, emoji: &str) {
        let found = landmark(texts);
        assert_eq!((found.name.as_str(), found.emoji.as_str()), (name, emoji), "{texts:?}");
    }

    #[test]
    fn islands_are_named_by_what_their_memories_speak_of() {
        check(&["엄마가 김치를 보내 주셨다", "아빠 생신에 고향에 갔다"], "가족", "👪");
        check(&["My dog Mochi sleeps on my bed", "We adopted a cat"], "Small lives", "🐾");
        check(&["삐돌이가 처음 이름을 지어줬다"], "유대", "🏠");
        check(&["오래된 시계를 고쳤다", "시계를 선물받았다"], "시계", "🏝️");
        check(&["좋았다"], "간직한 것들", "🏝️");
    }

    #[test]
    fn every_kind_can_be_read() {
        for kind in KINDS.iter() {
            assert!(kind.speaks.get().is_some() && saegim_core::island_emoji(kind.emoji).is_ok(), "{}", kind.english);
            assert!(saegim_core::island_name(kind.korean).is_ok() && saegim_core::island_name(kind.english).is_ok());
        }
    }
}
