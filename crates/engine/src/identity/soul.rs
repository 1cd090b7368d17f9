//! SOUL.md: generated from what the owner approved, written atomically and only inside its markers.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use saegim_core::{Deed, DiffLine, MemoryId, Op, Soul, SoulFlaw, Standing, linewise, phrase, soul_in, with_soul};

use crate::error::unusable;
use crate::{EngineError, MindHandle};

impl MindHandle {
    /// Returns the current text of the section.
    pub async fn soul(&self) -> Result<String, EngineError> {
        self.may(Deed::Read).await?;
        let (islands, version) = (self.store().islands(self.id).await?, self.store().current_self(self.id).await?);
        let ids: Vec<MemoryId> = islands.iter().flat_map(|island| island.founding.iter().copied()).collect();
        let founding = self.store().memories(self.id, &ids).await?.into_iter().filter(|memory| memory.standing == Standing::Alive);
        let says: HashMap<MemoryId, String> = founding.map(|memory| (memory.id, memory.content)).collect();
        Ok(Soul { islands: &islands, version: version.as_ref(), says: &|id| says.get(&id).cloned() }.text())
    }

    /// Returns the changes to the section of a file. All lines are new if the file has no section.
    pub async fn soul_difference(&self, path: &Path) -> Result<Vec<DiffLine>, EngineError> {
        let file = read(path)?;
        let before = soul_in(&file).map_err(|flaw| flawed(path, flaw))?.unwrap_or_default();
        let lines = linewise(before.trim_end(), self.soul().await?.trim_end());
        Ok(if lines.iter().all(|line| line.sign == ' ') { Vec::new() } else { lines })
    }

    /// Writes the section to a file and creates the file if necessary. Bytes outside the markers are preserved; a file with
    /// broken markers is not changed.
    pub async fn write_soul(&self, path: &Path) -> Result<(), EngineError> {
        self.may(Deed::WriteSelf).await?;
        let file = read(path)?;
        let next = with_soul(&file, &self.soul().await?).map_err(|flaw| flawed(path, flaw))?;
        if next == file && path.exists() {
            return Ok(());
        }
        replace(path, &next).map_err(|error| unusable(path, &error))?;
        self.write(self.commit(Op::Soul, &[])).await.map(drop)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, EngineError> {
    match std::fs::read(path) {
        Ok(file) => Ok(file),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(unusable(path, &error)),
    }
}

fn flawed(path: &Path, flaw: SoulFlaw) -> EngineError {
    let (path, why) = (path.display(), flaw.phrase());
    EngineError::Conflict(phrase!("engine.soul.file_not_changed", path, why))
}

/// Replaces a file atomically, so that readers see either the old or the new content. Follows symbolic links and preserves the
/// permissions.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part: PathBuf = target.with_file_name(name);
    let written = (|| {
        let mut file = std::fs::File::create(&part)?;
        file.write_all(bytes)?;
        if let Ok(known) = std::fs::metadata(&target) {
            file.set_permissions(known.permissions())?;
        }
        file.sync_all()?;
        std::fs::rename(&part, &target)
    })();
    written.inspect_err(|_| {
        // Remove the partial file, so that it is not mistaken for a complete one.
        let _ = std::fs::remove_file(&part);
    })
}
