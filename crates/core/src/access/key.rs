//! API keys: which principal may access which minds. Only a hash of the secret is stored.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::memories::mind::encode;
use crate::{Hash, Invalid, MindKey, Principal, Timestamp, phrase};

/// Minds a key gives access to: `user/character[/work]`, where `*` matches any name and `%2A` is a literal asterisk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MindPattern {
    user: Name,
    character: Name,
    work: Name,
}

/// Part of a pattern. A name that consists of an asterisk is `One`, not `Any`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Any,
    One(String),
}

impl Name {
    fn fits(&self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::One(own) => own == name,
        }
    }

    fn holds(&self, other: &Self) -> bool {
        *self == Self::Any || self == other
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::One(name) => f.write_str(&encode(name)),
        }
    }
}

impl MindPattern {
    /// Returns the pattern that matches every mind.
    pub fn all() -> Self {
        Self { user: Name::Any, character: Name::Any, work: Name::Any }
    }

    /// Parses `*`, `user/*`, `user/character` or `user/character/work`. An omitted work matches any.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        // Reject an asterisk inside a name, because it looks like a wildcard but would not be one.
        if text.split('/').any(|name| name.contains('*') && name.trim() != "*") {
            return Err(Self::problem(text));
        }
        Self::kept(text)
    }

    fn problem(text: &str) -> Invalid {
        Invalid::new("minds", phrase!("core.key.not_a_mind_pattern", text))
    }

    /// Parses a stored pattern. Accepts names with asterisks, which older versions allowed.
    pub fn kept(text: &str) -> Result<Self, Invalid> {
        if text.trim() == "*" {
            return Ok(Self::all());
        }
        let key = MindKey::parse(text.trim()).map_err(|_| Self::problem(text))?;
        let mut written = text.split('/').map(str::trim);
        let mut name = |name: &str| match written.next() {
            None | Some("*") => Name::Any,
            Some(_) => Name::One(name.to_owned()),
        };
        Ok(Self { user: name(key.user()), character: name(key.character()), work: name(key.work()) })
    }

    /// Whether the pattern matches a mind.
    pub fn fits(&self, key: &MindKey) -> bool {
        self.user.fits(key.user()) && self.character.fits(key.character()) && self.work.fits(key.work())
    }
}

impl MindPattern {
    /// Whether this pattern matches every mind that `other` matches.
    pub fn holds(&self, other: &Self) -> bool {
        self.user.holds(&other.user) && self.character.holds(&other.character) && self.work.holds(&other.work)
    }
}

impl fmt::Display for MindPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.user, self.character, self.work)
    }
}

impl TryFrom<String> for MindPattern {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        Self::parse(&text)
    }
}

impl From<MindPattern> for String {
    fn from(pattern: MindPattern) -> Self {
        pattern.to_string()
    }
}

/// Stored part of an API key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AccessKey {
    /// Public id, part of the key itself.
    pub id: String,
    /// Principal that uses it.
    pub principal: Principal,
    /// Minds it gives access to.
    pub minds: Vec<MindPattern>,
    /// Hash of the secret part.
    #[serde(skip, default)]
    pub digest: Hash,
    /// Time it was created.
    pub made_at: Timestamp,
    /// Time it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
}

impl AccessKey {
    /// Prefix of every key, so that scanners can find leaked keys.
    pub const PREFIX: &'static str = "sgm_";

    /// Creates a key and its text form, which is shown once and never stored.
    pub fn new(principal: Principal, minds: Vec<MindPattern>, made_at: Timestamp, chance: [u8; 40]) -> (Self, String) {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let (id, secret) = (hex(&chance[..8]), hex(&chance[8..]));
        let written = format!("{}{id}_{secret}", Self::PREFIX);
        (Self { id, principal, minds, digest: Hash::of(secret.as_bytes()), made_at, revoked_at: None }, written)
    }

    /// Splits a key into its public id and its secret.
    pub fn parts(written: &str) -> Option<(&str, &str)> {
        written.trim().strip_prefix(Self::PREFIX)?.split_once('_')
    }

    /// Whether `secret` matches this key and the key is not revoked. Hashes are compared, so the timing reveals nothing about the
    /// secret.
    pub fn opens(&self, secret: &str) -> bool {
        self.revoked_at.is_none() && Hash::of(secret.as_bytes()) == self.digest
    }

    /// Whether it gives access to this mind.
    pub fn covers(&self, key: &MindKey) -> bool {
        self.minds.iter().any(|pattern| pattern.fits(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> MindKey {
        MindKey::parse(text).unwrap()
    }

    #[test]
    fn a_pattern_opens_what_it_names_and_nothing_else() {
        let check = |pattern: &str, mind: &str, fits: bool| {
            assert_eq!(MindPattern::parse(pattern).unwrap().fits(&key(mind)), fits, "{pattern} {mind}");
        };
        check("*", "minsu/luna", true);
        check("minsu/*", "minsu/luna", true);
        check("minsu/*", "minsul/luna", false);
        check("*/luna", "minsu/luna/game", true);
        check("minsu/luna", "minsu/luna/game", true);
        check("minsu/luna/game", "minsu/luna", false);
        check("a%2Fb/luna", "a%2Fb/luna", true);
        check("a%2Fb/luna", "a/b/luna", false);
        // A literal asterisk is a name, not a wildcard.
        check("*/luna", "%2A/luna", true);
        check("%2A/luna", "%2A/luna", true);
        check("%2A/luna", "minsu/luna", false);
        check("a%2A/luna", "a%2A/luna", true);
        let star = MindPattern::parse(&key("%2A/%2A/game").to_string()).unwrap();
        assert!(!star.holds(&MindPattern::parse("minsu/luna/game").unwrap()) && MindPattern::all().holds(&star));
        for pattern in ["minsu", "", "앨*/루나", "minsu/lu*", "*/luna/ga*", "**/luna"] {
            assert!(MindPattern::parse(pattern).is_err(), "{pattern}");
        }
        assert!(MindPattern::kept("앨*/루나").is_ok(), "a key that was made so can still be read, and ended");
        for pattern in ["a%2Fb/*", "%2A/*/100%25", "*"] {
            let pattern = MindPattern::parse(pattern).unwrap();
            assert_eq!(MindPattern::parse(&pattern.to_string()).unwrap(), pattern);
        }
    }

    #[test]
    fn a_key_is_known_by_its_secret_and_shows_nothing_of_it() {
        let (kept, written) = AccessKey::new(Principal::Agent, vec![MindPattern::all()], Timestamp::from_millis(5), [7; 40]);
        let (id, secret) = AccessKey::parts(&written).unwrap();
        assert_eq!(id, kept.id);
        assert!(kept.opens(secret) && !kept.opens("x") && !kept.opens(""));
        assert!(!serde_json::to_string(&kept).unwrap().contains(secret) && !format!("{kept:?}").contains(secret));
        let revoked = AccessKey { revoked_at: Some(Timestamp::from_millis(9)), ..kept };
        assert!(!revoked.opens(secret));
        assert_eq!(AccessKey::parts("sk-something"), None);
    }
}
