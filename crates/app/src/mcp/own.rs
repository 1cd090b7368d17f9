//! Tools that look at what the character is, and put wishes before its owner. None of them decides anything.

use saegim_core::{Phrase, ProposalStatus, Trigger, phrase};
use saegim_engine::{Ask, EngineError, Imagining, IslandDraft, MindHandle};
use serde::Deserialize;
use serde_json::{Value, json};

use super::tools::{Effect, Told, plain, read, text};
use crate::http::spoken;
use crate::shapes::{Imagination, Island, Proposal, SelfVersion};

/// What a wish is about.
const WISHES: [&str; 5] = ["core", "core_edit", "forget", "belief", "island"];

pub(super) fn told() -> Vec<Told> {
    use Effect::{Reads, Writes};
    let triggers: Vec<&str> = Trigger::ALL.iter().map(|trigger| trigger.as_str()).collect();
    let ids = |about: &str| json!({ "type": "array", "items": { "type": "string" }, "maxItems": 100, "description": about });
    vec![
        Told {
            name: "list_proposals",
            about: "What waits for the owner's word: the exact change, why, and until when. Only the owner can answer.",
            effect: Reads,
            few: true,
            fields: json!({ "all": { "type": "boolean", "description": "What was answered or lapsed too" } }),
            needed: &[],
        },
        Told {
            name: "get_self",
            about: "Who you are: what you believe of yourself, the memories that rests on, and the islands of your personality.",
            effect: Reads,
            few: true,
            fields: json!({}),
            needed: &[],
        },
        Told {
            name: "get_islands",
            about: "The islands of your personality: what they stand on, how strong they are, which of them shake.",
            effect: Reads,
            few: false,
            fields: json!({}),
            needed: &[],
        },
        Told {
            name: "propose",
            about: "Put a wish before the owner: keep a memory for ever, rewrite or let go a core memory, believe something, let an island rise. Nothing changes until they say so.",
            effect: Writes,
            few: false,
            fields: json!({
                "what": { "type": "string", "enum": WISHES, "description": "What is wished for" },
                "memory": text("The memory's id, for core, core_edit and forget"),
                "text": text("What the memory or the belief would say, or the island's name"),
                "evidence": ids("The memories that speak for a belief, or that an island stands on"),
            }),
            needed: &["what"],
        },
        Told {
            name: "imagine",
            about: "Think of something by yourself, from what you remember. A few times a day at most; never a fact.",
            effect: Writes,
            few: false,
            fields: json!({ "trigger": { "type": "string", "enum": triggers, "description": "What set it off" }, "context": text("What is happening around you") }),
            needed: &[],
        },
        Told {
            name: "rate_imagination",
            about: "Say whether the person liked something you imagined; it steers what you imagine next.",
            effect: Writes,
            few: false,
            fields: json!({ "id": text("The imagination's id, or digits of it"), "liked": { "type": "boolean", "description": "Whether they liked it" } }),
            needed: &["id", "liked"],
        },
    ]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listing {
    #[serde(default)]
    all: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wishing {
    what: String,
    memory: Option<String>,
    text: Option<String>,
    #[serde(default)]
    evidence: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Occasion {
    trigger: Option<Trigger>,
    context: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Liking {
    id: String,
    liked: bool,
}

fn said(error: EngineError) -> Phrase {
    error.phrase()
}

/// Does what one of these tools does; nothing when it is none of them.
pub(super) async fn call(door: &super::Door, name: &str, arguments: Value) -> Option<Result<Value, Phrase>> {
    if !told().iter().any(|tool| tool.name == name) {
        return None;
    }
    match name {
        "propose" => return Some(propose(door, arguments).await),
        "imagine" => return Some(imagine(door, arguments).await),
        _ => {}
    }
    let mind = match door.known().await {
        Ok(mind) => mind,
        Err(error) => return Some(Err(error.phrase())),
    };
    Some(match name {
        "list_proposals" => proposals(&mind, arguments).await,
        "get_self" => oneself(&mind, &door.engine.policy().island).await,
        "get_islands" => islands(&mind, &door.engine.policy().island).await.map(|islands| json!({ "islands": islands })),
        _ => like(&mind, arguments).await,
    })
}

async fn proposals(mind: &MindHandle, arguments: Value) -> Result<Value, Phrase> {
    let status = (!read::<Listing>(arguments)?.all).then_some(ProposalStatus::Pending);
    let proposals = mind.proposals(status).await.map_err(said)?;
    let shown: Vec<Proposal> = proposals.iter().map(|proposal| Proposal::of(proposal, spoken())).collect();
    Ok(json!({ "proposals": plain(shown)? }))
}

async fn islands(mind: &MindHandle, policy: &saegim_core::IslandPolicy) -> Result<Value, Phrase> {
    let islands = mind.islands().await.map_err(said)?;
    plain(islands.iter().map(|island| Island::of(island, policy)).collect::<Vec<_>>())
}

async fn oneself(mind: &MindHandle, policy: &saegim_core::IslandPolicy) -> Result<Value, Phrase> {
    let (version, known) = (mind.current_self().await.map_err(said)?, mind.islands().await.map_err(said)?);
    let current = version.map(|version| SelfVersion::of(&version, &known));
    let waiting = mind.waiting().await.map_err(said)?;
    Ok(json!({ "current": plain(current)?, "islands": islands(mind, policy).await?, "waiting": waiting }))
}

async fn propose(door: &super::Door, arguments: Value) -> Result<Value, Phrase> {
    let wish: Wishing = read(arguments)?;
    let mind = door.known().await.map_err(said)?;
    let mut evidence = Vec::new();
    for id in wish.evidence.iter().take(100) {
        evidence.push(mind.resolve(id).await.map_err(said)?);
    }
    let memory = match &wish.memory {
        Some(id) => Some(mind.resolve(id).await.map_err(said)?),
        None => None,
    };
    let ask = match (wish.what.as_str(), memory, wish.text) {
        ("core", Some(memory), _) => Ask::Core(memory),
        ("core_edit", Some(memory), Some(text)) => Ask::EditCore(memory, text),
        ("forget", Some(memory), _) => Ask::Forget(memory),
        ("belief", _, Some(text)) => Ask::Belief(text, evidence),
        ("island", _, name) => Ask::Island(IslandDraft { founding: evidence, name, ..IslandDraft::default() }),
        _ => {
            return Err(phrase!(
                "core and forget need a memory; core_edit needs a memory and a text; belief needs a text",
                "core와 forget에는 memory가, core_edit에는 memory와 text가, belief에는 text가 필요해요"
            ));
        }
    };
    let mind = door.mind().await.map_err(said)?;
    plain(Proposal::of(&mind.propose(ask).await.map_err(said)?, spoken()))
}

async fn imagine(door: &super::Door, arguments: Value) -> Result<Value, Phrase> {
    let asked: Occasion = read(arguments)?;
    let mind = door.mind().await.map_err(said)?;
    let imagination = mind.imagine(Imagining { trigger: asked.trigger, context: asked.context }).await.map_err(said)?;
    plain(Imagination::from(&imagination))
}

async fn like(mind: &MindHandle, arguments: Value) -> Result<Value, Phrase> {
    let asked: Liking = read(arguments)?;
    let id = mind.resolve_imagination(&asked.id).await.map_err(said)?;
    plain(Imagination::from(&mind.judge_imagination(id, asked.liked).await.map_err(said)?))
}
