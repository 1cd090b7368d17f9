//! Ledger, reports, change feed and webhooks.

/// The ledger as seen by its owner.
pub(crate) mod audit;
/// Subscription to changes of a mind.
pub(crate) mod change_feed;
/// Weekly and yearly reports.
pub(crate) mod report;
/// Webhook subscriptions.
pub(crate) mod webhooks;
