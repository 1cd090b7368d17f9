//! What a memory is and what should happen to it.
mod similarity;
mod unit;
pub use similarity::*;
pub use unit::*;
