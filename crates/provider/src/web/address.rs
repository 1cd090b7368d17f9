//! HTTP addresses, validated by one regular expression that is also published in the API contract.

use std::sync::LazyLock;

use regex::Regex;

/// Maximum length of an address, in bytes.
pub const LONGEST_ADDRESS: usize = 2_000;

/// Returns the pattern of an absolute `http` or `https` address without user info or fragment. A query string is accepted only
/// if `asks` is set.
pub fn address_pattern(asks: bool) -> String {
    let number = "[0-9A-Fa-f]{1,4}";
    // `::` stands for at least one group, so at most seven groups surround it.
    let shortened = (0..8).map(|left| {
        let before = if left == 0 { String::new() } else { format!("{number}(:{number}){{{}}}", left - 1) };
        let after = if left == 7 { String::new() } else { format!("({number}(:{number}){{0,{}}})?", 6 - left) };
        format!("{before}::{after}")
    });
    let numbers = std::iter::once(format!("{number}(:{number}){{7}}")).chain(shortened).collect::<Vec<_>>().join("|");
    let host = format!("([A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)*|\\[({numbers})\\])");
    let port = "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6([0-4][0-9]{3}|5([0-4][0-9]{2}|5([0-2][0-9]|3[0-5])))";
    let letters = "[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2}";
    let question = if asks { format!("([?]({letters}|[?])*)?") } else { String::new() };
    format!("^https?://{host}(:({port}))?(/({letters})*)?{question}$")
}

/// Checks whether `text` matches [`address_pattern`] and is not too long.
pub fn is_address(text: &str, asks: bool) -> bool {
    static PLAIN: LazyLock<Regex> = LazyLock::new(|| Regex::new(&address_pattern(false)).expect("a valid pattern"));
    static ASKING: LazyLock<Regex> = LazyLock::new(|| Regex::new(&address_pattern(true)).expect("a valid pattern"));
    text.len() <= LONGEST_ADDRESS && if asks { ASKING.is_match(text) } else { PLAIN.is_match(text) }
}

/// Returns an address that is safe to display: user name and password are masked, and so are the query and the fragment,
/// because some servers expect their key there.
pub fn shown_address(address: &str) -> String {
    let (place, asked) = match address.split_once(['?', '#']) {
        Some((place, _)) => (place, "?***"),
        None => (address, ""),
    };
    match place.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?.1))) {
        Some((scheme, rest)) => format!("{scheme}://***@{rest}{asked}"),
        None => format!("{place}{asked}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_secrets() {
        for (address, shown) in [
            ("https://host/v1", "https://host/v1"),
            ("https://me:pass@word@host/v1", "https://***@host/v1"),
            ("https://host/v1?key=canary", "https://host/v1?***"),
            ("https://me:canary@host/v1?key=canary#x", "https://***@host/v1?***"),
        ] {
            assert_eq!(shown_address(address), shown);
        }
    }

    #[test]
    fn an_address_is_whole_and_names_nobody() {
        for text in [
            "https://example.org",
            "http://localhost:11434/v1",
            "http://my_model:65535/v1/",
            "https://example.org/a%20b",
            "http://[::1]:80/",
            "http://[fe80::1:2]/",
            "http://[1:2:3:4:5:6:7:8]",
            "http://[1::]",
            "http://[1:2:3:4:5:6:7::]",
            "http://[::2:3:4:5:6:7:8]",
            "http://10.0.0.7",
        ] {
            assert!(is_address(text, false), "{text}");
            assert!(text.parse::<hyper::Uri>().is_ok(), "{text}");
        }
        for text in [
            "",
            "https://",
            "example.org",
            "ftp://example.org",
            "https://a:b@example.org",
            "https://example.org:0/",
            "https://example.org:65536/",
            "https://example.org:99999/",
            "https://exa mple.org",
            "https://example.org/한글",
            "https://example.org/a#b",
            "https://example.org/%2",
            "https://.org",
            "http://[1:2:3]",
            "http://[:::]",
            "http://[1::2::3]",
            "http://[1:2:3:4:5:6:7:8:9]",
            "http://[1:2:3:4::5:6:7:8]",
            "https://example.org\n",
        ] {
            assert!(!is_address(text, false), "{text}");
        }
        assert!(is_address("https://example.org/a?b=c&d", true) && !is_address("https://example.org/a?b=c", false));
        assert!(!is_address(&format!("https://example.org/{}", "a".repeat(LONGEST_ADDRESS)), true));
    }
}
