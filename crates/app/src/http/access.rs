//! Authenticates requests and checks which minds they may access.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use saegim_core::{AccessKey, MindId, MindKey, MindPattern, Principal, may_make_key, phrase};
use saegim_engine::{MindHandle, Request};

use super::Server;
use super::problem::Problem;

/// The authenticated caller: principal and API key.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) principal: Principal,
    /// `None` for the local user, who needs no key.
    key: Option<AccessKey>,
}

impl Access {
    /// Returns the access of the program that opened the database itself: it needs no key.
    pub(crate) const fn local(principal: Principal) -> Self {
        Self { principal, key: None }
    }

    /// Checks whether the caller may access this mind.
    pub(crate) fn covers(&self, key: &MindKey) -> bool {
        self.key.as_ref().is_none_or(|access| access.covers(key))
    }

    /// Returns a name for rate limits and logs that does not reveal the key.
    pub(crate) fn name(&self) -> &str {
        self.key.as_ref().map_or("local", |key| &key.id)
    }

    /// Refuses callers other than an owner or an admin.
    pub(crate) fn operates(&self) -> Result<(), Problem> {
        match self.principal {
            Principal::Owner | Principal::Admin => Ok(()),
            _ => Err(Problem::forbidden(phrase!("http.access.owner_or_operator_only"))),
        }
    }

    /// Refuses callers who do not manage the whole server. The owner of some minds must not see data of the shared
    /// file.
    pub(crate) fn runs_all(&self) -> Result<(), Problem> {
        self.operates()?;
        if self.key.as_ref().is_none_or(|key| key.minds.contains(&MindPattern::all())) {
            return Ok(());
        }
        Err(Problem::forbidden(phrase!("http.access.whole_server_key_only")))
    }

    /// Refuses admins: memories are not accessible to them through any interface.
    pub(crate) fn may_talk(&self) -> Result<(), Problem> {
        match self.principal {
            Principal::Owner | Principal::Agent => Ok(()),
            _ => Err(Problem::forbidden(phrase!("http.access.operator_has_no_minds"))),
        }
    }

    /// Checks whether the caller may list and revoke this key: all its minds must be covered by the caller's own key.
    /// An admin for all minds may therefore revoke any key, for example a leaked one.
    pub(crate) fn minds_key(&self, key: &AccessKey) -> bool {
        key.minds.iter().all(|pattern| self.holds(pattern))
    }

    /// Checks whether the caller's key covers every mind of this pattern.
    fn holds(&self, pattern: &MindPattern) -> bool {
        self.key.as_ref().is_none_or(|own| own.minds.iter().any(|known| known.holds(pattern)))
    }

    /// Refuses to create a key with more access than the caller has. Only an owner may create keys that open a mind.
    pub(crate) fn may_give(&self, principal: Principal, minds: &[MindPattern]) -> Result<(), Problem> {
        if principal == Principal::Worker {
            return Err(Problem::forbidden(phrase!("http.access.worker_uses_no_keys")).with_hint(phrase!("http.access.use_principal")));
        }
        if !may_make_key(self.principal, principal) {
            return Err(Problem::forbidden(phrase!("http.access.operator_creates_operator_keys"))
                .with_hint(phrase!("http.access.owner_creates_mind_keys")));
        }
        let whole = [MindPattern::all()];
        let wanted = if minds.is_empty() { &whole } else { minds };
        if !wanted.iter().all(|pattern| self.holds(pattern)) {
            return Err(Problem::forbidden(phrase!("http.access.key_grants_too_much")).with_hint(phrase!("http.access.list_own_minds")));
        }
        Ok(())
    }

    /// Checks whether the access is still valid: the key was not revoked, or the server still needs no key.
    pub(crate) async fn still_holds(&self, server: &Server) -> bool {
        match &self.key {
            Some(key) => server.engine.still_opens(key).await.unwrap_or(false),
            None => server.is_open().await.unwrap_or(false),
        }
    }

    /// Returns the mind with this key and creates it if it does not exist. An admin never creates a mind.
    pub(crate) async fn mind(&self, server: &Server, key: MindKey) -> Result<MindHandle, Problem> {
        self.may_touch(&key)?;
        if self.principal == Principal::Admin {
            return self.known_mind(server, &key).await;
        }
        Ok(logged(server.engine.mind(key).await?).acting_as(self.principal))
    }

    /// Returns the mind with this key for reading. Never creates it; a mind that does not exist is returned as an empty
    /// read-only handle.
    pub(crate) async fn mind_to_read(&self, server: &Server, key: MindKey) -> Result<MindHandle, Problem> {
        self.may_touch(&key)?;
        if self.principal == Principal::Admin {
            return self.known_mind(server, &key).await;
        }
        Ok(logged(server.engine.mind_to_read(key).await?).acting_as(self.principal))
    }

