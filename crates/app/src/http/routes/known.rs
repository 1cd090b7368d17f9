//! Facts, relationship, mood and timeline.

use axum::Json;
use saegim_core::{self as core, Timestamp, phrase};
use saegim_engine::{StatementHistory, TimelineEntry as EngineMoment, TimelineQuery};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::limit;
use super::paging::{Paged, earliest_first, latest_first};
use crate::http::access::Known;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Asked, Body};
use crate::shapes::{Face, Fact, Memory, Mood, Relationship, Statement, Turn};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FactsAsked {
    /// Include ended facts.
    #[serde(default)]
    history: bool,
}

/// Facts about the user.
#[derive(Serialize, ToSchema)]
pub(crate) struct Facts {
    facts: Vec<Fact>,
    /// What the user said in their own words, newest first; only on the first page.
    statements: Vec<Statement>,
    /// Cursor for the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List facts about the user
#[utoipa::path(get, path = "/v1/minds/{mind}/facts", tag = "known", params(("mind" = String, Path, description = "Id or key of the mind"), FactsAsked, Paged), responses(
    (status = 200, body = Facts),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn facts(Known(mind): Known, Asked(asked): Asked<FactsAsked>, Asked(paged): Asked<Paged>) -> Result<Json<Facts>, Problem> {
    let known = mind.facts().await?;
    let wanted = |fact: &&core::Fact| asked.history || fact.is_current();
    let history = if asked.history { StatementHistory::Included } else { StatementHistory::Open };
    let statements = if paged.cursor.is_none() { mind.statements(history).await? } else { Vec::new() };
    let (facts, next_cursor) =
        paged.of(known.all().iter().filter(wanted).collect(), |fact| (earliest_first(fact.valid_from), fact.id.to_string()))?;
    let statements = statements.iter().map(Statement::from).collect();
    Ok(Json(Facts { facts: facts.into_iter().map(Fact::from).collect(), statements, next_cursor }))
}

/// Fact to set.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stated {
    /// Canonical key of the subject, such as `residence`.
    #[schema(min_length = 1, max_length = 100)]
    subject: String,
    #[schema(min_length = 1, max_length = 500)]
    value: String,
}

fn subject(named: &str) -> Result<String, Problem> {
    crate::view::subject_key(named)
        .ok_or_else(|| Problem::not_found(phrase!("http.known.unknown_subject", named)))
        .map_err(|problem| problem.with_hint(phrase!("http.known.list_subjects")))
}

