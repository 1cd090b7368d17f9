//! Statements while turns are judged, taken back or erased: the groups they touch are loaded, settled, and compared with the store.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use saegim_core::{
    Change, Role, Statement, StatementGroup, StatementId, StatementStatus, Timestamp, Turn, TurnId, plan_end, settle_statement,
    settle_statements,
};
use saegim_language::{About, Reading, SkipReason, StatedClause, StatementComparison};
use saegim_store::{StatementHolder, StatementPage};

use crate::EngineError;
use crate::intake::Intake;

/// Number of statements of one holder and group with which a new one is compared, the newest first.
const COMPARED: usize = 500;

/// Upper bound above the number of statements of any holder and group.
const ALL: usize = u32::MAX as usize;

/// Holder, in lower case, and group of statements that affect each other.
type Bucket = (Option<String>, StatementGroup);

/// Statements that a commit touches.
#[derive(Default)]
pub(crate) struct StatementBook {
    buckets: BTreeMap<Bucket, Vec<Statement>>,
    /// As they are in the store.
    stored: HashMap<StatementId, Statement>,
}

impl StatementBook {
    /// Returns the changes that bring the store to the current state.
    pub(crate) fn changes(self) -> Vec<Change> {
        let Self { buckets, mut stored } = self;
        let mut changes = Vec::new();
        for statement in buckets.into_values().flatten() {
            if stored.remove(&statement.id).as_ref() != Some(&statement) {
                changes.push(Change::StatementSet(Box::new(statement)));
            }
        }
        let mut gone: Vec<StatementId> = stored.into_keys().collect();
        gone.sort_unstable();
        changes.extend(gone.into_iter().map(Change::StatementGone));
        changes
    }

    /// Adds rows of the store that are not loaded yet.
    fn load(&mut self, bucket: &Bucket, rows: Vec<Statement>) {
        let loaded = self.buckets.entry(bucket.clone()).or_default();
        for row in rows {
            if let Entry::Vacant(place) = self.stored.entry(row.id) {
                place.insert(row.clone());
                loaded.push(row);
            }
        }
        loaded.sort_by_key(|statement| (statement.at, statement.id));
    }
}

fn bucket_of(statement: &Statement) -> Bucket {
    (statement.holder.as_ref().map(|name| name.to_lowercase()), statement.group)
}

