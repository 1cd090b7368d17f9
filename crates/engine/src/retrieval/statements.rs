//! Statements and people: what the user said in their own words, and about whom.

use saegim_core::{Change, Confirmation, Deed, Fact, Facts, Op, Statement, StatementId, StatementStanding, phrase};
use saegim_language::PersonName;
use saegim_store::{StatementHolder, StatementPage};

use crate::EngineError;
use crate::intake::turn::statement_book::StatementBook;
use crate::mind::ambiguous;
use crate::removal::orphaned_facts::LetGo;
use crate::retrieval::Retrieval;

/// Upper bound above the number of statements about one person.
const ALL: usize = u32::MAX as usize;

/// A statement with what it counts for now.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownStatement {
    /// The statement.
    pub statement: Statement,
    /// What it counts for.
    pub standing: StatementStanding,
    /// Time at which it stopped holding.
    pub valid_to: Option<saegim_core::Timestamp>,
}

/// A person or pet in the user's life.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// Name in lower case, or the relation if no name is known. Unique within a mind.
    pub id: String,
    /// Name, if it is known.
    pub name: Option<String>,
    /// Relation to the user, or the kind of a pet.
    pub relation: Option<String>,
    /// Facts that name the person, current and past.
    pub facts: Vec<Fact>,
    /// Statements about the person, newest first, with those that do not hold any more.
    pub statements: Vec<KnownStatement>,
}

impl Person {
    /// Checks whether the person is called so, by name or relation.
    fn is_called(&self, word: &str) -> bool {
        [&self.name, &self.relation].into_iter().flatten().any(|known| known.to_lowercase() == word.to_lowercase())
    }
}

/// Whether to include what does not hold any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementHistory {
    /// Only what is current or waits for confirmation.
    Open,
    /// Also what ended, passed or was said again later.
    Included,
}

/// What decides about the standing of statements.
pub(crate) struct StandingNow {
    facts: Facts,
    /// Memories that the owner forgot and that are still on the cliff.
    forgotten: Option<LetGo>,
}

