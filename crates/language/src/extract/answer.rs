//! Answers that only make sense together with the previous message.

use std::sync::LazyLock;

use crate::extract::fact_subject::{FactSubject, fact_subject};
use crate::parse::korean;
use crate::patterns::table::{PEOPLE, Pattern, WORDS, is_class, rows};

static ASKS: LazyLock<Vec<(&'static FactSubject, Pattern)>> = LazyLock::new(|| {
    rows(include_str!("../../data/extract/asks.tsv"))
        .filter_map(|row| match row[..] {
            [name, pattern, ..] => Some((fact_subject(name)?, Pattern::new(pattern))),
            _ => None,
        })
        .collect()
});
static RELATIONS: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    rows(include_str!("../../data/extract/relations.tsv"))
        .filter_map(|row| match row[..] {
            [key, words, ..] => Some(words.split(',').map(move |word| (word, key))),
            _ => None,
        })
        .flatten()
        .collect()
});
static VALUE: Pattern = Pattern::new(
    r"^(?:(?:only|just|a (?:little |small |tiny |quiet )?(?:town|city|village|suburb|place) called|네|응|어|음|저는|나는|난|저|나|전|it's|its|it is|i'm|im|uh|um|well),? )*(?P<v>\S+?(?: \S+?){0,3}?)(?:'s fine| is fine|'s good| works| please|{be})?$",
);
static WHO: Pattern = Pattern::new(
    r"(?:who(?:'s| is) (?P<a>(?-i:[A-Z]\w+))|\bis (?P<b>(?-i:[A-Z]\w+)) (?:your|a|the)\b|(?P<c>[가-힣]{2,4}?|(?-i:[A-Z][a-z]+)) ?(?:씨)?(?:이는|이가|는|은|가|이)? ?(?:누구|누군|친구야|친구예요|친구인|동생이|가족이|애인이)|^(?P<d>[가-힣]{2,3}|(?-i:[A-Z][a-z]+))(?:요|이요)?$)",
);
static NAMED_RELATION: Pattern = Pattern::new(
    r"(?:남자 ?친구|여자 ?친구|남친|여친|애인|남편|아내|와이프|신랑|딸|아들|아이|애|애기|아기|자녀|강아지|고양이|댕댕이|냥이|반려\S*)\S* ?(?:분 ?)?(?:이름|성함|있|계)|(?:girlfriend|boyfriend|wife|husband|partner|fianc\S+|daughter|son|kid|child|baby|dog|cat|puppy|kitten|pet)(?:'s)? (?:name|called)|(?:kids|children|pets)\b",
);
static WHOSE_NAME: Pattern = Pattern::new(r"(?:^| )(?P<whose>[가-힣]+)(?:의)? 이름");
static WHERE_TO: Pattern = Pattern::new(r"^(?:와|오|아|우와|헐|그래)?[ ,]*어디(?:로|야|예요|요)?$|^(?:oh,? |wow,? )?where to$");
static QUARTER: Pattern = Pattern::new(r"^[가-힣]{1,4}(?:동|구|읍)(?:으로|로|이야|이요|이에요)?$");
static TAKEN_FOR: Pattern = Pattern::new(r"\byou(?:'re| are) (?:now )?(?:a|an|the)\b|(?:이구나|이군요|이네요?|시군요|시네요|이시구나)");
static REQUESTS: Pattern = Pattern::new(r"알려|말해|얘기해|이야기해|궁금|\b(?:tell me|let me know|share|curious|wondering)\b");
static YES: Pattern =
    Pattern::new(r"^(?:ㅇㅇ|응+|웅|어|네+|넵|넹|예|맞아요?|마자|그렇지|yes|yeah|yep|yup|right|exactly|correct|ya)(?:[ ,.!]|$)");
