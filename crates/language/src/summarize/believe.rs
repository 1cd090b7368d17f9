//! Derives simple beliefs from core memories without a model, in the language of the memories.

use std::sync::LazyLock;

use saegim_core::Language;

use crate::parse::korean::particle;
use crate::patterns::table::{Pattern, rows};
use crate::reply::wording::filled_by;
use crate::topics::sentence_topic::topic;
use crate::{BelieveFrom, DerivedBelief};

struct Rule {
    language: Language,
    says: Pattern,
    believes: &'static str,
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    rows(include_str!("../../data/summarize/beliefs.tsv"))
        .filter_map(|row| match row[..] {
            [language, says, believes, ..] => Some(Rule { language: Language::parse(language).ok()?, says: Pattern::new(says), believes }),
            _ => None,
        })
        .collect()
});

/// Returns the character's beliefs about itself. Memories that say the same support one belief together.
pub(crate) fn believe(from: &BelieveFrom<'_>) -> Vec<DerivedBelief> {
    let mut convictions: Vec<DerivedBelief> = Vec::new();
    for (place, text) in from.memories.iter().enumerate() {
        let Some(statement) = statement(text, from) else { continue };
        match convictions.iter_mut().find(|known| known.statement == statement) {
            Some(known) => known.supporting.push(place),
            None => convictions.push(DerivedBelief { statement, supporting: vec![place] }),
        }
    }
    convictions
}

fn statement(text: &str, from: &BelieveFrom<'_>) -> Option<String> {
    let language = Language::of(text);
    if let Some(own) = of_the_character(text, from.character, language) {
        return Some(own);
    }
    let (topic, user) = (topic(text), called(from.user, language));
    let fits = |rule: &&Rule| rule.language == language && rule.says.fits(text) && (topic.is_some() || !rule.believes.contains("{t}"));
    let rule = RULES.iter().find(fits)?;
    let fill = |gap: &str| match gap {
        "user" => user.clone(),
        "t" => topic.clone().unwrap_or_default(),
        _ => String::new(),
    };
    Some(filled_by(rule.believes, fill))
}

/// A memory about the character itself says it as it is: "루나는 민수를 지킨다" is "나는 민수를 지킨다".
fn of_the_character(text: &str, character: &str, language: Language) -> Option<String> {
    let text = text.trim().trim_end_matches(['.', '!']);
    let (first, rest) = text.split_once(' ')?;
    match language {
        Language::Korean => {
            let (name, mark) = particle(first);
            let own = name == character && mark.is_some_and(|mark| matches!(mark, "은" | "는" | "이" | "가"));
            own.then(|| format!("나는 {rest}"))
        }
        Language::English => {
            if !first.eq_ignore_ascii_case(character) {
                return None;
            }
            match rest.split_once(' ') {
                Some(("is", what)) => Some(format!("I am {what}")),
                Some(("was", what)) => Some(format!("I was {what}")),
                _ => Some(format!("I am someone who {rest}")),
            }
        }
    }
}

/// Returns the name of the user, or a generic phrase if there is none.
pub(crate) fn called(user: &str, language: Language) -> String {
    let nameless = matches!(user.trim().to_lowercase().as_str(), "" | "me" | "user" | "default" | "owner" | "나");
    match (nameless, language) {
        (false, _) => user.trim().to_owned(),
        (true, Language::Korean) => "곁에 있는 사람".into(),
        (true, Language::English) => "the one at my side".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, statement: &str) {
        let found = believe(&BelieveFrom { memories: &[text], user: "삐돌이", character: "루나" });
        assert_eq!(found.first().map(|found| found.statement.as_str()), Some(statement), "{text}");
    }

    #[test]
    fn memories_become_plain_beliefs() {
        check("삐돌이가 처음 이름을 지어줬다", "나는 삐돌이에게 소중한 존재다");
        check("실수했을 때 삐돌이가 괜찮다고 했다", "나는 실수해도 괜찮다");
        check("매일 대화한다", "나는 삐돌이와 매일 함께하는 동반자다");
        check("까칠하지만 속은 따뜻하게", "나는 까칠해 보여도 속은 따뜻하다");
        check("루나는 삐돌이를 지킨다", "나는 삐돌이를 지킨다");
        check("우리 강아지 모찌를 입양했어", "나는 작은 생명을 아끼는 존재다");
        check("오래된 시계를 고쳤다", "나는 오래된 시계에 얽힌 기억을 품고 사는 존재다");
    }

    #[test]
    fn english_memories_become_english_beliefs() {
        let memories = [
            "Minsu named me on a rainy day",
            "I made a mistake and he said it was okay",
            "We talk every day",
            "Luna protects Minsu",
            "Luna is shy",
        ];
        let found = believe(&BelieveFrom { memories: &memories, user: "Minsu", character: "Luna" });
        let statements: Vec<&str> = found.iter().map(|found| found.statement.as_str()).collect();
        assert_eq!(
            statements,
            [
                "I am someone who matters to Minsu",
                "I am someone who may make mistakes",
                "I am someone who keeps Minsu company every day",
                "I am someone who protects Minsu",
                "I am shy",
            ]
        );
    }

    #[test]
    fn what_says_the_same_carries_one_belief() {
        let memories = ["고마워, 덕분에 살았어", "점심을 먹었다", "늘 고맙다고 했다"];
        let found = believe(&BelieveFrom { memories: &memories, user: "me", character: "assistant" });
        assert_eq!(found[0], DerivedBelief { statement: "나는 곁에 있는 사람에게 힘이 되는 존재다".into(), supporting: vec![0, 2] });
    }

    #[test]
    fn every_rule_can_be_read_and_fills_its_gaps() {
        for rule in RULES.iter() {
            assert!(rule.says.get().is_some(), "{}", rule.believes);
            let said = filled_by(rule.believes, |gap| if gap == "user" { "민지".into() } else { "노래".into() });
            let begins = if rule.language == Language::Korean { "나는 " } else { "I am someone " };
            assert!(said.starts_with(begins) && !said.contains(['{', '}', '(', '/']), "{said}");
        }
        assert!(RULES.len() > 45);
    }
}
