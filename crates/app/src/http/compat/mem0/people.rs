//! Entities: users, agents, apps and runs that have memories.

use std::collections::BTreeMap;

use saegim_core::{MindKey, Timestamp, phrase};
use serde_json::{Value, json};

use super::{Refused, scope};
use crate::http::Server;
use crate::http::access::Access;
use crate::http::problem::Problem;

/// An entity with its number of memories.
pub(super) struct Entity {
    pub(super) kind: &'static str,
    pub(super) name: String,
    pub(super) memories: u64,
    pub(super) made_at: Timestamp,
}

/// Returns all entities that have memories.
pub(super) async fn all(server: &Server, access: &Access) -> Result<Vec<Entity>, Refused> {
    let mut known: BTreeMap<(&'static str, String), Entity> = BTreeMap::new();
    for mind in server.engine.minds().await?.iter().filter(|mind| access.covers(&mind.key)) {
        let memories: u64 = access.known_mind(server, &mind.key).await?.counts().await?.zones.iter().sum();
        if memories == 0 {
            continue;
        }
        for (kind, name) in [("user", mind.key.user()), ("agent", mind.key.character()), ("app", mind.key.work())] {
            let new = || Entity { kind, name: name.to_owned(), memories: 0, made_at: mind.made_at };
            let entity = known.entry((kind, name.to_owned())).or_insert_with(new);
            entity.memories += memories;
            entity.made_at = entity.made_at.min(mind.made_at);
        }
    }
    Ok(known.into_values().collect())
}

/// Erases all data of an entity. A user, agent or app without minds succeeds: an erased mind leaves no name, so one that was erased
/// cannot be told from one that never existed, and clients delete an entity again when they reset. An unknown run is 404.
pub(super) async fn erase(server: &Server, access: &Access, kind: &str, name: &str) -> Result<(), Refused> {
    let unknown = || Problem::not_found(phrase!("http.mem0.entity_not_found", kind, name));
    let fits = |key: &MindKey| match kind {
        "user" => key.user() == name,
        "agent" => key.character() == name,
        _ => key.work() == name,
    };
    match kind {
        "user" | "agent" | "app" => {
            let minds = server.engine.minds().await?;
            let minds: Vec<_> = minds.iter().filter(|mind| access.covers(&mind.key) && fits(&mind.key)).collect();
            for mind in minds {
                access.known_mind(server, &mind.key).await?.erase().await?;
            }
            Ok(())
        }
        "run" => {
            let memories = scope::all(server, access, &scope::Reading::of(&json!({ "run_id": name }))?).await?;
            if memories.is_empty() {
                return Err(unknown().into());
            }
            for (key, memory) in memories {
                let mind = access.known_mind(server, &key).await?;
                // Erasing a memory also erases others based on the same turns, so it may already be gone.
                if mind.get(memory.id).await.is_ok() {
                    mind.erase_memory(memory.id).await?;
                }
            }
            Ok(())
        }
        other => Err(Problem::bad(phrase!("http.mem0.unknown_entity_type", other)).into()),
    }
}

/// Erases all minds the key covers.
pub(super) async fn erase_all(server: &Server, access: &Access) -> Result<(), Refused> {
    for mind in server.engine.minds().await?.iter().filter(|mind| access.covers(&mind.key)) {
        access.known_mind(server, &mind.key).await?.erase().await?;
    }
    Ok(())
}

impl Entity {
    pub(super) fn json(&self) -> Value {
        json!({
            "id": self.name, "name": self.name, "type": self.kind, "owner": "local", "total_memories": self.memories,
            "created_at": self.made_at, "updated_at": self.made_at, "metadata": {},
        })
    }
}
