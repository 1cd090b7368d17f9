//! Import and export.

use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use saegim_core::{Deed, phrase};
use saegim_engine::{EngineError, ExportChunk, ExportSummary, Format, ImportData};
use serde_json::json;

use super::App;
use crate::cli::{ExportArgs, ImportArgs};
use crate::error::AppError;
use crate::import::{Imported, store};
use crate::say::say;
use crate::text::for_terminal;
use crate::view::print;

/// Maximum number of skipped items listed for people; JSON lists all.
const NAMED: usize = 10;

impl App {
    pub(super) async fn import(&self, args: ImportArgs) -> Result<(), AppError> {
        // Check the permission before anything is read or created.
        match self.engine.existing_mind(&self.key).await? {
            Some(mind) => mind.allowed(Deed::Import).await?,
            None => self.engine.may(Deed::Import)?,
        }
        let format = Format::from(args.format);
        // Parse the whole file before anything is stored.
        let parcel = if args.path == Path::new("-") {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(|error| AppError::File { path: "standard input".into(), error })?;
            ImportData::read_text(format, &text, &self.key)?
        } else {
            ImportData::read(format, &args.path, &self.key)?
        };
        let mind = self.mind().await?;
        let bar = self.bar(parcel.arrivals.len() as u64);
        let imported = store(&mind, parcel, args.tier, &|stored| bar.set_position(stored)).await?;
        bar.finish_and_clear();
        self.report_import(&imported)
    }

    fn report_import(&self, imported: &Imported) -> Result<(), AppError> {
        if self.global.json {
            return print(imported.json());
        }
        let Imported { all, heard, links, notes } = imported;
        let language = self.language;
        self.tell(&say!(language, "command.exchange.imported", added = all.added, links, known = all.known, left_out = all.left_out.len()));
        if heard.turns + heard.facts > 0 {
            self.tell(&say!(language, "command.exchange.conversation_imported", turns = heard.turns, facts = heard.facts));
        }
        for left in all.left_out.iter().take(NAMED) {
            self.tell(&format!("  {}: {}", left.what, left.why.in_language(language)));
        }
        if let Some(more) = all.left_out.len().checked_sub(NAMED + 1) {
            self.tell(&say!(language, "command.exchange.more_left_out", more = more + 1));
        }
        notes.iter().for_each(|note| self.tell(&note.in_language(language)));
        Ok(())
    }

    pub(super) async fn export(&self, args: ExportArgs) -> Result<(), AppError> {
        let format = Format::from(args.format);
        let mind = self.known_mind().await?;
        let mut target = Target::open(&args, &self.database)?;
        let bar = self.bar(mind.counts().await?.zones.iter().sum());
        let written = mind
            .export(format, |piece: ExportChunk| {
                bar.inc(piece.memories as u64);
                target.put(&piece)
            })
            .await;
        bar.finish_and_clear();
        let written = written.inspect_err(|_| target.withdraw())?;
        target.keep()?;
        self.report_export(&args.path, &written)
    }

    fn report_export(&self, path: &Path, written: &ExportSummary) -> Result<(), AppError> {
        let to_output = path == Path::new("-");
        if self.global.json && !to_output {
            return print(json!({
                "exported": written.memories, "on_cliff": written.on_cliff, "links": written.links, "path": path, "notes": written.notes,
            }));
        }
        self.tell(&say!(
            self.language,
            "command.exchange.written",
            memories = written.memories,
            on_cliff = written.on_cliff,
            links = written.links,
            path = path.display()
        ));
        written.notes.iter().for_each(|note| self.tell(&note.in_language(self.language)));
        Ok(())
    }

    /// Returns a progress bar, hidden if standard error is not a terminal.
    fn bar(&self, length: u64) -> ProgressBar {
        if self.global.json || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}").expect("the template is a constant");
        ProgressBar::new(length).with_style(style)
    }
}

/// Destination of an export. A file gets its final name only when it is complete.
enum Target {
    Output,
    Folder(PathBuf),
    File { file: std::io::BufWriter<std::fs::File>, part: PathBuf, path: PathBuf },
}

impl Target {
    fn open(args: &ExportArgs, database: &Path) -> Result<Self, AppError> {
        let path = &args.path;
        if path == Path::new("-") {
            return Ok(Self::Output);
        }
        let folder = matches!(Format::from(args.format), Format::Coordinates);
        let held = if folder { path.is_file() || path.read_dir().is_ok_and(|mut inside| inside.next().is_some()) } else { path.exists() };
        let ours = database.canonicalize().ok().zip(path.canonicalize().ok()).is_some_and(|(ours, path)| ours == path);
        if held && (folder || ours || path.is_dir() || !args.replace) {
            return Err(AppError::Engine(EngineError::Conflict(if folder || ours || path.is_dir() {
                phrase!("command.exchange.already_exists", path = path.display())
            } else {
                phrase!("command.exchange.already_exists_replace", path = path.display())
            })));
        }
        if folder {
            std::fs::create_dir_all(path).map_err(|error| AppError::file(path, error))?;
            return Ok(Self::Folder(path.clone()));
        }
        let mut part = path.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = std::fs::File::create(&part).map_err(|error| AppError::file(path, error))?;
        Ok(Self::File { file: std::io::BufWriter::new(file), part, path: path.clone() })
    }

    fn put(&mut self, piece: &ExportChunk) -> Result<(), AppError> {
        match self {
            Self::Output => {
                // A pipe gets the exact bytes, a terminal what it cannot be commanded with.
                let mut output = std::io::stdout().lock();
                let shown = output.is_terminal().then(|| for_terminal(&piece.text));
                output.write_all(shown.as_ref().unwrap_or(&piece.text).as_bytes()).map_err(AppError::output)
            }
            Self::Folder(folder) => {
                let path = folder.join(piece.file.as_deref().unwrap_or_default());
                let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
                made.and_then(|()| std::fs::write(&path, &piece.text)).map_err(|error| AppError::file(&path, error))
            }
            Self::File { file, path, .. } => file.write_all(piece.text.as_bytes()).map_err(|error| AppError::file(path, error)),
        }
    }

    /// Renames the complete file to its final name.
    fn keep(self) -> Result<(), AppError> {
        let Self::File { mut file, part, path } = self else { return Ok(()) };
        let kept = file.flush().and_then(|()| file.get_ref().sync_all()).and_then(|()| std::fs::rename(&part, &path));
        kept.map_err(|error| {
            let _ = std::fs::remove_file(&part);
            AppError::file(&path, error)
        })
    }

    /// Deletes an incomplete file.
    fn withdraw(&self) {
        if let Self::File { part, .. } = self {
            let _ = std::fs::remove_file(part);
        }
    }
}
