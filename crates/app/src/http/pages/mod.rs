//! Pages for people: the web page and the API reference.

/// The OpenAPI document and its page.
pub(crate) mod openapi;
/// The web page.
pub(crate) mod page;
