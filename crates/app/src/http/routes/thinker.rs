//! Who thinks, and what waits for them.

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

use super::doctor::LookedOver;
use crate::http::access::{Access, Known};
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Body, Server};
use crate::settings::{LONGEST_SETTING, ModelOffer, RULES, Refusal, ThinkerChoice, model_offers};
use crate::shapes::{job_kinds, maybe_causes};

/// Who thinks. No key is in it, only whether there is one.
#[derive(Serialize, ToSchema)]
pub(crate) struct ThinkerNow {
    /// `rules`, or whose server the model is at.
    provider: String,
    /// The model's name there; none for rules.
    name: Option<String>,
    /// Where the configuration says it is; at the provider's otherwise.
    base_url: Option<String>,
    /// Where it is asked.
    address: Option<String>,
    /// Whether there is a key.
    has_key: bool,
    /// Whether the command line chose; then it is changed there.
    fixed: bool,
    /// Whether a change is written into the configuration file; it lasts until the server ends otherwise.
    kept: bool,
    /// Thoughts with a model of their own in the configuration file.
    apart: Vec<String>,
    /// Who can be chosen, beside `rules`.
    providers: Vec<ModelProvider>,
}

/// Whose models can be chosen.
#[derive(Serialize, ToSchema)]
pub(crate) struct ModelProvider {
    name: String,
    /// Where they are unless one says otherwise.
    base_url: String,
    /// Whether they run on this machine.
    local: bool,
}

/// Who is to think.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThinkerWanted {
    /// `rules`, or one of the providers.
    provider: String,
    /// The model's name there.
    name: Option<String>,
    /// Where it is, if not at the provider's: http or https.
    base_url: Option<String>,
    /// A key. A blank takes the known one away; without it the known one stays, as long as the server is the same.
    key: Option<String>,
}

impl PartialSchema for ThinkerWanted {
    /// Rules need nothing else; a model has to be named.
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
                    .description(Some("The model's name there")),
            )
            .property(
                "base_url",
                maybe()
                    .max_length(Some(LONGEST_SETTING))
                    .pattern(Some(format!("^({}|)$", &address[1..address.len() - 1])))
                    .description(Some("Where it is, if not at the provider's")),
            )
            .property(
                "key",
                maybe().max_length(Some(LONGEST_SETTING)).pattern(Some("^[!-~]*$")).description(Some(
                    "A key. A blank takes the known one away; without it the known one stays, as long as the server is the same",
                )),
            )
            .required("provider")
            .required("name");
        OneOfBuilder::new().item(rules).item(model).description(Some("Who is to think: rules, or a model")).into()
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

/// Who thinks: rules, or which model at whose server
#[utoipa::path(get, path = "/v1/thinker", tag = "operate", responses(
    (status = 200, body = ThinkerNow),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn thinker(State(server): State<Arc<Server>>, access: Access) -> Result<Json<ThinkerNow>, Problem> {
    access.runs_all()?;
    Ok(told(&server))
}

/// Choose who thinks from now on; it is written into the configuration file
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
    // What is wrong with the body is not quoted: it may hold a key.
    let Ok(Body(wanted)) = wanted else {
        return Err(Problem::bad(phrase!(
            "send provider, name, base_url and key as strings",
            "provider, name, base_url, key를 문자열로 보내 주세요"
        )));
    };
    let ThinkerWanted { provider, name, base_url, key } = wanted;
    let thinker = server.thinking.choose(&ThinkerChoice { provider, name, base_url, key }).map_err(|refusal| match refusal {
        Refusal::Wrong(what) => Problem::bad(what),
        Refusal::Stands(what) => Problem::new(StatusCode::CONFLICT, "conflict", what),
    })?;
    server.engine.think_with(thinker)?;
    Ok(told(&server))
}

/// Try every model that thinks; rules need no trial
#[utoipa::path(post, path = "/v1/thinker/try", tag = "operate", responses(
    (status = 200, body = LookedOver),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn try_it(State(server): State<Arc<Server>>, access: Access) -> Result<Json<LookedOver>, Problem> {
    access.runs_all()?;
    Ok(Json(LookedOver::of(server.engine.try_thinker().await)))
}

/// A piece of work that waits for a model. It names what it is and tells nothing of what was said.
#[derive(Serialize, ToSchema)]
pub(crate) struct Job {
    #[schema(schema_with = job_kinds)]
    kind: JobKind,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    /// When it may be tried next; none once it was given up.
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<Timestamp>,
    /// How often it was tried.
    attempts: u32,
    /// Why it did not work the last time.
    #[schema(schema_with = maybe_causes)]
    cause: Option<Cause>,
}

/// When a mind is looked after, and what waits.
#[derive(Serialize, ToSchema)]
pub(crate) struct Jobs {
    /// The last day's round.
    #[schema(value_type = Option<String>, format = DateTime)]
    looked_after_at: Option<Timestamp>,
    /// When the caretaker looks again; none while nothing can run out.
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<Timestamp>,
    /// What waits for a model, the oldest first; what was given up stays to be seen.
    jobs: Vec<Job>,
}

/// When the mind is looked after, and what waits for a model
#[utoipa::path(get, path = "/v1/minds/{mind}/jobs", tag = "operate", params(("mind" = String, Path, description = "Its id or key")), responses(
    (status = 200, body = Jobs),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn jobs(Known(mind): Known) -> Result<Json<Jobs>, Problem> {
    let (now, jobs) = (mind.mind().await?, mind.jobs().await?);
    let shape =
        |job: saegim_core::Job| Job { kind: job.kind, made_at: job.made_at, due_at: job.due_at, attempts: job.attempts, cause: job.cause };
    Ok(Json(Jobs { looked_after_at: now.ticked_at, due_at: now.care_due_at, jobs: jobs.into_iter().map(shape).collect() }))
}
