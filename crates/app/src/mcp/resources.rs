//! Resources a client can read.

use rmcp::model::{ErrorData, Resource, ResourceContents};
use saegim_engine::StatementHistory;
use serde_json::json;

use super::{Door, inside};
use crate::shapes::{Fact, Statement};

pub(super) fn all() -> Vec<Resource> {
    [
        ("saegim://soul", "soul", "SOUL.md: islands and beliefs the owner approved", "text/markdown"),
        ("saegim://facts", "facts", "Facts about the user", "application/json"),
        ("saegim://stats", "stats", "Number of memories by tier and zone", "application/json"),
    ]
    .into_iter()
    .map(|(uri, name, about, kind)| Resource::new(uri, name).with_description(about).with_mime_type(kind))
    .collect()
}

pub(super) async fn read(door: &Door, uri: &str) -> Result<ResourceContents, ErrorData> {
    let mind = door.known().await.map_err(inside)?;
    let value = match uri {
        "saegim://soul" => {
            let soul = mind.soul().await.map_err(inside)?;
            return Ok(ResourceContents::text(soul, uri).with_mime_type("text/markdown"));
        }
        "saegim://facts" => {
            let facts = mind.facts().await.map_err(inside)?;
            let statements = mind.statements(StatementHistory::Open).await.map_err(inside)?;
            let statements: Vec<Statement> = statements.iter().map(Statement::from).collect();
            json!({ "facts": facts.current().map(Fact::from).collect::<Vec<_>>(), "statements": statements })
        }
        "saegim://stats" => {
            let counts = mind.counts().await.map_err(inside)?;
            json!({ "zones": counts.zones, "tiers": counts.tiers, "on_cliff": counts.on_cliff })
        }
        _ => return Err(ErrorData::resource_not_found(format!("resource {uri} does not exist"), None)),
    };
    Ok(ResourceContents::text(value.to_string(), uri).with_mime_type("application/json"))
}
