//! The page a person sees a mind on: built from `web/` and compiled in, so that a server needs nothing beside itself.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use saegim_core::phrase;

use super::problem::Problem;
use super::{At, Server};

/// A file of the page.
struct File {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal: $kind:literal;)*) => {
        /// Everything the page is made of.
        const FILES: &[File] = &[$(File { name: $name, kind: $kind, bytes: include_bytes!(concat!("../../../../web/dist/", $name)) }),*];
    };
}

files! {
    "index.html": "text/html; charset=utf-8";
    "page.js": "text/javascript; charset=utf-8";
    "page.css": "text/css; charset=utf-8";
    "icon.svg": "image/svg+xml";
    "manifest.json": "application/manifest+json";
}

/// What the page was built from, and what came of it; the latter is also its version for browsers.
const MADE: &str = include_str!("../../../../web/dist/made.txt");

/// The page asks this server alone, and runs nothing that is not its own file.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

pub(crate) fn router() -> Router<Arc<Server>> {
    Router::new().route("/", get(|headers: HeaderMap| async move { sent(&FILES[0], &headers) })).route("/page/{name}", get(file))
}

async fn file(At(name): At<String>, headers: HeaderMap) -> Response {
    match FILES.iter().find(|file| file.name == name) {
        Some(file) => sent(file, &headers),
        None => Problem::not_found(phrase!("this page has no such file", "페이지에 없는 파일이에요")).into_response(),
    }
}

/// A file; a browser that has it already is only told so.
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

/// A hash the build wrote down.
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

    /// Every file under a folder of `web/`, by its path from there.
    fn under(folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(web().join(folder)).unwrap();
        let paths = entries.map(|entry| format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap()));
        paths.flat_map(|path| if web().join(&path).is_dir() { under(&path) } else { vec![path] }).collect()
    }

    /// One hash over names and contents, as web/build.mjs works it out.
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
