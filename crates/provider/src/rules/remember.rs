//! "Remember this": the speaker's own word that something matters.

use super::table::Pattern;

static ASKS: Pattern = Pattern::new(
    r"(?:(?:이거|이건|이것만|그거|꼭|제발|부디|절대|너도|그러니까|이 ?날|앞으로도) ?)*(?:(?:기억해|기억 ?해)(?:줘|둬|놔|주세요|라| ?줘| ?줄래| ?둬| ?놔| ?주세요| ?두세요| ?뒀으면|$|,|!|\.)(?:요)?|기억하고 ?있어 ?(?:줘|주세요)?|(?:절대 ?)?(?:잊지|까먹지|잊어버리지) ?(?:마|말아|말고|마라|마요|마세요)(?:줘|요| ?줘| ?주세요)?|잊으면 ?안 ?돼(?:요)?|외워 ?(?:둬|줘)|메모해 ?(?:둬|줘)|머리에 ?새겨(?: ?둬)?)[,.!]*",
);
static ASKS_EN: Pattern = Pattern::new(
    r"(?:\b(?:please |pls |always |and |so |just |you have to |you must |make sure (?:you |to )|i want you to |i need you to |try to )*(?:remember (?:this|that|it)\b|remember:|(?:don't|dont|do not) (?:ever )?forget(?: this| that| it| about it| about this)?|never forget(?: this| that)?|keep (?:this |that |it )?in mind(?: that)?|make a note(?: of (?:this|that|it))?(?: that)?|note (?:this|that) down|take note(?: that)?|jot (?:this|that) down|commit (?:this|that) to memory)[,:.!]* ?)",
);
static RECALLS: Pattern = Pattern::new(
    r"\b(?:do|don't|did|can|will|would) you (?:still |even |ever )?remember\b|\bi (?:don't |can't |still |always |do )?remember\b|\bremember (?:when|how|me|the time)\b|기억해\?|기억나|기억해요\?|기억하지",
);
static OPENS: Pattern = Pattern::new(r"^(?:please |pls )?remember,? (?:that )?(?:i|my|we|our)\b");

static FOR_EVER: Pattern = Pattern::new(
    r"(?:평생|영원히|영영|언제까지나|죽을 ?때까지|두고두고|세상이 ?끝나도)[^.!?]*(?:기억|잊지|간직|새겨)|(?:기억|간직|잊지)[^.!?]*(?:평생|영원히|언제까지나)|\b(?:remember|keep|cherish)\b[^.!?]*\b(?:forever|for ever|always|for the rest of)\b|\b(?:forever|for ever|always) (?:remember|keep)\b|\b(?:don't|do not) ever forget\b|\bnever,? ever forget\b",
);

/// Whether something is to be remembered for ever.
pub fn for_ever(text: &str) -> bool {
    FOR_EVER.fits(text)
}

/// Whether the speaker asks to remember something.
pub(crate) fn asked(text: &str) -> bool {
    !RECALLS.fits(text) && (ASKS.fits(text) || english(text).is_some() || OPENS.fits(text))
}

/// The text without the request; `None` when there is no request.
pub(crate) fn strip(text: &str, question: bool) -> Option<String> {
    if question || RECALLS.fits(text) {
        return None;
    }
    if OPENS.fits(text) {
        let rest = text.split_once(' ').map_or("", |(_, rest)| rest);
        return Some(rest.trim_start_matches("remember").trim_start_matches([',', ' ']).trim_start_matches("that ").to_owned());
    }
    // "잊지 말고 기억해 줘" asks twice.
    let mut rest = once(text)?;
    while let Some(less) = once(&rest).filter(|less| less.len() < rest.len()) {
        rest = less;
    }
    Some(rest)
}

/// The text without one request.
fn once(text: &str) -> Option<String> {
    let rest = ASKS.without(text).or_else(|| english(text))?;
    Some(rest.trim_matches(|letter: char| matches!(letter, ' ' | ',' | ':' | '.')).to_owned())
}

fn english(text: &str) -> Option<String> {
    ASKS_EN.without(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, rest: Option<&str>) {
        assert_eq!(strip(text, false).as_deref(), rest, "{text}");
    }

    #[test]
    fn for_ever_is_more_than_a_request() {
        for (text, expected) in [
            ("우리 결혼했어! 평생 기억해 줘", true),
            ("이건 영원히 잊지 마", true),
            ("꼭 기억해 줘", false),
            ("평생 서울에 살았어", false),
            ("Please remember this forever, we got married", true),
            ("Don't ever forget this", true),
            ("remember this", false),
        ] {
            assert_eq!(for_ever(text), expected, "{text}");
        }
    }

    #[test]
    fn a_request_to_remember_is_taken_off() {
        check("기억해 줘, 내 생일은 3월 15일이야", Some("내 생일은 3월 15일이야"));
        check("내 이름은 하준이야 까먹지 마", Some("내 이름은 하준이야"));
        check("Remember this: I'm allergic to bees", Some("I'm allergic to bees"));
        check("don't forget, my birthday is July 1st", Some("my birthday is July 1st"));
        check("Please remember that I need quiet", Some("I need quiet"));
        check("엄마 생신은 5월 8일이야, 잊지 말고 기억해 줘", Some("엄마 생신은 5월 8일이야"));
        check("잊지 말고 꼭 기억해 줘", Some(""));
        check("Remember that the key is under the pot, don't forget", Some("the key is under the pot"));
        check("do you remember my name", None);
        check("그날 기억나", None);
    }
}
