//! Answers requests of the HTTP API without a network, for a program that uses the database in its own process.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Method, Request, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use saegim_core::{Language, Principal, phrase};
use saegim_engine::Engine;
use tokio::sync::watch;
use tower::ServiceExt;
use tower_http::catch_panic::CatchPanicLayer;

use super::access::Access;
use super::problem::{Problem, SPOKEN};
use super::routes::{Stopping, documented};
use super::{Server, Serving, idempotency};
use crate::error::AppError;
use crate::local::{LocalAnswer, LocalRequest};
use crate::settings::Thinking;

/// The routes of the API, without the checks that only a network needs: host, origin, rate and key.
pub(crate) struct InProcess {
    router: Router,
    access: Access,
    language: Language,
    /// Keeps event streams open; dropped with the database.
    _stop: watch::Sender<bool>,
}

impl InProcess {
    pub(crate) fn new(engine: Engine, thinking: Thinking, (principal, language): (Principal, Language)) -> Self {
        let serving = Serving {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            hosts: Vec::new(),
            origins: Vec::new(),
            rate: f64::INFINITY,
            soul: None,
            thinking,
        };
        let server = Arc::new(Server::new(engine, serving));
        let (stop, stopping) = watch::channel(false);
        let (routes, _) = documented();
        let router = routes
            .route_layer(from_fn_with_state(Arc::clone(&server), idempotency::once))
            .fallback(|| async { Problem::not_found(phrase!("http.routes.not_found")) })
            .layer(axum::Extension(Stopping(stopping)))
            .layer(CatchPanicLayer::custom(|_| Problem::broken().into_response()))
            .with_state(server);
        Self { router, access: Access::local(principal), language, _stop: stop }
    }

    /// Answers one request.
    pub(crate) async fn answer(&self, request: LocalRequest) -> LocalAnswer {
        let answering = async {
            match self.request(request) {
                Ok(request) => self.router.clone().oneshot(request).await.unwrap_or_else(|never| match never {}),
                Err(problem) => problem.into_response(),
            }
        };
        collected(SPOKEN.scope(self.language, answering).await).await
    }

    fn request(&self, local: LocalRequest) -> Result<Request<Body>, Problem> {
        let malformed = |error: &dyn std::fmt::Display| Problem::bad(phrase!("http.problem.path_not_readable", error));
        let method = Method::from_bytes(local.method.as_bytes()).map_err(|error| malformed(&error))?;
        let mut request = Request::builder().method(method).uri(&local.path);
        if !local.body.is_empty() {
            request = request.header(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        if let Some(key) = local.idempotency_key {
            request = request.header("idempotency-key", key);
        }
        let mut request = request.body(Body::from(local.body)).map_err(|error| malformed(&error))?;
        request.extensions_mut().insert(self.access.clone());
        Ok(request)
    }

    /// Returns the answer that describes an error.
    pub(crate) async fn refusal(error: AppError, language: Language) -> LocalAnswer {
        let problem = match error {
            AppError::Engine(error) => Problem::from(error),
            other => Problem::bad(other.phrase()),
        };
        let written = async { problem.into_response() };
        collected(SPOKEN.scope(language, written).await).await
    }
}

/// Reads the body of an answer into memory.
async fn collected(response: Response) -> LocalAnswer {
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), usize::MAX).await.map(|bytes| bytes.to_vec()).unwrap_or_default();
    LocalAnswer { status, body }
}
