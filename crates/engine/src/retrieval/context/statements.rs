//! Chooses the statements of a context: those the message is about, boundaries, and a few of the newest, grouped by person and group.

use saegim_core::{Facts, Language, Statement, StatementGroup, StatementId, StatementStanding, StatementStatus, TurnId, restated};
use saegim_store::StatementPage;

use super::writer::{Writer, data};
use super::{Line, shares};
use crate::EngineError;
use crate::retrieval::Retrieval;
use crate::retrieval::recall::Found;
use crate::retrieval::statements::{KnownStatement, StatementHistory};
use crate::retrieval::turn_search::FoundTurn;

/// Number of the newest statements that are considered for every question.
const NEWEST: usize = 300;

/// Share of the best relevance from which a statement is shown.
const NEAR: f32 = 0.4;

/// Number of statements up to which the newest are added.
const FEW: usize = 3;

/// What the choice of statements depends on.
pub(super) struct Wanted<'a> {
    pub(super) question: &'a str,
    pub(super) facts: &'a Facts,
    pub(super) found: &'a [Found],
    pub(super) past: &'a [FoundTurn],
}

/// Position among statements of one time.
fn order(statement: &Statement) -> (&str, StatementId) {
    (&statement.text, statement.id)
}

impl Wanted<'_> {
    /// Returns at most `most` statements: those the message is about, the most relevant first, then boundaries, then a few of the
    /// newest. Leaves out what a fact says and what is `told` already.
    pub(super) fn choose<'a>(&self, all: &'a [Statement], most: usize, told: impl Fn(&Statement) -> bool) -> Vec<&'a Statement> {
        let open = all.iter().filter(|statement| !statement.is_covered(self.facts.all()) && !told(statement));
        let mut scored: Vec<(&Statement, f32)> = open.map(|statement| (statement, self.relevance(statement))).collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.at.cmp(&a.0.at)).then_with(|| order(a.0).cmp(&order(b.0))));
        let near = scored.first().map_or(0.0, |(_, best)| best * NEAR).max(f32::EPSILON);
        let (relevant, mut rest): (Vec<_>, Vec<_>) = scored.into_iter().partition(|(_, relevance)| *relevance >= near);
        rest.sort_by(|(a, _), (b, _)| {
            let rank = |statement: &Statement| (statement.group != StatementGroup::Limit, std::cmp::Reverse(statement.at));
            rank(a).cmp(&rank(b)).then_with(|| order(a).cmp(&order(b)))
        });
        let limits = rest.iter().filter(|(statement, _)| statement.group == StatementGroup::Limit).count();
        let filled = FEW.saturating_sub(relevant.len()).max(limits);
        relevant.into_iter().chain(rest.into_iter().take(filled)).map(|(statement, _)| statement).take(most).collect()
    }

    /// Relevance to the question: whether it names the person, the words both share, and how relevant memory or turn are.
    fn relevance(&self, statement: &Statement) -> f32 {
        let question = self.question.to_lowercase();
        let named = statement.holder.as_ref().is_some_and(|holder| question.contains(&holder.to_lowercase()));
        let of_turn = [statement.turn];
        let found = self.found.iter().filter(|found| shares(&found.memory.turns, &of_turn)).map(|found| found.relevance.get());
        let said = self.past.iter().filter(|found| found.turn.id == statement.turn).map(|found| found.relevance);
        f32::from(u8::from(named)) + restated(&statement.text, self.question) + found.chain(said).fold(0.0, f32::max)
    }
}

/// Puts lines in the order in which they are shown: by person, group, and from the newest to the oldest.
pub(super) fn sort_lines(lines: &mut [Line], shown: &[&Statement]) {
    lines.sort_by_key(|line| {
        let statement = shown.iter().find(|statement| statement.id.to_string() == line.id);
        statement.map(|statement| {
            (statement.holder.clone(), statement.group, std::cmp::Reverse(statement.at), statement.text.clone(), statement.id)
        })
    });
}

