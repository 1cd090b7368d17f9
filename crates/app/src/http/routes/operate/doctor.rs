//! Health checks.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use saegim_core::Phrase;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::access::Access;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Server, spoken};

/// Result of the check.
#[derive(Serialize, ToSchema)]
pub(crate) struct LookedOver {
    well: bool,
    /// Problems, each with what to do.
    problems: Vec<String>,
    /// Notes on the file, keyword index, vectors, embedder and models.
    notes: Vec<String>,
}

/// Check the database file, keyword index, vectors, embedder and models
#[utoipa::path(get, path = "/v1/doctor", tag = "operate", responses(
    (status = 200, body = LookedOver),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn doctor(State(server): State<Arc<Server>>, access: Access) -> Result<Json<LookedOver>, Problem> {
    access.runs_all()?;
    let health = server.engine.check().await?;
    let mut tried = vec![server.engine.try_embedder().await];
    tried.extend(server.engine.try_thinker().await);
    let found = health.problems.into_iter().map(Err).chain(health.notes.into_iter().map(Ok));
    Ok(Json(LookedOver::of(found.chain(tried))))
}

impl LookedOver {
    /// Collects notes and problems in the request's language.
    pub(in crate::http::routes) fn of(found: impl IntoIterator<Item = Result<Phrase, Phrase>>) -> Self {
        let told = |one: &Phrase| one.in_language(spoken());
        let (mut notes, mut problems) = (Vec::new(), Vec::new());
        for one in found {
            match &one {
                Ok(note) => notes.push(told(note)),
                Err(problem) => problems.push(told(problem)),
            }
        }
        Self { well: problems.is_empty(), problems, notes }
    }
}
