//! Ledger, reports, change feed and webhooks.

/// Public methods.
mod api;
/// The ledger as seen by its owner.
pub(crate) mod audit;
/// Subscription to changes of a mind.
pub(crate) mod change_feed;
/// Weekly and yearly reports.
pub(crate) mod report;
/// Webhook subscriptions.
pub(crate) mod webhooks;

use crate::MindHandle;

/// Ledger, reports and webhooks of one mind.
#[derive(Clone, Copy)]
pub(crate) struct Reporting<'a> {
    pub(crate) mind: &'a MindHandle,
}
