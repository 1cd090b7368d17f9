//! Delivers events to webhooks: in order, signed, with retries.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use saegim_core::{Webhook, WebhookId};
use saegim_engine::{Engine, EngineError, MindHandle};
use saegim_provider::{Courier, Delivery, OutgoingDelivery};
use serde_json::json;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::streams::change_feed::Heard;

/// Interval between checks for due deliveries.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Maximum number of concurrent deliveries, so that a slow receiver does not block the others.
const AT_ONCE: usize = 16;

/// Delivers webhooks until the server stops, then completes running deliveries.
pub(super) async fn tell(engine: Engine, mut stopping: watch::Receiver<bool>) {
    let (teller, room) = (
        Arc::new(Teller { engine: engine.clone(), courier: Courier::default(), heard: Mutex::default() }),
        Arc::new(Semaphore::new(AT_ONCE)),
    );
    let mut telling = JoinSet::new();
    loop {
        match engine.claim_webhooks(room.available_permits()).await {
            Ok(claimed) => {
                for (mind, webhook) in claimed {
                    let Ok(permit) = Arc::clone(&room).try_acquire_owned() else { break };
                    let teller = Arc::clone(&teller);
                    telling.spawn(async move {
                        if let Err(error) = teller.tell(&mind, webhook).await {
                            crate::view::tell(format!("saegim: {}", error.phrase()));
                        }
                        drop(permit);
                    });
                }
            }
            Err(error) => crate::view::tell(format!("saegim: {}", error.phrase())),
        }
        while telling.try_join_next().is_some() {}
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            _ = stopping.changed() => break,
        }
    }
    telling.join_all().await;
}

struct Teller {
    engine: Engine,
    courier: Courier,
    /// Position, mood and face last sent to each webhook. After a restart, mood and face are sent again.
    heard: Mutex<HashMap<WebhookId, Heard>>,
}

impl Teller {
    async fn tell(&self, mind: &MindHandle, webhook: Webhook) -> Result<(), EngineError> {
        let known = self.heard.lock().unwrap_or_else(PoisonError::into_inner).get(&webhook.id).cloned();
        let mut heard = known.unwrap_or_default();
        heard.after = webhook.after;
        let events = heard.listen(mind).await?;
        if events.is_empty() {
            return mind.webhook_advanced(webhook.told(heard.after, self.engine.now())).await;
        }
        let told = json!({ "mind": mind.key().to_string(), "mind_id": mind.id().to_string(), "events": events });
        let id = format!("{}_{}_{}", webhook.id, webhook.after, heard.after);
        let delivery = self
            .courier
            .tell(OutgoingDelivery {
                url: &webhook.url,
                reach: webhook.reach,
                secret: &webhook.secret,
                id: &id,
                at: self.engine.now(),
                body: told.to_string(),
            })
            .await;
        let now = self.engine.now();
        let webhook = match delivery {
            Delivery::Heard => {
                self.heard.lock().unwrap_or_else(PoisonError::into_inner).insert(webhook.id, heard.clone());
                webhook.told(heard.after, now)
            }
            Delivery::Unheard(why, asked) => webhook.failed(why, asked, now),
            Delivery::Gone => webhook.gone("the server answered 410 (gone)".into(), now),
        };
        if webhook.ended_at.is_some() {
            self.heard.lock().unwrap_or_else(PoisonError::into_inner).remove(&webhook.id);
        }
        mind.webhook_advanced(webhook).await
    }
}
