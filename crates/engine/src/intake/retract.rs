//! Withdrawing, editing, reinstating and branching of turns. The memories and facts learned from the turns follow.

use saegim_core::{
    Assertion, Change, CliffReason, Commit, CurrentSession, Deed, Facts, Fall, Freedom, Memory, MemoryId, MemoryState, Op, Principal,
    Session, SessionId, Span, Tier, Turn, TurnId, Unit, freedom, phrase,
};
use saegim_language::ValueComparison;
use saegim_store::TurnPage;

use crate::EngineError;
use crate::engine::retrying;
use crate::intake::Intake;
use crate::intake::remember::AGENT_TRUST;
use crate::intake::turn::gather::Unread;
use crate::intake::turn::model_reading::{CheckedReading, ModelReading};
use crate::intake::turn::model_results::{Attempt, Missing, ModelResults};
use crate::intake::turn::statement_book::StatementBook;
use crate::intake::turn::turn_draft::TurnDraft;

/// Result of withdrawing or reinstating turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Withdrawn {
    /// Affected turns.
    pub turns: Vec<TurnId>,
    /// Number of memories that moved to the cliff or were restored.
    pub memories: usize,
    /// Number of changed facts.
    pub facts: usize,
}

/// A new text of a turn with its reading.
struct Reword<'a> {
    id: TurnId,
    content: &'a str,
    /// Turns before it.
    window: &'a [Turn],
    reading: &'a ModelReading,
}

/// Cliff note of a memory whose turn was withdrawn.
pub(crate) const TAKEN_BACK: &str = "what it was learned from was taken back";

/// Direction of a change to a turn.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Out,
    Back,
    /// Withdrawn in the old wording and reinstated in a new one.
    Anew,
}

/// Turns that are withdrawn or reinstated together.
#[derive(Clone, Copy)]
struct MovingTurns<'a> {
    turns: &'a [Turn],
    way: Way,
}

/// Checks whether a memory is core or pinned, so that only the owner may forget it.
fn is_held_fast(memory: &Memory) -> bool {
    memory.standing == MemoryState::Alive && (memory.pinned || memory.tier == Tier::M0)
}

