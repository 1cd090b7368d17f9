//! Arguments of the server and of keys.

use std::net::SocketAddr;

use clap::{Args, Subcommand};
use saegim_core::Principal;

use crate::mcp::{Client, Offer};

#[derive(Args)]
pub(crate) struct ServeArgs {
    /// Where to listen; any address but loopback needs keys
    #[arg(long, env = "SAEGIM_ADDR", value_name = "ADDRESS", default_value = "127.0.0.1:7777")]
    pub(crate) addr: SocketAddr,
    /// A name this server goes by beside the machine's own
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// Another page that may ask here, such as https://example.org
    #[arg(long = "origin", value_name = "URL")]
    pub(crate) origins: Vec<String>,
    /// Requests a second each key may make
    #[arg(long, value_name = "NUMBER", default_value_t = 1000.0)]
    pub(crate) rate: f64,
    /// Tell each request on standard error, never what it says
    #[arg(long)]
    pub(crate) log: bool,
    /// Live a sample year first, in a file that is thrown away; yours is not opened
    #[arg(long)]
    pub(crate) demo: bool,
}

#[derive(Args)]
pub(crate) struct McpArgs {
    /// Which tools are offered
    #[arg(long, value_enum, default_value_t)]
    pub(crate) tools: Offer,
    /// Print the configuration of a desktop client that starts this, instead of speaking
    #[arg(long, value_name = "CLIENT")]
    pub(crate) install: Option<Client>,
    /// Write it into the client's own file; what else is in it stays
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
    /// Make a key; it is shown once
    New {
        /// Who acts with it
        // The id differs from the field name, because the global `--as` already uses `principal`.
        #[arg(id = "holder", value_name = "PRINCIPAL", value_parser = Principal::parse, default_value = "agent")]
        principal: Principal,
        /// Which minds it opens, as user/character[/work] with * for any name [default: all]
        #[arg(long = "for", value_name = "PATTERN")]
        minds: Vec<String>,
    },
    /// End a key at once
    Revoke {
        /// The key, or its public name
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
    /// Tell an address everything that changes from now on; the secret its signatures are checked with is shown once
    Add {
        /// Where to post to: https, or http on this machine and its own network
        url: String,
    },
    /// Tell an address nothing from now on
    End {
        /// The webhook's id, or some of its digits
        id: String,
    },
}
