//! Display names of domain values, in both languages.

use std::sync::LazyLock;

use saegim_core::{
    IslandStatus, Language, LinkKind, Op, Principal, PromotionReason, ProposalKind, ProposalStatus, SelfReason, Thing, Trigger, Zone,
    with_particles,
};
use saegim_engine::Loss;

/// Returns the name of a principal.
pub(crate) fn actor(principal: Principal, language: Language) -> &'static str {
    match (language, principal) {
        (Language::English, principal) => principal.as_str(),
        (Language::Korean, Principal::Owner) => "소유자",
        (Language::Korean, Principal::Agent) => "에이전트",
        (Language::Korean, Principal::Admin) => "운영자",
        (Language::Korean, Principal::Worker) => "돌보미",
    }
}

/// Returns the name of a ledger operation.
pub(crate) fn deed(operation: Op, language: Language) -> &'static str {
    if language == Language::English {
        return operation.as_str();
    }
    match operation {
        Op::Begin => "시작",
        Op::Remember => "기억함",
        Op::Recall => "떠올림",
        Op::Edit => "고침",
        Op::Rate => "별점",
        Op::Pin => "고정",
        Op::Link => "연결",
        Op::Forget => "놓아줌",
        Op::Expire => "기한 다함",
        Op::Restore => "되살림",
        Op::Purge => "사라짐",
        Op::Erase => "지움",
        Op::Rebalance => "자리 이동",
        Op::Weigh => "중요도 갱신",
        Op::Import => "들여옴",
        Op::Embed => "벡터 생성",
        Op::Observe => "대화",
        Op::Withdraw => "말을 물림",
        Op::Reinstate => "말을 되돌림",
        Op::Reword => "말을 고침",
        Op::State => "사실을 적음",
        Op::Promote => "더 오래 둠",
        Op::Consolidate => "하나로 모음",
        Op::Prune => "솎아 냄",
        Op::Archive => "보관",
        Op::Report => "돌아봄",
        Op::Refuse => "거절됨",
        Op::Access => "허락받고 봄",
        Op::Grant => "허락함",
        Op::Revoke => "허락 거둠",
        Op::Propose => "제안",
        Op::Approve => "승인",
        Op::Reject => "거절",
        Op::Lapse => "제안 만료",
        Op::Undo => "승인 되돌림",
        Op::Island => "섬",
        Op::Shake => "섬 흔들림",
        Op::Collapse => "섬 무너짐",
        Op::Rebuild => "섬 다시 쌓음",
        Op::Stand => "섬 단단해짐",
        Op::Return => "예전 자아로",
        Op::Soul => "SOUL.md 씀",
        Op::Imagine => "상상",
        Op::Feedback => "상상 반응",
        Op::Think => "모델 생각",
    }
}

/// Returns the name of a zone.
pub(crate) fn zone(zone: Zone, language: Language) -> &'static str {
    match (language, zone) {
        (Language::English, zone) => zone.as_str(),
        (Language::Korean, Zone::Core) => "중심",
        (Language::Korean, Zone::Inner) => "가까이",
        (Language::Korean, Zone::Outer) => "바깥",
        (Language::Korean, Zone::Belt) => "띠",
        (Language::Korean, Zone::Cloud) => "구름",
    }
}

/// Formats a number with the English singular or plural noun, or with the Korean counter.
pub(crate) fn count(number: usize, (one, several, counter): (&str, &str, &str), language: Language) -> String {
    match language {
        Language::English if number == 1 => format!("1 {one}"),
        Language::English => format!("{number} {several}"),
        Language::Korean => format!("{number}{counter}"),
    }
}

/// Describes the other memory of a link. `begins` is true if the described link starts at the current memory.
pub(crate) fn link((kind, begins): (LinkKind, bool), language: Language) -> &'static str {
    match (language, kind) {
        (Language::English, LinkKind::DistilledFrom) if begins => "made of",
        (Language::English, LinkKind::DistilledFrom) => "essence",
        (Language::Korean, LinkKind::DistilledFrom) if begins => "바탕이 된 기억",
        (Language::English, kind) => kind.as_str(),
        (Language::Korean, LinkKind::Parent) => "비롯됨",
        (Language::Korean, LinkKind::Child) => "이어짐",
        (Language::Korean, LinkKind::Related) => "관련",
        (Language::Korean, LinkKind::DistilledFrom) => "본질",
        (Language::Korean, LinkKind::Supports) => "뒷받침",
        (Language::Korean, LinkKind::Founds) => "바탕",
        (Language::Korean, LinkKind::Contradicts) => "어긋남",
    }
}