impl Retrieval<'_> {
    /// Returns the current statements that may be shown: the newest, and those of the found memories and turns.
    pub(super) async fn statements_for(&self, found: &[Found], past: &[FoundTurn]) -> Result<Vec<Statement>, EngineError> {
        let turns: Vec<TurnId> =
            found.iter().flat_map(|found| found.memory.turns.iter().copied()).chain(past.iter().map(|found| found.turn.id)).collect();
        let newest = StatementPage { limit: NEWEST, ..StatementPage::default() };
        let now = self.standing_now().await?;
        let mut statements = self.judged_statements(&now, newest.clone(), StatementHistory::Open).await?;
        if !turns.is_empty() {
            let found = StatementPage { turns: Some(turns), ..newest };
            statements.extend(self.judged_statements(&now, found, StatementHistory::Open).await?);
        }
        let current = |known: KnownStatement| (known.standing == StatementStanding::Current).then_some(known.statement);
        let mut current: Vec<Statement> = statements.into_iter().filter_map(current).collect();
        current.sort_by_key(|statement| statement.id);
        current.dedup_by_key(|statement| statement.id);
        current.sort_by(|a, b| (a.at, order(a)).cmp(&(b.at, order(b))));
        Ok(current)
    }
}

impl Writer<'_> {
    /// Formats a statement with its person, its group, and when it was said.
    pub(super) fn statement(&self, statement: &Statement) -> Line {
        let group = group(statement.group, self.words.language);
        let about = statement.holder.as_ref().map_or_else(|| group.to_owned(), |holder| format!("{} · {group}", data(holder)));
        let when = status(statement.status, self.words.language).map(|word| format!("{word}, ")).unwrap_or_default();
        let told = self.told(statement.at, &statement.id.to_string());
        let text = format!("- {about}: “{}” ({when}{}", data(&statement.text), told.trim_start_matches('('));
        Line { text, id: statement.id.to_string(), memory: None }
    }
}

const fn group(group: StatementGroup, language: Language) -> &'static str {
    let (korean, english) = match group {
        StatementGroup::Name => ("이름·나이", "name and age"),
        StatementGroup::Place => ("사는 곳", "place"),
        StatementGroup::Work => ("일·공부", "work and study"),
        StatementGroup::People => ("주변 사람", "people"),
        StatementGroup::Pet => ("반려동물", "pets"),
        StatementGroup::Health => ("건강", "health"),
        StatementGroup::Food => ("음식", "food"),
        StatementGroup::Like => ("좋아하는 것", "likes"),
        StatementGroup::Dislike => ("싫어하는 것", "dislikes and fears"),
        StatementGroup::Hobby => ("취미·습관", "hobbies and routines"),
        StatementGroup::Thing => ("가진 것", "possessions"),
        StatementGroup::Trait => ("성격·생각", "traits and beliefs"),
        StatementGroup::Love => ("연애", "relationship"),
        StatementGroup::Plan => ("계획", "plans"),
        StatementGroup::Goal => ("목표", "goals"),
        StatementGroup::Loss => ("힘든 일", "losses"),
        StatementGroup::Win => ("기쁜 일", "achievements"),
        StatementGroup::Limit => ("바라는 태도", "boundaries"),
        StatementGroup::Promise => ("약속", "promises"),
        StatementGroup::Other => ("그 밖", "other"),
    };
    match language {
        Language::Korean => korean,
        Language::English => english,
    }
}

/// The word for a status that the clause alone may not show.
const fn status(status: StatementStatus, language: Language) -> Option<&'static str> {
    let (korean, english) = match status {
        StatementStatus::Past => ("지난 일", "past"),
        StatementStatus::Planned => ("예정", "planned"),
        StatementStatus::Wished => ("바람", "hoped for"),
        StatementStatus::Now | StatementStatus::Not | StatementStatus::Ended => return None,
    };
    Some(match language {
        Language::Korean => korean,
        Language::English => english,
    })
}
