//! Turns: list, explain, edit, delete, restore and branch.

use saegim_core::{SessionId, phrase};
use saegim_engine::{CandidatePage, MindHandle, TurnPage, Withdrawn};
use serde_json::{Value, json};

use crate::cli::{TurnsArgs, TurnsCommand};
use crate::command::App;
use crate::error::AppError;
use crate::say::say;
use crate::view::{self, print};

impl App {
    pub(crate) async fn turns(&self, args: TurnsArgs) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let done = match args.command {
            None => return self.list_turns(&mind, &args).await,
            Some(TurnsCommand::Why(of)) => return self.why(&mind, &of.id).await,
            Some(TurnsCommand::Edit { id, text }) => mind.reword(self.turn_named(&mind, &id).await?, &text).await?,
            Some(TurnsCommand::Delete(of)) => mind.withdraw(&[self.turn_named(&mind, &of.id).await?]).await?,
            Some(TurnsCommand::Restore(of)) => mind.reinstate(&[self.turn_named(&mind, &of.id).await?]).await?,
            Some(TurnsCommand::Branch { id, session }) => mind.branch(self.turn_named(&mind, &id).await?, SessionId::new(session)?).await?,
            Some(TurnsCommand::Follow { session }) => mind.follow(&SessionId::new(session)?).await?,
        };
        self.show_withdrawn(&done)
    }

    async fn turn_named(&self, mind: &MindHandle, text: &str) -> Result<saegim_core::TurnId, AppError> {
        self.turn_id(mind, text).await?.ok_or_else(|| AppError::Content(phrase!("command.turns.no_match", text)))
    }

    pub(crate) fn show_withdrawn(&self, done: &Withdrawn) -> Result<(), AppError> {
        if self.global.json {
            return print(json!({ "turns": done.turns, "memories": done.memories, "facts": done.facts }));
        }
        print(say!(self.language, "command.turns.updated", turns = done.turns.len(), memories = done.memories, facts = done.facts))
    }

    async fn list_turns(&self, mind: &MindHandle, args: &TurnsArgs) -> Result<(), AppError> {
        let session = args.session.clone().map(SessionId::new).transpose()?;
        let page = TurnPage { limit: args.limit, session, withdrawn: args.withdrawn, ..TurnPage::default() };
        let turns = mind.turns(page).await?;
        if self.global.json {
            return print(json!({ "turns": turns.iter().map(view::turn).collect::<Vec<_>>() }));
        }
        for turn in &turns {
            let speaker = turn.speaker.clone().unwrap_or_else(|| turn.role.to_string());
            let gone = if turn.is_live() { String::new() } else { say!(self.language, "command.turns.retracted") };
            let id = turn.id.to_string();
            print(format!("{}  {}  {speaker}: {}{gone}", &id[id.len() - 8..], self.language.ago(turn.at, self.now()), turn.content))?;
        }
        Ok(())
    }

    async fn why(&self, mind: &MindHandle, id: &str) -> Result<(), AppError> {
        let turn = self.turn_named(mind, id).await?;
        let mut candidates = mind.candidates(CandidatePage { limit: 1000, turn: Some(turn), verdict: None }).await?;
        candidates.reverse();
        if self.global.json {
            return print(json!({ "candidates": candidates.iter().map(view::candidate).collect::<Vec<Value>>() }));
        }
        for candidate in &candidates {
            print(format!("{} {:.2} {}: {}", candidate.verdict, candidate.score.get(), candidate.content, candidate.reason))?;
            let score = candidate.factors.score(&self.engine.policy().candidate);
            for part in score.parts() {
                print(format!("    {:<18} {:.2} × {:.2}", part.name, part.weight, part.value))?;
            }
        }
        Ok(())
    }
}
