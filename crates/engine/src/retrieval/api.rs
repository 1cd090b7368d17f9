//! Public methods of [`MindHandle`] that [`Retrieval`] implements.

use saegim_core::{
    Candidate, Fact, Facts, Memory, MemoryId, Mood, Scene, Session, SpeechStyle, StatementId, Timestamp, Turn, TurnId, Zone,
};
use saegim_store::{CandidatePage, Counts, Filter, Page, TurnPage};

use super::Retrieval;
use crate::mind::boxed;
use crate::{
    Context, ContextQuery, EngineError, KnownStatement, MemoryDetails, MindHandle, Person, Query, Recalled, RelationshipState,
    StatementHistory, TimelineEntry, TimelineQuery,
};

impl MindHandle {
    pub(crate) const fn retrieval(&self) -> Retrieval<'_> {
        Retrieval { mind: self }
    }

    /// Returns the context for a model that is about to answer `query`.
    pub async fn context(&self, query: ContextQuery) -> Result<Context, EngineError> {
        boxed(self.retrieval().context(query)).await
    }

    /// Checks whether the memories are loaded, so that the next query uses the index.
    pub async fn is_loaded(&self) -> bool {
        boxed(self.retrieval().is_loaded()).await
    }

    /// Returns a memory with its scores, links, forecast and history. Also finds archived memories.
    pub async fn show(&self, id: MemoryId) -> Result<MemoryDetails, EngineError> {
        boxed(self.retrieval().show(id)).await
    }

    /// Returns the text of a memory after each step of its history, as far as it is still known. Earlier texts come from the
    /// cliff (rewrites by agents are kept there) and from the original candidate; the salted hash in the ledger entry identifies
    /// the right one.
    pub async fn text_history(&self, shown: &MemoryDetails) -> Result<Vec<Option<String>>, EngineError> {
        boxed(self.retrieval().text_history(shown)).await
    }

    /// Returns the memory with this external id, alive or on the cliff.
    pub async fn by_external_id(&self, name: &str) -> Result<Option<MemoryId>, EngineError> {
        boxed(self.retrieval().by_external_id(name)).await
    }

    /// Returns living memories that match the filter, newest first.
    pub async fn list(&self, filter: &Filter, page: Page) -> Result<Vec<Memory>, EngineError> {
        boxed(self.retrieval().list(filter, page)).await
    }

    /// Returns at most `limit` memories of a zone, highest zone score first. If the zone holds more than can be compared, only
    /// its newest memories are considered.
    pub async fn zone(&self, zone: Zone, limit: usize) -> Result<Vec<Memory>, EngineError> {
        boxed(self.retrieval().zone(zone, limit)).await
    }

    /// Returns the number of memories by tier, zone and state.
    pub async fn counts(&self) -> Result<Counts, EngineError> {
        boxed(self.retrieval().counts()).await
    }

    /// Returns the character's current mood.
    pub async fn mood(&self) -> Result<Mood, EngineError> {
        boxed(self.retrieval().mood()).await
    }

    /// Returns the zone score of a memory at `now`, without the context part.
    pub fn nearness(&self, memory: &Memory, now: Timestamp) -> f32 {
        self.retrieval().nearness(memory, now)
    }

    /// Returns all facts about the user, current and past.
    pub async fn facts(&self) -> Result<Facts, EngineError> {
        boxed(self.retrieval().facts()).await
    }

    /// Sets a fact as the owner. The value has 1 to 500 characters.
    pub async fn state(&self, key: &str, value: &str) -> Result<Fact, EngineError> {
        boxed(self.retrieval().state(key, value)).await
    }

    /// Marks a fact as no longer true, as the owner: one value of the subject, or all values if `value` is `None`. Returns the ended facts.
    pub async fn end(&self, key: &str, value: Option<&str>) -> Result<Vec<Fact>, EngineError> {
        boxed(self.retrieval().end(key, value)).await
    }

    /// Returns what the user said in their own words about themselves and their people, newest first.
    pub async fn statements(&self, history: StatementHistory) -> Result<Vec<KnownStatement>, EngineError> {
        boxed(self.retrieval().statements(history)).await
    }

    /// Resolves the id of a statement: a whole id, or at least four hexadecimal digits of its start or end.
    pub async fn resolve_statement(&self, text: &str) -> Result<StatementId, EngineError> {
        boxed(self.retrieval().resolve_statement(text)).await
    }

    /// Confirms a statement as the owner. It then counts like one the reader is sure of.
    pub async fn confirm_statement(&self, id: StatementId) -> Result<KnownStatement, EngineError> {
        boxed(self.retrieval().confirm_statement(id)).await
    }

    /// Deletes a statement as the owner. Statements that it had ended become current again. The message stays.
    pub async fn remove_statement(&self, id: StatementId) -> Result<KnownStatement, EngineError> {
        boxed(self.retrieval().remove_statement(id)).await
    }

    /// Returns the people and pets in the user's life with their facts and statements, ordered by id.
    pub async fn people(&self) -> Result<Vec<Person>, EngineError> {
        boxed(self.retrieval().people()).await
    }

    /// Returns the person with this id, name or relation.
    pub async fn person(&self, name: &str) -> Result<Person, EngineError> {
        boxed(self.retrieval().person(name)).await
    }

    /// Returns the relationship with its last `limit` changes.
    pub async fn standing(&self, limit: usize) -> Result<RelationshipState, EngineError> {
        boxed(self.retrieval().standing(limit)).await
    }

    /// Sets the speech style, as the owner. `None` derives it from the relationship level again.
    pub async fn set_speech_style(&self, style: Option<SpeechStyle>) -> Result<(), EngineError> {
        boxed(self.retrieval().set_speech_style(style)).await
    }

    /// Returns the timeline, newest last.
    pub async fn timeline(&self, query: TimelineQuery) -> Result<Vec<TimelineEntry>, EngineError> {
        boxed(self.retrieval().timeline(query)).await
    }

    /// Returns turns, newest last.
    pub async fn turns(&self, page: TurnPage) -> Result<Vec<Turn>, EngineError> {
        boxed(self.retrieval().turns(page)).await
    }

    /// Returns one turn.
    pub async fn turn(&self, id: TurnId) -> Result<Turn, EngineError> {
        boxed(self.retrieval().turn(id)).await
    }

    /// Returns the sessions, latest first.
    pub async fn sessions(&self) -> Result<Vec<Session>, EngineError> {
        boxed(self.retrieval().sessions()).await
    }

    /// Returns candidates with their verdicts, newest first.
    pub async fn candidates(&self, page: CandidatePage) -> Result<Vec<Candidate>, EngineError> {
        boxed(self.retrieval().candidates(page)).await
    }

    /// Returns the current or last scene.
    pub async fn scene(&self) -> Result<Option<Scene>, EngineError> {
        boxed(self.retrieval().scene()).await
    }

    /// Returns the memories that are relevant to the query. An empty result means that there are none.
    pub async fn recall(&self, query: Query) -> Result<Recalled, EngineError> {
        boxed(self.retrieval().recall(query)).await
    }

    /// Counts these memories as recalled: renews freshness and strength, and applies their emotions to the mood.
    pub async fn mark_used(&self, ids: &[MemoryId]) -> Result<(), EngineError> {
        boxed(self.retrieval().mark_used(ids)).await
    }
}
