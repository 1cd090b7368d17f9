//! A key that cannot be displayed by accident.

use std::fmt;

use serde::{Deserialize, Deserializer};

/// A secret. It can be deserialised and sent to its server; `Debug` prints `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Creates a secret; returns `None` for blank text.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// Returns the plain text, for the one header that needs it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Masks this secret in `text`, because a server response may repeat the key.
    pub fn hidden_in(&self, text: &str) -> String {
        text.replace(&self.0, "***")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| serde::de::Error::custom("a key cannot be blank"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_shown() {
        let secret = Secret::new(" sk-canary ").unwrap();
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "*** Some(***)");
        assert_eq!(secret.hidden_in("bad key sk-canary!"), "bad key ***!");
        assert_eq!(secret.reveal(), "sk-canary");
        assert!(Secret::new("  ").is_none());
    }
}
