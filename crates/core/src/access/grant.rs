//! Grants by the owner: the operator may read, restore, export or erase for a limited time and a stated reason, until revoked.

use serde::{Deserialize, Serialize};

use crate::{GrantId, GrantScope, Timestamp};

/// A permission the owner gave to the operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grant {
    /// Id of the grant.
    pub id: GrantId,
    /// What it allows.
    pub scope: GrantScope,
    /// Reason in the owner's words.
    pub reason: String,
    /// Time it was given.
    pub made_at: Timestamp,
    /// Time it expires.
    pub ends_at: Timestamp,
    /// Time it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
}

impl Grant {
    /// Whether it allows `scope` at `now`. A clock set back to before the grant was given does not activate it.
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
