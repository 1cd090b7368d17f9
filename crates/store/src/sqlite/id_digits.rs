//! Ids by the first or last digits that a person types.

/// The ids that begin with some hexadecimal digits, and the last bytes of those that end with them.
pub(super) struct Edges {
    /// The digits in upper case.
    pub(super) digits: String,
    /// Smallest id that begins with the digits.
    pub(super) first: [u8; 16],
    /// Largest id that begins with them.
    pub(super) last: [u8; 16],
    /// Last two bytes of ids that end with them.
    pub(super) tail: [u8; 2],
}

impl Edges {
    /// Returns `None` unless there are 4 to 32 hexadecimal digits.
    pub(super) fn of(digits: &str) -> Option<Self> {
        let digits = digits.to_uppercase();
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !is_hex || !(4..=32).contains(&digits.len()) {
            return None;
        }
        let tail = u16::from_str_radix(&digits[digits.len() - 4..], 16).ok()?.to_be_bytes();
        let filled = |with: &str| u128::from_str_radix(&format!("{digits}{}", with.repeat(32 - digits.len())), 16).ok();
        Some(Self { first: filled("0")?.to_be_bytes(), last: filled("F")?.to_be_bytes(), tail, digits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_become_a_range_and_an_ending() {
        let edges = Edges::of("0199abcde").unwrap();
        assert_eq!(edges.first[..6], [0x01, 0x99, 0xAB, 0xCD, 0xE0, 0]);
        assert_eq!(edges.last[..6], [0x01, 0x99, 0xAB, 0xCD, 0xEF, 0xFF]);
        assert_eq!(edges.tail, [0xBC, 0xDE]);
        for wrong in ["", "123", "12g4", "가나다라", &"1".repeat(33)] {
            assert!(Edges::of(wrong).is_none(), "{wrong}");
        }
        assert_eq!(Edges::of(&"f".repeat(32)).unwrap().first, [0xFF; 16]);
    }
}