/// Formats an item that a ledger entry refers to in addition to its memories.
pub(crate) fn thing(thing: &Thing, language: Language) -> String {
    use crate::view::short;
    let (english, korean, id) = match thing {
        Thing::Island(id) => ("island", "섬", short(id)),
        Thing::Belief(id) => ("belief", "믿음", short(id)),
        Thing::Version(version) => ("version", "판", version.to_string()),
        Thing::Proposal(id) => ("proposal", "제안", short(id)),
        Thing::Imagination(id) => ("imagination", "상상", short(id)),
        Thing::Grant(id) => ("grant", "허락", short(id)),
        Thing::Webhook(id) => ("webhook", "웹훅", short(id)),
        Thing::Deed(deed) => return deed.to_string(),
    };
    format!("{} {id}", if language == Language::English { english } else { korean })
}

/// Returns the name of a proposal kind.
pub(crate) fn proposal(kind: ProposalKind, language: Language) -> &'static str {
    match (language, kind) {
        (Language::English, ProposalKind::CorePromotion) => "keep for ever",
        (Language::English, ProposalKind::CoreEdit) => "rewrite a core memory",
        (Language::English, ProposalKind::CoreDeletion) => "let a core memory go",
        (Language::English, ProposalKind::Forget) => "let a memory go",
        (Language::English, ProposalKind::Belief) => "the self",
        (Language::English, ProposalKind::Island) => "a new island",
        (Language::English, ProposalKind::HeldMessage) => "a message that was held",
        (Language::English, ProposalKind::FactEnd) => "a fact that may be over",
        (Language::Korean, ProposalKind::CorePromotion) => "영원히 간직하기",
        (Language::Korean, ProposalKind::CoreEdit) => "핵심 기억 고치기",
        (Language::Korean, ProposalKind::CoreDeletion) => "핵심 기억 놓아주기",
        (Language::Korean, ProposalKind::Forget) => "기억 놓아주기",
        (Language::Korean, ProposalKind::Belief) => "자아",
        (Language::Korean, ProposalKind::Island) => "새 섬",
        (Language::Korean, ProposalKind::HeldMessage) => "붙잡아 둔 말",
        (Language::Korean, ProposalKind::FactEnd) => "이제 아닐지 모르는 사실",
    }
}

/// Returns the name of a proposal status.
pub(crate) fn status(status: ProposalStatus, language: Language) -> &'static str {
    match (language, status) {
        (Language::English, status) => status.as_str(),
        (Language::Korean, ProposalStatus::Pending) => "기다림",
        (Language::Korean, ProposalStatus::Approved) => "승인됨",
        (Language::Korean, ProposalStatus::Rejected) => "거절됨",
        (Language::Korean, ProposalStatus::Lapsed) => "만료됨",
        (Language::Korean, ProposalStatus::Undone) => "되돌림",
    }
}

/// Returns the name of an island status.
pub(crate) fn island(status: IslandStatus, language: Language) -> &'static str {
    match (language, status) {
        (Language::English, status) => status.as_str(),
        (Language::Korean, IslandStatus::Active) => "굳건함",
        (Language::Korean, IslandStatus::Shaking) => "흔들림",
        (Language::Korean, IslandStatus::Collapsed) => "무너짐",
        (Language::Korean, IslandStatus::Rebuilding) => "다시 쌓는 중",
    }
}

/// Returns why a version of the self was created.
pub(crate) fn self_reason(reason: SelfReason, language: Language) -> &'static str {
    match (language, reason) {
        (Language::English, reason) => reason.as_str(),
        (Language::Korean, SelfReason::Formed) => "처음 생김",
        (Language::Korean, SelfReason::Approved) => "승인",
        (Language::Korean, SelfReason::Returned) => "예전으로 돌아감",
        (Language::Korean, SelfReason::Undone) => "승인 되돌림",
        (Language::Korean, SelfReason::Erased) => "기억을 지움",
        (Language::Korean, SelfReason::Imported) => "들여옴",
    }
}

/// Returns what triggered an imagination.
pub(crate) fn trigger(trigger: Trigger, language: Language) -> &'static str {
    match (language, trigger) {
        (Language::English, trigger) => trigger.as_str(),
        (Language::Korean, Trigger::Idle) => "한가할 때",
        (Language::Korean, Trigger::Context) => "상황을 보고",
        (Language::Korean, Trigger::Time) => "때가 되어",
    }
}

/// Returns the name of a score part. A name without a Korean translation is returned unchanged.
pub(crate) fn part(name: &str, language: Language) -> &str {
    if language == Language::English {
        return name;
    }
    match name {
        "words" => "단어",
        "letters" => "글자",
        "meaning" => "뜻",
        "neighbours" => "앞뒤",
        "session" => "세션",
        "speaker" => "말한 사람",
        "date" => "날짜",
        "role" => "누구의 말",
        "standing" => "변함없음",
        "preference" => "취향",
        "answer" => "답이 됨",
        "newest" => "최근",
        "importance" => "중요도",
        "strength" => "생생함",
        "recalls" => "떠올림",
        "freshness" => "새로움",
        "appraisal" => "가늠",
        "context" => "맥락",
        other => other,
    }
}