static YES_LAST: Pattern = Pattern::new(r",? (?:yes|yeah|yep|맞아|맞아요|네)[.!]?$");
static OPEN: Pattern = Pattern::new(
    r"(?:^|\s)(?:뭐|뭘|무엇|무슨|어디|언제|누구|누가|왜|어떻게|몇|얼마|어느|어떤)|\b(?:what|who|where|when|why|how|which|or)\b|(?:^|\s)(?:나|내|제|저|나는|저는) ",
);

/// The last thing asked in a message.
fn last_question(message: &str) -> Option<&str> {
    let asked = message.split_inclusive('?').rev().find(|part| part.ends_with('?'))?;
    Some(asked.trim_end_matches('?').rsplit(['.', '!', '\n']).next().unwrap_or(asked).trim())
}

/// Returns the subject that a message asks for.
pub(crate) fn asked_for(message: &str, answer: &str) -> Option<&'static FactSubject> {
    let asked = last_question(message).or_else(|| REQUESTS.fits(message).then_some(message))?;
    // "어디로?" after news of a move or a journey: only a quarter of a town tells which.
    if WHERE_TO.fits(asked) {
        return fact_subject("residence").filter(|_| QUARTER.fits(answer));
    }
    if of_somebody_else(asked) && !NAMED_RELATION.fits(asked) {
        return None;
    }
    let own = [" my ", "내 ", "제 "].iter().any(|mine| format!(" {asked}").contains(mine));
    ASKS.iter().find(|(_, pattern)| !own && pattern.fits(asked)).map(|(subject, _)| *subject)
}

/// Whether a question is about somebody by name or relation: "보미 님은 무슨 일 해?", "What does your sister do?"
fn of_somebody_else(asked: &str) -> bool {
    let kin = |word: &str| PEOPLE.has("kin", word.trim_end_matches("'s"));
    let korean = asked.split(' ').any(|word| {
        matches!(korean::pointer(word), korean::Pointer::Person(_)) && korean::particle(word).1.is_some()
            || word.starts_with("님은")
            || word.starts_with("씨는")
    });
    let whose = WHOSE_NAME.on(asked).and_then(|regex| Some(regex.captures(asked)?.name("whose")?.as_str().to_owned()));
    let own = |word: &str| {
        korean::pointer(word) == korean::Pointer::Second
            || WORDS.has("filler", word)
            || matches!(word, "네" | "니" | "본인" | "우선" | "먼저" | "성함")
    };
    if whose.is_some_and(|word| !own(&word)) {
        return true;
    }
    let others = RELATIONS.iter().any(|(word, _)| !word.is_ascii() && asked.contains(&format!("{word} 이름")));
    korean || others || asked.to_lowercase().split([' ', ',']).any(kin)
}

/// Returns the bare value of a short answer.
pub(crate) fn bare_value(text: &str) -> Option<String> {
    Some(VALUE.on(text)?.captures(text)?.name("v")?.as_str().to_owned())
}

/// Returns subject and value of a short answer about a person named in the question ("여동생이요" about 하율 gives family, 여동생 하율).
pub(crate) fn relation(question: &str, text: &str) -> Option<(&'static FactSubject, String)> {
    let asked = last_question(question)?;
    let found = WHO.on(asked)?.captures(asked)?;
    let name = ["a", "b", "c", "d"].iter().find_map(|group| found.name(group))?.as_str();
    related(text, Some(name))
}

/// Returns subject and value of a fragment like "아 남자친구요", about the person mentioned before.
pub(crate) fn related(text: &str, name: Option<&str>) -> Option<(&'static FactSubject, String)> {
    let fragment = text.split([',', '.']).next()?.trim();
    if fragment.split(' ').count() > 4 {
        return None;
    }
    let value = bare_value(fragment)?.to_lowercase();
    let last = value.trim_start_matches("my ");
    let (word, key) = RELATIONS.iter().find(|(word, _)| last == *word || last.ends_with(&format!(" {word}")))?;
    let name = name.map(korean::bare_name).filter(|name| !RELATIONS.iter().any(|(word, _)| word == name));
    match (*key, name) {
        ("partner" | "best_friend", Some(name)) => Some((fact_subject(key)?, name.to_owned())),
        ("partner", None) => Some((fact_subject("relationship_status")?, (*word).to_owned())),
        (_, Some(name)) => Some((fact_subject(key)?, format!("{word} {name}"))),
        _ => None,
    }
}

