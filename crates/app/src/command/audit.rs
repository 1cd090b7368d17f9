//! The ledger on the command line.

use saegim_core::{Verdict, phrase};
use saegim_engine::SignedHead;
use serde_json::json;

use super::App;
use crate::cli::{LedgerArgs, LedgerCommand};
use crate::error::AppError;
use crate::say::say;
use crate::view::{self, print};

impl App {
    pub(super) async fn ledger(&self, args: LedgerArgs) -> Result<(), AppError> {
        match args.command {
            None => self.entries(args.since, args.limit).await,
            Some(LedgerCommand::Verify { head }) => self.verify(head.as_deref()).await,
            Some(LedgerCommand::Head) => print(json!(self.known_mind().await?.sign_head().await?)),
            Some(LedgerCommand::Export { folder }) => {
                let files = self.known_mind().await?.export_ledger(&folder).await?;
                if self.global.json {
                    return print(json!({ "files": files }));
                }
                files.iter().try_for_each(|file| print(file.display()))
            }
        }
    }

    async fn entries(&self, since: Option<saegim_core::Timestamp>, limit: usize) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let mut entries = Vec::new();
        let mut after = 0;
        loop {
            let page = mind.ledger(after, 1000).await?;
            let Some((last, _)) = page.last() else { break };
            after = last.sequence;
            entries.extend(page.into_iter().filter(|(entry, _)| since.is_none_or(|since| entry.at >= since)));
            let surplus = entries.len().saturating_sub(limit);
            entries.drain(..surplus);
        }
        if self.global.json {
            let entry = |(entry, hash): &(saegim_core::LedgerEntry, saegim_core::Hash)| {
                let mut value = json!(entry);
                value["hash"] = json!(hash);
                value
            };
            return print(json!({ "entries": entries.iter().map(entry).collect::<Vec<_>>() }));
        }
        let zone = self.settings.time_zone()?;
        entries.iter().try_for_each(|(entry, _)| print(view::entry(entry, &zone, self.language)))
    }

    async fn verify(&self, head: Option<&std::path::Path>) -> Result<(), AppError> {
        let head: Option<SignedHead> = match head {
            None => None,
            Some(path) => {
                let text = std::fs::read_to_string(path).map_err(|error| AppError::file(path, error))?;
                Some(
                    serde_json::from_str(&text)
                        .map_err(|_| AppError::Content(phrase!("command.audit.no_signed_head", path = path.display())))?,
                )
            }
        };
        let verdict = self.known_mind().await?.verify_ledger(head.as_ref()).await?;
        if self.global.json {
            print(json!(verdict))?;
        }
        match verdict {
            Verdict::Whole { entries, head } => {
                self.tell(&say!(self.language, "command.audit.intact", entries, head));
                Ok(())
            }
            Verdict::Broken { sequence, problem } => {
                let problem = problem.in_language(self.language);
                self.tell(&say!(self.language, "command.audit.broken", sequence, problem));
                Err(AppError::Said)
            }
        }
    }
}
