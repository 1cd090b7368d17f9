//! `If-Match` (RFC 9110): limits a change to given revisions of a memory.

use axum::http::{HeaderMap, header};
use saegim_core::{Invalid, phrase};
use saegim_engine::MindHandle;

use super::problem::Problem;

/// Limits changes through this mind to the revisions named in `If-Match`. Without the header, any revision is accepted.
pub(super) fn meant(mind: MindHandle, headers: &HeaderMap) -> Result<MindHandle, Problem> {
    let lines: Vec<&str> = headers.get_all(header::IF_MATCH).iter().map(|line| line.to_str().unwrap_or("\u{0}")).collect();
    if lines.is_empty() {
        return Ok(mind);
    }
    match tags(&lines.join(",")) {
        Some(Tags::Any) => Ok(mind),
        Some(Tags::These(revisions)) => Ok(mind.at_revisions(revisions)),
        None => {
            let problem = phrase!("http.revisions.not_readable");
            let hint = phrase!("http.revisions.send_etag");
            Err(Problem::from(Invalid::new("if-match", problem)).with_hint(hint))
        }
    }
}

#[derive(Debug, PartialEq)]
enum Tags {
    Any,
    /// The tags that are revision numbers. Weak tags and other tags never match and are left out.
    These(Vec<u32>),
}

fn tags(line: &str) -> Option<Tags> {
    if line.trim() == "*" {
        return Some(Tags::Any);
    }
    let mut revisions = Vec::new();
    for tag in line.split(',').map(str::trim) {
        let (weak, tag) = tag.strip_prefix("W/").map_or((false, tag), |tag| (true, tag));
        let inner = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
        // Accept unquoted digits, which people type themselves.
        let inner = inner.or(Some(tag).filter(|tag| !tag.is_empty() && tag.bytes().all(|digit| digit.is_ascii_digit())))?;
        if inner.contains('"') {
            return None;
        }
        revisions.extend(inner.parse::<u32>().ok().filter(|_| !weak));
    }
    Some(Tags::These(revisions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_they_are_written() {
        let these = |revisions: &[u32]| Some(Tags::These(revisions.to_vec()));
        for (line, expected) in [
            ("\"7\"", these(&[7])),
            (" \"7\" , \"0\" ", these(&[7, 0])),
            ("7", these(&[7])),
            ("*", Some(Tags::Any)),
            ("W/\"7\"", these(&[])),
            ("W/\"7\", \"8\"", these(&[8])),
            ("\"somebody else's\"", these(&[])),
            ("", None),
            ("\"7", None),
            ("seven", None),
            ("\"7\",", None),
            ("*, \"7\"", None),
        ] {
            assert_eq!(tags(line), expected, "{line}");
        }
    }
}
