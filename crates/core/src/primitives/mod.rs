//! Identifiers, time, bounded numbers and small text helpers that every rule uses.

/// Relative ages ("3 days ago").
pub(crate) mod age;
/// UUIDv7 identifiers, one newtype per entity.
pub(crate) mod id;
/// Line-by-line diff of two texts.
pub(crate) mod line_diff;
/// A small least-recently-used cache.
pub(crate) mod lru_cache;
/// Korean particles that depend on the preceding sound.
pub(crate) mod particle;
/// User-facing text in English and Korean.
pub(crate) mod phrase;
/// Scores that list their parts.
pub(crate) mod score;
/// Timestamps and durations.
pub(crate) mod time;
/// Token count estimate.
pub(crate) mod tokens;
/// Numbers with a checked range.
pub(crate) mod unit;
/// Overlapping windows over long texts.
pub(crate) mod windows;
/// Macro for enums that serialise as one word.
pub(crate) mod word_enum;
