//! Writes one commit: every change, the ledger entry and the idempotency record.

use rusqlite::{Connection, OptionalExtension};
use saegim_core::{Change, Commit, Hash, Idempotency, LedgerEntry, LedgerRef, MemoryState, Phrase, Principal, Timestamp, phrase};

use super::{
    answer, archive, candidate, cliff, expense, fact, grant, imagination, island, job, ledger, link, memory, mind, misdated, note,
    orchestration, proposal, relationship, scene, self_version, statement, turn, vector, webhook,
};
use crate::{Receipt, StoreError};

/// Writes `commit` within the current transaction of `connection`.
pub(super) fn apply(connection: &Connection, commit: &Commit) -> Result<Receipt, StoreError> {
    if let [Change::MindBegan(begun), ..] = commit.changes.as_slice() {
        mind::insert(connection, begun)?;
    }
    let mind = mind::key(connection, commit.mind)?;
    if let Some(receipt) = repeated(connection, mind, commit)? {
        return Ok(receipt);
    }
    let (last, previous) = ledger::head(connection, mind)?;
    let (sequence, known_at) = (last + 1, misdated::known_at(connection, mind, commit.at)?);
    for change in &commit.changes {
        write(connection, Place { mind, sequence, known_at }, change)?;
    }
    if commit.principal != Principal::Worker {
        mind::wake(connection, mind, commit.at)?;
    }
    let entry = LedgerEntry {
        mind: commit.mind,
        sequence,
        at: commit.at,
        session: commit.session.clone(),
        principal: commit.principal,
        operation: commit.operation,
        note: commit.note.clone(),
        coordinate: commit.coordinate.clone(),
        memories: commit.memories.clone(),
        evaluation: commit.evaluation,
        plan_adjustment: commit.plan_adjustment.clone(),
        things: commit.things.clone(),
        used: commit.used.clone(),
        times: commit.times,
        judges: commit.judges.clone(),
        previous,
    };
    let hash = ledger::append(connection, mind, &entry)?;
    if let Some(idempotency) = &commit.idempotency {
        let mut insert = connection.prepare_cached("INSERT INTO idempotency (mind, key, request, sequence) VALUES (?1, ?2, ?3, ?4)")?;
        insert.execute((mind, &idempotency.key, idempotency.request.bytes(), sequence))?;
    }
    if let Some(under) = &commit.under {
        answer::wrote(connection, mind, sequence, under)?;
    }
    Ok(Receipt { sequence, hash, memories: commit.memories.clone(), repeated: false })
}

/// Context of a change.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Row key of the mind.
    pub(super) mind: i64,
    /// Ledger sequence of the commit.
    pub(super) sequence: u64,
    /// Latest time known before, if the clock of the writer is far behind it.
    pub(super) known_at: Option<Timestamp>,
}

