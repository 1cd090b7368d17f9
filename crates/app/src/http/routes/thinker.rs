//! The thinker and its jobs.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use saegim_core::{Cause, JobKind, Timestamp, phrase};
use saegim_provider::address_pattern;
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::operate::doctor::LookedOver;
use crate::http::access::{Access, Known};
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Body, Server};
use crate::settings::{LONGEST_SETTING, ModelOffer, RULES, Refusal, ThinkerChoice, model_offers};
use crate::shapes::{job_kinds, maybe_causes};

/// Current thinker. Contains no key, only whether there is one.
#[derive(Serialize, ToSchema)]
pub(crate) struct ThinkerNow {
    /// `rules` or the provider of the model.
    provider: String,
    /// Name of the model; null for rules.
    name: Option<String>,
    /// Base URL in the configuration; the provider's default otherwise.
    base_url: Option<String>,
    /// Address of the model.
    address: Option<String>,
    /// Whether there is a key.
    has_key: bool,
    /// Whether the command line set it; if so, change it there.
    fixed: bool,
    /// Whether a change is written to the configuration file; otherwise it lasts until the server stops.
    kept: bool,
    /// Tasks with a model of their own in the configuration file.
    apart: Vec<String>,
    /// Providers that can be selected besides `rules`.
    providers: Vec<ModelProvider>,
}

/// Model provider that can be selected.
#[derive(Serialize, ToSchema)]
pub(crate) struct ModelProvider {
    name: String,
    /// Default base URL.
    base_url: String,
    /// Whether its models run on this machine.
    local: bool,
}

/// A new thinker.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThinkerWanted {
    /// `rules` or a provider.
    provider: String,
    /// Name of the model at the provider.
    name: Option<String>,
    /// Base URL (http or https), if not the provider's default.
    base_url: Option<String>,
    /// API key. An empty string removes the stored key; if omitted, the stored key is kept as long as the server is the same.
    key: Option<String>,
}

impl PartialSchema for ThinkerWanted {
    /// `rules` needs no other field; a model needs a name.
    fn schema() -> RefOr<Schema> {
        let (text, no_text) = (Type::String, Type::Null);
        let maybe = || ObjectBuilder::new().schema_type(SchemaType::from_iter([text.clone(), no_text.clone()]));
        let line = r"^[^\S\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u0020\u007f-\u00a0\ufeff][^\u0000-\u001f\u007f-\u009f]*$";
        let one = |word: &str| ObjectBuilder::new().schema_type(Type::String).enum_values(Some([word]));
        let closed = || ObjectBuilder::new().additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(false)));
        let rules = closed()
            .property("provider", one(RULES))
            .property("name", maybe())
            .property("base_url", maybe())
            .property("key", maybe())
            .required("provider");
        let providers: Vec<&str> = model_offers().iter().map(|offer| offer.name).collect();
        let address = address_pattern(false);
        let model = closed()
            .property("provider", ObjectBuilder::new().schema_type(Type::String).enum_values(Some(providers)))
            .property(
                "name",
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .max_length(Some(LONGEST_SETTING))
                    .pattern(Some(line))
                    .description(Some("Name of the model")),
            )
            .property(
                "base_url",
                maybe()
                    .max_length(Some(LONGEST_SETTING))
                    .pattern(Some(format!("^({}|)$", &address[1..address.len() - 1])))
                    .description(Some("Base URL, if not the provider's default")),
            )
            .property(
                "key",
                maybe().max_length(Some(LONGEST_SETTING)).pattern(Some("^[!-~]*$")).description(Some(
                    "API key. An empty string removes the stored key; if omitted, the stored key is kept as long as the server is the same",
                )),
            )
            .required("provider")
            .required("name");
        OneOfBuilder::new().item(rules).item(model).description(Some("Thinker to use: rules or a model")).into()
    }
}

impl ToSchema for ThinkerWanted {}

