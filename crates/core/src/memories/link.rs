//! Links between memories.

use serde::{Deserialize, Serialize};

use crate::MemoryId;
use crate::primitives::word_enum::word_enum;

word_enum! {
    /// Relation of one memory to another.
    LinkKind "link" {
        /// It preceded and led to the other.
        Parent = "parent",
        /// It resulted from the other.
        Child = "child",
        /// They are related.
        Related = "related",
        /// It is an essence of the other.
        DistilledFrom = "distilled_from",
        /// It supports the other.
        Supports = "supports",
        /// It is a foundation of the other.
        Founds = "founds",
        /// It contradicts the other.
        Contradicts = "contradicts",
    }
}

/// A link from one memory to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Link {
    /// Source memory.
    pub from: MemoryId,
    /// Target memory.
    pub to: MemoryId,
    /// Kind of relation.
    pub kind: LinkKind,
}
