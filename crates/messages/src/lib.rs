//! The texts saegim shows to people, in English and Korean.
//!
//! The catalogues are the files in `en/` and `ko/`, one line per message: `engine.mind.not_found = "mind {mind} does not exist"`.
//! The build compiles them into tables and fails if the languages differ in keys or placeholders. Code names a message by its
//! key, with `phrase!` in `saegim-core`; [`Key::of`] checks the key and the arguments at compile time.

use std::cmp::Ordering;
use std::fmt;

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// Part of a text.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// Text that is always the same.
    Text(&'static str),
    /// The value of a placeholder, by its number.
    Value(usize),
}

/// A message of the catalogues.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MessageId(u16);

/// A message together with the arguments of a call: `order[n]` is the argument that fills placeholder `n`.
#[derive(Clone, Copy, Debug)]
pub struct Key<const N: usize> {
    /// The message.
    pub message: MessageId,
    /// The argument of each placeholder.
    pub order: [usize; N],
}

impl<const N: usize> Key<N> {
    /// Returns the message with this key. Evaluated at compile time, so a wrong key or argument is a compile error.
    pub const fn of(key: &str, arguments: [&str; N]) -> Self {
        let Some(message) = MessageId::find(key) else { panic!("no message has this key; add it to the catalogues in crates/messages") };
        let names = KEYS[message.0 as usize].1;
        assert!(names.len() == N, "this message has another number of placeholders");
        let (mut order, mut place) = ([0; N], 0);
        while place < N {
            let mut argument = 0;
            while argument < N && !matches!(compare(names[place], arguments[argument]), Ordering::Equal) {
                argument += 1;
            }
            assert!(argument < N, "a placeholder of this message has no argument");
            order[place] = argument;
            place += 1;
        }
        Self { message, order }
    }
}

impl MessageId {
    /// Returns the message with this key, if there is one.
    pub const fn find(key: &str) -> Option<Self> {
        let (mut from, mut to) = (0, KEYS.len());
        while from < to {
            let middle = (from + to) / 2;
            match compare(KEYS[middle].0, key) {
                Ordering::Equal => return Some(Self(middle as u16)),
                Ordering::Less => from = middle + 1,
                Ordering::Greater => to = middle,
            }
        }
        None
    }

    /// Returns the English text.
    pub fn english(self) -> &'static [Piece] {
        ENGLISH[usize::from(self.0)]
    }

    /// Returns the Korean text.
    pub fn korean(self) -> &'static [Piece] {
        KOREAN[usize::from(self.0)]
    }
}

impl fmt::Debug for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(KEYS[usize::from(self.0)].0)
    }
}

/// Returns the keys of all messages in order.
pub fn keys() -> impl Iterator<Item = &'static str> {
    KEYS.iter().map(|(key, _)| *key)
}

const fn compare(one: &str, other: &str) -> Ordering {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if one[at] != other[at] {
            return if one[at] < other[at] { Ordering::Less } else { Ordering::Greater };
        }
        at += 1;
    }
    if one.len() == other.len() {
        Ordering::Equal
    } else if one.len() < other.len() {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}
