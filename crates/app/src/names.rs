//! What things are called on the screen, in both languages.

use saegim_core::{Language, Op, Principal};

/// Who acted.
pub(crate) fn actor(principal: Principal, language: Language) -> &'static str {
    match (language, principal) {
        (Language::English, principal) => principal.as_str(),
        (Language::Korean, Principal::Owner) => "소유자",
        (Language::Korean, Principal::Agent) => "에이전트",
        (Language::Korean, Principal::Admin) => "운영자",
        (Language::Korean, Principal::Worker) => "돌보미",
    }
}

/// What was done.
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
    }
}

/// What a part of a score is. Names nobody has put into Korean yet stay as they are.
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
