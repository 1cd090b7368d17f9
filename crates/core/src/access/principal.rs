//! Who acts.

use crate::primitives::word_enum::word_enum;

word_enum! {
    /// Who acts on a mind.
    Principal "principal" {
        /// The person the memories are about.
        Owner = "owner",
        /// The character's program.
        Agent = "agent",
        /// The operator.
        Admin = "admin",
        /// The caretaker of memories.
        Worker = "worker",
    }
}
