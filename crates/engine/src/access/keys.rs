//! API keys for external clients.

use saegim_core::{AccessKey, Deed, MindPattern, Principal, may_make_key, phrase};

use crate::{Engine, EngineError};

impl Engine {
    /// Returns all keys, including revoked ones, newest first.
    pub async fn keys(&self) -> Result<Vec<AccessKey>, EngineError> {
        self.may(Deed::Operate)?;
        Ok(self.inner.store.keys().await?)
    }

    /// Creates a key. Returns its written form, which is not stored and cannot be shown again.
    pub async fn make_key(&self, principal: Principal, minds: Vec<MindPattern>) -> Result<(AccessKey, String), EngineError> {
        self.may(Deed::Operate)?;
        if principal == Principal::Worker {
            return Err(EngineError::Forbidden(phrase!("engine.keys.worker_uses_no_keys")));
        }
        if !may_make_key(self.principal(), principal) {
            // An operator may create keys but must not gain access to minds by doing so; only the owner can grant that.
            self.may(Deed::Grant)?;
        }
        let minds = if minds.is_empty() { vec![MindPattern::all()] } else { minds };
        let mut chance = [0; 40];
        for piece in chance.chunks_mut(10) {
            piece.copy_from_slice(&self.inner.config.dice.chance());
        }
        let (key, written) = AccessKey::new(principal, minds, self.now(), chance);
        self.inner.store.put_key(key.clone()).await?;
        Ok((key, written))
    }

    /// Revokes a key immediately. A key that is already revoked keeps its revocation time.
    pub async fn revoke_key(&self, id: &str) -> Result<AccessKey, EngineError> {
        self.may(Deed::Operate)?;
        let id = AccessKey::parts(id).map_or(id, |(id, _)| id);
        let found = self.inner.store.key(id).await?;
        let mut key = found.ok_or_else(|| EngineError::NotFound(phrase!("engine.keys.not_found", id)))?;
        key.revoked_at.get_or_insert(self.now());
        self.inner.store.put_key(key.clone()).await?;
        Ok(key)
    }

    /// Checks whether a stored key is unchanged: not revoked, with the same principal and minds.
    pub async fn still_opens(&self, key: &AccessKey) -> Result<bool, EngineError> {
        Ok(self.inner.store.key(&key.id).await?.is_some_and(|now| now == *key))
    }

    /// Returns the key for its written form, if the secret matches and the key is valid.
    pub async fn key_of(&self, written: &str) -> Result<Option<AccessKey>, EngineError> {
        let Some((id, secret)) = AccessKey::parts(written) else { return Ok(None) };
        Ok(self.inner.store.key(id).await?.filter(|key| key.opens(secret)))
    }
}
