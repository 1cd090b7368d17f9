//! Korean requests to remember: a verb in an imperative form, with the words that belong to it.
//!
//! A plain "기억해" can be a request, an answer or a question, so it counts only if the context decides.

use std::sync::LazyLock;

use super::{named, tidy};
use crate::patterns::table::Pattern;
use crate::tokenize::split::Sentence;

static ASKS: LazyLock<Vec<Pattern>> = LazyLock::new(|| named("ask").map(Pattern::new).collect());
static NEEDS: LazyLock<Vec<Pattern>> = LazyLock::new(|| named("needs").map(Pattern::new).collect());
static ALSO: LazyLock<Vec<Pattern>> = LazyLock::new(|| named("also").map(Pattern::new).collect());
static BARE: LazyLock<Vec<Pattern>> = LazyLock::new(|| named("bare").map(Pattern::new).collect());
/// Words that belong to a request, the longest first.
static LEADS: LazyLock<Vec<&'static str>> = LazyLock::new(|| longest("lead"));
static IDLE: LazyLock<Vec<&'static str>> = LazyLock::new(|| longest("idle"));
static TAILS: LazyLock<Vec<&'static str>> = LazyLock::new(|| longest("tail"));
static CLOSES: LazyLock<Vec<&'static str>> = LazyLock::new(|| longest("close"));

/// Cheap to look for: without one of these nothing is asked.
static VERBS: Pattern = Pattern::new(
    r"기억|메모|암기|명심|유념|참고|기록|숙지|외워|적어|알아|알고|새겨|담아|넣어|염두|외우|저장|잊|까먹|까묵|깜빡|빼먹|흘려듣",
);
static FIRST_PERSON: Pattern = Pattern::new(r"(?:^| )(?:나|난|나는|나도|내가|저|전|저는|저도|제가|우린|우리는|우리가)$");
static OPENS_WITH_SELF: Pattern = Pattern::new(r"^(?:나|난|나는|나도|내가|저|전|저는|저도|제가) ");
static NAMES_IT: Pattern = Pattern::new(r"(?:거|걸|것|것을|건|사실|사실을|점|점을|다고|라고)$");
static ORDERS: Pattern = Pattern::new(r"(?:줘|줘요|주세요|줄래|주실래요|둬|놔|해라|하세요|가자|하자|봐|해)$");
static CALLS_TO_MIND: Pattern =
    Pattern::new(r"^(?:그때|그날|그거|저번|지난번|예전|옛날|우리 ?그)|(?:잖아|었지|았지|했지|던 ?거|던 ?날|나)요?$");
static CLOSED: Pattern = Pattern::new(
    r"(?:이야|[^분]야|예요|에요|어요|아요|해요|워요|려요|셔요|니다|[었았했렸였있없싫갔왔됐샀봤]어|좋아|먹어|마셔|살아|않아|많아|안 ?돼|거든|거야|잖아|네요|이다|한다|는다|[었았했있없]다|아니야)$|(?:을|를|이|가|은|는|에|도|만|서|못|안|잘|로) [가-힣]{1,4}(?:어|아|해|여|워|와|려|져|셔|쳐|가|파|봐|러|라|나)$",
);
/// Why something is to be remembered, which is what is to be: "열쇠는 화분 밑에 있으니까 기억해".
static GIVES: Pattern = Pattern::new(r"니(?:까|깐)$");
/// Why somebody remembers: they were there, were told, see it daily, or have the head for it.
static EXPLAINS: Pattern = Pattern::new(
    r"^(?:(?:나|난|나는|나도|내가|저|전|저는|저도|제가|우리|우리가|우린) )?(?:그때|그날|그거|그걸|그건|그 .*(?:았|었|했|봤|갔|왔|났|됐)으|저번|지난번|지난|예전|옛날|어릴|어렸|처음|직접|매일|맨날|자주|늘|항상|여러 ?번|몇 ?번|아까|방금)|(?:머리(?:가|는)? ?좋|똑똑하|기억력|직접 ?(?:봤|들었|겪었|했)|(?:나도|내가|저도|제가|우리도) (?:\S+ )?(?:봤|들었|있었|겪었|갔었)으|(?:말|얘기|이야기)(?:을|를)? ?(?:해|해 ?)?(?:줬|주셨|했|하셨)으|충격이었|인상 ?깊|처음이었|강렬했)\S*$|(?:^| )(?:뭐|뭘|무슨|어디|언제|누구|누가|왜|어떻게|몇)(?: |$)",
);
/// "이따 물어볼 테니까": why it is to be remembered, not what.
static LATER: Pattern = Pattern::new(
    r"^(?:(?:이따|이따가|나중에|다음에|내일|또|꼭|진짜|아주) )*\S{0,4}(?:물어볼|확인할|필요할|쓸|시험 ?볼|찾을|중요한) ?\S{0,3}(?:니까|니|건데|거야|거든)$",
);
/// What makes a plain "기억해" a request, and what makes it a question.
const URGES: [&str; 8] = ["꼭", "꼭꼭", "제발", "부디", "절대", "절대로", "반드시", "앞으로"];
const WONDERS: [&str; 12] = ["그거", "그건", "그걸", "그것", "그것도", "모두", "전부", "둘 다", "셋 다", "계속", "항상", "늘"];
/// A form of request with one of these on it is no request any more: "기억해 줘서", "기억하라고".
const GOES_ON: [char; 16] = ['야', '서', '도', '고', '는', '니', '면', '며', '던', '지', '네', '길', '음', '금', '줬', '줄'];

