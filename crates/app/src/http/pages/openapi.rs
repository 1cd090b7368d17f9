//! The OpenAPI document, and a page that displays it without external resources.

use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use utoipa::OpenApi;
use utoipa::openapi::path::{Operation, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Info, OpenApi as Document, RefOr, Required, Schema};

use crate::shapes::ID;

/// Base of the OpenAPI document. [`finished`] replaces its title and description.
#[derive(OpenApi)]
#[openapi(components(schemas(crate::http::problem::ProblemDocument)))]
pub(crate) struct Beginning;

/// Completes the document with the parts that apply to all routes.
pub(crate) fn finished(mut document: Document) -> Document {
    document.info = Info::builder()
        .title("saegim")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Memory engine for AI characters and agents. A mind is one character's memory of one user in one work; \
             `{mind}` is its id or its key `user/character[/work]`, percent-encoded. Errors are RFC 9457 problem documents. \
             Writes accept an `Idempotency-Key`. Lists are paged with a cursor.",
        ))
        .build();
    let components = document.components.get_or_insert_with(Default::default);
    components.security_schemes.insert(
        "bearer".into(),
        SecurityScheme::Http(
            HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("API key created with `saegim keys new`")).build(),
        )
        .into(),
    );
    components.security_schemes.insert("x_api_key".into(), SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new("X-API-Key"))).into());
    for item in document.paths.paths.values_mut() {
        for operation in [&mut item.put, &mut item.post, &mut item.delete, &mut item.patch].into_iter().flatten() {
            take_a_key(operation);
        }
    }
    for (path, item) in &mut document.paths.paths {
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
        for parameter in operations.into_iter().flatten().flat_map(|operation| operation.parameters.iter_mut().flatten()) {
            let RefOr::T(parameter) = parameter else { continue };
            let shape = match (parameter.name.as_str(), &parameter.parameter_in) {
                ("mind", ParameterIn::Path) => minds(),
                // A memory may be named by some digits of its id; a key is named by its public id.
                ("id", ParameterIn::Path) if path.contains("/memories/") => "^[0-9a-f-]{4,36}$".to_owned(),
                ("id", ParameterIn::Path) if !path.contains("/keys/") => format!("^{ID}$"),
                _ => continue,
            };
            let schema = ObjectBuilder::new().schema_type(Type::String).pattern(Some(shape)).build();
            parameter.schema = Some(RefOr::T(Schema::from(schema)));
        }
    }
    // Unknown fields of a proposal are refused, but the macro does not set this for the variants of the enum.
    if let Some(RefOr::T(Schema::OneOf(wishes))) = document.components.iter_mut().find_map(|components| components.schemas.get_mut("Wish"))
    {
        for wish in &mut wishes.items {
            if let RefOr::T(Schema::Object(wish)) = wish {
                wish.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
            }
        }
    }
    document
}

/// Adds the `Idempotency-Key` header to a write operation.
fn take_a_key(operation: &mut Operation) {
    const NAME: &str = "Idempotency-Key";
    let parameters = operation.parameters.get_or_insert_default();
    if parameters.iter().any(|parameter| matches!(parameter, RefOr::T(parameter) if parameter.name == NAME)) {
        return;
    }
    let schema = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(200)).pattern(Some("^[!-~]+$")).build();
    let parameter = ParameterBuilder::new()
        .name(NAME)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("Idempotency key: a repeated request with the same key returns the first response"))
        .schema(Some(Schema::from(schema)))
        .build();
    parameters.push(RefOr::T(parameter));
}

/// Returns the pattern of the `mind` path parameter.
fn minds() -> String {
    let (inner, outer) = (r"[^/%\u0000-\u001f\u007f-\u009f]", r"[^\s/%\u0000-\u001f\u007f-\u009f]");
    let name = format!("{outer}({inner}{{0,198}}{outer})?");
    format!("^({ID}|{name}/{name}(/{name})?)$")
}

/// Returns the HTML of the page.
pub(crate) async fn page() -> Response {
    let mut response = Html(include_str!("reference.html")).into_response();
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'";
    response.headers_mut().insert("content-security-policy", HeaderValue::from_static(policy));
    response
}

/// Returns the script of the page.
pub(crate) async fn script() -> Response {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("reference.js")).into_response()
}

/// Returns the style sheet of the page.
pub(crate) async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("reference.css")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Run `BLESS=1 cargo test -p saegim contract` to update the file.
    #[test]
    fn the_contract_in_the_documents_is_the_one_that_is_served() {
        let served = serde_json::to_string_pretty(&finished(crate::http::routes::documented().1)).unwrap() + "\n";
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(file, &served).unwrap();
        }
        let written = std::fs::read_to_string(file).unwrap();
        assert!(written == served, "the contract changed; BLESS=1 writes it anew");
    }
}
