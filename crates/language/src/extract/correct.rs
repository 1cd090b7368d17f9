//! Corrections: "수요일이 아니라 목요일이야", "I meant Thursday", "June 2nd, not June 1st".

use crate::patterns::table::Pattern;

/// A correcting sentence without the old value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Correction {
    /// Sentence with only the correct value.
    pub(crate) text: String,
    /// Retracted value, if it is named.
    pub(crate) old: Option<String>,
}

static INSTEAD: Pattern = Pattern::new(r"(?P<old>\S+?)(?:이|가|은|는|도)? ?(?:아니라|아니고|아니구|아니었고|말고),? (?P<rest>.+)$");
static TAKES_BACK: Pattern = Pattern::new(
    r"^(?:아|앗|어|아 ?참|헉|아니)?[, ]*(?:아니다|아니야|아냐|아닌데|정정|정정할게요?|정정합니다|잘못 ?말했(?:어|네|다)요?|다시 ?말할게|틀렸(?:어|네|다)|착각했(?:어|네|다)|말이 ?헛나왔(?:어|네))[,.: ]*(?P<rest>.*)$",
);
static TAKES_BACK_EN: Pattern = Pattern::new(
    r"^(?:oh,? |ah,? |oops,? |hmm,? )*(?P<mark>wait,? no|no,? wait|wait|actually,? no|no,? actually|correction|scratch that|i meant to say|i meant|i misspoke|let me correct that|sorry,? i meant|make that|sorry|no,? it's|no|actually)[,:. ]+(?P<rest>.+)$",
);
static NOT_OLD: Pattern = Pattern::new(r"^(?P<rest>.+?),? (?:and )?not (?:a |an |the |in |on |to |at )?(?P<old>[\w'-]+(?: [\w'-]+){0,2})$");
static NOT_BUT: Pattern =
    Pattern::new(r"^(?P<front>.*?)\bnot (?:a |an |the |in |on )?(?P<old>[\w'-]+(?: [\w'-]+)?),? but (?:rather )?(?P<new>.+)$");
const NOT_VALUES: [&str; 19] = [
    "anymore",
    "really",
    "yet",
    "sure",
    "at all",
    "too",
    "that",
    "even",
    "just",
    "now",
    "today",
    "me",
    "so",
    "bad",
    "always",
    "going",
    "gonna",
    "like that",
    "because",
];

/// Parses a sentence as a correction. Weak markers ("sorry", "actually") count only if there is a previous statement.
pub(crate) fn correction(text: &str, said_before: bool) -> Option<Correction> {
    if let Some(found) = INSTEAD.on(text).and_then(|regex| regex.captures(text)) {
        let (old, rest) = (found.name("old")?, found.name("rest")?);
        let before = &text[..old.start()];
        let front = if TAKES_BACK.fits(before) { "" } else { before };
        return Some(Correction { text: format!("{front}{}", rest.as_str()).trim().to_owned(), old: Some(old.as_str().to_owned()) });
    }
    if let Some(found) = TAKES_BACK.on(text).and_then(|regex| regex.captures(text)) {
        return Some(Correction { text: found.name("rest")?.as_str().trim().to_owned(), old: None });
    }
    let marked = TAKES_BACK_EN.on(text).and_then(|regex| regex.captures(text));
    let strong = marked.as_ref().and_then(|found| found.name("mark")).is_some_and(|mark| {
        let mark = mark.as_str().to_lowercase();
        said_before
            || ["correction", "i meant", "scratch", "misspoke", "make that", "let me correct"].iter().any(|word| mark.contains(word))
    });
    let rest = marked.as_ref().and_then(|found| found.name("rest")).map_or(text, |rest| rest.as_str());
    if let Some(found) = NOT_BUT.on(rest).and_then(|regex| regex.captures(rest)) {
        let text = format!("{}{}", found.name("front")?.as_str(), found.name("new")?.as_str());
        return Some(Correction { text, old: Some(found.name("old")?.as_str().to_owned()) });
    }
    if let Some(found) = NOT_OLD.on(rest).and_then(|regex| regex.captures(rest)) {
        let old = found.name("old")?.as_str();
        let front = found.name("rest")?.as_str();
        let auxiliary = [
            "i'm",
            "i am",
            "is",
            "are",
            "was",
            "am",
            "do",
            "did",
            "it's",
            "that's",
            "he's",
            "she's",
            "why",
            "or",
            "if",
            "i'd rather",
            "of course",
            "will",
            "can",
            "would",
            "were",
            "you're",
            "we're",
            "they're",
        ];
        if !NOT_VALUES.contains(&old.to_lowercase().as_str())
            && !auxiliary.iter().any(|word| front.to_lowercase() == *word || front.to_lowercase().ends_with(&format!(" {word}")))
        {
            return Some(Correction { text: front.to_owned(), old: Some(old.to_owned()) });
        }
    }
    strong.then(|| Correction { text: rest.to_owned(), old: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, Option<&str>)>) {
        let found = correction(text, false);
        assert_eq!(found.as_ref().map(|one| (one.text.as_str(), one.old.as_deref())), expected, "{text}");
    }

    #[test]
    fn the_old_value_is_taken_out() {
        check("직업은 간호사가 아니라 약사야", Some(("직업은 약사야", Some("간호사"))));
        check("아 아니다, 수요일이 아니라 목요일이야", Some(("목요일이야", Some("수요일"))));
        check("I meant Thursday, not Wednesday", Some(("Thursday", Some("Wednesday"))));
        check("I live in Portland, not Seattle", Some(("I live in Portland", Some("Seattle"))));
        check("I'm not tired", None);
        check("나 학생이야", None);
    }
}
