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
                    "The webhook is called while `saegim serve` runs. The secret is shown only once; store it safely.",
                    "`saegim serve`가 실행되는 동안 웹훅을 호출해요. 비밀 키는 한 번만 보여 드리니 안전한 곳에 보관해 주세요."
                ));
                print(secret)
            }
            Some(WebhooksCommand::End { id }) => {
                let webhook = mind.end_webhook(mind.resolve_webhook(&id).await?).await?;
                if self.global.json {
                    return print(json!(webhook));
                }
                self.tell(&say!(self.language, "webhook {} removed", "웹훅 {}을(를) 삭제했어요", webhook.url));
                Ok(())
            }
        }
    }

    fn list_webhooks(&self, webhooks: &[Webhook]) -> Result<(), AppError> {
        if self.global.json {
            return print(json!({ "webhooks": webhooks }));
        }
        if webhooks.is_empty() {
            let none =
                phrase!("no webhooks; add one with `saegim webhooks add URL`", "웹훅이 없어요. `saegim webhooks add URL`로 추가해 주세요");
            self.tell(none.in_language(self.language));
        }
        let zone = self.settings.time_zone()?;
        webhooks.iter().try_for_each(|webhook| {
            let why = webhook.problem.as_deref().unwrap_or_default();
            let state = match (webhook.ended_at, webhook.failing_since) {
                (Some(at), _) => say!(self.language, "ended {}  {why}", "종료됨 {}  {why}", view::when(at, &zone)),
                (None, Some(_)) => {
                    say!(self.language, "failing: {why}; next attempt {}", "실패: {why}. 다음 시도 {}", view::when(webhook.due_at, &zone))
                }
                (None, None) => say!(self.language, "delivered up to {}", "{}까지 전송됨", webhook.after),
            };
            print(format!("{}  {}  {state}", view::short(webhook.id), webhook.url))
        })
    }
}
