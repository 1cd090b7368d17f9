//! Database files: backup and erasure.

use std::path::Path;

use saegim_core::{MindKey, phrase};
use serde_json::json;

use super::App;
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::view::print;

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
        self.tell_traces(erased.swept);
        Ok(())
    }
}
