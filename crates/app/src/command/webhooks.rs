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
                self.tell(&say!(
                    self.language,
                    "It is told while `saegim serve` runs. The secret is shown once; keep it safe.",
                    "`saegim serve`가 도는 동안 알립니다. 비밀은 한 번만 보여 드립니다. 잘 간직하세요."
                ));
                print(secret)
            }
            Some(WebhooksCommand::End { id }) => {
                let webhook = mind.end_webhook(mind.resolve_webhook(&id).await?).await?;
                if self.global.json {
                    return print(json!(webhook));
                }
                self.tell(&say!(self.language, "{} is told nothing any more", "이제 {} 에 알리지 않습니다", webhook.url));
                Ok(())
            }
        }
    }

    fn list_webhooks(&self, webhooks: &[Webhook]) -> Result<(), AppError> {
        if self.global.json {
            return print(json!({ "webhooks": webhooks }));
        }
        if webhooks.is_empty() {
            let none = phrase!(
                "nobody is told; `saegim webhooks add URL` changes that",
                "알려 줄 곳이 없습니다. `saegim webhooks add 주소`로 더하세요"
            );
            self.tell(none.in_language(self.language));
        }
        let zone = self.settings.time_zone()?;
        webhooks.iter().try_for_each(|webhook| {
            let why = webhook.problem.as_deref().unwrap_or_default();
            let state = match (webhook.ended_at, webhook.failing_since) {
                (Some(at), _) => say!(self.language, "ended {}  {why}", "끝남 {}  {why}", view::when(at, &zone)),
                (None, Some(_)) => {
                    say!(self.language, "failing: {why}; again {}", "실패: {why}. 다시 {}", view::when(webhook.due_at, &zone))
                }
                (None, None) => say!(self.language, "heard up to {}", "{}까지 알림", webhook.after),
            };
            print(format!("{}  {}  {state}", view::short(webhook.id), webhook.url))
        })
    }
}
