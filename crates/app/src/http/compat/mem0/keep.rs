//! Storing messages and editing memories.

use saegim_core::{CandidateVerdict, Coordinate, MemoryId, MindKey, Principal, Role, SessionId, Tier, Timestamp, phrase};
use saegim_engine::{Before, Draft, Edit, Ends, Exchange, MindHandle, NewMessage};
use serde_json::Value;

use super::comparison::{moment, next_day, told_at};
use super::{Refused, find, metadata, scope};
use crate::http::Server;
use crate::http::access::Access;
use crate::http::problem::Problem;

/// Result of storing messages.
pub(super) struct Kept {
    pub(super) mind: MindHandle,
    /// Sequence number in the mind's ledger.
    pub(super) sequence: u64,
    /// Memory id, text and event (`ADD` or `UPDATE`).
    pub(super) results: Vec<(MemoryId, String, &'static str)>,
}

/// A message with its role.
struct Message {
    role: Role,
    text: String,
}

/// Stores messages, either verbatim (`infer: false`) or through the extraction pipeline.
pub(super) async fn add(server: &Server, access: &Access, body: &Value) -> Result<Kept, Refused> {
    let condition = scope::wanted(body)?;
    let key = scope::key(&condition)?;
    let session = condition.name("run_id").map(SessionId::new).transpose()?;
    let messages = messages(body)?;
    let (labels, ends, told) = (metadata::labels(body.get("metadata"))?.unwrap_or_default(), ends(body)?, told(body)?);
    // Invalid content must not create the mind.
    for message in &messages {
        saegim_core::content(&message.text)?;
    }
    let mind = access.mind(server, key).await?;
    if body.get("infer").and_then(Value::as_bool) == Some(false) {
        let drafts = messages.into_iter().filter(|message| message.role != Role::System).map(|message| Draft {
            tags: labels.clone(),
            coordinate: Coordinate { session: session.clone(), ..Coordinate::default() },
            // A verbatim text is kept like an imported one: for a year from now.
            tier: Some(Tier::M365),
            ends_at: ends.flatten().or_else(|| told.and(Tier::M365.expires(server.engine.now(), &server.engine.policy().tier))),
            born: told,
            ..Draft::text(message.text)
        });
        let memories = mind.remember_all(drafts.collect()).await?;
        let sequence = mind.head().await?;
        let results = memories.into_iter().map(|memory| (memory.id, memory.content, "ADD")).collect();
        return Ok(Kept { mind, sequence, results });
    }
    let said = messages.into_iter().map(|message| NewMessage { role: message.role, at: told, ..NewMessage::user(message.text) }).collect();
    let observed = mind.observe(Exchange { session, said, ..Exchange::default() }).await?;
    let sequence = mind.head().await?;
    let kept = observed.candidates.iter().filter_map(|candidate| {
        let event = if candidate.verdict == CandidateVerdict::Stored { "ADD" } else { "UPDATE" };
        candidate.memory.map(|id| (id, candidate.content.clone(), event))
    });
    let results: Vec<_> = kept.collect();
    let mut edits: Vec<(MemoryId, Edit)> = Vec::new();
    for (id, ..) in &results {
        let memory = mind.get(*id).await?;
        let held = mind.principal() == Principal::Agent && (memory.tier == Tier::M0 || memory.pinned);
        if held || edits.iter().any(|(known, _)| known == id) {
            continue;
        }
        let tags = (!labels.is_empty()).then(|| metadata::joined(&memory.tags, labels.clone()));
        let ends = ends.flatten().filter(|_| memory.tier != Tier::M0).map(Ends::At);
        if tags.is_some() || ends.is_some() {
            edits.push((*id, Edit { tags, ends, ..Edit::default() }));
        }
    }
    mind.edit_all(edits).await?;
    Ok(Kept { mind, sequence, results })
}

/// Parses the messages of a body: a text, one message or a list. Messages without text, such as tool calls, are
/// skipped.
fn messages(body: &Value) -> Result<Vec<Message>, Refused> {
    let refusal = || Refused(Problem::bad(phrase!("http.mem0.messages_not_valid")));
    let one = |message: &Value| {
        if !message.is_object() {
            return Err(refusal());
        }
        let role = match message.get("role").and_then(Value::as_str).unwrap_or("user") {
            "assistant" => Role::Assistant,
            "system" | "developer" | "tool" => Role::System,
            _ => Role::User,
        };
        let text = match message.get("content") {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => {
                let texts = parts.iter().filter_map(|part| part.as_str().or_else(|| part.get("text").and_then(Value::as_str)));
                texts.collect::<Vec<_>>().join("\n")
            }
            Some(Value::Object(part)) => part.get("text").and_then(Value::as_str).unwrap_or_default().to_owned(),
            None | Some(Value::Null) => String::new(),
            Some(_) => return Err(refusal()),
        };
        Ok(Message { role, text })
    };
    let found = match body.get("messages") {
        Some(Value::String(text)) => vec![Message { role: Role::User, text: text.clone() }],
        Some(message @ Value::Object(_)) => vec![one(message)?],
        Some(Value::Array(all)) => all.iter().map(one).collect::<Result<_, _>>()?,
        _ => return Err(refusal()),
    };
    let found: Vec<Message> = found.into_iter().filter(|message| !message.text.trim().is_empty()).collect();
    if found.is_empty() { Err(refusal()) } else { Ok(found) }
}

/// Returns the end of the expiration date. `None` if not given; `Some(None)` if explicitly null.
fn ends(body: &Value) -> Result<Option<Option<Timestamp>>, Refused> {
    let given = ["expiration_date", "expirationDate"].iter().find_map(|name| body.get(name));
    let day = match given {
        None => return Ok(None),
        Some(Value::Null) => return Ok(Some(None)),
        Some(given) => given.as_str().unwrap_or_default(),
    };
    match next_day(day).or_else(|| moment(day)) {
        Some(end) => Ok(Some(Some(end))),
        None => Err(Problem::bad(phrase!("http.mem0.expiration_date_not_valid")).into()),
    }
}

/// Returns the time of the messages, if the client gives it.
fn told(body: &Value) -> Result<Option<Timestamp>, Refused> {
    let Some(given) = body.get("timestamp").filter(|given| !given.is_null()) else { return Ok(None) };
    let refusal = || Problem::bad(phrase!("http.mem0.timestamp_not_valid"));
    Ok(Some(told_at(given).ok_or_else(refusal)?))
}

/// Builds the edit of a memory from a request.
async fn edit_of(server: &Server, access: &Access, id: &str, body: &Value) -> Result<(MindHandle, MemoryId, Edit), Refused> {
    let (mind, memory) = find(server, access, id).await?;
    let text = ["text", "data", "memory"].iter().find_map(|name| body.get(name)).filter(|text| !text.is_null());
    let content = match text {
        Some(Value::String(text)) => Some(saegim_core::content(text)?),
        Some(_) => return Err(Problem::bad(phrase!("http.mem0.text_not_a_string")).into()),
        None => None,
    };
    let tags = metadata::labels(body.get("metadata"))?.map(|labels| metadata::replaced(&memory.tags, labels));
    let ends = ends(body)?.map(|end| end.map_or(Ends::WithItsTier, Ends::At));
    let told_at = told(body)?;
    if content.is_none() && tags.is_none() && ends.is_none() && told_at.is_none() {
        return Err(Problem::bad(phrase!("http.mem0.update_empty")).into());
    }
    Ok((mind, memory.id, Edit { content, tags, ends, told_at, before: Before::Kept, ..Edit::default() }))
}

/// Edits a memory.
pub(super) async fn update(server: &Server, access: &Access, id: &str, body: &Value) -> Result<(MindKey, saegim_core::Memory), Refused> {
    let (mind, id, edit) = edit_of(server, access, id, body).await?;
    let memory = mind.edit(id, edit).await?;
    Ok((mind.key().clone(), memory))
}

/// Edits several memories. All edits are validated first; those of one mind are committed together.
pub(super) async fn update_all(server: &Server, access: &Access, items: &[Value]) -> Result<(), Refused> {
    let mut minds: Vec<(MindHandle, Vec<(MemoryId, Edit)>)> = Vec::new();
    for item in items {
        let (mind, id, edit) = edit_of(server, access, id_in(item), item).await?;
        let place = match minds.iter().position(|(known, _)| known.id() == mind.id()) {
            Some(place) => place,
            None => {
                minds.push((mind, Vec::new()));
                minds.len() - 1
            }
        };
        if minds[place].1.iter().any(|(known, _)| *known == id) {
            return Err(Problem::bad(phrase!("http.mem0.listed_twice", id)).into());
        }
        minds[place].1.push((id, edit));
    }
    for (mind, edits) in minds {
        mind.edit_all(edits).await?;
    }
    Ok(())
}

/// Returns the memory id of a batch item.
pub(super) fn id_in(item: &Value) -> &str {
    let named = ["memory_id", "memoryId", "id"].iter().find_map(|name| item.get(name));
    named.or(Some(item)).and_then(Value::as_str).unwrap_or_default()
}
