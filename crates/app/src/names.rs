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
        (Language::Korean, Principal::Worker) => "워커",
    }
}

/// Returns the name of a ledger operation.
pub(crate) fn deed(operation: Op, language: Language) -> &'static str {
    if language == Language::English {
        return operation.as_str();
    }
    match operation {
        Op::Begin => "생성",
        Op::Remember => "저장",
        Op::Recall => "회상",
        Op::Edit => "수정",
        Op::Rate => "별점",
        Op::Pin => "고정",
        Op::Link => "연결",
        Op::Forget => "잊음",
        Op::Expire => "기한 만료",
        Op::Restore => "복원",
        Op::Purge => "완전 삭제",
        Op::Erase => "영구 삭제",
        Op::Rebalance => "영역 이동",
        Op::Weigh => "중요도 갱신",
        Op::Import => "가져오기",
        Op::Embed => "벡터 생성",
        Op::Observe => "대화",
        Op::Withdraw => "메시지 취소",
        Op::Reinstate => "메시지 복원",
        Op::Reword => "메시지 수정",
        Op::State => "사실 입력",
        Op::Promote => "기간 연장",
        Op::Consolidate => "병합",
        Op::Prune => "정리",
        Op::Archive => "보관",
        Op::Report => "보고서",
        Op::Refuse => "거절됨",
        Op::Access => "허용된 접근",
        Op::Grant => "권한 부여",
        Op::Revoke => "권한 회수",
        Op::Propose => "제안",
        Op::Approve => "승인",
        Op::Reject => "거절",
        Op::Lapse => "제안 만료",
        Op::Undo => "승인 취소",
        Op::Island => "섬",
        Op::Shake => "섬 흔들림",
        Op::Collapse => "섬 무너짐",
        Op::Rebuild => "섬 재건",
        Op::Stand => "섬 안정",
        Op::Return => "이전 자아로",
        Op::Soul => "SOUL.md 저장",
        Op::Imagine => "상상",
        Op::Feedback => "상상 평가",
        Op::Think => "모델 작업",
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
        (Language::English, LinkKind::DistilledFrom) if begins => "distilled from",
        (Language::English, LinkKind::DistilledFrom) => "essence",
        (Language::Korean, LinkKind::DistilledFrom) if begins => "바탕이 된 기억",
        (Language::English, kind) => kind.as_str(),
        (Language::Korean, LinkKind::Parent) => "상위",
        (Language::Korean, LinkKind::Child) => "하위",
        (Language::Korean, LinkKind::Related) => "관련",
        (Language::Korean, LinkKind::DistilledFrom) => "본질",
        (Language::Korean, LinkKind::Supports) => "뒷받침",
        (Language::Korean, LinkKind::Founds) => "바탕",
        (Language::Korean, LinkKind::Contradicts) => "모순",
    }
}

/// Formats an item that a ledger entry refers to in addition to its memories.
pub(crate) fn thing(thing: &Thing, language: Language) -> String {
    use crate::view::short;
    let (english, korean, id) = match thing {
        Thing::Island(id) => ("island", "섬", short(id)),
        Thing::Belief(id) => ("belief", "믿음", short(id)),
        Thing::Version(version) => ("version", "버전", version.to_string()),
        Thing::Proposal(id) => ("proposal", "제안", short(id)),
        Thing::Imagination(id) => ("imagination", "상상", short(id)),
        Thing::Grant(id) => ("permission", "권한", short(id)),
        Thing::Webhook(id) => ("webhook", "웹훅", short(id)),
        Thing::Deed(deed) => return deed.to_string(),
    };
    format!("{} {id}", if language == Language::English { english } else { korean })
}

/// Returns the name of a proposal kind.
pub(crate) fn proposal(kind: ProposalKind, language: Language) -> &'static str {
    match (language, kind) {
        (Language::English, ProposalKind::CorePromotion) => "keep permanently",
        (Language::English, ProposalKind::CoreEdit) => "edit a core memory",
        (Language::English, ProposalKind::CoreDeletion) => "forget a core memory",
        (Language::English, ProposalKind::Forget) => "forget a memory",
        (Language::English, ProposalKind::Belief) => "change the self",
        (Language::English, ProposalKind::Island) => "new island",
        (Language::English, ProposalKind::HeldMessage) => "held message",
        (Language::English, ProposalKind::FactEnd) => "fact that may have ended",
        (Language::Korean, ProposalKind::CorePromotion) => "영구 보관",
        (Language::Korean, ProposalKind::CoreEdit) => "핵심 기억 수정",
        (Language::Korean, ProposalKind::CoreDeletion) => "핵심 기억 잊기",
        (Language::Korean, ProposalKind::Forget) => "기억 잊기",
        (Language::Korean, ProposalKind::Belief) => "자아 변경",
        (Language::Korean, ProposalKind::Island) => "새 섬",
        (Language::Korean, ProposalKind::HeldMessage) => "보류된 메시지",
        (Language::Korean, ProposalKind::FactEnd) => "끝났을 수 있는 사실",
    }
}

