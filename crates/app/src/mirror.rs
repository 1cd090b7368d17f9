//! Keeps a coordinate export of the selected mind up to date, if the configuration names a folder for it.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use saegim_core::MindKey;
use saegim_engine::{Engine, Format};

use crate::error::AppError;

/// File that holds the ledger sequence of the last export.
const MARK: &str = ".ledger_sequence";

/// Interval at which a server looks for changes.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// A coordinate export that follows a mind.
#[derive(Clone)]
pub(crate) struct Mirror {
    pub(crate) key: MindKey,
    pub(crate) folder: PathBuf,
}

impl Mirror {
    /// Exports the mind again if it changed since the last export. Every file is replaced at once, and sessions without memories
    /// disappear, so that forgotten text does not stay in the folder.
    pub(crate) async fn refresh(&self, engine: &Engine) -> Result<(), AppError> {
        let Some(mind) = engine.existing_mind(&self.key).await? else { return Ok(()) };
        let (head, mark) = (mind.head().await?.to_string(), self.folder.join(MARK));
        if std::fs::read_to_string(&mark).is_ok_and(|written| written == head) {
            return Ok(());
        }
        let mut files = BTreeSet::new();
        mind.export(Format::Coordinates, |piece| {
            let path = self.folder.join(piece.file.unwrap_or_default());
            replace(&path, &piece.text)?;
            files.insert(path);
            Ok::<_, AppError>(())
        })
        .await?;
        let sessions = self.folder.join("sessions");
        for entry in std::fs::read_dir(&sessions).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|end| end == "jsonl") && !files.contains(&path) {
                std::fs::remove_file(&path).map_err(|error| AppError::file(&path, error))?;
            }
        }
        replace(&mark, &head)
    }

    /// Follows the mind until the task is aborted. Problems are reported, and the next round tries again.
    pub(crate) async fn follow(self, engine: Engine) {
        loop {
            if let Err(error) = self.refresh(&engine).await {
                crate::view::tell(format!("saegim: {}", error.phrase()));
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

/// Replaces a file at once, so that a reader never sees a part of it.
fn replace(path: &Path, text: &str) -> Result<(), AppError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = std::fs::create_dir_all(folder).and_then(|()| {
        let mut part = tempfile::NamedTempFile::new_in(folder)?;
        part.write_all(text.as_bytes())?;
        part.persist(path).map_err(|error| error.error).map(drop)
    });
    written.map_err(|error| AppError::file(path, error))
}
