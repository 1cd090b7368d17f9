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
        self.what.in_language(spoken()).to_owned()
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
            EngineError::Forbidden(_) => {
                Self::forbidden(what).with_hint(phrase!("the owner can do it, or allow it", "소유자가 직접 하거나 허락해야 합니다"))
            }
            EngineError::Unsure(_) => Self::new(StatusCode::CONFLICT, "unsure", what)
                .with_hint(phrase!("if you mean it, add ?core=true", "정말이라면 ?core=true 를 붙여 주세요")),
            EngineError::Proposed(_) => Self::new(StatusCode::ACCEPTED, "proposed", what)
                .with_hint(phrase!("it is done when the owner approves it", "소유자가 승인하면 이루어집니다")),
            EngineError::Changed(_) => Self::new(StatusCode::PRECONDITION_FAILED, "changed", what),
            EngineError::NotYet(_, again_at) => {
                Self { again_at: Some(again_at), ..Self::new(StatusCode::TOO_MANY_REQUESTS, "not yet", what) }
            }
            EngineError::Busy(_) => Self::busy(what),
            EngineError::Model(_) => Self::new(StatusCode::BAD_GATEWAY, "model", what)
                .with_hint(phrase!("`saegim doctor` tries the models", "`saegim doctor`로 모델을 확인해 보세요")),
            EngineError::Store(StoreError::Full) => Self::new(StatusCode::INSUFFICIENT_STORAGE, "full", what),
            EngineError::Store(StoreError::Busy(_)) => Self::busy(what),
            EngineError::Store(error) => {
                // Internal details are logged and never sent to the client.
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
    /// The body was not received in time.
    pub(crate) fn slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "slow", phrase!("the body did not come in time", "본문이 제때 오지 않았습니다"))
    }

    /// The body is incomplete or does not match its content encoding.
    pub(crate) fn cut_off() -> Self {
        Self::bad(phrase!("the body cannot be read to its end", "본문을 끝까지 읽을 수 없습니다"))
    }

    pub(crate) fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too large", phrase!("a body may be 2 MB large", "본문은 2 MB까지입니다"))
    }

    /// The request exceeded its time limit.
    pub(crate) fn too_long() -> Self {
        Self::new(StatusCode::GATEWAY_TIMEOUT, "too long", phrase!("it took too long", "너무 오래 걸렸습니다"))
    }

    pub(crate) fn broken() -> Self {
        let what = phrase!("something broke inside; nothing of it was kept", "내부에서 문제가 생겼습니다. 남은 것은 없습니다");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", what)
    }

    /// Returns the default hint for the status.
    fn usual_hint(&self) -> Option<Phrase> {
        let listed = LISTED.try_with(Clone::clone).ok().flatten();
        Some(match (self.status, listed) {
            (StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY, _) => phrase!(
                "correct what it names and send it again; /docs shows what this takes",
                "말한 것을 고쳐 다시 보내 주세요. /docs 에서 무엇을 받는지 볼 수 있습니다"
            ),
            (StatusCode::FORBIDDEN, _) => phrase!("the owner can do it, or allow it", "소유자가 직접 하거나 허락해야 합니다"),
            (StatusCode::NOT_FOUND, Some(list)) => phrase!("GET {list} lists what there is", "GET {list} 로 있는 것을 볼 수 있습니다"),
            (StatusCode::NOT_FOUND, None) => phrase!("/docs lists what can be asked", "/docs 에서 무엇을 물을 수 있는지 볼 수 있습니다"),
            (StatusCode::METHOD_NOT_ALLOWED, _) => {
                phrase!(
                    "`Allow` names what can be done here; /docs lists everything",
                    "할 수 있는 일은 `Allow`에, 전부는 /docs 에 있습니다"
                )
            }
            (StatusCode::REQUEST_TIMEOUT, _) => phrase!("send the whole body without a pause", "본문을 쉬지 않고 모두 보내 주세요"),
            (StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED, _) => {
                phrase!("read what is there now and decide anew", "지금 있는 것을 읽고 다시 정해 주세요")
            }
            (StatusCode::PAYLOAD_TOO_LARGE, _) => phrase!("send it in pieces", "나누어 보내 주세요"),
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, _) => phrase!(
                "send JSON as `Content-Type: application/json`, plain or packed as gzip or zstd",
                "`Content-Type: application/json`으로, 그대로 또는 gzip이나 zstd로 묶어 보내 주세요"
            ),
            (StatusCode::TOO_MANY_REQUESTS, _) => phrase!("wait as long as `Retry-After` says", "`Retry-After`만큼 기다려 주세요"),
            (StatusCode::GATEWAY_TIMEOUT, _) => phrase!("ask for less, or again later", "더 적게, 또는 나중에 다시 물어 주세요"),
            (StatusCode::INSUFFICIENT_STORAGE, _) => phrase!("make room on the server's disk", "서버의 디스크를 비워 주세요"),
            (StatusCode::INTERNAL_SERVER_ERROR, _) => {
                phrase!("try again; `saegim doctor` looks the file over", "다시 해 보세요. `saegim doctor`로 파일을 살펴볼 수 있습니다")
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

impl From<RawPathParamsRejection> for Problem {
    fn from(rejection: RawPathParamsRejection) -> Self {
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
