//! Withdrawing, editing, reinstating and branching of turns. The memories and facts learned from the turns follow.

use saegim_core::{
    Change, CliffReason, Commit, CurrentSession, Deed, Facts, Fall, Freedom, Memory, MemoryId, MemoryState, Op, Principal, Session,
    SessionId, Span, Statement, Tier, Turn, TurnId, Unit, freedom, phrase,
};
use saegim_provider::rules::RuleValues;
use saegim_store::TurnPage;

use crate::engine::retrying;
use crate::intake::judge::Judgement;
use crate::intake::observe::{Exchange, Working};
use crate::intake::remember::AGENT_TRUST;
use crate::{EngineError, MindHandle};

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

/// Checks whether a memory is core or pinned, so that only the owner may forget it.
fn is_held_fast(memory: &Memory) -> bool {
    memory.standing == MemoryState::Alive && (memory.pinned || memory.tier == Tier::M0)
}

impl MindHandle {
    /// Withdraws turns. They stay readable as withdrawn, memories learned only from them move to the cliff, and facts that they
    /// superseded become current again.
    pub async fn withdraw(&self, turns: &[TurnId]) -> Result<Withdrawn, EngineError> {
        self.may(Deed::Withdraw).await?;
        retrying(|| self.turned(turns, Way::Out)).await
    }

    /// Reinstates withdrawn turns and the memories learned from them.
    pub async fn reinstate(&self, turns: &[TurnId]) -> Result<Withdrawn, EngineError> {
        self.may(Deed::Withdraw).await?;
        retrying(|| self.turned(turns, Way::Back)).await
    }

    async fn turned(&self, ids: &[TurnId], way: Way) -> Result<Withdrawn, EngineError> {
        let turnstile = self.inner.presents.of(self.id);
        let mut kept = turnstile.lock().await;
        let turns = self.store().turns_by_id(self.id, ids).await?;
        if turns.len() < ids.len() {
            return Err(EngineError::NotFound(phrase!(
                "the message does not exist; list messages with `saegim turns`",
                "없는 메시지예요. `saegim turns`로 확인해 주세요"
            )));
        }
        let moving: Vec<Turn> = turns.into_iter().filter(|turn| turn.is_live() != (way == Way::Back)).collect();
        let operation = if way == Way::Back { Op::Reinstate } else { Op::Withdraw };
        let mut commit = self.commit(operation, &[]);
        let withdrawn = self.follow_turns(&mut commit, &moving, way).await?;
        if way != Way::Back {
            self.count_as_let_go(&mut commit, &moving, &withdrawn).await?;
        }
        if !withdrawn.turns.is_empty() {
            commit.changes.push(Change::NotesGone);
            self.write(commit).await?;
        }
        *kept = None;
        Ok(withdrawn)
    }

    /// Applies the agent's daily forget limit to turns that do not belong to the current session.
    async fn count_as_let_go(&self, commit: &mut Commit, moving: &[Turn], done: &Withdrawn) -> Result<(), EngineError> {
        // A changed fact counts as one, even if no memory is lost.
        let fallen = done.memories.max(usize::from(done.facts > 0)) as u64;
        let latest = self.store().turns(self.id, TurnPage { limit: 1, withdrawn: true, ..TurnPage::default() }).await?.pop();
        let current = CurrentSession { session: latest.as_ref().map(|turn| &turn.session), now: self.now() };
        let counted = |turn: &Turn| freedom(self.principal(), turn, current, &self.policy().agent) == Freedom::Counted;
        if fallen == 0 || !moving.iter().any(counted) {
            return Ok(());
        }
        if fallen > self.removal().forgets_left().await? {
            return Err(EngineError::NotYet(
                phrase!(
                    "the agent's daily limit for retracting earlier messages is reached; the owner can still retract them",
                    "에이전트가 하루에 취소할 수 있는 이전 메시지 한도에 도달했어요. 소유자는 지금도 취소할 수 있어요"
                ),
                self.now().plus(Span::days(1)),
            ));
        }
        commit.times = Some(fallen);
        Ok(())
    }

    /// Adds all changes that follow from withdrawing or reinstating turns to the commit.
    async fn follow_turns(&self, commit: &mut Commit, moving: &[Turn], way: Way) -> Result<Withdrawn, EngineError> {
        let now = self.now();
        self.removal().open_archives_of(&moving.iter().map(|turn| turn.session.clone()).collect::<Vec<_>>()).await?;
        let mut done = Withdrawn { turns: moving.iter().map(|turn| turn.id).collect(), ..Withdrawn::default() };
        let (before, _) = self.store().relationship(self.id).await?;
        let (mut after, mut related) = (before, false);
        for turn in moving {
            let withdrawn_at = (way != Way::Back).then_some(now);
            commit.changes.push(Change::TurnChanged(Box::new(Turn { withdrawn_at, ..turn.clone() })));
            for change in self.store().relationship_changes(self.id, Some(turn.id), 10).await? {
                let delta = if way == Way::Back { change.delta } else { -change.delta };
                after.shift(change.axis, delta);
                related = true;
            }
            done.memories += self.follow_memories(commit, turn, (way, moving)).await?;
        }
        if related {
            commit.changes.push(Change::RelationshipSet { before, after });
        }
        let before = Facts::known(self.store().facts(self.id).await?);
        let facts = Facts::from_statements(&self.standing_statements(moving, way).await?, &RuleValues);
        let (changed, gone) = facts.differences(&before);
        done.facts = changed.len() + gone.len();
        commit.changes.extend(gone.into_iter().map(Change::FactGone));
        commit.changes.extend(changed.into_iter().map(|fact| Change::FactSet(Box::new(fact))));
        Ok(done)
    }

