//! Determines the person a clause is about.

use crate::About;
use crate::parse::korean::{Pointer, bare_name, is_name, particle, pointer};
use crate::patterns::table::Pattern;

/// The two sides of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// The user.
    User,
    /// The character.
    Character,
}

impl Speaker {
    /// Returns the person that the first person refers to.
    pub(crate) const fn first(self) -> About {
        match self {
            Self::User => About::User,
            Self::Character => About::Character,
        }
    }

    /// Returns the other side.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::User => Self::Character,
            Self::Character => Self::User,
        }
    }

    /// Returns the person that the second person refers to.
    pub(crate) const fn second(self) -> About {
        match self {
            Self::User => About::Character,
            Self::Character => About::User,
        }
    }
}

/// Removes the name of the addressee: "루나야, 나 채식해".
pub(crate) fn not_called<'a>(text: &'a str, character: &str) -> &'a str {
    let name = character.split_whitespace().next().unwrap_or_default();
    let Some(rest) =
        text.get(..name.len()).filter(|start| !name.is_empty() && start.eq_ignore_ascii_case(name)).map(|_| &text[name.len()..])
    else {
        return text;
    };
    let rest = ["아", "야", "이야", "님", "씨"].iter().find_map(|call| rest.strip_prefix(call)).unwrap_or(rest);
    if !rest.starts_with([' ', ',']) {
        text
    } else {
        Some(rest.trim_start_matches([' ', ','])).filter(|rest| !rest.is_empty()).unwrap_or(text)
    }
}

/// Returns the person that the words before a value refer to; the nearest one wins. A topic that is not a person counts only if
/// the subject must be a person ("주인공이 변호사야"), not if it may be the object ("고수는 싫어").
pub(crate) fn before(words: &str, speaker: Speaker, strict: bool) -> Option<About> {
    if let Some(found) = ONE_OF.on(words).and_then(|regex| regex.captures(words)) {
        return Some(About::Other(found.name("who")?.as_str().to_owned()));
    }
    let words: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
    for (at, word) in words.iter().enumerate().rev() {
        // 네 is also the number four.
        let counts = *word == "네"
            && words
                .get(at + 1)
                .is_some_and(|next| ["살", "명", "마리", "시", "번", "개", "달"].iter().any(|counter| next.starts_with(counter)));
        if counts {
            continue;
        }
        match pointer(word) {
            Pointer::First if matches!(*word, "내" | "제" | "우리" | "울" | "나의" | "저의") && at + 1 < words.len() => continue,
            Pointer::First => return Some(speaker.first()),
            Pointer::Second => return Some(speaker.second()),
            Pointer::Person(name) => return Some(About::Other(with_relation(&words[..at], name))),
            Pointer::Topic(name)
                if strict
                    && !crate::patterns::table::WORDS.has("attribute", &name)
                    && !crate::patterns::table::WORDS.has("time", &name) =>
            {
                return Some(About::Other(name));
            }
            Pointer::Topic(_) | Pointer::None => {}
        }
    }
    words.iter().any(|word| pointer(word) == Pointer::First).then(|| speaker.first())
}

/// Returns the owner of an attribute named right after `lead`: "현우 생일은".
pub(crate) fn owned(text: &str, lead: &str) -> Option<About> {
    let rest = text.strip_prefix(lead.trim_end())?;
    let named = crate::patterns::table::WORDS.has("attribute", particle(rest.split_whitespace().next()?).0);
    let before: Vec<&str> = lead.split_whitespace().collect();
    owner(&before).filter(|_| named).map(|name| About::Other(name.to_owned()))
}

/// Whose an attribute is when a name stands right before it.
fn owner<'a>(before: &[&'a str]) -> Option<&'a str> {
    const NO_NAMES: [&str; 14] =
        ["원래", "이제", "현재", "인생", "최종", "사실", "아마", "미리", "다시", "이미", "정리", "소개", "정보", "상세"];
    let word = before.last()?;
    let name = bare_name(word);
    let no_name = NO_NAMES.contains(word) || crate::patterns::table::WORDS.has("adverb", word) || pointer(word) != Pointer::None;
    (!no_name && is_name(name)).then_some(name)
}

