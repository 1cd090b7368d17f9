//! Display names of domain values, in both languages.

use std::sync::LazyLock;

use saegim_core::{
    IslandStatus, Language, LinkKind, Op, Phrase, Principal, PromotionReason, ProposalKind, ProposalStatus, SelfReason, Thing, Trigger,
    Zone, with_particles,
};
use saegim_engine::Loss;

use crate::say::say;

/// Returns the name of a domain value: the message `name.GROUP.WORD`.
pub(crate) fn name(group: &str, word: &str, language: Language) -> String {
    Phrase::name(group, word).in_language(language)
}

/// Returns the name of a principal.
pub(crate) fn actor(principal: Principal, language: Language) -> String {
    name("principal", principal.as_str(), language)
}

/// Returns the name of a ledger operation.
pub(crate) fn deed(operation: Op, language: Language) -> String {
    name("operation", operation.as_str(), language)
}

/// Returns the name of a zone.
pub(crate) fn zone(zone: Zone, language: Language) -> String {
    name("zone", zone.as_str(), language)
}

/// Formats a number with the English singular or plural of a noun, or with its Korean counter.
pub(crate) fn count(number: usize, noun: &str, language: Language) -> String {
    let noun = Phrase::name(if number == 1 { "one" } else { "several" }, noun);
    say!(language, "app.names.count", number, noun)
}

/// Describes the other memory of a link. `begins` is true if the described link starts at the current memory.
pub(crate) fn link((kind, begins): (LinkKind, bool), language: Language) -> String {
    match kind {
        LinkKind::DistilledFrom if begins => say!(language, "app.names.distilled_from"),
        kind => name("link_kind", kind.as_str(), language),
    }
}

/// Formats an item that a ledger entry refers to in addition to its memories.
pub(crate) fn thing(thing: &Thing, language: Language) -> String {
    use crate::view::short;
    match thing {
        Thing::Island(id) => say!(language, "app.names.island", id = short(id)),
        Thing::Belief(id) => say!(language, "app.names.belief", id = short(id)),
        Thing::Version(version) => say!(language, "app.names.version", version),
        Thing::Proposal(id) => say!(language, "app.names.proposal", id = short(id)),
        Thing::Imagination(id) => say!(language, "app.names.imagination", id = short(id)),
        Thing::Grant(id) => say!(language, "app.names.permission", id = short(id)),
        Thing::Orchestration(id) => say!(language, "app.names.orchestration", id = short(id)),
        Thing::Webhook(id) => say!(language, "app.names.webhook", id = short(id)),
        Thing::Deed(deed) => deed.to_string(),
    }
}

/// Returns the name of a proposal kind.
pub(crate) fn proposal(kind: ProposalKind, language: Language) -> String {
    name("proposal_kind", kind.as_str(), language)
}

/// Returns the name of a proposal status.
pub(crate) fn status(status: ProposalStatus, language: Language) -> String {
    name("proposal_status", status.as_str(), language)
}

/// Returns the name of an island status.
pub(crate) fn island(status: IslandStatus, language: Language) -> String {
    name("island_status", status.as_str(), language)
}

/// Returns why a version of the self was created.
pub(crate) fn self_reason(reason: SelfReason, language: Language) -> String {
    name("self_reason", reason.as_str(), language)
}

/// Returns what triggered an imagination.
pub(crate) fn trigger(trigger: Trigger, language: Language) -> String {
    name("trigger", trigger.as_str(), language)
}

/// Returns the name of a score part. A part without a name in the catalogues is returned unchanged.
pub(crate) fn part(part: &str, language: Language) -> String {
    name("score_part", part, language)
}

/// Returns why a memory was promoted to a longer tier.
pub(crate) fn promotion(reason: PromotionReason, language: Language) -> String {
    name("promotion", reason.as_str(), language)
}

/// Returns why a purged memory was forgotten.
pub(crate) fn loss(loss: Loss, language: Language) -> String {
    match loss {
        Loss::Expired => say!(language, "app.names.expired"),
        Loss::Faded => say!(language, "app.names.faded"),
        Loss::Joined => say!(language, "app.names.merged"),
        Loss::LetGo => say!(language, "app.names.forgotten_by_hand"),
    }
}

/// Notes of the ledger and the cliff: the stored text, and how it is shown in Korean and in English. `{}` matches any text.
static NOTES: LazyLock<Vec<[&str; 3]>> = LazyLock::new(|| {
    let columns = |line: &'static str| line.split('\t').collect::<Vec<_>>().try_into().ok();
    include_str!("notes.tsv").lines().filter_map(columns).collect()
});

/// Returns a note in the reader's language. A note without an entry in `notes.tsv` is returned unchanged.
pub(crate) fn note(note: &str, language: Language) -> String {
    note.split("; ").map(|part| shown(part, language)).collect::<Vec<_>>().join("; ")
}

