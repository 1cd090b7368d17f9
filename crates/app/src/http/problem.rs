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
            EngineError::Forbidden(_) => Self::forbidden(what).with_hint(phrase!(
                "ask the owner to do it or to grant permission",
                "소유자에게 직접 처리하거나 권한을 달라고 요청해 주세요"
            )),
            EngineError::Unsure(_) => Self::new(StatusCode::CONFLICT, "unsure", what)
                .with_hint(phrase!("add ?core=true to confirm", "계속하려면 ?core=true를 붙여 주세요")),
            EngineError::Proposed(_) => Self::new(StatusCode::ACCEPTED, "proposed", what)
                .with_hint(phrase!("it takes effect when the owner approves it", "소유자가 승인하면 적용돼요")),
            EngineError::Changed(_) => Self::new(StatusCode::PRECONDITION_FAILED, "changed", what),
            EngineError::NotYet(_, again_at) => {
                Self { again_at: Some(again_at), ..Self::new(StatusCode::TOO_MANY_REQUESTS, "not yet", what) }
            }
            EngineError::Busy(_) => Self::busy(what),
            EngineError::Model(_) => Self::new(StatusCode::BAD_GATEWAY, "model", what)
                .with_hint(phrase!("run `saegim doctor` to check the models", "`saegim doctor`로 모델을 점검해 주세요")),
            EngineError::Store(StoreError::Full) => Self::new(StatusCode::INSUFFICIENT_STORAGE, "full", what),
            EngineError::Store(StoreError::Busy(_)) => Self::busy(what),
            EngineError::Store(error) => {
                // Internal details are logged and never sent to the client.
                crate::view::tell(format!("saegim: {error}"));
                Self::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "store",
                    phrase!("the database has a problem", "데이터베이스에 문제가 생겼어요"),
                )
                .with_hint(phrase!("run `saegim doctor` to check the database", "`saegim doctor`로 데이터베이스를 점검해 주세요"))
            }
        }
    }
}

impl Problem {
    /// The body was not received in time.
    pub(crate) fn slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "slow", phrase!("request body not received in time", "요청 본문을 제때 받지 못했어요"))
    }

    /// The body is incomplete or does not match its content encoding.
    pub(crate) fn cut_off() -> Self {
        Self::bad(phrase!("the request body could not be read completely", "요청 본문을 끝까지 읽지 못했어요"))
    }

    pub(crate) fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too large", phrase!("the request body is larger than 2 MB", "요청 본문이 2MB보다 커요"))
    }

    /// The request exceeded its time limit.
    pub(crate) fn too_long() -> Self {
        Self::new(StatusCode::GATEWAY_TIMEOUT, "too long", phrase!("the request timed out", "요청 시간이 초과됐어요"))
    }

    pub(crate) fn broken() -> Self {
        let what = phrase!("internal error; nothing was stored", "내부 오류가 발생했어요. 저장된 내용은 없어요");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", what)
    }

    /// Returns the default hint for the status.
    fn usual_hint(&self) -> Option<Phrase> {
        let listed = LISTED.try_with(Clone::clone).ok().flatten();
        Some(match (self.status, listed) {
            (StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY, _) => phrase!(
                "correct the named field and send the request again; see /docs for its parameters",
                "오류에 나온 항목을 고쳐 다시 보내 주세요. 입력 형식은 /docs 에서 볼 수 있어요"
            ),
            (StatusCode::FORBIDDEN, _) => {
                phrase!("ask the owner to do it or to grant permission", "소유자에게 직접 처리하거나 권한을 달라고 요청해 주세요")
            }
            (StatusCode::NOT_FOUND, Some(list)) => phrase!("list what exists with GET {list}", "GET {list} 로 목록을 확인해 주세요"),
            (StatusCode::NOT_FOUND, None) => phrase!("see /docs for all routes", "전체 경로는 /docs 에서 볼 수 있어요"),
            (StatusCode::METHOD_NOT_ALLOWED, _) => {
                phrase!(
                    "use a method listed in `Allow`; see /docs for all routes",
                    "`Allow` 헤더에 있는 메서드를 써 주세요. 전체 경로는 /docs 에서 볼 수 있어요"
                )
            }
            (StatusCode::REQUEST_TIMEOUT, _) => {
                phrase!("retry and send the whole body without pauses", "본문 전체를 끊김 없이 다시 보내 주세요")
            }
            (StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED, _) => {
                phrase!("read the current state and try again", "현재 상태를 조회한 뒤 다시 시도해 주세요")
            }
            (StatusCode::PAYLOAD_TOO_LARGE, _) => phrase!("split it into smaller requests", "요청을 나누어 보내 주세요"),
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, _) => phrase!(
                "send JSON as `Content-Type: application/json`, plain or compressed with gzip or zstd",
                "`Content-Type: application/json`으로 보내 주세요. gzip이나 zstd로 압축할 수 있어요"
            ),
            (StatusCode::TOO_MANY_REQUESTS, _) => {
                phrase!("wait for the time in `Retry-After` and try again", "`Retry-After`에 적힌 시간만큼 기다린 뒤 다시 시도해 주세요")
            }
            (StatusCode::GATEWAY_TIMEOUT, _) => {
                phrase!("request less data, or try again later", "더 적은 데이터를 요청하거나 나중에 다시 시도해 주세요")
            }
            (StatusCode::INSUFFICIENT_STORAGE, _) => phrase!("free some disk space on the server", "서버의 디스크 공간을 확보해 주세요"),
            (StatusCode::INTERNAL_SERVER_ERROR, _) => {
                phrase!("try again; if it persists, run `saegim doctor`", "다시 시도해 주세요. 계속되면 `saegim doctor`로 점검해 주세요")
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
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", what).with_hint(phrase!("try again in a moment", "잠시 후 다시 시도해 주세요"))
    }
}

impl From<Invalid> for Problem {
    fn from(invalid: Invalid) -> Self {
        Self::bad(invalid.phrase())
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        let what = Phrase::new(rejection.body_text(), format!("요청 본문을 읽을 수 없어요: {}", rejection.body_text()));
        Self::new(rejection.status(), "body", what)
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        let what = Phrase::new(rejection.body_text(), format!("URL의 쿼리를 읽을 수 없어요: {}", rejection.body_text()));
        Self::bad(what)
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Self {
        let what = Phrase::new(rejection.body_text(), format!("URL을 읽을 수 없어요: {}", rejection.body_text()));
        Self::bad(what)
    }
}

impl From<RawPathParamsRejection> for Problem {
    fn from(rejection: RawPathParamsRejection) -> Self {
        let what = Phrase::new(rejection.body_text(), format!("URL을 읽을 수 없어요: {}", rejection.body_text()));
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
