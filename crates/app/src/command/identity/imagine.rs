//! Imagination, and grants of the owner to the operator.

use saegim_core::{Emotion, GrantScope, Imagination, Span};
use saegim_engine::{GrantWish, Imagining, Opinion};
use serde_json::json;

use crate::cli::ImagineArgs;
use crate::command::App;
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::shapes;
use crate::view::{self, print};

/// Maximum number of imaginations listed.
const LISTED: usize = 20;

impl App {
    pub(crate) async fn imagine(&self, args: ImagineArgs) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        if args.list {
            let (all, weights) = (mind.imaginations(LISTED).await?, mind.imagination_weights().await?);
            if self.global.json {
                let shown: Vec<shapes::Imagination> = all.iter().map(Into::into).collect();
                let weights: Vec<shapes::Weight> = weights.iter().map(Into::into).collect();
                return print(json!({ "imaginations": shown, "weights": weights }));
            }
            return all.iter().try_for_each(|imagination| self.show_imagination(imagination));
        }
        let imagination = mind.imagine(Imagining { trigger: args.trigger, context: args.context }).await?;
        if self.global.json {
            return print(json!(shapes::Imagination::from(&imagination)));
        }
        self.show_imagination(&imagination)?;
        let id = view::short(imagination.id);
        self.tell(&say!(self.language, "command.imagine.feedback_commands", id));
        Ok(())
    }

    fn show_imagination(&self, imagination: &Imagination) -> Result<(), AppError> {
        if imagination.scenario.is_empty() {
            return print(say!(self.language, "command.imagine.source_deleted"));
        }
        print(&imagination.scenario)?;
        if let Some(action) = &imagination.action {
            print(say!(self.language, "command.imagine.action", action))?;
        }
        let mut about = vec![self.language.ago(imagination.at, self.now()), names::trigger(imagination.trigger, self.language)];
        about.extend(
            imagination
                .emotions
                .iter()
                .filter(|emotion| *emotion != Emotion::Neutral)
                .map(|emotion| view::name(emotion, self.language).to_owned()),
        );
        about.extend(imagination.liked.map(|liked| if liked { "👍".to_owned() } else { "👎".to_owned() }));
        about.push(view::short(imagination.id));
        print(view::dim(&format!("  {}", about.join(" · "))))
    }

    pub(crate) async fn judge_imagination(&self, id: &str, opinion: Opinion) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let imagination = mind.judge_imagination(mind.resolve_imagination(id).await?, opinion).await?;
        if self.global.json {
            return print(json!(shapes::Imagination::from(&imagination)));
        }
        self.tell(&if opinion == Opinion::Liked {
            say!(self.language, "command.imagine.more_like_this")
        } else {
            say!(self.language, "command.imagine.less_like_this")
        });
        Ok(())
    }

    pub(crate) async fn grant(&self, scope: GrantScope, reason: String, hours: u32) -> Result<(), AppError> {
        let grant = self.known_mind().await?.grant(GrantWish { scope, reason, lasts: Span::hours(i64::from(hours)) }).await?;
        if self.global.json {
            return print(json!(grant));
        }
        let (left, id) = (self.language.left(grant.ends_at.since(self.now())), view::short(grant.id));
        self.tell(&say!(self.language, "command.imagine.granted", scope, left, id));
        Ok(())
    }

    pub(crate) async fn grants(&self) -> Result<(), AppError> {
        let grants = self.known_mind().await?.grants().await?;
        if self.global.json {
            return print(json!({ "grants": grants }));
        }
        for grant in &grants {
            let state = match grant.revoked_at {
                Some(_) => say!(self.language, "command.imagine.permission_revoked"),
                None if grant.ends_at <= self.now() => say!(self.language, "command.imagine.expired"),
                None => say!(self.language, "command.imagine.time_left", left = self.language.left(grant.ends_at.since(self.now()))),
            };
            print(format!("{}  {}  {}  {state}", view::short(grant.id), grant.scope, grant.reason))?;
        }
        Ok(())
    }

    pub(crate) async fn revoke(&self, id: &str) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let grant = mind.revoke(mind.resolve_grant(id).await?).await?;
        if self.global.json {
            return print(json!(grant));
        }
        self.tell(&say!(self.language, "command.imagine.status_revoked"));
        Ok(())
    }
}
