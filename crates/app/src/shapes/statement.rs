//! Statements and people.

use saegim_core::{self as core, Timestamp};
use saegim_engine::{KnownStatement, Person as KnownPerson};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Fact, statement_groups, statement_statuses};

/// Clause about the user or a person of theirs, in the user's own words.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Statement {
    id: String,
    #[schema(schema_with = statement_groups)]
    group: core::StatementGroup,
    /// The clause, verbatim.
    text: String,
    /// Name or relation of the person it is about; absent if it is about the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    holder: Option<String>,
    #[schema(schema_with = statement_statuses)]
    status: core::StatementStatus,
    /// Whether it counts: sure, said again, or confirmed by the owner.
    confirmed: bool,
    /// Whether it holds now.
    current: bool,
    /// Probability that it was understood correctly and is lasting, 0..=1.
    probability: f32,
    /// Time it was said.
    #[schema(value_type = String, format = DateTime)]
    valid_from: Timestamp,
    /// Time it stopped holding, or the end of a plan's last day.
    #[schema(value_type = Option<String>, format = DateTime)]
    valid_to: Option<Timestamp>,
    /// Message it was said in.
    turn: String,
}

impl From<&KnownStatement> for Statement {
    fn from(known: &KnownStatement) -> Self {
        let KnownStatement { statement, standing, valid_to } = known;
        Self {
            id: statement.id.to_string(),
            group: statement.group,
            text: statement.text.clone(),
            holder: statement.holder.clone(),
            status: statement.status,
            confirmed: statement.counts(),
            current: *standing == core::StatementStanding::Current,
            probability: statement.probability.get(),
            valid_from: statement.at,
            valid_to: *valid_to,
            turn: statement.turn.to_string(),
        }
    }
}

/// Person or pet in the user's life.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Person {
    /// Name or relation in lower case; unique within the mind.
    id: String,
    name: Option<String>,
    /// Relation to the user, or the kind of a pet.
    relation: Option<String>,
    /// Facts that name the person, current and past.
    facts: Vec<Fact>,
    /// What the user said about the person, newest first, with what does not hold any more.
    statements: Vec<Statement>,
}

impl From<&KnownPerson> for Person {
    fn from(person: &KnownPerson) -> Self {
        Self {
            id: person.id.clone(),
            name: person.name.clone(),
            relation: person.relation.clone(),
            facts: person.facts.iter().map(Fact::from).collect(),
            statements: person.statements.iter().map(Statement::from).collect(),
        }
    }
}
