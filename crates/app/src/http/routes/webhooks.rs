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
use crate::http::idempotency::ShownOnce;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{At, Body};

/// Webhook.
#[derive(Serialize, ToSchema)]
pub(crate) struct Hook {
    id: String,
    url: String,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    /// Sequence number of the last delivered ledger entry.
    after: u64,
    /// Number of failed attempts in a row.
    attempts: u32,
    /// Time of the next attempt after a failure.
    #[schema(value_type = Option<String>, format = DateTime)]
    again_at: Option<Timestamp>,
    /// Reason of the last failure.
    problem: Option<String>,
    /// Time it was ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
    /// Secret for verifying signatures; shown once.
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
    let about = "URL to post to: https; http is allowed on the server's local network with a key for the whole server";
    let address = ObjectBuilder::new().schema_type(Type::String).max_length(Some(LONGEST_ADDRESS)).pattern(Some(address_pattern(true)));
    address.description(Some(about)).build().into()
}

/// New webhook.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewHook {
    #[schema(schema_with = addresses)]
    url: String,
}

/// List webhooks, newest first
#[utoipa::path(get, path = "/v1/minds/{mind}/webhooks", tag = "audit", params(("mind" = String, Path, description = "Id or key of the mind")), responses(
    (status = 200, body = Hooks),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn list(Known(mind): Known) -> Result<Json<Hooks>, Problem> {
    Ok(Json(Hooks { webhooks: mind.webhooks().await?.iter().map(Hook::of).collect() }))
}

/// Add a webhook for all future changes, in order and signed; its secret is shown once
#[utoipa::path(post, path = "/v1/minds/{mind}/webhooks", tag = "audit", params(("mind" = String, Path, description = "Id or key of the mind")), request_body = NewHook, responses(
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

/// Remove a webhook
#[utoipa::path(delete, path = "/v1/minds/{mind}/webhooks/{id}", tag = "audit",
    params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the webhook")), responses(
    (status = 200, body = Hook),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn end(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<Hook>, Problem> {
    Ok(Json(Hook::of(&mind.end_webhook(WebhookId::parse(&at.id)?).await?)))
}