impl Retrieval<'_> {
    pub(crate) async fn statements(&self, history: StatementHistory) -> Result<Vec<KnownStatement>, EngineError> {
        self.mind.may(Deed::Read).await?;
        self.known_statements(
            StatementPage { limit: ALL, history: history == StatementHistory::Included, ..StatementPage::default() },
            history,
        )
        .await
    }

    /// Returns statements with what they count for now.
    pub(crate) async fn known_statements(
        &self,
        page: StatementPage,
        history: StatementHistory,
    ) -> Result<Vec<KnownStatement>, EngineError> {
        self.judged_statements(&self.standing_now().await?, page, history).await
    }

    /// Loads what decides about the standing of statements.
    pub(crate) async fn standing_now(&self) -> Result<StandingNow, EngineError> {
        let facts = self.mind.intake().current_context().await?.facts;
        Ok(StandingNow { facts, forgotten: self.mind.removal().forgotten_by_hand().await? })
    }

    /// Returns statements with what they count for. Leaves out those of turns that were taken back, and those whose memories the owner
    /// forgot.
    pub(crate) async fn judged_statements(
        &self,
        now: &StandingNow,
        page: StatementPage,
        history: StatementHistory,
    ) -> Result<Vec<KnownStatement>, EngineError> {
        let statements = self.mind.store().statements(self.mind.id, page).await?;
        let hidden = |statement: &Statement| now.forgotten.as_ref().is_some_and(|forgotten| forgotten.takes_statement(statement));
        let shown = statements.into_iter().filter(|statement| statement.withdrawn_at.is_none() && !hidden(statement));
        let known = shown.map(|statement| self.known(statement, now.facts.all()));
        Ok(known.filter(|known| history == StatementHistory::Included || known.standing != StatementStanding::Over).collect())
    }

    fn known(&self, statement: Statement, facts: &[Fact]) -> KnownStatement {
        let now = self.mind.now();
        let standing = statement.standing(facts, now);
        let valid_to = statement.valid_to(facts).or(statement.valid_until);
        KnownStatement { statement, standing, valid_to }
    }

    pub(crate) async fn confirm_statement(&self, id: StatementId) -> Result<KnownStatement, EngineError> {
        self.change_by_hand(id, "a statement was confirmed", |known| {
            Some(Statement { confirmed: Some(Confirmation::Owner), ..known.clone() })
        })
        .await?;
        let confirmed = self.mind.store().statement(self.mind.id, id).await?.ok_or_else(not_found)?;
        let facts = self.mind.intake().current_context().await?.facts;
        Ok(self.known(confirmed, facts.all()))
    }

    /// Resolves the id of a statement: a whole id, or at least four hexadecimal digits of its start or end.
    pub(crate) async fn resolve_statement(&self, text: &str) -> Result<StatementId, EngineError> {
        self.mind.may(Deed::Read).await?;
        let text = text.trim();
        if let Ok(id) = StatementId::parse(text) {
            return Ok(id);
        }
        let digits: String = text.chars().filter(|letter| *letter != '-').collect();
        if digits.len() < 4 || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(not_found());
        }
        let all = StatementPage { limit: ALL, history: true, ..StatementPage::default() };
        let mut like = self.mind.store().statements(self.mind.id, all).await?;
        like.retain(|statement| {
            let plain = statement.id.to_string().replace('-', "");
            plain.starts_with(&digits) || plain.ends_with(&digits)
        });
        match &like[..] {
            [one] => Ok(one.id),
            [] => Err(not_found()),
            several => Err(ambiguous(several.len(), &digits)),
        }
    }

    pub(crate) async fn remove_statement(&self, id: StatementId) -> Result<KnownStatement, EngineError> {
        let removed = self.change_by_hand(id, "a statement was removed", |_| None).await?;
        let facts = self.mind.intake().current_context().await?.facts;
        Ok(self.known(removed, facts.all()))
    }

    /// Applies a change by the owner to a statement and to those it stands for. Returns the statement as it was.
    async fn change_by_hand(
        &self,
        id: StatementId,
        why: &str,
        change: impl Fn(&Statement) -> Option<Statement>,
    ) -> Result<Statement, EngineError> {
        self.mind.may(Deed::StateFacts).await?;
        let lock = self.mind.intake().turn_lock();
        let mut cached = lock.lock().await;
        let statement = self.mind.store().statement(self.mind.id, id).await?.ok_or_else(not_found)?;
        let same = self.same_words(&statement).await?;
        let mut book = StatementBook::default();
        self.mind.intake().change_statements(&mut book, &same, change).await?;
        let mut commit = self.mind.commit(Op::State, &[]).because(why);
        commit.changes = book.changes();
        if !commit.changes.is_empty() {
            commit.changes.push(Change::NotesGone);
            self.mind.write(commit).await?;
        }
        *cached = None;
        Ok(statement)
    }

    /// Returns a statement and all that it stands for.
    async fn same_words(&self, statement: &Statement) -> Result<Vec<Statement>, EngineError> {
        let holder = statement.holder.clone().map_or(StatementHolder::User, StatementHolder::Person);
        let page = StatementPage { limit: ALL, holder, group: Some(statement.group), history: true, ..StatementPage::default() };
        let mut rest = self.mind.store().statements(self.mind.id, page).await?;
        let mut same = vec![statement.clone()];
        let mut place = 0;
        while let Some(by) = same.get(place).map(|one| one.id) {
            same.extend(rest.extract_if(.., |other| other.repeated_by == Some(by)));
            place += 1;
        }
        Ok(same)
    }

    pub(crate) async fn people(&self) -> Result<Vec<Person>, EngineError> {
        self.mind.may(Deed::Read).await?;
        let mut people: Vec<Person> = Vec::new();
        let present = self.mind.removal().without_orphaned_facts(self.mind.intake().current_context().await?).await?;
        for fact in present.facts.all() {
            let Some(PersonName { name, relation }) = PersonName::of_fact(&fact.subject, &fact.value) else { continue };
            let known = people.iter_mut().find(|person| match &name {
                Some(name) => person.name.as_deref() == Some(name),
                None => person.name.is_none() && person.relation == relation,
            });
            match known {
                Some(person) => person.facts.push(fact.clone()),
                None => {
                    let id = name.as_ref().or(relation.as_ref()).map(|word| word.to_lowercase()).unwrap_or_default();
                    people.push(Person { id, name, relation, facts: vec![fact.clone()], statements: Vec::new() });
                }
            }
        }
        let now = self.standing_now().await?;
        for holder in self.mind.store().holders(self.mind.id).await? {
            let holder_page =
                StatementPage { limit: ALL, holder: StatementHolder::Person(holder.clone()), history: true, ..StatementPage::default() };
            let statements = self.judged_statements(&now, holder_page, StatementHistory::Included).await?;
            if statements.is_empty() {
                continue;
            }
            let PersonName { name, relation } = PersonName::split(&holder);
            let word = name.as_ref().or(relation.as_ref()).unwrap_or(&holder);
            let mut called: Vec<&mut Person> = people.iter_mut().filter(|person| person.is_called(word)).collect();
            match &mut called[..] {
                [person] => person.statements.extend(statements),
                // A relation that several people have names none of them.
                _ => {
                    people.push(Person { id: holder.to_lowercase(), name, relation, facts: Vec::new(), statements });
                }
            }
        }
        people.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(people)
    }

    pub(crate) async fn person(&self, name: &str) -> Result<Person, EngineError> {
        let people = self.people().await?;
        let by_id = people.iter().find(|person| person.id == name.to_lowercase());
        let found = by_id.or_else(|| people.iter().find(|person| person.is_called(name)));
        found.cloned().ok_or_else(|| EngineError::NotFound(phrase!("engine.statements.person_not_found", name)))
    }
}

fn not_found() -> EngineError {
    EngineError::NotFound(phrase!("engine.statements.not_found"))
}
