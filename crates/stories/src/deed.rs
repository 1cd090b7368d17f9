//! The actions of a story and their syntax. A new action needs a variant here, a row in [`DEEDS`], and an arm in `act.rs`.

use saegim_core::{Emotion, Emotions, Kind, LinkKind, Phrase, Rating, Tier, Unit, phrase};

use super::words::{LineTokens, Wrong};
use saegim_engine::{Draft, Pinned};

/// Syntax of an action or expectation.
pub(crate) struct Form<T> {
    /// Leading keywords.
    pub(crate) opening: &'static str,
    /// Usage line for error messages.
    pub(crate) usage: &'static str,
    /// Parses the part after the keywords.
    pub(crate) read: fn(&mut LineTokens) -> Result<T, Wrong>,
}

/// A reference to memories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Memories whose text contains this.
    Holding(String),
    /// Memories an earlier step gave this name.
    Named(String),
}

/// Alternative texts, used in turn when a step is repeated.
pub(crate) type Texts = Vec<String>;

/// An action of a story.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StoryAction {
    /// Observe a message, optionally with an answer.
    Talk { event: Option<Texts>, user: Option<Texts>, assistant: Option<Texts>, name: Option<String> },
    /// Observe this many small talk exchanges.
    Chat(u32),
    /// Store a memory explicitly.
    Remember { texts: Texts, draft: Box<Draft>, name: Option<String> },
    /// Recall with a query and use the results.
    Recall(String),
    /// Use a memory this many times.
    Use(Which, u32),
    /// Rate a memory.
    Rate(Which, Rating),
    /// Pin or unpin a memory.
    Pin(Which, Pinned),
    /// Forget a memory.
    Forget(Which),
    /// Restore a memory.
    Restore(Which),
    /// Erase a memory immediately.
    Erase(Which),
    /// Rewrite a memory.
    Edit(Which, String),
    /// Link two memories.
    Link { from: Which, to: Which, kind: LinkKind },
    /// Mark that a memory changed the character's behaviour.
    ChangedBehaviour(Which),
    /// Create an island with this name on memories, as the owner.
    Island(String, Which),
    /// Rebalance the zones, optionally with a context.
    Rebalance(Option<String>),
    /// Run the due maintenance now.
    Tick,
    /// Restart the program.
    Restart,
    /// Stop the program and restart it on a later day, without maintenance in between.
    Sleep(i64),
    /// Set the clock wrong by this many days, ahead (positive) or behind (negative).
    Clock(i64),
}

/// All actions.
pub(crate) const DEEDS: &[Form<StoryAction>] = &[
    Form { opening: "user", usage: "user \"…\" [or \"…\"] [assistant \"…\"] [as NAME]", read: |words| talk(words, "user") },
    Form { opening: "event", usage: "event \"…\" [user \"…\"] [assistant \"…\"] [as NAME]", read: |words| talk(words, "event") },
    Form { opening: "assistant", usage: "assistant \"…\"", read: |words| talk(words, "assistant") },
    Form { opening: "chat", usage: "chat NUMBER", read: |words| words.number().map(StoryAction::Chat) },
    Form {
        opening: "remember",
        usage: "remember \"…\" [or \"…\"] [tier M90] [kind semantic] [emotions joy,sadness] [intensity 0.9] [importance 0.8] \
                [tags a,b] [pin] [as NAME]",
        read: remember,
    },
    Form { opening: "recall", usage: "recall \"…\"", read: |words| words.text().map(StoryAction::Recall) },
    Form { opening: "use", usage: "use MEMORY [NUMBER times]", read: used },
    Form { opening: "rate", usage: "rate MEMORY STARS", read: |words| Ok(StoryAction::Rate(which(words)?, stars(words)?)) },
    Form { opening: "pin", usage: "pin MEMORY", read: |words| Ok(StoryAction::Pin(which(words)?, Pinned::Fast)) },
    Form { opening: "unpin", usage: "unpin MEMORY", read: |words| Ok(StoryAction::Pin(which(words)?, Pinned::Loose)) },
    Form { opening: "forget", usage: "forget MEMORY", read: |words| which(words).map(StoryAction::Forget) },
    Form { opening: "restore", usage: "restore MEMORY", read: |words| which(words).map(StoryAction::Restore) },
    Form { opening: "erase", usage: "erase MEMORY", read: |words| which(words).map(StoryAction::Erase) },
    Form { opening: "edit", usage: "edit MEMORY to \"…\"", read: edit },
    Form { opening: "link", usage: "link MEMORY to MEMORY [kind related]", read: link },
    Form { opening: "changed behaviour", usage: "changed behaviour MEMORY", read: |words| which(words).map(StoryAction::ChangedBehaviour) },
    Form { opening: "island", usage: "island \"NAME\" on MEMORY", read: island },
    Form { opening: "rebalance", usage: "rebalance [\"what the talk is about\"]", read: rebalance },
    Form { opening: "tick", usage: "tick", read: |_| Ok(StoryAction::Tick) },
    Form { opening: "restart", usage: "restart", read: |_| Ok(StoryAction::Restart) },
    Form { opening: "sleep until day", usage: "sleep until day NUMBER", read: |words| words.number().map(StoryAction::Sleep) },
    Form { opening: "clock ahead", usage: "clock ahead NUMBER days", read: |words| days(words).map(StoryAction::Clock) },
    Form { opening: "clock behind", usage: "clock behind NUMBER days", read: |words| days(words).map(|days| StoryAction::Clock(-days)) },
    Form { opening: "clock right", usage: "clock right", read: |_| Ok(StoryAction::Clock(0)) },
];

