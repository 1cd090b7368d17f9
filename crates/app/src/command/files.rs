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
        self.tell(&say!(self.language, "backed up to {}", "{}에 백업했어요", path.display()));
        if let Some(key) = key {
            self.tell(&say!(
                self.language,
                "the backup does not include the ledger signing key; store a copy of {} in another safe place",
                "백업에는 변경 기록 서명 키가 들어 있지 않아요. {}을(를) 다른 안전한 곳에 따로 보관해 주세요",
                key.display()
            ));
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
                        "statements": gone.statements, "candidates": gone.candidates, "swept": gone.swept,
                    } }));
            }
            self.tell(&say!(
                self.language,
                "erased: {}, {}, {}, {}",
                "삭제했어요: 기억 {}, 메시지 {}, 사실 {}, 판단 {}",
                names::count(gone.memories, ("memory", "memories", "개"), self.language),
                names::count(gone.turns, ("message", "messages", "개"), self.language),
                names::count(gone.facts, ("fact", "facts", "개"), self.language),
                names::count(gone.candidates, ("judgement", "judgements", "개"), self.language)
            ));
            if gone.reworded > 0 {
                self.tell(&say!(
                    self.language,
                    "rewritten without it: {}",
                    "이 기억을 빼고 다시 쓴 본질: {}",
                    names::count(gone.reworded, ("essence", "essences", "개"), self.language)
                ));
            }
            self.tell_traces(gone.swept);
            return Ok(());
        }
        let meant = yes.and_then(|key| MindKey::parse(key).ok());
        if meant.as_ref() != Some(mind.key()) {
            let key = mind.key();
            let problem = phrase!(
                "this permanently erases all data of {key}; to confirm, run: saegim erase --yes \"{key}\"",
                "{key}의 모든 데이터가 영구 삭제돼요. 계속하려면 실행해 주세요: saegim erase --yes \"{key}\""
            );
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
            "erased: {} memories, {} messages, {} facts, {} links, {} vectors; the ledger records only that it happened",
            "삭제했어요: 기억 {}개, 메시지 {}개, 사실 {}개, 연결 {}개, 벡터 {}개. 삭제했다는 사실만 변경 기록에 남아요",
            erased.memories,
            erased.turns,
            erased.facts,
            erased.links,
            erased.vectors,
        ));
        self.tell_traces(erased.swept);
        Ok(())
    }
}
