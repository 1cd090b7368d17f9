//! Shallow parsing of English: converts statements about others to the first person, and normalises noun phrases.

use std::sync::LazyLock;

use crate::patterns::table::{PEOPLE, Pattern};

static SOMEBODY: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"^(?:(?:and|but|so|also|btw|oh|well|actually|yeah|yes|because|though|while|fun fact|apparently|turns out|i think|i heard|my friend says),? )*(?P<who>(?:my|our|his|her|their|the|this|that) (?:[\w'-]+ ){0,2}?[\w-]+?(?: (?-i:[A-Z][a-z]+))?|(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)|he|she|they)(?P<verb>'s| [\w']+)(?P<rest> .+|)$",
    )
});

/// A statement about another person, converted to the first person.
pub(crate) struct Retold {
    /// Person it is about.
    pub(crate) who: String,
    /// Statement in the first person.
    pub(crate) text: String,
}

/// Converts "Alice is allergic to nuts" to "I'm allergic to nuts" by Alice. Returns `None` if the subject is not another
/// person.
pub(crate) fn retell(clause: &str) -> Option<Retold> {
    let found = SOMEBODY.on(clause)?.captures(clause)?;
    let (who, verb, rest) = (found.name("who")?.as_str(), found.name("verb")?.as_str().trim(), found.name("rest")?.as_str());
    let lower = who.to_lowercase();
    if matches!(
        lower.as_str(),
        "i" | "we" | "you" | "it" | "that" | "this" | "there" | "what" | "the" | "the name" | "name" | "real name" | "full name"
    ) {
        return None;
    }
    let last = lower.trim_end_matches("'s").rsplit(' ').next().unwrap_or_default();
    let person = matches!(lower.as_str(), "he" | "she" | "they")
        || lower.split(' ').any(|word| PEOPLE.has("kin", word))
        || who.starts_with(char::is_uppercase)
            && !["the ", "my ", "our ", "his ", "her ", "their ", "this ", "that "].iter().any(|start| lower.starts_with(start))
        || PEOPLE.has("kin", last)
        || lower.starts_with("the ")
        || lower.starts_with("this ")
        || lower.starts_with("that ");
    if !person {
        return None;
    }
    let first = PEOPLE.words("verb").find_map(|pair| pair.split_once('=').filter(|(third, _)| *third == verb.to_lowercase()))?.1;
    let text = if first == "am" { format!("I'm{rest}") } else { format!("I {first}{rest}") };
    Some(Retold { who: who.trim_start_matches("my ").trim_start_matches("My ").trim_start_matches("our ").to_owned(), text })
}

static BEGUN: Pattern = Pattern::new(
    r"^(?:(?:just|finally|recently|currently|now|still|also|actually|officially|originally|only|already|so|yeah|yep|well|oh|and|but|ok|okay|anyway),? )*(?P<verb>[\w']+)",
);

/// Completes a statement without "I": "living in Queens", "got a hamster", "can't stand olives".
pub(crate) fn completed(clause: &str) -> Option<String> {
    let verb = BEGUN.on(clause)?.captures(clause)?.name("verb")?;
    let word = verb.as_str().to_lowercase();
    let subject = if PEOPLE.has("doing", &word) {
        "I'm"
    } else if PEOPLE.has("done", &word) {
        "I"
    } else if word == "been" {
        "I've"
    } else {
        return None;
    };
    Some(format!("{subject} {}", &clause[adverbs(clause, verb.start())..]))
}

/// Where the adverbs that belong to the verb begin: fillers before them are dropped.
fn adverbs(clause: &str, verb: usize) -> usize {
    let kept =
        ["just", "finally", "recently", "currently", "now", "still", "also", "actually", "officially", "originally", "only", "already"];
    let mut at = verb;
    for word in clause[..verb].split_inclusive(' ').rev() {
        if !kept.contains(&word.trim().trim_end_matches(',').to_lowercase().as_str()) || word.trim().ends_with(',') {
            break;
        }
        at -= word.len();
    }
    at
}

/// Removes articles and fillers such as "really" and "of course" from a noun phrase.
pub(crate) fn tidy(phrase: &str) -> String {
    const AROUND: [&str; 26] = [
        "a",
        "an",
        "the",
        "my",
        "some",
        "really",
        "very",
        "just",
        "actually",
        "always",
        "definitely",
        "probably",
        "honestly",
        "of",
        "is",
        "to",
        "also",
        "be",
        "called",
        "named",
        "still",
        "currently",
        "all",
        "too",
        "so",
        "any",
    ];
    let mut words: Vec<&str> =
        phrase.trim_matches(|letter: char| matches!(letter, ' ' | ',' | '.' | '"' | '*' | '\'')).split(' ').collect();
    while words.len() > 1 && AROUND.contains(&words[0].to_lowercase().as_str()) {
        words.remove(0);
    }
    while words.len() > 1
        && words.last().is_some_and(|last| {
            ["too", "so", "now", "really", "lol", "though", "of", "the", "a", "btw"].contains(&last.to_lowercase().as_str())
        })
    {
        words.pop();
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_others_is_read_as_theirs() {
        for (clause, retold) in [
            ("Alice is allergic to peanuts", Some(("Alice", "I'm allergic to peanuts"))),
            ("my sister lives in York", Some(("sister", "I live in York"))),
            ("he's a nurse", Some(("he", "I'm a nurse"))),
            ("I live in York", None),
            ("my name is Bo", None),
        ] {
            let found = retell(clause);
            assert_eq!(found.as_ref().map(|one| (one.who.as_str(), one.text.as_str())), retold, "{clause}");
        }
    }

    #[test]
    fn phrases_are_tidied() {
        assert_eq!(tidy("a really old bakery,"), "old bakery");
        assert_eq!(tidy("the"), "the");
    }
}
