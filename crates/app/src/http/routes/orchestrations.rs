//! Runs of personas, and evaluations by the host.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt};
use saegim_core::{Evaluation, OrchestrationId, Persona, RULES_BACKEND, SessionId, Stance, Unit, phrase};
use saegim_engine::{HostEvaluation, OrchestrationEvent, OrchestrationPage, OrchestrationRequest, RunStart};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::unbounded_channel;
use utoipa::{IntoParams, ToSchema};

use super::talk::event;
use super::{limit, something};
use crate::http::access::{Known, Named};
use crate::http::connection::detached_tasks;
use crate::http::problem::{Problem, ProblemDocument, SPOKEN};
use crate::http::{Asked, At, Body, Server, spoken};
use crate::shapes::{Cycle, OrchestrationDetails, OrchestrationRun, PersonaStep, Rhythm, maybe_texts};

/// Voice of the dialogue.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewVoice {
    /// Letters, digits, `-` and `_`.
    #[schema(min_length = 1, max_length = 50)]
    id: String,
    /// Default: the id.
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
    /// Default: the name.
    #[schema(min_length = 1, max_length = 100)]
    role: Option<String>,
    /// assert, oppose or join.
    #[schema(pattern = "^(assert|oppose|join)$")]
    stance: String,
    /// System prompt for both languages.
    #[schema(min_length = 1, max_length = 4000)]
    system: String,
    /// `default`, `rules`, or the name of a configured model.
    #[schema(max_length = 100)]
    backend: Option<String>,
}

/// Request to run personas over a prompt.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewOrchestration {
    /// The question; may be left out to resume.
    #[schema(schema_with = maybe_texts)]
    prompt: Option<String>,
    /// Number of cycles; default: 1.
    #[schema(minimum = 1, maximum = 100)]
    depth: Option<u32>,
    /// Session; default: named after the time.
    #[schema(min_length = 1, max_length = 200)]
    session: Option<String>,
    /// Personas; default: thesis, antithesis, synthesis.
    #[schema(max_items = 12)]
    personas: Option<Vec<NewVoice>>,
    /// Continue the latest interrupted run.
    #[serde(default)]
    resume: bool,
}

fn voice((place, voice): (usize, NewVoice)) -> Result<Persona, Problem> {
    let line = |text: Option<String>, usual: &str| match text {
        None => Ok(usual.to_owned()),
        Some(text) if (1..=100).contains(&text.trim().chars().count()) && !text.contains(char::is_control) => Ok(text.trim().to_owned()),
        Some(_) => Err(Problem::bad(phrase!("engine.registry.line_form"))),
    };
    let name = line(voice.name, &voice.id)?;
    let role = line(voice.role, &name)?;
    let system = something(voice.system, "system")?;
    if system.chars().count() > 4000 {
        return Err(Problem::bad(phrase!("engine.registry.prompt_too_long", most = 4000)));
    }
    Ok(Persona {
        stance: Stance::parse(&voice.stance)?,
        backend: voice.backend.unwrap_or_else(|| RULES_BACKEND.to_owned()),
        order: place as i64,
        id: voice.id,
        name_ko: None,
        system_en: system,
        system_ko: String::new(),
        name,
        role,
    })
}

/// An event of a run, or its failure.
enum Told {
    Event(OrchestrationEvent),
    Failed(Problem),
}

