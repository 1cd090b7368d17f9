//! The `Retry-After` header, in seconds or as a date.

use std::time::{Duration, SystemTime};

use hyper::HeaderMap;
use hyper::header::{DATE, HeaderName, RETRY_AFTER};

/// Back-off if the server sends a date without a `Date` header.
const UNTOLD: Duration = Duration::from_secs(60);

/// Parses `Retry-After`. A date, in any of the three HTTP formats, is relative to the server's own `Date`, so neither clock
/// needs to be correct and the local clock is not read.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let said = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = said.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let then = httpdate::parse_http_date(said).ok()?;
    // A date in the past means no back-off.
    Some(moment(headers, &DATE).map_or(UNTOLD, |now| then.duration_since(now).unwrap_or_default()))
}

fn moment(headers: &HeaderMap, name: &HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(headers.get(name)?.to_str().ok()?.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_all_three_forms_of_a_moment_are_read() {
        let check = |said: &str, date: Option<&str>, seconds: Option<u64>| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, said.parse().unwrap());
            date.into_iter().for_each(|date| drop(headers.insert(DATE, date.parse().unwrap())));
            assert_eq!(retry_after(&headers), seconds.map(Duration::from_secs), "{said} at {date:?}");
        };
        let now = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        check("7", None, Some(7));
        check(" 120 ", now, Some(120));
        check("Sun, 06 Nov 1994 08:51:07 GMT", now, Some(90));
        check("Sunday, 06-Nov-94 08:51:07 GMT", now, Some(90));
        check("Sun Nov  6 08:51:07 1994", now, Some(90));
        check("Mon, 07 Nov 1994 00:00:00 GMT", Some("Sunday, 06-Nov-94 23:59:00 GMT"), Some(60));
        // A past date, and dates without a usable server time.
        check("Sun, 06 Nov 1994 08:49:00 GMT", now, Some(0));
        check("Sun, 06 Nov 1994 08:51:07 GMT", None, Some(60));
        check("Sun, 06 Nov 1994 08:51:07 GMT", Some("yesterday"), Some(60));
        for unreadable in ["soon", "-5", "1.5", "Sun, 31 Feb 1994 08:49:37 GMT", "2026-03-02T09:00:00Z"] {
            check(unreadable, now, None);
        }
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
