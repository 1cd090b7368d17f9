//! Who asks, and which minds they may touch.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use saegim_core::{AccessKey, MindId, MindKey, MindPattern, Principal, may_make_key, phrase};
use saegim_engine::{MindHandle, Request};

use super::Server;
use super::problem::Problem;

/// Whoever asks: their principal, and the key they came with.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) principal: Principal,
    /// None for the local user, who needs none.
    key: Option<AccessKey>,
}

impl Access {
    /// Whether they may touch this mind at all.
    pub(crate) fn covers(&self, key: &MindKey) -> bool {
        self.key.as_ref().is_none_or(|access| access.covers(key))
    }

    /// A name for limits and logs that gives nothing away.
    pub(crate) fn name(&self) -> &str {
        self.key.as_ref().map_or("local", |key| &key.id)
    }

    /// Refuses whoever does not operate the server.
    pub(crate) fn operates(&self) -> Result<(), Problem> {
        match self.principal {
            Principal::Owner | Principal::Admin => Ok(()),
            _ => Err(Problem::forbidden(phrase!("only the owner or the operator may do this", "소유자나 운영자만 할 수 있어요"))),
        }
    }

    /// Refuses whoever does not run the whole server: an owner of some minds learns nothing of the file they share.
    pub(crate) fn runs_all(&self) -> Result<(), Problem> {
        self.operates()?;
        if self.key.as_ref().is_none_or(|key| key.minds.contains(&MindPattern::all())) {
            return Ok(());
        }
        Err(Problem::forbidden(phrase!("only a key for the whole server may do this", "서버 전체 권한이 있는 API 키로만 할 수 있어요")))
    }

    /// Refuses whoever only operates the server: what is remembered is none of their business, through whichever door.
    pub(crate) fn may_talk(&self) -> Result<(), Problem> {
        match self.principal {
            Principal::Owner | Principal::Agent => Ok(()),
            _ => Err(Problem::forbidden(phrase!("an operator's key has no access to minds", "운영자 API 키로는 마음에 접근할 수 없어요"))),
        }
    }

    /// Whether this key may be seen and ended: it opens nothing beyond what one opens oneself. An operator who runs the whole
    /// server ends any, so that one that leaked can be ended by whoever is there.
    pub(crate) fn minds_key(&self, key: &AccessKey) -> bool {
        key.minds.iter().all(|pattern| self.holds(pattern))
    }

    /// Whether every mind of this pattern can be opened.
    fn holds(&self, pattern: &MindPattern) -> bool {
        self.key.as_ref().is_none_or(|own| own.minds.iter().any(|known| known.holds(pattern)))
    }

    /// Refuses to give away more than one has: what opens a mind comes from its owner, and nobody opens what they cannot open.
    pub(crate) fn may_give(&self, principal: Principal, minds: &[MindPattern]) -> Result<(), Problem> {
        if principal == Principal::Worker {
            return Err(Problem::forbidden(phrase!(
                "principal: the background worker does not use keys",
                "principal: 백그라운드 워커에는 API 키를 만들 수 없어요"
            ))
            .with_hint(phrase!("use owner, agent or admin", "owner, agent, admin 중 하나를 입력해 주세요")));
        }
        if !may_make_key(self.principal, principal) {
            return Err(Problem::forbidden(phrase!(
                "an operator may create only operator keys",
                "운영자는 운영자 API 키만 만들 수 있어요"
            ))
            .with_hint(phrase!(
                "only the owner may create keys with access to minds",
                "마음에 접근하는 API 키는 소유자만 만들 수 있어요"
            )));
        }
        let whole = [MindPattern::all()];
        let wanted = if minds.is_empty() { &whole } else { minds };
        if !wanted.iter().all(|pattern| self.holds(pattern)) {
            return Err(Problem::forbidden(phrase!(
                "a key cannot grant more access than it has",
                "이 API 키보다 넓은 권한을 줄 수 없어요"
            ))
            .with_hint(phrase!(
                "list only minds that this key has access to in `minds`",
                "`minds`에는 이 API 키로 접근할 수 있는 마음만 입력해 주세요"
            )));
        }
        Ok(())
    }

    /// Whether whoever came in may still be here: their key was not ended since, and where none was needed none is now.
    pub(crate) async fn still_holds(&self, server: &Server) -> bool {
        match &self.key {
            Some(key) => server.engine.still_opens(key).await.unwrap_or(false),
            None => server.is_open().await.unwrap_or(false),
        }
    }

    /// The mind of this key for whoever asks; it begins if it has not and they may begin it.
    pub(crate) async fn mind(&self, server: &Server, key: MindKey) -> Result<MindHandle, Problem> {
        self.may_touch(&key)?;
        if self.principal == Principal::Admin {
            return self.known_mind(server, &key).await;
        }
        Ok(server.engine.mind(key).await?.acting_as(self.principal))
    }

    /// The mind of this key to look at: one that has not begun stays so, and holds nothing.
    pub(crate) async fn mind_to_read(&self, server: &Server, key: MindKey) -> Result<MindHandle, Problem> {
        self.may_touch(&key)?;
        if self.principal == Principal::Admin {
            return self.known_mind(server, &key).await;
        }
        Ok(server.engine.mind_to_read(key).await?.acting_as(self.principal))
    }

    /// The mind of this key, if it has begun; nothing where it has not.
    pub(crate) async fn begun_mind(&self, server: &Server, key: &MindKey) -> Result<Option<MindHandle>, Problem> {
        self.may_touch(key)?;
        Ok(server.engine.existing_mind(key).await?.map(|mind| mind.acting_as(self.principal)))
    }