impl Intake<'_> {
    /// Adds what a message states about the user and their people in the user's own words. Commands to the memory state nothing.
    pub(crate) async fn state_clauses(&self, book: &mut StatementBook, turn: &Turn, reading: &Reading) -> Result<(), EngineError> {
        if turn.role != Role::User {
            return Ok(());
        }
        let commands = || reading.left_alone.iter().filter(|(_, why)| *why == SkipReason::Instruction);
        for clause in &reading.statements {
            let commanded = commands().any(|(text, _)| text.contains(&clause.text) || clause.text.contains(text.as_str()));
            if let Some(statement) = self.statement_of(turn, clause).filter(|_| !commanded) {
                self.add_statement(book, statement).await?;
            }
        }
        Ok(())
    }

    /// Returns a clause as a statement; `None` if it is about the character.
    fn statement_of(&self, turn: &Turn, clause: &StatedClause) -> Option<Statement> {
        let holder = match &clause.about {
            About::User | About::Both => None,
            About::Other(name) => Some(name.trim().to_owned()).filter(|name| !name.is_empty()),
            About::Character => return None,
        };
        let is_lost = matches!(&clause.about, About::Other(_)) && holder.is_none();
        let text = clause.text.trim();
        let config = &self.mind.inner.config;
        (!is_lost && !text.is_empty()).then(|| Statement {
            id: StatementId::new(turn.at, config.dice.chance()),
            turn: turn.id,
            at: turn.at,
            group: clause.group,
            text: text.to_owned(),
            values: clause.values.clone(),
            corrects: clause.corrects,
            holder,
            status: clause.status,
            probability: clause.probability,
            sure: clause.sure,
            valid_until: plan_end(text, turn.at, &config.time_zone).filter(|_| clause.status == StatementStatus::Planned),
            confirmed: None,
            withdrawn_at: None,
            repeated_by: None,
            ended_by: None,
            ends: Vec::new(),
            ended_at: None,
        })
    }

    pub(crate) async fn add_statement(&self, book: &mut StatementBook, mut new: Statement) -> Result<(), EngineError> {
        let bucket = bucket_of(&new);
        if !book.buckets.contains_key(&bucket) {
            self.load_bucket(book, &bucket, StatementPage { limit: COMPARED, ..StatementPage::default() }).await?;
        }
        if book.buckets[&bucket].iter().any(|known| known.at > new.at) {
            // A message that is older than what is known changes the order, so everything is settled again.
            self.load_bucket(book, &bucket, StatementPage { limit: ALL, history: true, ..StatementPage::default() }).await?;
            let known = book.buckets.entry(bucket).or_default();
            known.push(new);
            settle_statements(known, &StatementComparison);
        } else {
            let known = book.buckets.entry(bucket).or_default();
            settle_statement(known, &mut new, &StatementComparison);
            known.push(new);
        }
        Ok(())
    }

    async fn load_bucket(&self, book: &mut StatementBook, bucket: &Bucket, page: StatementPage) -> Result<(), EngineError> {
        let (holder, group) = bucket;
        let holder = holder.clone().map_or(StatementHolder::User, StatementHolder::Person);
        let page = StatementPage { holder, group: Some(*group), ..page };
        let rows = self.mind.store().statements(self.mind.id, page).await?;
        book.load(bucket, rows);
        Ok(())
    }

    /// Changes statements and settles everything they affect again. `change` returns `None` to delete a statement.
    pub(crate) async fn change_statements(
        &self,
        book: &mut StatementBook,
        statements: &[Statement],
        change: impl Fn(&Statement) -> Option<Statement>,
    ) -> Result<(), EngineError> {
        let mut touched: Vec<Bucket> = statements.iter().map(bucket_of).collect();
        touched.sort();
        touched.dedup();
        for bucket in touched {
            self.load_bucket(book, &bucket, StatementPage { limit: ALL, history: true, ..StatementPage::default() }).await?;
            let known = book.buckets.entry(bucket).or_default();
            let wanted = |known: &Statement| statements.iter().any(|statement| statement.id == known.id);
            *known = known.drain(..).filter_map(|known| if wanted(&known) { change(&known) } else { Some(known) }).collect();
            settle_statements(known, &StatementComparison);
        }
        Ok(())
    }

    /// Returns all statements of these turns, including those that do not hold any more.
    pub(crate) async fn statements_of(&self, turns: &[TurnId]) -> Result<Vec<Statement>, EngineError> {
        let page = StatementPage { limit: ALL, turns: Some(turns.to_vec()), history: true, ..StatementPage::default() };
        Ok(self.mind.store().statements(self.mind.id, page).await?)
    }

    /// Marks the statements of these turns as taken back at a time, or as standing again.
    pub(crate) async fn withdraw_statements(
        &self,
        book: &mut StatementBook,
        turns: &[TurnId],
        withdrawn_at: Option<Timestamp>,
    ) -> Result<(), EngineError> {
        let statements = self.statements_of(turns).await?;
        self.change_statements(book, &statements, |known| Some(Statement { withdrawn_at, ..known.clone() })).await
    }

    /// Deletes the statements of these turns. Returns how many.
    pub(crate) async fn delete_statements(&self, book: &mut StatementBook, turns: &[TurnId]) -> Result<usize, EngineError> {
        let statements = self.statements_of(turns).await?;
        self.change_statements(book, &statements, |_| None).await?;
        Ok(statements.len())
    }
}