/// Set a fact
#[utoipa::path(put, path = "/v1/minds/{mind}/facts", tag = "known", params(("mind" = String, Path, description = "Id or key of the mind")), request_body = Stated, responses(
    (status = 200, body = Fact),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn state(Known(mind): Known, Body(body): Body<Stated>) -> Result<Json<Fact>, Problem> {
    let subject = subject(&body.subject)?;
    Ok(Json(Fact::from(&mind.state(&subject, &body.value).await?)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Ending {
    /// Canonical key of the subject.
    subject: String,
    /// End only this value.
    value: Option<String>,
}

/// End a fact; it stays in the history
#[utoipa::path(delete, path = "/v1/minds/{mind}/facts", tag = "known", params(("mind" = String, Path, description = "Id or key of the mind"), Ending), responses(
    (status = 200, body = Facts),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn end(Known(mind): Known, Asked(ending): Asked<Ending>) -> Result<Json<Facts>, Problem> {
    let subject = subject(&ending.subject)?;
    let ended = mind.end(&subject, ending.value.as_deref()).await?;
    Ok(Json(Facts { facts: ended.iter().map(Fact::from).collect(), statements: Vec::new(), next_cursor: None }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StandingAsked {
    /// Number of changes to return.
    #[param(minimum = 0, maximum = 10000)]
    limit: Option<usize>,
}

/// Relationship between the character and the user, with its history.
#[derive(Serialize, ToSchema)]
pub(crate) struct Standing {
    #[serde(flatten)]
    relationship: Relationship,
    /// Whether the owner set the speech style.
    style_is_set: bool,
    /// Changes of the axes, newest first.
    #[schema(value_type = Vec<Object>)]
    changes: Vec<core::RelationshipChange>,
    /// Shared experiences, newest first.
    shared: Vec<Memory>,
    /// Emotions of the user's last messages, newest first.
    feelings: Vec<Felt>,
}

/// Emotion of a message.
#[derive(Serialize, ToSchema)]
pub(crate) struct Felt {
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    face: Face,
}

/// Get the relationship between the character and the user, with its history
#[utoipa::path(get, path = "/v1/minds/{mind}/relationship", tag = "known", params(("mind" = String, Path, description = "Id or key of the mind"), StandingAsked), responses(
    (status = 200, body = Standing),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn relationship(Known(mind): Known, Asked(asked): Asked<StandingAsked>) -> Result<Json<Standing>, Problem> {
    let standing = mind.standing(limit(asked.limit, 20, 0..=10_000)?).await?;
    Ok(Json(Standing {
        relationship: Relationship::of(&standing.relationship, standing.speech_style),
        style_is_set: standing.style_is_set,
        changes: standing.changes,
        shared: standing.shared.iter().map(Memory::from).collect(),
        feelings: standing.feelings.iter().map(|(at, face)| Felt { at: *at, face: Face::from(*face) }).collect(),
    }))
}

/// Mood and face of the character.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoodNow {
    #[serde(flatten)]
    mood: Mood,
    face: Face,
}

/// Get the character's current mood
#[utoipa::path(get, path = "/v1/minds/{mind}/mood", tag = "known", params(("mind" = String, Path, description = "Id or key of the mind")), responses(
    (status = 200, body = MoodNow),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn mood(
    Known(mind): Known,
    axum::extract::State(server): axum::extract::State<std::sync::Arc<crate::http::Server>>,
) -> Result<Json<MoodNow>, Problem> {
    let mood = mind.mood().await?;
    let face = Face::from(core::Face::of(mood.emotions(&server.engine.policy().mood)));
    Ok(Json(MoodNow { mood: Mood::from(&mood), face }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TimelineAsked {
    /// Start of the period.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<Timestamp>,
    /// End of the period.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<Timestamp>,
    /// Include messages.
    #[serde(default)]
    turns: bool,
}

/// Event of the timeline.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Moment {
    /// A message was sent.
    Turn {
        #[schema(value_type = String, format = DateTime)]
        at: Timestamp,
        turn: Turn,
    },
    /// A memory was created.
    Memory {
        #[schema(value_type = String, format = DateTime)]
        at: Timestamp,
        memory: Box<Memory>,
    },
    /// A fact became current.
    Fact {
        #[schema(value_type = String, format = DateTime)]
        at: Timestamp,
        fact: Fact,
    },
    /// A fact ended.
    Over {
        #[schema(value_type = String, format = DateTime)]
        at: Timestamp,
        fact: Fact,
    },
    /// A scene started.
    Scene {
        #[schema(value_type = String, format = DateTime)]
        at: Timestamp,
        #[schema(value_type = Object)]
        scene: core::Scene,
    },
}

impl From<EngineMoment> for Moment {
    fn from(moment: EngineMoment) -> Self {
        let at = moment.at();
        match moment {
            EngineMoment::Said(turn) => Self::Turn { at, turn: Turn::from(&*turn) },
            EngineMoment::Remembered(memory) => Self::Memory { at, memory: Box::new(Memory::from(&*memory)) },
            EngineMoment::Learned(fact) => Self::Fact { at, fact: Fact::from(&*fact) },
            EngineMoment::Over(fact) => Self::Over { at, fact: Fact::from(&*fact) },
            EngineMoment::Began(scene) => Self::Scene { at, scene: *scene },
        }
    }
}

/// Events of the timeline.
#[derive(Serialize, ToSchema)]
pub(crate) struct Timeline {
    moments: Vec<Moment>,
    /// Cursor for earlier events; null on the last page.
    next_cursor: Option<String>,
}

/// List events; the first page has the latest events, each page is in order of time
#[utoipa::path(get, path = "/v1/minds/{mind}/timeline", tag = "known", params(("mind" = String, Path, description = "Id or key of the mind"), TimelineAsked, Paged), responses(
    (status = 200, body = Timeline),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn timeline(
    Known(mind): Known,
    Asked(asked): Asked<TimelineAsked>,
    Asked(paged): Asked<Paged>,
) -> Result<Json<Timeline>, Problem> {
    let paged = paged.usually(100);
    // Fetch more than the page, because new moments may have been added since the previous page.
    let limit = paged.reach()? + 200;
    let mut moments = mind.timeline(TimelineQuery { since: asked.since, until: asked.until, limit, turns: asked.turns }).await?;
    moments.reverse();
    let (mut moments, next_cursor) = paged.of(moments, |moment| (latest_first(moment.at()), name_of(moment)))?;
    moments.reverse();
    Ok(Json(Timeline { moments: moments.into_iter().map(Moment::from).collect(), next_cursor }))
}

/// Returns a unique identifier for an event at a point in time.
fn name_of(moment: &EngineMoment) -> String {
    match moment {
        EngineMoment::Said(turn) => turn.id.to_string(),
        EngineMoment::Remembered(memory) => memory.id.to_string(),
        EngineMoment::Learned(fact) => format!("fact-{}", fact.id),
        EngineMoment::Over(fact) => format!("over-{}", fact.id),
        EngineMoment::Began(scene) => scene.id.to_string(),
    }
}