    /// The mind of this key, which has to have begun.
    pub(crate) async fn known_mind(&self, server: &Server, key: &MindKey) -> Result<MindHandle, Problem> {
        let found = self.begun_mind(server, key).await?;
        found.ok_or_else(|| {
            Problem::not_found(phrase!("mind {key} does not exist", "{key} 마음이 없어요")).with_hint(phrase!(
                "list existing minds with GET /v1/minds, or create one with POST /v1/minds",
                "GET /v1/minds 로 목록을 확인하거나 POST /v1/minds 로 만들어 주세요"
            ))
        })
    }

    /// Refuses whoever came with a key that does not open this mind.
    pub(crate) fn may_touch(&self, key: &MindKey) -> Result<(), Problem> {
        if self.covers(key) {
            return Ok(());
        }
        Err(Problem::forbidden(phrase!("this key has no access to mind {key}", "이 API 키에는 {key}에 접근할 권한이 없어요")).with_hint(
            phrase!(
                "ask the owner for a key that includes it; GET /v1/minds lists the minds this key has access to",
                "소유자에게 권한을 요청해 주세요. 접근할 수 있는 마음은 GET /v1/minds 로 볼 수 있어요"
            ),
        ))
    }
}

/// The key of a request: `Authorization: Bearer KEY`, `Authorization: Token KEY` or `X-API-Key: KEY`.
fn written(headers: &HeaderMap) -> Option<&str> {
    let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    // The scheme is written in any case.
    let bearer = authorization
        .and_then(|value| value.trim_start().split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("token"))
        .map(|(_, key)| key);
    bearer.or_else(|| headers.get("x-api-key").and_then(|value| value.to_str().ok())).map(str::trim).filter(|key| !key.is_empty())
}

/// Whether a request came with a key, of whatever worth.
pub(super) fn has_key(headers: &HeaderMap) -> bool {
    written(headers).is_some()
}

impl Server {
    /// Whoever sent these headers.
    pub(crate) async fn access(&self, headers: &HeaderMap) -> Result<Access, Problem> {
        let given = written(headers);
        if let Some(key) = match given {
            Some(written) => self.engine.key_of(written).await?,
            None => None,
        } {
            return Ok(Access { principal: key.principal, key: Some(key) });
        }
        // On loopback with no key made the local user is the owner, whatever a client sends along out of habit.
        if self.is_open().await? {
            return Ok(Access { principal: Principal::Owner, key: None });
        }
        let what = match given {
            Some(_) => phrase!("this API key is not valid", "유효하지 않은 API 키예요"),
            None => phrase!("an API key is required", "API 키가 필요해요"),
        };
        Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", what).with_hint(phrase!(
            "send `Authorization: Bearer KEY`; create a key with `saegim keys new`",
            "`Authorization: Bearer API키` 헤더를 보내 주세요. API 키는 `saegim keys new`로 만들 수 있어요"
        )))
    }
}

impl FromRequestParts<Arc<Server>> for Access {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, server: &Arc<Server>) -> Result<Self, Problem> {
        match parts.extensions.get::<Self>() {
            Some(known) => Ok(known.clone()),
            None => server.access(&parts.headers).await,
        }
    }
}

/// The mind a path names, for whoever asks, if it has begun.
pub(crate) struct Known(pub(crate) MindHandle);

/// The mind a path names, and whoever asks. It begins once what they ask for was looked over: what is refused begins nothing.
pub(crate) struct Named {
    access: Access,
    key: MindKey,
    request: Option<Request>,
}

impl Named {
    /// The mind; one that has not begun begins.
    pub(crate) async fn begun(self, server: &Server) -> Result<MindHandle, Problem> {
        let mind = self.access.mind(server, self.key).await?;
        Ok(once(self.request.as_ref(), mind))
    }

    /// The mind to look at, or to change what is in it; one that has not begun stays so.
    pub(crate) async fn looked_at(self, server: &Server) -> Result<MindHandle, Problem> {
        let mind = self.access.mind_to_read(server, self.key).await?;
        Ok(once(self.request.as_ref(), mind))
    }
}

#[derive(serde::Deserialize)]
struct MindPath {
    mind: String,
}

/// Which mind a path means: its id, or its key as `user/character[/work]`, percent-encoded.
async fn named(parts: &mut Parts, server: &Arc<Server>, access: &Access) -> Result<MindKey, Problem> {
    let Path(MindPath { mind }) = Path::<MindPath>::from_request_parts(parts, server).await?;
    if let Ok(id) = MindId::parse(&mind) {
        // One that is somebody else's is not there.
        let found = server.engine.key_of_mind(id).await?.filter(|key| access.covers(key));
        return found.ok_or_else(|| {
            Problem::not_found(phrase!("mind {id} does not exist", "{id} 마음이 없어요"))
                .with_hint(phrase!("list existing minds with GET /v1/minds", "GET /v1/minds 로 목록을 확인해 주세요"))
        });
    }
    Ok(MindKey::parse(&mind)?)
}

/// A mind in the hands of a request: where that is to be answered once, what it writes is known to be its work.
fn once(request: Option<&Request>, mind: MindHandle) -> MindHandle {
    match request {
        Some(request) => mind.asked_by(request),
        None => mind,
    }
}

impl FromRequestParts<Arc<Server>> for Known {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, server: &Arc<Server>) -> Result<Self, Problem> {
        let access = Access::from_request_parts(parts, server).await?;
        let key = named(parts, server, &access).await?;
        Ok(Self(once(parts.extensions.get(), access.known_mind(server, &key).await?)))
    }
}

impl FromRequestParts<Arc<Server>> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, server: &Arc<Server>) -> Result<Self, Problem> {
        let access = Access::from_request_parts(parts, server).await?;
        let key = named(parts, server, &access).await?;
        access.may_touch(&key)?;
        Ok(Self { access, key, request: parts.extensions.get::<Request>().cloned() })
    }
}
