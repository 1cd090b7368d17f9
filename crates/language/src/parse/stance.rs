//! Classifies the stance of a statement: question, hypothetical, quote, joke, ignorance or small talk.

use std::sync::LazyLock;

use crate::SkipReason;
use crate::patterns::table::{Pattern, rows};
use crate::tokenize::split::Sentence;

struct Stance {
    why: SkipReason,
    scope: &'static str,
    pattern: Pattern,
}

static STANCES: LazyLock<Vec<Stance>> = LazyLock::new(|| {
    rows(include_str!("../../data/parse/stances.tsv"))
        .filter_map(|row| match row[..] {
            [why, scope, pattern, ..] => Some(Stance { why: word(why)?, scope, pattern: Pattern::new(pattern) }),
            _ => None,
        })
        .collect()
});

fn word(why: &str) -> Option<SkipReason> {
    Some(match why {
        "joke" => SkipReason::Joke,
        "hypothetical" => SkipReason::Hypothetical,
        "quote" => SkipReason::Quote,
        "ignorance" => SkipReason::Ignorance,
        "small_talk" => SkipReason::SmallTalk,
        _ => return None,
    })
}

static SERIOUS: Pattern = Pattern::new(r"농담 ?(?:아니|아님|말고)|장난 ?(?:아니|아님)|뻥 ?아니|\b(?:not|no) (?:joking|kidding|joke)\b");
static ASKS_KO: Pattern = Pattern::new(
    r"(?:하니|있니|했니|먹니|이니|없니|였니|좋니|냐|(?:었|았|했|였|됐|갔|왔|있|없|하|되|시|인|가|오|셨|싶)나요|까요|(?:을|일|할|갈|볼|될|올|줄|살|탈|질|힐|습니|입니|합니|십니|랍니|됩니)까|을래|ㄹ래|할래|볼래|갈래|뭐야|뭐게|뭐지|뭐예요|뭘까|누구야|누구게|언제야|언제게|어디야|어디게|얼마야|왜야|어때요?|어떻게 ?생각해|맞혀봐|맞춰봐|맞혀볼래|알아맞혀|몇 ?살이야|궁금해)$",
);
static ASKS_EN: Pattern = Pattern::new(
    r"^(?:(?:so|and|but|hey|wait|ok|okay|hmm|well|oh),? )*(?:do u|are u|did u|can u|have u|wanna|what|what's|who|who's|where|where's|when|when's|why|how|which (?:one|of|do|is|are|way)|whose|do you|do i|do we|does|did you|did he|did she|did we|are you|are there|are we|am i|is it|is there|is he|is she|is that|is this|is my|is your|was it|were you|can you|can i|could you|could i|would you|should i|should we|will you|have you|has|have we|may i|any idea|guess (?:what|who|where|how|my))\b",
);
static WONDERS: Pattern = Pattern::new(r"(?:^|\s)(?:뭐|뭘|무엇|무슨|어디|언제|누구|누가|왜|어떻게|몇|얼마|어느|어떤)");
static TELLS: Pattern = Pattern::new(
    r"(?:(?:거|걸|것|건) ?(?:알지|알죠|알고 ?있지|기억하지|기억나지|기억하죠|알잖아|기억해)|말했지|말했나요?|얘기했지|얘기했나|말했던가|잖아|거든|말 ?안 ?했나|얘기 ?안 ?했나|알지)$|^(?:did i (?:ever )?(?:tell you|mention)|have i (?:ever )?(?:told you|mentioned))\b|,? (?:you know|remember|right|didn't i)$",
);

/// Returns the reason to ignore a whole sentence, if any.
pub(crate) fn of_sentence(sentence: &Sentence) -> Option<SkipReason> {
    let text = sentence.text.as_str();
    let hit = STANCES.iter().find(|stance| match stance.scope {
        "sentence" => stance.pattern.fits(text) || sentence.asks && stance.pattern.fits(&format!("{text}?")),
        "whole" => {
            stance.pattern.on(text).and_then(|regex| regex.find(text)).is_some_and(|found| found.start() == 0 && found.end() == text.len())
        }
        _ => false,
    });
    match hit.map(|stance| stance.why) {
        Some(SkipReason::Joke) if SERIOUS.fits(text) => None,
        other => other,
    }
}

/// Returns the reason to ignore a clause, if any. A question mark belongs to the last clause.
pub(crate) fn of_clause(clause: &str, last: bool, asks: bool) -> Option<SkipReason> {
    if asks_for(clause, last && asks) {
        return Some(SkipReason::Question);
    }
    STANCES.iter().find(|stance| stance.scope == "clause" && stance.pattern.fits(clause)).map(|stance| stance.why)
}

/// Checks whether a sentence is only a rhetorical question: "거 알지?", "did I tell you that ...?"
pub(crate) fn tells(text: &str) -> bool {
    TELLS.fits(text) && !WONDERS.fits(text)
}

/// Whether a sentence marked with a question mark, or worded like one, asks instead of telling.
fn asks_for(clause: &str, marked: bool) -> bool {
    if tells(clause) {
        return false;
    }
    marked || ASKS_KO.fits(clause) || ASKS_EN.fits(clause)
}

/// Checks whether a sentence only retracts the previous one as a joke.
pub(crate) fn is_only_joke(text: &str) -> bool {
    text.chars().count() <= 16 && STANCES.iter().any(|stance| stance.why == SkipReason::Joke && stance.pattern.fits(text))
}
