//! The layout of a tree page, as the file format of SQLite defines it: which bytes hold something, and which are left over.

use std::ops::Range;

/// Bytes of the file header before the tree header of the first page.
const FILE_HEADER: usize = 100;

/// Kind of a tree page, by its first byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    IndexInterior,
    TableInterior,
    IndexLeaf,
    TableLeaf,
}

impl Kind {
    fn of(byte: u8) -> Option<Self> {
        match byte {
            2 => Some(Self::IndexInterior),
            5 => Some(Self::TableInterior),
            10 => Some(Self::IndexLeaf),
            13 => Some(Self::TableLeaf),
            _ => None,
        }
    }

    fn is_leaf(self) -> bool {
        matches!(self, Self::IndexLeaf | Self::TableLeaf)
    }
}

/// One bit per byte of a page: set if the byte is used.
struct Used {
    words: Vec<u64>,
}

impl Used {
    fn none(bytes: usize) -> Self {
        Self { words: vec![0; bytes.div_ceil(64)] }
    }

    /// Marks a range. Returns `None` if a part of it was marked before: two things cannot lie in one place.
    fn mark(&mut self, range: Range<usize>) -> Option<()> {
        for byte in range {
            let (word, bit) = (byte / 64, 1u64 << (byte % 64));
            if self.words[word] & bit != 0 {
                return None;
            }
            self.words[word] |= bit;
        }
        Some(())
    }

    fn has(&self, byte: usize) -> bool {
        self.words[byte / 64] & (1u64 << (byte % 64)) != 0
    }
}

/// Returns a copy of the page with its unused bytes cleared, or `None` if there is nothing to clear. Pages that hold no tree, and
/// pages that do not agree with the format in every detail, are never changed.
pub(super) fn cleared(page: &[u8], is_first: bool) -> Option<Vec<u8>> {
    let used = used(page, is_first)?;
    let left_over = |byte: &usize| page[*byte] != 0 && !used.has(*byte);
    if !(0..page.len()).any(|byte| left_over(&byte)) {
        return None;
    }
    let mut copy = page.to_vec();
    for (byte, value) in copy.iter_mut().enumerate() {
        if !used.has(byte) {
            *value = 0;
        }
    }
    Some(copy)
}

fn pair(page: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_be_bytes([*page.get(at)?, *page.get(at + 1)?])))
}

/// Returns the value and the length of a variable-length integer.
fn varint(page: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut value = 0u64;
    for length in 0..9 {
        let byte = *page.get(at + length)?;
        if length == 8 {
            return Some(((value << 8) | u64::from(byte), 9));
        }
        value = (value << 7) | u64::from(byte & 0x7F);
        if byte < 0x80 {
            return Some((value, length + 1));
        }
    }
    None
}

/// Returns the used bytes of a tree page, or `None` if it is no valid tree page.
fn used(page: &[u8], is_first: bool) -> Option<Used> {
    let size = page.len();
    let header = if is_first { FILE_HEADER } else { 0 };
    // A file may reserve bytes at the end of every page; ours never do, and SQLite never changes that by itself.
    if is_first && page[20] != 0 {
        return None;
    }
    let kind = Kind::of(*page.get(header)?)?;
    let cells = pair(page, header + 3)?;
    let content = match pair(page, header + 5)? {
        0 => 65_536,
        content => content,
    };
    let pointers = header + if kind.is_leaf() { 8 } else { 12 };
    let end_of_pointers = pointers + 2 * cells;
    if end_of_pointers > content || content > size {
        return None;
    }
    let mut used = Used::none(size);
    used.mark(0..end_of_pointers)?;
    let mut in_content = 0;
    for cell in 0..cells {
        let start = pair(page, pointers + 2 * cell)?;
        let length = cell_length(page, start, kind)?;
        if start < content || start + length > size {
            return None;
        }
        used.mark(start..start + length)?;
        in_content += length;
    }
    // The chain of free blocks: each has the place of the next one and its own length in its first four bytes.
    let (mut block, mut last_end) = (pair(page, header + 1)?, content);
    while block != 0 {
        let (next, length) = (pair(page, block)?, pair(page, block + 2)?);
        if block < last_end || length < 4 || block + length > size {
            return None;
        }
        (last_end, in_content) = (block + length, in_content + length);
        // The block as a whole must be free; only its head is used.
        if (block..block + length).any(|byte| used.has(byte)) {
            return None;
        }
        used.mark(block..block + 4)?;
        block = next;
    }
    // What is left between them are fragments, whose number the header has.
    (in_content + usize::from(page[header + 7]) == size - content).then_some(used)
}

