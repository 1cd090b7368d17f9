//! Errors as RFC 9457 problem documents.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection, RawPathParamsRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use saegim_core::{Invalid, Language, Phrase, Timestamp, phrase};
use saegim_engine::{Clock, EngineError, StoreError, SystemClock};
use serde::Serialize;
use utoipa::ToSchema;

/// An error response.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    title: &'static str,
    what: Phrase,
    hint: Option<Box<Phrase>>,
    /// Earliest time of a retry, if it is known.
    again_at: Option<Timestamp>,
}

tokio::task_local! {
    /// Language of the current request.
    pub(crate) static SPOKEN: Language;
    /// Path of the list that contains the requested item, if the route has an `{id}`.
    pub(crate) static LISTED: Option<String>;
}

/// Returns the language of the current request; English if it is not set.
pub(crate) fn spoken() -> Language {
    SPOKEN.try_with(|language| *language).unwrap_or(Language::English)
}

/// Problem document (RFC 9457).
#[derive(Serialize, ToSchema)]
pub(crate) struct ProblemDocument {
    /// Identifier of the kind of problem.
    #[serde(rename = "type")]
    kind: String,
    /// Kind of problem in words.
    title: String,
    /// HTTP status.
    status: u16,
    /// What is wrong in this case.
    detail: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, title: &'static str, what: Phrase) -> Self {
        Self { status, title, what, hint: None, again_at: None }
    }

    /// Creates a 400 problem.
    pub(crate) fn bad(what: Phrase) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid", what)
    }

    pub(crate) fn not_found(what: Phrase) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not found", what)
    }

    pub(crate) fn forbidden(what: Phrase) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", what)
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn title(&self) -> &'static str {
        self.title
    }

    /// Returns the message in the request's language.
    pub(crate) fn detail(&self) -> String {
        self.what.in_language(spoken())
    }

    /// Adds a hint on what to do.
    pub(crate) fn with_hint(mut self, hint: Phrase) -> Self {
        self.hint = Some(Box::new(hint));
        self
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        let what = error.phrase();
        match error {
            EngineError::Invalid(_) => Self::bad(what),
            EngineError::NotFound(_) => Self::not_found(what),
            EngineError::Conflict(_) => Self::new(StatusCode::CONFLICT, "conflict", what),
            EngineError::Forbidden(_) => Self::forbidden(what).with_hint(phrase!("http.problem.ask_owner")),
            EngineError::Unsure(_) => Self::new(StatusCode::CONFLICT, "unsure", what).with_hint(phrase!("http.problem.confirm_core")),
            EngineError::Proposed(_) => Self::new(StatusCode::ACCEPTED, "proposed", what).with_hint(phrase!("http.problem.owner_approves")),
            EngineError::Changed(_) => Self::new(StatusCode::PRECONDITION_FAILED, "changed", what),
            EngineError::NotYet(_, again_at) => {
                Self { again_at: Some(again_at), ..Self::new(StatusCode::TOO_MANY_REQUESTS, "not yet", what) }
            }
            EngineError::Busy(_) => Self::busy(what),
            EngineError::Model(_) => Self::new(StatusCode::BAD_GATEWAY, "model", what).with_hint(phrase!("http.problem.check_models")),
            EngineError::Store(StoreError::Full) => Self::new(StatusCode::INSUFFICIENT_STORAGE, "full", what),
            EngineError::Store(StoreError::Busy(_)) => Self::busy(what),
            EngineError::Store(StoreError::Lost(_)) => {
                // The path is for the operator only.
                crate::view::tell(format!("saegim: {error}"));
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "lost", phrase!("http.problem.database_lost"))
                    .with_hint(phrase!("http.problem.restore_and_restart"))
            }
            EngineError::Store(error) => {
                // Internal details are logged and never sent to the client.
                crate::view::tell(format!("saegim: {error}"));
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "store", phrase!("http.problem.database_broken"))
                    .with_hint(phrase!("http.problem.check_database"))
            }
        }
    }
}

