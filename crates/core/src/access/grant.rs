//! An owner's grant: the operator may look, restore, write out or erase, for a time, for a reason, until it is taken back.

use serde::{Deserialize, Serialize};

use crate::{GrantId, GrantScope, Timestamp};

/// What the owner allowed the operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grant {
    /// Its identity.
    pub id: GrantId,
    /// What it allows.
    pub scope: GrantScope,
    /// Why, in the owner's words.
    pub reason: String,
    /// When it was given.
    pub made_at: Timestamp,
    /// When it ends by itself.
    pub ends_at: Timestamp,
    /// When it was taken back, if it was.
    pub revoked_at: Option<Timestamp>,
}

impl Grant {
    /// Whether it allows `scope` at `now`. A clock set back before it was given gives nothing.
    pub fn allows(&self, scope: GrantScope, now: Timestamp) -> bool {
        self.scope == scope && self.revoked_at.is_none() && now >= self.made_at && now < self.ends_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    #[test]
    fn a_grant_allows_one_thing_for_its_time_and_until_it_is_taken_back() {
        let at = Timestamp::from_millis(1_000_000);
        let ends_at = at.plus(Span::hours(1));
        let grant =
            Grant { id: GrantId::new(at, [1; 10]), scope: GrantScope::Read, reason: "help".into(), made_at: at, ends_at, revoked_at: None };
        assert!(grant.allows(GrantScope::Read, at) && grant.allows(GrantScope::Read, ends_at.minus(Span::millis(1))));
        assert!(!grant.allows(GrantScope::Read, ends_at) && !grant.allows(GrantScope::Read, at.minus(Span::millis(1))));
        assert!(!grant.allows(GrantScope::Erase, at));
        assert!(!Grant { revoked_at: Some(at), ..grant }.allows(GrantScope::Read, at));
    }
}
