//! Webhooks: the owner registers a URL, and the server sends it the changes of a mind.

use std::sync::Arc;

use saegim_core::{Change, Deed, Invalid, Op, Principal, Reach, SigningSecret, Span, Thing, Webhook, WebhookId, phrase};
use saegim_provider::{check_webhook, within_reach};
use saegim_store::DueSearch;

use crate::reporting::Reporting;
use crate::{Engine, EngineError, MindHandle};

/// Maximum number of active webhooks per mind.
const MOST: usize = 10;

/// Lease of a claimed webhook. Afterwards another process may deliver it.
const LEASE: Span = Span::seconds(60);

/// A retry scheduled later than this was scheduled by a wrong clock.
const FARTHEST: Span = Span::days(1);

impl Reporting<'_> {
    pub(crate) async fn add_webhook(&self, url: &str, reach: Reach) -> Result<Webhook, EngineError> {
        self.mind.may(Deed::Grant).await?;
        within_reach(&check_webhook(url)?, reach).map_err(|problem| Invalid::new("url", problem))?;
        let kept = self.mind.store().webhooks(self.mind.id).await?;
        if kept.iter().filter(|webhook| webhook.ended_at.is_none()).count() >= MOST {
            let problem = phrase!("engine.webhooks.too_many", most = MOST);
            return Err(EngineError::Conflict(problem));
        }
        let now = self.mind.now();
        let webhook = Webhook {
            id: WebhookId::new(now, self.mind.inner.config.dice.chance()),
            url: url.to_owned(),
            reach,
            secret: SigningSecret::from_bytes(self.mind.inner.config.dice.roll()),
            made_at: now,
            after: self.head().await?,
            attempts: 0,
            due_at: now,
            failing_since: None,
            problem: None,
            ended_at: None,
        };
        self.keep_webhook(Op::Grant, "webhook", &webhook).await?;
        Ok(webhook)
    }

    pub(crate) async fn webhooks(&self) -> Result<Vec<Webhook>, EngineError> {
        self.mind.may(Deed::Grant).await?;
        Ok(self.mind.store().webhooks(self.mind.id).await?)
    }

    pub(crate) async fn end_webhook(&self, id: WebhookId) -> Result<Webhook, EngineError> {
        self.mind.may(Deed::Grant).await?;
        let found = self.mind.store().webhooks(self.mind.id).await?.into_iter().find(|webhook| webhook.id == id);
        let mut webhook = found.ok_or_else(|| EngineError::NotFound(phrase!("engine.webhooks.not_found")))?;
        if webhook.ended_at.is_none() {
            webhook.ended_at = Some(self.mind.now());
            self.keep_webhook(Op::Revoke, "webhook", &webhook).await?;
        }
        Ok(webhook)
    }

    pub(crate) async fn resolve_webhook(&self, digits: &str) -> Result<WebhookId, EngineError> {
        let ids: Vec<WebhookId> = self.webhooks().await?.iter().map(|webhook| webhook.id).collect();
        crate::access::grants::meant(&ids, digits, || phrase!("engine.webhooks.no_match", digits))
    }

    pub(crate) async fn webhook_advanced(&self, webhook: Webhook) -> Result<(), EngineError> {
        if webhook.ended_at.is_some() {
            return self.keep_webhook(Op::Revoke, "webhook unreachable", &webhook).await;
        }
        Ok(self.mind.store().webhook_advanced(self.mind.id, webhook).await?)
    }

    async fn keep_webhook(&self, operation: Op, note: &str, webhook: &Webhook) -> Result<(), EngineError> {
        let mut commit = self.mind.commit(operation, &[]).because(note).about(Thing::Webhook(webhook.id));
        commit.changes.push(Change::WebhookSet(Box::new(webhook.clone())));
        self.mind.write(commit).await?;
        Ok(())
    }
}

impl Engine {
    /// Claims webhooks that have something to deliver, each with its mind. A claim by a crashed process becomes available again
    /// when its lease expires.
    pub async fn claim_webhooks(&self, limit: usize) -> Result<Vec<(MindHandle, Webhook)>, EngineError> {
        let now = self.inner.now();
        let due = DueSearch { now, beyond: now.plus(FARTHEST), ahead: now.plus(FARTHEST), until: now.plus(LEASE), limit };
        let mut claimed = Vec::new();
        for (id, webhook) in self.inner.store.claim_webhooks(due).await? {
            if let Some(mind) = self.inner.store.mind_by_id(id).await? {
                claimed.push((MindHandle::new(Arc::clone(&self.inner), &mind, Principal::Worker), webhook));
            }
        }
        Ok(claimed)
    }
}
