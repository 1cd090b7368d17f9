//! Tiers: how long a memory is kept.

use crate::primitives::word_enum::word_enum;
use crate::{Span, TierPolicy, Timestamp};

word_enum! {
    /// The four retention tiers, from shortest to longest.
    Tier "tier" {
        /// Thirty days.
        M30 = "M30",
        /// Ninety days.
        M90 = "M90",
        /// A year.
        M365 = "M365",
        /// Permanent: core memories.
        M0 = "M0",
    }
}

impl Tier {
    /// Returns the retention period; `None` for core memories.
    pub const fn term(self, policy: &TierPolicy) -> Option<Span> {
        match self {
            Self::M30 => Some(Span::days(policy.m30_days as i64)),
            Self::M90 => Some(Span::days(policy.m90_days as i64)),
            Self::M365 => Some(Span::days(policy.m365_days as i64)),
            Self::M0 => None,
        }
    }

    /// Returns the expiry of a term that starts at `from`.
    pub fn expires(self, from: Timestamp, policy: &TierPolicy) -> Option<Timestamp> {
        self.term(policy).map(|term| from.plus(term))
    }

    /// Returns the start of the term that expires at `end`.
    pub fn began(self, end: Timestamp, policy: &TierPolicy) -> Option<Timestamp> {
        self.term(policy).map(|term| end.minus(term))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_tier_runs_out_later_and_core_never() {
        let policy = TierPolicy::default();
        let created = Timestamp::parse("2026-01-01T00:00:00Z").unwrap();
        let ends: Vec<_> = Tier::ALL.iter().map(|tier| tier.expires(created, &policy).map(|end| end.to_string())).collect();
        assert_eq!(ends[0].as_deref(), Some("2026-01-31T00:00:00.000Z"));
        assert_eq!(ends[1].as_deref(), Some("2026-04-01T00:00:00.000Z"));
        assert_eq!(ends[2].as_deref(), Some("2027-01-01T00:00:00.000Z"));
        assert_eq!(ends[3], None);
    }
}
