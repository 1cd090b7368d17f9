//! Webhooks on the command line.

use saegim_core::{Reach, Webhook, phrase};
use saegim_provider::written_secret;
use serde_json::json;

use super::App;
use crate::cli::WebhooksCommand;
use crate::error::AppError;
use crate::say::say;
use crate::view::{self, print};

impl App {
    pub(super) async fn webhooks(&self, command: Option<WebhooksCommand>) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        match command {
            None => self.list_webhooks(&mind.webhooks().await?),
            Some(WebhooksCommand::Add { url }) => {
                let webhook = mind.add_webhook(&url, Reach::Everywhere).await?;
                let secret = written_secret(&webhook.secret);
                if self.global.json {
                    let mut value = json!(webhook);
                    value["secret"] = json!(secret);
                    return print(value);
                }
                self.tell(&say!(self.language, "command.webhooks.secret_shown_once"));
                print(secret)
            }
            Some(WebhooksCommand::End { id }) => {
                let webhook = mind.end_webhook(mind.resolve_webhook(&id).await?).await?;
                if self.global.json {
                    return print(json!(webhook));
                }
                self.tell(&say!(self.language, "command.webhooks.removed", url = webhook.url));
                Ok(())
            }
        }
    }

    fn list_webhooks(&self, webhooks: &[Webhook]) -> Result<(), AppError> {
        if self.global.json {
            return print(json!({ "webhooks": webhooks }));
        }
        if webhooks.is_empty() {
            let none = phrase!("command.webhooks.none");
            self.tell(&none.in_language(self.language));
        }
        let zone = self.settings.time_zone()?;
        webhooks.iter().try_for_each(|webhook| {
            let why = webhook.problem.as_deref().unwrap_or_default();
            let state = match (webhook.ended_at, webhook.failing_since) {
                (Some(at), _) => say!(self.language, "command.webhooks.ended", at = view::when(at, &zone), why),
                (None, Some(_)) => {
                    say!(self.language, "command.webhooks.failing", why, at = view::when(webhook.due_at, &zone))
                }
                (None, None) => say!(self.language, "command.webhooks.delivered", entry = webhook.after),
            };
            print(format!("{}  {}  {state}", view::short(webhook.id), webhook.url))
        })
    }
}
