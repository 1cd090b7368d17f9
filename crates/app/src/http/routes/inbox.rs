//! Proposals and imaginations.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use saegim_core::{Hash, ProposalId, ProposalStatus, Trigger};
use saegim_engine::{Imagining, IslandDraft, MindHandle, ProposalRequest};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::own::{OneOf, keep_soul, memories_named};
use super::paging::{Paged, latest_first};
use super::something;
use crate::http::access::Known;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Asked, At, Body, Server, spoken};
use crate::shapes::{Answer, Imagination, Proposal, Weight, maybe_proposal_statuses, maybe_triggers, memory_list, texts};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ProposalsAsked {
    /// Only what stands so.
    #[param(schema_with = maybe_proposal_statuses)]
    status: Option<ProposalStatus>,
}

/// Proposals, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Proposals {
    proposals: Vec<Proposal>,
    /// Cursor for the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List proposals
#[utoipa::path(get, path = "/v1/minds/{mind}/proposals", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), ProposalsAsked, Paged), responses(
    (status = 200, body = Proposals),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn list(
    Known(mind): Known,
    Asked(asked): Asked<ProposalsAsked>,
    Asked(paged): Asked<Paged>,
) -> Result<Json<Proposals>, Problem> {
    let (proposals, next_cursor) =
        paged.of(mind.proposals(asked.status).await?, |proposal| (latest_first(proposal.made_at), proposal.id.to_string()))?;
    Ok(Json(Proposals { proposals: proposals.iter().map(|proposal| Proposal::of(proposal, spoken())).collect(), next_cursor }))
}

/// New proposal.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Wish {
    /// Keep this memory permanently.
    Core { memory: String },
    /// Edit this core memory.
    CoreEdit {
        memory: String,
        #[schema(schema_with = texts)]
        text: String,
    },
    /// Forget this memory.
    Forget { memory: String },
    /// Add this belief, supported by these memories.
    Belief {
        #[schema(
            min_length = 1,
            max_length = 200,
            pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$"
        )]
        text: String,
        #[serde(default)]
        #[schema(schema_with = memory_list)]
        evidence: Vec<String>,
    },
    /// Create this island.
    Island {
        #[schema(schema_with = memory_list)]
        founding: Vec<String>,
        #[schema(
            min_length = 1,
            max_length = 40,
            pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$"
        )]
        name: Option<String>,
    },
}

async fn ask_of(mind: &MindHandle, wish: Wish) -> Result<ProposalRequest, Problem> {
    Ok(match wish {
        Wish::Core { memory } => ProposalRequest::Core(mind.resolve(&memory).await?),
        Wish::CoreEdit { memory, text } => ProposalRequest::EditCore(mind.resolve(&memory).await?, something(text, "text")?),
        Wish::Forget { memory } => ProposalRequest::Forget(mind.resolve(&memory).await?),
        Wish::Belief { text, evidence } => ProposalRequest::Belief(something(text, "text")?, memories_named(mind, &evidence).await?),
        Wish::Island { founding, name } => {
            ProposalRequest::Island(IslandDraft { founding: memories_named(mind, &founding).await?, name, ..IslandDraft::default() })
        }
    })
}

/// Submit a proposal; nothing changes until the owner approves it
#[utoipa::path(post, path = "/v1/minds/{mind}/proposals", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind")), request_body = Wish, responses(
    (status = 201, body = Proposal),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn propose(Known(mind): Known, Body(body): Body<Wish>) -> Result<(StatusCode, Json<Proposal>), Problem> {
    let proposal = mind.propose(ask_of(&mind, body).await?).await?;
    Ok((StatusCode::CREATED, Json(Proposal::of(&proposal, spoken()))))
}

/// Get a proposal
#[utoipa::path(get, path = "/v1/minds/{mind}/proposals/{id}", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the proposal")), responses(
    (status = 200, body = Proposal),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn show(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<Proposal>, Problem> {
    let proposal = mind.proposal(ProposalId::parse(&at.id)?).await?;
    Ok(Json(Proposal::of(&proposal, spoken())))
}

/// The change that was shown; the decision applies only to it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seen {
    /// Digest of the proposal as shown.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    digest: Hash,
}

