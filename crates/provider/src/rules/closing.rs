//! A Korean clause that was left open by what followed it, closed again: "5월 5일이니까 (기억해 줘)" is "5월 5일이야".

use super::phrase::filled_by;
use super::table::Pattern;

static REPORTED: Pattern = Pattern::new(r"다(?:는|던|ㄴ|란)? ?(?:거|걸|것|것을|건|사실|사실을|점|점을)$|다고$|단 ?(?:거|걸|것|사실)$");
static REPORTED_NOUN: Pattern = Pattern::new(r"(?:이)?(?:라는|란) ?(?:거|걸|것|것을|건|사실|사실을|점|점을)$|(?:이)?라고$");
static NAMED_NOUN: Pattern = Pattern::new(r"인 ?(?:거|걸|것|것을|건|사실|사실을|점|점을)$");
static OBJECT: Pattern = Pattern::new(r"(?:는|은|던|한) ?(?:걸|것을)$");

/// How a sentence is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// As one says it to a friend.
    Plain,
    /// As one says it to a stranger.
    Polite,
}

/// The clause, closed; as it is where nothing was left open.
pub(super) fn closed(text: &str, manner: Manner) -> String {
    if let Some(found) = NAMED_NOUN.on(text).and_then(|regex| regex.find(text)) {
        return noun(&text[..found.start()], manner);
    }
    if let Some(found) = REPORTED_NOUN.on(text).and_then(|regex| regex.find(text)) {
        return noun(&text[..found.start()], manner);
    }
    if let Some(found) = REPORTED.on(text).and_then(|regex| regex.find(text)) {
        return format!("{}다", &text[..found.start()]);
    }
    if let Some(found) = OBJECT.on(text).and_then(|regex| regex.find(text)) {
        let kept = found.as_str().trim_end_matches('을').replace('걸', "거");
        return format!("{}{kept}", &text[..found.start()]);
    }
    let open = text.trim_end_matches([',', ' ']);
    let polite_as_said = |said: String| if manner == Manner::Polite { format!("{said}요") } else { said };
    for ending in ["이니까", "이라서", "이어서", "인데", "인데요", "이니까요"] {
        if let Some(before) = open.strip_suffix(ending) {
            // "고양이니까" and "5일이니까" both close with 이야, "의사인데" with 야.
            return if ending.starts_with('이') && !is_closed_syllable(before) {
                noun(&format!("{before}이"), manner)
            } else {
                noun(before, manner)
            };
        }
    }
    if let Some(before) = open.strip_suffix("라서") {
        return noun(before, manner);
    }
    for ending in ["으니까", "니까", "는데", "은데"] {
        let Some(stem) = open.strip_suffix(ending) else { continue };
        return match conjugated(stem, ending) {
            Some(said) => polite_as_said(said),
            None if ending == "니까" => noun(stem, manner),
            None => text.to_owned(),
        };
    }
    if let Some(before) =
        open.strip_suffix('서').filter(|before| before.ends_with(['어', '아', '해', '여', '워', '와', '려', '져', '돼', '가']))
    {
        return polite_as_said(before.to_owned());
    }
    text.to_owned()
}

/// "B형" is "B형이야", "의사" is "의사야".
fn noun(text: &str, manner: Manner) -> String {
    let said =
        filled_by(if manner == Manner::Polite { "{v}(이에요/예요)" } else { "{v}(이야/야)" }, |_| text.trim_end().to_owned());
    said.replace("아니이에요", "아니에요").replace("아니예요", "아니에요")
}

/// A stem with the ending of plain speech: 먹 + 어, 좋 + 아, 들리 + 어 = 들려. `None` where it may be a noun.
fn conjugated(stem: &str, ending: &str) -> Option<String> {
    let last = stem.chars().next_back().filter(|letter| ('가'..='힣').contains(letter))?;
    let front = &stem[..stem.len() - last.len_utf8()];
    let with = |syllable: &str| Some(format!("{front}{syllable}"));
    let (vowel, closing) = (((last as u32 - 0xAC00) / 28) % 21, (last as u32 - 0xAC00) % 28);
    if closing != 0 {
        // ㅏ and ㅗ take 아, but the past never does.
        let bright = matches!(vowel, 0 | 8) && closing != 20;
        return Some(format!("{stem}{}", if bright { "아" } else { "어" }));
    }
    if stem.ends_with("아니") {
        return Some(format!("{stem}야"));
    }
    let word = stem.rsplit(' ').next().unwrap_or_default();
    match (last, ending) {
        ('하', _) => with("해"),
        ('되', _) => with("돼"),
        ('오', _) => with("와"),
        ('보', _) => with("봐"),
        ('주', _) => with("줘"),
        ('우', _) => with("워"),
        ('두', _) => with("둬"),
        ('쓰', _) => with("써"),
        ('크', _) => with("커"),
        ('프', _) => with("파"),
        ('쁘', _) => with("빠"),
        ('시', _) => with("셔"),
        ('리', _) => with("려"),
        ('지', _) => with("져"),
        ('치', _) => with("쳐"),
        ('니', _) if word.ends_with("다니") => with("녀"),
        ('기', "는데") => with("겨"),
        ('키', "는데") => with("켜"),
        ('사', _) if word == "사" => with("살아"),
        ('가' | '나' | '자' | '타' | '차' | '서' | '내' | '켜', _) if word.chars().count() <= 2 || ending == "는데" => {
            Some(stem.to_owned())
        }
        _ => None,
    }
}

fn is_closed_syllable(text: &str) -> bool {
    text.chars().next_back().is_some_and(|last| !('가'..='힣').contains(&last) || !(last as u32 - 0xAC00).is_multiple_of(28))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_open_is_closed_in_the_same_voice() {
        for (open, plain, polite) in [
            ("제 생일은 5월 5일이니까", "제 생일은 5월 5일이야", "제 생일은 5월 5일이에요"),
            ("나 복숭아 알레르기 있으니까", "나 복숭아 알레르기 있어", "나 복숭아 알레르기 있어요"),
            ("우리 고양이는 열세 살이니까", "우리 고양이는 열세 살이야", "우리 고양이는 열세 살이에요"),
            ("언니는 의사니까", "언니는 의사야", "언니는 의사예요"),
            ("귀가 잘 안 들리니까", "귀가 잘 안 들려", "귀가 잘 안 들려요"),
            ("매일 걸어 다니니까", "매일 걸어 다녀", "매일 걸어 다녀요"),
            ("매운 걸 못 먹는데", "매운 걸 못 먹어", "매운 걸 못 먹어요"),
            ("허리가 안 좋으니까", "허리가 안 좋아", "허리가 안 좋아요"),
            ("어제 약을 바꿨으니까", "어제 약을 바꿨어", "어제 약을 바꿨어요"),
            ("내 생일이 5월 5일인 거", "내 생일이 5월 5일이야", "내 생일이 5월 5일이에요"),
            ("내 혈액형은 B형이라는 걸", "내 혈액형은 B형이야", "내 혈액형은 B형이에요"),
            ("내가 채식한다는 사실을", "내가 채식한다", "내가 채식한다"),
            ("나 술 안 마시는 걸", "나 술 안 마시는 거", "나 술 안 마시는 거"),
            ("여권은 서랍에 있어", "여권은 서랍에 있어", "여권은 서랍에 있어"),
            ("I don't drink", "I don't drink", "I don't drink"),
        ] {
            assert_eq!(closed(open, Manner::Plain), plain);
            assert_eq!(closed(open, Manner::Polite), polite);
        }
    }
}
