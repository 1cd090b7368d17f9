//! Proposals and imaginations.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use saegim_core::{Hash, ProposalId, ProposalStatus, Trigger};
use saegim_engine::{Ask, Imagining, IslandDraft, MindHandle};
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
    /// Give it back for the next page; none after the last.
    next_cursor: Option<String>,
}

/// What waits for the owner's word, or had it
#[utoipa::path(get, path = "/v1/minds/{mind}/proposals", tag = "self", params(("mind" = String, Path, description = "Its id or key"), ProposalsAsked, Paged), responses(
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

/// A wish to put before the owner.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Wish {
    /// Keep this memory for ever.
    Core { memory: String },
    /// Rewrite this core memory.
    CoreEdit {
        memory: String,
        #[schema(schema_with = texts)]
        text: String,
    },
    /// Let this memory go.
    Forget { memory: String },
    /// Believe this, because of these memories.
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
    /// Let this island rise.
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

async fn ask_of(mind: &MindHandle, wish: Wish) -> Result<Ask, Problem> {
    Ok(match wish {
        Wish::Core { memory } => Ask::Core(mind.resolve(&memory).await?),
        Wish::CoreEdit { memory, text } => Ask::EditCore(mind.resolve(&memory).await?, something(text, "text")?),
        Wish::Forget { memory } => Ask::Forget(mind.resolve(&memory).await?),
        Wish::Belief { text, evidence } => Ask::Belief(something(text, "text")?, memories_named(mind, &evidence).await?),
        Wish::Island { founding, name } => {
            Ask::Island(IslandDraft { founding: memories_named(mind, &founding).await?, name, ..IslandDraft::default() })
        }
    })
}

/// Put a wish before the owner; nothing changes until they say so
#[utoipa::path(post, path = "/v1/minds/{mind}/proposals", tag = "self", params(("mind" = String, Path, description = "Its id or key")), request_body = Wish, responses(
    (status = 201, body = Proposal),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn propose(Known(mind): Known, Body(body): Body<Wish>) -> Result<(StatusCode, Json<Proposal>), Problem> {
    let proposal = mind.propose(ask_of(&mind, body).await?).await?;
    Ok((StatusCode::CREATED, Json(Proposal::of(&proposal, spoken()))))
}

/// One proposal
#[utoipa::path(get, path = "/v1/minds/{mind}/proposals/{id}", tag = "self", params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The proposal")), responses(
    (status = 200, body = Proposal),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn show(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<Proposal>, Problem> {
    let proposal = mind.proposal(ProposalId::parse(&at.id)?).await?;
    Ok(Json(Proposal::of(&proposal, spoken())))
}

/// The change that was seen; a yes or no counts for nothing else.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seen {
    /// The proposal's digest as it was shown.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    digest: Hash,
}

/// Say yes to exactly the change that was shown
#[utoipa::path(post, path = "/v1/minds/{mind}/proposals/{id}/approve", tag = "self", params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The proposal")), request_body = Seen, responses(
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

/// Say no; it is remembered
#[utoipa::path(post, path = "/v1/minds/{mind}/proposals/{id}/reject", tag = "self", params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The proposal")), request_body = Seen, responses(
    (status = 200, body = Answer),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn reject(Known(mind): Known, At(at): At<OneOf>, Body(seen): Body<Seen>) -> Result<Json<Answer>, Problem> {
    let decided = mind.reject(ProposalId::parse(&at.id)?, seen.digest).await?;
    Ok(Json(Answer::of(&decided, spoken())))
}

/// Take an approval back
#[utoipa::path(post, path = "/v1/minds/{mind}/proposals/{id}/undo", tag = "self", params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The proposal")), responses(
    (status = 200, body = Answer),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn undo(Known(mind): Known, State(server): State<Arc<Server>>, At(at): At<OneOf>) -> Result<Json<Answer>, Problem> {
    let decided = mind.undo(ProposalId::parse(&at.id)?).await?;
    keep_soul(&server, &mind).await;
    Ok(Json(Answer::of(&decided, spoken())))
}

/// What was imagined, and what that is drawn to.
#[derive(Serialize, ToSchema)]
pub(crate) struct Imaginations {
    imaginations: Vec<Imagination>,
    /// Give it back for the next page; none after the last.
    next_cursor: Option<String>,
    /// How what was liked and disliked steers what comes next.
    weights: Vec<Weight>,
}

/// What the character imagined, the latest first
#[utoipa::path(get, path = "/v1/minds/{mind}/imaginations", tag = "self", params(("mind" = String, Path, description = "Its id or key"), Paged), responses(
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

/// What sets an imagination off.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Occasion {
    /// Chosen by what was liked otherwise.
    #[schema(schema_with = maybe_triggers)]
    trigger: Option<Trigger>,
    /// What the host tells of; needed where the trigger is `context`.
    #[schema(
        min_length = 1,
        max_length = 300,
        pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$"
    )]
    context: Option<String>,
}

/// Imagine something, at most a few times a day
#[utoipa::path(post, path = "/v1/minds/{mind}/imaginations", tag = "self", params(("mind" = String, Path, description = "Its id or key")), request_body = Occasion, responses(
    (status = 201, body = Imagination),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn imagine(Known(mind): Known, Body(body): Body<Occasion>) -> Result<(StatusCode, Json<Imagination>), Problem> {
    let context = body.context.map(|context| something(context, "context")).transpose()?;
    let imagination = mind.imagine(Imagining { trigger: body.trigger, context }).await?;
    Ok((StatusCode::CREATED, Json(Imagination::from(&imagination))))
}

/// How an imagination was taken.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Feedback {
    liked: bool,
}

/// Say whether an imagination was liked
#[utoipa::path(post, path = "/v1/minds/{mind}/imaginations/{id}/feedback", tag = "self", params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The imagination")), request_body = Feedback, responses(
    (status = 200, body = Imagination),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn feedback(Known(mind): Known, At(at): At<OneOf>, Body(body): Body<Feedback>) -> Result<Json<Imagination>, Problem> {
    let imagination = mind.judge_imagination(mind.resolve_imagination(&at.id).await?, body.liked).await?;
    Ok(Json(Imagination::from(&imagination)))
}
