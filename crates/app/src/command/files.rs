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
        self.tell(&say!(self.language, "copied to {}", "{} 에 복사했습니다", path.display()));
        if let Some(key) = key {
            self.tell(&say!(
                self.language,
                "the key that signs the ledger is not part of it; keep a copy of {} in another safe place",
                "기록에 서명하는 키는 들어 있지 않습니다. {} 을(를) 다른 안전한 곳에도 보관하세요",
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
                "지웠습니다: 기억 {}, 대화 {}, 사실 {}, 판단 {}",
                names::count(gone.memories, ("memory", "memories", "개"), self.language),
                names::count(gone.turns, ("turn", "turns", "개"), self.language),
                names::count(gone.facts, ("fact", "facts", "건"), self.language),
                names::count(gone.candidates, ("judgement", "judgements", "건"), self.language)
            ));
            if gone.reworded > 0 {
                self.tell(&say!(
                    self.language,
                    "worded anew without it: {}",
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
                "this erases everything of {key} at once; if you mean it: saegim erase --yes \"{key}\"",
                "{key} 의 모든 것이 바로 지워집니다. 정말이라면: saegim erase --yes \"{key}\""
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
            "erased: {} memories, {} turns, {} facts, {} links, {} vectors; the ledger keeps that it happened",
            "지웠습니다: 기억 {}개, 대화 {}개, 사실 {}건, 연결 {}개, 벡터 {}개. 지웠다는 사실만 기록에 남습니다",
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