    /// Moves memories that rest only on this turn to the cliff, or restores them. Returns how many.
    async fn follow_memories(&self, commit: &mut Commit, turn: &Turn, (way, moving): (Way, &[Turn])) -> Result<usize, EngineError> {
        let mut count = 0;
        let cliff = if way == Way::Back { self.cliff().await? } else { Vec::new() };
        // A memory that someone forgot on purpose is not restored.
        let followed = |id: MemoryId| cliff.iter().any(|fallen| fallen.memory.id == id && fallen.entry.note == TAKEN_BACK);
        for memory in self.store().learned_from(self.id, turn.id).await? {
            let others: Vec<TurnId> = memory.turns.iter().copied().filter(|id| moving.iter().all(|turn| turn.id != *id)).collect();
            let others = self.store().turns_by_id(self.id, &others).await?;
            let rests = others.iter().any(Turn::is_live);
            match (way, memory.standing) {
                // Core and pinned memories stay, even if their turn is withdrawn.
                (Way::Out | Way::Anew, MemoryState::Alive) if !rests && !is_held_fast(&memory) => {
                    let fall = Fall { at: self.now(), reason: CliffReason::Displaced, note: TAKEN_BACK.into() };
                    let (_, next) =
                        self.removal().move_to_cliff(memory, fall, std::mem::replace(commit, self.commit(commit.operation, &[])));
                    *commit = next;
                    count += 1;
                }
                (Way::Back, MemoryState::OnCliff) if followed(memory.id) => {
                    let back = self.removal().with_restored_state(memory).await?;
                    commit.memories.extend(self.commit(commit.operation, &[&back]).memories);
                    commit.changes.push(Change::CliffLeft(Box::new(back)));
                    count += 1;
                }
                _ => {}
            }
        }
        Ok(count)
    }

    /// Returns the statements that are valid after `moving` is withdrawn or reinstated.
    async fn standing_statements(&self, moving: &[Turn], way: Way) -> Result<Vec<Statement>, EngineError> {
        let mut gone = Vec::new();
        for turn in moving {
            if way == Way::Anew || (way == Way::Out && !self.is_ground(turn.id).await?) {
                gone.push(turn.id);
            }
        }
        let moved = |statement: &Statement| moving.iter().any(|turn| Some(turn.id) == statement.turn);
        let statements = self.store().statements(self.id).await?;
        gone.extend(self.taken_back(statements.iter().filter(|statement| !moved(statement))).await?);
        Ok(statements.into_iter().filter(|statement| statement.turn.is_none_or(|turn| !gone.contains(&turn))).collect())
    }

    /// Filters the valid statements: those of the owner, of live turns, and of turns that a core or pinned memory rests on.
    pub(crate) async fn live_statements(&self, statements: Vec<Statement>) -> Result<Vec<Statement>, EngineError> {
        let gone = self.taken_back(statements.iter()).await?;
        Ok(statements.into_iter().filter(|statement| statement.turn.is_none_or(|turn| !gone.contains(&turn))).collect())
    }

    /// Returns the withdrawn turns of `statements` that no core or pinned memory rests on.
    async fn taken_back(&self, statements: impl Iterator<Item = &Statement>) -> Result<Vec<TurnId>, EngineError> {
        let mut ids: Vec<TurnId> = statements.filter_map(|statement| statement.turn).collect();
        ids.sort();
        ids.dedup();
        let mut gone = Vec::new();
        for turn in self.store().turns_by_id(self.id, &ids).await? {
            if !turn.is_live() && !self.is_ground(turn.id).await? {
                gone.push(turn.id);
            }
        }
        Ok(gone)
    }

    /// Checks whether a core or pinned memory was learned from a turn. Facts from such a turn stay, even if it is withdrawn.
    async fn is_ground(&self, turn: TurnId) -> Result<bool, EngineError> {
        Ok(self.store().learned_from(self.id, turn).await?.iter().any(is_held_fast))
    }

    /// Checks whether the principal may edit a turn. Only the owner may edit a turn that a core or pinned memory was learned
    /// from.
    async fn may_reword(&self, turn: TurnId) -> Result<(), EngineError> {
        if self.is_ground(turn).await? {
            self.may(Deed::TouchCore).await?;
        }
        Ok(())
    }