/// Returns the name of a proposal status.
pub(crate) fn status(status: ProposalStatus, language: Language) -> &'static str {
    match (language, status) {
        (Language::English, status) => status.as_str(),
        (Language::Korean, ProposalStatus::Pending) => "대기 중",
        (Language::Korean, ProposalStatus::Approved) => "승인됨",
        (Language::Korean, ProposalStatus::Rejected) => "거절됨",
        (Language::Korean, ProposalStatus::Lapsed) => "만료됨",
        (Language::Korean, ProposalStatus::Undone) => "취소됨",
    }
}

/// Returns the name of an island status.
pub(crate) fn island(status: IslandStatus, language: Language) -> &'static str {
    match (language, status) {
        (Language::English, status) => status.as_str(),
        (Language::Korean, IslandStatus::Active) => "안정",
        (Language::Korean, IslandStatus::Shaking) => "흔들림",
        (Language::Korean, IslandStatus::Collapsed) => "무너짐",
        (Language::Korean, IslandStatus::Rebuilding) => "재건 중",
    }
}

/// Returns why a version of the self was created.
pub(crate) fn self_reason(reason: SelfReason, language: Language) -> &'static str {
    match (language, reason) {
        (Language::English, reason) => reason.as_str(),
        (Language::Korean, SelfReason::Formed) => "처음 생김",
        (Language::Korean, SelfReason::Approved) => "승인",
        (Language::Korean, SelfReason::Returned) => "이전 버전으로 되돌림",
        (Language::Korean, SelfReason::Undone) => "승인 취소",
        (Language::Korean, SelfReason::Erased) => "기억 영구 삭제",
        (Language::Korean, SelfReason::Imported) => "가져오기",
    }
}

/// Returns what triggered an imagination.
pub(crate) fn trigger(trigger: Trigger, language: Language) -> &'static str {
    match (language, trigger) {
        (Language::English, trigger) => trigger.as_str(),
        (Language::Korean, Trigger::Idle) => "한가할 때",
        (Language::Korean, Trigger::Context) => "상황을 보고",
        (Language::Korean, Trigger::Time) => "시간에 맞춰",
    }
}

/// Returns the name of a score part. A name without a Korean translation is returned unchanged.
pub(crate) fn part(name: &str, language: Language) -> &str {
    if language == Language::English {
        return name;
    }
    match name {
        "words" => "키워드",
        "letters" => "글자",
        "meaning" => "의미",
        "neighbours" => "앞뒤",
        "session" => "세션",
        "speaker" => "말한 사람",
        "date" => "날짜",
        "role" => "역할",
        "standing" => "지속성",
        "preference" => "취향",
        "answer" => "답변 적합도",
        "newest" => "최근",
        "importance" => "중요도",
        "strength" => "선명도",
        "recalls" => "회상",
        "freshness" => "최신성",
        "appraisal" => "평가",
        "context" => "맥락",
        other => other,
    }
}

/// Returns why a memory was promoted to a longer tier.
pub(crate) fn promotion(reason: PromotionReason, language: Language) -> &'static str {
    match (language, reason) {
        (Language::English, PromotionReason::Repeated) => "mentioned repeatedly",
        (Language::English, PromotionReason::Recalled) => "recalled often",
        (Language::English, PromotionReason::Moved) => "strong emotion",
        (Language::English, PromotionReason::Remember) => "requested to be remembered",
        (Language::English, PromotionReason::ChangedBehaviour) => "changed the character's behaviour",
        (Language::English, PromotionReason::Island) => "belongs to an island",
        (Language::English, PromotionReason::Lasting) => "kept for a year",
        (Language::English, PromotionReason::Belief) => "supports a belief",
        (Language::English, PromotionReason::Founds) => "founds an island",
        (Language::Korean, PromotionReason::Repeated) => "여러 번 나온 이야기",
        (Language::Korean, PromotionReason::Recalled) => "자주 회상함",
        (Language::Korean, PromotionReason::Moved) => "강한 감정",
        (Language::Korean, PromotionReason::Remember) => "기억해 달라고 요청함",
        (Language::Korean, PromotionReason::ChangedBehaviour) => "캐릭터의 행동을 바꿈",
        (Language::Korean, PromotionReason::Island) => "섬에 속함",
        (Language::Korean, PromotionReason::Lasting) => "1년 동안 유지됨",
        (Language::Korean, PromotionReason::Belief) => "믿음의 근거",
        (Language::Korean, PromotionReason::Founds) => "섬의 바탕",
    }
}

/// Returns why a purged memory was forgotten.
pub(crate) fn loss(loss: Loss, language: Language) -> &'static str {
    match (language, loss) {
        (Language::English, Loss::Expired) => "expired",
        (Language::English, Loss::Faded) => "faded",
        (Language::English, Loss::Joined) => "merged",
        (Language::English, Loss::LetGo) => "forgotten by hand",
        (Language::Korean, Loss::Expired) => "기한 만료",
        (Language::Korean, Loss::Faded) => "흐려짐",
        (Language::Korean, Loss::Joined) => "병합",
        (Language::Korean, Loss::LetGo) => "직접 잊음",
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
