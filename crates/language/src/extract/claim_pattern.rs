//! The patterns of the claim tables, and matching of clauses.

/// Whether a value can belong to its subject.
mod plausible;

use std::ops::Range;
use std::sync::LazyLock;

use crate::compare::value;
use crate::extract::fact_subject::{FactSubject, fact_subject};
use crate::parse::{english, korean, who};
use crate::patterns::table::{Pattern, is_class, rows};

use self::plausible::plausible;

/// A row of a claim table.
pub(crate) struct Row {
    pub(crate) subject: &'static FactSubject,
    pub(crate) ends: bool,
    pub(crate) confidence: f32,
    keys: Vec<&'static str>,
    pattern: Pattern,
    options: Vec<&'static str>,
    korean: bool,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let korean = rows(include_str!("../../data/extract/patterns_ko.tsv")).map(|row| (row, true));
    let english = rows(include_str!("../../data/extract/patterns_en.tsv")).map(|row| (row, false));
    korean.chain(english).filter_map(|(row, korean)| read(&row, korean)).collect()
});

fn read(row: &[&'static str], korean: bool) -> Option<Row> {
    let (name, keys, pattern) = (*row.first()?, *row.get(1)?, *row.get(2)?);
    let options: Vec<&str> = row.get(3).map(|options| options.split(' ').collect()).unwrap_or_default();
    // A fixed value may hold spaces, so it runs to the next known option.
    let confidence = options.iter().find_map(|option| option.strip_prefix("conf=")?.parse().ok()).unwrap_or(0.9);
    Some(Row {
        subject: fact_subject(name.trim_start_matches('-').trim_end_matches('='))?,
        ends: name.starts_with('-'),
        confidence,
        keys: keys.split('|').collect(),
        pattern: Pattern::new(pattern),
        options,
        korean,
    })
}

impl Row {
    pub(crate) fn has(&self, option: &str) -> bool {
        self.options.contains(&option)
    }

    fn option(&self, name: &str) -> Option<&'static str> {
        self.options.iter().find_map(|option| option.strip_prefix(name))
    }

    /// The value written in the row itself; an underscore stands for a space.
    fn fixed(&self) -> Option<String> {
        self.option("value=").map(|value| value.replace('_', " "))
    }
}

/// A match of a row in a clause.
pub(crate) struct Match {
    pub(crate) row: &'static Row,
    /// Value in the speaker's words.
    pub(crate) value: String,
    /// Normalised value for comparison.
    pub(crate) canonical: String,
    /// Byte range of the value in the clause.
    pub(crate) span: Range<usize>,
    /// Words before the match.
    pub(crate) lead: String,
}

/// Finds all matches in the core of a clause. Earlier rows take precedence where matches overlap.
pub(crate) fn matches(core: &str, clause: &str) -> Vec<Match> {
    let lower = clause.to_lowercase();
    let mut found: Vec<Match> = Vec::new();
    for row in ROWS.iter().filter(|row| row.keys.iter().any(|key| lower.contains(key))) {
        let Some(one) = attempt(row, core, &lower) else { continue };
        let fixed = one.row.option("value=").is_some() || one.row.has("any");
        let taken = found.iter().any(|other| {
            let same = other.row.subject.key == one.row.subject.key && other.row.ends == one.row.ends && other.row.korean == one.row.korean;
            let overlaps = other.span.start < one.span.end && one.span.start < other.span.end;
            same && (overlaps || one.row.subject.single) || overlaps && !fixed && other.row.subject.key != one.row.subject.key
        });
        if !taken {
            found.push(one);
        }
    }
    found
}

