//! Tools that read the self and submit proposals. None of them decides anything.

use saegim_core::{Phrase, ProposalStatus, SessionId, Trigger, phrase};
use saegim_engine::{EngineError, Imagining, IslandDraft, MindHandle, OrchestrationRequest, ProposalRequest};
use serde::Deserialize;
use serde_json::{Value, json};

use super::descriptions::{Effect, Told, text};
use super::tools::{plain, read};
use crate::http::spoken;
use crate::shapes::{Imagination, Island, OrchestrationDetails, Proposal, SelfVersion};

/// Kinds of proposals.
const WISHES: [&str; 5] = ["core", "core_edit", "forget", "belief", "island"];

pub(super) fn told() -> Vec<Told> {
    use Effect::{Reads, Writes};
    let triggers: Vec<&str> = Trigger::ALL.iter().map(|trigger| trigger.as_str()).collect();
    let ids = |about: &str| json!({ "type": "array", "items": { "type": "string" }, "maxItems": 100, "description": about });
    vec![
        Told {
            name: "list_proposals",
            about: "List pending proposals: the exact change, its reasons and when it lapses. Only the owner can decide.",
            effect: Reads,
            few: true,
            fields: json!({ "all": { "type": "boolean", "description": "Include decided and lapsed proposals" } }),
            needed: &[],
        },
        Told {
            name: "get_self",
            about: "Get your self: your beliefs about yourself, their supporting memories, and the islands of your personality.",
            effect: Reads,
            few: true,
            fields: json!({}),
            needed: &[],
        },
        Told {
            name: "get_islands",
            about: "List the islands of your personality: founding memories, strength, status.",
            effect: Reads,
            few: false,
            fields: json!({}),
            needed: &[],
        },
        Told {
            name: "propose",
            about: "Submit a proposal to the owner: keep a memory permanently, edit or forget a core memory, add a belief, create an island. Nothing changes until the owner approves it.",
            effect: Writes,
            few: false,
            fields: json!({
                "what": { "type": "string", "enum": WISHES, "description": "Kind of proposal" },
                "memory": text("Id of the memory, for core, core_edit and forget"),
                "text": text("New text of the memory or belief, or name of the island"),
                "evidence": ids("Memories that support a belief or found an island"),
            }),
            needed: &["what"],
        },
        Told {
            name: "imagine",
            about: "Generate an imagination from your memories. Limited to a few per day; never a fact.",
            effect: Writes,
            few: false,
            fields: json!({ "trigger": { "type": "string", "enum": triggers, "description": "Trigger" }, "context": text("Current situation") }),
            needed: &[],
        },
        Told {
            name: "rate_imagination",
            about: "Record whether the person liked an imagination; it influences the next ones.",
            effect: Writes,
            few: false,
            fields: json!({ "id": text("Id of the imagination, or some of its digits"), "liked": { "type": "boolean", "description": "Whether the person liked it" } }),
            needed: &["id", "liked"],
        },
        Told {
            name: "orchestrate",
            about: "Let several personas think about a question: thesis, antithesis, synthesis. Every answer is stored, and later runs on related questions use it as an example.",
            effect: Writes,
            few: false,
            fields: json!({
                "prompt": text("The question"),
                "depth": { "type": "integer", "description": "Number of cycles", "minimum": 1, "maximum": 8 },
                "session": text("Session of the run"),
            }),
            needed: &["prompt"],
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
struct Question {
    prompt: String,
    depth: Option<u32>,
    session: Option<String>,
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

/// Calls one of these tools. Returns `None` if the name is not one of them.
pub(super) async fn call(door: &super::Door, name: &str, arguments: Value) -> Option<Result<Value, Phrase>> {
    if !told().iter().any(|tool| tool.name == name) {
        return None;
    }
    match name {
        "propose" => return Some(propose(door, arguments).await),
        "imagine" => return Some(imagine(door, arguments).await),
        "orchestrate" => return Some(orchestrate(door, arguments).await),
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
        ("core", Some(memory), _) => ProposalRequest::Core(memory),
        ("core_edit", Some(memory), Some(text)) => ProposalRequest::EditCore(memory, text),
        ("forget", Some(memory), _) => ProposalRequest::Forget(memory),
        ("belief", _, Some(text)) => ProposalRequest::Belief(text, evidence),
        ("island", _, name) => ProposalRequest::Island(IslandDraft { founding: evidence, name, ..IslandDraft::default() }),
        _ => {
            return Err(phrase!("mcp.own.proposal_incomplete"));
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

async fn orchestrate(door: &super::Door, arguments: Value) -> Result<Value, Phrase> {
    let asked: Question = read(arguments)?;
    let session = asked.session.map(SessionId::new).transpose().map_err(|invalid| invalid.phrase())?;
    let request =
        OrchestrationRequest { prompt: asked.prompt, depth: asked.depth.unwrap_or(1), session, ..OrchestrationRequest::default() };
    let mind = door.mind().await.map_err(said)?;
    let run = mind.orchestrate(request, &mut |_| ()).await.map_err(said)?;
    plain(OrchestrationDetails::from(&mind.orchestration(run.id).await.map_err(said)?))
}

async fn like(mind: &MindHandle, arguments: Value) -> Result<Value, Phrase> {
    let asked: Liking = read(arguments)?;
    let id = mind.resolve_imagination(&asked.id).await.map_err(said)?;
    plain(Imagination::from(&mind.judge_imagination(id, asked.liked.into()).await.map_err(said)?))
}
