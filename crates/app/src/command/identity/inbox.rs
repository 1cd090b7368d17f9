//! The owner's inbox: pending proposals and decisions.

use saegim_core::{Deed, Hash, MemoryId, Proposal, ProposalId, ProposalKind, ProposalStatus, Proposed};
use saegim_engine::{Decision, IslandDraft, MindHandle, ProposalRequest};
use serde_json::json;

use crate::cli::{AnswerArgs, ProposeCommand};
use crate::command::App;
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::shapes;
use crate::text::gist;
use crate::view::{self, print};

/// Maximum number of supporting memories shown per proposal.
const EVIDENCE: usize = 5;

/// Whether to show how to answer a proposal.
#[derive(Clone, Copy, PartialEq)]
enum Asking {
    Answer,
    Nothing,
}

impl App {
    pub(crate) async fn proposals(&self, all: bool) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let proposals = mind.proposals((!all).then_some(ProposalStatus::Pending)).await?;
        if self.global.json {
            let shown: Vec<shapes::Proposal> = proposals.iter().map(|proposal| shapes::Proposal::of(proposal, self.language)).collect();
            return print(json!({ "proposals": shown }));
        }
        if proposals.is_empty() {
            self.tell(&say!(self.language, "command.inbox.none_pending"));
        }
        for proposal in &proposals {
            self.show_proposal(&mind, proposal, Asking::Answer).await?;
        }
        Ok(())
    }

    /// Prints a proposal: what it would change, why, and how to answer.
    async fn show_proposal(&self, mind: &MindHandle, proposal: &Proposal, asking: Asking) -> Result<(), AppError> {
        let language = self.language;
        let (id, digest) = (view::short(proposal.id), &proposal.digest.to_string()[..8]);
        let kind = names::proposal(proposal.kind, language);
        let by = names::actor(proposal.made_by, language);
        let state = match proposal.status {
            ProposalStatus::Pending => {
                let left = language.left(proposal.lapses_at.since(self.now()));
                say!(language, "command.inbox.time_left", left)
            }
            status => names::status(status, language),
        };
        print(format!("{kind}  {}", view::dim(&format!("{id} · {by} · {state}"))))?;
        for line in view::diff(&proposal.change, language) {
            print(format!("  {} {}", line.sign, gist(&line.text, 300)))?;
        }
        for reason in &proposal.reasons {
            print(format!("    {}", reason.in_language(language)))?;
        }
        // Other proposals already quote the memory in their change.
        if matches!(proposal.kind, ProposalKind::Belief | ProposalKind::Island) {
            for id in proposal.evidence.iter().take(EVIDENCE) {
                let says = mind.get(*id).await.map(|memory| gist(&memory.content, 200));
                let says = says.unwrap_or_else(|_| say!(language, "command.inbox.deleted"));
                print(view::dim(&format!("    · {says}  {}", view::short(*id))))?;
            }
        }
        if let Proposed::FactEnd { turns, .. } = &proposal.change
            && let Some(turn) = turns.first()
        {
            let said = mind.turn(*turn).await.map(|turn| gist(&turn.content, 200));
            let said = said.unwrap_or_else(|_| say!(language, "command.inbox.deleted"));
            print(view::dim(&format!("    · \"{said}\"")))?;
        }
        if proposal.status == ProposalStatus::Pending && asking == Asking::Answer {
            let line = say!(language, "command.inbox.decide_commands", id, digest);
            print(view::dim(&line))?;
        }
        Ok(())
    }

    pub(crate) async fn propose(&self, command: ProposeCommand) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let ask = match command {
            ProposeCommand::Core { id } => ProposalRequest::Core(mind.resolve(&id).await?),
            ProposeCommand::Edit { id, text } => ProposalRequest::EditCore(mind.resolve(&id).await?, text),
            ProposeCommand::Forget { id } => ProposalRequest::Forget(mind.resolve(&id).await?),
            ProposeCommand::Belief { text, evidence } => ProposalRequest::Belief(text, self.memories_named(&mind, &evidence).await?),
            ProposeCommand::Island { founding, name } => ProposalRequest::Island(IslandDraft {
                founding: self.memories_named(&mind, &founding).await?,
                name,
                ..IslandDraft::default()
            }),
        };
        let proposal = mind.propose(ask).await?;
        if self.global.json {
            return print(json!(shapes::Proposal::of(&proposal, self.language)));
        }
        self.show_proposal(&mind, &proposal, Asking::Answer).await
    }

    pub(crate) async fn memories_named(&self, mind: &MindHandle, names: &[String]) -> Result<Vec<MemoryId>, AppError> {
        let mut ids = Vec::with_capacity(names.len());
        for name in names {
            ids.push(mind.resolve(name).await?);
        }
        Ok(ids)
    }

    pub(crate) async fn approve(&self, args: &AnswerArgs) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        mind.allowed(Deed::Decide).await?;
        let (id, digest) = self.answered(&mind, &args.id).await?;
        let decided = mind.approve(id, digest).await?;
        self.keep_soul(&mind).await?;
        self.show_decided(&decided, &say!(self.language, "command.inbox.approved"))
    }

    pub(crate) async fn reject(&self, args: &AnswerArgs) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        mind.allowed(Deed::Decide).await?;
        let (id, digest) = self.answered(&mind, &args.id).await?;
        let decided = mind.reject(id, digest).await?;
        self.show_decided(&decided, &say!(self.language, "command.inbox.rejected"))
    }

    pub(crate) async fn undo(&self, id: &str) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        mind.allowed(Deed::Decide).await?;
        let decided = mind.undo(mind.resolve_proposal(id).await?).await?;
        self.keep_soul(&mind).await?;
        self.show_decided(&decided, &say!(self.language, "command.inbox.approval_undone"))
    }

    /// Returns the proposal and the digest the owner saw: the given one, or the current one, after showing the
    /// proposal.
    async fn answered(&self, mind: &MindHandle, text: &str) -> Result<(ProposalId, Hash), AppError> {
        let (digits, seen) = text.split_once(':').map_or((text, None), |(digits, seen)| (digits, Some(seen.trim().to_lowercase())));
        let id = mind.resolve_proposal(digits).await?;
        let now = mind.proposal(id).await?;
        let same = seen.as_deref().is_none_or(|seen| seen.len() >= 4 && now.digest.to_string().starts_with(seen));
        if same && seen.is_none() && !self.global.json && now.status == ProposalStatus::Pending {
            self.show_proposal(mind, &now, Asking::Nothing).await?;
        }
        Ok((id, if same { now.digest } else { Hash::NONE }))
    }

    fn show_decided(&self, decided: &Decision, done: &str) -> Result<(), AppError> {
        if self.global.json {
            return print(json!(shapes::Answer::of(decided, self.language)));
        }
        let version = decided.version.map(|version| say!(self.language, "command.inbox.self_version", version)).unwrap_or_default();
        print(format!("{done}{version}"))?;
        decided.told.iter().for_each(|told| self.tell(&told.in_language(self.language)));
        Ok(())
    }

    /// Prints the number of pending proposals, if there are any.
    pub(crate) async fn tell_waiting(&self, mind: &MindHandle) -> Result<(), AppError> {
        let waiting = if self.global.json { 0 } else { mind.waiting().await.unwrap_or(0) };
        match waiting {
            0 => {}
            1 => self.tell(&say!(self.language, "command.inbox.one_waiting")),
            count => self.tell(&say!(self.language, "command.inbox.several_waiting", count)),
        }
        Ok(())
    }
}
