//! Hashes of contents and ledger entries.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A 32-byte BLAKE3 hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hash([u8; 32]);

impl Hash {
    /// Predecessor hash of the first entry of a chain.
    pub const NONE: Self = Self([0; 32]);

    /// Creates a hash from its stored bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns its bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Hashes `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// Hashes `text` keyed with a mind's secret; useless without the secret.
    pub fn salted(salt: &[u8; 32], text: &str) -> Self {
        Self(*blake3::keyed_hash(salt, text.as_bytes()).as_bytes())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = (0..64).step_by(2).map(|at| text.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()));
        let bytes: Option<Vec<u8>> = bytes.collect();
        let bytes = bytes.filter(|_| text.len() == 64).and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or_else(|| serde::de::Error::custom("not a hash of 64 hexadecimal digits"))
    }
}
