//! Arguments of the server and of keys.

use std::net::SocketAddr;

use clap::{Args, Subcommand};
use saegim_core::Principal;

use crate::log::LogFormat;
use crate::mcp::{Client, Offer};

#[derive(Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on; any address other than loopback requires API keys
    #[arg(long, env = "SAEGIM_ADDR", value_name = "ADDRESS", default_value = "127.0.0.1:7777")]
    pub(crate) addr: SocketAddr,
    /// Additional host name of this server; repeatable
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// Additional origin whose requests are allowed, such as https://example.org; repeatable
    #[arg(long = "origin", value_name = "URL")]
    pub(crate) origins: Vec<String>,
    /// Maximum requests per second for each API key
    #[arg(long, value_name = "NUMBER", default_value_t = 1000.0)]
    pub(crate) rate: f64,
    /// Log each request to standard error, without its content; SAEGIM_LOG=debug shows more
    #[arg(long, value_enum, value_name = "FORMAT", num_args = 0..=1, default_missing_value = "text")]
    pub(crate) log: Option<LogFormat>,
    /// Simulate a sample year first, in a temporary database; your own database is not opened
    #[arg(long)]
    pub(crate) demo: bool,
}

#[derive(Args)]
pub(crate) struct McpArgs {
    /// Tools to offer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) tools: Offer,
    /// Print the configuration for a desktop client instead of serving
    #[arg(long, value_name = "CLIENT")]
    pub(crate) install: Option<Client>,
    /// Write it to the client's configuration file; other settings are kept
    #[arg(long, requires = "install")]
    pub(crate) write: bool,
}

#[derive(Args)]
pub(crate) struct KeysArgs {
    #[command(subcommand)]
    pub(crate) command: Option<KeysCommand>,
}

#[derive(Subcommand)]
pub(crate) enum KeysCommand {
    /// Create an API key; it is shown once
    New {
        /// Principal that uses the key
        // The id differs from the field name, because the global `--as` already uses `principal`.
        #[arg(id = "holder", value_name = "PRINCIPAL", value_parser = Principal::parse, default_value = "agent")]
        principal: Principal,
        /// Minds the key gives access to, as user/character[/work] with * for any name; repeatable [default: all]
        #[arg(long = "for", value_name = "PATTERN")]
        minds: Vec<String>,
    },
    /// Revoke an API key immediately
    Revoke {
        /// API key, or its public id
        id: String,
    },
}

#[derive(Args)]
pub(crate) struct WebhooksArgs {
    #[command(subcommand)]
    pub(crate) command: Option<WebhooksCommand>,
}

#[derive(Subcommand)]
pub(crate) enum WebhooksCommand {
    /// Add a webhook for all future changes; its signing secret is shown once
    Add {
        /// URL to post to: https, or http on this machine and its local network
        url: String,
    },
    /// Remove a webhook
    End {
        /// Id of the webhook, or some of its digits
        id: String,
    },
}
