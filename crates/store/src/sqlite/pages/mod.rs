//! Clears deleted bytes that `secure_delete` does not reach.
//!
//! When SQLite balances a tree, it moves rows to other pages and leaves their old bytes in the unused part of the page they came
//! from. A row that is deleted later is overwritten where it is then, not where it was. So every tree page is written to the file
//! with its unused bytes cleared, and the write-ahead log, which holds pages as SQLite has them in memory, is truncated by a sweep.

/// Pages of the open file: writes, and one pass over all of them.
mod file;
/// Which bytes of a page are unused.
mod layout;

pub(super) use file::{VFS, clear_all, count_uncleared, register};

/// Largest number of pages of a file. The first byte of a page that holds no tree is the highest byte of a page number. Below this
/// limit, it never equals the type of a tree page.
pub(super) const MOST_PAGES: u32 = 0x01FF_FFFF;
