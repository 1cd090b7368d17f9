//! Webhooks.

use axum::http::StatusCode;
use axum::{Extension, Json};
use saegim_core::{Reach, Timestamp, Webhook, WebhookId};
use saegim_engine::EngineError;
use saegim_provider::{LONGEST_ADDRESS, address_pattern, check_webhook, written_secret};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

use crate::http::access::{Access, Known};
use crate::http::once::ShownOnce;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{At, Body};

/// An address that is told what changes.
#[derive(Serialize, ToSchema)]
pub(crate) struct Hook {
    id: String,
    url: String,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    /// The last entry of the ledger it has heard of.
    after: u64,
    /// How often in a row it could not be told.
    attempts: u32,
    /// When it is tried again, where it could not be told.
    #[schema(value_type = Option<String>, format = DateTime)]
    again_at: Option<Timestamp>,
    /// Why it could not be told, the last time.
    problem: Option<String>,
    /// Since when it is told nothing any more.
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
    /// What its signatures are checked with, shown this once.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl Hook {
    fn of(webhook: &Webhook) -> Self {
        Self {
            id: webhook.id.to_string(),
            url: webhook.url.clone(),
            made_at: webhook.made_at,
            after: webhook.after,
            attempts: webhook.attempts,
            again_at: Some(webhook.due_at).filter(|_| webhook.attempts > 0 && webhook.ended_at.is_none()),
            problem: webhook.problem.clone(),
            ended_at: webhook.ended_at,
            secret: None,
        }
    }
}

/// Webhooks.
#[derive(Serialize, ToSchema)]
pub(crate) struct Hooks {
    webhooks: Vec<Hook>,
}

/// Returns the schema of a webhook address.
fn addresses() -> Schema {
    let about = "Where to post to: https, or http on the server's own network for who runs it";
    let address = ObjectBuilder::new().schema_type(Type::String).max_length(Some(LONGEST_ADDRESS)).pattern(Some(address_pattern(true)));
    address.description(Some(about)).build().into()
}

/// Who wants to be told.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewHook {
    #[schema(schema_with = addresses)]
    url: String,
}

/// Who is told what changes, the newest first
#[utoipa::path(get, path = "/v1/minds/{mind}/webhooks", tag = "audit", params(("mind" = String, Path, description = "Its id or key")), responses(
    (status = 200, body = Hooks),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn list(Known(mind): Known) -> Result<Json<Hooks>, Problem> {
    Ok(Json(Hooks { webhooks: mind.webhooks().await?.iter().map(Hook::of).collect() }))
}

/// Tell an address everything that changes from now on, in order and signed; the secret is shown this once
#[utoipa::path(post, path = "/v1/minds/{mind}/webhooks", tag = "audit", params(("mind" = String, Path, description = "Its id or key")), request_body = NewHook, responses(
    (status = 201, body = Hook),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn add(
    Known(mind): Known,
    access: Access,
    Body(body): Body<NewHook>,
) -> Result<(StatusCode, Extension<ShownOnce>, Json<Hook>), Problem> {
    let reach = if access.runs_all().is_ok() { Reach::Everywhere } else { Reach::Public };
    check_webhook(&body.url)?;
    let webhook = mind.add_webhook(&body.url, reach).await.map_err(|error| match error {
        // The address itself is valid, so the error means that this key may not use it.
        EngineError::Invalid(invalid) => Problem::forbidden(invalid.problem),
        error => error.into(),
    })?;
    let hook = Hook { secret: Some(written_secret(&webhook.secret)), ..Hook::of(&webhook) };
    Ok((StatusCode::CREATED, Extension(ShownOnce("secret")), Json(hook)))
}

#[derive(Deserialize)]
pub(crate) struct OneOf {
    #[serde(rename = "mind")]
    _mind: String,
    id: String,
}

/// Tell it nothing from now on
#[utoipa::path(delete, path = "/v1/minds/{mind}/webhooks/{id}", tag = "audit",
    params(("mind" = String, Path, description = "Its id or key"), ("id" = String, Path, description = "The webhook's id")), responses(
    (status = 200, body = Hook),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn end(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<Hook>, Problem> {
    Ok(Json(Hook::of(&mind.end_webhook(WebhookId::parse(&at.id)?).await?)))
}
