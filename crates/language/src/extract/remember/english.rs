//! English requests to remember: at the start of a clause, up to the content.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::{named, tidy};
use crate::patterns::table::Pattern;
use crate::tokenize::split::Sentence;

static FRONT: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(named("front").next().unwrap_or_default()));
static OBJECT: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(named("object").next().unwrap_or_default()));
static NEVER: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(named("never").next().unwrap_or_default()));
static PREDICATE: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(named("predicate").next().unwrap_or_default()));
/// Words right before a request that make it somebody's report.
static REPORTS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| named("word").flat_map(|words| words.split(',')).collect());

/// Cheap to look for: without one of these nothing is asked.
static VERBS: Pattern = Pattern::new(
    r"\b(?:remember|remembering|rmbr|rmber|remind|memori[sz]\w+|forget|mind|memory|note|notes|down|save|store|log|record|file)\b",
);
/// Questions that are requests, and words after a request that ask for assent.
static MAY: Pattern = Pattern::new(r"\b(?:can|could|will|would|can't|won't) (?:you|u)\b|\b(?:would|do) you mind\b");
static ASSENT: Pattern = Pattern::new(r"\b(?:ok|okay|alright|please|pls|plz|yeah|got it|will you|would you|can you|could you|k)\b");
/// Assent asked for after the thing itself: ", ok?".
static TAIL: Pattern = Pattern::new(
    r"(?:,? (?:please|pls|plz|thanks|thank you)|, (?:ok|okay|alright|all right|will you|would you|can you|could you|got it|k))$",
);
/// "Don't let me forget" is said to somebody; "my sisters don't let me forget" of somebody.
static LETS: Pattern = Pattern::new(r"\blet me forget$");
static JOINS: Pattern = Pattern::new(r"^(?:and|so|but|please|pls|plz|just|also|then|ok|okay|now) ");
static PLAIN: Pattern = Pattern::new(r"^(?:(?:and|so|but|also|just|then|now) )*(?:remember|remembering|rmbr|rmber|memori[sz]e|note)$");
static NOTES: Pattern = Pattern::new(r"(?:^| )note$");
static NOTED: Pattern = Pattern::new(r"^(?: that\b| ?[:—–-]|, )");
static TO: Pattern = Pattern::new(r"^(?:to|about) ");

/// Returns the text without its first request; `None` if there is none.
pub(super) fn without(sentence: &Sentence) -> Option<String> {
    let text = sentence.text.as_str();
    if !VERBS.fits(text) {
        return None;
    }
    let starts = std::iter::once(0).chain(text.match_indices(' ').map(|(at, _)| at + 1));
    starts.filter(|at| *at < text.len()).find_map(|at| cut(sentence, at))
}

/// The sentence without the request that begins at `at`, if one does.
fn cut(sentence: &Sentence, at: usize) -> Option<String> {
    let (before, from) = sentence.text.split_at(at);
    let asking = FRONT.on(from)?.find(from)?;
    let after = &from[asking.end()..];
    let object = OBJECT.get()?.find(after).map_or("", |found| found.as_str());
    let (thing, asking) = (tidy(&after[object.len()..]), asking.as_str());
    let opens = before.is_empty() || before.trim_end().ends_with([',', ';', ':', '.', '!', '-', '—', '–']);
    if !opens && (!says_so(before, asking, (object, thing)) || LETS.fits(asking) && !JOINS.fits(asking)) {
        return None;
    }
    let tail = TAIL.on(thing).and_then(|tail| tail.find(thing));
    let thing = tail.map_or(thing, |tail| tidy(&thing[..tail.start()]));
    if NOTES.fits(asking) && !asking.contains("a ") && !asking.starts_with("take") && !NOTED.fits(after) {
        return None;
    }
    // "Remember when ..." and "remember me?" call something to mind instead of asking to keep it.
    if NEVER.fits(after.trim_start()) && !asking.to_lowercase().contains("forget") {
        return None;
    }
    let may = MAY.fits(asking);
    if sentence.asks && !may && !ASSENT.fits(object) && tail.is_none() {
        return None;
    }
    // "Can you remember my name?" asks for it, "can you remember that I'm vegan?" tells it.
    if may && !thing.is_empty() && object.trim().is_empty() && !PREDICATE.fits(thing) {
        return None;
    }
    let thing = TO.on(thing).and_then(|to| to.find(thing)).map_or(thing, |to| &thing[to.end()..]);
    Some(match (tidy(before), thing) {
        (before, "") => before.to_owned(),
        ("", thing) => thing.to_owned(),
        (before, thing) => format!("{before}, {thing}"),
    })
}

/// Whether a request in the middle of a sentence is the speaker's: more than the plain verb, and not what someone said,
/// tried or could not do.
fn says_so(before: &str, asking: &str, (object, thing): (&str, &str)) -> bool {
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
    let points = thing.is_empty() && !object.trim().is_empty();
    !REPORTS.contains(last.as_str()) && (!PLAIN.fits(asking) || points)
}
