//! The mind selected by request headers. An unreadable name is refused: falling back to the default name would expose
//! the memories of other users.

use axum::http::HeaderMap;
use saegim_core::{MindKey, phrase};

use crate::http::problem::Problem;

/// Returns the value of a header as UTF-8, percent-decoded for clients that can send only ASCII. `None` if it is
/// missing.
pub(crate) fn written(headers: &HeaderMap, name: &str) -> Result<Option<String>, Problem> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = String::from_utf8(decoded(value.as_bytes())).ok().map(|text| text.trim().to_owned());
    match text.filter(|text| !text.is_empty() && !text.contains('\0') && values.next().is_none()) {
        Some(text) => Ok(Some(text)),
        None => Err(Problem::bad(phrase!("http.named.not_readable", name))),
    }
}

/// Returns the mind key from `X-Saegim-User`, `-Character` and `-Work`, with defaults for missing headers.
pub(crate) fn mind(headers: &HeaderMap) -> Result<MindKey, Problem> {
    let name = |header: &str, other: &str| written(headers, header).map(|name| name.unwrap_or_else(|| other.to_owned()));
    let (user, character) = (name("x-saegim-user", "me")?, name("x-saegim-character", "assistant")?);
    Ok(MindKey::in_work(&user, &character, &name("x-saegim-work", MindKey::DEFAULT_WORK)?)?)
}

/// Decodes percent-encoded bytes. A percent sign without two hexadecimal digits is kept.
fn decoded(mut rest: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rest.len());
    let digit = |byte: u8| char::from(byte).to_digit(16);
    while let [first, tail @ ..] = rest {
        rest = tail;
        match tail {
            [high, low, after @ ..] if *first == b'%' && digit(*high).is_some() && digit(*low).is_some() => {
                bytes.extend(digit(*high).zip(digit(*low)).map(|(high, low)| (high * 16 + low) as u8));
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn check(value: &[u8]) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert("x-saegim-user", HeaderValue::from_bytes(value).unwrap());
        mind(&headers).ok().map(|key| key.user().to_owned())
    }

    #[test]
    fn a_name_is_read_however_it_is_written_or_refused() {
        assert_eq!(mind(&HeaderMap::new()).unwrap().user(), "me");
        for (value, name) in [
            ("민지".as_bytes(), "민지"),
            (b"%EB%AF%BC%EC%A7%80".as_slice(), "민지"),
            (b" minsu ".as_slice(), "minsu"),
            (b"100%25".as_slice(), "100%"),
            (b"100%".as_slice(), "100%"),
            (b"a%zzb".as_slice(), "a%zzb"),
            ("Zoë-%EB%AF%BC".as_bytes(), "Zoë-민"),
        ] {
            assert_eq!(check(value).as_deref(), Some(name), "{value:?}");
        }
        for value in [
            b"\xb9\xce\xc1\xf6".as_slice(),
            b"Zo\xeb".as_slice(),
            b"%EB%AF".as_slice(),
            b"%ff".as_slice(),
            b"".as_slice(),
            b"  ".as_slice(),
            b"a%00".as_slice(),
        ] {
            assert_eq!(check(value), None, "{value:?}");
        }
        let mut twice = HeaderMap::new();
        twice.append("x-saegim-user", HeaderValue::from_static("minsu"));
        twice.append("x-saegim-user", HeaderValue::from_static("jiwoo"));
        assert!(mind(&twice).is_err(), "two names are nobody's");
    }
}
