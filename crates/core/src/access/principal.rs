//! Principals: who performs an operation.

use crate::primitives::word_enum::word_enum;

word_enum! {
    /// Who performs an operation on a mind.
    Principal "principal" {
        /// The person the memories are about.
        Owner = "owner",
        /// The program that runs the character.
        Agent = "agent",
        /// The operator.
        Admin = "admin",
        /// The background worker.
        Worker = "worker",
    }
}
