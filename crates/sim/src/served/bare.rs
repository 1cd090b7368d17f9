//! A minimal server for comparison: one row per turn, committed and synced, and the latest rows to read.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::Outcome;

type Shared = State<Arc<Mutex<Connection>>>;

pub(crate) async fn run(db: &Path) -> Outcome {
    let connection = Connection::open(db)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE turn (id INTEGER PRIMARY KEY, mind TEXT, said TEXT); CREATE INDEX turn_mind ON turn (mind, id);",
    )?;
    let router = Router::new()
        .route("/v1/minds/{mind}/turns", post(keep))
        .route("/v1/minds/{mind}/recall", post(read))
        .with_state(Arc::new(Mutex::new(connection)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("{}", json!({ "listening": listener.local_addr()?.to_string() }));
    Ok(axum::serve(listener, router).await?)
}

async fn keep(State(store): Shared, axum::extract::Path(mind): axum::extract::Path<String>, Json(body): Json<Value>) -> StatusCode {
    let kept = tokio::task::spawn_blocking(move || {
        let store = store.lock().unwrap_or_else(PoisonError::into_inner);
        let said = body["messages"][0]["content"].as_str().unwrap_or_default();
        store.execute("INSERT INTO turn (mind, said) VALUES (?1, ?2)", (&mind, said))
    });
    if matches!(kept.await, Ok(Ok(1))) { StatusCode::CREATED } else { StatusCode::INTERNAL_SERVER_ERROR }
}

async fn read(State(store): Shared, axum::extract::Path(mind): axum::extract::Path<String>) -> Result<Json<Value>, StatusCode> {
    let read = tokio::task::spawn_blocking(move || -> rusqlite::Result<Vec<String>> {
        let store = store.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rows = store.prepare_cached("SELECT said FROM turn WHERE mind = ?1 ORDER BY id DESC LIMIT 5")?;
        rows.query_map([&mind], |row| row.get(0))?.collect()
    });
    match read.await {
        Ok(Ok(said)) => Ok(Json(json!({ "results": said }))),
        _ => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