fn longest(name: &'static str) -> Vec<&'static str> {
    let mut words: Vec<&str> = named(name).flat_map(|words| words.split(',')).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
}

/// A request found in a text, and what stands around it.
struct Found<'a> {
    asking: &'a str,
    before: &'a str,
    after: &'a str,
    leads: Vec<&'static str>,
    /// Whether a mark parts it from what stands before.
    parted: bool,
    /// Whether it ends with "알았지?" or the like.
    assent: bool,
}

/// Returns the text without its first request; `None` if there is none.
pub(super) fn without(sentence: &Sentence) -> Option<String> {
    let (text, asks) = (sentence.text.as_str(), sentence.asks);
    if !VERBS.fits(text) {
        return None;
    }
    let first = |patterns: &[Pattern], fits: &dyn Fn(&Found<'_>) -> bool| {
        let found = patterns.iter().flat_map(|pattern| pattern.on(text).into_iter().flat_map(|regex| regex.find_iter(text)));
        let mut found: Vec<(usize, usize)> = found.map(|found| (found.start(), found.end())).collect();
        found.sort_by_key(|(from, to)| (*from, std::cmp::Reverse(*to)));
        found.into_iter().filter_map(|place| around(text, place)).find(|found| fits(found)).map(|found| rest(&found))
    };
    first(&ASKS, &|found| !(found.asking.contains('야') && is_self(found.before)))
        .or_else(|| first(&NEEDS, &|found| !asks && needed(found)))
        .or_else(|| first(&ALSO, &|found| ORDERS.fits(found.after)))
        .or_else(|| first(&BARE, &|found| (!asks || found.assent) && plainly_asked(found)))
}

/// What stands around a piece of the text, the words that belong to a request taken off; `None` where the verb goes on.
fn around(text: &str, (from, to): (usize, usize)) -> Option<Found<'_>> {
    let asking = text[from..to].trim_end_matches([' ', ',', '.', '!', '~', ':', '-']);
    let after = text[from + asking.len()..].trim_start_matches(['요', '용', '잉', '염']);
    if after.starts_with(GOES_ON) {
        return None;
    }
    let (mut before, mut leads, mut parted) = (&text[..from], Vec::new(), false);
    loop {
        let trimmed = before.trim_end_matches([' ', ',', ':', '.', '!', '~', '-', '—']);
        parted |= trimmed.len() < before.trim_end().len();
        before = trimmed;
        let lead = LEADS.iter().find_map(|lead| before.strip_suffix(lead).filter(|rest| is_edge(rest)).map(|rest| (*lead, rest)));
        let Some((lead, rest)) = lead.or_else(|| run_together(before)) else { break };
        leads.push(lead);
        (before, parted) = (rest, false);
    }
    if IDLE.contains(&before.trim()) && (before.trim().chars().count() > 1 || !FIRST_PERSON.fits(before)) {
        before = "";
    }
    if LATER.fits(before.trim()) {
        before = "";
    }
    let (after, assent) = without_tail(after);
    Some(Found { asking, before, after, leads, parted, assent })
}