fn write(connection: &Connection, place: Place, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::MindBegan(_) => Ok(()),
        Change::MemoryAdded(memory) => {
            memory::insert(connection, place, memory)?;
            misdated::mark(connection, place, memory)
        }
        Change::MemoryChanged(memory) => {
            memory::update(connection, place, memory)?;
            misdated::mark_changed(connection, place, memory)
        }
        Change::MemoryPlaced { memory, zone, score } => {
            memory::set_zone(connection, place, &memory::ZonePlacement { memory: *memory, zone: *zone, score: *score })
        }
        Change::CliffEntered(memory, entry) => {
            debug_assert_eq!(memory.standing, MemoryState::OnCliff);
            memory::update(connection, place, memory)?;
            cliff::insert(connection, place.mind, entry)
        }
        Change::CliffLeft(memory) => {
            memory::update(connection, place, memory)?;
            misdated::mark_changed(connection, place, memory)?;
            cliff::delete(connection, place.mind, memory.id)
        }
        Change::MemoryGone(memory) => {
            candidate::blank(connection, place.mind, *memory)?;
            proposal::blank(connection, place.mind, *memory)?;
            imagination::blank(connection, place.mind, *memory)?;
            orchestration::blank(connection, place.mind, *memory)?;
            self_version::forget_rejections(connection, place.mind, *memory)?;
            note::clear(connection, place.mind)?;
            answer::blank(connection, place.mind)?;
            memory::delete(connection, place.mind, *memory)
        }
        Change::Archived(archive, memories) => archive::insert(connection, place.mind, archive, memories),
        Change::ArchiveGone(session, part) => archive::delete(connection, place.mind, session, *part),
        Change::LinkAdded(link) => link::insert(connection, place.mind, link),
        Change::LinkRemoved(link) => link::delete(connection, place.mind, link),
        Change::Embedded { memory, embedder, vector } => vector::put(connection, place, *memory, vector::Written { embedder, vector }),
        Change::MoodSet(mood) => mind::set_mood(connection, place.mind, mood),
        Change::Raised { tier, at } => mind::set_raised(connection, place.mind, *tier, *at),
        Change::Consolidated { turn, compared_to } => mind::set_consolidated(connection, place.mind, *turn, *compared_to),
        Change::DatedBack(to) => misdated::date_back(connection, place, *to),
        Change::ClockSetRight { from, now } => {
            let before = mind::course(connection, place.mind)?;
            mind::put_course(connection, place.mind, &before, &before.repaired())?;
            mind::repaired(connection, place.mind, *from, *now)
        }
        Change::Pruned(turn) => mind::set_pruned(connection, place.mind, *turn),
        Change::CareBy(at) => mind::care_by(connection, place.mind, *at),
        Change::SessionSet(session) => turn::put_session(connection, place.mind, session),
        Change::TurnAdded(said) => turn::insert(connection, place, said),
        Change::TurnChanged(said) => turn::update(connection, place, said),
        Change::TurnGone(id) => {
            note::clear(connection, place.mind)?;
            answer::blank(connection, place.mind)?;
            turn::delete(connection, place.mind, *id)
        }
        Change::TurnEmbedded { turn, embedder, vector } => turn::put_vector(connection, place, *turn, vector::Written { embedder, vector }),
        Change::Turned(turns) => mind::add_turns(connection, place.mind, *turns),
        Change::CandidateAdded(judged) => candidate::insert(connection, place.mind, judged),
        Change::Asserted(assertion) => fact::insert_assertion(connection, place.mind, assertion),
        Change::AssertionGone(id) => fact::delete_assertion(connection, place.mind, *id),
        Change::StatementSet(said) => statement::put(connection, place.mind, said),
        Change::StatementGone(id) => statement::delete(connection, place.mind, *id),
        Change::FactSet(known) => fact::put(connection, place.mind, known),
        Change::FactGone(id) => fact::delete(connection, place.mind, *id),
        Change::RelationshipSet { before, after } => relationship::put(connection, place.mind, before, after),
        Change::SpeechStyleSet(style) => relationship::set_style(connection, place.mind, *style),
        Change::RelationshipMoved(change) => relationship::insert_change(connection, place.mind, change),
        Change::RelationshipTakenBack(turn) => relationship::delete_changes(connection, place.mind, *turn),
        Change::SceneSet(stretch) => scene::put(connection, place.mind, stretch),
        Change::CandidateSettled { candidate, verdict, memory } => {
            candidate::settle(connection, place.mind, &candidate::Settled { candidate: *candidate, verdict: *verdict, memory: *memory })
        }
        Change::IslandSet(side) => island::put(connection, place.mind, side),
        Change::IslandGone(id) => island::delete(connection, place.mind, *id),
        Change::SelfVersioned(version) => self_version::insert(connection, place.mind, version),
        Change::BeliefErased(id) => self_version::erase(connection, place.mind, *id),
        Change::BeliefRejected(rejection) => self_version::put_rejection(connection, place.mind, rejection),
        Change::ProposalSet(proposed) => proposal::put(connection, place.mind, proposed),
        Change::GrantSet(given) => grant::put(connection, place.mind, given),
        Change::WebhookSet(told) => webhook::put(connection, place.mind, told),
        Change::ImaginationSet(imagined) => imagination::put(connection, place.mind, imagined),
        Change::WeightSet(weight) => imagination::put_weight(connection, place.mind, weight),
        Change::JobSet(waiting) => job::put(connection, place.mind, waiting),
        Change::JobDone(kind, turns) => job::delete(connection, place.mind, *kind, turns),
        Change::NoteSet(written) => note::put(connection, place.mind, written),
        Change::NotesGone => note::clear(connection, place.mind),
        Change::OrchestrationSet(run) => orchestration::put(connection, place.mind, run),
        Change::Spent(spent) => expense::add(connection, place.mind, spent),
    }
}

/// Returns the receipt of the earlier commit if this request is a repeat under the same key.
fn repeated(connection: &Connection, mind: i64, commit: &Commit) -> Result<Option<Receipt>, StoreError> {
    let Some(idempotency) = &commit.idempotency else { return Ok(None) };
    let Some(sequence) = done_before(connection, mind, idempotency)? else { return Ok(None) };
    let (entry, hash): (LedgerEntry, Hash) = ledger::entry(connection, mind, sequence)?;
    let memories: Vec<LedgerRef> = entry.memories;
    Ok(Some(Receipt { sequence, hash, memories, repeated: true }))
}

/// Returns the ledger sequence of an earlier request under the same key. Fails with a conflict if the key was used for a
/// different request.
pub(super) fn done_before(connection: &Connection, mind: i64, idempotency: &Idempotency) -> Result<Option<u64>, StoreError> {
    let mut select = connection.prepare_cached("SELECT request, sequence FROM idempotency WHERE mind = ?1 AND key = ?2")?;
    let found: Option<([u8; 32], u64)> = select.query_row((mind, &idempotency.key), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((request, sequence)) = found else { return Ok(None) };
    if request != *idempotency.request.bytes() {
        return Err(StoreError::Conflict(phrase!("store.apply.idempotency_key_reused", key = idempotency.key)));
    }
    Ok(Some(sequence))
}

/// Returns the error for an invalid row: the file was damaged or written by another program.
pub(super) fn broken(what: impl Into<Phrase>) -> StoreError {
    StoreError::Broken(what.into())
}

/// Returns the error for a mind that does not exist.
pub(super) fn no_mind() -> StoreError {
    StoreError::NotFound(phrase!("store.apply.mind_not_found"))
}
