//! What is wrong, as RFC 9457 problem documents.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use saegim_core::{Invalid, Language, Phrase, phrase};
use saegim_engine::{EngineError, StoreError};
use serde::Serialize;
use utoipa::ToSchema;

/// A problem on its way to whoever asked.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    title: &'static str,
    what: Phrase,
    hint: Option<Phrase>,
}

tokio::task_local! {
    /// The language of whoever asked.
    pub(crate) static SPOKEN: Language;
}

/// The language of whoever asked; English where nobody said.
pub(crate) fn spoken() -> Language {
    SPOKEN.try_with(|language| *language).unwrap_or(Language::English)
}

/// The document as it is sent.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProblemDocument {
    /// A name for the kind of problem.
    #[serde(rename = "type")]
    kind: String,
    /// The kind in words.
    title: String,
    /// The HTTP status once more.
    status: u16,
    /// What is wrong this time.
    detail: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, title: &'static str, what: Phrase) -> Self {
        Self { status, title, what, hint: None }
    }

    /// A request that cannot be carried out as it is.
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

    /// What is wrong, in the reader's language.
    pub(crate) fn detail(&self) -> String {
        self.what.in_language(spoken()).to_owned()
    }

    /// The same, saying what to do.
    pub(crate) fn with_hint(mut self, hint: Phrase) -> Self {
        self.hint = Some(hint);
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
            EngineError::Forbidden(_) => {
                Self::forbidden(what).with_hint(phrase!("the owner can do it, or allow it", "소유자가 직접 하거나 허락해야 합니다"))
            }
            EngineError::Unsure(_) => Self::new(StatusCode::CONFLICT, "unsure", what)
                .with_hint(phrase!("if you mean it, add ?core=true", "정말이라면 ?core=true 를 붙여 주세요")),
            EngineError::Proposed(_) => Self::new(StatusCode::ACCEPTED, "proposed", what)
                .with_hint(phrase!("it is done when the owner approves it", "소유자가 승인하면 이루어집니다")),
            EngineError::NotYet(..) => Self::new(StatusCode::TOO_MANY_REQUESTS, "not yet", what),
            EngineError::Busy(_) => Self::busy(what),
            EngineError::Model(_) => Self::new(StatusCode::BAD_GATEWAY, "model", what)
                .with_hint(phrase!("`saegim doctor` tries the models", "`saegim doctor`로 모델을 확인해 보세요")),
            EngineError::Store(StoreError::Full) => Self::new(StatusCode::INSUFFICIENT_STORAGE, "full", what),
            EngineError::Store(StoreError::Busy(_)) => Self::busy(what),
            EngineError::Store(error) => {
                // Insides are for those who run it; whoever asked learns that it is not their fault.
                crate::view::tell(format!("saegim: {error}"));
                Self::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "store",
                    phrase!("the store has a problem of its own", "저장소에 문제가 있습니다"),
                )
                .with_hint(phrase!("`saegim doctor` looks the file over", "`saegim doctor`로 파일을 살펴보세요"))
            }
        }
    }
}

impl Problem {
    pub(crate) fn busy(what: Phrase) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", what).with_hint(phrase!("try again in a moment", "잠시 뒤에 다시 해 보세요"))
    }
}

impl From<Invalid> for Problem {
    fn from(invalid: Invalid) -> Self {
        Self::bad(invalid.phrase())
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        let what = Phrase::new(rejection.body_text(), format!("본문을 읽을 수 없습니다: {}", rejection.body_text()));
        Self::new(rejection.status(), "body", what)
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        let what = Phrase::new(rejection.body_text(), format!("주소의 물음을 읽을 수 없습니다: {}", rejection.body_text()));
        Self::bad(what)
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Self {
        let what = Phrase::new(rejection.body_text(), format!("주소를 읽을 수 없습니다: {}", rejection.body_text()));
        Self::bad(what)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let words = |phrase: &Phrase| phrase.in_language(spoken()).to_owned();
        let document = ProblemDocument {
            kind: format!("urn:saegim:problem:{}", self.title.replace(' ', "-")),
            title: self.title.to_owned(),
            status: self.status.as_u16(),
            detail: words(&self.what),
            hint: self.hint.as_ref().map(words),
        };
        let mut response = (self.status, Json(document)).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::SERVICE_UNAVAILABLE || self.status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