fn attempt(row: &'static Row, clause: &str, lower: &str) -> Option<Match> {
    let found = row.pattern.on(clause)?.captures(clause)?;
    let whole = found.get(0)?;
    if denied(&clause[whole.end()..], row.has("both")) || !allowed(row, lower) {
        return None;
    }
    if row.has("any") {
        return Some(Match {
            row,
            value: String::new(),
            canonical: String::new(),
            span: whole.range(),
            lead: clause[..whole.start()].to_owned(),
        });
    }
    // "기타 치는 형" tells of the brother.
    let next = clause[whole.end()..].trim_start().split(' ').next().unwrap_or_default();
    if row.korean && whole.as_str().ends_with(['는', '던', '은']) && matches!(korean::pointer(next), korean::Pointer::Person(_)) {
        return None;
    }
    let front = &clause[..whole.start()];
    let (value, span, lead) = match (row.fixed(), found.name("v")) {
        (Some(fixed), caught) => (fixed, caught.map_or(whole.range(), |caught| caught.range()), front.to_owned()),
        (None, Some(caught)) => {
            let (start, value) = cleaned(row, caught.as_str())?;
            let name = found.name("w").filter(|_| row.has("join")).map(|name| match row.has("beside") {
                true => name_beside(name.as_str()),
                false => korean::bare_name(name.as_str()),
            });
            // "내 동생 수능이", "우리 강아지 병원이": what stands beside somebody may be theirs and not their name.
            let theirs = row.has("beside") && is_theirs(name.unwrap_or(&value), row.subject.key);
            if theirs && !row.has("mention") {
                return None;
            }
            let value = match name.filter(|_| !theirs) {
                Some(name) => format!("{value} {name}"),
                None => value,
            };
            (value, caught.start() + start..caught.end(), format!("{front} {}", &caught.as_str()[..start]))
        }
        (None, None) => return None,
    };
    if !row.korean && row.subject.key == "name" && TITLED.fits(&clause[whole.end()..]) {
        return None;
    }
    if row.korean && row.subject.key == "age" && whole.as_str().contains('세') && is_generation(front, &value) {
        return None;
    }
    let fits = |option: &str| {
        row.option(option).map(|classes| classes.split(',').any(|class| is_class(class, class_value(&value, found.name("w").is_some()))))
    };
    let last = value.rsplit(' ').next().unwrap_or_default();
    let ill = row.option("notlast=").is_some_and(|class| is_class(class, last));
    if ill || fits("class=") == Some(false) || fits("notclass=") == Some(true) || !plausible(row, &value) {
        return None;
    }
    let name = found.name("w").map_or(value.as_str(), |name| name.as_str());
    if row.has("named") && !korean::is_name(korean::bare_name(name)) && !name.starts_with(|letter: char| letter.is_ascii_uppercase()) {
        return None;
    }
    if row.has("noun") && value.split(' ').any(korean::ends_verbally) || row.has("notdate") && DAY.fits(&value) {
        return None;
    }
    if row.has("alone") && who::has_other_topic(&lead) {
        return None;
    }
    // A day without its month is resolved by the caller, which knows the date.
    let canonical = if row.has("day") {
        let next = value.starts_with("다음") || value.starts_with("담");
        let day = value.rsplit(' ').next().unwrap_or(&value).trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let day = crate::tokenize::number::ordinal(day).or_else(|| crate::tokenize::number::number(day.trim_end_matches('일')))?;
        format!("{} {day}", if next { "next" } else { "day" })
    } else {
        value::canonical_value(row.subject, &value)?
    };
    Some(Match { row, value, canonical, span, lead })
}

/// When something happens, which is never a taste: "매달 25일", "세 시", "월말".
static DAY: Pattern = Pattern::new(
    r"[0-9] ?(?:일|월|시|분|년|주)$|(?:^| )(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두) ?시$|^매(?:달|월|주|년|일)(?: |$)|요일$|(?:월|연|주)말$|월초$|말일$|(?:오전|오후|아침|저녁|새벽|점심|밤)$",
);

/// The name in a word that stands beside somebody, a particle it was caught with taken off: "민지가" is 민지, "지은이" is 지은.
fn name_beside(word: &str) -> &str {
    let (bare, stem) = (korean::bare_name(word), korean::particle(word).0);
    if !korean::is_name(bare) && korean::is_name(stem) { stem } else { bare }
}

/// Whether a word next to a person names something they own. Family members have names of people; a pet may have any name.
fn is_theirs(word: &str, subject: &str) -> bool {
    let listed = [word, korean::particle(word).0].iter().any(|word| crate::patterns::table::WORDS.has("belongs", word));
    let latin = word.starts_with(|letter: char| letter.is_ascii_uppercase());
    listed || subject == "family" && !latin && !korean::is_name(word)
}