/// Run personas over a prompt: streams `step`, `phase`, `adjustment` and `done` as server-sent events, each after it was stored
#[utoipa::path(post, path = "/v1/minds/{mind}/orchestrations", tag = "personas",
    params(("mind" = String, Path, description = "Id or key of the mind")), request_body = NewOrchestration, responses(
    (status = 200, body = String, content_type = "text/event-stream"),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn orchestrate(
    State(server): State<Arc<Server>>,
    named: Named,
    Body(body): Body<NewOrchestration>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let personas = body.personas.map(|voices| voices.into_iter().enumerate().map(voice).collect::<Result<Vec<_>, _>>()).transpose()?;
    if personas.as_ref().is_some_and(|personas| personas.len() > 12) {
        return Err(Problem::bad(phrase!("engine.registry.persona_count", most = 12)));
    }
    let start = if body.resume || body.prompt.is_none() { RunStart::Resume } else { RunStart::New };
    let prompt = body.prompt.map(|prompt| something(prompt, "prompt")).transpose()?.unwrap_or_default();
    let session = body.session.map(SessionId::new).transpose()?;
    let request = OrchestrationRequest { prompt, depth: body.depth.unwrap_or(1), session, personas, start };
    let mind = named.begun(&server).await?;
    let (tell, mut hear) = unbounded_channel();
    // If the client disconnects, the run is still completed and stored.
    detached_tasks::finish(SPOKEN.scope(spoken(), async move {
        let done = mind
            .orchestrate(request, &mut |event| {
                let _ = tell.send(Told::Event(event));
            })
            .await;
        if let Err(error) = done {
            let _ = tell.send(Told::Failed(error.into()));
        }
    }));
    // A run that cannot start gets its own HTTP status.
    let first = match hear.recv().await {
        Some(Told::Failed(problem)) => return Err(problem),
        Some(first) => first,
        None => return Err(Problem::broken()),
    };
    let rest = futures_util::stream::poll_fn(move |context| hear.poll_recv(context));
    let stream = futures_util::stream::iter([first]).chain(rest).map(|told| Ok(sent(told)));
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// Converts an event of a run to a server-sent event.
fn sent(told: Told) -> Event {
    match told {
        Told::Event(OrchestrationEvent::Began(run)) => event("began", &OrchestrationRun::from(&*run)),
        Told::Event(OrchestrationEvent::Step(made)) => {
            event("step", &PersonaStep::of(&made.step, Some(&made.memory.content)).with_prompt(&made.prompt))
        }
        Told::Event(OrchestrationEvent::Phase(phase)) => event("phase", &Rhythm::from(&phase)),
        Told::Event(OrchestrationEvent::Adjustment(cycle)) => event("adjustment", &Cycle::from(&*cycle)),
        Told::Event(OrchestrationEvent::Done(run)) => event("done", &OrchestrationRun::from(&*run)),
        Told::Failed(problem) => event("error", &serde_json::json!({ "title": problem.title(), "detail": problem.detail() })),
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RunsAsked {
    /// Maximum number of items.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Only runs of this session.
    #[param(min_length = 1, max_length = 200, pattern = "\\S")]
    session: Option<String>,
}

/// Runs, the latest change first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Orchestrations {
    orchestrations: Vec<OrchestrationRun>,
}

/// List runs of personas, the latest change first
#[utoipa::path(get, path = "/v1/minds/{mind}/orchestrations", tag = "personas", params(("mind" = String, Path, description = "Id or key of the mind"), RunsAsked), responses(
    (status = 200, body = Orchestrations),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn list(Known(mind): Known, Asked(asked): Asked<RunsAsked>) -> Result<Json<Orchestrations>, Problem> {
    let limit = limit(asked.limit, 20, 1..=1000)?;
    let page = OrchestrationPage { limit, session: asked.session.map(SessionId::new).transpose()?, status: None };
    let runs = mind.orchestrations(page).await?;
    Ok(Json(Orchestrations { orchestrations: runs.iter().map(OrchestrationRun::from).collect() }))
}

#[derive(Deserialize)]
pub(crate) struct OneRun {
    id: String,
}

/// Get a run of personas with its answers
#[utoipa::path(get, path = "/v1/minds/{mind}/orchestrations/{id}", tag = "personas", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the run")), responses(
    (status = 200, body = OrchestrationDetails),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn show(Known(mind): Known, At(at): At<OneRun>) -> Result<Json<OrchestrationDetails>, Problem> {
    Ok(Json(OrchestrationDetails::from(&mind.orchestration(OrchestrationId::parse(&at.id)?).await?)))
}

/// Evaluation of a run by the host. Each score is 0..=1.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewEvaluation {
    /// Run; default: the latest completed one.
    orchestration: Option<String>,
    /// Session of the run.
    #[schema(min_length = 1, max_length = 200)]
    session: Option<String>,
    #[schema(minimum = 0, maximum = 1)]
    impact: f32,
    #[schema(minimum = 0, maximum = 1)]
    transparency: f32,
    #[schema(minimum = 0, maximum = 1)]
    reproducibility: f32,
    #[schema(minimum = 0, maximum = 1)]
    verifiability: f32,
    /// Risk of the question; default: judged from its words.
    #[schema(minimum = 0, maximum = 1)]
    risk: Option<f32>,
}

/// Record an evaluation of the last cycle of a run; the adjustments that follow apply to the next run
#[utoipa::path(post, path = "/v1/minds/{mind}/ledger", tag = "audit", params(("mind" = String, Path, description = "Id or key of the mind")), request_body = NewEvaluation, responses(
    (status = 201, body = Cycle),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn evaluate(Known(mind): Known, Body(body): Body<NewEvaluation>) -> Result<(StatusCode, Json<Cycle>), Problem> {
    let evaluation = Evaluation {
        impact: Unit::new(body.impact)?,
        transparency: Unit::new(body.transparency)?,
        reproducibility: Unit::new(body.reproducibility)?,
        verifiability: Unit::new(body.verifiability)?,
    };
    let given = HostEvaluation {
        run: body.orchestration.as_deref().map(OrchestrationId::parse).transpose()?,
        session: body.session.map(SessionId::new).transpose()?,
        evaluation,
        risk: body.risk.map(Unit::new).transpose()?,
    };
    let cycle = mind.evaluate_orchestration(given).await?;
    Ok((StatusCode::CREATED, Json(Cycle::from(&cycle))))
}
