//! Compatible APIs: existing clients of other products work with saegim by changing the address.

/// Anthropic's memory tool.
mod anthropic;
/// Texts stored under client-chosen names.
mod documents;
/// LangGraph's store.
mod langgraph;
/// Filters over JSON values.
mod matching;
/// mem0, self-hosted and platform.
mod mem0;
/// The mind selected by request headers.
pub(super) mod named;
/// OpenAI's chat completions.
mod openai;

use std::sync::Arc;

use axum::Router;

use super::Server;

pub(crate) use documents::Writers;

/// Returns the routes of all compatible APIs.
pub(crate) fn router() -> Router<Arc<Server>> {
    openai::router().merge(mem0::router()).merge(langgraph::router()).merge(anthropic::router())
}
