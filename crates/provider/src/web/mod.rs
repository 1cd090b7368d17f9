//! Addresses, secrets and deliveries on the web.

/// Addresses on the web.
mod address;
/// How long a server asks to be left alone.
mod retry_after;
/// A key that cannot be shown.
mod secret;
/// Deliveries to a webhook.
mod webhook;

pub use address::{LONGEST_ADDRESS, address_pattern, is_address, shown_address};
pub(crate) use retry_after::retry_after;
pub use secret::Secret;
pub use webhook::{Courier, Delivery, OutgoingDelivery, check_webhook, within_reach, written_secret};