impl Intake<'_> {
    /// Withdraws turns. They stay readable as withdrawn, memories learned only from them move to the cliff, and facts that they
    /// superseded become current again.
    pub(crate) async fn withdraw(&self, turns: &[TurnId]) -> Result<Withdrawn, EngineError> {
        self.mind.may(Deed::Withdraw).await?;
        retrying(|| self.turned(turns, Way::Out)).await
    }

    /// Reinstates withdrawn turns and the memories learned from them.
    pub(crate) async fn reinstate(&self, turns: &[TurnId]) -> Result<Withdrawn, EngineError> {
        self.mind.may(Deed::Withdraw).await?;
        retrying(|| self.turned(turns, Way::Back)).await
    }

    async fn turned(&self, ids: &[TurnId], way: Way) -> Result<Withdrawn, EngineError> {
        let lock = self.turn_lock();
        let mut cached = lock.lock().await;
        let turns = self.mind.store().turns_by_id(self.mind.id, ids).await?;
        if turns.len() < ids.len() {
            return Err(EngineError::NotFound(phrase!("engine.retract.message_not_found")));
        }
        let moving: Vec<Turn> = turns.into_iter().filter(|turn| turn.is_live() != (way == Way::Back)).collect();
        let operation = if way == Way::Back { Op::Reinstate } else { Op::Withdraw };
        let mut commit = self.mind.commit(operation, &[]);
        let withdrawn = self.follow_turns(&mut commit, &moving, way).await?;
        if way != Way::Back {
            self.count_as_forgotten(&mut commit, &moving, &withdrawn).await?;
        }
        if !withdrawn.turns.is_empty() {
            commit.changes.push(Change::NotesGone);
            self.mind.write(commit).await?;
        }
        *cached = None;
        Ok(withdrawn)
    }

    /// Applies the agent's daily forget limit to turns that do not belong to the current session.
    async fn count_as_forgotten(&self, commit: &mut Commit, moving: &[Turn], done: &Withdrawn) -> Result<(), EngineError> {
        // A changed fact counts as one, even if no memory is lost.
        let fallen = done.memories.max(usize::from(done.facts > 0)) as u64;
        let latest = self.mind.store().turns(self.mind.id, TurnPage { limit: 1, withdrawn: true, ..TurnPage::default() }).await?.pop();
        let current = CurrentSession { session: latest.as_ref().map(|turn| &turn.session), now: self.mind.now() };
        let counted = |turn: &Turn| freedom(self.mind.principal(), turn, current, &self.mind.policy().agent) == Freedom::Counted;
        if fallen == 0 || !moving.iter().any(counted) {
            return Ok(());
        }
        if fallen > self.mind.removal().forgets_left().await? {
            return Err(EngineError::NotYet(phrase!("engine.retract.daily_limit"), self.mind.now().plus(Span::days(1))));
        }
        commit.times = Some(fallen);
        Ok(())
    }

    /// Adds all changes that follow from withdrawing or reinstating turns to the commit.
    async fn follow_turns(&self, commit: &mut Commit, moving: &[Turn], way: Way) -> Result<Withdrawn, EngineError> {
        let now = self.mind.now();
        self.mind.removal().open_archives_of(&moving.iter().map(|turn| turn.session.clone()).collect::<Vec<_>>()).await?;
        let mut done = Withdrawn { turns: moving.iter().map(|turn| turn.id).collect(), ..Withdrawn::default() };
        let (before, _) = self.mind.store().relationship(self.mind.id).await?;
        let (mut after, mut related) = (before, false);
        for turn in moving {
            let withdrawn_at = (way != Way::Back).then_some(now);
            commit.changes.push(Change::TurnChanged(Box::new(Turn { withdrawn_at, ..turn.clone() })));
            for change in self.mind.store().relationship_changes(self.mind.id, Some(turn.id), 10).await? {
                let delta = if way == Way::Back { change.delta } else { -change.delta };
                after.shift(change.axis, delta);
                related = true;
            }
            done.memories += self.follow_memories(commit, turn, MovingTurns { turns: moving, way }).await?;
        }
        if related {
            commit.changes.push(Change::RelationshipSet { before, after });
        }
        let before = Facts::known(self.mind.store().facts(self.mind.id).await?);
        let facts = Facts::from_assertions(&self.standing_assertions(moving, way).await?, &ValueComparison);
        let (changed, gone) = facts.differences(&before);
        done.facts = changed.len() + gone.len();
        commit.changes.extend(gone.into_iter().map(Change::FactGone));
        commit.changes.extend(changed.into_iter().map(|fact| Change::FactSet(Box::new(fact))));
        commit.changes.extend(self.follow_statements(moving, way).await?);
        Ok(done)
    }

    /// Returns the changes of the statements that were made in these turns. Those of a reworded turn are deleted when the new text
    /// is judged.
    async fn follow_statements(&self, moving: &[Turn], way: Way) -> Result<Vec<Change>, EngineError> {
        let mut book = StatementBook::default();
        let mut turns = Vec::new();
        for turn in moving.iter().filter(|_| way != Way::Anew) {
            if way == Way::Back || !self.is_ground(turn.id).await? {
                turns.push(turn.id);
            }
        }
        self.withdraw_statements(&mut book, &turns, (way == Way::Out).then(|| self.mind.now())).await?;
        Ok(book.changes())
    }

    /// Moves memories that rest only on this turn to the cliff, or restores them. Returns how many.
    async fn follow_memories(&self, commit: &mut Commit, turn: &Turn, moving: MovingTurns<'_>) -> Result<usize, EngineError> {
        let MovingTurns { turns: moving, way } = moving;
        let mut count = 0;
        let cliff = if way == Way::Back { self.mind.cliff().await? } else { Vec::new() };
        // A memory that someone forgot on purpose is not restored.
        let followed = |id: MemoryId| cliff.iter().any(|fallen| fallen.memory.id == id && fallen.entry.note == TAKEN_BACK);
        for memory in self.mind.store().learned_from(self.mind.id, turn.id).await? {
            let others: Vec<TurnId> = memory.turns.iter().copied().filter(|id| moving.iter().all(|turn| turn.id != *id)).collect();
            let others = self.mind.store().turns_by_id(self.mind.id, &others).await?;
            let rests = others.iter().any(Turn::is_live);
            match (way, memory.standing) {
                // Core and pinned memories stay, even if their turn is withdrawn.
                (Way::Out | Way::Anew, MemoryState::Alive) if !rests && !is_held_fast(&memory) => {
                    let fall = Fall { at: self.mind.now(), reason: CliffReason::Displaced, note: TAKEN_BACK.into() };
                    let (_, next) =
                        self.mind.removal().move_to_cliff(memory, fall, std::mem::replace(commit, self.mind.commit(commit.operation, &[])));
                    *commit = next;
                    count += 1;
                }
                (Way::Back, MemoryState::OnCliff) if followed(memory.id) => {
                    let back = self.mind.removal().with_restored_state(memory).await?;
                    commit.memories.extend(self.mind.commit(commit.operation, &[&back]).memories);
                    commit.changes.push(Change::CliffLeft(Box::new(back)));
                    count += 1;
                }
                _ => {}
            }
        }
        Ok(count)
    }

    /// Returns the assertions that are valid after `moving` is withdrawn or reinstated.
    async fn standing_assertions(&self, moving: &[Turn], way: Way) -> Result<Vec<Assertion>, EngineError> {
        let mut gone = Vec::new();
        for turn in moving {
            if way == Way::Anew || (way == Way::Out && !self.is_ground(turn.id).await?) {
                gone.push(turn.id);
            }
        }
        let moved = |assertion: &Assertion| moving.iter().any(|turn| Some(turn.id) == assertion.turn);
        let assertions = self.mind.store().assertions(self.mind.id).await?;
        gone.extend(self.taken_back(assertions.iter().filter(|assertion| !moved(assertion))).await?);
        Ok(assertions.into_iter().filter(|assertion| assertion.turn.is_none_or(|turn| !gone.contains(&turn))).collect())
    }

    /// Filters the valid assertions: those of the owner, of live turns, and of turns that a core or pinned memory rests on.
    pub(crate) async fn live_assertions(&self, assertions: Vec<Assertion>) -> Result<Vec<Assertion>, EngineError> {
        let gone = self.taken_back(assertions.iter()).await?;
        Ok(assertions.into_iter().filter(|assertion| assertion.turn.is_none_or(|turn| !gone.contains(&turn))).collect())
    }

    /// Returns the withdrawn turns of `assertions` that no core or pinned memory rests on.
    async fn taken_back(&self, assertions: impl Iterator<Item = &Assertion>) -> Result<Vec<TurnId>, EngineError> {
        let mut ids: Vec<TurnId> = assertions.filter_map(|assertion| assertion.turn).collect();
        ids.sort();
        ids.dedup();
        let mut gone = Vec::new();
        for turn in self.mind.store().turns_by_id(self.mind.id, &ids).await? {
            if !turn.is_live() && !self.is_ground(turn.id).await? {
                gone.push(turn.id);
            }
        }
        Ok(gone)
    }

    /// Checks whether a core or pinned memory was learned from a turn. Facts from such a turn stay, even if it is withdrawn.
    async fn is_ground(&self, turn: TurnId) -> Result<bool, EngineError> {
        Ok(self.mind.store().learned_from(self.mind.id, turn).await?.iter().any(is_held_fast))
    }

    /// Checks whether the principal may edit a turn. Only the owner may edit a turn that a core or pinned memory was learned
    /// from.
    async fn may_reword(&self, turn: TurnId) -> Result<(), EngineError> {
        if self.is_ground(turn).await? {
            self.mind.may(Deed::TouchCore).await?;
        }
        Ok(())
    }

    /// Edits the text of a turn. Memories learned only from the old text are forgotten, and the new text is judged. Memories from
    /// an agent's edit get at most the trust of an agent's own statement.
    pub(crate) async fn reword(&self, id: TurnId, content: &str) -> Result<Withdrawn, EngineError> {
        self.mind.may(Deed::Withdraw).await?;
        let content = Turn::said(content)?;
        self.may_reword(id).await?;
        let before = TurnPage { limit: self.mind.policy().context.window, before: Some(id), ..TurnPage::default() };
        let window = self.mind.store().turns(self.mind.id, before).await?;
        // The model reads the new text before the lock is taken, so that other turns do not wait for it.
        let reworded = Turn { content, ..self.mind.turn(id).await? };
        let reading = self.read_with_model(&window, &reworded).await?;
        let mut results = ModelResults::default();
        self.find_ended(&mut results, std::slice::from_ref(&reworded), std::slice::from_ref(&reading.reading)).await?;
        self.embed_exchange(&mut results, std::slice::from_ref(&reworded), std::slice::from_ref(&reading.reading)).await;
        let reword = Reword { id, content: &reworded.content, window: &window, reading: &reading };
        loop {
            match self.judge_reworded(&reword, &results).await? {
                Attempt::Done(done) => return Ok(done),
                Attempt::Missing(missing) => self.supply(&mut results, missing).await?,
            }
        }
    }

    /// Replaces the text of a turn and judges the new text, under the lock of the mind.
    async fn judge_reworded(&self, reword: &Reword<'_>, results: &ModelResults) -> Result<Attempt<Withdrawn>, EngineError> {
        let Reword { id, content, window, reading } = *reword;
        let lock = self.turn_lock();
        let mut cached = lock.lock().await;
        let turn = self.mind.turn(id).await?;
        self.may_reword(id).await?;
        let mut commit = self.mind.commit(Op::Reword, &[]);
        commit.session = Some(turn.session.clone());
        let mut done = self.follow_turns(&mut commit, std::slice::from_ref(&turn), Way::Anew).await?;
        self.count_as_forgotten(&mut commit, std::slice::from_ref(&turn), &done).await?;
        let assertions = self.mind.store().assertions(self.mind.id).await?;
        let old: Vec<&Assertion> = assertions.iter().filter(|assertion| assertion.turn == Some(id)).collect();
        commit.changes.extend(old.iter().map(|assertion| Change::AssertionGone(assertion.id)));
        commit.changes.push(Change::RelationshipTakenBack(id));
        commit.changes.push(Change::NotesGone);
        let mut context = self.turn_context(&mut cached).await?;
        // Revert the relationship changes of the old text before those of the new text apply.
        let without = commit.changes.iter().find_map(|change| match change {
            Change::RelationshipSet { after, .. } => Some(*after),
            _ => None,
        });
        context.relationship = without.unwrap_or(context.relationship);
        let standing = self.standing_assertions(std::slice::from_ref(&turn), Way::Anew).await?;
        context.facts = Facts::from_assertions(&standing, &ValueComparison);
        let turn = Turn { content: content.to_owned(), withdrawn_at: None, ..turn };
        let CheckedReading { reading, doubts } = reading.checked(&context.facts, &turn);
        let turn = Turn { face: Some(reading.face), ..turn };
        commit.changes.push(Change::TurnChanged(Box::new(turn.clone())));
        commit.changes.extend(self.turn_embedded(&turn, results));
        let facts = std::mem::take(&mut context.facts);
        let (turns, readings) = (std::slice::from_ref(&turn), std::slice::from_ref(&reading));
        let mut statements = StatementBook::default();
        self.delete_statements(&mut statements, &[id]).await?;
        let mut gathered = self.gather_turns(Unread { turns, readings, injected: &[], window, facts, statements }, results).await?;
        // An old message does not move the current mood.
        gathered.turns.iter_mut().for_each(|read| read.moves_mood = None);
        let mut decision = self.decide(&context, &gathered).await?;
        if !decision.unappraised.is_empty() {
            return Ok(Attempt::Missing(Missing::Appraisals(decision.unappraised)));
        }
        commit.changes.extend(gathered.fact_changes.into_iter().flatten());
        commit.changes.extend(gathered.statements.changes());
        context.facts = gathered.facts;
        if self.mind.principal() == Principal::Agent {
            // An agent that reports a message is trusted with its content; an agent that edits it later is trusted only like its
            // own statement.
            for created in &mut decision.created {
                created.memory.trust = Unit::clamped(created.memory.trust.get().min(AGENT_TRUST));
            }
        }
        done.memories += decision.created.len();
        self.put_doubts(&mut commit, &context.facts, &doubts).await?;
        self.mind.self_model().hold(&mut commit, &decision).await?;
        let mut draft = TurnDraft { context, commit };
        self.apply(&mut draft, &decision);
        self.mind.write(draft.commit).await?;
        Ok(Attempt::Done(done))
    }

    /// Branches from a turn into a new session and withdraws the turns after it.
    pub(crate) async fn branch(&self, from: TurnId, name: SessionId) -> Result<Withdrawn, EngineError> {
        self.mind.may(Deed::Branch).await?;
        let turn = self.mind.turn(from).await?;
        if self.mind.store().session(self.mind.id, &name).await?.is_some() {
            return Err(EngineError::Conflict(phrase!("engine.retract.session_exists", name = name.as_str())));
        }
        let page = TurnPage { limit: usize::from(u16::MAX), session: Some(turn.session.clone()), ..TurnPage::default() };
        let later: Vec<TurnId> = self
            .mind
            .store()
            .turns(self.mind.id, page)
            .await?
            .into_iter()
            .filter(|other| other.sequence > turn.sequence)
            .map(|turn| turn.id)
            .collect();
        let withdrawn = self.withdraw(&later).await?;
        let mut commit = self.mind.commit(Op::Withdraw, &[]).because("branched");
        commit.changes.push(Change::SessionSet(Session {
            name,
            began_at: turn.at,
            last_at: turn.at,
            last_sequence: 0,
            branched_from: Some((turn.session, turn.sequence)),
        }));
        self.mind.write(commit).await?;
        Ok(withdrawn)
    }

    /// Switches to a session: reinstates its turns and those it is based on, and withdraws those of other branches.
    pub(crate) async fn follow(&self, name: &SessionId) -> Result<Withdrawn, EngineError> {
        self.mind.may(Deed::Branch).await?;
        let sessions = self.mind.sessions().await?;
        let of = |name: &SessionId| sessions.iter().find(|session| session.name == *name);
        let chosen = of(name).ok_or_else(|| EngineError::NotFound(phrase!("engine.retract.session_not_found", name = name.as_str())))?;
        // The line consists of the chosen session and its ancestors, each up to the turn where the next one branched off.
        let mut line = vec![(chosen.name.clone(), u32::MAX)];
        let mut next = chosen.branched_from.clone();
        while let Some((parent, upto)) = next {
            next = of(&parent).and_then(|session| session.branched_from.clone());
            line.push((parent, upto));
        }
        let root = line.last().map(|(name, _)| name.clone()).unwrap_or_else(|| name.clone());
        let root_of = |session: &Session| {
            let mut at = session;
            while let Some(parent) = at.branched_from.as_ref().and_then(|(parent, _)| of(parent)) {
                at = parent;
            }
            at.name.clone()
        };
        let (mut out, mut back) = (Vec::new(), Vec::new());
        for session in sessions.iter().filter(|session| root_of(session) == root) {
            let upto = line.iter().find(|(name, _)| *name == session.name).map_or(0, |(_, upto)| *upto);
            let page =
                TurnPage { limit: usize::from(u16::MAX), session: Some(session.name.clone()), withdrawn: true, ..TurnPage::default() };
            for turn in self.mind.store().turns(self.mind.id, page).await? {
                match (turn.sequence <= upto, turn.is_live()) {
                    (true, false) => back.push(turn.id),
                    (false, true) => out.push(turn.id),
                    _ => {}
                }
            }
        }
        let mut done = self.withdraw(&out).await?;
        let returned = self.reinstate(&back).await?;
        done.turns.extend(returned.turns);
        (done.memories, done.facts) = (done.memories + returned.memories, done.facts + returned.facts);
        Ok(done)
    }
}
