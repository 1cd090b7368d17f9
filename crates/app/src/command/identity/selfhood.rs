//! The self: islands, beliefs, SOUL.md.

use std::path::{Path, PathBuf};

use saegim_core::{Belief, BeliefChange, DiffLine, Island, IslandStatus, SelfVersion};
use saegim_engine::{IslandDraft, MindHandle, Opinion};
use serde_json::json;

use crate::cli::{IslandsArgs, IslandsCommand, OwnCommand, SelfCommand, SoulArgs};
use crate::command::App;
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::shapes;
use crate::text::gist;
use crate::view::{self, print};

impl App {
    pub(crate) async fn own(&self, command: OwnCommand) -> Result<(), AppError> {
        match command {
            OwnCommand::Islands(args) => self.islands(args).await,
            OwnCommand::Beliefs(args) => self.selfhood(args.command).await,
            OwnCommand::Soul(args) => self.soul(args).await,
            OwnCommand::Proposals { all } => self.proposals(all).await,
            OwnCommand::Propose(command) => self.propose(command).await,
            OwnCommand::Approve(args) => self.approve(&args).await,
            OwnCommand::Reject(args) => self.reject(&args).await,
            OwnCommand::Undo { id } => self.undo(&id).await,
            OwnCommand::Imagine(args) => self.imagine(args).await,
            OwnCommand::Like { id } => self.judge_imagination(&id, Opinion::Liked).await,
            OwnCommand::Dislike { id } => self.judge_imagination(&id, Opinion::Disliked).await,
            OwnCommand::Grant { scope, reason, hours } => self.grant(scope, reason, hours).await,
            OwnCommand::Grants => self.grants().await,
            OwnCommand::Revoke { id } => self.revoke(&id).await,
        }
    }

