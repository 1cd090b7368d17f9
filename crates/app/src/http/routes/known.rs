//! Facts, the relationship, mood and time.

use axum::Json;
use saegim_core::{self as core, Timestamp, phrase};
use saegim_engine::{Moment as EngineMoment, TimelineQuery};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::limit;
use super::paging::{Paged, earliest_first, latest_first};
use crate::http::access::Known;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Asked, Body};
use crate::shapes::{Face, Fact, Memory, Mood, Relationship, Turn};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FactsAsked {
    /// What no longer holds too.
    #[serde(default)]
    history: bool,
}

/// What is known about the user.
#[derive(Serialize, ToSchema)]
pub(crate) struct Facts {
    facts: Vec<Fact>,
    /// Give it back for the next page; none after the last.
    next_cursor: Option<String>,
}

/// What is known about the user
#[utoipa::path(get, path = "/v1/minds/{mind}/facts", tag = "known", params(("mind" = String, Path, description = "Its id or key"), FactsAsked, Paged), responses(
    (status = 200, body = Facts),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn facts(Known(mind): Known, Asked(asked): Asked<FactsAsked>, Asked(paged): Asked<Paged>) -> Result<Json<Facts>, Problem> {
    let known = mind.facts().await?;
    let wanted = |fact: &&core::Fact| asked.history || fact.is_current();
    let (facts, next_cursor) =
        paged.of(known.all().iter().filter(wanted).collect(), |fact| (earliest_first(fact.valid_from), fact.id.to_string()))?;
    Ok(Json(Facts { facts: facts.into_iter().map(Fact::from).collect(), next_cursor }))
}

/// A fact stated by hand.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stated {
    /// The canonical key, such as `residence`.
    #[schema(min_length = 1, max_length = 100)]
    subject: String,
    #[schema(min_length = 1, max_length = 500)]
    value: String,
}

fn subject(named: &str) -> Result<String, Problem> {
    crate::view::subject_key(named)
        .ok_or_else(|| Problem::not_found(phrase!("\"{named}\" is not a known subject", "\"{named}\"은(는) 없는 항목이에요")))
        .map_err(|problem| {
            problem.with_hint(phrase!(
                "use a `subject` from GET /v1/minds/{{mind}}/facts or from `saegim facts --subjects`",
                "GET /v1/minds/{{mind}}/facts 의 `subject`나 `saegim facts --subjects`에 나온 항목을 써 주세요"
            ))
        })
}

/// State by hand what is so
#[utoipa::path(put, path = "/v1/minds/{mind}/facts", tag = "known", params(("mind" = String, Path, description = "Its id or key")), request_body = Stated, responses(
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
    /// The canonical key.
    subject: String,
    /// Only this value of it.
    value: Option<String>,
}

/// Say by hand that something no longer holds; it stays as history
#[utoipa::path(delete, path = "/v1/minds/{mind}/facts", tag = "known", params(("mind" = String, Path, description = "Its id or key"), Ending), responses(
    (status = 200, body = Facts),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn end(Known(mind): Known, Asked(ending): Asked<Ending>) -> Result<Json<Facts>, Problem> {
    let subject = subject(&ending.subject)?;
    let ended = mind.end(&subject, ending.value.as_deref()).await?;
    Ok(Json(Facts { facts: ended.iter().map(Fact::from).collect(), next_cursor: None }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StandingAsked {
    /// How many changes to show.
    #[param(minimum = 0, maximum = 10000)]
    limit: Option<usize>,
}

/// How character and user stand to each other, and how they came to.
#[derive(Serialize, ToSchema)]
pub(crate) struct Standing {
    #[serde(flatten)]
    relationship: Relationship,
    /// Whether the owner chose how they speak.
    style_is_set: bool,
    /// What moved the axes, newest first.
    #[schema(value_type = Vec<Object>)]
    changes: Vec<core::RelationshipChange>,
    /// What was lived through together, newest first.
    shared: Vec<Memory>,
    /// How the user's last messages felt, newest first.
    feelings: Vec<Felt>,
}

/// How a message felt.
#[derive(Serialize, ToSchema)]
pub(crate) struct Felt {
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    face: Face,
}

/// How character and user stand to each other, and how they came to
#[utoipa::path(get, path = "/v1/minds/{mind}/relationship", tag = "known", params(("mind" = String, Path, description = "Its id or key"), StandingAsked), responses(
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

/// What the character feels, and the face that goes with it.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoodNow {
    #[serde(flatten)]
    mood: Mood,
    face: Face,
}

/// What the character feels now
#[utoipa::path(get, path = "/v1/minds/{mind}/mood", tag = "known", params(("mind" = String, Path, description = "Its id or key")), responses(
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
    /// From when on.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<Timestamp>,
    /// Until when.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<Timestamp>,
    /// What was said too.
    #[serde(default)]
    turns: bool,
}

/// Something on the line of time.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Moment {
    /// Something was said.
    Turn {
        #[schema(value_type = String, format = DateTime)]
        at: Timestamp,
        turn: Turn,
    },
    /// A memory was born.
    Memory {
        #[schema(value_type = String, format = DateTime)]
        at: Timestamp,
        memory: Box<Memory>,
    },
    /// A fact began to hold.
    Fact {
        #[schema(value_type = String, format = DateTime)]
        at: Timestamp,
        fact: Fact,
    },
    /// A fact no longer held.
    Over {
        #[schema(value_type = String, format = DateTime)]
        at: Timestamp,
        fact: Fact,
    },
    /// A scene began.
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

/// What happened when.
#[derive(Serialize, ToSchema)]
pub(crate) struct Timeline {
    moments: Vec<Moment>,
    /// Give it back for what happened before; none before the first.
    next_cursor: Option<String>,
}

/// What happened when, the latest page first and the earliest first in it
#[utoipa::path(get, path = "/v1/minds/{mind}/timeline", tag = "known", params(("mind" = String, Path, description = "Its id or key"), TimelineAsked, Paged), responses(
    (status = 200, body = Timeline),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn timeline(
    Known(mind): Known,
    Asked(asked): Asked<TimelineAsked>,
    Asked(paged): Asked<Paged>,
) -> Result<Json<Timeline>, Problem> {
    let paged = paged.usually(100);
    // A little more than the page, for what happened since the page before.
    let limit = paged.reach()? + 200;
    let mut moments = mind.timeline(TimelineQuery { since: asked.since, until: asked.until, limit, turns: asked.turns }).await?;
    moments.reverse();
    let (mut moments, next_cursor) = paged.of(moments, |moment| (latest_first(moment.at()), name_of(moment)))?;
    moments.reverse();
    Ok(Json(Timeline { moments: moments.into_iter().map(Moment::from).collect(), next_cursor }))
}

/// What tells a moment from every other.
fn name_of(moment: &EngineMoment) -> String {
    match moment {
        EngineMoment::Said(turn) => turn.id.to_string(),
        EngineMoment::Remembered(memory) => memory.id.to_string(),
        EngineMoment::Learned(fact) => format!("fact-{}", fact.id),
        EngineMoment::Over(fact) => format!("over-{}", fact.id),
        EngineMoment::Began(scene) => scene.id.to_string(),
    }
}
