//! Grants: the owner allows the operator to read, restore, export or erase, for a limited time and a reason, and can revoke it.

use saegim_core::{Change, Deed, Grant, GrantId, GrantScope, Invalid, Op, Span, Thing, phrase};

use crate::EngineError;
use crate::access::Access;
use crate::mind::ambiguous;

/// Maximum duration of a grant.
const LONGEST: Span = Span::days(30);

/// Request for a grant.
#[derive(Clone, Debug, PartialEq)]
pub struct GrantWish {
    /// What it allows.
    pub scope: GrantScope,
    /// Reason, in the owner's words.
    pub reason: String,
    /// Duration, at most thirty days.
    pub lasts: Span,
}

impl Access<'_> {
    pub(crate) async fn grant(&self, wish: GrantWish) -> Result<Grant, EngineError> {
        self.mind.may(Deed::Grant).await?;
        let reason = wish.reason.split_whitespace().collect::<Vec<_>>().join(" ");
        if reason.is_empty() || reason.chars().count() > 300 {
            return Err(Invalid::new("reason", phrase!("engine.grants.reason_length")).into());
        }
        if wish.lasts == Span::ZERO || wish.lasts > LONGEST {
            return Err(Invalid::new("lasts", phrase!("engine.grants.duration_out_of_range")).into());
        }
        let now = self.mind.now();
        let grant = Grant {
            id: GrantId::new(now, self.mind.inner.config.dice.chance()),
            scope: wish.scope,
            reason,
            made_at: now,
            ends_at: now.plus(wish.lasts),
            revoked_at: None,
        };
        let mut commit = self.mind.commit(Op::Grant, &[]).because(wish.scope.as_str()).about(Thing::Grant(grant.id));
        commit.changes.push(Change::GrantSet(Box::new(grant.clone())));
        self.mind.write(commit).await?;
        Ok(grant)
    }

    pub(crate) async fn revoke(&self, id: GrantId) -> Result<Grant, EngineError> {
        self.mind.may(Deed::Grant).await?;
        let grant = self.mind.store().grants(self.mind.id).await?.into_iter().find(|grant| grant.id == id);
        let mut grant = grant.ok_or_else(|| EngineError::NotFound(phrase!("engine.grants.not_found")))?;
        if grant.revoked_at.is_none() {
            grant.revoked_at = Some(self.mind.now());
            let mut commit = self.mind.commit(Op::Revoke, &[]).about(Thing::Grant(id));
            commit.changes.push(Change::GrantSet(Box::new(grant.clone())));
            self.mind.write(commit).await?;
        }
        Ok(grant)
    }

    pub(crate) async fn grants(&self) -> Result<Vec<Grant>, EngineError> {
        self.mind.may(Deed::ReadLedger).await?;
        Ok(self.mind.store().grants(self.mind.id).await?)
    }

    pub(crate) async fn resolve_grant(&self, digits: &str) -> Result<GrantId, EngineError> {
        let ids: Vec<GrantId> = self.mind.store().grants(self.mind.id).await?.into_iter().map(|grant| grant.id).collect();
        meant(&ids, digits, || phrase!("engine.grants.no_match", digits))
    }
}

/// Returns the one id that starts or ends with these digits. At least four digits are required.
pub(crate) fn meant<T: Copy + std::fmt::Display>(
    ids: &[T],
    digits: &str,
    unknown: impl Fn() -> saegim_core::Phrase,
) -> Result<T, EngineError> {
    let wanted: String = digits.trim().to_lowercase().chars().filter(|letter| *letter != '-').collect();
    let fits = |id: &&T| {
        let id = id.to_string().replace('-', "");
        wanted.len() >= 4 && (id.starts_with(&wanted) || id.ends_with(&wanted))
    };
    let found: Vec<T> = ids.iter().filter(fits).copied().collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(EngineError::NotFound(unknown())),
        several => Err(ambiguous(several.len(), &wanted)),
    }
}
