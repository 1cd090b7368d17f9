//! Doors for clients people already have: they keep speaking as they did, and find saegim behind.

/// Anthropic's memory tool.
mod anthropic;
/// Texts under names of their own.
mod documents;
/// LangGraph's store.
mod langgraph;
/// What a filter over values means.
mod matching;
/// mem0, self-hosted and platform.
mod mem0;
/// Whom a request's headers name.
pub(super) mod named;
/// OpenAI's chat completions.
mod openai;

use std::sync::Arc;

use axum::Router;

use super::Server;

pub(crate) use documents::Writers;

/// All of them.
pub(crate) fn router() -> Router<Arc<Server>> {
    openai::router().merge(mem0::router()).merge(langgraph::router()).merge(anthropic::router())
}