/// What goes on about something of that name: "My name is Earl is such a good show".
static TITLED: Pattern = Pattern::new(r"^ (?:is|was|isn't|wasn't|has|had|came|airs|aired|starts|started|ended|makes|made)\b");

/// Whether a small number counts generations and no years: "재벌 3세", "교포 2세". A writer is older than that, and an age
/// has no noun before it that is no person.
fn is_generation(front: &str, value: &str) -> bool {
    let small = crate::tokenize::number::number(value).is_some_and(|number| number < 10);
    let noun = front.split_whitespace().next_back().is_some_and(|word| {
        korean::particle(word).1.is_none()
            && korean::pointer(word) == korean::Pointer::None
            && !["adverb", "time", "attribute"].iter().any(|list| crate::patterns::table::WORDS.has(list, word))
            && !matches!(word, "만" | "올해" | "이제" | "겨우" | "고작" | "갓")
    });
    small && noun
}

/// A joined value is classed by what it describes, not by its name.
fn class_value(value: &str, joined: bool) -> &str {
    if joined { value.rsplit_once(' ').map_or(value, |(front, _)| front) } else { value }
}

/// Whether what follows the match takes it back, or only wishes it: "알레르기 없어", "좋아하지 않아", "키우고 싶어".
fn denied(after: &str, given: bool) -> bool {
    let after = after.trim_start();
    let head: String = after.chars().take(8).collect();
    // "동물원에서 일한 적 있어" was so once.
    if ["적 있", "적이 있", "적도 있", "적 없", "적이 없"].iter().any(|once| head.starts_with(once)) && !given {
        return true;
    }
    let wishes = [
        "고 싶",
        "고싶",
        "싶",
        "고파",
        "자고",
        "자는",
        "려고",
        "려는",
        "려면",
        "까 고민",
        "까 말까",
        "볼까",
        "볼래",
        "보고 싶",
        "보고싶",
        "봤으면",
        "보면 좋",
        "았으면",
        "면 좋겠",
        "보려",
        "어볼까",
        "아볼까",
        "해볼까",
        "ㄹ까",
    ];
    !given && wishes.iter().any(|wish| head.starts_with(wish))
        || ["지 않", "지않", "지는 않", "지도 않", "지 못", "없", "아니", "아닌", "하지 않", "지 말"]
            .iter()
            .any(|denial| head.contains(denial))
            && !head.starts_with("없으면")
}

/// What was so in childhood may still be so of these: where somebody comes from and what they were called and born.
const BYGONE_SUBJECTS: [&str; 4] = ["hometown", "birthplace", "birthday", "name"];

/// Whether a clause tells of a time long gone: "as a kid I was allergic to milk".
fn is_bygone(lower: &str) -> bool {
    static BYGONE: Pattern = Pattern::new(
        r"\bas a (?:kid|child|teenager|baby)\b|\bwhen i was (?:a (?:kid|child|baby|teenager)|little|young|small)\b|(?:어릴|어렸을|꼬마|애기) ?(?:때|적)|(?:옛날에|예전에).*(?:었|았|였|했|적이? ?있)",
    );
    static STILL: Pattern =
        Pattern::new(r"\b(?:still|ever since|to this day|even now|now)\b|지금도|아직|여전히|지금까지|이제|그때부터|부터");
    BYGONE.fits(lower) && !STILL.fits(lower)
}

/// Whether a clause is what is left of a sentence about oneself ("nurse at a small clinic"), not one about somebody: it begins with no
/// article that points and holds no verb.
fn is_fragment(lower: &str) -> bool {
    const POINTS: [&str; 14] =
        ["the", "some", "this", "that", "these", "our", "their", "his", "her", "another", "one", "every", "my", "your"];
    static VERB: Pattern = Pattern::new(
        r"\b(?:is|was|are|were|be|has|had|have|does|did|do|will|would|can|could|says?|said|told|tells|knows?|knew|wrote|writes|hates?|loves?|likes?|quit|left|sent|broke|gave|took|made|got|went|came|ran|saw|met|put|let|kept|lost|found|thinks?|thought|wants?|needs?|looks?|helps?|asks?|smiles?|i|i'm|me|us|you|\w{3,}ed)\b|\bfor (?:\d+|an?|one|two|three|four|five|ten|a few|several|many) (?:minutes?|hours?|days?|weeks?|people)\b",
    );
    let mut words = lower.split(' ');
    !words.next().is_some_and(|first| POINTS.contains(&first)) && !VERB.fits(lower) && words.count() <= 9
}