/// Approve exactly the change that was shown
#[utoipa::path(post, path = "/v1/minds/{mind}/proposals/{id}/approve", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the proposal")), request_body = Seen, responses(
    (status = 200, body = Answer),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn approve(
    Known(mind): Known,
    State(server): State<Arc<Server>>,
    At(at): At<OneOf>,
    Body(seen): Body<Seen>,
) -> Result<Json<Answer>, Problem> {
    let decided = mind.approve(ProposalId::parse(&at.id)?, seen.digest).await?;
    keep_soul(&server, &mind).await;
    Ok(Json(Answer::of(&decided, spoken())))
}

/// Reject a proposal; the decision is stored
#[utoipa::path(post, path = "/v1/minds/{mind}/proposals/{id}/reject", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the proposal")), request_body = Seen, responses(
    (status = 200, body = Answer),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn reject(Known(mind): Known, At(at): At<OneOf>, Body(seen): Body<Seen>) -> Result<Json<Answer>, Problem> {
    let decided = mind.reject(ProposalId::parse(&at.id)?, seen.digest).await?;
    Ok(Json(Answer::of(&decided, spoken())))
}

/// Undo an approval
#[utoipa::path(post, path = "/v1/minds/{mind}/proposals/{id}/undo", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the proposal")), responses(
    (status = 200, body = Answer),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn undo(Known(mind): Known, State(server): State<Arc<Server>>, At(at): At<OneOf>) -> Result<Json<Answer>, Problem> {
    let decided = mind.undo(ProposalId::parse(&at.id)?).await?;
    keep_soul(&server, &mind).await;
    Ok(Json(Answer::of(&decided, spoken())))
}

/// Imaginations and the weights of the next ones.
#[derive(Serialize, ToSchema)]
pub(crate) struct Imaginations {
    imaginations: Vec<Imagination>,
    /// Cursor for the next page; null on the last page.
    next_cursor: Option<String>,
    /// Weights of triggers and themes, learned from feedback.
    weights: Vec<Weight>,
}

/// List imaginations, newest first
#[utoipa::path(get, path = "/v1/minds/{mind}/imaginations", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), Paged), responses(
    (status = 200, body = Imaginations),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn imaginations(Known(mind): Known, Asked(paged): Asked<Paged>) -> Result<Json<Imaginations>, Problem> {
    let paged = paged.usually(50);
    // Fetch more than the page, because new imaginations may have been created since the previous page.
    let all = mind.imaginations(paged.reach()? + 100).await?;
    let (all, next_cursor) = paged.of(all, |imagined| (latest_first(imagined.at), imagined.id.to_string()))?;
    let weights = mind.imagination_weights().await?.iter().map(Weight::from).collect();
    Ok(Json(Imaginations { imaginations: all.iter().map(Imagination::from).collect(), next_cursor, weights }))
}

/// Request for an imagination.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Occasion {
    /// Chosen by what was liked otherwise.
    #[schema(schema_with = maybe_triggers)]
    trigger: Option<Trigger>,
    /// Current situation; required for the trigger `context`.
    #[schema(
        min_length = 1,
        max_length = 300,
        pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$"
    )]
    context: Option<String>,
}

/// Generate an imagination; limited to a few per day
#[utoipa::path(post, path = "/v1/minds/{mind}/imaginations", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind")), request_body = Occasion, responses(
    (status = 201, body = Imagination),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn imagine(Known(mind): Known, Body(body): Body<Occasion>) -> Result<(StatusCode, Json<Imagination>), Problem> {
    let context = body.context.map(|context| something(context, "context")).transpose()?;
    let imagination = mind.imagine(Imagining { trigger: body.trigger, context }).await?;
    Ok((StatusCode::CREATED, Json(Imagination::from(&imagination))))
}

/// Feedback on an imagination.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Feedback {
    liked: bool,
}

/// Rate an imagination
#[utoipa::path(post, path = "/v1/minds/{mind}/imaginations/{id}/feedback", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the imagination")), request_body = Feedback, responses(
    (status = 200, body = Imagination),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn feedback(Known(mind): Known, At(at): At<OneOf>, Body(body): Body<Feedback>) -> Result<Json<Imagination>, Problem> {
    let imagination = mind.judge_imagination(mind.resolve_imagination(&at.id).await?, body.liked.into()).await?;
    Ok(Json(Imagination::from(&imagination)))
}
