//! Public methods of [`MindHandle`] that [`Reporting`] implements.

use std::path::{Path, PathBuf};

use saegim_core::{Hash, LedgerEntry, Reach, Timestamp, Verdict, Webhook, WebhookId};

use super::Reporting;
use crate::mind::boxed;
use crate::{EngineError, MindHandle, News, Report, SignedHead};

impl MindHandle {
    pub(crate) const fn reporting(&self) -> Reporting<'_> {
        Reporting { mind: self }
    }

    /// Returns ledger entries after a sequence number, in order, with their hashes.
    pub async fn ledger(&self, after: u64, limit: usize) -> Result<Vec<(LedgerEntry, Hash)>, EngineError> {
        boxed(self.reporting().ledger(after, limit)).await
    }

    /// Verifies the whole chain and, if a signed head is given, that the chain still contains it.
    pub async fn verify_ledger(&self, head: Option<&SignedHead>) -> Result<Verdict, EngineError> {
        boxed(self.reporting().verify_ledger(head)).await
    }

    /// Signs the current head with the key stored beside the database.
    pub async fn sign_head(&self) -> Result<SignedHead, EngineError> {
        boxed(self.reporting().sign_head()).await
    }

    /// Exports the ledger as one file per day plus its signed head, and returns the written paths.
    pub async fn export_ledger(&self, folder: &Path) -> Result<Vec<PathBuf>, EngineError> {
        boxed(self.reporting().export_ledger(folder)).await
    }

    /// Returns at most `limit` ledger entries after `sequence`, with the changed memories.
    pub async fn news(&self, sequence: u64, limit: usize) -> Result<News, EngineError> {
        boxed(self.reporting().news(sequence, limit)).await
    }

    /// Returns the last sequence number of the ledger.
    pub async fn head(&self) -> Result<u64, EngineError> {
        boxed(self.reporting().head()).await
    }

    /// Returns the report on the period from `since` to `until` (exclusive).
    pub async fn report(&self, since: Timestamp, until: Timestamp) -> Result<Report, EngineError> {
        boxed(self.reporting().report(since, until)).await
    }

    /// Registers a webhook that receives all changes from now on.
    pub async fn add_webhook(&self, url: &str, reach: Reach) -> Result<Webhook, EngineError> {
        boxed(self.reporting().add_webhook(url, reach)).await
    }

    /// Returns all webhooks, newest first.
    pub async fn webhooks(&self) -> Result<Vec<Webhook>, EngineError> {
        boxed(self.reporting().webhooks()).await
    }

    /// Ends a webhook.
    pub async fn end_webhook(&self, id: WebhookId) -> Result<Webhook, EngineError> {
        boxed(self.reporting().end_webhook(id)).await
    }

    /// Resolves a webhook by digits of its id.
    pub async fn resolve_webhook(&self, digits: &str) -> Result<WebhookId, EngineError> {
        boxed(self.reporting().resolve_webhook(digits)).await
    }

    /// Stores the delivery progress of a webhook. If it has ended, records that in the ledger.
    pub async fn webhook_advanced(&self, webhook: Webhook) -> Result<(), EngineError> {
        boxed(self.reporting().webhook_advanced(webhook)).await
    }
}
