//! The expectations of a story and their syntax. A new expectation needs a variant here, a row in [`EXPECTATIONS`], and an arm in
//! `check.rs`.

use saegim_core::{CliffReason, Phrase, PromotionReason, Tier, Zone, phrase};

use super::deed::{DEEDS, Form, StoryAction, Which, by_form, name, which};
use super::words::{LineTokens, Wrong};

/// An expectation of a story.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expectation {
    /// A memory is alive in a tier, optionally promoted for exactly these reasons.
    InTier { memory: Which, tier: Tier, because: Vec<PromotionReason> },
    /// A memory is alive in a zone.
    InZone(Which, Zone),
    /// A memory is on the cliff, optionally for this reason.
    OnCliff(Which, Option<CliffReason>),
    /// A memory is alive.
    Alive(Which),
    /// A memory is neither alive nor on the cliff.
    Gone(Which),
    /// A memory was recalled this many times.
    Recalls(Which, Bound),
    /// One memory of a tier is the essence of all of these.
    Essence { of: Vec<Which>, tier: Tier, because: Vec<PromotionReason>, name: Option<String> },
    /// No living memory is the essence of any of these.
    NoEssence(Vec<Which>),
    /// The files do not contain the bytes of a text.
    NoBytes(String),
    /// A recall finds this memory, or nothing.
    Finds { question: String, memory: Option<Which>, holds: bool },
    /// The context for a message contains a text, or does not.
    Context { message: String, text: String, holds: bool },
    /// A count is within a bound.
    Count(Counted, Bound),
    /// A fact has this value.
    Fact { subject: String, value: String },
    /// A subject has no fact.
    NoFact(String),
    /// The hash chain of the ledger is intact.
    LedgerWhole,
    /// The engine refuses this action.
    Refused(Box<StoryAction>),
    /// The living memories are the same as in a simulation without downtime.
    AsAwake,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Living memories of a tier.
    Tier(Tier),
    /// Living memories of a zone.
    Zone(Zone),
    /// Living memories.
    Alive,
    /// Memories on the cliff.
    Cliff,
    /// Links between memories.
    Links,
}

/// A comparison with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    sign: Sign,
    number: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Equal,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
}

impl Bound {
    fn read(words: &mut LineTokens) -> Result<Self, Wrong> {
        let signs = [("=", Sign::Equal), ("<=", Sign::LessOrEqual), ("<", Sign::Less), (">=", Sign::MoreOrEqual), (">", Sign::More)];
        let found = signs.into_iter().find(|(word, _)| words.take(word));
        let (_, sign) = found.ok_or_else(|| phrase!("engine.expectation.comparison_missing"))?;
        Ok(Self { sign, number: words.number()? })
    }