/// "내 친구 지훈이는" is about 친구 지훈.
fn with_relation(before: &[&str], name: String) -> String {
    match before.last().map(|word| pointer(word)) {
        Some(Pointer::Person(relation)) if relation != name => format!("{relation} {name}"),
        _ => name,
    }
}

/// Checks whether the words name an attribute other than an occupation ("꿈은 작가야" states no job).
pub(crate) fn has_other_topic(words: &str) -> bool {
    words.split(' ').any(|word| matches!(pointer(word), Pointer::Topic(name) if !matches!(name.as_str(), "직업" | "하는일" | "본업" | "지금" | "현재" | "올해" | "나이")))
}

static EXISTS: Pattern = Pattern::new(
    r"(?:^| )(?P<who>{형제}|{짝}|엄마|아빠|친구|베프|딸|아들|조카|사촌|이모|삼촌|고모|룸메|룸메이트|선배|후배|동기)(?:이|가|도|는|은)? ?(?:하나|둘|한 ?명|두 ?명|\S+ 명)?(?:이|가)? ?있(?:는데|고|거든요?|어요?|음|지|습니다)$",
);

static ONE_OF: Pattern = Pattern::new(r"(?:^| )(?P<who>\S+) ?중(?:에|에서)? ?(?:한|두|세|네|몇|\d+) ?명(?:이|은|은요|도)(?: |$)");

/// Returns the person at the start of a clause, and whether the next clause is likely to continue with them.
pub(crate) fn opening(clause: &str, speaker: Speaker) -> Option<(About, bool)> {
    // "오빠 있는데 군인이야" goes on about the brother.
    if let Some(found) = EXISTS.on(clause).and_then(|regex| regex.captures(clause)) {
        return Some((About::Other(found.name("who")?.as_str().to_owned()), true));
    }
    // "학생 중 한 명이 열아홉 살이야" is about one of them.
    if let Some(found) = ONE_OF.on(clause).and_then(|regex| regex.captures(clause)) {
        return Some((About::Other(found.name("who")?.as_str().to_owned()), true));
    }
    let words: Vec<&str> = clause.split(' ').collect();
    for (at, word) in words.iter().enumerate().take(4) {
        // "걔 이름은 수진이고 서른두 살이야" goes on about whose name it is.
        let owns = words
            .get(at + 1)
            .is_some_and(|next| next.ends_with(['은', '는']) && crate::patterns::table::WORDS.has("attribute", particle(next).0));
        let topic = word.ends_with(['은', '는']) || word.ends_with("께서");
        let subject = topic || word.ends_with(['이', '가', '도']);
        match pointer(word) {
            Pointer::First if matches!(*word, "내" | "제" | "우리" | "울" | "나의" | "저의") => {}
            Pointer::First => return Some((speaker.first(), false)),
            Pointer::Second => return Some((speaker.second(), false)),
            Pointer::Person(name) if owns => return Some((About::Other(with_relation(&words[..at], name)), true)),
            Pointer::Person(name) if subject => return Some((About::Other(with_relation(&words[..at], name)), topic)),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_person_decides() {
        let other = |name: &str| Some(About::Other(name.into()));
        for (words, strict, about) in [
            ("나는", true, Some(About::User)),
            ("의사가 나", true, Some(About::User)),
            ("내 친구 지훈이는", true, other("친구 지훈")),
            ("나는 아빠가", true, other("아빠")),
            ("너는", true, Some(About::Character)),
            ("사과는", false, None),
            ("어제 친구랑", true, None),
        ] {
            assert_eq!(before(words, Speaker::User, strict), about, "{words}");
        }
        for (text, lead, about) in [
            ("현우 생일은 1월 21일이야", "현우 ", other("현우")),
            ("우리 수진 생일이 5월이야", "우리 수진 ", other("수진")),
            ("원래 생일은 5월이야", "원래 ", None),
            ("제 생일은 5월이야", "제 ", None),
            ("민수 때문에 늦었어", "민수 ", None),
        ] {
            assert_eq!(owned(text, lead), about, "{text}");
        }
    }
}
