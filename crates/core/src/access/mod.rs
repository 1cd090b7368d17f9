//! Principals, permissions, keys, grants and webhooks.

/// The owner's grants to the operator.
pub(crate) mod grant;
/// API keys.
pub(crate) mod key;
/// Who acts: owner, agent, admin, worker.
pub(crate) mod principal;
/// The permission table.
pub(crate) mod rights;
/// Webhook subscriptions.
pub(crate) mod webhook;
