//! The web page. It is built from `web/` and compiled in, so the server needs no other files.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use saegim_core::phrase;

use crate::http::problem::Problem;
use crate::http::{At, Server};

/// A file of the web page.
struct File {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal: $kind:literal;)*) => {
        /// All files of the web page.
        const FILES: &[File] = &[$(File { name: $name, kind: $kind, bytes: include_bytes!(concat!("../../../../../web/dist/", $name)) }),*];
    };
}

files! {
    "index.html": "text/html; charset=utf-8";
    "page.js": "text/javascript; charset=utf-8";
    "page.css": "text/css; charset=utf-8";
    "icon.svg": "image/svg+xml";
    "manifest.json": "application/manifest+json";
}

/// Hashes of the sources and of the built files. The latter is also the ETag.
const MADE: &str = include_str!("../../../../../web/dist/made.txt");

/// Content security policy: the page may contact only this server and run only its own files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

pub(crate) fn router() -> Router<Arc<Server>> {
    Router::new().route("/", get(|headers: HeaderMap| async move { sent(&FILES[0], &headers) })).route("/page/{name}", get(file))
}

async fn file(At(name): At<String>, headers: HeaderMap) -> Response {
    match FILES.iter().find(|file| file.name == name) {
        Some(file) => sent(file, &headers),
        None => Problem::not_found(phrase!("http.page.file_not_found")).into_response(),
    }
}

/// Returns a file, or 304 if the browser has the current version.
fn sent(file: &File, headers: &HeaderMap) -> Response {
    let version = recorded("made");
    let known = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok()).is_some_and(|tags| tags.contains(version));
    let mut response = if known { StatusCode::NOT_MODIFIED.into_response() } else { file.bytes.into_response() };
    let tag = HeaderValue::try_from(format!("W/\"{version}\"")).expect("hexadecimal digits are a header");
    let sent = response.headers_mut();
    sent.insert(header::ETAG, tag);
    sent.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.kind));
    sent.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    sent.insert("content-security-policy", HeaderValue::from_static(POLICY));
    response
}

/// Returns a hash recorded by the build.
fn recorded(name: &str) -> &'static str {
    MADE.lines().find_map(|line| line.strip_prefix(name)).map_or("", str::trim)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use sha2::{Digest, Sha256};

    use super::*;

    fn web() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web")
    }

    /// Returns the paths of all files in a folder of `web/`, relative to `web/`.
    fn under(folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(web().join(folder)).unwrap();
        let paths = entries.map(|entry| format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap()));
        paths.flat_map(|path| if web().join(&path).is_dir() { under(&path) } else { vec![path] }).collect()
    }

    /// Hashes names and contents the same way as web/build.mjs.
    fn digest(mut paths: Vec<String>) -> String {
        paths.sort();
        let mut hash = Sha256::new();
        for path in paths {
            let bytes = std::fs::read(web().join(&path)).unwrap();
            hash.update(format!("{path}\0{}\0", bytes.len()));
            hash.update(bytes);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_page_was_built_from_these_sources() {
        let mut sources = under("src");
        sources.extend(["build.mjs", "package-lock.json", "package.json", "tsconfig.json"].map(String::from));
        assert_eq!(recorded("sources"), digest(sources), "the page is stale: (cd web && npm ci && npm run build)");
    }

    #[test]
    fn nobody_wrote_into_what_was_built() {
        let made = under("dist").into_iter().filter(|path| path != "dist/made.txt").collect();
        assert_eq!(recorded("made"), digest(made), "web/dist is not what was built: (cd web && npm ci && npm run build)");
    }

    #[test]
    fn the_page_names_nothing_of_another_server() {
        let html = std::str::from_utf8(FILES[0].bytes).unwrap();
        assert!(!html.contains("http:") && !html.contains("https:") && !html.contains("<script>") && !html.contains("style="));
    }
}