impl Problem {
    /// The body was not received in time.
    pub(crate) fn slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "slow", phrase!("http.problem.body_timeout"))
    }

    /// The body is incomplete or does not match its content encoding.
    pub(crate) fn cut_off() -> Self {
        Self::bad(phrase!("http.problem.body_incomplete"))
    }

    pub(crate) fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too large", phrase!("http.problem.body_too_large"))
    }

    /// The request exceeded its time limit.
    pub(crate) fn too_long() -> Self {
        Self::new(StatusCode::GATEWAY_TIMEOUT, "too long", phrase!("http.problem.timeout"))
    }

    pub(crate) fn broken() -> Self {
        let what = phrase!("http.problem.internal");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", what)
    }

    /// Returns the default hint for the status.
    fn usual_hint(&self) -> Option<Phrase> {
        let listed = LISTED.try_with(Clone::clone).ok().flatten();
        Some(match (self.status, listed) {
            (StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY, _) => phrase!("http.problem.correct_field"),
            (StatusCode::FORBIDDEN, _) => {
                phrase!("http.problem.ask_owner")
            }
            (StatusCode::NOT_FOUND, Some(list)) => phrase!("http.problem.list_existing", list),
            (StatusCode::NOT_FOUND, None) => phrase!("http.problem.see_docs"),
            (StatusCode::METHOD_NOT_ALLOWED, _) => {
                phrase!("http.problem.use_allowed_method")
            }
            (StatusCode::REQUEST_TIMEOUT, _) => {
                phrase!("http.problem.send_without_pauses")
            }
            (StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED, _) => {
                phrase!("http.problem.read_and_retry")
            }
            (StatusCode::PAYLOAD_TOO_LARGE, _) => phrase!("http.problem.split_request"),
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, _) => phrase!("http.problem.send_json"),
            (StatusCode::TOO_MANY_REQUESTS, _) => {
                phrase!("http.problem.wait_retry_after")
            }
            (StatusCode::GATEWAY_TIMEOUT, _) => {
                phrase!("http.problem.request_less")
            }
            (StatusCode::INSUFFICIENT_STORAGE, _) => phrase!("http.problem.free_disk_space"),
            (StatusCode::INTERNAL_SERVER_ERROR, _) => {
                phrase!("http.problem.try_again_or_doctor")
            }
            _ => return None,
        })
    }

    /// Returns the value of `Retry-After` in seconds, at least 1.
    fn wait(&self) -> i64 {
        let millis = self.again_at.map_or(0, |at| at.since(SystemClock.now()).as_millis());
        (millis / 1000).max(1)
    }

    pub(crate) fn busy(what: Phrase) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", what).with_hint(phrase!("http.problem.try_again"))
    }
}

impl From<Invalid> for Problem {
    fn from(invalid: Invalid) -> Self {
        Self::bad(invalid.phrase())
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        let what = phrase!("http.problem.body_not_readable", error = rejection.body_text());
        Self::new(rejection.status(), "body", what)
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        let what = phrase!("http.problem.query_not_readable", error = rejection.body_text());
        Self::bad(what)
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Self {
        let what = phrase!("http.problem.path_not_readable", error = rejection.body_text());
        Self::bad(what)
    }
}

impl From<RawPathParamsRejection> for Problem {
    fn from(rejection: RawPathParamsRejection) -> Self {
        let what = phrase!("http.problem.path_not_readable", error = rejection.body_text());
        Self::bad(what)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let words = |phrase: &Phrase| phrase.in_language(spoken());
        let document = ProblemDocument {
            kind: format!("urn:saegim:problem:{}", self.title.replace(' ', "-")),
            title: self.title.to_owned(),
            status: self.status.as_u16(),
            detail: words(&self.what),
            hint: self.hint.as_deref().cloned().or_else(|| self.usual_hint()).as_ref().map(words),
        };
        let mut response = (self.status, Json(document)).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::SERVICE_UNAVAILABLE || self.status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(self.wait()));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