/// Parses with the form whose keywords come next; `None` if there is none.
pub(crate) fn by_form<T>(forms: &[Form<T>], words: &mut LineTokens) -> Option<Result<T, Phrase>> {
    let form = forms.iter().find(|form| words.take(form.opening))?;
    let read = (form.read)(words).and_then(|read| words.end().map(|()| read));
    let with_usage = |wrong: Wrong| {
        let usage = form.usage;
        // An expectation that contains an action already has the usage of that action in its error.
        if wrong.to_string().contains("; write: ") {
            return wrong;
        }
        phrase!("engine.deed.usage", wrong, usage)
    };
    Some(read.map_err(with_usage))
}

/// Parses a reference to memories.
pub(crate) fn which(words: &mut LineTokens) -> Result<Which, Wrong> {
    if words.is_text() {
        return words.text().map(Which::Holding);
    }
    words.word(&phrase!("engine.deed.memory_reference")).map(Which::Named)
}

fn texts(words: &mut LineTokens) -> Result<Texts, Wrong> {
    let mut texts = vec![words.text()?];
    while words.take("or") {
        texts.push(words.text()?);
    }
    Ok(texts)
}

/// Parses an optional name for the result of a step.
pub(crate) fn name(words: &mut LineTokens) -> Result<Option<String>, Wrong> {
    if words.take("as") { words.word(&phrase!("engine.deed.name")).map(Some) } else { Ok(None) }
}

fn talk(words: &mut LineTokens, first: &str) -> Result<StoryAction, Wrong> {
    let (mut event, mut user, mut assistant) = (None, None, None);
    let mut next = Some(first.to_owned());
    while let Some(speaker) = next.take() {
        let said = match speaker.as_str() {
            "event" => &mut event,
            "user" => &mut user,
            _ => &mut assistant,
        };
        *said = Some(texts(words)?);
        next = ["user", "assistant"].into_iter().find(|speaker| words.take(speaker)).map(str::to_owned);
    }
    Ok(StoryAction::Talk { event, user, assistant, name: name(words)? })
}

fn remember(words: &mut LineTokens) -> Result<StoryAction, Wrong> {
    let (texts, mut draft, mut named) = (texts(words)?, Draft::default(), None);
    while !words.is_empty() {
        let option = words.word(&phrase!("engine.deed.option"))?;
        match option.as_str() {
            "tier" => draft.tier = Some(words.read(&phrase!("engine.deed.tier"), Tier::parse)?),
            "kind" => draft.kind = Some(words.read(&phrase!("engine.deed.kind"), Kind::parse)?),
            "emotions" | "emotion" => {
                let felt = words.list(&phrase!("engine.deed.emotions"))?;
                let felt: Result<Vec<Emotion>, Wrong> =
                    felt.iter().map(|word| Emotion::parse(word).map_err(|invalid| invalid.problem)).collect();
                draft.emotions = Some(Emotions::mix(felt?));
            }
            "intensity" => draft.intensity = Some(share(words)?),
            "importance" => draft.importance = Some(share(words)?),
            "tags" | "tag" => draft.tags = words.list(&phrase!("engine.deed.tags"))?,
            "pin" => draft.pinned = true,
            "as" => named = Some(words.word(&phrase!("engine.deed.name"))?),
            other => return Err(phrase!("engine.deed.unknown_option", other)),
        }
    }
    if draft.intensity.is_some() && draft.emotions.is_none() {
        return Err(phrase!("engine.deed.intensity_without_emotions"));
    }
    Ok(StoryAction::Remember { texts, draft: Box::new(draft), name: named })
}

fn share(words: &mut LineTokens) -> Result<Unit, Wrong> {
    Unit::new(words.number()?).map_err(|invalid| invalid.problem)
}

fn stars(words: &mut LineTokens) -> Result<Rating, Wrong> {
    Rating::new(words.number()?).map_err(|invalid| invalid.problem)
}

fn used(words: &mut LineTokens) -> Result<StoryAction, Wrong> {
    let memory = which(words)?;
    let times = if words.is_empty() { 1 } else { words.number()? };
    let _ = words.take("times") || words.take("time");
    Ok(StoryAction::Use(memory, times))
}

fn edit(words: &mut LineTokens) -> Result<StoryAction, Wrong> {
    let memory = which(words)?;
    words.must("to")?;
    Ok(StoryAction::Edit(memory, words.text()?))
}

fn link(words: &mut LineTokens) -> Result<StoryAction, Wrong> {
    let from = which(words)?;
    words.must("to")?;
    let to = which(words)?;
    let kind = if words.take("kind") { words.read(&phrase!("engine.deed.link_kind"), LinkKind::parse)? } else { LinkKind::Related };
    Ok(StoryAction::Link { from, to, kind })
}

fn island(words: &mut LineTokens) -> Result<StoryAction, Wrong> {
    let name = words.text()?;
    words.must("on")?;
    Ok(StoryAction::Island(name, which(words)?))
}

fn rebalance(words: &mut LineTokens) -> Result<StoryAction, Wrong> {
    if words.is_empty() { Ok(StoryAction::Rebalance(None)) } else { words.text().map(Some).map(StoryAction::Rebalance) }
}

fn days(words: &mut LineTokens) -> Result<i64, Wrong> {
    let days = words.number()?;
    let _ = words.take("days") || words.take("day");
    Ok(days)
}
