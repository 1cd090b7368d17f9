//! Database files: backup, restoring and erasure.

use std::path::Path;

use saegim_core::{Language, MindKey, Principal, Timestamp, phrase};
use saegim_engine::{Clock, EngineError, RestoredBackup, SystemClock, VerifiedBackup};
use serde_json::json;

use super::App;
use crate::cli::Global;
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::settings::Settings;
use crate::view::{print, tell};

/// Checks a backup and prints what it holds. A backup that cannot be restored is an error.
pub(super) fn verify_backup(global: &Global, path: &Path, language: Language) -> Result<(), AppError> {
    let VerifiedBackup { holds, has_manifest, health } = saegim_engine::verify_backup(path).map_err(EngineError::from)?;
    if global.json {
        let problems: Vec<String> = health.problems.iter().map(|problem| problem.in_language(language)).collect();
        print(json!({ "backup": path, "manifest": has_manifest, "holds": holds, "problems": problems }))?;
    } else {
        for line in health.notes.iter().chain(&health.problems) {
            tell(line.in_language(language));
        }
    }
    if !health.problems.is_empty() {
        return Err(AppError::Said);
    }
    if !global.json {
        tell(say!(language, "command.files.backup_verified", path = path.display(), minds = holds.minds, memories = holds.memories));
    }
    Ok(())
}

/// Replaces the database by a backup.
pub(super) fn restore_backup(global: &Global, path: &Path, language: Language) -> Result<(), AppError> {
    if global.principal != Principal::Owner {
        return Err(EngineError::Forbidden(phrase!("command.files.owner_restores")).into());
    }
    let database = Settings::read(global)?.database(global)?;
    let now: Timestamp = global.now.unwrap_or_else(|| SystemClock.now());
    let RestoredBackup { holds, replaced } = saegim_engine::restore_backup(&database, path, now).map_err(EngineError::from)?;
    if global.json {
        return print(json!({ "restored": path, "database": database, "holds": holds, "replaced_database": replaced }));
    }
    tell(say!(language, "command.files.backup_restored", path = path.display(), minds = holds.minds, memories = holds.memories));
    if let Some(replaced) = replaced {
        tell(say!(language, "command.files.replaced_kept", path = replaced.display()));
    }
    Ok(())
}

impl App {
    pub(super) async fn backup(&self, path: &Path) -> Result<(), AppError> {
        self.engine.backup(path).await?;
        let key = self.engine.signing_key_file();
        if self.global.json {
            return print(json!({ "backup": path, "signing_key_left_at": key }));
        }
        self.tell(&say!(self.language, "command.files.backed_up", path = path.display()));
        if let Some(key) = key {
            self.tell(&say!(self.language, "command.files.key_not_included", key = key.display()));
        }
        Ok(())
    }

    pub(super) async fn erase(&self, id: Option<&str>, yes: Option<&str>) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        if let Some(id) = id {
            let gone = match self.turn_instead(&mind, id).await? {
                Some(turn) => mind.erase_turn(turn).await?,
                None => mind.erase_memory(mind.resolve(id).await?).await?,
            };
            if self.global.json {
                return print(json!({ "erased": {
                        "memories": gone.memories, "reworded": gone.reworded, "turns": gone.turns, "facts": gone.facts,
                        "assertions": gone.assertions, "statements": gone.statements, "candidates": gone.candidates, "swept": gone.swept,
                    } }));
            }
            self.tell(&say!(
                self.language,
                "command.files.memories_erased",
                memories = names::count(gone.memories, "memory", self.language),
                turns = names::count(gone.turns, "message", self.language),
                facts = names::count(gone.facts, "fact", self.language),
                candidates = names::count(gone.candidates, "judgement", self.language)
            ));
            if gone.reworded > 0 {
                self.tell(&say!(self.language, "command.files.reworded", reworded = names::count(gone.reworded, "essence", self.language)));
            }
            self.tell_traces(gone.swept);
            return Ok(());
        }
        let meant = yes.and_then(|key| MindKey::parse(key).ok());
        if meant.as_ref() != Some(mind.key()) {
            let key = mind.key();
            let problem = phrase!("command.files.confirm_erase", key);
            return Err(AppError::Invalid(saegim_core::Invalid::new("yes", problem)));
        }
        let erased = mind.erase().await?;
        if self.global.json {
            return print(json!({ "erased": {
                "memories": erased.memories, "turns": erased.turns, "facts": erased.facts, "links": erased.links, "vectors": erased.vectors, "swept": erased.swept,
            } }));
        }
        self.tell(&say!(
            self.language,
            "command.files.mind_erased",
            memories = erased.memories,
            turns = erased.turns,
            facts = erased.facts,
            links = erased.links,
            vectors = erased.vectors
        ));
        self.tell(&say!(self.language, "command.files.erased_key", key = format!("erased/{}", mind.id().to_string().replace('-', ""))));
        self.tell_traces(erased.swept);
        Ok(())
    }
}