/// Returns the fact subject of a person or animal by the word for them ("남동생" is family), whatever stands before the word.
pub(crate) fn relation_subject(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    let last = |name: &str| lower == name || lower.ends_with(&format!(" {name}")) || !name.is_ascii() && lower.ends_with(name);
    RELATIONS.iter().filter(|(name, _)| last(name)).max_by_key(|(name, _)| name.len()).map(|(_, key)| *key)
}

/// Checks whether a word only means yes.
pub(crate) fn is_yes(word: &str) -> bool {
    YES.fits(word)
}

/// Returns the relative whose name a bare name is, if the question asked for it: "언니 이름이 뭐예요?" "Grace요".
pub(crate) fn named_relation(question: &str, text: &str) -> Option<(&'static FactSubject, String)> {
    let asked = last_question(question)?;
    let (word, key) = RELATIONS.iter().find(|(word, key)| {
        *key == "family"
            && (asked.contains(&format!("{word} 이름"))
                || asked.contains(&format!("{word}'s name"))
                || asked.contains(&format!("{word} 성함")))
    })?;
    let name = bare_value(text).filter(|name| !name.contains(' ') && !is_yes(name))?;
    let known = korean::is_name(korean::bare_name(&name)) || name.starts_with(|letter: char| letter.is_ascii_uppercase());
    known.then_some((fact_subject(key)?, format!("{word} {}", korean::bare_name(&name))))
}

/// Returns the person whose name follows a mention of them: "여자친구랑은 3년 됐고 이름은 보미".
pub(crate) fn last_relation(heard: &str, name: &str) -> Option<(&'static FactSubject, String)> {
    let lower = heard.to_lowercase();
    let (_, word, key) = RELATIONS
        .iter()
        .filter_map(|(word, key)| {
            let at = lower.rfind(word)?;
            let alone = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_ascii_alphanumeric());
            let whole = !word.is_ascii() || alone(lower[..at].chars().next_back()) && alone(lower[at + word.len()..].chars().next());
            whole.then_some((at, *word, *key))
        })
        .max_by_key(|(at, word, _)| (*at + word.len(), word.len()))?;
    let name = korean::bare_name(name);
    let value = if matches!(key, "partner" | "best_friend") { name.to_owned() } else { format!("{word} {name}") };
    Some((fact_subject(key)?, value))
}

/// Returns the question as a statement of the speaker, if the answer is yes.
pub(crate) fn confirmed(question: &str, text: &str) -> Option<String> {
    let asked = last_question(question).filter(|_| YES.fits(text) || YES_LAST.fits(text))?;
    if OPEN.fits(asked) || asked.split(' ').count() > 9 {
        return None;
    }
    let korean = asked.chars().any(|letter| ('가'..='힣').contains(&letter));
    let second = asked.to_lowercase().split([' ', ',']).any(|word| matches!(word, "you" | "your" | "you're" | "you've"));
    let said = asked
        .replace("좋아했", "좋아하")
        .trim_start_matches("So ")
        .trim_start_matches("so ")
        .replace("you're", "I'm")
        .replace("You're", "I'm")
        .replace("you are", "I'm")
        .replace("You", "I")
        .replace("your", "my")
        .replace("you", "I");
    (korean || second).then_some(said)
}

/// Checks whether an answer only repeats an occupation from the question ("Head chef?" "head chef").
pub(crate) fn echoes_trade(question: &str, text: &str) -> bool {
    is_class("job", text)
        && !text.to_lowercase().starts_with("not ")
        && text.split(' ').count() <= 3
        && (last_question(question).is_some_and(|asked| asked.to_lowercase().contains(&text.to_lowercase()))
            || TAKEN_FOR.fits(question) && text.to_lowercase().split(' ').any(|word| question.to_lowercase().contains(word)))
}
