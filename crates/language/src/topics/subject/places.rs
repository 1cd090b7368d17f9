//! Places as subjects: where the user goes, stays or wants to be. A city that only tells where another person lives, or which
//! office is meant, is not a subject.

use super::lists::place;
use super::{Subject, Subjects, Token};
use crate::parse::sentence_parse::{bare, somebody};

/// Words after a place that imply no visit: offices, people who come from there, news about it.
const OF_PLACE: &str = "지사 지점 본사 본점 사무소 사무실 공장 창고 매장 대리점 거래처 고객 고객사 업체 팀 출신 사투리 사람 시민 집값 아파트값 전세값 시장 시청 대학 대학교 본부 \
                        법인 발령 연고 토박이 말투 억양 뉴스 날씨 시간 사는 살던 살고 사시는 사셨던 있는 계신 계시는 온 오신 계열 쪽 음식점 office offices branch team client clients \
                        headquarters hq store warehouse factory accent bus fashion time university college marathon stock exchange news weather";

/// People who live there or come from there: "my aunt in London", "부산에 사는 이모".
const LIVES: &str = "사는 살던 살고 사시는 사셨던 산다 살아 사셔 있는 계신 계시는 온 오신 왔대 산대";

fn is_of(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// Reads a word that names a place. Returns false if it names none.
pub(super) fn read(tokens: &[Token], at: usize, subjects: &mut Subjects) -> bool {
    let token = &tokens[at];
    let korean = token.is_korean();
    let noun = if korean { bare(&token.word).0 } else { token.word.as_str() };
    // The end of "제주도" looks like a particle.
    let known = || [token.word.as_str(), noun].into_iter().find_map(|name| place(name).map(|key| (key, name)));
    let known = (korean || token.large).then(known).flatten();
    let Some((key, said)) = known else { return false };
    let before = |step: usize| at.checked_sub(step).map(|at| &tokens[at]).filter(|before| !before.parted);
    let after = tokens.get(at + 1).filter(|next| !token.parted && !next.opens);
    let passing = match korean {
        true => is_passed_in_korean(token, said, after),
        false => is_passed_in_english(before(1), before(2), after),
    };
    if !passing {
        let said = if korean { said.to_owned() } else { token.written.clone() };
        subjects.takes(Subject { key, said, kind: None, clear: true, sure: true, told_which: false, parts: false });
    }
    true
}

/// Whether the place only qualifies the next noun: "부산 지사", "서울 사는 사촌", "부산에서 온 친구".
fn is_passed_in_korean(token: &Token, said: &str, after: Option<&Token>) -> bool {
    let Some(next) = after else { return false };
    let noun = bare(&next.word).0;
    let bare_name = token.word == said;
    let of_place = is_of(OF_PLACE, &next.word) || is_of(OF_PLACE, noun) || somebody(noun).is_some();
    bare_name && of_place || is_of(LIVES, &next.word)
}

/// Whether the place only qualifies another noun: "the London office", "my aunt in Busan", "from Oslo".
fn is_passed_in_english(before: Option<&Token>, earlier: Option<&Token>, after: Option<&Token>) -> bool {
    let someone =
        |token: &Token| somebody(&token.word).is_some() || token.word.strip_suffix('s').is_some_and(|one| somebody(one).is_some());
    let leads = before.is_some_and(|before| matches!(before.word.as_str(), "in" | "from" | "near"));
    let theirs = leads && earlier.is_some_and(someone) || before.is_some_and(|before| before.word == "from");
    theirs || after.is_some_and(|next| is_of(OF_PLACE, &next.word) || someone(next))
}