fn told(server: &Server) -> Json<ThinkerNow> {
    let told = server.thinking.told();
    let provider = |offer: &ModelOffer| ModelProvider { name: offer.name.into(), base_url: offer.base_url.into(), local: offer.local };
    Json(ThinkerNow {
        provider: told.provider,
        name: told.name,
        base_url: told.base_url,
        address: told.address,
        has_key: told.has_key,
        fixed: told.fixed,
        kept: told.kept,
        apart: told.apart,
        providers: told.offers.iter().map(provider).collect(),
    })
}

/// Get the thinker: rules or a model
#[utoipa::path(get, path = "/v1/thinker", tag = "operate", responses(
    (status = 200, body = ThinkerNow),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn thinker(State(server): State<Arc<Server>>, access: Access) -> Result<Json<ThinkerNow>, Problem> {
    access.runs_all()?;
    Ok(told(&server))
}

/// Set the thinker; the choice is written to the configuration file
#[utoipa::path(put, path = "/v1/thinker", tag = "operate", request_body = ThinkerWanted, responses(
    (status = 200, body = ThinkerNow),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn choose(
    State(server): State<Arc<Server>>,
    access: Access,
    wanted: Result<Body<ThinkerWanted>, Problem>,
) -> Result<Json<ThinkerNow>, Problem> {
    access.runs_all()?;
    // Errors do not quote the body, because it may contain a key.
    let Ok(Body(wanted)) = wanted else {
        return Err(Problem::bad(phrase!("http.thinker.fields_missing")));
    };
    let ThinkerWanted { provider, name, base_url, key } = wanted;
    let thinker = server.thinking.choose(&ThinkerChoice { provider, name, base_url, key }).map_err(|refusal| match refusal {
        Refusal::Wrong(what) => Problem::bad(what),
        Refusal::Stands(what) => Problem::new(StatusCode::CONFLICT, "conflict", what),
    })?;
    server.engine.think_with(thinker)?;
    Ok(told(&server))
}

/// Test all configured models; rules need no test
#[utoipa::path(post, path = "/v1/thinker/try", tag = "operate", responses(
    (status = 200, body = LookedOver),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn try_it(State(server): State<Arc<Server>>, access: Access) -> Result<Json<LookedOver>, Problem> {
    access.runs_all()?;
    Ok(Json(LookedOver::of(server.engine.try_thinker().await)))
}

/// Job waiting for a model. It never contains message text.
#[derive(Serialize, ToSchema)]
pub(crate) struct Job {
    #[schema(schema_with = job_kinds)]
    kind: JobKind,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    /// Time of the next attempt; null once abandoned.
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<Timestamp>,
    /// Number of attempts.
    attempts: u32,
    /// Why it did not work the last time.
    #[schema(schema_with = maybe_causes)]
    cause: Option<Cause>,
}

/// Maintenance schedule and waiting jobs.
#[derive(Serialize, ToSchema)]
pub(crate) struct Jobs {
    /// Time of the last daily maintenance.
    #[schema(value_type = Option<String>, format = DateTime)]
    looked_after_at: Option<Timestamp>,
    /// Time of the next maintenance; null while nothing can expire.
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<Timestamp>,
    /// Jobs waiting for a model, oldest first; abandoned jobs are included.
    jobs: Vec<Job>,
}

/// Show the maintenance schedule of the mind and the jobs waiting for a model
#[utoipa::path(get, path = "/v1/minds/{mind}/jobs", tag = "operate", params(("mind" = String, Path, description = "Id or key of the mind")), responses(
    (status = 200, body = Jobs),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn jobs(Known(mind): Known) -> Result<Json<Jobs>, Problem> {
    let (now, jobs) = (mind.mind().await?, mind.jobs().await?);
    let shape =
        |job: saegim_core::Job| Job { kind: job.kind, made_at: job.made_at, due_at: job.due_at, attempts: job.attempts, cause: job.cause };
    Ok(Json(Jobs { looked_after_at: now.ticked_at, due_at: now.care_due_at, jobs: jobs.into_iter().map(shape).collect() }))
}
