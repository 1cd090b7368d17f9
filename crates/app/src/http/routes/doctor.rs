//! Looking everything over.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use saegim_core::Phrase;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::access::Access;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Server, spoken};

/// What was found.
#[derive(Serialize, ToSchema)]
pub(crate) struct LookedOver {
    well: bool,
    /// What is damaged, and what to do about it.
    problems: Vec<String>,
    /// What is worth knowing: the file, words, vectors, the embedder, the models that think.
    notes: Vec<String>,
}

/// Look the file, words, vectors, the embedder and the models over; each of them is tried
#[utoipa::path(get, path = "/v1/doctor", tag = "operate", responses(
    (status = 200, body = LookedOver),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn doctor(State(server): State<Arc<Server>>, access: Access) -> Result<Json<LookedOver>, Problem> {
    access.runs_all()?;
    let mut health = server.engine.check().await?;
    let mut tried = vec![server.engine.try_embedder().await];
    tried.extend(server.engine.try_thinker().await);
    for tried in tried {
        match tried {
            Ok(note) => health.notes.push(note),
            Err(problem) => health.problems.push(problem),
        }
    }
    let told = |all: &[Phrase]| all.iter().map(|one| one.in_language(spoken()).to_owned()).collect();
    Ok(Json(LookedOver { well: health.problems.is_empty(), problems: told(&health.problems), notes: told(&health.notes) }))
}