    /// Checks whether a number is within the bound.
    pub(crate) fn holds(self, number: u64) -> bool {
        match self.sign {
            Sign::Equal => number == self.number,
            Sign::Less => number < self.number,
            Sign::LessOrEqual => number <= self.number,
            Sign::More => number > self.number,
            Sign::MoreOrEqual => number >= self.number,
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = match self.sign {
            Sign::Equal => "=",
            Sign::Less => "<",
            Sign::LessOrEqual => "<=",
            Sign::More => ">",
            Sign::MoreOrEqual => ">=",
        };
        write!(f, "{sign} {}", self.number)
    }
}

/// All expectations with their own keywords.
pub(crate) const EXPECTATIONS: &[Form<Expectation>] = &[
    Form { opening: "no bytes", usage: "expect no bytes \"…\"", read: |words| words.text().map(Expectation::NoBytes) },
    Form {
        opening: "no essence of",
        usage: "expect no essence of MEMORY …",
        read: |words| memories(words, None).map(Expectation::NoEssence),
    },
    Form { opening: "essence of", usage: "expect essence of MEMORY … in M90 [because REASON, …] [as NAME]", read: essence },
    Form { opening: "recall", usage: "expect recall \"…\" finds|misses MEMORY, or: expect recall \"…\" finds nothing", read: finds },
    Form { opening: "context", usage: "expect context \"…\" holds|lacks \"…\"", read: context },
    Form { opening: "count", usage: "expect count M30|M90|M365|M0|core|inner|outer|belt|cloud|alive|cliff|links = NUMBER", read: count },
    Form { opening: "fact", usage: "expect fact SUBJECT = \"…\"", read: fact },
    Form {
        opening: "no fact",
        usage: "expect no fact SUBJECT",
        read: |words| words.word(&phrase!("engine.expectation.subject")).map(Expectation::NoFact),
    },
    Form { opening: "ledger whole", usage: "expect ledger whole", read: |_| Ok(Expectation::LedgerWhole) },
    Form { opening: "refused", usage: "expect refused DEED", read: refused },
    Form { opening: "same as awake", usage: "expect same as awake", read: |_| Ok(Expectation::AsAwake) },
];

/// The expectation that starts with a memory reference.
const OF_MEMORY: Form<Expectation> = Form {
    opening: "",
    usage: "expect MEMORY in M90 [because REASON, …], in zone ZONE, on cliff [because REASON], alive, gone, or recalled = NUMBER",
    read: of_memory,
};

/// Parses the part after `expect`.
pub(crate) fn expectation(words: &mut LineTokens) -> Result<Expectation, Phrase> {
    if let Some(read) = by_form(EXPECTATIONS, words) {
        return read;
    }
    let usage = OF_MEMORY.usage;
    (OF_MEMORY.read)(words).and_then(|read| words.end().map(|()| read)).map_err(|wrong| phrase!("engine.deed.usage", wrong, usage))
}

fn of_memory(words: &mut LineTokens) -> Result<Expectation, Wrong> {
    let memory = which(words)?;
    words.take("is");
    if words.take("in zone") {
        return Ok(Expectation::InZone(memory, words.read(&phrase!("engine.expectation.zone"), Zone::parse)?));
    }
    if words.take("in") {
        let tier = tier(words)?;
        return Ok(Expectation::InTier { memory, tier, because: because(words)? });
    }
    if words.take("on cliff") {
        let reason =
            if words.take("because") { Some(words.read(&phrase!("engine.expectation.reason"), CliffReason::parse)?) } else { None };
        return Ok(Expectation::OnCliff(memory, reason));
    }
    if words.take("alive") {
        return Ok(Expectation::Alive(memory));
    }
    if words.take("gone") {
        return Ok(Expectation::Gone(memory));
    }
    if !words.take("recalled") {
        let found = words.peek().unwrap_or("\"…\"");
        return Err(phrase!("engine.expectation.unknown_property", found));
    }
    Ok(Expectation::Recalls(memory, Bound::read(words)?))
}

fn tier(words: &mut LineTokens) -> Result<Tier, Wrong> {
    words.read(&phrase!("engine.expectation.tier"), Tier::parse)
}

/// Parses the promotion reasons after `because`, sorted; empty without `because`.
fn because(words: &mut LineTokens) -> Result<Vec<PromotionReason>, Wrong> {
    if !words.take("because") {
        return Ok(Vec::new());
    }
    let list = words.list(&phrase!("engine.expectation.reasons"))?;
    let mut reasons = list
        .iter()
        .map(|word| PromotionReason::parse(word).map_err(|invalid| invalid.problem))
        .collect::<Result<Vec<PromotionReason>, Wrong>>()?;
    reasons.sort();
    Ok(reasons)
}

fn memories(words: &mut LineTokens, until: Option<&str>) -> Result<Vec<Which>, Wrong> {
    let mut all = vec![which(words)?];
    while !words.is_empty() && words.peek().is_none_or(|word| Some(word) != until) {
        all.push(which(words)?);
    }
    Ok(all)
}

fn essence(words: &mut LineTokens) -> Result<Expectation, Wrong> {
    let of = memories(words, Some("in"))?;
    words.must("in")?;
    Ok(Expectation::Essence { of, tier: tier(words)?, because: because(words)?, name: name(words)? })
}

fn finds(words: &mut LineTokens) -> Result<Expectation, Wrong> {
    let question = words.text()?;
    if words.take("misses") {
        return Ok(Expectation::Finds { question, memory: Some(which(words)?), holds: false });
    }
    words.must("finds")?;
    if words.take("nothing") {
        return Ok(Expectation::Finds { question, memory: None, holds: true });
    }
    Ok(Expectation::Finds { question, memory: Some(which(words)?), holds: true })
}

fn context(words: &mut LineTokens) -> Result<Expectation, Wrong> {
    let message = words.text()?;
    let holds = !words.take("lacks");
    if holds {
        words.must("holds")?;
    }
    Ok(Expectation::Context { message, text: words.text()?, holds })
}

fn count(words: &mut LineTokens) -> Result<Expectation, Wrong> {
    let word = words.word(&phrase!("engine.expectation.what_to_count"))?;
    let counted = match word.as_str() {
        "alive" => Counted::Alive,
        "cliff" => Counted::Cliff,
        "links" => Counted::Links,
        word => match (Tier::parse(word), Zone::parse(word)) {
            (Ok(tier), _) => Counted::Tier(tier),
            (_, Ok(zone)) => Counted::Zone(zone),
            _ => return Err(phrase!("engine.expectation.not_countable", word)),
        },
    };
    Ok(Expectation::Count(counted, Bound::read(words)?))
}

fn fact(words: &mut LineTokens) -> Result<Expectation, Wrong> {
    let subject = words.word(&phrase!("engine.expectation.subject"))?;
    words.must("=")?;
    Ok(Expectation::Fact { subject, value: words.text()? })
}

fn refused(words: &mut LineTokens) -> Result<Expectation, Wrong> {
    let unknown = || phrase!("engine.expectation.action_missing");
    by_form(DEEDS, words).unwrap_or_else(|| Err(unknown())).map(Box::new).map(Expectation::Refused)
}