fn shown(note: &str, language: Language) -> String {
    let found = NOTES.iter().find_map(|[stored, korean, english]| Some((filled(stored, note)?, korean, english)));
    let fill = |text: &str, parts: &[&str], word: fn(&str) -> String| {
        parts.iter().fold(text.to_owned(), |text, part| text.replacen("{}", &word(part), 1))
    };
    match (language, found) {
        (Language::English, Some((parts, _, english))) => fill(english, &parts, str::to_owned),
        (Language::English, None) => note.to_owned(),
        (Language::Korean, Some((parts, korean, _))) => with_particles(&fill(korean, &parts, word)),
        (Language::Korean, None) => word(note),
    }
}

/// Returns the placeholder values if the text matches the pattern.
fn filled<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = pattern.split("{}");
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut parts = Vec::new();
    for piece in pieces {
        let end = if piece.is_empty() { rest.len() } else { rest.find(piece)? };
        parts.push(&rest[..end]);
        rest = &rest[end + piece.len()..];
    }
    rest.is_empty().then_some(parts)
}

/// Translates a placeholder value: promotion reasons, principals and link kinds by name; ids are shortened.
fn word(part: &str) -> String {
    if let Ok(reasons) = part.split(", ").map(PromotionReason::parse).collect::<Result<Vec<_>, _>>() {
        return reasons.into_iter().map(|reason| promotion(reason, Language::Korean)).collect::<Vec<_>>().join(", ");
    }
    if let Ok(principal) = Principal::parse(part) {
        return actor(principal, Language::Korean);
    }
    if let Ok(kind) = LinkKind::parse(part) {
        return link((kind, true), Language::Korean);
    }
    saegim_core::MemoryId::parse(part).map_or_else(|_| part.to_owned(), crate::view::short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_put_into_korean_with_what_stands_in_them() {
        let check = |english: &str, korean: &str| assert_eq!(note(english, Language::Korean), korean);
        check("its M30 ran out", "M30 기한 만료");
        check("to M90: repeated, remember", "M90으로: 여러 번 나온 이야기, 기억해 달라고 요청함");
        check("to M365: recalled", "M365로: 자주 회상함");
        check("kept as M0; it changed how the character behaves", "M0으로 보관; 캐릭터의 행동을 바꿈");
        check("asleep until 2026-03-02: its days on the cliff begin again", "2026-03-02까지 실행되지 않음: 절벽의 보관 기간을 다시 시작");
        check("the clock had been wrong", "시계가 잘못되어 있었음");
        check("let go by the owner", "소유자가 잊음");
        check("told again, and joined into 01a1e2ec-48a4-70c2-96a1-a9b60cac3f38", "다시 언급되어 0cac3f38에 병합됨");
        check("something nobody knows", "something nobody knows");
        assert_eq!(note("its M30 ran out", Language::English), "M30 expired");
        assert_eq!(note("let go by the owner", Language::English), "forgotten by the owner");
    }

    #[test]
    fn every_domain_value_has_a_korean_name() {
        fn check<T: Copy>(values: &[T], name: fn(T, Language) -> String) {
            for &value in values {
                let korean = name(value, Language::Korean);
                assert!(korean.chars().any(|letter| matches!(letter, '가'..='힣')), "{korean}");
            }
        }
        check(Principal::ALL, actor);
        check(Op::ALL, deed);
        check(Zone::ALL, zone);
        check(ProposalKind::ALL, proposal);
        check(ProposalStatus::ALL, status);
        check(IslandStatus::ALL, island);
        check(SelfReason::ALL, self_reason);
        check(Trigger::ALL, trigger);
        check(PromotionReason::ALL, promotion);
        check(LinkKind::ALL, |kind, language| link((kind, false), language));
        check(saegim_core::Axis::ALL, crate::view::axis);
        check(saegim_core::IntimacyLevel::ALL, crate::view::level);
        check(saegim_core::SpeechStyle::ALL, crate::view::style);
        check(saegim_core::Deed::ALL, |deed, language| name("deed", deed.as_str(), language));
    }

    #[test]
    fn every_note_the_worker_writes_has_korean_words() {
        fn sources(folder: &std::path::Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    sources(&path, found);
                } else if path.extension().is_some_and(|kind| kind == "rs") {
                    found.push(std::fs::read_to_string(path).unwrap());
                }
            }
        }
        let mut texts = Vec::new();
        sources(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src")), &mut texts);
        let mut notes = Vec::new();
        for text in &texts {
            for begin in [".because(\"", ".because(format!(\"", "note: format!(\"", "note = format!(\""] {
                notes.extend(text.split(begin).skip(1).filter_map(|rest| rest.split('"').next()));
            }
        }
        assert!(notes.len() > 30, "the notes must be found where they are written");
        let gap = |note: &str| {
            note.split('{')
                .enumerate()
                .map(|(at, part)| if at == 0 { part } else { part.split_once('}').unwrap().1 })
                .collect::<Vec<_>>()
                .join("7")
        };
        let untold: Vec<&&str> = notes.iter().filter(|written| note(&gap(written), Language::Korean) == gap(written)).collect();
        assert!(untold.is_empty(), "no Korean for {untold:?}");
    }
}