    /// Edits the text of a turn. Memories learned only from the old text are forgotten, and the new text is judged. Memories from
    /// an agent's edit get at most the trust of an agent's own statement.
    pub async fn reword(&self, id: TurnId, content: &str) -> Result<Withdrawn, EngineError> {
        self.may(Deed::Withdraw).await?;
        let content = Turn::said(content)?;
        self.may_reword(id).await?;
        let before = TurnPage { limit: self.policy().context.window, before: Some(id), ..TurnPage::default() };
        let window = self.store().turns(self.id, before).await?;
        // The model reads the new text before the lock is taken, so that other turns do not wait for it.
        let heard = self.read_kept(&window, &Turn { content: content.clone(), ..self.turn(id).await? }).await?;
        let turnstile = self.inner.presents.of(self.id);
        let mut kept = turnstile.lock().await;
        let turn = self.turn(id).await?;
        self.may_reword(id).await?;
        let mut commit = self.commit(Op::Reword, &[]);
        commit.session = Some(turn.session.clone());
        let mut done = self.follow_turns(&mut commit, std::slice::from_ref(&turn), Way::Anew).await?;
        self.count_as_let_go(&mut commit, std::slice::from_ref(&turn), &done).await?;
        let statements = self.store().statements(self.id).await?;
        let old: Vec<&Statement> = statements.iter().filter(|statement| statement.turn == Some(id)).collect();
        commit.changes.extend(old.iter().map(|statement| Change::StatementGone(statement.id)));
        commit.changes.push(Change::RelationshipTakenBack(id));
        commit.changes.push(Change::NotesGone);
        let mut present = self.present(&mut kept).await?;
        // Revert the relationship changes of the old text before those of the new text apply.
        let without = commit.changes.iter().find_map(|change| match change {
            Change::RelationshipSet { after, .. } => Some(*after),
            _ => None,
        });
        present.relationship = without.unwrap_or(present.relationship);
        present.window = window;
        let standing = self.standing_statements(std::slice::from_ref(&turn), Way::Anew).await?;
        present.facts = Facts::from_statements(&standing, &RuleValues);
        let turn = Turn { content, withdrawn_at: None, ..turn };
        let (reading, doubts) = heard.within(&present.facts, &turn);
        let turn = Turn { face: Some(reading.face), ..turn };
        let exchange = Exchange::default();
        let mut working = Working::new(present, commit, &exchange);
        working.commit.changes.push(Change::TurnChanged(Box::new(turn.clone())));
        self.embed(&mut working, &[turn.content.as_str()]).await;
        if let Some(vector) = working.vectors.get(&turn.content).cloned() {
            let embedder = self.embedder_id().to_owned();
            working.commit.changes.push(Change::TurnEmbedded { turn: turn.id, embedder, vector });
        }
        self.judge(&mut working, &Judgement { turn: &turn, reading: &reading, injected: &[] }).await?;
        self.relate(&mut working, &turn, &reading);
        if self.principal() == Principal::Agent {
            // An agent that reports a message is trusted with its content; an agent that edits it later is trusted only like its
            // own statement.
            for (memory, _) in &mut working.born {
                memory.trust = Unit::clamped(memory.trust.get().min(AGENT_TRUST));
            }
        }
        done.memories += working.born.len();
        self.put_doubts(&mut working.commit, &working.present.facts, &doubts).await?;
        self.self_model().hold(&mut working).await?;
        self.close(&mut working, 0);
        self.write(working.commit).await?;
        *kept = None;
        Ok(done)
    }

    /// Branches from a turn into a new session and withdraws the turns after it.
    pub async fn branch(&self, from: TurnId, name: SessionId) -> Result<Withdrawn, EngineError> {
        self.may(Deed::Branch).await?;
        let turn = self.turn(from).await?;
        if self.store().session(self.id, &name).await?.is_some() {
            return Err(EngineError::Conflict(phrase!(
                "session {} already exists; choose another name",
                "{} 세션이 이미 있어요. 다른 이름을 지정해 주세요",
                name.as_str()
            )));
        }
        let page = TurnPage { limit: usize::from(u16::MAX), session: Some(turn.session.clone()), ..TurnPage::default() };
        let later: Vec<TurnId> = self
            .store()
            .turns(self.id, page)
            .await?
            .into_iter()
            .filter(|other| other.sequence > turn.sequence)
            .map(|turn| turn.id)
            .collect();
        let withdrawn = self.withdraw(&later).await?;
        let mut commit = self.commit(Op::Withdraw, &[]).because("branched");
        commit.changes.push(Change::SessionSet(Session {
            name,
            began_at: turn.at,
            last_at: turn.at,
            last_sequence: 0,
            branched_from: Some((turn.session, turn.sequence)),
        }));
        self.write(commit).await?;
        Ok(withdrawn)
    }

    /// Switches to a session: reinstates its turns and those it is based on, and withdraws those of other branches.
    pub async fn follow(&self, name: &SessionId) -> Result<Withdrawn, EngineError> {
        self.may(Deed::Branch).await?;
        let sessions = self.sessions().await?;
        let of = |name: &SessionId| sessions.iter().find(|session| session.name == *name);
        let chosen =
            of(name).ok_or_else(|| EngineError::NotFound(phrase!("session {} does not exist", "{} 세션이 없어요", name.as_str())))?;
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
            for turn in self.store().turns(self.id, page).await? {
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