/// Returns why a memory was promoted to a longer tier.
pub(crate) fn promotion(reason: PromotionReason, language: Language) -> &'static str {
    match (language, reason) {
        (Language::English, PromotionReason::Repeated) => "it came up again and again",
        (Language::English, PromotionReason::Recalled) => "it was recalled often",
        (Language::English, PromotionReason::Moved) => "the feeling was strong",
        (Language::English, PromotionReason::Remember) => "someone said to remember it",
        (Language::English, PromotionReason::ChangedBehaviour) => "it changed how the character behaves",
        (Language::English, PromotionReason::Island) => "it belongs to an island",
        (Language::English, PromotionReason::Lasting) => "it has been alive for a year",
        (Language::English, PromotionReason::Belief) => "a belief rests on it",
        (Language::English, PromotionReason::Founds) => "it founds an island",
        (Language::Korean, PromotionReason::Repeated) => "거듭 나온 이야기",
        (Language::Korean, PromotionReason::Recalled) => "자주 떠올림",
        (Language::Korean, PromotionReason::Moved) => "강한 감정",
        (Language::Korean, PromotionReason::Remember) => "기억해 달라고 함",
        (Language::Korean, PromotionReason::ChangedBehaviour) => "캐릭터의 행동을 바꿈",
        (Language::Korean, PromotionReason::Island) => "섬에 속함",
        (Language::Korean, PromotionReason::Lasting) => "한 해를 넘김",
        (Language::Korean, PromotionReason::Belief) => "믿음의 바탕",
        (Language::Korean, PromotionReason::Founds) => "섬의 바탕",
    }
}

/// Returns why a purged memory was forgotten.
pub(crate) fn loss(loss: Loss, language: Language) -> &'static str {
    match (language, loss) {
        (Language::English, Loss::Expired) => "ran out",
        (Language::English, Loss::Faded) => "faded",
        (Language::English, Loss::Joined) => "joined",
        (Language::English, Loss::LetGo) => "let go",
        (Language::Korean, Loss::Expired) => "기한이 다함",
        (Language::Korean, Loss::Faded) => "흐려짐",
        (Language::Korean, Loss::Joined) => "합쳐짐",
        (Language::Korean, Loss::LetGo) => "놓아줌",
    }
}

/// Pairs of English note pattern and Korean translation for notes of the ledger and the cliff. `{}` is a placeholder.
static NOTES: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| include_str!("notes.tsv").lines().filter_map(|line| line.split_once('\t')).collect());

/// Translates a note. A note without a Korean translation is returned unchanged.
pub(crate) fn note(note: &str, language: Language) -> String {
    if language == Language::English {
        return note.to_owned();
    }
    note.split("; ").map(in_korean).collect::<Vec<_>>().join("; ")
}

fn in_korean(note: &str) -> String {
    let found = NOTES.iter().find_map(|(english, korean)| Some((filled(english, note)?, korean)));
    found.map_or_else(
        || word(note),
        |(parts, korean)| with_particles(&parts.iter().fold((*korean).to_owned(), |text, part| text.replacen("{}", &word(part), 1))),
    )
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
        return actor(principal, Language::Korean).to_owned();
    }
    if let Ok(kind) = LinkKind::parse(part) {
        return link((kind, true), Language::Korean).to_owned();
    }
    saegim_core::MemoryId::parse(part).map_or_else(|_| part.to_owned(), crate::view::short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_put_into_korean_with_what_stands_in_them() {
        let check = |english: &str, korean: &str| assert_eq!(note(english, Language::Korean), korean);
        check("its M30 ran out", "M30 기한이 다함");
        check("to M90: repeated, remember", "M90으로: 거듭 나온 이야기, 기억해 달라고 함");
        check("to M365: recalled", "M365로: 자주 떠올림");
        check("kept as M0; it changed how the character behaves", "M0으로 간직; 캐릭터의 행동을 바꿈");
        check("asleep until 2026-03-02: its days on the cliff begin again", "2026-03-02까지 잠들어 있었음: 절벽의 날을 다시 셈");
        check("the clock had been wrong", "시계가 틀렸음");
        check("let go by the owner", "소유자가 놓아줌");
        check("told again, and joined into 01a1e2ec-48a4-70c2-96a1-a9b60cac3f38", "다시 나와 0cac3f38 에 합쳐짐");
        check("something nobody knows", "something nobody knows");
        assert_eq!(note("its M30 ran out", Language::English), "its M30 ran out");
    }

    #[test]
    fn every_note_the_caretaker_writes_has_korean_words() {
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