    /// Returns the mind with this key, or `None` if it does not exist.
    pub(crate) async fn begun_mind(&self, server: &Server, key: &MindKey) -> Result<Option<MindHandle>, Problem> {
        self.may_touch(key)?;
        Ok(server.engine.existing_mind(key).await?.map(|mind| logged(mind).acting_as(self.principal)))
    }

    /// Returns the mind with this key, or a 404 problem if it does not exist.
    pub(crate) async fn known_mind(&self, server: &Server, key: &MindKey) -> Result<MindHandle, Problem> {
        let found = self.begun_mind(server, key).await?;
        found.ok_or_else(|| {
            Problem::not_found(phrase!("http.access.mind_not_found", key)).with_hint(phrase!("http.access.list_or_create_mind"))
        })
    }

    /// Refuses a key that does not cover this mind.
    pub(crate) fn may_touch(&self, key: &MindKey) -> Result<(), Problem> {
        if self.covers(key) {
            return Ok(());
        }
        Err(Problem::forbidden(phrase!("http.access.no_access", key)).with_hint(phrase!("http.access.ask_for_key")))
    }
}

/// Adds the mind to the log lines of the current request, as a hash of its id.
fn logged(mind: MindHandle) -> MindHandle {
    tracing::Span::current().record("mind", mind.log_id());
    mind
}

/// Returns the key of a request: `Authorization: Bearer KEY`, `Authorization: Token KEY` or `X-API-Key: KEY`.
fn written(headers: &HeaderMap) -> Option<&str> {
    let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    // The scheme is case-insensitive.
    let bearer = authorization
        .and_then(|value| value.trim_start().split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("token"))
        .map(|(_, key)| key);
    bearer.or_else(|| headers.get("x-api-key").and_then(|value| value.to_str().ok())).map(str::trim).filter(|key| !key.is_empty())
}

/// Checks whether a request has a key, valid or not.
pub(super) fn has_key(headers: &HeaderMap) -> bool {
    written(headers).is_some()
}

impl Server {
    /// Authenticates a request by its headers.
    pub(crate) async fn access(&self, headers: &HeaderMap) -> Result<Access, Problem> {
        let given = written(headers);
        if let Some(key) = match given {
            Some(written) => self.engine.key_of(written).await?,
            None => None,
        } {
            return Ok(Access { principal: key.principal, key: Some(key) });
        }
        // On loopback without any key, the local user is the owner. An unknown key is ignored, because some clients
        // always send one.
        if self.is_open().await? {
            return Ok(Access { principal: Principal::Owner, key: None });
        }
        let what = match given {
            Some(_) => phrase!("http.access.key_not_valid"),
            None => phrase!("http.access.key_required"),
        };
        Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", what).with_hint(phrase!("http.access.send_key")))
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

/// Extractor: the existing mind named in the path, acting as the caller.
pub(crate) struct Known(pub(crate) MindHandle);

/// Extractor: the mind key named in the path, and the caller. The mind is created only after the request was validated,
/// so that an invalid request creates nothing.
pub(crate) struct Named {
    access: Access,
    key: MindKey,
    request: Option<Request>,
}

impl Named {
    /// Returns the mind and creates it if it does not exist.
    pub(crate) async fn begun(self, server: &Server) -> Result<MindHandle, Problem> {
        let mind = self.access.mind(server, self.key).await?;
        Ok(once(self.request.as_ref(), mind))
    }

    /// Returns the mind for reading, or for changing what it contains. Never creates it.
    pub(crate) async fn looked_at(self, server: &Server) -> Result<MindHandle, Problem> {
        let mind = self.access.mind_to_read(server, self.key).await?;
        Ok(once(self.request.as_ref(), mind))
    }
}

#[derive(serde::Deserialize)]
struct MindPath {
    mind: String,
}

/// Resolves the mind of a path: its id, or its key as `user/character[/work]`, percent-encoded.
async fn named(parts: &mut Parts, server: &Arc<Server>, access: &Access) -> Result<MindKey, Problem> {
    let Path(MindPath { mind }) = Path::<MindPath>::from_request_parts(parts, server).await?;
    if let Ok(id) = MindId::parse(&mind) {
        // A mind the caller may not access is reported as not found.
        let found = server.engine.key_of_mind(id).await?.filter(|key| access.covers(key));
        return found
            .ok_or_else(|| Problem::not_found(phrase!("http.access.mind_id_not_found", id)).with_hint(phrase!("http.access.list_minds")));
    }
    Ok(MindKey::parse(&mind)?)
}

/// Attaches the idempotent request to the mind, so that its commits are recorded under the request's key.
fn once(request: Option<&Request>, mind: MindHandle) -> MindHandle {
    match request {
        Some(request) => mind.under_request(request),
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
