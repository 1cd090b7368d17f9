//! The conversation of a mind in a bundle: turns, what was derived from them, and the relationship.

use saegim_core::{
    Assertion, Candidate, Change, Deed, Fact, Mood, Op, Principal, Relationship, RelationshipChange, Scene, Session, SpeechStyle,
    Statement, Turn, phrase,
};
use saegim_store::{CandidatePage, StatementPage, TurnPage};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::SkippedItem;
use super::bundle::line;
use crate::EngineError;
use crate::exchange::Transfer;

/// Upper bound above the size of any mind.
const ALL: usize = u32::MAX as usize;

/// Number of turns read at a time.
const PAGE: usize = 1000;

/// Conversation data of a bundle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    lived: Option<Lived>,
    sessions: Vec<Session>,
    turns: Vec<Turn>,
    candidates: Vec<Candidate>,
    assertions: Vec<Assertion>,
    statements: Vec<Statement>,
    facts: Vec<Fact>,
    relationship: Option<Standing>,
    moved: Vec<RelationshipChange>,
    scenes: Vec<Scene>,
}

/// Turn count and mood of a mind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Lived {
    turns: u64,
    mood: Mood,
}

/// Relationship and the speech style the owner chose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Standing {
    #[serde(flatten)]
    axes: Relationship,
    speech_style: Option<SpeechStyle>,
}

/// Result of importing a conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedConversation {
    /// Number of imported turns.
    pub turns: usize,
    /// Number of imported facts, including former ones.
    pub facts: usize,
    /// Reason if it was not imported.
    pub left_out: Option<SkippedItem>,
}