/// "이거꼭" as one word: the last of the words that belong to a request, and what stands before it.
fn run_together(before: &str) -> Option<(&'static str, &str)> {
    let word = before.rsplit(' ').next().unwrap_or_default();
    if word.chars().count() < 3 {
        return None;
    }
    let mut rest = word;
    while let Some(lead) = ["이거", "이건", "이걸", "이것", "그거", "제발", "절대", "반드시", "꼭", "너", "좀", "잘"]
        .iter()
        .find(|lead| rest.starts_with(*lead))
    {
        rest = &rest[lead.len()..];
    }
    rest.is_empty().then(|| ("이거", &before[..before.len() - word.len()]))
}

fn is_edge(before: &str) -> bool {
    before.chars().next_back().is_none_or(|letter| !letter.is_alphanumeric())
}

/// What follows a request without what only closes it, and whether that asked for assent.
fn without_tail(after: &str) -> (&str, bool) {
    let strip = |text: &'_ str, words: &[&'static str]| -> Option<usize> {
        let from = text.len() - text.trim_start_matches([' ', ',', '.', '!', '?', '~', ':', '-']).len();
        let word = words.iter().find(|word| {
            text[from..].strip_prefix(**word).is_some_and(|rest| rest.chars().next().is_none_or(|letter| !letter.is_alphanumeric()))
        })?;
        Some(from + word.len())
    };
    let mut rest = after;
    while let Some(cut) = strip(rest, &TAILS) {
        rest = &rest[cut..];
    }
    let assent = CLOSES.iter().any(|word| after.contains(word));
    if tidy(rest).is_empty() {
        return ("", assent);
    }
    let mut rest = after;
    while let Some(cut) = strip(rest, &CLOSES) {
        rest = &rest[cut..];
    }
    (tidy(rest), assent)
}

fn is_self(before: &str) -> bool {
    FIRST_PERSON.fits(before.trim())
}

fn closes(found: &Found<'_>) -> bool {
    found.parted || CLOSED.fits(found.before)
}

/// Whether somebody else than the speaker has to: "너 이거 기억해야 돼".
fn needed(found: &Found<'_>) -> bool {
    let urged = found.leads.iter().any(|lead| URGES.contains(lead) || matches!(*lead, "너" | "넌" | "너는" | "네가" | "니가"));
    let before = found.before;
    !is_self(before) && (before.is_empty() || closes(found) || NAMES_IT.fits(before) || urged && !OPENS_WITH_SELF.fits(before))
}

/// Whether a plain "기억해" asks.
fn plainly_asked(found: &Found<'_>) -> bool {
    let Found { asking, before, after, leads, .. } = found;
    let urged = leads.iter().any(|lead| URGES.contains(lead));
    // "기억해 줬어", "기억해 뒀어": the verb goes on.
    if is_self(before)
        || after.starts_with(['줘', '줬', '주', '둬', '뒀', '두', '놔', '놨', '보', '봐', '봤', '본', '내']) && !after.starts_with("내 ")
    {
        return false;
    }
    if !before.is_empty() {
        let given = GIVES.fits(before) && !EXPLAINS.fits(before) && after.is_empty() && !asking.ends_with('요');
        return closes(found) || given || urged && after.is_empty() && !OPENS_WITH_SELF.fits(before);
    }
    let polite_answer = asking.ends_with('요') && leads.is_empty() && after.is_empty();
    let wonders = leads.iter().any(|lead| WONDERS.contains(lead));
    !(polite_answer || wonders && !urged || !after.is_empty() && CALLS_TO_MIND.fits(after))
}

fn rest(found: &Found<'_>) -> String {
    match (tidy(found.before), tidy(found.after)) {
        (before, "") if is_self(before) => String::new(),
        (before, "") => before.to_owned(),
        ("", after) => after.to_owned(),
        (before, after) => format!("{before}, {after}"),
    }
}
