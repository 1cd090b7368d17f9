//! Public methods of [`MindHandle`] that [`Access`] implements.

use saegim_core::{Deed, Grant, GrantId};

use super::Access;
use crate::mind::boxed;
use crate::{EngineError, GrantWish, MindHandle};

impl MindHandle {
    pub(crate) const fn access(&self) -> Access<'_> {
        Access { mind: self }
    }

    /// Creates a grant for the operator.
    pub async fn grant(&self, wish: GrantWish) -> Result<Grant, EngineError> {
        boxed(self.access().grant(wish)).await
    }

    /// Revokes a grant, effective immediately.
    pub async fn revoke(&self, id: GrantId) -> Result<Grant, EngineError> {
        boxed(self.access().revoke(id)).await
    }

    /// Returns all grants, the newest first. Operators may read them too.
    pub async fn grants(&self) -> Result<Vec<Grant>, EngineError> {
        boxed(self.access().grants()).await
    }

    /// Resolves a grant from some digits of its id.
    pub async fn resolve_grant(&self, digits: &str) -> Result<GrantId, EngineError> {
        boxed(self.access().resolve_grant(digits)).await
    }

    /// Public form of `may`, for callers that must check the permission before anything else.
    pub async fn allowed(&self, deed: Deed) -> Result<(), EngineError> {
        boxed(self.access().allowed(deed)).await
    }
}