impl Conversation {
    /// Reads a line of a bundle. Returns false for a type that is not part of a conversation.
    pub(super) fn take(&mut self, kind: &str, fields: &Map<String, Value>) -> Result<bool, serde_json::Error> {
        fn read<T: DeserializeOwned>(fields: &Map<String, Value>) -> Result<T, serde_json::Error> {
            serde_json::from_value(Value::Object(fields.clone()))
        }
        match kind {
            "mind" => self.lived = Some(read(fields)?),
            "session" => self.sessions.push(read(fields)?),
            "turn" => self.turns.push(read(fields)?),
            "candidate" => self.candidates.push(read(&renamed(fields, "candidate_type", "type"))?),
            "assertion" => self.assertions.push(read(fields)?),
            // Bundles of earlier versions call an assertion a statement.
            "statement" if fields.contains_key("subject") => self.assertions.push(read(fields)?),
            "statement" => self.statements.push(read(fields)?),
            "fact" => self.facts.push(read(fields)?),
            "relationship" => self.relationship = Some(read(fields)?),
            "relationship_change" => self.moved.push(read(fields)?),
            "scene" => self.scenes.push(read(fields)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the lines of a bundle, in a fixed order.
    fn lines(&self) -> Vec<String> {
        fn each<T: Serialize>(kind: &str, things: &[T]) -> Vec<String> {
            things.iter().map(|thing| line(kind, &fields(thing))).collect()
        }
        let mut lines = each("mind", self.lived.as_slice());
        lines.extend(each("session", &self.sessions));
        lines.extend(each("turn", &self.turns));
        lines.extend(self.candidates.iter().map(|judged| line("candidate", &renamed(&fields(judged), "type", "candidate_type"))));
        lines.extend(each("assertion", &self.assertions));
        lines.extend(each("statement", &self.statements));
        lines.extend(each("fact", &self.facts));
        lines.extend(each("relationship", self.relationship.as_slice()));
        lines.extend(each("relationship_change", &self.moved));
        lines.extend(each("scene", &self.scenes));
        lines
    }

    fn changes(self) -> Vec<Change> {
        let mut changes: Vec<Change> = self.sessions.into_iter().map(Change::SessionSet).collect();
        changes.extend(self.scenes.into_iter().map(|scene| Change::SceneSet(Box::new(scene))));
        changes.extend(self.turns.into_iter().map(|turn| Change::TurnAdded(Box::new(turn))));
        changes.extend(self.candidates.into_iter().map(|judged| Change::CandidateAdded(Box::new(judged))));
        changes.extend(self.assertions.into_iter().map(|assertion| Change::Asserted(Box::new(assertion))));
        changes.extend(self.statements.into_iter().map(|statement| Change::StatementSet(Box::new(statement))));
        changes.extend(self.facts.into_iter().map(|fact| Change::FactSet(Box::new(fact))));
        changes.extend(self.moved.into_iter().map(Change::RelationshipMoved));
        if let Some(Standing { axes, speech_style }) = self.relationship {
            changes.push(Change::RelationshipSet { before: Relationship::default(), after: axes });
            changes.extend(speech_style.map(|style| Change::SpeechStyleSet(Some(style))));
        }
        if let Some(Lived { turns, mood }) = self.lived {
            changes.push(Change::Turned(turns));
            changes.push(Change::MoodSet(mood));
        }
        changes
    }
}

fn fields(thing: &impl Serialize) -> Map<String, Value> {
    match json!(thing) {
        Value::Object(fields) => fields,
        _ => unreachable!("everything in a bundle is an object"),
    }
}

/// Renames a field. Needed because the lines use `type` themselves.
fn renamed(fields: &Map<String, Value>, from: &str, to: &str) -> Map<String, Value> {
    fields.iter().map(|(name, value)| (if name == from { to.to_owned() } else { name.clone() }, value.clone())).collect()
}

impl Transfer<'_> {
    /// Returns the bundle lines of the conversation.
    pub(super) async fn conversation_lines(&self) -> Result<Vec<String>, EngineError> {
        let (store, mind) = (self.mind.store(), self.mind.mind().await?);
        let (axes, speech_style) = store.relationship(self.mind.id).await?;
        let standing = Standing { axes, speech_style };
        let mut conversation = Conversation {
            lived: Some(Lived { turns: mind.turns, mood: mind.mood }),
            sessions: store.sessions(self.mind.id).await?,
            candidates: store.candidates(self.mind.id, CandidatePage { limit: ALL, ..CandidatePage::default() }).await?,
            assertions: store.assertions(self.mind.id).await?,
            statements: store.statements(self.mind.id, StatementPage { limit: ALL, history: true, ..StatementPage::default() }).await?,
            facts: store.facts(self.mind.id).await?,
            relationship: (standing.axes != Relationship::default() || speech_style.is_some()).then_some(standing),
            moved: store.relationship_changes(self.mind.id, None, ALL).await?,
            scenes: store.scenes(self.mind.id, ALL).await?,
            turns: Vec::new(),
        };
        conversation.candidates.reverse();
        conversation.statements.reverse();
        let (mut pages, mut before) = (Vec::new(), None);
        loop {
            let page = store.turns(self.mind.id, TurnPage { before, limit: PAGE, withdrawn: true, ..TurnPage::default() }).await?;
            let Some(first) = page.first() else { break };
            before = Some(first.id);
            pages.push(page);
        }
        conversation.turns = pages.into_iter().rev().flatten().collect();
        Ok(conversation.lines())
    }

    pub(crate) async fn import_conversation(&self, conversation: Conversation) -> Result<ImportedConversation, EngineError> {
        self.mind.may(Deed::Import).await?;
        let heard = ImportedConversation { turns: conversation.turns.len(), facts: conversation.facts.len(), left_out: None };
        let silent = heard.turns == 0 && conversation.assertions.is_empty() && conversation.relationship.is_none();
        // A mind with any ledger entry after its creation has its own mood.
        if conversation == Conversation::default() || silent && self.mind.store().head(self.mind.id).await? > 1 {
            return Ok(ImportedConversation::default());
        }
        let ids: Vec<_> = conversation.turns.iter().map(|turn| turn.id).collect();
        let left_out = |why| ImportedConversation {
            left_out: Some(SkippedItem { what: "conversation".into(), why }),
            ..ImportedConversation::default()
        };
        let begun =
            !self.mind.store().sessions(self.mind.id).await?.is_empty() || !self.mind.store().assertions(self.mind.id).await?.is_empty();
        if begun {
            let known = !ids.is_empty() && self.mind.store().turns_by_id(self.mind.id, &ids).await?.len() == ids.len();
            return Ok(if known { ImportedConversation::default() } else { left_out(phrase!("engine.conversation.already_present")) });
        }
        let mut commit = self.mind.commit_as(Principal::Owner, Op::Import, &[]).because(format!("{} turns", heard.turns));
        commit.changes = conversation.changes();
        match self.mind.write(commit).await {
            Ok(_) => Ok(heard),
            Err(EngineError::Conflict(why)) => Ok(left_out(why)),
            Err(error) => Err(error),
        }
    }
}