    async fn islands(&self, args: IslandsArgs) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let changed = match args.command {
            None => {
                let islands = mind.islands().await?;
                if islands.is_empty() {
                    self.tell(&say!(self.language, "command.selfhood.no_islands"));
                }
                return self.show_islands(&mind, &islands).await;
            }
            Some(IslandsCommand::Add { founding, name, emoji, description }) => {
                let founding = self.memories_named(&mind, &founding).await?;
                mind.add_island(IslandDraft { name, emoji, description, founding }).await?
            }
            Some(IslandsCommand::Rename { island, name, emoji, description }) => {
                let draft = IslandDraft { name, emoji, description, founding: Vec::new() };
                mind.change_island(mind.resolve_island(&island).await?, draft).await?
            }
            Some(IslandsCommand::Remove { island }) => {
                let gone = mind.remove_island(mind.resolve_island(&island).await?).await?;
                self.keep_soul(&mind).await?;
                if self.global.json {
                    return print(json!({ "removed": gone.id }));
                }
                self.tell(&say!(self.language, "command.selfhood.island_removed", name = gone.name));
                return Ok(());
            }
        };
        self.keep_soul(&mind).await?;
        self.show_islands(&mind, &[changed]).await
    }

    async fn show_islands(&self, mind: &MindHandle, islands: &[Island]) -> Result<(), AppError> {
        if self.global.json {
            let warnings: Vec<String> = mind.warnings().await?.iter().map(|warning| warning.in_language(self.language)).collect();
            let policy = &self.engine.policy().island;
            let shown: Vec<shapes::Island> = islands.iter().map(|island| shapes::Island::of(island, policy)).collect();
            return print(json!({ "islands": shown, "warnings": warnings }));
        }
        for island in islands {
            let status = names::island(island.status, self.language);
            print(format!(
                "{} {}  {}",
                island.emoji,
                island.name,
                view::dim(&format!("{status} · {:.2} · {}", island.strength.get(), view::short(island.id)))
            ))?;
            if !island.description.is_empty() {
                print(format!("  {}", island.description))?;
            }
            for id in island.founding.iter().chain(&island.rebuilding) {
                let says =
                    mind.get(*id).await.map(|memory| (gist(&memory.content, 200), memory.standing == saegim_core::MemoryState::OnCliff));
                let line = match says {
                    Ok((says, false)) => says,
                    Ok((says, true)) => say!(self.language, "command.selfhood.belief_on_cliff", says, id = view::short(*id)),
                    Err(_) => say!(self.language, "command.selfhood.deleted"),
                };
                print(format!("  · {line}  {}", view::dim(&view::short(*id))))?;
            }
            if let Some(falls) = island.collapses_at(&self.engine.policy().island) {
                let left = self.language.left(falls.since(self.now()));
                self.tell(&say!(self.language, "command.selfhood.island_shaking", name = island.name, left));
            }
        }
        Ok(())
    }

    async fn selfhood(&self, command: Option<SelfCommand>) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        match command {
            None => self.show_self(&mind).await,
            Some(SelfCommand::Versions) => self.show_versions(&mind.self_versions().await?, &mind.islands().await?),
            Some(SelfCommand::Diff { from, to }) => {
                let last = mind.current_self().await?.map_or(0, |version| version.version);
                let to = to.unwrap_or(last);
                let from = from.unwrap_or(to.saturating_sub(1));
                self.show_changes((from, to), &mind.self_difference(from, to).await?)
            }
            Some(SelfCommand::Return { version }) => {
                let before = mind.current_self().await?.map_or(0, |version| version.version);
                let next = mind.return_to(version).await?;
                self.keep_soul(&mind).await?;
                self.show_changes((before, next.version), &mind.self_difference(before, next.version).await?)
            }
        }
    }

    async fn show_self(&self, mind: &MindHandle) -> Result<(), AppError> {
        let (version, islands) = (mind.current_self().await?, mind.islands().await?);
        if self.global.json {
            return print(match version {
                Some(version) => json!(shapes::SelfVersion::of(&version, &islands)),
                None => json!({ "version": null, "made_at": null, "beliefs": [] }),
            });
        }
        let Some(version) = version else {
            self.tell(&say!(self.language, "command.selfhood.no_self"));
            return self.tell_waiting(mind).await;
        };
        for belief in &version.beliefs {
            self.show_belief(mind, belief, &islands).await?;
        }
        self.tell(&say!(
            self.language,
            "command.selfhood.version",
            version = version.version,
            ago = self.language.ago(version.made_at, self.now())
        ));
        self.tell_waiting(mind).await
    }

    async fn show_belief(&self, mind: &MindHandle, belief: &Belief, islands: &[Island]) -> Result<(), AppError> {
        let island = belief.island_among(islands);
        let mut about = format!("{:.2}", belief.confidence.get());
        if let Some(island) = island {
            about.push_str(&format!(" · {} {}", island.emoji, island.name));
            if island.status != IslandStatus::Active {
                about.push_str(&format!(" ({})", names::island(island.status, self.language)));
            }
        }
        print(format!("{}  {}", belief.statement, view::dim(&about)))?;
        for id in &belief.supporting {
            let says =
                mind.get(*id).await.map_or_else(|_| say!(self.language, "command.selfhood.deleted"), |memory| gist(&memory.content, 200));
            print(format!("  · {says}  {}", view::dim(&view::short(*id))))?;
        }
        Ok(())
    }

    fn show_versions(&self, versions: &[SelfVersion], islands: &[Island]) -> Result<(), AppError> {
        if self.global.json {
            let shown: Vec<shapes::SelfVersion> = versions.iter().map(|version| shapes::SelfVersion::of(version, islands)).collect();
            return print(json!({ "versions": shown }));
        }
        for version in versions {
            let (reason, ago) = (names::self_reason(version.reason, self.language), self.language.ago(version.made_at, self.now()));
            print(say!(
                self.language,
                "command.selfhood.version_row",
                version = format_args!("{:>3}", version.version),
                ago,
                reason,
                beliefs = version.beliefs.len()
            ))?;
        }
        Ok(())
    }

    fn show_changes(&self, (from, to): (u64, u64), changes: &[BeliefChange]) -> Result<(), AppError> {
        let lines = saegim_core::Proposed::Beliefs { changes: changes.to_vec() }.diff();
        if self.global.json {
            return print(json!({ "from": from, "to": to, "changes": changes, "diff": lines }));
        }
        self.show_lines(&lines)?;
        self.tell(&say!(self.language, "command.selfhood.compared_versions", from, to));
        Ok(())
    }

    fn show_lines(&self, lines: &[DiffLine]) -> Result<(), AppError> {
        lines.iter().try_for_each(|line| print(format!("{} {}", line.sign, crate::text::shown(&line.text))))
    }

    async fn soul(&self, args: SoulArgs) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let path = args.file.clone().or_else(|| self.settings.soul.clone()).unwrap_or_else(|| PathBuf::from("SOUL.md"));
        if args.diff {
            let lines = mind.soul_difference(&path).await?;
            if self.global.json {
                return print(json!({ "path": path, "diff": lines }));
            }
            if lines.is_empty() {
                self.tell(&say!(self.language, "command.selfhood.soul_up_to_date", path = path.display()));
            }
            return self.show_lines(&lines);
        }
        let text = mind.soul().await?;
        if args.write {
            mind.write_soul(&path).await?;
            if self.global.json {
                return print(json!({ "path": path, "written": true }));
            }
            self.tell(&say!(self.language, "command.selfhood.soul_written", path = path.display()));
            return Ok(());
        }
        if self.global.json {
            return print(json!({ "path": path, "text": text }));
        }
        print(text.trim_end())
    }

    /// Updates the configured SOUL.md after a decision of the owner. An error with the file is reported and does not
    /// revert the decision.
    pub(crate) async fn keep_soul(&self, mind: &MindHandle) -> Result<(), AppError> {
        let Some(path): Option<&Path> = self.settings.soul.as_deref() else { return Ok(()) };
        if let Err(error) = mind.write_soul(path).await {
            let why = error.phrase();
            let why = why.in_language(self.language);
            view::tell(say!(self.language, "command.selfhood.soul_not_written", why));
        }
        Ok(())
    }
}
