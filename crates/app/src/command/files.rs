//! In and out: bundles, backups, erasure.

use std::io::{BufRead, BufReader, BufWriter, IsTerminal, Write};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use saegim_core::{Memory, MindKey, phrase};
use saegim_engine::{Filter, Page};
use serde_json::json;

use super::App;
use crate::cli::Format;
use crate::error::AppError;
use crate::say::say;
use crate::view::print;

/// How many memories are written in one go.
const BATCH: usize = 200;

impl App {
    pub(super) async fn export(&self, format: Format, path: &Path) -> Result<(), AppError> {
        let Format::Bundle = format;
        let mind = self.known_mind().await?;
        let file = std::fs::File::create(path).map_err(|error| AppError::file(path, error))?;
        let mut file = BufWriter::new(file);
        let mut count = 0;
        let mut page = Page { limit: 1000, before: None };
        let bar = self.bar(mind.counts().await?.zones.iter().sum());
        loop {
            let memories = mind.list(&Filter::default(), page.clone()).await?;
            let Some(last) = memories.last() else { break };
            page.before = Some(last.id);
            count += memories.len();
            bar.inc(memories.len() as u64);
            for memory in &memories {
                writeln!(file, "{}", json!(memory)).map_err(|error| AppError::file(path, error))?;
            }
        }
        file.flush().map_err(|error| AppError::file(path, error))?;
        bar.finish_and_clear();
        if self.global.json {
            return print(json!({ "exported": count, "path": path }));
        }
        self.tell(&say!(self.language, "{count} memories written to {}", "기억 {count}개를 {} 에 썼습니다", path.display()));
        Ok(())
    }

    pub(super) async fn import(&self, format: Format, path: &Path) -> Result<(), AppError> {
        let Format::Bundle = format;
        // The whole file is read and checked before anything is kept.
        let file = std::fs::File::open(path).map_err(|error| AppError::file(path, error))?;
        let mut memories: Vec<Memory> = Vec::new();
        for (number, line) in BufReader::new(file).lines().enumerate() {
            let line = line.map_err(|error| AppError::file(path, error))?;
            if line.trim().is_empty() {
                continue;
            }
            let wrong = |error| {
                AppError::Content(phrase!(
                    "{}, line {}: {error}; nothing was imported",
                    "{}, {}번째 줄: {error}. 아무것도 들여오지 않았습니다",
                    path.display(),
                    number + 1
                ))
            };
            memories.push(serde_json::from_str(&line).map_err(wrong)?);
        }
        let mind = self.mind().await?;
        let bar = self.bar(memories.len() as u64);
        let (mut added, mut known) = (0, 0);
        for batch in memories.chunks(BATCH) {
            let imported = mind.import(batch.to_vec()).await?;
            added += imported.added;
            known += imported.known;
            bar.inc(batch.len() as u64);
        }
        bar.finish_and_clear();
        if self.global.json {
            return print(json!({ "imported": added, "known": known }));
        }
        self.tell(&say!(
            self.language,
            "{added} memories imported, {known} were here already",
            "기억 {added}개를 들여왔습니다. {known}개는 이미 있었습니다"
        ));
        Ok(())
    }

    /// A progress bar on a terminal; nothing elsewhere.
    fn bar(&self, length: u64) -> ProgressBar {
        if self.global.json || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}").expect("the template is a constant");
        ProgressBar::new(length).with_style(style)
    }

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
            let swept = mind.erase_memory(mind.resolve(id).await?).await?;
            if self.global.json {
                return print(json!({ "erased": { "memories": 1, "swept": swept } }));
            }
            self.tell(&say!(self.language, "erased", "지웠습니다"));
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
                "memories": erased.memories, "links": erased.links, "vectors": erased.vectors, "swept": erased.swept,
            } }));
        }
        self.tell(&say!(
            self.language,
            "erased: {} memories, {} links, {} vectors; the ledger keeps that it happened",
            "지웠습니다: 기억 {}개, 연결 {}개, 벡터 {}개. 지웠다는 사실만 기록에 남습니다",
            erased.memories,
            erased.links,
            erased.vectors,
        ));
        Ok(())
    }
}
