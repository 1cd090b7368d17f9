//! SOUL.md: generated from what the owner approved, written atomically and only inside its markers.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use saegim_core::{Deed, DiffLine, MemoryId, MemoryState, Op, Soul, SoulFlaw, linewise, phrase, soul_in, with_soul};

use crate::EngineError;
use crate::identity::SelfModel;

impl SelfModel<'_> {
    pub(crate) async fn soul(&self) -> Result<String, EngineError> {
        self.mind.may(Deed::Read).await?;
        let (islands, version) = (self.mind.store().islands(self.mind.id).await?, self.mind.store().current_self(self.mind.id).await?);
        let ids: Vec<MemoryId> = islands.iter().flat_map(|island| island.founding.iter().copied()).collect();
        let founding =
            self.mind.store().memories(self.mind.id, &ids).await?.into_iter().filter(|memory| memory.standing == MemoryState::Alive);
        let says: HashMap<MemoryId, String> = founding.map(|memory| (memory.id, memory.content)).collect();
        Ok(Soul { islands: &islands, version: version.as_ref(), says: &|id| says.get(&id).cloned() }.text())
    }

    pub(crate) async fn soul_difference(&self, path: &Path) -> Result<Vec<DiffLine>, EngineError> {
        let file = read(path)?;
        let before = soul_in(&file).map_err(|flaw| flawed(path, flaw))?.unwrap_or_default();
        let lines = linewise(before.trim_end(), self.soul().await?.trim_end());
        Ok(if lines.iter().all(|line| line.sign == ' ') { Vec::new() } else { lines })
    }

    pub(crate) async fn write_soul(&self, path: &Path) -> Result<(), EngineError> {
        self.mind.may(Deed::WriteSelf).await?;
        let file = read(path)?;
        let next = with_soul(&file, &self.soul().await?).map_err(|flaw| flawed(path, flaw))?;
        if next == file && path.exists() {
            return Ok(());
        }
        replace(path, &next).map_err(|error| EngineError::of_file(path, &error))?;
        self.mind.write(self.mind.commit(Op::Soul, &[])).await.map(drop)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, EngineError> {
    match std::fs::read(path) {
        Ok(file) => Ok(file),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(EngineError::of_file(path, &error)),
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