/// Returns the length of a cell within its page: the rest of a long one is on other pages.
fn cell_length(page: &[u8], start: usize, kind: Kind) -> Option<usize> {
    let usable = page.len();
    let child = if kind.is_leaf() { 0 } else { 4 };
    if kind == Kind::TableInterior {
        return Some(child + varint(page, start + child)?.1);
    }
    let (payload, mut head) = varint(page, start + child)?;
    let payload = usize::try_from(payload).ok().filter(|payload| *payload <= i32::MAX as usize)?;
    if kind == Kind::TableLeaf {
        head += varint(page, start + head)?.1;
    }
    let least = (usable - 12) * 32 / 255 - 23;
    let most = if kind == Kind::TableLeaf { usable - 35 } else { (usable - 12) * 64 / 255 - 23 };
    let here = if payload <= most {
        payload
    } else {
        let rest = least + (payload - least) % (usable - 4);
        4 + if rest <= most { rest } else { least }
    };
    Some((child + head + here).max(4))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rusqlite::Connection;

    use super::*;

    const SIZE: usize = 1024;

    /// Writes rows of these lengths, deletes some of them, and returns the pages of the file.
    fn pages(lengths: &[usize], gone: &[usize]) -> (tempfile::TempDir, Vec<Vec<u8>>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.db");
        let file = Connection::open(&path).unwrap();
        file.execute_batch(&format!(
            "PRAGMA page_size = {SIZE}; PRAGMA secure_delete = OFF; PRAGMA synchronous = OFF;
             CREATE TABLE kept (id INTEGER PRIMARY KEY, text TEXT, number INTEGER);
             CREATE INDEX kept_by_text ON kept (text); CREATE TABLE named (name TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID;"
        ))
        .unwrap();
        for (id, length) in lengths.iter().enumerate() {
            let text = format!("{id:04}").repeat(length.div_ceil(4));
            file.execute("INSERT INTO kept VALUES (?1, ?2, ?3)", (id * 7919 % 10_007, &text, id)).unwrap();
            file.execute("INSERT INTO named VALUES (?1, ?2)", (format!("{}", id * 7919 % 10_007), &text)).unwrap();
        }
        for id in gone {
            file.execute("DELETE FROM kept WHERE number = ?1", [id]).unwrap();
            file.execute("DELETE FROM named WHERE name = ?1", [format!("{}", id * 7919 % 10_007)]).unwrap();
        }
        drop(file);
        let bytes = std::fs::read(&path).unwrap();
        (folder, bytes.chunks(SIZE).map(<[u8]>::to_vec).collect())
    }

    fn rows(path: &std::path::Path) -> (String, String) {
        let file = Connection::open(path).unwrap();
        let one = |sql: &str| file.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
        let all = "SELECT group_concat(id || text || number) || (SELECT group_concat(name || text) FROM named) FROM kept";
        (one("PRAGMA integrity_check"), one(all))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn clearing_removes_deleted_text_and_nothing_else(
            lengths in proptest::collection::vec(prop_oneof![4 => 0usize..120, 2 => 120usize..900, 1 => 900usize..5000], 40..160),
            drawn in proptest::collection::vec(0usize..160, 1..80),
        ) {
            let mut gone: Vec<usize> = drawn.into_iter().filter(|id| *id + 1 < lengths.len()).collect();
            gone.sort_unstable();
            gone.dedup();
            let (folder, pages) = pages(&lengths, &gone);
            let path = folder.path().join("some.db");
            let before = rows(&path);
            let trees = pages.iter().enumerate().filter(|(number, page)| used(page, *number == 0).is_some()).count();
            prop_assert!(trees >= 4, "every table has a page that can be read");
            let after: Vec<Vec<u8>> =
                pages.iter().enumerate().map(|(number, page)| cleared(page, number == 0).unwrap_or_else(|| page.clone())).collect();
            prop_assert!(after.iter().enumerate().all(|(number, page)| cleared(page, number == 0).is_none()));
            std::fs::write(&path, after.concat()).unwrap();
            prop_assert_eq!(rows(&path), before);
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(mut page in proptest::collection::vec(any::<u8>(), SIZE), kind in 0usize..4) {
            page[0] = [2, 5, 10, 13][kind];
            let _ = cleared(&page, false);
        }
    }

    #[test]
    fn a_page_with_one_wrong_number_is_left_alone() {
        let (_folder, pages) = pages(&[200; 12], &[1, 2]);
        let page = pages.iter().skip(1).find(|page| used(page, false).is_some()).unwrap();
        for (at, by) in [(3, 1), (5, 1), (7, 1)] {
            let mut wrong = page.clone();
            wrong[at] = wrong[at].wrapping_add(by);
            assert!(used(&wrong, false).is_none(), "byte {at}");
        }
    }
}
