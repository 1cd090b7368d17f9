//! How memories hang together.

use serde::{Deserialize, Serialize};

use crate::MemoryId;
use crate::primitives::word_enum::word_enum;

word_enum! {
    /// What one memory is to another.
    LinkKind "link" {
        /// It came before and led to the other.
        Parent = "parent",
        /// It came of the other.
        Child = "child",
        /// They belong together.
        Related = "related",
        /// It is the essence of the other.
        DistilledFrom = "distilled_from",
        /// It speaks for the other.
        Supports = "supports",
        /// It founds the other.
        Founds = "founds",
        /// It speaks against the other.
        Contradicts = "contradicts",
    }
}

/// A link from one memory to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Link {
    /// Where it starts.
    pub from: MemoryId,
    /// Where it points.
    pub to: MemoryId,
    /// What it says.
    pub kind: LinkKind,
}
