//! Memories: store, recall, show, edit, forget, restore.

use std::io::Read;

use saegim_core::{Coordinate, Emotions, Invalid, Link, LinkKind, Memory, Rating, SessionId, Tier, phrase};
use saegim_engine::{Core, Draft, Edit, Pinned, Query};
use serde_json::json;

use crate::cli::{EditArgs, ForgetArgs, RecallArgs, RememberArgs};
use crate::command::App;
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::text::{gist, indented};
use crate::view::{self, print};

impl App {
    pub(crate) async fn remember(&self, args: RememberArgs) -> Result<(), AppError> {
        let content = if args.text == "-" {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(|error| AppError::File { path: "standard input".into(), error })?;
            text
        } else {
            args.text
        };
        let draft = Draft {
            content,
            importance: args.importance,
            emotions: (!args.emotions.is_empty()).then(|| Emotions::mix(args.emotions)),
            intensity: args.intensity,
            tags: args.tags,
            tier: args.tier,
            pinned: args.pin,
            kind: args.kind,
            category: args.category,
            coordinate: Coordinate {
                session: args.session.map(SessionId::new).transpose()?,
                project: args.project,
                domain: args.domain,
                ..Coordinate::default()
            },
            idempotency: args.idempotency_key,
            ..Draft::default()
        };
        // Invalid content must not create the mind.
        saegim_core::content(&draft.content)?;
        let mind = self.mind().await?;
        let kept = mind.remember(draft).await?;
        if self.global.json {
            let mut value = view::memory(&kept.memory, kept.memory.strength.value);
            value["repeated"] = json!(kept.repeated);
            value["degraded"] = json!(kept.degraded);
            return print(value);
        }
        if self.new {
            let path = self.database.display();
            self.tell(&say!(self.language, "command.memories.database_created", path));
        }
        if let Some(why) = kept.degraded.as_ref().map(|why| why.in_language(self.language)) {
            self.tell(&say!(self.language, "command.memories.keyword_search_only", why));
        }
        if kept.repeated {
            self.tell(&say!(self.language, "command.memories.already_stored"));
        }
        self.line(&kept.memory)?;
        if kept.memory.tier == Tier::M0 { self.tell_waiting(&mind).await } else { Ok(()) }
    }

    /// Prints a memory in two lines.
    fn line(&self, memory: &Memory) -> Result<(), AppError> {
        print(gist(&memory.content, 300))?;
        print(view::dim(&format!("  {}", view::about(memory, &self.look()?))))
    }

    pub(crate) async fn recall(&self, args: RecallArgs) -> Result<(), AppError> {
        let asked = args.query.join(" ");
        let query = Query { limit: usize::from(args.limit), filter: args.filter.filter()?, used: args.used, ..Query::text(&asked) };
        let found = match self.engine.existing_mind(&self.key).await? {
            Some(mind) => mind.recall(query).await?,
            None => saegim_engine::Recalled::default(),
        };
        if self.global.json {
            let results: Vec<_> = found.results.iter().map(view::found).collect();
            return print(json!({ "results": results, "degraded": found.degraded }));
        }
        if let Some(why) = &found.degraded {
            self.tell(&why.in_language(self.language));
        }
        if found.results.is_empty() {
            self.tell(&say!(self.language, "command.memories.no_matches"));
        }
        self.tell_of_forgetting(&asked);
        let look = self.look()?;
        for result in &found.results {
            // A result with many negative parts may have a score below zero. It is shown as zero; its rank is still
            // correct.
            print(format!("{:.2}  {}", result.score.total().max(0.0), indented(&result.memory.content, 6)))?;
            print(view::dim(&format!("      {}", view::about(&result.memory, &look))))?;
            if args.explain {
                print(view::dim(&format!("      {}", view::parts(&result.score, self.language))))?;
            }
        }
        Ok(())
    }

    pub(crate) async fn edit(&self, args: EditArgs) -> Result<(), AppError> {
        let edit = Edit {
            content: args.text,
            importance: args.importance,
            emotions: (!args.emotions.is_empty()).then(|| Emotions::mix(args.emotions)),
            tags: (!args.tags.is_empty()).then_some(args.tags),
            tier: args.tier,
            changed_behaviour: args.changed_behaviour,
            ..Edit::default()
        };
        if edit == Edit::default() {
            let problem = phrase!("command.memories.nothing_to_change");
            return Err(Invalid::new("edit", problem).into());
        }
        let mind = self.known_mind().await?;
        let memory = mind.edit(mind.resolve(&args.id).await?, edit).await?;
        self.changed(&memory)?;
        if memory.tier == Tier::M0 { self.tell_waiting(&mind).await } else { Ok(()) }
    }

    fn changed(&self, memory: &Memory) -> Result<(), AppError> {
        if self.global.json {
            return print(view::memory(memory, memory.strength.value));
        }
        self.line(memory)
    }

    pub(crate) async fn forget(&self, args: ForgetArgs) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let core = if args.core { Core::Too } else { Core::Kept };
        let Some(id) = &args.id else { return self.forget_many(&mind, args).await };
        if let Some(turn) = self.turn_instead(&mind, id).await? {
            return self.show_withdrawn(&mind.withdraw(&[turn]).await?);
        }
        let entry = mind.forget(mind.resolve(id).await?, core).await?;
        let warnings = if args.core { mind.warnings().await? } else { Vec::new() };
        if self.global.json {
            let mut value = json!(entry);
            if args.core {
                value["warnings"] = json!(warnings.iter().map(|warning| warning.in_language(self.language)).collect::<Vec<_>>());
            }
            return print(value);
        }
        let left = self.language.left(entry.time_left(self.now()));
        self.tell(&say!(self.language, "command.memories.moved_to_cliff", left, id = view::short(entry.memory)));
        if !mind.get(entry.memory).await?.turns.is_empty() {
            self.tell(&say!(self.language, "command.memories.messages_still_stored", id = view::short(entry.memory)));
        }
        warnings.iter().for_each(|warning| self.tell(&warning.in_language(self.language)));
        Ok(())
    }

    pub(crate) async fn restore(&self, id: &str) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        if let Some(turn) = self.turn_instead(&mind, id).await? {
            return self.show_withdrawn(&mind.reinstate(&[turn]).await?);
        }
        let memory = mind.restore(mind.resolve(id).await?).await?;
        self.changed(&memory)
    }

    pub(crate) async fn rate(&self, id: &str, stars: u8) -> Result<(), AppError> {
        let rating = Rating::new(stars)?;
        let mind = self.known_mind().await?;
        let memory = mind.rate(mind.resolve(id).await?, rating).await?;
        self.changed(&memory)
    }

    pub(crate) async fn pin(&self, id: &str, pinned: Pinned) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let memory = mind.pin(mind.resolve(id).await?, pinned).await?;
        self.changed(&memory)
    }

    pub(crate) async fn link(&self, (from, to): (&str, &str), kind: LinkKind, remove: bool) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let (from, to) = (mind.resolve(from).await?, mind.resolve(to).await?);
        let link = Link { from, to, kind };
        if remove {
            mind.unlink(link).await?;
        } else {
            mind.link(from, to, kind).await?;
        }
        if self.global.json {
            return print(json!({ "link": link, "removed": remove }));
        }
        let (from, to, kind) = (view::short(from), view::short(to), names::link((kind, true), self.language));
        self.tell(&if remove {
            say!(self.language, "command.memories.link_removed", from, kind, to)
        } else {
            say!(self.language, "command.memories.linked", from, kind, to)
        });
        Ok(())
    }
}