fn allowed(row: &Row, lower: &str) -> bool {
    let any = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let over = ["anymore", "any more", "no longer", "stopped", "quit", "gave up", "given up", "cut out", "done"];
    (!row.has("now")
        || any(&["이제", "이젠", "더 이상", "더는", "다시는", "아예", "끊", "질렸", "물렸", "질려", "물려", "질림", "물림", "요즘"]))
        && (!row.has("notnow") || !any(&["이제", "이젠", "오늘", "아직", "요즘", "더 이상", "더는", "잘 "]))
        && (!row.has("over") && !row.has("overword") || any(&over))
        && (!row.has("smokeword") || any(&["smok", "vap", "cigarette", "nicotine"]))
        && (!row.has("mine")
            || lower.split(' ').any(|word| {
                matches!(word, "i" | "my" | "we" | "our" | "i've" | "i'm" | "me") || word.starts_with("나") || word.starts_with("broke")
            }))
        && (!row.has("bare") || lower.split(' ').count() <= 5)
        && (!row.has("fragment") || is_fragment(lower))
        && (!is_bygone(lower) || row.ends || BYGONE_SUBJECTS.contains(&row.subject.key))
        && row.option("without=").is_none_or(|words| !words.split('|').any(|word| lower.contains(&word.replace('_', " "))))
        && row.option("needs=").is_none_or(|words| words.split('|').any(|word| lower.contains(&word.replace('_', " "))))
}

static DATE: Pattern = Pattern::new(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?: (?:the )?\d{1,2}(?:st|nd|rd|th)?\b)?",
);

/// The captured stretch as a value, and where it begins.
fn cleaned(row: &Row, stretch: &str) -> Option<(usize, String)> {
    if row.has("raw") {
        return Some((0, stretch.trim().to_owned()));
    }
    if row.has("name") {
        return Some((0, korean::bare_name(stretch.trim_matches(',')).to_owned()));
    }
    if !row.korean {
        let dated = DATE.on(stretch).filter(|_| row.subject.form == "date").and_then(|regex| regex.find(stretch));
        return Some((0, dated.map_or_else(|| english::tidy(stretch), |date| date.as_str().trim().to_owned())));
    }
    if row.has("strip") {
        return Some((0, stretch.split(' ').map(|word| korean::particle(word).0).collect::<Vec<_>>().join(" ")));
    }
    // "보미는 싫어해" names who dislikes, because people do not put their own taste that way.
    let last = korean::particle(stretch.rsplit(' ').next()?);
    if row.subject.ground == Some("taste") && matches!(last.1, Some("은" | "는")) && korean::is_name(korean::bare_name(last.0)) {
        return None;
    }
    // "아저씨가 좋아해" names who likes, not what.
    if row.has("object") && matches!(korean::particle(stretch.rsplit(' ').next()?).1, Some("이" | "가" | "께서")) {
        return None;
    }
    if let Some(act) = stretch.rsplit(' ').next().and_then(|last| last.strip_suffix('는')).filter(|_| row.has("verbal")) {
        // What is done to something names it bare or with its particle; "귀걸이" only ends like one.
        let before = stretch.rsplit(' ').nth(1).map(|word| word.trim_end_matches(['을', '를']));
        let act = match act {
            "여" => "열",
            "만드" => "만들",
            "노" => "놀",
            act => act,
        };
        return Some((0, before.map_or(format!("{act}기"), |before| format!("{before} {act}기"))));
    }
    let (start, phrase) = korean::noun_phrase(stretch)?;
    // A pattern that takes 이 for a particle cuts a noun that ends like one ("떡볶이").
    let whole = format!("{phrase}이");
    let phrase = if crate::patterns::table::WORDS.has("noun", &whole) { whole } else { phrase };
    let phrase = if row.subject.form == "name" { korean::bare_name(&phrase).to_owned() } else { phrase };
    Some((start, phrase))
}
