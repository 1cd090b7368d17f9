//! People, and the statements about them and the user.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::paging::Paged;
use crate::http::access::Known;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Asked, At};
use crate::shapes::{Person, Statement};

/// People and pets in the user's life.
#[derive(Serialize, ToSchema)]
pub(crate) struct People {
    people: Vec<Person>,
    /// Cursor for the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List the people and pets in the user's life, with what is known about them
#[utoipa::path(get, path = "/v1/minds/{mind}/people", tag = "known", params(("mind" = String, Path, description = "Id or key of the mind"), Paged), responses(
    (status = 200, body = People),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn people(Known(mind): Known, Asked(paged): Asked<Paged>) -> Result<Json<People>, Problem> {
    let (people, next_cursor) = paged.of(mind.people().await?, |person| (0, person.id.clone()))?;
    Ok(Json(People { people: people.iter().map(Person::from).collect(), next_cursor }))
}

#[derive(Deserialize)]
pub(crate) struct OneOf {
    id: String,
}

/// Get what is known about one person
#[utoipa::path(get, path = "/v1/minds/{mind}/people/{id}", tag = "known", params(
    ("mind" = String, Path, description = "Id or key of the mind"),
    ("id" = String, Path, description = "Id, name or relation of the person"),
), responses(
    (status = 200, body = Person),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn person(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<Person>, Problem> {
    Ok(Json(Person::from(&mind.person(&at.id).await?)))
}

/// Confirm a statement, so that it counts
#[utoipa::path(post, path = "/v1/minds/{mind}/statements/{id}/confirm", tag = "known", params(
    ("mind" = String, Path, description = "Id or key of the mind"),
    ("id" = String, Path, description = "Id of the statement"),
), responses(
    (status = 200, body = Statement),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn confirm(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<Statement>, Problem> {
    let id = mind.resolve_statement(&at.id).await?;
    Ok(Json(Statement::from(&mind.confirm_statement(id).await?)))
}

/// Delete a statement; the message it was said in stays
#[utoipa::path(delete, path = "/v1/minds/{mind}/statements/{id}", tag = "known", params(
    ("mind" = String, Path, description = "Id or key of the mind"),
    ("id" = String, Path, description = "Id of the statement"),
), responses(
    (status = 200, body = Statement),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn remove(Known(mind): Known, At(at): At<OneOf>) -> Result<Json<Statement>, Problem> {
    let id = mind.resolve_statement(&at.id).await?;
    Ok(Json(Statement::from(&mind.remove_statement(id).await?)))
}
